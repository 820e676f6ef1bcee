// Keys. Letters act only while the editor has the focus.

import { $, h, say } from './dom.js';
import { wantFocus } from './canvas.js';
import { captionOfExample } from './caption.js';
import { hint, submit } from './dock.js';
import * as edit from './edit.js';
import { size } from './layout.js';
import { endPeek } from './peek.js';
import { close, explain } from './popover.js';
import { node, predicatesOf } from './rules.js';
import { onCanvas, question, refresh, select, state } from './state.js';

/** The next node in a direction. @param {string} id @param {string} key */
function toward(id, key) {
  const { words, drawing } = onCanvas(), a = node(drawing, id);
  if (!a) return undefined;
  const centre = (/** @type {import('./types.js').Node} */ n) => { const [w, hh] = size(words, n); return [n.x + w / 2, n.y + hh / 2]; };
  const [ax, ay] = centre(a), dir = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[key] ?? [0, 0];
  const found = drawing.nodes.filter(n => n !== a).map(n => {
    const [x, y] = centre(n), along = (x - ax) * dir[0] + (y - ay) * dir[1], off = Math.abs((x - ax) * dir[1]) + Math.abs((y - ay) * dir[0]);
    return { id: n.id, along, cost: along + off * 1.6 };
  });
  return found.filter(o => o.along > 12).sort((m, n) => m.cost - n.cost)[0]?.id;
}

/** Through the edges of a node. @param {'from' | 'to'} end */
function walk(end) {
  const sel = state.selection, id = sel.kind === 'node' ? sel.id : sel.kind === 'edge' ? sel[end] : null;
  if (!id) return;
  const edges = onCanvas().drawing.edges.filter(e => e[end] === id);
  if (!edges.length) { say(`${id} has no edge ${end === 'from' ? 'out' : 'in'}`); return; }
  const i = sel.kind === 'edge' ? edges.findIndex(e => e.from === sel.from && e.field === sel.field && e.to === sel.to) : -1;
  const { from, field, to } = edges[(i + 1) % edges.length];
  wantFocus();
  select({ kind: 'edge', from, field, to });
}

/** @param {number} digit */
function label(digit) {
  const q = question(), sel = state.selection, n = sel.kind === 'node' ? node(state.drawing, sel.id) : undefined;
  if (!q || !n) return;
  const names = q.words.variables.map(v => v.name), said = predicatesOf(q.words, n).map(p => p.name);
  if (digit <= names.length) edit.cycleVariable(n.id, names[digit - 1]);
  else if (digit <= names.length + said.length) edit.cycleWord(n.id, said[digit - names.length - 1]);
}

/** @param {KeyboardEvent} ev */
function arrow(ev) {
  const sel = state.selection, key = ev.key;
  if (state.linking) { const n = toward(state.linking.to ?? state.linking.from, key) ?? (state.linking.to === null ? state.linking.from : undefined); if (n) edit.aimLink(n); else say('No node that way'); return; }
  wantFocus();
  if (sel.kind === 'edge') { select({ kind: 'node', id: key === 'ArrowRight' || key === 'ArrowDown' ? sel.to : sel.from }); return; }
  if (sel.kind === 'none') { const first = onCanvas().drawing.nodes[0]; if (first) select({ kind: 'node', id: first.id }); return; }
  if (ev.shiftKey) { const [dx, dy] = { ArrowRight: [16, 0], ArrowLeft: [-16, 0], ArrowDown: [0, 16], ArrowUp: [0, -16] }[key] ?? [0, 0]; edit.nudge(dx, dy); return; }
  const next = toward(sel.id, key);
  if (next) select({ kind: 'node', id: next }); else say('No node that way');
}

function escape() {
  if (state.linking) edit.endLink(false);
  else if (state.peek) endPeek();
  else if (state.meaningOf) close(true);
  else if (state.selection.kind === 'edge') { wantFocus(); select({ kind: 'node', id: state.selection.from }); } else { state.pinned = null; state.hot = null; refresh(); captionOfExample(); }
}

/** @type {Record<string, () => void>} */
const KEYS = {
  n: () => edit.addNode(), e: edit.startLink, s: edit.toggleSummary, m: edit.toggleMaybe, r: edit.toggleLoop, t: edit.tidy, f: () => edit.nextField(), h: hint,
  o: () => walk('from'), i: () => walk('to'), backspace: edit.remove, delete: edit.remove, escape,
  '+': () => edit.zoom(state.zoom + .1), '-': () => edit.zoom(state.zoom - .1), 0: edit.fit,
  ' ': () => { if (state.linking) edit.endLink(true); else if (state.selection.kind === 'node') explain(state.selection.id); },
  enter: () => { if (state.linking) edit.endLink(true); else /** @type {HTMLElement | null} */ ($('inspector').querySelector('input:checked'))?.focus(); },
};

export function startKeyboard() {
  $('canvas').addEventListener('keydown', ev => {
    if (ev.ctrlKey || ev.metaKey || ev.altKey) return;
    const k = ev.key.toLowerCase();
    if (ev.key.startsWith('Arrow')) arrow(ev);
    else if (/^[1-9]$/.test(k)) { if (state.linking) edit.nextField(Number(k) - 1); else label(Number(k)); } else if (KEYS[k]) KEYS[k]();
    else return;
    ev.preventDefault();
    ev.stopPropagation();
  });
  $('inspector').addEventListener('keydown', ev => { if (ev.key === 'Escape') { wantFocus(); refresh(); } });
  document.addEventListener('keydown', ev => {
    const ctrl = ev.ctrlKey || ev.metaKey, k = ev.key.toLowerCase();
    const typing = ev.target instanceof HTMLInputElement && ev.target.type === 'text';
    if (ctrl && k === 'z') { if (ev.shiftKey) edit.redo(); else edit.undo(); } else if (ctrl && k === 'y') edit.redo();
    else if (ctrl && k === 'enter') submit();
    else if (ev.key === '?' && !ctrl && !typing) /** @type {HTMLDialogElement} */ ($('keys')).showModal();
    else return;
    ev.preventDefault();
  });
  list();
}

function list() {
  /** @type {[string, [string, string][]][]} */
  const groups = [
    ['Move around', [['Tab', 'between panes; one stop for the editor'], ['← ↑ → ↓', 'to the next node that way'], ['O  /  I', 'step through the edges out / in'], ['Enter', 'to the words of the node; Esc comes back'], ['Shift + arrows', 'move the node'], ['+  −  0', 'zoom in, out, fit']]],
    ['Draw', [['N', 'new node in a free place (double-click)'], ['E', 'new edge: arrow keys, Enter (drag the blue dot)'], ['F', 'field of the next edge'], ['R', 'edge from the node to itself'], ['1 … 9', 'variables and words: yes, maybe, no (click)'], ['S', 'summary: zero or more cells'], ['M', 'edge: certain or maybe'], ['Backspace', 'delete node or edge']]],
    ['Look', [['Space', 'what a summary stands for (click its badge)'], ['↑ ↓ in a list', 'next example; its matching is drawn'], ['Enter on a heap', 'keep its matching shown'], ['← → in a run', 'a step back, a step on'], ['Hold', 'with a finger: the words of a node, or a new node']]],
    ['Whole page', [['Ctrl + Z', 'undo'], ['Ctrl + Shift + Z', 'redo'], ['T', 'tidy: the only thing that moves old nodes'], ['H', 'hint'], ['Ctrl + Enter', 'submit'], ['?', 'this list']]],
  ];
  $('keygrid').replaceChildren(...groups.map(([title, rows]) => h('section', {}, h('h3', {}, title), h('dl', {}, rows.map(([key, text]) => h('div', {}, h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)))))));
}
