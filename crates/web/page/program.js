// The question in one sentence, the program with its place marked, and the words on the nodes.

import { $, h, mono, s } from './dom.js';
import { chip } from './canvas.js';
import { tags } from './mini.js';
import { state, watch } from './state.js';

/** @import { Program, Question, View } from './types.js' */

let shown = '';
const KEYWORDS = /\b(auto|break|case|char|const|continue|do|else|enum|extern|for|goto|if|int|long|return|short|signed|sizeof|static|struct|switch|typedef|unsigned|void|while|bool|_Bool|NULL|true|false)\b/;

export function startProgram() {
  watch(render);
  window.addEventListener('resize', room);
}

/** The program takes what question and words leave; on a narrow page all that it needs. */
function room() {
  const pre = $('program'), pane = pre.closest('.pane'), fold = pre.closest('details');
  if (!(pane instanceof HTMLElement) || !fold) return;
  pre.style.maxHeight = '';
  if (innerWidth <= 1180) return;
  const others = [...pane.children].filter(e => e !== fold).reduce((sum, e) => sum + /** @type {HTMLElement} */ (e).offsetHeight, 0);
  const head = fold.querySelector('summary')?.offsetHeight ?? 0;
  pre.style.maxHeight = `${Math.max(198, pane.clientHeight - others - head - 4)}px`;
}

function render() {
  const view = state.desk?.view;
  if (!view) return;
  const key = JSON.stringify([state.desk?.level, view.question?.id, view.state]);
  if (key === shown) return;
  shown = key;
  sentence(view);
  code(view.program, view.question);
  legend(view.question);
  room();
  inSight(document.querySelector('#code .here'), true);
}

/** @param {View} view */
function sentence(view) {
  const q = view.question;
  $('q-h').textContent = q ? 'The question' : 'How it ended';
  if (!q) { $('q').replaceChildren(view.sentence); return; }
  const fixed = q.fixed.map(v => `${v.name} = ${v.value}`).join(', ');
  const checks = q.checks.length === 0 ? 'a check' : q.checks.length < 3 ? `the check on line ${q.checks.join(' or ')}` : 'one of the lines that are marked in red';
  $('q').replaceChildren('Which heaps can the program have ', h('strong', {}, q.place.replace(/ (\d+)$/, '\u00a0$1')),
    ...(fixed ? [' with ', h('strong', { class: 'fixed' }, fixed)] : []), `? Draw one pattern that fits them all, and none that would fail ${checks.replace(/ (\d+)$/, '\u00a0$1')}.`);
}

/** @param {Program} program @param {Question | null} q */
function code(program, q) {
  const own = program.functions.find(f => (q && f.from <= q.line && q.line <= f.to)) ?? program.functions.find(f => f.name === program.procedure);
  // Long programs: other functions are folded, what is between them is not shown.
  const long = program.lines.length > 30 && own;
  const box = $('code');
  box.replaceChildren();
  const list = (/** @type {number} */ from, /** @type {number} */ to) => h('ol', {}, program.lines.slice(from - 1, to).map((text, i) => line(text, from + i, q)));
  if (!long) box.append(list(1, program.lines.length));
  else {
    for (const f of program.functions) {
      if (f === own) { box.append(list(f.from, f.to)); continue; }
      const checked = q?.checks.some(c => f.from <= c && c <= f.to);
      box.append(h('details', { open: checked }, h('summary', {}, h('span', { class: 'n' }, String(f.from)), `${f.name} …`), list(f.from, f.to)));
    }
  }
  $('where').textContent = q ? `line ${q.line} of ${program.lines.length}` : '';
  $('program').setAttribute('aria-label', `Program ${program.procedure}.${q ? ` The question is about line ${q.line}.` : ''}`);
}

/** Marks a line that a run is at, or none. @param {number | null} n @param {boolean} fails */
export function markLine(n, fails) {
  for (const old of document.querySelectorAll('#code .now')) old.classList.remove('now', 'fails');
  const li = n === null ? null : /** @type {HTMLElement | null} */ (document.querySelector(`#code [data-line="${n}"]`));
  const fold = li?.closest('details');
  if (fold) fold.open = true;
  li?.classList.add('now');
  li?.classList.toggle('fails', fails);
  inSight(li ?? document.querySelector('#code .here'), li === null);
}

/** Scrolls the program only, and no further than needed. @param {HTMLElement | null} li @param {boolean} [middle] */
function inSight(li, middle = false) {
  const pre = $('program');
  if (!li) return;
  const top = li.offsetTop, high = li.offsetHeight;
  if (middle || top < pre.scrollTop + high || top > pre.scrollTop + pre.clientHeight - 2 * high) pre.scrollTop = Math.max(0, top - pre.clientHeight / 2);
}

/** @param {string} text @param {number} n @param {Question | null} q */
function line(text, n, q) {
  const here = n === q?.line, check = q?.checks.includes(n);
  const span = h('span', { class: 'txt' });
  let rest = text;
  const comment = rest.indexOf('//');
  const tail = comment >= 0 ? rest.slice(comment) : '';
  if (comment >= 0) rest = rest.slice(0, comment);
  for (const part of rest.split(KEYWORDS)) span.append(part !== undefined && KEYWORDS.test(part) ? h('span', { class: 'kw' }, part) : part ?? '');
  if (tail) span.append(h('span', { class: 'cm' }, tail));
  return h('li', { 'data-line': n, class: here ? 'here' : check ? 'chk' : null, 'aria-current': here ? 'location' : null }, h('span', { class: 'n' }, String(n)), span, here ? h('span', { class: 'yah' }, '← here') : null);
}

/** @param {Question | null} q */
function legend(q) {
  const list = $('words');
  list.replaceChildren();
  for (const v of q?.words.variables ?? []) {
    const w = Math.max(22, mono(v.name, 12) + 14);
    const picture = s('svg', { width: w + 2, height: 20, 'aria-hidden': 'true' }, tags([{ text: v.name, value: 'true', name: v.name }], w / 2 + 1, 1)[0]);
    list.append(h('dt', {}, h('span', { class: 'vh' }, v.name), picture), h('dd', {}, v.meaning));
  }
  for (const p of q?.words.predicates ?? []) {
    const picture = s('svg', { class: 'mini', width: 15, height: 15, 'aria-hidden': 'true' }, s('rect', { class: 'bT', x: 1, y: 1, width: 13, height: 13, rx: 6.5 }), s('text', { class: 'lt lT', x: 7.5, y: 11, 'text-anchor': 'middle' }, p.letter));
    list.append(h('dt', { class: 'word' }, picture, p.name), h('dd', {}, p.meaning));
  }
  const row = s('svg', { width: 244, height: 20, viewBox: '0 0 244 20' });
  let x = 1;
  for (const value of /** @type {const} */ (['true', 'maybe', 'false'])) { row.append(chip(value, value, x, 1)); x += 35 + mono(value, 11); }
  $('keyrow').replaceChildren(row);
}
