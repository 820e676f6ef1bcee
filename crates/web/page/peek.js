// What a pattern has become on its way, as the verifier sees it: shown on the canvas in place of the drawing,
// which is untouched.

import { $, button, h, icon, say } from './dom.js';
import { arrange } from './layout.js';
import { markLine } from './program.js';
import { question, refresh, state, watch } from './state.js';

/** @import { Trouble } from './types.js' */

let shown = '';

export function startPeek() { watch(render); }

/** @param {Trouble} trouble */
export function peek(trouble) {
  const q = question();
  if (!q) return;
  const words = { ...q.words, variables: trouble.variables };
  state.peek = { words, drawing: arrange(words, structuredClone(trouble.drawing)), sentence: trouble.sentence, line: trouble.line, of: q.id };
  Object.assign(state, { selection: { kind: 'none' }, hot: null, pinned: null, linking: null, meaningOf: null });
  refresh();
  $('peek').querySelector('button')?.focus();
  say(`${trouble.sentence} Nothing can be changed here.`);
}

export function endPeek() {
  if (!state.peek) return;
  state.peek = null;
  refresh();
  say('Your drawing is shown again.');
  /** @type {HTMLElement | null} */ (document.querySelector('#svg [tabindex="0"]'))?.focus({ preventScroll: true });
}

function render() {
  if (state.peek && state.peek.of !== question()?.id) state.peek = null;
  const now = state.peek, key = now ? `${now.of} ${now.sentence}` : '';
  if (key === shown) return;
  shown = key;
  $('peek').hidden = !now;
  document.body.classList.toggle('peeking', Boolean(now));
  markLine(now?.line ?? null, false);
  $('peek').replaceChildren(...(now ? [icon('i-eye'), h('p', {}, now.sentence), button('Back to my drawing', 'btn small', endPeek)] : []));
}
