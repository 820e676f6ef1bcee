// A server, a browser, and the moves of a person.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** The commands come from the Rust test that starts us: words with FOLDER, LEVEL and PORT in their places. */
const COMMAND = JSON.parse(process.env.TRELLIS_GAME_SERVER ?? '[]');
const SHOTS = process.env.TRELLIS_GAME_SHOTS;

export const folder = () => mkdtempSync(join(tmpdir(), 'trellis-game-'));

/** Starts a server and waits for its address. */
export async function serve({ level = 'alt_list', saves = folder(), port = 0, command = COMMAND } = {}) {
  const words = command.map(w => w.replace('FOLDER', saves).replace('LEVEL', level).replace('PORT', String(port)));
  const child = spawn(words[0], words.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', d => { errors += d; });
  const url = await new Promise((done, fail) => {
    let out = '';
    child.stdout.on('data', d => { out += d; const found = /http:\S+\//.exec(out); if (found) done(found[0]); });
    child.on('exit', code => fail(new Error(`the server ended with ${code}: ${errors}`)));
  });
  servers.add(child);
  child.on('exit', () => servers.delete(child));
  const ended = new Promise(done => child.on('exit', (code, signal) => done({ code, signal })));
  return { url, saves, port: Number(new URL(url).port), child, end: async (signal = 'SIGKILL') => { child.kill(signal); return ended; } };
}

let browser;
/** Servers that a failed test left behind would keep the run from ending. */
const servers = new Set();
export async function context(options = {}) {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
  const made = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce', ...options });
  made.setDefaultTimeout(20000);
  return made;
}
export async function closeAll() {
  for (const child of servers) child.kill('SIGKILL');
  await browser?.close();
}

/** A page that fails the test if a script fails or something is refused by the policy. */
export async function open(where, url) {
  const page = await where.newPage();
  page.problems = [];
  page.on('pageerror', e => page.problems.push(e.message));
  page.on('console', m => { if (m.type() === 'error' && !/ERR_CONNECTION|ERR_INCOMPLETE|Failed to load resource/.test(m.text())) page.problems.push(m.text()); });
  await page.goto(url);
  await page.waitForSelector('body:not(.loading)');
  await settled(page);
  return page;
}

/** The examples are compared and the drawing is saved. */
export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector('.card.wait') && document.getElementById('saved').dataset.text !== 'Saving');
}

export async function shot(page, name) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: name.includes('narrow') });
}

/** Where every node is, to the pixel. */
export const positions = page => page.$$eval('[data-node]', all => Object.fromEntries(all.map(e => { const r = e.querySelector('.body').getBoundingClientRect(); return [e.dataset.node, [r.x, r.y, r.width, r.height]]; })));

/** Does something; every node that was there before is where it was. */
export async function still(page, what) {
  const before = await positions(page);
  await what();
  await settled(page);
  const after = await positions(page);
  for (const id of Object.keys(before)) if (after[id]) assert.deepEqual(after[id], before[id], `${id} has moved`);
  return Object.keys(after).filter(id => !before[id]);
}

export const words = page => page.textContent('#ptext');
export const status = (page, name) => page.textContent(`[data-example="${name}"] .how`);
export async function replied(page, text) {
  await page.waitForFunction(t => document.getElementById('reply').textContent.includes(t), text);
  await settled(page);
}

/** Drags from the dot of a field to a node, or to a place on the canvas. */
export async function dragEdge(page, from, to, field = 'next') {
  const middle = (selector) => page.$eval(selector, e => { const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; });
  const [sx, sy] = await middle(`[data-node="${from}"] circle[data-port="${field}"]`);
  const [x, y] = typeof to === 'string' ? await middle(`[data-node="${to}"] .body`) : to;
  await page.mouse.move(sx, sy);
  await page.mouse.down();
  await page.mouse.move((sx + x) / 2, (sy + y) / 2, { steps: 3 });
  await page.mouse.move(x, y, { steps: 3 });
  await page.mouse.up();
}

/** Alternation, drawn by mouse on what alt_list starts from: n2 without its loop, a summary n3 between. */
export async function alternate(page) {
  await still(page, () => dragEdge(page, 'n1', 'null'));
  await page.mouse.move(600, 8);
  await still(page, () => clickWord(page, 'n2', 'on'));
  await still(page, () => clickWord(page, 'n2', 'on'));
  await still(page, async () => { await clickEdge(page, 'n2', 'n2'); await page.click('#tool-delete'); });
  const canvas = await page.locator('#canvas').boundingBox();
  const made = await still(page, () => dragEdge(page, 'n2', [canvas.x + 250, canvas.y + 90]));
  assert.deepEqual(made, ['n3']);
  await still(page, () => page.click('#tool-summary'));
  await still(page, () => clickWord(page, 'n3', 'on'));
  await still(page, () => clickWord(page, 'n3', 'shared'));
  await still(page, () => page.click('label:has(#c-y-2-maybe)'));
  await still(page, () => dragEdge(page, 'n3', 'n2'));
  await still(page, () => dragEdge(page, 'n3', 'null'));
}

/** Clicks an edge on its line. */
export async function clickEdge(page, from, to, field = 'next') {
  const [x, y] = await page.$eval(`[data-from="${from}"][data-field="${field}"][data-to="${to}"] .hit`, p => {
    const at = p.getPointAtLength(p.getTotalLength() * .6), m = p.getScreenCTM();
    return [at.x * m.a + m.e, at.y * m.d + m.f];
  });
  await page.mouse.click(x, y);
}

export async function clickWord(page, node, word) {
  await page.click(`[data-node="${node}"] .chip[data-word="${word}"]`);
}

/** How long after an edit the screen shows what it means: words, edges and kinds of nodes, in turn. */
export async function feedback(page, node, word, times = 40) {
  await page.evaluate(() => performance.clearMeasures());
  await page.click(`[data-node="${node}"] .name`);
  for (let i = 0; i < times; i++) {
    if (i % 3 === 0) await clickWord(page, node, word);
    else await page.keyboard.press(i % 3 === 1 ? 's' : 'r');
    await settled(page);
  }
  const all = await page.evaluate(() => performance.getEntriesByType('measure').map(m => m.duration).sort((a, b) => a - b));
  assert.ok(all.length >= times / 2, `${all.length} measured`);
  const at = share => all[Math.min(all.length - 1, Math.floor(all.length * share))].toFixed(0);
  return `median ${at(.5)} ms, 95th percentile ${at(.95)} ms, longest ${at(1)} ms, ${all.length} edits`;
}
