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
 * @typedef {{ kind: 'pan', x: number, y: number, left: number, top: number, moved: boolean }} Pan
 * @type {Move | Link | Pan | null}
 */
let drag = null;
/** A finger that stays where it is for this long opens what it is on. */
const LONG = 500;
let press = 0;

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
  svg.addEventListener('pointercancel', () => { clearTimeout(press); drag = null; setRubber(null); renderCanvas(); });
  // The menu of the browser would cover what a long press opens.
  svg.addEventListener('contextmenu', ev => { if (press) ev.preventDefault(); });
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
  longPress(ev, x, y);
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
  const n = id && !state.peek ? node(state.drawing, id) : undefined;
  if (n) {
    drag = { kind: 'move', id: n.id, dx: x - n.x, dy: y - n.y, before: JSON.stringify(state.drawing), moved: false, word: near(t, 'data-word'), variable: near(t, 'data-variable') };
    grab(ev, n.id);
    return;
  }
  const from = near(t, 'data-from'), field = near(t, 'data-field'), to = near(t, 'data-to');
  if (from && field && to) { ev.preventDefault(); wantFocus(); select({ kind: 'edge', from, field, to }); return; }
  if (state.meaningOf) close(false);
  select({ kind: 'none' });
  // Empty space: the mouse moves the paper; a finger does so without us.
  const c = $('canvas');
  if (ev.pointerType !== 'touch' && (c.scrollWidth > c.clientWidth || c.scrollHeight > c.clientHeight)) {
    drag = { kind: 'pan', x: ev.clientX, y: ev.clientY, left: c.scrollLeft, top: c.scrollTop, moved: false };
    $('svg').setPointerCapture(ev.pointerId);
  }
}

/** A finger that stays: on a node or an edge it opens the inspector, on empty space it adds a node. @param {PointerEvent} ev @param {number} x @param {number} y */
function longPress(ev, x, y) {
  clearTimeout(press);
  press = 0;
  if (ev.pointerType !== 'touch' || state.linking) return;
  // What is pressed is drawn anew when it is selected, so it is looked up now.
  const held = near(ev.target, 'data-node') !== null || near(ev.target, 'data-from') !== null;
  press = window.setTimeout(() => {
    if (drag?.kind === 'link' || (drag?.kind === 'move' && drag.moved)) return;
    drag = null;
    setRubber(null);
    if (held) {
      $('inspector').scrollIntoView({ block: 'nearest' });
      /** @type {HTMLElement | null} */ ($('inspector').querySelector('input:checked'))?.focus();
    } else if (!edit.nodeAt(x, y)) edit.addNode({ x: x - 84, y: y - 38 });
  }, LONG);
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
  if (drag?.kind === 'pan') {
    const c = $('canvas'), dx = ev.clientX - drag.x, dy = ev.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < 5) return;
    drag.moved = true;
    c.classList.add('panning');
    c.scrollLeft = drag.left - dx;
    c.scrollTop = drag.top - dy;
    return;
  }
  if (state.linking) { const n = edit.nodeAt(x, y); if (n) edit.aimLink(n.id); }
  if (!drag) return;
  if (drag.kind === 'link') {
    if (Math.hypot(x - drag.x, y - drag.y) > 8) clearTimeout(press);
    setRubber({ x0: drag.x, y0: drag.y, x1: x, y1: y });
    renderCanvas();
    const over = edit.nodeAt(x, y);
    aimed();
    if (over) $('svg').querySelector(`[data-node="${over.id}"]`)?.classList.add('target');
    return;
  }
  const n = node(state.drawing, drag.id);
  if (!n || !editable()) return;
  const nx = snap(Math.max(8, x - drag.dx)), ny = snap(Math.max(48, y - drag.dy));
  if ((nx === n.x && ny === n.y) || (!drag.moved && Math.hypot(x - drag.dx - n.x, y - drag.dy - n.y) < 5)) return;
  drag.moved = true;
  clearTimeout(press);
  n.x = nx;
  n.y = ny;
  renderCanvas();
}

/** Nothing is aimed at any more. */
function aimed() { for (const old of $('svg').querySelectorAll('.target')) old.classList.remove('target'); }

/** @param {PointerEvent} ev */
function up(ev) {
  const d = drag, [x, y] = at(ev);
  clearTimeout(press);
  drag = null;
  setRubber(null);
  $('canvas').classList.remove('panning');
  if (!d || d.kind === 'pan') return;
  if (d.kind === 'link') aimed();
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
