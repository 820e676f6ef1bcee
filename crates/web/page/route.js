// The way of an edge: a curve from the row of its field to its target, around the nodes between.

import { mono } from './dom.js';
import { HEAD, box, rowOf, size } from './layout.js';
import { key } from './rules.js';

/** @import { Drawing, EdgeRef, Node, Words } from './types.js' */
/** @typedef {{ d: string, end: [number, number], dir: 'left' | 'right' | 'up' | 'down', mid: [number, number], left: boolean, points: [number, number][], stub?: boolean, named: boolean }} Way */
/** @typedef {{ x0: number, y0: number, x1: number, y1: number }} Box */

const GRID = 16;
/** Arrow heads, tip first. */
export const HEADS = { right: 'l-9 -4.6 v9.2 z', left: 'l9 -4.6 v9.2 z', up: 'l-4.6 9 h9.2 z', down: 'l-4.6 -9 h9.2 z' };

/** The ways that were asked for last: most renderings move nothing. @type {{ key: string, ways: Map<string, Way> }} */
let last = { key: '', ways: new Map() };

/** The ways of all edges. @param {Words} words @param {Drawing} d @param {EdgeRef[]} [edges] @returns {Map<string, Way>} */
export function routes(words, d, edges = d.edges) {
  const key = JSON.stringify([d.nodes.map(n => [n.id, n.x, n.y, ...size(words, n), n.summary, Object.keys(n.variables).length > 0, n.record]), edges.map(e => [e.from, e.field, e.to])]);
  if (key !== last.key) last = { key, ways: routeAll(words, d, edges) };
  return last.ways;
}

/** @param {Words} words @param {Drawing} d @param {EdgeRef[]} edges @returns {Map<string, Way>} */
function routeAll(words, d, edges) {
  const byId = new Map(d.nodes.map(n => [n.id, n]));
  /** @type {Map<string, Way>} */
  const ways = new Map();
  const several = words.records.some(r => r.fields.length > 1);
  /** @type {Box[]} */
  const labels = [], boxes = d.nodes.map(n => box(words, n));
  /** Places that an edge around others uses already: the next one takes another track. @type {Set<string>} */
  const used = new Set();
  for (const e of edges) {
    const a = byId.get(e.from), b = byId.get(e.to);
    if (!a || !b) continue;
    const way = a === b ? loop(words, a, e) : between(words, d, a, b, e, edges, byId, used);
    if (!way.stub) place(way, e, several, labels, boxes);
    ways.set(key(e), way);
  }
  return ways;
}

/** An edge of a node to itself, below it. @param {Words} words @param {Node} a @param {EdgeRef} e @returns {Way} */
function loop(words, a, e) {
  const [w, h] = size(words, a), y = a.y + rowOf(words, a, e.field), x = a.x + w, low = a.y + h;
  const deep = 34 + (low - y) * .3, out = a.summary ? 12 : 0, tip = x - 50 - (low - y) * .5;
  const d = `M${x - 10} ${y} H${x + 8 + out} C${x + 40 + out} ${y} ${x + 30 + out} ${low + deep + 6} ${x - 20} ${low + deep} C${tip + 2} ${low + deep - 4} ${tip} ${low + 22} ${tip} ${low + 9}`;
  /** @type {[number, number]} */
  const mid = [x + 6, low + deep - 1];
  return { d, end: [tip, low + 1], dir: 'up', mid, left: false, points: [[x + 8, y], mid, [tip, low + 9]], named: false };
}

/** Longer edges to null, or those around others, end beside their node. */
const FAR = 620;

/** An edge to null that ends beside its node, as in the heaps: long ways to the same place hide all others. @param {Words} words @param {Node} a @param {EdgeRef} e @returns {Way} */
function stub(words, a, e) {
  const y = a.y + rowOf(words, a, e.field) - 4, end = a.x - 18;
  return { d: `M${a.x + 10} ${y + 4} L${a.x} ${y} H${end}`, end: [end, y], dir: 'left', mid: [a.x - 9, y], left: true, points: [[a.x, y], [end, y]], stub: true, named: false };
}

/** @param {Words} words @param {Drawing} d @param {Node} a @param {Node} b @param {EdgeRef} e @param {EdgeRef[]} edges @param {Map<string, Node>} byId @param {Set<string>} used @returns {Way} */
function between(words, d, a, b, e, edges, byId, used) {
  const [aw] = size(words, a), [bw, bh] = size(words, b);
  const py = a.y + rowOf(words, a, e.field);
  const aRight = a.x + aw + (a.summary ? 12 : 0), bRight = b.x + bw + (b.summary ? 12 : 0);
  const overlap = Math.min(aRight, bRight) - Math.max(a.x, b.x);
  const stacked = overlap > 0.2 * Math.min(aw, bw);
  const several = words.records.some(r => r.fields.length > 1);
  if (b.kind !== 'cells' && (several || ((b.x < a.x || b.x - aRight > FAR) && !stacked))) return stub(words, a, e);
  // Where edges come in they spread out, in the order of the nodes that they come from.
  const incoming = edges.filter(o => o.to === b.id && o.from !== b.id).sort((m, n) => (byId.get(m.from)?.y ?? 0) - (byId.get(n.from)?.y ?? 0));
  const room = Math.min(14, (bh - 12) / Math.max(1, incoming.length));
  const slot = (incoming.findIndex(o => o.from === e.from && o.field === e.field) - (incoming.length - 1) / 2) * room;
  const rightwards = stacked ? b.y > a.y : b.x + bw / 2 > a.x + aw / 2;
  const side = rightwards ? 1 : -1;
  const sx = side > 0 ? a.x + aw - 10 : a.x + 10;
  const ax = side > 0 ? aRight : a.x;
  const middle = b.kind === 'cells' ? Math.min(bh / 2, HEAD / 2 + 8 + Math.abs(slot)) : bh / 2;
  const ey = b.y + middle + slot;
  if (stacked) {
    const bx = side > 0 ? bRight : b.x;
    const out = side > 0 ? Math.max(ax, bx) + 38 : Math.min(ax, bx) - 38;
    /** @type {[number, number][]} */
    const c = [[ax, py], [out, py], [out, ey], [bx + side * 9, ey]];
    return finish(words, d, a, b, e, sx, py, c, [bx + side, ey], side > 0 ? 'left' : 'right', used);
  }
  const bx = side > 0 ? b.x : bRight;
  const bend = Math.max(36, Math.abs(bx - ax) * .5);
  /** @type {[number, number][]} */
  const c = [[ax, py], [ax + side * bend, py], [bx - side * bend, ey], [bx - side * 9, ey]];
  return finish(words, d, a, b, e, sx, py, c, [bx - side, ey], side > 0 ? 'right' : 'left', used);
}

/** The direct curve, or a way around what it would cross. @param {Words} words @param {Drawing} d @param {Node} a @param {Node} b @param {EdgeRef} e
 * @param {number} sx @param {number} py @param {[number, number][]} c @param {[number, number]} end @param {Way['dir']} dir @param {Set<string>} used @returns {Way} */
function finish(words, d, a, b, e, sx, py, c, end, dir, used) {
  const blocks = d.nodes.filter(n => n !== a && n !== b).map(n => { const o = box(words, n); return { x0: o.x0 - 8, y0: o.y0 - 6, x1: o.x1 + 8, y1: o.y1 + 8 }; });
  const points = Array.from({ length: 25 }, (_, i) => bezier(i / 24, c));
  const left = sx < a.x + 40;
  const hits = points.some(([x, y]) => blocks.some(o => x > o.x0 && x < o.x1 && y > o.y0 && y < o.y1));
  if (hits && b.kind !== 'cells') return stub(words, a, e);
  if (hits) {
    const own = [a, b].map(n => { const o = box(words, n); return { x0: o.x0 + 1, y0: o.y0 + 1, x1: o.x1 - 1, y1: o.y1 - 1 }; });
    const way = around(c[0], c[3], [...blocks, ...own], used);
    if (way) {
      const all = /** @type {[number, number][]} */ ([[sx, py], c[0], ...way, c[3]]);
      return { d: rounded(all), end, dir, mid: halfway(all), left, points: all, named: false };
    }
  }
  const d0 = `M${sx} ${py} H${c[0][0]} C${c[1]} ${c[2]} ${c[3]}`.replaceAll(',', ' ');
  return { d: d0, end, dir, mid: bezier(.42, c), left, points, named: false };
}

/** @param {number} t @param {[number, number][]} c @returns {[number, number]} */
function bezier(t, c) {
  const u = 1 - t, f = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
  return [c.reduce((sum, p, i) => sum + f[i] * p[0], 0), c.reduce((sum, p, i) => sum + f[i] * p[1], 0)];
}

/**
 * Shortest way on a grid with few turns, which leaves and arrives sideways.
 * @param {[number, number]} from @param {[number, number]} to @param {{ x0: number, y0: number, x1: number, y1: number }[]} blocks
 * @param {Set<string>} used @returns {[number, number][] | null}
 */
function around(from, to, blocks, used) {
  const xs = [from[0], to[0], ...blocks.flatMap(b => [b.x0, b.x1])], ys = [from[1], to[1], ...blocks.flatMap(b => [b.y0, b.y1])];
  const x0 = Math.floor(Math.min(...xs) / GRID - 3) * GRID, y0 = Math.max(8, Math.floor(Math.min(...ys) / GRID - 3) * GRID + 8);
  const cols = Math.ceil((Math.max(...xs) + 3 * GRID - x0) / GRID), rows = Math.ceil((Math.max(...ys) + 3 * GRID - y0) / GRID);
  if (cols * rows > 40000) return null;
  /** @param {[number, number]} p */
  const at = p => [Math.min(cols - 1, Math.max(0, Math.round((p[0] - x0) / GRID))), Math.min(rows - 1, Math.max(0, Math.round((p[1] - y0) / GRID)))];
  const closed = new Uint8Array(cols * rows);
  for (const b of blocks) {
    for (let r = Math.max(0, Math.ceil((b.y0 - y0) / GRID)); r < rows && y0 + r * GRID < b.y1; r++) {
      for (let k = Math.max(0, Math.ceil((b.x0 - x0) / GRID)); k < cols && x0 + k * GRID < b.x1; k++) closed[r * cols + k] = 1;
    }
  }
  const [fx, fy] = at(from), [tx, ty] = at(to), steps = [[1, 0], [0, 1], [-1, 0], [0, -1]];
  closed[fy * cols + fx] = 0;
  closed[ty * cols + tx] = 0;
  const cost = new Float64Array(cols * rows * 4).fill(Infinity), came = new Int32Array(cols * rows * 4).fill(-1);
  /** @type {number[][]} buckets by cost */
  const queue = [];
  /** @param {number} s @param {number} c @param {number} by */
  const push = (s, c, by) => { if (c < cost[s]) { cost[s] = c; came[s] = by; (queue[Math.round(c)] ??= []).push(s); } };
  for (let k = 0; k < 4; k++) push((fy * cols + fx) * 4 + k, k % 2 ? 3 : 0, -1);
  let goal = -1;
  for (let c = 0; c < queue.length && goal < 0; c++) {
    for (const s of queue[c] ?? []) {
      if (Math.round(cost[s]) !== c) continue;
      const cell = s >> 2, x = cell % cols, y = (cell - x) / cols, k = s & 3;
      if (x === tx && y === ty) { goal = s; break; }
      steps.forEach(([dx, dy], j) => {
        const nx = x + dx, ny = y + dy;
        if (nx < 0 || ny < 0 || nx >= cols || ny >= rows || closed[ny * cols + nx] || (k + 2) % 4 === j) return;
        const taken = used.has(`${x0 + nx * GRID} ${y0 + ny * GRID} ${j % 2}`) ? 2 : 0;
        push((ny * cols + nx) * 4 + j, c + 1 + (j === k ? 0 : 3) + taken, s);
      });
    }
  }
  if (goal < 0) return null;
  /** @type {[number, number][]} */
  const path = [];
  for (let s = goal; s >= 0; s = came[s]) { const cell = s >> 2, x = cell % cols; path.unshift([x0 + x * GRID, y0 + ((cell - x) / cols) * GRID]); used.add(`${x0 + x * GRID} ${y0 + ((cell - x) / cols) * GRID} ${s & 1}`); }
  const corners = path.filter((p, i) => i > 0 && i < path.length - 1 && !(path[i - 1][0] === p[0] && p[0] === path[i + 1][0]) && !(path[i - 1][1] === p[1] && p[1] === path[i + 1][1]));
  // The grid is not quite where the ends are: the first and the last turn are put on their lines.
  if (corners.length) {
    if (corners[0][1] !== from[1]) corners[0] = [corners[0][0], from[1]];
    const last = corners[corners.length - 1];
    if (Math.abs(last[1] - to[1]) <= GRID && corners.length > 1) corners[corners.length - 1] = [last[0], to[1]];
    else if (last[1] !== to[1]) corners.push([last[0], to[1]]);
  }
  return corners;
}

/** @param {[number, number][]} p */
function rounded(p) {
  let d = `M${p[0][0]} ${p[0][1]}`;
  for (let i = 1; i < p.length - 1; i++) {
    const [x, y] = p[i], [px, py] = p[i - 1], [nx, ny] = p[i + 1];
    const into = Math.hypot(x - px, y - py), out = Math.hypot(nx - x, ny - y), r = Math.min(14, into / 2, out / 2);
    if (r < 1) { d += ` L${x} ${y}`; continue; }
    d += ` L${x - (x - px) / into * r} ${y - (y - py) / into * r} Q${x} ${y} ${x + (nx - x) / out * r} ${y + (ny - y) / out * r}`;
  }
  const last = p[p.length - 1];
  return `${d} L${last[0]} ${last[1]}`;
}

/** @param {[number, number][]} p @returns {[number, number]} */
function halfway(p) {
  const lengths = p.slice(1).map((q, i) => Math.hypot(q[0] - p[i][0], q[1] - p[i][1]));
  let left = lengths.reduce((a, b) => a + b, 0) * .45;
  for (let i = 0; i < lengths.length; i++) {
    if (left <= lengths[i]) { const t = left / (lengths[i] || 1); return [p[i][0] + (p[i + 1][0] - p[i][0]) * t, p[i][1] + (p[i + 1][1] - p[i][1]) * t]; }
    left -= lengths[i];
  }
  return p[p.length - 1];
}

/** The mark of an edge keeps away from other marks and from nodes; where its name has no room it is short. @param {Way} way @param {EdgeRef} e @param {boolean} several @param {Box[]} labels @param {Box[]} nodes */
function place(way, e, several, labels, nodes) {
  const candidates = [way.mid, ...sampled(way.points).sort((p, q) => Math.hypot(p[0] - way.mid[0], p[1] - way.mid[1]) - Math.hypot(q[0] - way.mid[0], q[1] - way.mid[1]))];
  const wide = several ? mono(`${e.field} ?`, 11) + 12 : 17;
  for (const [width, named] of /** @type {[number, boolean][]} */ (several ? [[wide, true], [17, false]] : [[17, false]])) {
    const rect = (/** @type {[number, number]} */ [x, y]) => ({ x0: x - width / 2 - 1, y0: y - 10, x1: x + width / 2 + 1, y1: y + 10 });
    const free = candidates.find(p => { const r = rect(p); return [...labels, ...nodes].every(o => r.x1 < o.x0 || r.x0 > o.x1 || r.y1 < o.y0 || r.y0 > o.y1); });
    if (!free) continue;
    way.mid = free;
    way.named = named;
    labels.push(rect(free));
    return;
  }
  labels.push({ x0: way.mid[0] - 9, y0: way.mid[1] - 9, x1: way.mid[0] + 9, y1: way.mid[1] + 9 });
}

/** Points along a way, without its ends. @param {[number, number][]} p @returns {[number, number][]} */
function sampled(p) {
  /** @type {[number, number][]} */
  const out = [];
  for (let i = 1; i < p.length; i++) {
    const long = Math.hypot(p[i][0] - p[i - 1][0], p[i][1] - p[i - 1][1]), steps = Math.max(1, Math.floor(long / 12));
    for (let k = 0; k < steps; k++) out.push([p[i - 1][0] + (p[i][0] - p[i - 1][0]) * k / steps, p[i - 1][1] + (p[i][1] - p[i - 1][1]) * k / steps]);
  }
  return out.slice(Math.floor(out.length * .12), Math.ceil(out.length * .88));
}
