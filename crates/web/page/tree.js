// The unwinding: what is settled, what covers what, where the question is.

import { $, s } from './dom.js';
import { state, watch } from './state.js';

/** @import { Vertex } from './types.js' */

const W = 132, H = 38, GAP_X = 92, GAP_Y = 26;
const WORDS = { settled: 'settled', current: 'you are here', waiting: 'waiting', covered: 'covered', unreachable: 'never reached' };
let shown = '';

export function startTree() { watch(render); }

function render() {
  const tree = state.desk?.view.tree;
  const key = JSON.stringify(tree);
  if (!tree || key === shown) return;
  shown = key;
  const all = tree.vertices, done = all.filter(v => v.state === 'settled' || v.state === 'covered' || v.state === 'unreachable').length;
  const here = all.find(v => v.state === 'current');
  $('tsum').textContent = `${done} of ${all.length} places settled${here ? `, you are at place ${here.id}` : ''}`;
  draw(all);
}

/** @param {Vertex[]} all */
function draw(all) {
  /** @type {Map<string, { x: number, y: number }>} */
  const at = new Map();
  const kids = (/** @type {string | null} */ id) => all.filter(v => v.parent === id);
  let rows = 0;
  /** @param {Vertex} v @param {number} depth */
  const place = (v, depth) => {
    at.set(v.id, { x: depth * (W + GAP_X), y: rows * (H + GAP_Y) });
    kids(v.id).forEach((k, i) => { if (i) rows += 1; place(k, depth + 1); });
  };
  kids(null).forEach((v, i) => { if (i) rows += 1; place(v, 0); });
  const w = Math.max(0, ...[...at.values()].map(p => p.x)) + W + 8, h = (rows + 1) * (H + GAP_Y) + 8;
  const svg = s('svg', { width: w, height: h, viewBox: `-2 -2 ${w} ${h}`, role: 'img', 'aria-label': `Unwinding. ${all.map(v => `Place ${v.id}, ${v.title}, line ${v.line}: ${WORDS[v.state]}${v.covered_by ? ` by place ${v.covered_by}` : ''}`).join('. ')}.` });
  for (const v of all) {
    const p = at.get(v.id), from = v.parent === null ? undefined : at.get(v.parent);
    if (!p || !from) continue;
    const x0 = from.x + W, y0 = from.y + H / 2, y1 = p.y + H / 2;
    svg.append(s('path', { class: 'te', d: from.y === p.y ? `M${x0} ${y0} H${p.x}` : `M${x0} ${y0} h${GAP_X / 4} V${y1 - 6} q0 6 6 6 H${p.x}` }));
    const text = v.step.length > 15 ? `${v.step.slice(0, 14)}…` : v.step;
    svg.append(s('text', { class: 'tl', x: p.x - 5, y: y1 - 5, 'text-anchor': 'end' }, s('title', {}, v.step), text));
  }
  for (const v of all) {
    const p = at.get(v.id), by = v.covered_by === null ? undefined : at.get(v.covered_by);
    if (!p || !by) continue;
    const low = Math.max(p.y, by.y) + H + 12, x0 = p.x + W * .5, x1 = by.x + W * .7;
    svg.append(s('path', { class: 'te cov', d: `M${x0} ${p.y + H} V${low - 5} q0 5 ${x1 < x0 ? -5 : 5} 5 H${x1 + (x1 < x0 ? 5 : -5)} q${x1 < x0 ? -5 : 5} 0 ${x1 < x0 ? -5 : 5} -5 V${by.y + H + 7}` }), s('path', { class: 'cvh', d: `M${x1} ${by.y + H} l-4 8 h8 z` }));
  }
  for (const v of all) {
    const p = at.get(v.id);
    if (!p) continue;
    const settled = v.state === 'settled' || v.state === 'covered';
    svg.append(s('g', { class: `tn ${v.state}`, transform: `translate(${p.x} ${p.y})` }, s('title', {}, [`${v.title}, line ${v.line}`, ...v.label].join('\n')), s('rect', { width: W, height: H, rx: 7 }),
      s('text', { x: 12, y: 16 }, `${v.id}  ${v.title}`), s('text', { class: 'sub', x: 12, y: 30 }, v.covered_by ? `covered by ${v.covered_by}` : WORDS[v.state]),
      settled ? s('g', { class: 'ic' }, s('use', { href: '#s-ok', x: W - 24, y: 11, width: 16, height: 16 })) : null));
  }
  $('treebox').replaceChildren(svg);
}
