// The examples: what must fit, what must not, and what must fit if something else does.

import { $, button, h, icon, say } from './dom.js';
import { captionOfExample } from './caption.js';
import { light, reason, upper } from './highlight.js';
import { mini, sayHeap } from './mini.js';
import { openRun } from './run.js';
import { question, refresh, state, tone, watch } from './state.js';

/** @import { Example, Implication, Question } from './types.js' */

let shown = '';

export function startGalleries() {
  for (const id of ['pos', 'neg', 'imp']) {
    const list = $(id);
    list.addEventListener('pointerover', ev => over(ev.target));
    list.addEventListener('pointerleave', () => leave());
    list.addEventListener('focusin', ev => over(ev.target, true));
    list.addEventListener('focusout', () => leave());
    list.addEventListener('click', ev => pin(ev.target));
    list.addEventListener('keydown', ev => keys(ev));
  }
  watch(render);
}

/** @param {EventTarget | null} t */
const nameOf = t => (t instanceof Element ? t.closest('[data-example]')?.getAttribute('data-example') ?? null : null);

/** @param {EventTarget | null} t @param {boolean} [aloud] */
function over(t, aloud = false) {
  const name = nameOf(t);
  if (!name || state.hot === name) return;
  light(name);
  refresh();
  captionOfExample();
  if (aloud) say(reason(name));
}
function leave() {
  if (!state.hot) return;
  light(null);
  refresh();
  captionOfExample();
}
/** @param {EventTarget | null} t */
function pin(t) {
  const name = nameOf(t);
  if (!name) return;
  state.pinned = state.pinned === name ? null : name;
  light(name);
  refresh();
  captionOfExample();
  say(state.pinned ? `Kept shown. ${reason(name)}` : 'No longer kept.');
}
/** @param {KeyboardEvent} ev */
function keys(ev) {
  if (ev.key === 'Escape' && state.pinned) { state.pinned = null; light(null); refresh(); captionOfExample(); return; }
  if (ev.key !== 'ArrowDown' && ev.key !== 'ArrowUp') return;
  const all = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.card')]);
  const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const next = all[at + (ev.key === 'ArrowDown' ? 1 : -1)];
  if (next) { ev.preventDefault(); next.focus(); }
}

/** Goes to an example. @param {string} name */
export function goTo(name) {
  const card = document.querySelector(`[data-example="${CSS.escape(name)}"]`);
  if (!(card instanceof HTMLElement)) return;
  card.focus();
  card.scrollIntoView({ block: 'nearest' });
}

function render() {
  const q = question();
  const key = JSON.stringify([state.desk?.level, q?.id, q?.positives.length, q?.negatives.length, q?.implications.length]);
  if (key !== shown) { shown = key; build(q); }
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.card'))) status(card);
  const sum = (/** @type {Example[]} */ all, /** @type {string} */ word) => (state.comparison ? `${all.filter(e => tone(e.name) === 'ok').length} of ${all.length} ${word}` : `${all.length}`);
  $('pos-n').textContent = q ? sum(q.positives, 'matched') : '';
  const kept = q?.implications.filter(i => tone(`${i.name}.before`) === 'ok').length;
  $('imp-n').textContent = q?.implications.length && state.comparison ? `${kept} of ${q.implications.length} kept` : '';
  $('neg-n').textContent = q?.negatives.length ? sum(q.negatives, 'kept out') : '';
}

/** @param {Question | null} q */
function build(q) {
  const focused = nameOf(document.activeElement);
  $('neg-why').textContent = q?.checks.length && q.checks.length < 3 ? `fails line ${q.checks.join(' or ')}` : 'fails a check';
  $('pos').replaceChildren(...(q?.positives ?? []).map(e => h('li', {}, card(q, e, e.name))));
  $('neg').replaceChildren(...(q?.negatives ?? []).map(e => h('li', {}, card(q, e, e.name), runOf(e))));
  if (q && !q.positives.length) $('pos').append(h('li', { class: 'none' }, 'None yet. The verifier shows one if your pattern is too narrow.'));
  if (q && !q.negatives.length) $('neg').append(h('li', { class: 'none' }, 'None yet. The verifier shows one if your pattern is too loose.'));
  $('imp-box').hidden = !q?.implications.length;
  $('imp').replaceChildren(...(q?.implications ?? []).map(i => pair(q, i)));
  if (focused) goTo(focused);
}

/** Two heaps: whoever accepts the first must accept the second. @param {Question | null} q @param {Implication} i */
function pair(q, i) {
  return h('li', { role: 'group', 'aria-label': `Step ${i.name}` }, card(q, i.before, `${i.name}.before`, 'If this fits'),
    h('p', { class: 'turn' }, icon('i-turn'), 'the program makes of it'), card(q, i.after, `${i.name}.after`, 'so must this'));
}

/** @param {Question | null} q @param {Example} heap @param {string} name @param {string} [title] */
function card(q, heap, name, title) {
  const words = q?.words ?? { records: [], variables: [], predicates: [] };
  const long = heap.cells.length > 4;
  return h('button', { type: 'button', class: `card${long ? ' long' : ''}`, 'data-example': name },
    h('span', { class: 'st' }, h('span', { class: 'mk' }), h('b', {}, title ?? `Heap ${name}`), h('span', { class: 'how' })),
    mini(heap, words), scalars(heap), h('span', { class: 'vh' }, sayHeap(heap, words)));
}

/** The way to the failed check. @param {Example} heap */
function runOf(heap) {
  if (!heap.trace.length) return null;
  const ends = heap.note.includes(': ') ? `Here it fails: ${heap.note.split(': ').slice(1).join(': ')}.` : heap.note ? `${upper(heap.note)}.` : 'Here it fails.';
  return button(`Show how it fails, ${heap.trace.length} ${heap.trace.length === 1 ? 'step' : 'steps'}`, 'runit', () => openRun(`From heap ${heap.name} to the failed check`, heap.trace, ends), icon('i-run'));
}

/** @param {Example} heap */
function scalars(heap) {
  if (!heap.scalars.length) return null;
  return h('span', { class: 'scalars' }, heap.scalars.map(v => `${v.name} = ${v.value}`).join(', '));
}

/** @param {HTMLElement} card */
function status(card) {
  const name = card.dataset.example ?? '', q = question(), how = tone(name), after = name.split('.')[1];
  const negative = q?.negatives.some(e => e.name === name);
  const fits = state.comparison?.fits.find(f => f.example === name)?.fits;
  const word = how === 'wait' ? (state.online ? 'comparing' : 'not compared') : after ? (fits ? 'fits' : how === 'bad' && after === 'after' ? 'must fit too' : 'does not fit') : how === 'miss' ? 'not matched' : how === 'bad' ? 'wrongly matched' : negative ? 'kept out' : 'matched';
  card.classList.toggle('miss', how === 'miss');
  card.classList.toggle('bad', how === 'bad');
  card.classList.toggle('wait', how === 'wait');
  card.classList.toggle('on', state.hot === name);
  card.setAttribute('aria-pressed', String(state.pinned === name));
  const mark = how === 'wait' ? 's-wait' : how === 'miss' ? 's-miss' : how === 'bad' ? 's-bad' : negative ? 's-out' : 's-ok';
  const box = card.querySelector('.mk'), text = card.querySelector('.how'), title = card.querySelector('b');
  if (box?.getAttribute('data-mark') !== mark) { box?.replaceChildren(icon(mark)); box?.setAttribute('data-mark', mark); }
  if (text && text.textContent !== word) text.textContent = word;
  const fresh = card.querySelector('.new');
  if (state.fresh === name.split('.')[0] && !fresh) title?.append(h('span', { class: 'new' }, 'new'));
  if (state.fresh !== name.split('.')[0]) fresh?.remove();
}
