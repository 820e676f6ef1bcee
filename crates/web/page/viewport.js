// Which part of the paper is in sight. Known without asking the document: whoever asks it in the middle of a
// rendering makes it lay everything out at once.

import { $ } from './dom.js';

/** Size of the canvas and how far it is scrolled, in pixels of the screen. */
export const view = { width: 0, height: 0, left: 0, top: 0 };

/** @param {() => void} changed what to do when the size has changed */
export function startViewport(changed) {
  const c = $('canvas');
  c.addEventListener('scroll', () => { view.left = c.scrollLeft; view.top = c.scrollTop; }, { passive: true });
  new ResizeObserver(([entry]) => {
    view.width = entry.contentRect.width;
    view.height = entry.contentRect.height;
    changed();
  }).observe(c);
}

/** Scrolls the paper. @param {number} left @param {number} top */
export function scrollTo(left, top) {
  const c = $('canvas');
  if (left !== view.left) c.scrollLeft = left;
  if (top !== view.top) c.scrollTop = top;
  view.left = c.scrollLeft;
  view.top = c.scrollTop;
}
