// A concrete heap, small: cells in columns by their distance from the first variable, so that heaps compare.

import { mono, s } from './dom.js';

/** @import { Example, Place, Words } from './types.js' */

const CELL = 46, GAP = 14, TOP = 21, HEAD = 14, ROW = 11, WRAP = 5;
/** Longest name of a field that is written out. */
const LONGEST = 8;

/** @param {number} x @param {number} y @param {number} k */
export const ground = (x, y, k = 1) => s('path', { class: 'gnd', d: `M${x} ${y} v${6 * k} m${-7 * k} 0 h${14 * k} m${-11.5 * k} ${3.4 * k} h${9 * k} m${-6.5 * k} ${3.4 * k} h${4 * k}` });

/** Variables above a box. @param {{ text: string, value: string, name: string, pulse?: boolean }[]} tags @param {number} cx @param {number} y @param {number} size @param {number} high */
export function tags(tags, cx, y, size = 12, high = 18) {
  const widths = tags.map(t => Math.max(high + 4, mono(t.text, size) + 14));
  let x = cx - (widths.reduce((a, b) => a + b, 0) + 5 * (widths.length - 1)) / 2;
  return tags.map((t, i) => {
    const mid = x + widths[i] / 2, drop = size > 11 ? 12 : 7;
    const g = s('g', { class: `tag ${t.value}${t.pulse ? ' pulse' : ''}`, 'data-variable': t.name },
      s('rect', { x, y, width: widths[i], height: high, rx: high / 2 }),
      s('text', { x: mid, y: y + high - 5 + (size < 12 ? 1.2 : 0), 'text-anchor': 'middle', 'font-size': size }, t.text),
      s('path', { d: `M${mid} ${y + high} v${drop - 6}`, 'stroke-dasharray': t.value === 'maybe' ? '2 2' : null }),
      s('path', { class: 'ah', d: `M${mid} ${y + high + drop} l-3.6 -6.5 h7.2 z` }));
    x += widths[i] + 5;
    return g;
  });
}

/** The pointer fields of a cell, in the order of the program. @param {Example} heap @param {number} i @param {Words} words */
const fieldsOf = (heap, i, words) => words.records.find(r => r.name === heap.cells[i].record)?.fields ?? Object.keys(heap.cells[i].fields);

/**
 * Column and row of every cell: a step forwards goes one column on, a second child begins a row of its own.
 * @param {Example} heap @param {Words} words
 */
function places(heap, words) {
  /** @type {({ c: number, r: number } | undefined)[]} */
  const at = heap.cells.map(() => undefined);
  let rows = 0;
  /** @param {number} i @param {number} c @param {number} r */
  const put = (i, c, r) => {
    at[i] = { c, r };
    rows = Math.max(rows, r + 1);
    let first = true;
    for (const f of fieldsOf(heap, i, words)) {
      const t = heap.cells[i].fields[f];
      if (typeof t !== 'number' || at[t]) continue;
      put(t, c + 1, first ? r : rows);
      first = false;
    }
  };
  for (const p of [...words.variables.map(v => heap.variables[v.name]), ...heap.cells.keys()]) if (typeof p === 'number' && !at[p]) put(p, 0, rows);
  const found = at.map(p => p ?? { c: 0, r: 0 });
  // A long list goes on in the next line.
  return rows === 1 && heap.cells.length > WRAP + 1 ? found.map(({ c }) => ({ c: c % WRAP, r: Math.floor(c / WRAP) })) : found;
}

/** @param {Example} heap @param {Words} words @param {number[]} [marked] */
export function mini(heap, words, marked = []) {
  const said = words.predicates, fields = [...new Set(words.records.flatMap(r => r.fields))], several = fields.length > 1;
  const named = several ? Math.max(...fields.map(f => mono(f.slice(0, LONGEST), 8.5))) + 26 : 0;
  const cw = Math.max(CELL, 4 + Math.min(4, said.length) * 14, named), gap = several ? 26 : GAP;
  const perRow = Math.floor((cw - 3) / 14), letters = Math.max(1, Math.ceil(said.length / perRow));
  const chips = said.length ? letters * 14 + 2 : 0, high = HEAD + chips + ROW * fields.length + (several ? 2 : 0);
  const at = places(heap, words);
  const below = heap.cells.some((c, i) => fields.some(f => { const t = c.fields[f]; return typeof t === 'number' && !beside(at[i], at[t]); }));
  const pitch = TOP + high + (below ? 6 + 5 * fields.length : 4);
  const cols = Math.max(1, ...at.map(p => p.c + 1)), rows = Math.max(1, ...at.map(p => p.r + 1));
  const tagged = heap.cells.map((_, i) => words.variables.filter(v => heap.variables[v.name] === i).map(v => v.name));
  // Tags that are wider than their cell, and ways around, need room.
  const wide = Math.max(0, ...tagged.map(names => (mono(names.join(', '), 11) + 16 - cw) / 2)), left = Math.max(2, wide, below && rows > 1 ? 13 : 0), right = Math.max(2, wide);
  const off = words.variables.map(v => [v.name, heap.variables[v.name]]).filter(([, p]) => typeof p === 'string');
  const offWide = off.length ? Math.max(44, mono(off.map(([name]) => name).join(', '), 11) + 18) : 0;
  const w = left + cols * cw + (cols - 1) * gap + right + (off.length ? 8 + offWide : 0), h = rows * pitch + 2;
  const svg = s('svg', { class: 'mini', width: w, height: h, viewBox: `0 0 ${w} ${h}`, 'aria-hidden': 'true', focusable: 'false' });
  const lines = s('g'), boxes = s('g');
  svg.append(boxes, lines);
  const xy = at.map(p => [left + p.c * (cw + gap), TOP + p.r * pitch]);
  heap.cells.forEach((cell, i) => {
    const [x, y] = xy[i], g = s('g', { class: marked.includes(i) ? 'mark' : '' });
    g.append(s('rect', { class: 'cb', x, y, width: cw, height: high, rx: 4 }),
      s('path', { class: 'ch', d: `M${x + .5} ${y + HEAD} v${-HEAD + 4} a3.5 3.5 0 0 1 3.5 -3.5 h${cw - 8} a3.5 3.5 0 0 1 3.5 3.5 v${HEAD - 4} z` }),
      s('text', { class: 'num', x: x + cw / 2, y: y + 11, 'text-anchor': 'middle' }, String(i + 1)));
    said.forEach((p, k) => {
      const value = cell.words[p.name];
      if (value === undefined) return;
      const bx = x + 2.5 + (k % perRow) * 14, by = y + HEAD + 2 + Math.floor(k / perRow) * 14;
      g.append(s('rect', { class: value ? 'bT' : 'bF', x: bx, y: by, width: 12.5, height: 12.5, rx: value ? 6.2 : 1.5 }),
        s('text', { class: `lt ${value ? 'lT' : 'lF'}`, x: bx + 6.25, y: by + 9.6, 'text-anchor': 'middle' }, p.letter));
    });
    fields.forEach((f, k) => {
      const target = cell.fields[f], py = y + HEAD + chips + k * ROW + 5;
      if (target === undefined) return;
      if (several) g.append(s('text', { class: 'fl', x: x + 4, y: py + 3.5 }, f.length > LONGEST ? `${f.slice(0, LONGEST - 1)}…` : f));
      if (target === 'null') g.append(ground(x + cw - 11, py - 3.5, .72));
      else if (typeof target === 'string') g.append(s('text', { class: 'fl', x: x + cw - 4, y: py + 3.5, 'text-anchor': 'end' }, target === 'freed' ? '✕' : '–'));
      else lines.append(...arrow(xy, i, target, k, [cw, high], py, at));
    });
    boxes.append(g);
    if (tagged[i].length) lines.append(...tags([{ text: tagged[i].join(', '), value: 'true', name: tagged[i][0] }], x + cw / 2, y - TOP + .5, 11, 14));
  });
  if (off.length) {
    const x = w - offWide / 2 - 2, byPlace = new Map();
    for (const [name, place] of off) byPlace.set(place, [...(byPlace.get(place) ?? []), name]);
    let y = TOP;
    for (const [place, names] of byPlace) {
      svg.append(...tags([{ text: names.join(', '), value: 'true', name: names[0] }], x, y - TOP + .5, 11, 14));
      if (place === 'null') svg.append(ground(x, y + 2, .9)); else svg.append(s('text', { class: 'fl', x, y: y + 10, 'text-anchor': 'middle' }, place));
      y += 40;
    }
    if (y > h) { svg.setAttribute('height', String(y)); svg.setAttribute('viewBox', `0 0 ${w} ${y}`); }
  }
  return svg;
}

/** Does an arrow need no way around? @param {{ c: number, r: number }} a @param {{ c: number, r: number }} b */
const beside = (a, b) => Math.abs(a.c - b.c) === 1;

/** @param {number[][]} xy @param {number} i @param {number} t @param {number} k @param {number[]} size @param {number} py @param {{ c: number, r: number }[]} at */
function arrow(xy, i, t, k, [cw, high], py, at) {
  const [x, y] = xy[i], [tx, ty] = xy[t], sx = x + cw - 8, row = at[t].r === at[i].r;
  const dot = s('circle', { class: 'pt', cx: sx, cy: py, r: 2.6 });
  const line = (/** @type {string} */ d) => s('path', { class: 'ln', d });
  const right = (/** @type {number} */ hx, /** @type {number} */ hy) => s('path', { class: 'ah', d: `M${hx} ${hy} l-7 -3.6 v7.2 z` });
  const toLeft = (/** @type {number} */ hx, /** @type {number} */ hy) => s('path', { class: 'ah', d: `M${hx} ${hy} l7 -3.6 v7.2 z` });
  if (at[t].c === at[i].c + 1) {
    if (row) return [dot, line(`M${sx} ${py} H${tx - 6}`), right(tx, py)];
    const gx = x + cw + 5 + 3.5 * k, hy = ty + 7, turn = hy > py ? 3 : -3;
    return [dot, line(`M${sx} ${py} H${gx - 3} q3 0 3 ${turn} V${hy - turn} q0 ${turn} 3 ${turn} H${tx - 6}`), right(tx, hy)];
  }
  if (at[t].c === at[i].c - 1) {
    // Back, from the left side.
    if (row) return [line(`M${x} ${py} H${tx + cw + 6}`), toLeft(tx + cw, py)];
    const gx = x - 4 - 2.5 * k, hy = ty + HEAD + 3, turn = hy > py ? 3 : -3;
    return [line(`M${x} ${py} H${gx + 3} q-3 0 -3 ${turn} V${hy - turn} q0 ${turn} -3 ${turn} H${tx + cw + 6}`), toLeft(tx + cw, hy)];
  }
  const low = y + high + 5 + 4 * k;
  if (row) {
    const into = tx + cw / 2 - 6 + k * 10;
    return [dot, line(`M${sx} ${py} V${low - 3} q0 3 -3 3 H${into + (into < sx ? 3 : -3)} q${into < sx ? -3 : 3} 0 ${into < sx ? -3 : 3} -3 V${y + high + 4}`), s('path', { class: 'ah', d: `M${into} ${y + high} l-3 5.6 h6 z` })];
  }
  // Another row: along the gap below, then into the side of the target.
  const gx = tx - 9 - 1.5 * k, turn = ty > y ? 3 : -3;
  return [dot, line(`M${sx} ${py} V${low - 3} q0 3 -3 3 H${gx + 3} q-3 0 -3 ${turn} V${ty + 7 - turn} q0 ${turn} 3 ${turn} H${tx - 6}`), right(tx, ty + 7)];
}

/** A heap in words. @param {Example} heap @param {Words} words */
export function sayHeap(heap, words) {
  /** @param {Place | undefined} p */
  const name = p => (typeof p === 'number' ? `cell ${p + 1}` : p ?? 'nothing');
  const away = words.variables.filter(v => typeof heap.variables[v.name] === 'string').map(v => `${v.name} is ${heap.variables[v.name]}`);
  const cells = heap.cells.map((c, i) => {
    const here = words.variables.filter(v => heap.variables[v.name] === i).map(v => v.name);
    const said = words.predicates.filter(p => c.words[p.name] !== undefined).map(p => `${c.words[p.name] ? '' : 'not '}${p.name}`);
    const leads = Object.entries(c.fields).map(([f, t]) => `${f} ${name(t)}`);
    return `cell ${i + 1}${here.length ? ` with ${here.join(' and ')}` : ''}: ${[...said, ...leads].join(', ')}`;
  });
  return [...away, ...cells].join('. ') || 'no cells';
}
