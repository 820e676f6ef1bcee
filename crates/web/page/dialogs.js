// The top bar and what opens from it: levels, export, theme, keys; the bar of a tab that only watches.

import { $, button, h, icon, say } from './dom.js';
import { failed, put } from './live.js';
import * as net from './net.js';
import { openRun } from './run.js';
import { startTour } from './tour.js';
import { question, state, watch } from './state.js';

/** The end that is shown. */
let ended = '';
const dialog = (/** @type {string} */ id) => /** @type {HTMLDialogElement} */ ($(id));

export function startDialogs() {
  for (const id of ['keys', 'levels', 'more']) $(`${id}-x`).addEventListener('click', () => dialog(id).close());
  $('help').addEventListener('click', () => dialog('keys').showModal());
  $('level').addEventListener('click', openLevels);
  $('file').addEventListener('click', () => dialog('more').showModal());
  $('save-picture').addEventListener('click', picture);
  $('again').addEventListener('click', async () => {
    const level = state.desk?.level;
    if (!level) return;
    try { put(await net.restart(level)); dialog('more').close(); say('The game begins again. The old one is kept beside it.'); } catch (e) { dialog('more').close(); failed(e); }
  });
  $('tour-again').addEventListener('click', () => { dialog('more').close(); startTour(true); });
  $('take').addEventListener('click', async () => { try { put(await net.take()); say('You are playing in this tab now.'); } catch (e) { failed(e); } });
  theme();
  watch(render);
}

function render() {
  const desk = state.desk;
  if (!desk) return;
  const q = question();
  $('crumb-level').textContent = desk.view.title;
  $('crumb-question').textContent = q ? `Question ${q.number}` : desk.view.state === 'verified' ? 'Verified' : desk.view.state === 'violated' ? 'Violated' : 'Over';
  document.title = `Trellis: ${desk.view.title}${q ? `, line ${q.line}` : ''}`;
  $('watching').hidden = desk.editor;
  document.body.classList.toggle('readonly', !desk.editor);
  $('over').hidden = Boolean(q);
  const over = q ? '' : JSON.stringify([desk.level, desk.view.state, desk.view.sentence]);
  if (over && over !== ended) {
    const good = desk.view.state === 'verified';
    $('over').className = `over ${good ? 'good' : 'bad'}`;
    $('over').replaceChildren(icon(good ? 's-ok' : 's-bad'), h('h2', {}, good ? 'Verified' : desk.view.state === 'violated' ? 'The program is wrong' : 'No more questions'), h('p', {}, desk.view.sentence), desk.view.run.length ? button('Show the run', 'btn', () => { openRun('From the beginning to the failed check', desk.view.run, 'Here the check fails.'); }, icon('i-run')) : '', button('Play another level', 'btn primary', openLevels));
  }
  ended = over;
  $('blank').hidden = !q || state.drawing.nodes.some(n => n.kind === 'cells') || !desk.editor;
}

export function openLevels() {
  const desk = state.desk;
  if (!desk) return;
  $('levellist').replaceChildren(...desk.levels.map(l => {
    const here = l.id === desk.level;
    const b = button('', 'levelcard', async () => { try { put(await net.level(l.id)); dialog('levels').close(); say(`Level ${l.title}`); if (l.tour) startTour(false); } catch (e) { dialog('levels').close(); failed(e); } });
    b.append(h('b', {}, l.title), here ? h('span', { class: 'new' }, 'you are here') : '', h('span', { class: 'sub' }, l.sentence));
    b.setAttribute('aria-current', String(here));
    return h('li', {}, b);
  }));
  dialog('levels').showModal();
}

/** The pattern as an SVG file, with the colours that are on the screen. */
function picture() {
  const copy = /** @type {SVGElement} */ ($('svg').cloneNode(true));
  const from = [...$('svg').querySelectorAll('*')], to = [...copy.querySelectorAll('*')];
  const keep = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size', 'font-weight', 'opacity'];
  from.forEach((e, i) => { const style = getComputedStyle(e); for (const k of keep) to[i].setAttribute(k, style.getPropertyValue(k)); });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const url = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: 'image/svg+xml' }));
  const a = h('a', { href: url, download: `${state.desk?.level ?? 'pattern'}.svg` });
  a.click();
  URL.revokeObjectURL(url);
  dialog('more').close();
}

function theme() {
  const root = document.documentElement, dark = () => root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  const kept = localStorage.getItem('trellis-theme');
  if (kept === 'dark' || kept === 'light') root.dataset.theme = kept;
  const tell = () => { $('theme-text').textContent = dark() ? 'Light' : 'Dark'; };
  $('theme').addEventListener('click', () => { root.dataset.theme = dark() ? 'light' : 'dark'; localStorage.setItem('trellis-theme', root.dataset.theme); tell(); });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', tell);
  tell();
}
