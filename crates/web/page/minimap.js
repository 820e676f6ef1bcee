// The whole pattern, small, where it is larger than what can be seen. Only for pointers: keys go from node to
// node, and the canvas follows.

import { $, s } from './dom.js';
import { box, extent } from './layout.js';
import { edgesOf } from './rules.js';
import { onCanvas, watch } from './state.js';
import { scrollTo, view as shownNow } from './viewport.js';

const WIDE = 120, HIGH = 76;
let scale = 1, shown = '';

export function startMinimap() {
  const host = $('minimap'), c = $('canvas');
  c.addEventListener('scroll', view, { passive: true });
  watch(renderMinimap);
  const pan = (/** @type {PointerEvent} */ ev) => {
    const r = host.getBoundingClientRect(), z = onCanvas().zoom;
    scrollTo((ev.clientX - r.left) / scale * z - shownNow.width / 2, (ev.clientY - r.top) / scale * z - shownNow.height / 2);
  };
  host.addEventListener('pointerdown', ev => { host.setPointerCapture(ev.pointerId); pan(ev); ev.preventDefault(); });
  host.addEventListener('pointermove', ev => { if (host.hasPointerCapture(ev.pointerId)) pan(ev); });
}

export function renderMinimap() {
  const { words, drawing, zoom } = onCanvas(), host = $('minimap');
  const reach = extent(words, drawing), wide = reach.x * zoom > shownNow.width * 1.25, high = reach.y * zoom > shownNow.height * 1.25;
  const small = drawing.nodes.length < 4 || shownNow.width < 420;
  host.toggleAttribute('hidden', small || !(wide || high));
  if (host.hasAttribute('hidden')) { shown = ''; return; }
  const key = JSON.stringify([drawing, reach]);
  if (key !== shown) {
    shown = key;
    scale = Math.min(WIDE / reach.x, HIGH / reach.y);
    const w = reach.x * scale, h = reach.y * scale;
    host.setAttribute('width', String(w));
    host.setAttribute('height', String(h));
    host.setAttribute('viewBox', `0 0 ${reach.x} ${reach.y}`);
    const at = new Map(drawing.nodes.map(n => [n.id, box(words, n)]));
    const lines = edgesOf(drawing).map(e => {
      const a = at.get(e.from), b = at.get(e.to);
      return a && b ? s('path', { class: 'ml', d: `M${(a.x0 + a.x1) / 2} ${(a.y0 + a.y1) / 2} L${(b.x0 + b.x1) / 2} ${(b.y0 + b.y1) / 2}` }) : null;
    });
    const boxes = drawing.nodes.map(n => { const b = at.get(n.id); return b ? s('rect', { class: `mn ${n.kind}`, x: b.x0, y: n.y, width: b.x1 - b.x0, height: b.y1 - n.y, rx: 12 }) : null; });
    host.replaceChildren(...[...lines, ...boxes].filter(e => e !== null), s('rect', { class: 'mv' }));
  }
  view();
}

/** Where the canvas is. */
function view() {
  const z = onCanvas().zoom, r = $('minimap').querySelector('.mv');
  if (!r) return;
  for (const [k, v] of Object.entries({ x: shownNow.left / z, y: shownNow.top / z, width: shownNow.width / z, height: shownNow.height / z })) r.setAttribute(k, String(v));
}
