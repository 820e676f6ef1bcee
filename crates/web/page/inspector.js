// The selected node or edge, with everything that can be said of it. Its height does not depend on what is
// selected, so selecting never resizes the canvas.

import { $, h, mono } from './dom.js';
import { act, setEdge } from './edit.js';
import * as rules from './rules.js';
import { editable, question, state, watch } from './state.js';

/** @import { Truth, Words } from './types.js' */

let shown = '';

export function startInspector() {
  watch(render);
  new ResizeObserver(tall).observe($('inspector'));
}

/** As high as the words of the question need, whatever is selected. */
function tall() {
  const words = question()?.words, host = $('inspector');
  if (!words) return;
  const named = [...words.variables, ...words.predicates].map(w => mono(w.name, 13) + 165);
  let rows = 1, left = host.clientWidth - 164;
  for (const w of named) { if (w > left) { rows += 1; left = host.clientWidth - 28; } left -= w; }
  host.style.setProperty('--inspector', `${Math.min(128, Math.max(92, 20 + 36 * rows))}px`);
}

function render() {
  const q = question(), sel = state.selection, host = $('inspector');
  const what = JSON.stringify([q?.id, sel, sel.kind === 'node' ? rules.node(state.drawing, sel.id) : sel.kind === 'edge' ? rules.edge(state.drawing, sel) : null, editable(), Boolean(state.peek)]);
  if (what === shown) return;
  tall();
  shown = what;
  // A radio button that has the focus keeps it.
  const active = document.activeElement, id = active && host.contains(active) ? active.id : '';
  host.replaceChildren(...(!q ? [] : state.peek ? [h('p', { class: 'empty' }, 'This is what the verifier sees; nothing can be changed here. Your own drawing is untouched.')] : sel.kind === 'node' ? nodeRows(q.words, sel.id) : sel.kind === 'edge' ? edgeRows(q.words) : [h('p', { class: 'empty' }, 'Select a node or an edge to change it here. Drag from the blue dot of a node to draw an edge; double-click empty space to add a node.')]));
  if (id) document.getElementById(id)?.focus();
}

/**
 * A value of several, as radio buttons.
 * @template {string} T
 * @param {string} name @param {string | null} digit @param {[T, string][]} values @param {T} value @param {(v: T) => void} set
 */
function choice(name, digit, values, value, set) {
  const group = `c-${name.replace(/\W/g, '_')}-${digit ?? ''}`;
  const seg = h('span', { class: 'seg' });
  for (const [v, text] of values) {
    const input = /** @type {HTMLInputElement} */ (h('input', { type: 'radio', name: group, id: `${group}-${v}`, value: v, disabled: !editable() }));
    input.checked = v === value;
    input.addEventListener('change', () => set(v));
    seg.append(h('label', {}, input, text));
  }
  return h('fieldset', { class: 'tri' }, h('legend', {}, digit ? h('kbd', { 'aria-hidden': 'true' }, digit) : null, h('span', {}, name)), seg);
}

/** @param {Words} words @param {string} id */
function nodeRows(words, id) {
  const n = rules.node(state.drawing, id);
  if (!n) return [];
  const kind = n.kind === 'cells' ? (n.summary ? '0 or more cells' : 'exactly one cell') : { null: 'no cell', freed: 'freed memory', unset: 'never set', cells: '' }[n.kind];
  const row = h('div', { class: 'irow' }, h('p', { class: 'lead' }, h('b', {}, n.id), ' ', kind));
  let digit = 0;
  const next = () => (++digit <= 9 ? String(digit) : null);
  for (const v of words.variables) {
    row.append(choice(v.name, next(), /** @type {[Truth, string][]} */ ([['true', 'yes'], ['maybe', 'maybe'], ['false', 'no']]), rules.variable(n, v.name), value => act(d => rules.setVariable(d, id, v.name, value))));
  }
  for (const p of rules.predicatesOf(words, n)) {
    const values = /** @type {[Truth, string][]} */ (p.values.map(v => [v, v]));
    row.append(choice(p.name, next(), values, rules.word(n, p.name), value => act(d => rules.setWord(d, id, p.name, value))));
  }
  if (n.kind === 'cells' && words.records.length > 1) {
    row.append(choice('type', null, words.records.map(r => [r.name, r.name]), n.record, record => act(d => rules.setRecord(d, words, id, record))));
  }
  return [row];
}

/** @param {Words} words */
function edgeRows(words) {
  const sel = state.selection;
  if (sel.kind !== 'edge') return [];
  const e = rules.edge(state.drawing, sel);
  if (!e) return [];
  const to = rules.node(state.drawing, e.to), where = e.to === e.from ? `another cell at ${e.to}, or itself` : to?.kind === 'cells' ? `a cell at ${e.to}` : e.to;
  const says = e.value === 'true' ? `Every cell at ${e.from} leads to ${where}.` : `A cell at ${e.from} may lead to ${where}, or somewhere else.`;
  return [
    h('div', { class: 'irow' }, h('p', { class: 'lead' }, h('b', {}, `${e.from} → ${e.to}`), words.records.some(r => r.fields.length > 1) ? ` ${e.field}` : ''),
      choice('this edge is', null, /** @type {[Truth, string][]} */ ([['true', 'certain'], ['maybe', 'maybe'], ['false', 'none']]), e.value, setEdge)),
    h('p', { class: 'empty' }, says),
  ];
}
