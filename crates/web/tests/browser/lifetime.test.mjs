// Reload, two tabs, a server that is killed.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, truncateSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { context, dragEdge, open, positions, replied, serve, settled, shot, status, words } from './harness.mjs';

test('a reload in the middle loses nothing', async () => {
  const server = await serve(), tabs = await context(), page = await open(tabs, server.url);
  await dragEdge(page, 'n1', 'null');
  await settled(page);
  await page.click('#submit');
  await replied(page, 'Heap A fits');
  await page.click('[data-node="n2"] .chip[data-word="on"]');
  await settled(page);
  const before = await positions(page);
  await page.reload();
  await page.waitForSelector('body:not(.loading)');
  await settled(page);
  assert.deepEqual(await positions(page), before);
  assert.match(await page.getAttribute('[data-node="n2"]', 'aria-label'), /on true/);
  assert.equal(await page.locator('[data-example="A"]').count(), 1);
  assert.equal(await page.isVisible('#watching'), false);
  // Even what can be undone.
  await page.keyboard.press('Control+z');
  assert.match(await page.getAttribute('[data-node="n2"]', 'aria-label'), /on maybe/);
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end();
});

test('two tabs do not corrupt a game', async () => {
  const server = await serve(), tabs = await context();
  const first = await open(tabs, server.url), second = await open(tabs, server.url);
  await second.waitForSelector('#watching:not([hidden])');
  await shot(second, '41-watching');
  assert.equal(await first.isVisible('#watching'), false);
  // The second tab cannot change anything.
  const node = '[data-node="n2"]';
  await second.click(`${node} .name`);
  await second.keyboard.press('Backspace');
  assert.equal(await second.locator(node).count(), 1);
  await dragEdge(first, 'n1', 'null');
  await settled(first);
  // It asks to take over; then the first one only watches, with its last drawing safe.
  await second.click('#take');
  await second.waitForSelector('#watching', { state: 'hidden' });
  await first.waitForSelector('#watching:not([hidden])');
  assert.equal(await second.locator('[data-from="n1"][data-to="null"]').count(), 1);
  await first.click(`${node} .name`);
  await first.keyboard.press('Backspace');
  assert.equal(await first.locator(node).count(), 1);
  await second.click('#submit');
  await replied(second, 'Heap A fits');
  await first.waitForSelector('[data-example="A"]');
  assert.deepEqual([...first.problems, ...second.problems], []);
  await tabs.close();
  await server.end();
});

test('a killed server resumes the game', async () => {
  const server = await serve(), tabs = await context(), page = await open(tabs, server.url);
  await dragEdge(page, 'n1', 'null');
  await settled(page);
  await page.click('#submit');
  await replied(page, 'Heap A fits');
  await page.click('[data-node="n2"] .chip[data-word="on"]');
  await settled(page);
  const before = await positions(page);
  await server.end('SIGKILL');
  await page.waitForFunction(() => document.getElementById('reply').textContent.includes('connection'));
  assert.equal(await page.textContent('#saved'), 'Not sent yet');
  await shot(page, '42-lost');
  // The drawing goes on while the server is away.
  await page.click('[data-node="n2"] .chip[data-word="on"]');
  assert.match(await page.getAttribute('[data-node="n2"]', 'aria-label'), /on false/);
  // Nothing is said of a drawing that was not compared.
  await page.waitForFunction(() => document.getElementById('ptext').textContent.includes('Not compared'));

  // A line that was cut off by the crash is left out.
  const file = join(server.saves, readdirSync(server.saves).find(f => f.endsWith('.game')));
  const lines = readFileSync(file, 'utf8').split('\n').length;
  truncateSync(file, statSync(file).size - 7);
  const next = await serve({ saves: server.saves, port: server.port });
  assert.notEqual(next.url, server.url, 'every session has a token of its own');
  assert.ok(lines > 3);
  // The tab that is still open says where to go.
  await page.waitForFunction(() => document.getElementById('reply').textContent.includes('new address'));
  await shot(page, '43-moved');
  const again = await open(tabs, next.url);
  assert.equal(await again.locator('[data-example="A"]').count(), 1);
  assert.equal(await status(again, 'A'), 'wrongly matched');
  assert.equal(await words(again), '4 of 4 positives matched, 1 negative wrongly matched');
  for (const [id, box] of Object.entries(await positions(again))) assert.deepEqual(box, before[id]);
  // What could not be sent is offered.
  assert.doesNotMatch(await again.getAttribute('[data-node="n2"]', 'aria-label'), /on false/);
  await again.click('#reply >> text=Take that drawing');
  await settled(again);
  assert.match(await again.getAttribute('[data-node="n2"]', 'aria-label'), /on false/);
  await again.keyboard.press('Control+z');
  assert.doesNotMatch(await again.getAttribute('[data-node="n2"]', 'aria-label'), /on false/);
  assert.deepEqual(again.problems, []);
  await tabs.close();
  await next.end();
});
