// Mouse, pen and finger on the canvas.

import { $, say } from './dom.js';
import { renderCanvas, setRubber, wantFocus } from './canvas.js';
import { caption } from './caption.js';
import * as edit from './edit.js';
import { snap } from './layout.js';
import { close, explain } from './popover.js';
import { node } from './rules.js';
import { editable, refresh, remember, select, state } from './state.js';

/**
 * @typedef {{ kind: 'move', id: string, dx: number, dy: number, before: string, moved: boolean, word: string | null, variable: string | null }} Move
 * @typedef {{ kind: 'link', from: string, field: string, x: number, y: number }} Link
 * @type {Move | Link | null}
 */
let drag = null;

/** @param {MouseEvent} ev @returns {[number, number]} */
function at(ev) {
  const r = $('svg').getBoundingClientRect();
  return [(ev.clientX - r.left) / state.zoom, (ev.clientY - r.top) / state.zoom];
}
/** @param {EventTarget | null} t @param {string} attribute */
const near = (t, attribute) => (t instanceof Element ? t.closest(`[${attribute}]`)?.getAttribute(attribute) ?? null : null);

export function startPointer() {
  const svg = $('svg');
  svg.addEventListener('pointerdown', down);
  svg.addEventListener('pointermove', move);
  svg.addEventListener('pointerup', up);
  svg.addEventListener('pointercancel', () => { drag = null; setRubber(null); renderCanvas(); });
  svg.addEventListener('dblclick', ev => {
    const [x, y] = at(ev);
    if (!edit.nodeAt(x, y) && !near(ev.target, 'data-from')) edit.addNode({ x: x - 84, y: y - 38 });
  });
  $('canvas').addEventListener('wheel', ev => {
    if (!ev.ctrlKey) return;
    ev.preventDefault();
    const r = $('canvas').getBoundingClientRect();
    edit.zoom(state.zoom - Math.sign(ev.deltaY) * .1, { x: ev.clientX - r.left, y: ev.clientY - r.top });
  }, { passive: false });
  // On the host, not on the svg: an svg element with focus listeners would be a Tab stop in Chromium.
  $('canvas').addEventListener('focusin', ev => {
    const id = near(ev.target, 'data-node');
    if (id && !(state.selection.kind === 'node' && state.selection.id === id)) { wantFocus(); select({ kind: 'node', id }); }
  });
}

/** @param {PointerEvent} ev */
function down(ev) {
  if (ev.button !== 0) return;
  const [x, y] = at(ev), t = ev.target;
  if (state.linking) { const n = edit.nodeAt(x, y); if (n) state.linking.to = n.id; edit.endLink(Boolean(n)); ev.preventDefault(); return; }
  const badge = near(t, 'data-badge');
  if (badge) { ev.preventDefault(); explain(badge); return; }
  const id = near(t, 'data-node'), port = near(t, 'data-port');
  if (id && port && editable()) {
    drag = { kind: 'link', from: id, field: port, x, y };
    state.field = port;
    grab(ev, id);
    return;
  }
  const n = id ? node(state.drawing, id) : undefined;
  if (n) {
    drag = { kind: 'move', id: n.id, dx: x - n.x, dy: y - n.y, before: JSON.stringify(state.drawing), moved: false, word: near(t, 'data-word'), variable: near(t, 'data-variable') };
    grab(ev, n.id);
    return;
  }
  const from = near(t, 'data-from'), field = near(t, 'data-field'), to = near(t, 'data-to');
  if (from && field && to) { ev.preventDefault(); wantFocus(); select({ kind: 'edge', from, field, to }); return; }
  if (state.meaningOf) close(false);
  select({ kind: 'none' });
}

/** @param {PointerEvent} ev @param {string} id */
function grab(ev, id) {
  $('svg').setPointerCapture(ev.pointerId);
  ev.preventDefault();
  wantFocus();
  select({ kind: 'node', id });
}

/** @param {PointerEvent} ev */
function move(ev) {
  const [x, y] = at(ev);
  if (state.linking) { const n = edit.nodeAt(x, y); if (n) edit.aimLink(n.id); }
  if (!drag) return;
  if (drag.kind === 'link') {
    setRubber({ x0: drag.x, y0: drag.y, x1: x, y1: y });
    renderCanvas();
    const over = edit.nodeAt(x, y);
    if (over) $('svg').querySelector(`[data-node="${over.id}"]`)?.classList.add('target');
    return;
  }
  const n = node(state.drawing, drag.id);
  if (!n || !editable()) return;
  const nx = snap(Math.max(8, x - drag.dx)), ny = snap(Math.max(48, y - drag.dy));
  if ((nx === n.x && ny === n.y) || (!drag.moved && Math.hypot(x - drag.dx - n.x, y - drag.dy - n.y) < 5)) return;
  drag.moved = true;
  n.x = nx;
  n.y = ny;
  renderCanvas();
}

/** @param {PointerEvent} ev */
function up(ev) {
  const d = drag, [x, y] = at(ev);
  drag = null;
  setRubber(null);
  if (!d) return;
  if (d.kind === 'move') {
    if (d.moved) { remember(d.before); refresh(); caption(); say(`${d.id} moved`); } else if (d.word) edit.cycleWord(d.id, d.word);
    else if (d.variable) edit.cycleVariable(d.id, d.variable);
    return;
  }
  const n = edit.nodeAt(x, y), still = Math.hypot(x - d.x, y - d.y) < 12;
  if (n && !(n.id === d.from && still)) edit.addEdge(d.from, d.field, n.id);
  else if (!n) edit.addNodeFrom(d.from, d.field, x, y);
  else renderCanvas();
}
