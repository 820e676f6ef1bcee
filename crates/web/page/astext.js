// The pattern as a plain list: the same content without a picture.

import { $, h } from './dom.js';
import { describe } from './canvas.js';
import { question, state, watch } from './state.js';

export function startText() {
  watch(() => {
    const q = question(), list = $('astext');
    const lines = q ? state.drawing.nodes.map(n => describe(q.words, state.drawing, n)) : [];
    if ([...list.children].map(c => c.textContent).join('\n') !== lines.join('\n')) list.replaceChildren(...lines.map(text => h('li', {}, text)));
  });
}
