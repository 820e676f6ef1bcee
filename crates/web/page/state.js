// What the page knows, and the only ways to change it. Whoever shows something listens with `watch`.

import { node, edge } from './rules.js';

/** @import { Comparison, Desk, Drawing, Fit, Question, Selection, Tone, TraceStep, Words } from './types.js' */

/** Most edits that can be undone. */
const MOST_UNDO = 200;

/**
 * @typedef {{ text: string, tone: '' | 'good' | 'bad', action?: { text: string, run: () => void } }} Reply
 * @type {{ desk: Desk | null, next: Desk | null, drawing: Drawing, selection: Selection, field: string, hot: string | null,
 *   pinned: string | null, linking: { from: string, to: string | null } | null, zoom: number, comparison: Comparison | null,
 *   comparing: boolean, pulses: Set<string>, past: string[], future: string[], reply: Reply, fresh: string | null,
 *   judging: number, online: boolean, moved: boolean, saved: 'saved' | 'saving' | 'unsaved', meaningOf: string | null,
 *   run: { title: string, steps: TraceStep[], ends: string, at: number, of: string } | null,
 *   peek: { words: Words, drawing: Drawing, sentence: string, line: number, of: string } | null }}
 */
export const state = {
  desk: null, next: null, drawing: { nodes: [], edges: [] }, selection: { kind: 'none' }, field: '', hot: null, pinned: null,
  linking: null, zoom: 1, comparison: null, comparing: false, pulses: new Set(), past: [], future: [],
  reply: { text: '', tone: '' }, fresh: null, judging: 0, online: true, moved: false, saved: 'saved', meaningOf: null, run: null, peek: null,
};

/** @type {(() => void)[]} */
const watchers = [];
/** @param {() => void} show */
export const watch = show => { watchers.push(show); };
/** Shows everything again. */
export const refresh = () => { for (const show of watchers) show(); };

/** @type {((what: 'edit' | 'question') => void)[]} */
const followers = [];
/** @param {(what: 'edit' | 'question') => void} follow */
export const follow = follow => { followers.push(follow); };
/** @param {'edit' | 'question'} what */
const happened = what => { for (const f of followers) f(what); };

/** @returns {Question | null} */
export const question = () => state.desk?.view.question ?? null;
/** May anything be changed? */
export const editable = () => Boolean(state.desk?.editor && question() && !state.next && !state.peek);
/** @type {Words} */
const NO_WORDS = { records: [], variables: [], predicates: [] };
/** What the canvas shows: the drawing, or what became of it on its way. */
export function onCanvas() {
  const q = question(), { peek, zoom } = state;
  if (peek) return { words: peek.words, drawing: peek.drawing, zoom };
  return { words: q?.words ?? NO_WORDS, drawing: q ? state.drawing : { nodes: [], edges: [] }, zoom };
}
/** @param {Reply['text']} text @param {Reply['tone']} [tone] @param {Reply['action']} [action] */
export function reply(text, tone = '', action) { state.reply = { text, tone, action }; refresh(); }

/** Selects something. @param {Selection} next */
export function select(next) {
  state.selection = next;
  if (next.kind === 'edge') state.field = next.field;
  refresh();
}

/** Drops what is no longer there. */
function settle() {
  const { selection, drawing } = state;
  if (selection.kind === 'node' && !node(drawing, selection.id)) state.selection = { kind: 'none' };
  if (selection.kind === 'edge' && !edge(drawing, selection)) state.selection = { kind: 'none' };
  if (state.meaningOf && !node(drawing, state.meaningOf)?.summary) state.meaningOf = null;
}

/**
 * One step that can be undone. The edit changes the drawing and says what it did; `null` changes nothing.
 * @param {(d: Drawing) => string[] | null} edit
 * @returns {string[] | null}
 */
export function act(edit) {
  if (!editable()) return null;
  const before = JSON.stringify(state.drawing);
  const said = edit(state.drawing);
  if (!said) return null;
  if (JSON.stringify(state.drawing) !== before) {
    mark(JSON.parse(before), said);
    remember(before);
  }
  settle();
  refresh();
  state.pulses = new Set();
  return said;
}

/** Notes a drawing that can be gone back to. @param {string} before */
export function remember(before) {
  state.past.push(before);
  if (state.past.length > MOST_UNDO) state.past.shift();
  state.future = [];
  state.reply = { text: '', tone: '' };
  keep();
  happened('edit');
}

/** What else an edit has changed is marked for a moment. @param {Drawing} before @param {string[]} said */
function mark(before, said) {
  state.pulses = new Set();
  if (said.length < 2) return;
  for (const n of state.drawing.nodes) {
    const old = node(before, n.id);
    if (old && JSON.stringify(old.variables) !== JSON.stringify(n.variables)) state.pulses.add(n.id);
  }
  for (const e of state.drawing.edges) {
    const old = edge(before, e);
    if (old && old.value !== e.value) state.pulses.add(`${e.from} ${e.field} ${e.to}`);
  }
}

/** @param {string[]} from @param {string[]} to */
function travel(from, to) {
  const last = from.pop();
  if (last === undefined || !editable()) return false;
  to.push(JSON.stringify(state.drawing));
  state.drawing = JSON.parse(last);
  settle();
  keep();
  happened('edit');
  refresh();
  return true;
}
export const undo = () => travel(state.past, state.future);
export const redo = () => travel(state.future, state.past);

/** The same text for the same drawing, whoever wrote it. @param {Drawing} d */
const canonical = d => JSON.stringify(d, (_, v) => (v && typeof v === 'object' && !Array.isArray(v) ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1))) : v));

// The history survives a reload of this tab; the drawing itself is saved by the server.
const place = () => `trellis-history ${state.desk?.level} ${question()?.id}`;
let keeping = 0;
function keep() { clearTimeout(keeping); keeping = window.setTimeout(keepNow, 300); }
window.addEventListener('pagehide', () => { if (keeping) keepNow(); });
function keepNow() {
  keeping = 0;
  try {
    sessionStorage.setItem(place(), JSON.stringify({ at: canonical(state.drawing), past: state.past.slice(-60), future: state.future.slice(-60) }));
  } catch { /* no room: the history is shorter after a reload */ }
}
function recall() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place()) ?? 'null');
    if (kept?.at === canonical(state.drawing)) return { past: kept.past, future: kept.future };
  } catch { /* another page wrote it */ }
  return { past: [], future: [] };
}

// What could not be sent stays in the browser, and is offered when this question is opened again.
const unsentAt = () => `trellis-unsent ${state.desk?.view.program.file} ${state.desk?.level} ${question()?.id}`;
/** @param {boolean} kept */
export function keepUnsent(kept) {
  try {
    if (kept) localStorage.setItem(unsentAt(), JSON.stringify(state.drawing)); else localStorage.removeItem(unsentAt());
  } catch { /* no room: it is still on the screen */ }
}
/** A drawing that could not be sent, if it is another one than that on the screen. @returns {Drawing | null} */
export function unsent() {
  try {
    const kept = JSON.parse(localStorage.getItem(unsentAt()) ?? 'null');
    return kept && canonical(kept) !== canonical(state.drawing) ? kept : null;
  } catch { return null; }
}

/**
 * Shows a desk. The drawing stays if the question does.
 * @param {Desk} desk @param {(d: Drawing) => Drawing} arrange
 */
export function show(desk, arrange) {
  const before = question(), beforeLevel = state.desk?.level;
  const wasEditor = state.desk?.editor;
  state.desk = desk;
  state.next = null;
  const now = question();
  const stays = before && now && before.id === now.id && beforeLevel === desk.level && (wasEditor || !desk.draft);
  if (!stays) {
    state.drawing = arrange(structuredClone(desk.draft ?? now?.start ?? { nodes: [], edges: [] }));
    const { past, future } = recall();
    Object.assign(state, { past, future, selection: { kind: 'none' }, linking: null, comparison: null, hot: null, pinned: null, meaningOf: null });
    state.field = now?.words.records[0]?.fields[0] ?? '';
    state.saved = 'saved';
  }
  happened('question');
  refresh();
}

/** Result of an example. @param {string} name @returns {Fit | undefined} */
export const fit = name => state.comparison?.fits.find(f => f.example === name);

/** How an example stands. @param {string} name @returns {Tone} */
export function tone(name) {
  const f = fit(name), q = question();
  if (!f || !q) return 'wait';
  const implied = q.implications.find(i => i.name === name.split('.')[0]);
  if (implied) {
    const before = fit(`${implied.name}.before`), after = fit(`${implied.name}.after`);
    return before?.fits && !after?.fits ? 'bad' : 'ok';
  }
  const negative = q.negatives.some(e => e.name === name);
  if (negative) return f.fits ? 'bad' : 'ok';
  return f.fits ? 'ok' : 'miss';
}

/** How many examples are right. */
export function progress() {
  const q = question();
  if (!q) return { positives: 0, matched: 0, negatives: 0, wrong: 0, broken: 0, left: 0, known: false };
  const matched = q.positives.filter(e => tone(e.name) === 'ok').length;
  const wrong = q.negatives.filter(e => tone(e.name) === 'bad').length;
  const broken = q.implications.filter(i => tone(`${i.name}.before`) === 'bad').length;
  const left = q.positives.length - matched + wrong + broken;
  return { positives: q.positives.length, matched, negatives: q.negatives.length, wrong, broken, left, known: state.comparison !== null };
}

/** The same as a sentence. */
export function progressText() {
  const p = progress();
  if (!p.known) return state.online ? 'Comparing with the examples' : 'Not compared without a connection';
  const parts = [`${p.matched} of ${p.positives} ${p.positives === 1 ? 'positive' : 'positives'} matched`];
  if (p.negatives || p.wrong) parts.push(`${p.wrong} ${p.wrong === 1 ? 'negative' : 'negatives'} wrongly matched`);
  if (p.broken) parts.push(`${p.broken} ${p.broken === 1 ? 'pair' : 'pairs'} broken`);
  return parts.join(', ');
}
