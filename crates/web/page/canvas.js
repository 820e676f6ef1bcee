// The pattern as SVG. The element of a node or an edge survives every rendering, so the focus is never lost.

import { $, mono, s } from './dom.js';
import { HEAD, ROW, chipRows, extent, rowOf, size } from './layout.js';
import { highlight } from './highlight.js';
import { ground, tags } from './mini.js';
import { HEADS, routes } from './route.js';
import { fieldsOf, key, node, predicatesOf, variable, word } from './rules.js';
import { onCanvas, state } from './state.js';
import { scrollTo, view } from './viewport.js';

/** @import { Drawing, EdgeRef, Node, Truth, Words } from './types.js' */
/** @import { Light } from './highlight.js' */
/** @import { Way } from './route.js' */

/** @type {Map<string, SVGElement>} */
const kept = new Map();
/** @type {Map<string, Way>} */
let ways = new Map();
let wanted = false;
/** @type {{ x0: number, y0: number, x1: number, y1: number } | null} */
let rubber = null;

/** The ways of the edges that are drawn. */
export const drawnWays = () => ways;
/** After the next rendering the selection has the focus. */
export const wantFocus = () => { wanted = true; };
/** The line that follows the pointer. @param {{ x0: number, y0: number, x1: number, y1: number } | null} line */
export const setRubber = line => { rubber = line; };

const selectionKey = () => {
  const sel = state.selection;
  return sel.kind === 'node' ? `n ${sel.id}` : sel.kind === 'edge' ? `e ${key(sel)}` : null;
};

export function renderCanvas() {
  const svg = $('svg'), { words, drawing: d } = onCanvas();
  const had = svg.contains(document.activeElement);
  const reach = extent(words, d), z = state.zoom;
  const w = Math.max(view.width / z, reach.x), h = Math.max(view.height / z, reach.y);
  set(svg, { width: w * z, height: h * z, viewBox: `0 0 ${w} ${h}` });
  if (!svg.firstChild) svg.append(s('g'), s('g', { 'pointer-events': 'none' }), s('g'), s('g', { 'pointer-events': 'none' }));
  const [edges, labels, nodes, over] = /** @type {SVGElement[]} */ ([...svg.children]);
  if (over.firstChild) over.replaceChildren();
  const light = state.hot && !state.peek ? highlight(state.hot) : null;
  const wanted_ = light?.missing ? [...d.edges, { ...light.missing, value: /** @type {Truth} */ ('maybe') }] : d.edges;
  ways = routes(words, d, wanted_);
  const live = new Set();
  for (const e of d.edges) for (const k of renderEdge(edges, labels, words, e, light)) live.add(k);
  if (light?.missing) ghost(over, light.missing);
  const stop = state.selection.kind === 'node' ? state.selection.id : d.nodes[0]?.id;
  for (const n of d.nodes) live.add(renderNode(nodes, over, words, d, n, light, n.id === stop));
  if (rubber) over.append(s('path', { class: 'rubber', d: `M${rubber.x0} ${rubber.y0} L${rubber.x1} ${rubber.y1}` }));
  for (const [k, g] of kept) if (!live.has(k)) { g.remove(); kept.delete(k); signs.delete(k); }
  // The order of the elements is the order of the drawing, for those who read it aloud.
  d.nodes.forEach((n, i) => { const g = kept.get(`n ${n.id}`); if (g && nodes.children[i] !== g && !g.contains(document.activeElement)) nodes.insertBefore(g, nodes.children[i]); });
  const target = selectionKey();
  if ((had || wanted) && target) focus(kept.get(target));
  wanted = false;
}

/** @param {Element} e @param {Record<string, string | number | boolean>} attributes */
function set(e, attributes) {
  for (const [name, value] of Object.entries(attributes)) if (e.getAttribute(name) !== String(value)) e.setAttribute(name, String(value));
}

/** What the elements were drawn from: those that are drawn from the same again stay as they are. @type {Map<string, string>} */
const signs = new Map();
/** Words are compared by identity. @type {WeakMap<Words, number>} */
const known = new WeakMap();
let counted = 0;
/** @param {Words} words */
function numberOf(words) {
  const n = known.get(words) ?? ++counted;
  known.set(words, n);
  return n;
}

/**
 * The element of a key, made if it is new, emptied; `null` if it is as it should be already.
 * @param {SVGElement} host @param {string} k @param {Record<string, string | number | boolean>} attributes @param {unknown[]} from
 */
function keyed(host, k, attributes, from) {
  const sign = JSON.stringify([attributes, from]);
  let g = kept.get(k);
  if (g && signs.get(k) === sign) return null;
  signs.set(k, sign);
  if (!g) { g = s('g'); kept.set(k, g); host.append(g); }
  set(g, attributes);
  g.replaceChildren();
  return g;
}

/** @param {SVGElement} host @param {SVGElement} labels @param {Words} words @param {EdgeRef & { value: Truth }} e @param {Light | null} light */
function renderEdge(host, labels, words, e, light) {
  const way = ways.get(key(e)), k = `e ${key(e)}`, sel = state.selection;
  if (!way) return [k];
  const chosen = sel.kind === 'edge' && key(sel) === key(e);
  const several = words.records.some(r => r.fields.length > 1);
  const cls = ['ed', e.value, chosen && 'sel', light && (light.edges.has(key(e)) ? `hit ${light.tone}` : 'dim'), state.pulses.has(key(e)) && 'pulse', light?.clashEdge === key(e) && 'clash'];
  const g = keyed(host, k, {
    class: cls.filter(Boolean).join(' '), tabindex: -1, role: 'button', 'data-from': e.from, 'data-field': e.field, 'data-to': e.to,
    'aria-label': `edge ${e.field} from ${e.from} to ${e.to}, ${e.value === 'true' ? 'certain' : 'maybe'}`, 'aria-pressed': chosen,
  }, [way.d, way.end, way.dir]);
  g?.append(s('path', { class: 'halo', d: way.d }), s('path', { class: 'ln', d: way.d }), s('path', { class: 'hit', d: way.d }),
    way.stub ? stubEnd(e.to, way.end) : s('path', { class: 'ah', d: `M${way.end[0]} ${way.end[1]} ${HEADS[way.dir]}` }));
  // Labels lie above all edges; the edge below is what is clicked.
  const [mx, my] = way.mid, label = keyed(labels, `l ${key(e)}`, { class: cls.filter(Boolean).join(' ') }, [way.mid, way.named, way.stub]);
  if (!label) return [k, `l ${key(e)}`];
  if (several && way.named) {
    const text = e.value === 'maybe' ? `${e.field} ?` : e.field, width = mono(text, 11) + 12;
    label.append(s('g', { class: 'q' }, s('rect', { x: mx - width / 2, y: my - 9, width, height: 18, rx: 9 }), s('text', { x: mx, y: my + 4, 'text-anchor': 'middle' }, text)));
  } else if (e.value === 'maybe' && way.stub) {
    label.append(s('g', { class: 'q' }, s('text', { x: mx, y: my - 4, 'text-anchor': 'middle' }, '?')));
  } else if (e.value === 'maybe') {
    label.append(s('g', { class: 'q' }, s('circle', { cx: mx, cy: my, r: 8.5 }), s('text', { x: mx, y: my + 4, 'text-anchor': 'middle' }, '?')));
  }
  return [k, `l ${key(e)}`];
}

/** Where an edge ends beside its node. @param {string} to @param {[number, number]} at */
function stubEnd(to, [x, y]) {
  return to === 'null' ? s('g', { class: 'stub' }, ground(x, y, .95)) : s('text', { class: 'stubname', x, y: y + 14, 'text-anchor': 'middle' }, to);
}

/** The edge that would be needed. @param {SVGElement} over @param {EdgeRef} missing */
function ghost(over, missing) {
  const way = ways.get(key(missing));
  if (!way) return;
  if (way.stub) over.append(s('g', { class: 'ghoststub' }, stubEnd(missing.to, way.end)));
  over.append(s('path', { class: 'ghostedge', d: way.d }), s('text', { class: 'ghostlab', x: way.mid[0], y: way.mid[1] - 10, 'text-anchor': 'middle' }, 'no edge here'));
}

/** @param {SVGElement} host @param {SVGElement} over @param {Words} words @param {Drawing} d @param {Node} n @param {Light | null} light @param {boolean} stop */
function renderNode(host, over, words, d, n, light, stop) {
  const [w, h] = size(words, n), sel = state.selection, chosen = sel.kind === 'node' && sel.id === n.id;
  const cells = light?.cells.get(n.id) ?? [], lit = cells.length > 0 || Boolean(light?.used.has(n.id));
  const cls = ['nd', n.kind, chosen && 'sel', light && (lit ? `hit ${light.conflict === n.id && light.tone !== 'ok' ? light.tone : light.tone}` : 'dim'), state.linking?.to === n.id && 'target', state.pulses.has(n.id) && 'pulse'];
  const k = `n ${n.id}`;
  const g = keyed(host, k, {
    class: cls.filter(Boolean).join(' '), transform: `translate(${n.x} ${n.y})`, tabindex: stop ? 0 : -1, role: 'group',
    'aria-roledescription': 'pattern node', 'aria-label': describe(words, d, n), 'data-node': n.id,
  }, [numberOf(words), light !== null, [...light?.slack ?? []].filter(w => w.startsWith(`${n.id} `)), d.edges.filter(e => e.from === n.id).map(e => ways.get(key(e))?.left)]);
  if (light) tokens(over, n, h, cells, light);
  if (!g) return k;
  const lift = n.summary ? 12 : 0;
  if (n.summary) g.append(s('rect', { class: 'back', x: 12, y: -12, width: w, height: h, rx: 5 }), s('rect', { class: 'back', x: 6, y: -6, width: w, height: h, rx: 5 }));
  g.append(s('rect', { class: 'ring', x: -6, y: -6 - lift, width: w + 12 + lift, height: h + 12 + lift, rx: 10 }), s('rect', { class: 'body', width: w, height: h, rx: 5 }));
  if (n.kind === 'cells') inside(g, words, d, n, w, light);
  else {
    g.append(s('text', { class: 'name', x: w / 2, y: 19, 'text-anchor': 'middle' }, n.id));
    if (n.kind === 'null') g.append(ground(w / 2, 26, 1.15));
    else g.append(s('text', { class: 'fld', x: w / 2, y: 38, 'text-anchor': 'middle' }, n.kind === 'freed' ? 'memory' : 'pointer'));
  }
  const here = words.variables.filter(v => variable(n, v.name) !== 'false');
  g.append(...tags(here.map(v => ({ name: v.name, value: variable(n, v.name), text: v.name + (variable(n, v.name) === 'maybe' ? '?' : ''), pulse: state.pulses.has(n.id) })), w / 2, -31 - lift));
  return k;
}

/** @param {SVGElement} g @param {Words} words @param {Drawing} d @param {Node} n @param {number} w @param {Light | null} light */
function inside(g, words, d, n, w, light) {
  const said = predicatesOf(words, n), chips = chipRows(said.map(p => p.name)), several = words.records.length > 1;
  g.append(s('path', { class: 'head', d: `M.5 ${HEAD} V5.5 a5 5 0 0 1 5 -5 h${w - 11} a5 5 0 0 1 5 5 V${HEAD} z` }), s('path', { class: 'rule', d: `M0 ${HEAD} h${w}` }));
  const left = n.summary || several;
  g.append(s('text', { class: 'name', x: left ? 12 : w / 2, y: 16.8, 'text-anchor': left ? 'start' : 'middle' }, n.id));
  if (several && !n.summary) g.append(s('text', { class: 'fld', x: w - 8, y: 16.8, 'text-anchor': 'end' }, n.record));
  chips.forEach((c, i) => {
    const value = word(n, said[i].name);
    const loose = light?.slack.has(`${n.id} ${said[i].name}`);
    g.append(chip(said[i].name, value, c.x, HEAD + 5 + c.y, c.width, loose));
  });
  const fields = fieldsOf(words, n);
  for (const f of fields) {
    const y = rowOf(words, n, f), outs = d.edges.filter(e => e.from === n.id && e.field === f);
    g.append(s('path', { class: 'rule', d: `M0 ${y - ROW / 2} h${w}` }), s('text', { class: 'fld', x: w / 2, y: y + 4, 'text-anchor': 'middle' }, f));
    const sides = new Set([false, ...outs.map(e => ways.get(key(e))?.left ?? false)]);
    for (const isLeft of sides) {
      const px = isLeft ? 10 : w - 10;
      g.append(s('rect', { class: 'portzone', x: px - 13, y: y - 12, width: 26, height: 24, 'data-port': f }), s('circle', { class: 'port', cx: px, cy: y, r: 3.6, 'data-port': f }));
    }
    if (!outs.length && !light) {
      g.append(s('g', { class: 'warn', transform: `translate(${w + (n.summary ? 17 : 5)} ${y - 8})` }, s('title', {}, `No edge ${f}: this node fits no cell yet`), s('path', { d: 'M8 0L16.5 15H-.5z' }), s('path', { class: 'k', d: 'M8 5.5v4M8 12v.2' })));
    }
  }
  if (n.summary) {
    g.append(s('g', { class: 'badge', 'data-badge': n.id, transform: `translate(${w - 76} 3)` }, s('title', {}, 'Show what this node stands for'), s('rect', { width: 72, height: 18, rx: 9 }), s('text', { x: 36, y: 13, 'text-anchor': 'middle' }, '0, 1, 2, …')));
  }
}

/** A word with its value: shape, glyph and text. @param {string} label @param {Truth} value @param {number} x @param {number} y @param {number} width @param {boolean} [loose] */
export function chip(label, value, x, y, width = 25 + mono(label, 11), loose = false) {
  const g = s('g', { class: `chip${loose ? ' loose' : ''}`, transform: `translate(${x} ${y})`, 'data-word': label });
  g.append(s('rect', { class: value, width, height: 18, rx: value === 'false' ? 2 : 9 }));
  if (value === 'true') g.append(s('path', { class: 'g gT', d: 'M6.5 9.2 l2.6 2.7 l4.8 -5.4' }));
  if (value === 'false') g.append(s('path', { class: 'g', d: 'M7 6 l6 6 m0 -6 l-6 6' }));
  if (value === 'maybe') g.append(s('text', { x: 10, y: 13, 'text-anchor': 'middle' }, '?'));
  const most = Math.floor((width - 22) / (11 * 0.602));
  g.append(s('text', { class: `t-${value}`, x: 18, y: 12.8 }, label.length > most ? `${label.slice(0, most - 1)}…` : label));
  if (label.length > most) g.append(s('title', {}, label));
  return g;
}

/** The numbers of the cells that stand at a node. @param {SVGElement} over @param {Node} n @param {number} h @param {number[]} cells @param {Light} light */
function tokens(over, n, h, cells, light) {
  const base = s('g', { transform: `translate(${n.x} ${n.y + h + 4})` });
  cells.forEach((c, i) => {
    const shown = cells.length > 6 && i >= 5;
    if (shown && i > 5) return;
    const text = shown ? `+${cells.length - 5}` : String(c + 1);
    base.append(s('g', { class: `tok ${light.tone}` }, s('circle', { cx: 16 + i * 24, cy: 8, r: 11 }), s('text', { x: 16 + i * 24, y: 12.2, 'text-anchor': 'middle' }, text)));
  });
  if (!cells.length && n.summary) base.append(s('g', { class: 'tok zero' }, s('rect', { x: 4, y: -1, width: 62, height: 18, rx: 9 }), s('text', { x: 35, y: 12, 'text-anchor': 'middle' }, '0 cells')));
  over.append(base);
}

/** A node in words. @param {Words} words @param {Drawing} d @param {Node} n */
export function describe(words, d, n) {
  const here = words.variables.filter(v => variable(n, v.name) !== 'false').map(v => `${v.name} ${variable(n, v.name) === 'maybe' ? 'maybe ' : ''}points here`);
  if (n.kind !== 'cells') {
    const what = { null: 'null, no cell', freed: 'memory that was freed', unset: 'a pointer that was never set', cells: '' }[n.kind];
    return [what, ...here].join('; ');
  }
  const said = predicatesOf(words, n).map(p => `${p.name} ${word(n, p.name)}`);
  const leads = fieldsOf(words, n).map(f => {
    const outs = d.edges.filter(e => e.from === n.id && e.field === f);
    return outs.length ? outs.map(e => `${f} ${e.value === 'maybe' ? 'maybe ' : ''}to ${e.to}`).join(', ') : `no edge ${f}`;
  });
  return [`Node ${n.id}, ${n.summary ? 'summary, zero or more cells' : 'one cell'}`, ...here, said.join(', '), ...leads].filter(Boolean).join('; ');
}

/** @param {SVGElement | undefined} g */
function focus(g) {
  if (!g) return;
  if (g !== document.activeElement) g.focus({ preventScroll: true });
  const sel = state.selection;
  if (sel.kind === 'node') { const n = node(onCanvas().drawing, sel.id); if (n) reveal(n); }
}

/** Scrolls inside the canvas only, and only as far as needed. @param {Node} n */
export function reveal(n) {
  const z = state.zoom, [w, h] = size(onCanvas().words, n);
  const x0 = (n.x - 16) * z, x1 = (n.x + w + 30) * z, y0 = (n.y - 54) * z, y1 = (n.y + h + 40) * z;
  const left = x0 < view.left ? Math.max(0, x0) : x1 > view.left + view.width ? x1 - view.width : view.left;
  const top = y0 < view.top ? Math.max(0, y0) : y1 > view.top + view.height ? y1 - view.height : view.top;
  if (view.width && (left !== view.left || top !== view.top)) scrollTo(left, top);
}
