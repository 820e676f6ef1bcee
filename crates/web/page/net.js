// The server: one function a request. A tab has a name of its own, which survives a reload but not a copy of
// the tab, so that the server knows who edits.

/** @import { Comparison, Desk, Drawing, Hint, Judged, Meaning } from './types.js' */

/** What the server turned down. */
export class Refused extends Error {
  /** @param {string} kind @param {string} sentence */
  constructor(kind, sentence) { super(sentence); this.kind = kind; }
}
/** The server does not answer, or another session answers in its place. */
export class Lost extends Error {
  /** @param {string} why @param {boolean} [moved] */
  constructor(why, moved = false) { super(why); this.moved = moved; }
}

let tab = '';

/** Finds the name of this tab. */
export async function nameTab() {
  const made = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), b => b.toString(16).padStart(2, '0')).join('');
  tab = sessionStorage.getItem('trellis-tab') ?? made();
  // A copied tab brings the name of the other one; whoever holds the lock has it.
  const free = await new Promise(done => {
    if (!navigator.locks) return done(true);
    navigator.locks.request(`trellis-tab-${tab}`, { ifAvailable: true }, lock => {
      done(lock !== null);
      return lock === null ? undefined : new Promise(() => {});
    });
  });
  if (!free) tab = made();
  sessionStorage.setItem('trellis-tab', tab);
}

/** @param {string} path @param {RequestInit} [init] */
async function ask(path, init) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(`api/${path}`, { cache: 'no-store', ...init });
  } catch {
    throw new Lost('no connection');
  }
  if (response.ok) return response.json();
  if (response.status === 404 || response.status === 421) throw new Lost('another session', true);
  const said = await response.json().catch(() => null);
  throw new Refused(said?.error ?? 'internal', said?.sentence ?? `The server answered ${response.status}.`);
}

/** @param {string} path @param {object} body */
const post = (path, body) => ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ tab, ...body }) });

/** A drawing without what only the page knows. @param {Drawing} d @returns {Drawing} */
const plain = d => ({
  nodes: d.nodes.map(({ id, kind, record, summary, variables, words, x, y }) => ({ id, kind, record, summary, variables, words, x, y })),
  edges: d.edges.map(({ from, field, to, value }) => ({ from, field, to, value })),
});

/** @returns {Promise<Desk>} */
export const desk = () => ask(`desk?tab=${tab}`);
/** @returns {Promise<Desk>} */
export const take = () => post('take', {});
/** @param {string} question @param {Drawing} drawing @returns {Promise<Comparison>} */
export const compare = (question, drawing) => post('compare', { question, drawing: plain(drawing) });
/** @param {string} question @param {Drawing} drawing @param {string} node @returns {Promise<Meaning>} */
export const meaning = (question, drawing, node) => post('meaning', { question, drawing: plain(drawing), node });
/** @param {string} question @param {Drawing} drawing @returns {Promise<Hint>} */
export const hint = (question, drawing) => post('hint', { question, drawing: plain(drawing) });
/** @param {string} question @param {Drawing} drawing @returns {Promise<null>} */
export const draft = (question, drawing) => post('draft', { question, drawing: plain(drawing) });
/** @param {string} question @param {Drawing} drawing @returns {Promise<Judged>} */
export const submit = (question, drawing) => post('submit', { question, drawing: plain(drawing) });
/** @returns {Promise<null>} */
export const cancel = () => post('cancel', {});
/** @param {string} level @returns {Promise<Desk>} */
export const level = level => post('level', { level });
/** @param {string} level @returns {Promise<Desk>} */
export const restart = level => post('restart', { level });

/** Listens to what happens elsewhere. @param {() => void} changed @param {() => void} lost */
export function listen(changed, lost) {
  const source = new EventSource(`api/events?tab=${tab}`);
  source.addEventListener('changed', changed);
  source.addEventListener('bye', lost);
  source.addEventListener('error', () => {
    lost();
    // Closed for good: the browser does not try again by itself.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => listen(changed, lost), 2000);
  });
}
