// Below: how far the examples are, what the verifier says, hint and submit.

import { $, button, h, icon, say } from './dom.js';
import { goTo } from './galleries.js';
import { upper } from './highlight.js';
import { failed, put } from './live.js';
import * as net from './net.js';
import { openLevels } from './dialogs.js';
import { arrange } from './layout.js';
import { act } from './edit.js';
import { peek } from './peek.js';
import { editable, progress, progressText, question, refresh, reply, select, state, tone, watch } from './state.js';

/** @import { Judged } from './types.js' */

let ticking = 0, metered = '';

export function startDock() {
  $('submit').addEventListener('click', () => submit());
  $('hint').addEventListener('click', () => hint());
  watch(render);
}

/** Sends the pattern; if an example is wrong, goes there instead. */
export async function submit() {
  const q = question();
  if (state.next) { const desk = state.next; state.reply = { text: '', tone: '' }; put(desk); say('The next question.'); return; }
  if (!q && state.desk?.view.state !== 'asking') { openLevels(); return; }
  if (!q || !editable() || state.judging) return;
  const p = progress();
  if (!p.known) { reply('The examples are still being compared.'); return; }
  if (p.left) {
    const names = [...q.positives, ...q.negatives].map(e => e.name).concat(q.implications.map(i => `${i.name}.before`));
    const first = names.find(n => tone(n) === 'miss' || tone(n) === 'bad');
    if (first) goTo(first);
    reply(`${upper(progressText())}. This one is not right yet.`);
    return;
  }
  state.judging = performance.now();
  state.fresh = null;
  reply('The verifier is looking at your pattern.');
  ticking = window.setInterval(refresh, 500);
  try { judged(await net.submit(q.id, state.drawing)); } catch (e) { state.judging = 0; failed(e); }
  clearInterval(ticking);
  state.judging = 0;
  refresh();
}

/** @param {Judged} result */
function judged({ answer, desk }) {
  state.judging = 0;
  if (answer.kind === 'accepted' || answer.kind === 'verified') {
    // The old question stays on the screen until the person goes on; the tree is the new one.
    if (state.desk) state.desk.view.tree = desk.view.tree;
    state.next = desk;
    reply(answer.sentence, 'good');
    $('submit').focus();
    return;
  }
  put(desk);
  const example = answer.example;
  if (example) {
    state.fresh = example;
    refresh();
    goTo(answer.kind === 'implication' ? `${example}.before` : example);
  }
  const trouble = answer.trouble;
  reply(answer.sentence, answer.kind === 'undecided' ? '' : 'bad', trouble ? { text: 'Show where', run: () => peek(trouble) } : undefined);
}

export async function hint() {
  const q = question();
  if (!q || !editable()) return;
  const slow = window.setTimeout(() => reply('The automatic player is looking at it. You can go on drawing.'), 400);
  try {
    const advice = await net.hint(q.id, state.drawing);
    clearTimeout(slow);
    if (question()?.id !== q.id) return;
    if (advice.example) goTo(advice.example);
    else if (advice.node) select({ kind: 'node', id: advice.node });
    const drawing = advice.drawing;
    reply(advice.sentence, '', drawing ? {
      text: 'Use this pattern',
      run: () => { act(d => { const next = arrange(q.words, structuredClone(drawing)); d.nodes = next.nodes; d.edges = next.edges; return ['The suggested pattern is drawn; undo brings yours back']; }); reply('The suggested pattern is drawn. Undo brings yours back.'); },
    } : undefined);
    say(advice.sentence);
  } catch (e) { clearTimeout(slow); failed(e); }
}

function render() {
  const q = question(), p = progress(), over = !q && state.desk !== null;
  const meter = q ? JSON.stringify([q.id, [...q.positives, ...q.negatives].map(e => tone(e.name)), q.implications.map(i => tone(`${i.name}.before`)), state.next?.view.state]) : '';
  if (meter !== metered) { metered = meter; $('meter').replaceChildren(...marks()); }
  const text = over ? '' : progressText();
  if ($('ptext').textContent !== text) $('ptext').textContent = text;
  replyBox();
  const next = $('reply').childNodes.length || !editable() ? '' : guidance();
  if ($('todo').textContent !== next) $('todo').textContent = next;
  const b = $('submit'), waiting = state.judging > 0;
  const label = state.next ? (state.next.view.question ? 'Next question' : 'Finish') : over ? 'Levels' : waiting ? 'Checking…' : p.left ? `Submit (${p.left} to fix)` : 'Submit pattern';
  if (b.textContent !== label) b.textContent = label;
  b.setAttribute('aria-disabled', String(!state.next && !over && (waiting || p.left > 0 || !p.known || !editable() || !state.online)));
  $('hint').hidden = over || Boolean(state.next);
  saved();
}

/** What to do next, in one sentence. */
function guidance() {
  const q = question();
  if (!q || !progress().known) return '';
  const missed = q.positives.find(e => tone(e.name) === 'miss'), wrong = q.negatives.find(e => tone(e.name) === 'bad'), broken = q.implications.some(i => tone(`${i.name}.before`) === 'bad');
  if (missed) return `Heap ${missed.name} does not fit yet. Point at it to see where.`;
  if (wrong) return `Heap ${wrong.name} must stay out. Point at it to see which maybe lets it in.`;
  if (broken) return 'A heap fits, but not what the program makes of it. Point at the pair.';
  return 'All is right so far. Submit: the verifier looks for a heap that you have not seen.';
}

/** One mark an example. */
function marks() {
  const q = question();
  if (!q || state.next?.view.state === 'verified') return [];
  const mark = (/** @type {string} */ name, /** @type {boolean} */ negative) => {
    const how = tone(name);
    return h('i', { class: how }, icon(how === 'wait' ? 's-wait' : how === 'miss' ? 's-miss' : how === 'bad' ? 's-bad' : negative ? 's-out' : 's-ok'));
  };
  const many = q.positives.length + q.negatives.length > 16;
  if (many) return [];
  return [...q.positives.map(e => mark(e.name, false)), ...(q.negatives.length + q.implications.length ? [h('hr')] : []), ...q.negatives.map(e => mark(e.name, true)), ...q.implications.map(i => mark(`${i.name}.before`, true))];
}

let replied = '';
function replyBox() {
  const seconds = state.judging ? Math.floor((performance.now() - state.judging) / 1000) : 0;
  let { text, tone: how, action } = state.reply;
  if (state.judging && seconds >= 2) { text = `The verifier is looking at your pattern: ${seconds} s. You can go on drawing.`; action = { text: 'Stop', run: () => { net.cancel().catch(failed); } }; }
  if (!state.online) {
    text = state.moved ? 'Trellis runs again under a new address. Open that one: your game is there.' : 'The connection is lost. You can go on drawing: it is sent when trellis oracle runs again.';
    how = 'bad';
    action = undefined;
  }
  const key = JSON.stringify([text, how, action?.text]);
  if (key === replied) return;
  replied = key;
  $('reply').className = `reply ${how}`;
  $('reply').replaceChildren(...(text ? [h('span', {}, text)] : []), ...(action ? [button(action.text, 'btn small', action.run)] : []));
}

function saved() {
  const text = !state.desk?.editor ? 'Watching' : !state.online ? 'Not sent yet' : state.saved === 'saved' ? 'Saved' : state.saved === 'saving' ? 'Saving' : 'Not sent yet';
  const box = $('saved');
  if (box.dataset.text === text) return;
  box.dataset.text = text;
  box.replaceChildren(icon(text === 'Saved' ? 'i-check' : text === 'Watching' ? 'i-eye' : 's-wait'), h('span', {}, text));
}
