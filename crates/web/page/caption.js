// The sentence on the canvas: how an example fits, what a rule changed, what to do next.

import { $, h, icon } from './dom.js';
import { reason } from './highlight.js';
import { question, state, tone } from './state.js';

let timer = 0;

/** @param {'ok' | 'miss' | 'bad' | 'hint'} [cls] @param {string} [lead] @param {string} [text] @param {number} [ms] how long, if not until something else happens */
export function caption(cls, lead = '', text = '', ms = 0) {
  clearTimeout(timer);
  const box = $('caption');
  box.hidden = !cls;
  if (!cls) return;
  const mark = { ok: 's-ok', miss: 's-miss', bad: 's-bad', hint: 'i-hint' }[cls];
  box.className = `caption ${cls}`;
  box.replaceChildren(icon(mark), h('p', {}, h('b', {}, lead), ' ', text));
  if (ms) timer = window.setTimeout(() => { box.hidden = true; }, ms);
}

/** Says how the lit example fits. */
export function captionOfExample() {
  const name = state.hot;
  if (!name) { if (!state.linking) caption(); return; }
  const how = tone(name), q = question();
  if (how === 'wait' || !q) return;
  const negative = q.negatives.some(e => e.name === name);
  const state_ = name.includes('.') ? '' : how === 'miss' ? 'not matched' : how === 'bad' ? 'wrongly matched' : negative ? 'kept out' : 'matched';
  const label = name.includes('.') ? (how === 'bad' ? 'The pair is broken.' : 'The pair is kept.') : `Heap ${name} ${state_}.`;
  caption(how, label, reason(name));
}
