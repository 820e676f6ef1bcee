// Sizes and places of nodes. A place belongs to the person: only dragging, Shift+arrows and Tidy change it.

import { mono } from './dom.js';
import { fieldsOf, predicatesOf } from './rules.js';

/** @import { Drawing, Node, Words } from './types.js' */

export const WIDTH = 168, HEAD = 24, ROW = 24, CHIP = 22;
/** Room above a node for variables, and below it for the numbers of cells. */
const ABOVE = 48, BELOW = 30, GAP_X = 72, GAP_Y = 28;
/** Where a new layout begins: above it is the sentence about an example. */
const TOP = 80;

/** @param {number} v */
export const snap = v => Math.round(v / 8) * 8;

/** Rows of chips, each with its place. @param {string[]} labels */
export function chipRows(labels) {
  const rows = [];
  let x = 6, y = 0;
  for (const label of labels) {
    const width = Math.min(25 + mono(label, 11), WIDTH - 12);
    if (x > 6 && x + width > WIDTH - 5) { x = 6; y += CHIP; }
    rows.push({ label, x, y, width });
    x += width + 3.5;
  }
  return rows;
}

/** Width and height of a node. @param {Words} words @param {Node} n @returns {[number, number]} */
export function size(words, n) {
  if (n.kind !== 'cells') return [76, 50];
  const chips = chipRows(predicatesOf(words, n).map(p => p.name));
  const rows = chips.length ? chips[chips.length - 1].y + CHIP + 6 : 0;
  return [WIDTH, HEAD + rows + ROW * Math.max(1, fieldsOf(words, n).length)];
}

/** The middle of a field's row, from the top of the node. @param {Words} words @param {Node} n @param {string} field */
export function rowOf(words, n, field) {
  const [, height] = size(words, n), fields = fieldsOf(words, n);
  return height - ROW * (fields.length - Math.max(0, fields.indexOf(field))) + ROW / 2;
}

/** What a node takes up, with its variables and the stack of a summary. @param {Words} words @param {Node} n */
export function box(words, n) {
  const [w, h] = size(words, n), lift = n.summary ? 12 : 0;
  const tags = Object.keys(n.variables).length > 0 ? 32 : 0;
  return { x0: n.x, y0: n.y - lift - tags, x1: n.x + w + lift, y1: n.y + h };
}

/** How far the drawing reaches. @param {Words} words @param {Drawing} d */
export function extent(words, d) {
  const boxes = d.nodes.map(n => box(words, n));
  return { x: Math.max(200, ...boxes.map(b => b.x1)) + 48, y: Math.max(160, ...boxes.map(b => b.y1)) + 72 };
}

/**
 * The nearest free place to a node, if possible in view and on no edge.
 * @param {Words} words @param {Drawing} d @param {Node | undefined} near @param {Node} made
 * @param {{ x0: number, y0: number, x1: number, y1: number }} view @param {[number, number][]} lines points of edges
 */
export function freePlace(words, d, near, made, view, lines) {
  const ref = near ?? d.nodes[0] ?? { x: 32, y: 64 };
  const [w, h] = size(words, made);
  const taken = d.nodes.map(n => { const [nw, nh] = size(words, n); return { x0: n.x - w - 40, x1: n.x + nw + 40, y0: n.y - h - 60, y1: n.y + nh + 60 }; });
  let best = { cost: Infinity, x: ref.x, y: ref.y + 160 };
  for (let y = 56; y < Math.max(900, view.y1 + 400); y += 8) {
    for (let x = 24; x < Math.max(1000, view.x1 + 400); x += 8) {
      const far = Math.abs(x - ref.x) * 1.4 + Math.abs(y - ref.y) + (x < ref.x ? 60 : 0);
      if (far >= best.cost || taken.some(t => x > t.x0 && x < t.x1 && y > t.y0 && y < t.y1)) continue;
      const outside = x < view.x0 || y - 40 < view.y0 || x + w > view.x1 || y + h + 30 > view.y1;
      const crossed = lines.filter(([lx, ly]) => lx > x - 24 && lx < x + w + 30 && ly > y - 46 && ly < y + h + 14).length;
      const cost = far + crossed * 90 + (outside ? 2000 : 0);
      if (cost < best.cost) best = { cost, x, y };
    }
  }
  return { x: snap(best.x), y: snap(best.y) };
}

/**
 * Places all nodes anew: columns by distance from the variables, null last.
 * @param {Words} words @param {Drawing} d
 */
export function tidy(words, d) {
  const cells = d.nodes.filter(n => n.kind === 'cells');
  /** @type {Map<string, number>} */
  const level = new Map();
  const first = words.variables.map(v => cells.find(n => n.variables[v.name] === 'true') ?? cells.find(n => n.variables[v.name]));
  const roots = [first.find(n => n) ?? cells[0]].filter(n => n !== undefined);
  // Fields are followed in the order of the program, so that pointers back do not pull nodes forward.
  for (const seeds of [roots, ...cells.map(n => [n])]) {
    const queue = seeds.filter(n => !level.has(n.id));
    for (const n of queue) level.set(n.id, 0);
    for (let n = queue.shift(); n; n = queue.shift()) {
      for (const e of d.edges) {
        const to = cells.find(c => c.id === e.to);
        if (e.from === n.id && to && !level.has(to.id)) { level.set(to.id, (level.get(n.id) ?? 0) + 1); queue.push(to); }
      }
    }
  }
  /** @type {Node[][]} */
  const columns = [];
  for (const n of cells) (columns[level.get(n.id) ?? 0] ??= []).push(n);
  /** @param {Node} n */
  const pull = n => {
    const from = d.edges.filter(e => e.to === n.id).map(e => cells.find(c => c.id === e.from)).filter(c => c && (level.get(c.id) ?? 0) < (level.get(n.id) ?? 0));
    return from.length ? from.reduce((sum, c) => sum + (c?.y ?? 0), 0) / from.length : Infinity;
  };
  /** @param {Node[]} c */
  const tall = c => c.reduce((sum, n) => sum + ABOVE + size(words, n)[1] + BELOW + GAP_Y, -GAP_Y);
  const middle = TOP + Math.max(120, ...columns.filter(Boolean).map(tall)) / 2;
  let x = 32;
  for (const column of columns) {
    if (!column) continue;
    column.sort((a, b) => pull(a) - pull(b));
    let y = middle - tall(column) / 2;
    for (const n of column) {
      n.x = x;
      n.y = Math.max(TOP + 40, snap(y + ABOVE));
      y += ABOVE + size(words, n)[1] + BELOW + GAP_Y;
    }
    x += WIDTH + GAP_X;
  }
  let y = Math.max(TOP + 40, snap(middle - 8));
  for (const n of d.nodes) if (n.kind !== 'cells') { n.x = x + 24; n.y = y; y += 104; }
  return d;
}

/** A drawing of the verifier has no places yet. @param {Words} words @param {Drawing} d */
export function arrange(words, d) {
  return d.nodes.length > 1 && d.nodes.every(n => n.x === 0 && n.y === 0) ? tidy(words, d) : d;
}
