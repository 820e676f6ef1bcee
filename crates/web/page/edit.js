// What a person can do to the pattern, from wherever: toolbar, keys, pointer, inspector.

import { $, say } from './dom.js';
import { drawnWays, wantFocus } from './canvas.js';
import { caption } from './caption.js';
import { extent, freePlace, size, snap, tidy as tidyNodes } from './layout.js';
import * as rules from './rules.js';
import * as store from './state.js';

/** @import { Drawing, Node, Truth } from './types.js' */

const { state } = store;
const words = () => store.question()?.words ?? { records: [], variables: [], predicates: [] };

/** One edit, told to the person. @param {(d: Drawing) => string[] | null} edit @param {boolean} [focus] */
export function act(edit, focus = false) {
  if (!store.editable()) { say(state.desk?.editor === false ? 'This tab only watches. Another tab is playing.' : 'Nothing can be changed now.'); return; }
  if (focus) wantFocus();
  const said = store.act(edit);
  if (!said) { say('That is not possible here.'); caption('hint', 'Not possible', 'for this node.'); return; }
  caption();
  if (said.length > 1) caption('hint', 'Kept consistent:', `${said.slice(1).join(', ')}.`, 5000);
  say(said.join(', '));
}

/** The part of the drawing that can be seen. */
export function inView() {
  const c = $('canvas'), z = state.zoom;
  return { x0: c.scrollLeft / z, y0: c.scrollTop / z, x1: (c.scrollLeft + c.clientWidth) / z, y1: (c.scrollTop + c.clientHeight) / z };
}

/** @param {{ x: number, y: number }} [at] @param {string} [record] */
export function addNode(at, record = words().records[0]?.name ?? '') {
  const sel = state.selection;
  act(d => {
    const near = sel.kind === 'node' ? rules.node(d, sel.id) : undefined;
    /** @type {Node} */
    const made = { id: '', kind: 'cells', record, summary: false, variables: {}, words: {}, x: 0, y: 0 };
    const lines = [...drawnWays().values()].flatMap(w => w.points);
    const p = at ?? freePlace(words(), d, near, made, inView(), lines);
    const id = rules.addNode(d, record, Math.max(8, snap(p.x)), Math.max(48, snap(p.y)));
    state.selection = { kind: 'node', id };
    return [`node ${id} added, all words maybe`];
  }, true);
}

/** A new node where an edge was dropped. @param {string} from @param {string} field @param {number} x @param {number} y */
export function addNodeFrom(from, field, x, y) {
  act(d => {
    const record = rules.node(d, from)?.record ?? words().records[0]?.name ?? '';
    const id = rules.addNode(d, record, Math.max(8, snap(x)), Math.max(48, snap(y - 12)));
    const said = rules.addEdge(d, words(), { from, field, to: id }) ?? [];
    state.selection = { kind: 'node', id };
    return [`node ${id} added`, ...said.slice(1)];
  }, true);
}

/** @param {string} from @param {string} field @param {string} to */
export function addEdge(from, field, to) {
  act(d => {
    const said = rules.addEdge(d, words(), { from, field, to });
    if (said) state.selection = { kind: 'edge', from, field, to };
    return said;
  }, true);
}

export function remove() {
  const sel = state.selection;
  if (sel.kind === 'edge') {
    act(d => { const said = rules.removeEdge(d, words(), sel); state.selection = { kind: 'node', id: sel.from }; return said; }, true);
  } else if (sel.kind === 'node') {
    if (sel.id === rules.NULL) { say('null cannot be deleted'); caption('hint', 'null', 'cannot be deleted.', 4000); return; }
    act(d => {
      const near = nearest(sel.id), said = rules.removeNode(d, sel.id);
      state.selection = near ? { kind: 'node', id: near } : { kind: 'none' };
      return said;
    }, true);
  } else say('Select a node or an edge first');
}

/** @param {string} id */
export function nearest(id) {
  const n = rules.node(state.drawing, id);
  if (!n) return undefined;
  return state.drawing.nodes.filter(m => m !== n).sort((a, b) => Math.hypot(a.x - n.x, a.y - n.y) - Math.hypot(b.x - n.x, b.y - n.y))[0]?.id;
}

export function toggleSummary() {
  const sel = state.selection;
  if (sel.kind !== 'node') { say('Select a node first'); caption('hint', 'Summary', 'works on a node. Click one first.', 4000); return; }
  act(d => rules.toggleSummary(d, sel.id), true);
}

export function toggleMaybe() {
  const sel = state.selection;
  const flip = (/** @type {import('./types.js').Edge} */ e) => act(d => rules.setEdge(d, words(), e, e.value === 'maybe' ? 'true' : 'maybe'), true);
  if (sel.kind === 'edge') { const e = rules.edge(state.drawing, sel); if (e) flip(e); return; }
  const outs = sel.kind === 'node' ? state.drawing.edges.filter(e => e.from === sel.id) : [];
  if (outs.length === 1) { flip(outs[0]); return; }
  say('Select an edge first: press O on a node');
  caption('hint', 'Maybe', 'works on an edge. Click one, or press O on a node to step through its edges.', 5000);
}

/** An edge from the selected node to itself, or none. */
export function toggleLoop() {
  const sel = state.selection;
  if (sel.kind !== 'node') { say('Select a node first'); return; }
  const e = { from: sel.id, field: state.field, to: sel.id };
  act(d => (rules.edge(d, e) ? rules.removeEdge(d, words(), e) : rules.addEdge(d, words(), e)), true);
}

/** @param {Truth} value */
export function setEdge(value) {
  const sel = state.selection;
  if (sel.kind === 'edge') act(d => rules.setEdge(d, words(), sel, value), value === 'false');
}

// A variable passes through maybe first: that never takes it away from another node.
/** @type {Record<Truth, Truth>} */
const NEXT_VARIABLE = { false: 'maybe', maybe: 'true', true: 'false' };

/** @param {string} id @param {string} name */
export function cycleVariable(id, name) {
  const n = rules.node(state.drawing, id);
  if (n) act(d => rules.setVariable(d, id, name, NEXT_VARIABLE[rules.variable(n, name)]));
}

/** @param {string} id @param {string} name */
export function cycleWord(id, name) {
  const n = rules.node(state.drawing, id), p = words().predicates.find(w => w.name === name);
  if (!n || !p) return;
  /** @type {Truth[]} */
  const order = /** @type {Truth[]} */ (['maybe', 'true', 'false']).filter(v => p.values.includes(/** @type {Truth} */ (v)));
  act(d => rules.setWord(d, id, name, order[(order.indexOf(rules.word(n, name)) + 1) % order.length]));
}

/** @param {number} dx @param {number} dy */
export function nudge(dx, dy) {
  const sel = state.selection;
  if (sel.kind !== 'node') return;
  act(d => {
    const n = rules.node(d, sel.id);
    if (!n) return null;
    n.x = Math.max(8, n.x + dx);
    n.y = Math.max(48, n.y + dy);
    return [`${sel.id} moved`];
  }, true);
}

export function tidy() {
  act(d => { tidyNodes(words(), d); return ['Tidied; undo brings the old places back']; });
}

export function undo() { caption(); say(store.undo() ? 'Undone' : 'Nothing to undo'); }
export function redo() { caption(); say(store.redo() ? 'Redone' : 'Nothing to redo'); }

// ------------------------------------------------------------------ edges by keyboard

export function startLink() {
  const sel = state.selection, n = sel.kind === 'node' ? rules.node(state.drawing, sel.id) : undefined;
  if (!store.editable()) return;
  if (!n || n.kind !== 'cells') { say('Select a node first'); caption('hint', 'New edge:', 'select the node that it starts from.', 4000); return; }
  const fields = rules.fieldsOf(words(), n);
  if (!fields.includes(state.field)) state.field = fields[0] ?? '';
  state.linking = { from: n.id, to: nearest(n.id) ?? null };
  tellLink();
}

/** Another field for the edge that is being drawn, or for the next one. @param {number} [index] */
export function nextField(index) {
  const sel = state.selection, n = rules.node(state.drawing, state.linking?.from ?? (sel.kind === 'node' ? sel.id : ''));
  const fields = n ? rules.fieldsOf(words(), n) : words().records[0]?.fields ?? [];
  if (!fields.length) return;
  state.field = fields[index ?? (fields.indexOf(state.field) + 1) % fields.length] ?? state.field;
  if (state.linking) tellLink(); else { store.refresh(); say(`field ${state.field}`); }
}

/** @param {string} to */
export function aimLink(to) {
  if (!state.linking || state.linking.to === to) return;
  state.linking.to = to;
  tellLink();
}

function tellLink() {
  const l = state.linking;
  if (!l) return;
  const several = words().records.some(r => r.fields.length > 1);
  store.refresh();
  say(`New edge ${several ? state.field : ''} from ${l.from}. Target ${l.to}. Arrow keys choose, Enter confirms, Escape cancels.`);
  caption('hint', `New edge${several ? ` ${state.field}` : ''}`, `from ${l.from} to ${l.to}. Arrow keys choose the target, Enter confirms, Esc cancels.${several ? ' F chooses the field.' : ''}`);
}

/** @param {boolean} done */
export function endLink(done) {
  const l = state.linking;
  state.linking = null;
  caption();
  if (done && l?.to) addEdge(l.from, state.field, l.to);
  else { wantFocus(); store.refresh(); say('Edge cancelled'); }
}

// ------------------------------------------------------------------ zoom

/** @param {number} to @param {{ x: number, y: number }} [about] a point of the canvas that stays */
export function zoom(to, about) {
  const c = $('canvas'), z = state.zoom, next = Math.min(2, Math.max(.25, Math.round(to * 20) / 20));
  const p = about ?? { x: c.clientWidth / 2, y: c.clientHeight / 2 };
  const x = (c.scrollLeft + p.x) / z, y = (c.scrollTop + p.y) / z;
  state.zoom = next;
  store.refresh();
  c.scrollLeft = x * next - p.x;
  c.scrollTop = y * next - p.y;
  say(`zoom ${Math.round(next * 100)} percent`);
}

/** The whole pattern in view; never larger than life. */
export function fit() {
  const c = $('canvas'), reach = extent(words(), state.drawing);
  state.zoom = Math.min(1, Math.max(.25, Math.floor(Math.min(c.clientWidth / reach.x, c.clientHeight / reach.y) * 100) / 100));
  store.refresh();
  c.scrollLeft = c.scrollTop = 0;
  say(`zoom ${Math.round(state.zoom * 100)} percent`);
}

/** Is a place on a node? @param {number} x @param {number} y */
export function nodeAt(x, y) {
  return [...state.drawing.nodes].reverse().find(n => {
    const [w, h] = size(words(), n), lift = n.summary ? 12 : 0;
    return x >= n.x - 8 && x <= n.x + w + 8 + lift && y >= n.y - 10 - lift && y <= n.y + h + 8;
  });
}
