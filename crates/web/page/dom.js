// Making elements. Text is always text: nothing here parses markup.

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */
/** @typedef {globalThis.Node | string | null | undefined} Kid */

/** @param {Element} e @param {Attributes} attributes @param {(Kid | Kid[])[]} kids */
function fill(e, attributes, kids) {
  for (const [k, v] of Object.entries(attributes)) {
    if (v !== undefined && v !== null && v !== false) e.setAttribute(k, v === true ? '' : String(v));
  }
  for (const kid of kids.flat()) if (kid !== null && kid !== undefined) e.append(kid);
}

/**
 * An SVG element.
 * @param {string} tag @param {Attributes} [attributes] @param {...(Kid | Kid[])} kids @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...kids) {
  const e = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  fill(e, attributes, kids);
  return e;
}

/**
 * An HTML element.
 * @param {string} tag @param {Attributes} [attributes] @param {...(Kid | Kid[])} kids @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...kids) {
  const e = document.createElement(tag);
  fill(e, attributes, kids);
  return e;
}

/** The element of an id; it is in the document. @param {string} id @returns {HTMLElement} */
export function $(id) {
  const e = document.getElementById(id);
  if (!e) throw new Error(`no element ${id}`);
  return e;
}

/** @param {string} id */
export function icon(id) {
  return s('svg', { class: 'i', 'aria-hidden': 'true' }, s('use', { href: `#${id}` }));
}

/** A button that does something. @param {string} text @param {string} cls @param {() => void} act @param {Kid} [mark] */
export function button(text, cls, act, mark) {
  const b = h('button', { type: 'button', class: cls }, mark, text);
  b.addEventListener('click', act);
  return b;
}

/** Width of text in the monospaced face. @param {string} text @param {number} size */
export const mono = (text, size) => text.length * size * 0.602;

/** Tells a screen reader, politely. @param {string} text */
export function say(text) {
  const live = $('live');
  live.textContent = '';
  requestAnimationFrame(() => { live.textContent = text; });
}
