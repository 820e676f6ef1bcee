// What a summary node stands for: heaps that the pattern fits, with 0, 1 and 2 cells there.

import { $, button, h, say } from './dom.js';
import { wantFocus } from './canvas.js';
import { size } from './layout.js';
import { mini, sayHeap } from './mini.js';
import * as net from './net.js';
import { node } from './rules.js';
import { question, refresh, state, watch } from './state.js';

let open = '';

/** @param {string} id */
export async function explain(id) {
  const q = question();
  if (!q || !node(state.drawing, id)?.summary) { say('Only a summary node has examples'); return; }
  if (state.meaningOf === id) { close(true); return; }
  state.meaningOf = id;
  state.selection = { kind: 'node', id };
  refresh();
  try {
    const meaning = await net.meaning(q.id, state.drawing, id);
    if (state.meaningOf !== id) return;
    open = JSON.stringify(state.drawing);
    const rows = meaning.heaps.map(m => h('li', {}, h('b', {}, m.cells === 1 ? '1 cell' : `${m.cells} cells`),
      m.example ? h('div', {}, mini(m.example, q.words, m.standing), h('span', { class: 'vh' }, sayHeap(m.example, q.words))) : h('span', { class: 'none' }, 'no small heap fits this way')));
    $('pop').replaceChildren(h('h3', { id: 'pop-h' }, `${id} stands for 0, 1, 2, … cells`, button('Close', 'btn ghost small', () => close(true))),
      h('p', {}, `Heaps that your pattern fits. The outlined cells are those at ${id}.`), h('ul', {}, rows));
    place(id);
    const x = $('pop').querySelector('button');
    x?.focus();
    say(`${id} is a summary node. Heaps with zero, one and two cells there are shown.`);
  } catch {
    state.meaningOf = null;
    refresh();
  }
}

/** @param {boolean} back */
export function close(back) {
  const id = state.meaningOf;
  if (!id) return;
  state.meaningOf = null;
  if (back && node(state.drawing, id)) { state.selection = { kind: 'node', id }; wantFocus(); }
  refresh();
}

export function startPopover() {
  $('pop').addEventListener('keydown', ev => { if (ev.key === 'Escape') { close(true); ev.stopPropagation(); } });
  watch(() => {
    // It shows heaps of the pattern as it was: an edit closes it.
    if (state.meaningOf && open && open !== JSON.stringify(state.drawing)) state.meaningOf = null;
    if (!state.meaningOf) { $('pop').hidden = true; open = ''; }
  });
}

/** Beside its node, whole inside the pane if that is possible. @param {string} id */
function place(id) {
  const n = node(state.drawing, id), q = question(), pop = $('pop'), c = $('canvas');
  const pane = pop.parentElement;
  if (!n || !q || !pane) return;
  pop.hidden = false;
  const [w, h] = size(q.words, n), z = state.zoom, par = pane.getBoundingClientRect(), box = c.getBoundingClientRect();
  const nx = box.left - par.left + n.x * z - c.scrollLeft, ny = box.top - par.top + n.y * z - c.scrollTop;
  const pw = pop.offsetWidth, ph = pop.offsetHeight;
  const clamp = (/** @type {number} */ v, /** @type {number} */ most) => Math.min(Math.max(8, v), Math.max(8, most - 8));
  const lift = n.summary ? 58 : 40;
  /** @type {[number, number, string]} */
  const [x, y, side] = ny - lift - ph >= 4 ? [clamp(nx + w * z / 2 - pw / 2, par.width - pw), ny - lift - ph, 'above']
    : nx + w * z + 30 + pw <= par.width - 4 ? [nx + w * z + 30, clamp(ny - 40, par.height - ph), 'right']
      : nx - 24 - pw >= 4 ? [nx - 24 - pw, clamp(ny - 40, par.height - ph), 'left']
        : [clamp(nx + w * z / 2 - pw / 2, par.width - pw), Math.min(ny + h * z + 16, Math.max(8, par.height - ph - 8)), 'below'];
  pop.style.left = `${x}px`;
  pop.style.top = `${y}px`;
  pop.dataset.side = side;
  pop.style.setProperty('--nx', `${nx + w * z / 2 - x}px`);
}
