// What goes on in the background: every edit is compared and saved; the latest one wins. When the server is
// away the drawing goes on, and is sent when it is back.

import { say } from './dom.js';
import { captionOfExample } from './caption.js';
import { arrange } from './layout.js';
import * as net from './net.js';
import { act, editable, follow, keepUnsent, progressText, question, refresh, reply, show, state, unsent } from './state.js';

/** @import { Desk, Drawing } from './types.js' */

let asked = 0, saving = 0, busy = false, again = false, lostAt = 0, since = 0;

/** @param {Desk} desk */
export const put = desk => show(desk, (/** @type {Drawing} */ d) => (desk.view.question ? arrange(desk.view.question.words, d) : d));

export async function startLive() {
  follow(what => {
    since ||= performance.now();
    compare();
    if (what === 'edit') { state.saved = 'saving'; clearTimeout(saving); saving = window.setTimeout(save, 200); }
  });
  await net.nameTab();
  put(await net.desk());
  offerUnsent();
  net.listen(changed, () => lost());
}

/** Compares the drawing as it is now; while an answer is under way only the last edit waits. */
async function compare() {
  const q = question();
  if (!q) return;
  if (busy) { again = true; return; }
  busy = true;
  const mine = ++asked, began = since, announce = progressText();
  since = 0;
  const slow = window.setTimeout(() => { state.comparing = true; refresh(); }, 300);
  try {
    const result = await net.compare(q.id, state.drawing);
    if (mine === asked && question()?.id === q.id) {
      state.comparison = result;
      refresh();
      captionIfLit();
      painted(began);
      if (announce !== progressText()) say(progressText());
    }
    back();
  } catch (e) {
    // What was true of an older drawing is not shown beside a newer one.
    if (e instanceof net.Lost && mine === asked) state.comparison = null;
    failed(e);
  }
  clearTimeout(slow);
  state.comparing = false;
  busy = false;
  if (again) { again = false; compare(); }
}

/** From an edit to the picture that shows what it means. @param {number} began */
function painted(began) {
  if (began) requestAnimationFrame(() => setTimeout(() => performance.measure('trellis-feedback', { start: began })));
}

function captionIfLit() { if (state.hot) captionOfExample(); }

async function save() {
  const q = question();
  if (!q || !state.desk?.editor || state.next) return;
  const text = JSON.stringify(state.drawing);
  try {
    await net.draft(q.id, state.drawing);
    keepUnsent(false);
    if (text === JSON.stringify(state.drawing)) state.saved = 'saved';
    back();
    refresh();
  } catch (e) { state.saved = 'unsaved'; if (e instanceof net.Lost) keepUnsent(true); failed(e); }
}

/** What was drawn while the server was away can be taken up again. */
function offerUnsent() {
  const drawing = unsent();
  if (!drawing || !editable()) return;
  reply('You went on drawing when the connection was lost.', '', { text: 'Take that drawing', run: () => {
    act(d => { d.nodes = drawing.nodes; d.edges = drawing.edges; return ['The drawing is taken; undo brings the other one back']; });
    reply('The drawing is taken. Undo brings the other one back.');
  } });
}

/** What went wrong, where the person sees it. @param {unknown} e */
export function failed(e) {
  if (e instanceof net.Lost) { lost(e.moved); return; }
  const kind = e instanceof net.Refused ? e.kind : '';
  if (kind === 'stale' || kind === 'read-only') { changed(); return; }
  reply(e instanceof Error ? e.message : String(e), 'bad');
}

/** The server is away, or runs again under another address. @param {boolean} [moved] */
function lost(moved = false) {
  state.moved ||= moved;
  state.saved = state.saved === 'saved' ? 'saved' : 'unsaved';
  if (!lostAt) {
    lostAt = window.setInterval(async () => { try { await net.desk(); back(); } catch (e) { if (e instanceof net.Lost && e.moved && !state.moved) lost(true); } }, 1500);
    state.online = false;
    say('The connection to trellis is lost. Your drawing is kept on this page.');
  }
  refresh();
}

/** The server is there again. */
function back() {
  if (!lostAt) return;
  clearInterval(lostAt);
  lostAt = 0;
  state.online = true;
  state.moved = false;
  say('Connected again.');
  if (state.saved !== 'saved') save();
  compare();
  changed();
}

/** Something happened elsewhere: another tab took over, or answered. */
async function changed() {
  try {
    const desk = await net.desk();
    back();
    const old = state.desk;
    if (state.judging || state.next) { if (old) old.editor = desk.editor; refresh(); return; }
    const same = old && old.editor === desk.editor && JSON.stringify(old.view) === JSON.stringify(desk.view) && old.level === desk.level;
    if (!same) put(desk);
  } catch (e) { if (e instanceof net.Lost) lost(e.moved); }
}
