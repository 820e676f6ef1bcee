// The pattern as a plain list: the same content without a picture.

import { $, h } from './dom.js';
import { describe } from './canvas.js';
import { onCanvas, watch } from './state.js';

export function startText() {
  watch(() => {
    const { words, drawing } = onCanvas(), list = $('astext');
    const lines = drawing.nodes.map(n => describe(words, drawing, n));
    if ([...list.children].map(c => c.textContent).join('\n') !== lines.join('\n')) list.replaceChildren(...lines.map(text => h('li', {}, text)));
  });
}
