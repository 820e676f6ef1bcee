// Two minutes with the page: five steps beside what they speak of. A step that was done by itself goes on.

import { $, button, h, say } from './dom.js';
import { goTo } from './galleries.js';
import { progress, question, select, state, tone, watch } from './state.js';

/** @typedef {{ title: string, text: string, at: string, done: () => boolean, show?: { text: string, run: () => void } }} Step */

const missed = () => (state.next ? undefined : question())?.positives.find(e => tone(e.name) === 'miss')?.name;
const summary = () => state.drawing.nodes.find(n => n.summary);

let cellsAtStart = 0;
const cells = () => state.drawing.nodes.filter(n => n.kind === 'cells').length;

/** @type {Step[]} */
const STEPS = [
  { title: 'A pattern is a stencil for heaps', text: 'The pattern in the middle fits the heap on the right: each cell stands at a node. So it can be submitted. Press Submit, then go on to the next case.', at: 'submit', done: () => missed() !== undefined },
  { title: 'Some heaps do not fit yet', text: 'The list can be longer than your pattern. Point at a heap that is not matched, or move to it with Tab: the drawing shows where it goes wrong.', at: 'pos', done: () => state.hot !== null && tone(state.hot) === 'miss', show: { text: 'Show me', run: () => { const name = missed(); if (name) goTo(name); } } },
  { title: 'Add a node', text: 'More cells need a node to stand at. Double-click an empty place, press N, or use the Node tool.', at: 'tool-node', done: () => cells() > cellsAtStart },
  { title: 'One node for any number of cells', text: 'Select the new node and make it a summary (S, or the Summary tool): it then stands for 0, 1, 2, … cells. Its badge shows what that means.', at: 'tool-summary', done: () => summary() !== undefined },
  { title: 'Draw the edges', text: 'Drag the blue dot of n1 to the summary, the dot of the summary to itself, and on to where the list goes on. They are dashed: maybe this way, maybe that way. The heaps on the right turn green as you go; a hint tells what is missing.', at: 'canvas', done: () => { const p = progress(); return p.known && p.left === 0; } },
  { title: 'Submit', text: 'Every example is right. The verifier now looks for a heap that you have not seen. If your pattern is too narrow or too loose, it shows you one; words on a node make it stricter.', at: 'submit', done: () => state.next !== null },
];

let at = -1, closed = false;

export function startTour(again = false) {
  if (again) closed = false;
  if (closed) return;
  at = 0;
  shown = '';
  render();
}

/** Starts by itself where a level has it and nothing was played yet. */
export function maybeTour() {
  const desk = state.desk, level = desk?.levels.find(l => l.id === desk.level);
  if (level?.tour && desk?.editor && !desk.draft && desk.resumed === 0 && question()?.number === 1) startTour();
}

export function watchTour() {
  watch(render);
  window.addEventListener('resize', place);
  document.addEventListener('keydown', ev => { if (ev.key === 'Escape' && !$('coach').hidden && !state.linking && !state.meaningOf) stop(); });
}

function stop() { at = -1; closed = true; $('coach').hidden = true; document.body.classList.remove('touring'); }

let shown = '';
function render() {
  const box = $('coach');
  if (at < 0 || !question() || document.querySelector('dialog[open]')) { box.hidden = true; return; }
  while (at < STEPS.length && STEPS[at].done()) { at += 1; cellsAtStart = cells(); }
  if (at >= STEPS.length) { stop(); return; }
  const step = STEPS[at], key = `${at}`;
  box.hidden = false;
  document.body.classList.add('touring');
  if (key !== shown) {
    shown = key;
    const row = h('div', { class: 'row' });
    if (step.show) row.append(button(step.show.text, 'btn primary small', step.show.run));
    else if (step.at === 'canvas' || step.at === 'tool-summary') row.append(button('Got it', 'btn primary small', () => { box.hidden = true; const n = summary() ?? state.drawing.nodes.find(m => m.kind === 'cells' && !Object.keys(m.variables).length); if (n) select({ kind: 'node', id: n.id }); box.hidden = true; }));
    row.append(button('Skip the tour', 'btn ghost small', stop));
    box.replaceChildren(h('p', { class: 'eyebrow' }, `First steps, ${at + 1} of ${STEPS.length}`), h('h3', { id: 'coach-h' }, step.title), h('p', {}, step.text), row);
    say(`First steps, ${at + 1} of ${STEPS.length}. ${step.title}. ${step.text}`);
  }
  place();
}

/** Beside its target, in view; on a narrow page it is part of the text. */
function place() {
  const box = $('coach');
  if (box.hidden || at < 0 || at >= STEPS.length) return;
  if (innerWidth <= 760) { box.style.left = box.style.top = ''; return; }
  const t = $(STEPS[at].at).getBoundingClientRect(), w = box.offsetWidth, hh = box.offsetHeight;
  const onCanvas = STEPS[at].at === 'canvas';
  const x = onCanvas ? t.left + 12 : STEPS[at].at === 'pos' ? t.left - w - 18 : Math.min(Math.max(8, t.left - 10), innerWidth - w - 8);
  const below = t.bottom + 12 + hh < innerHeight;
  const y = onCanvas ? t.bottom - hh - 12 : STEPS[at].at === 'pos' ? t.top : below ? t.bottom + 12 : t.top - hh - 12;
  box.style.left = `${x}px`;
  box.style.top = `${y}px`;
  box.dataset.side = onCanvas ? 'none' : STEPS[at].at === 'pos' ? 'right' : below ? 'top' : 'bottom';
}
