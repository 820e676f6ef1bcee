// Usual rules of accessibility, both themes, all states; 400 % zoom; how fast feedback is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from './axe.mjs';
import { context, dragEdge, feedback, open, replied, serve, settled, shot } from './harness.mjs';

for (const colorScheme of ['light', 'dark']) {
  test(`no violation of the usual rules, ${colorScheme}`, async () => {
    const server = await serve(), tabs = await context({ colorScheme }), page = await open(tabs, server.url);
    await check(page, 'start');
    await shot(page, `51-${colorScheme}`);
    await page.hover('[data-example="1"]');
    await check(page, 'a heap that does not fit');
    await page.mouse.move(600, 8);
    await page.click('[data-node="n2"] .name');
    await check(page, 'a node selected');
    await page.click('[data-badge="n2"]');
    await page.waitForSelector('#pop:not([hidden])');
    await check(page, 'what a summary stands for');
    await page.keyboard.press('Escape');
    await dragEdge(page, 'n1', 'null');
    await settled(page);
    await page.click('#submit');
    await replied(page, 'Heap A fits');
    await check(page, 'a heap that must not fit');
    await page.click('#tree summary');
    await page.click('details.astext summary');
    await check(page, 'tree and text');
    await shot(page, `52-${colorScheme}-tree`);
    for (const [button, dialog] of [['#help', '#keys'], ['#level', '#levels'], ['#file', '#more']]) {
      await page.click(button);
      await page.waitForSelector(`${dialog}[open]`);
      await check(page, dialog);
      await shot(page, `53-${colorScheme}-${dialog.slice(1)}`);
      await page.keyboard.press('Escape');
    }
    assert.deepEqual(page.problems, []);
    await tabs.close();
    await server.end();
  });
}

test('at 400 % zoom the page never scrolls sideways', async () => {
  for (const level of ['alt_list', 'doubly', 'first_steps']) {
    const server = await serve({ level }), tabs = await context({ viewport: { width: 320, height: 640 } }), page = await open(tabs, server.url);
    const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
    assert.ok(wide <= 320, `${level}: ${wide} px`);
    await check(page, `${level} at 320 px`);
    await shot(page, `54-narrow-${level}`);
    await tabs.close();
    await server.end();
  }
});

test('feedback for twelve nodes and twenty heaps', async t => {
  const server = await serve({ level: 'large' }), tabs = await context(), page = await open(tabs, server.url);
  assert.equal(await page.locator('[data-node]').count(), 12);
  assert.equal(await page.locator('.card').count(), 20);
  t.diagnostic(`feedback on the screen: ${await feedback(page, 'n2', 'on')}`);
  await tabs.close();
  await server.end();
});
