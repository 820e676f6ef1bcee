// A run, step by step: from a heap that must not fit, or from the beginning, to the check that fails. The line
// is marked in the program, the heap is drawn beside it.

import { $, button, h, icon, say } from './dom.js';
import { mini, sayHeap } from './mini.js';
import { markLine } from './program.js';
import { question, state, watch } from './state.js';

/** @import { Example, TraceStep, Words } from './types.js' */

/** @type {HTMLElement | null} */
let back = null;
let shown = '';

export function startRun() {
  $('run').addEventListener('keydown', ev => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[ev.key];
    if (ev.key === 'Escape') close();
    else if (by !== undefined) go(by);
    else return;
    ev.preventDefault();
    ev.stopPropagation();
  });
  watch(render);
}

/** Shows a run. @param {string} title @param {TraceStep[]} steps @param {string} ends what happens at its end */
export function openRun(title, steps, ends) {
  back = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  state.run = { title, steps, ends, at: 0, of: question()?.id ?? '' };
  render();
  /** @type {HTMLElement | null} */ ($('run').querySelector('.next'))?.focus();
  say(`${title}, ${steps.length} steps. ${told()}`);
}

export function close() {
  if (!state.run) return;
  state.run = null;
  render();
  back?.focus();
}

/** @param {number} by */
function go(by) {
  const run = state.run;
  if (!run) return;
  run.at = Math.min(run.steps.length - 1, Math.max(0, run.at + by));
  render();
  say(told());
}

/** The step in words. */
function told() {
  const run = state.run;
  if (!run) return '';
  const step = run.steps[run.at], last = run.at === run.steps.length - 1;
  return `Step ${run.at + 1} of ${run.steps.length}, line ${step.line}: ${step.text}${last ? `. ${run.ends}` : ''}`;
}

/** The heap at a step: that of the last step that changed it. @returns {Example | undefined} */
function heapNow() {
  return state.run?.steps.slice(0, state.run.at + 1).findLast(s => s.heap)?.heap;
}

/** The words of a heap: those of the question with all variables of the run. @param {Example} heap @returns {Words} */
function wordsOf(heap) {
  const known = question()?.words;
  const variables = Object.keys(heap.variables).map(name => ({ name, meaning: '' }));
  if (known) return { ...known, variables };
  /** @type {Words} */
  const made = { records: [], variables, predicates: [] };
  for (const c of heap.cells) {
    if (!made.records.some(r => r.name === c.record)) made.records.push({ name: c.record, fields: Object.keys(c.fields) });
    for (const name of Object.keys(c.words)) {
      const letter = [...name.toLowerCase(), ...'abcdefghijklmnopqrstuvwxyz'].find(l => /[a-z0-9]/.test(l) && !made.predicates.some(p => p.letter === l)) ?? '?';
      if (!made.predicates.some(p => p.name === name)) made.predicates.push({ name, letter, meaning: '', record: c.record, values: [] });
    }
  }
  return made;
}

function render() {
  let run = state.run;
  // Another question: the run belonged to the old one.
  if (run && run.of !== (question()?.id ?? '')) run = state.run = null;
  const key = run ? `${run.title} ${run.at}` : '';
  if (key === shown) return;
  shown = key;
  const box = $('run');
  box.hidden = !run;
  markLine(run ? run.steps[run.at].line : null, run ? run.at === run.steps.length - 1 : false);
  if (!run) { box.replaceChildren(); return; }
  const step = run.steps[run.at], first = run.at === 0, last = run.at === run.steps.length - 1, heap = heapNow();
  const words = heap ? wordsOf(heap) : null;
  const focused = document.activeElement instanceof HTMLElement && box.contains(document.activeElement) ? document.activeElement.className : '';
  const prev = button('Back', 'btn small prev', () => go(-1)), next = button(last ? 'Again' : 'Next', 'btn small next', () => go(last ? -Infinity : 1));
  prev.setAttribute('aria-disabled', String(first));
  const scalars = heap?.scalars.length ? heap.scalars.map(v => `${v.name} = ${v.value}`).join(', ') : '';
  box.replaceChildren(
    h('div', { class: 'runhead' }, h('h3', {}, run.title), h('span', { class: 'count' }, `step ${run.at + 1} of ${run.steps.length}`), prev, next, button('Close', 'btn ghost small', close)),
    h('p', { class: `runstep${last ? ' bad' : ''}` }, last ? icon('s-bad') : null, h('b', {}, `Line ${step.line}`), ' ', h('code', {}, step.text), last ? h('span', { class: 'ends' }, run.ends) : null),
    h('div', { class: 'runheap' }, heap && words ? [mini(heap, words), h('span', { class: 'vh' }, sayHeap(heap, words))] : null, scalars ? h('span', { class: 'scalars' }, scalars) : null));
  if (focused) /** @type {HTMLElement | null} */ (box.querySelector(focused.includes('prev') ? '.prev' : focused.includes('next') ? '.next' : 'button'))?.focus();
}
