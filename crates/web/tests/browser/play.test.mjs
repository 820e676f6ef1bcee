// Whole games, by mouse and by keyboard; a pattern that is too narrow and one that is too wide.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alternate, clickEdge, clickWord, context, dragEdge, open, positions, replied, serve, settled, shot, status, still, words } from './harness.mjs';

test('the whole game by mouse', async () => {
  const server = await serve(), tabs = await context(), page = await open(tabs, server.url);
  assert.match(await page.textContent('#q'), /each time it reaches line.8/);
  assert.equal(await status(page, '1'), 'not matched');
  await shot(page, '01-start');
  await page.hover('[data-example="1"]');
  assert.match(await page.textContent('#caption'), /Heap 1 not matched.*no edge next leads from n1 to null/);
  assert.equal(await page.textContent('.ghostlab'), 'no edge here');
  await shot(page, '02-missing-edge');

  // Too wide: the verifier shows a heap that fits and fails.
  await still(page, () => dragEdge(page, 'n1', 'null'));
  assert.equal(await words(page), '4 of 4 positives matched');
  await page.click('#submit');
  await replied(page, 'Heap A fits');
  assert.equal(await status(page, 'A'), 'wrongly matched');
  assert.match(await page.textContent('#submit'), /1 to fix/);
  await shot(page, '03-too-wide');
  await still(page, () => page.keyboard.press('Control+z'));
  await alternate(page);
  assert.equal(await words(page), '4 of 4 positives matched, 0 negatives wrongly matched');
  await shot(page, '04-solved');
  await page.click('[data-badge="n3"]');
  await page.waitForSelector('#pop:not([hidden]) li:nth-child(3) svg');
  assert.equal(await page.locator('#pop .mark').count(), 3, 'one cell in the second heap, two in the third');
  await shot(page, '05-summary');
  await page.click('#pop button');
  await page.click('#submit');
  await replied(page, 'Verified');
  await page.click('#tree summary');
  await shot(page, '06-verified');
  await page.click('#submit');
  await page.waitForSelector('#over:not([hidden])');
  assert.match(await page.textContent('#over'), /Verified/);
  await shot(page, '07-over');
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end();
});

test('the whole game by keyboard', async () => {
  const server = await serve(), tabs = await context(), page = await open(tabs, server.url);
  const press = async (...keys) => { for (const k of keys) await still(page, () => page.keyboard.press(k)); };
  // From the top of the page to the editor with Tab alone.
  for (let i = 0; i < 20 && !(await page.evaluate(() => document.activeElement.closest('#canvas'))); i++) await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('data-node')), 'n1');
  await shot(page, '11-keyboard-focus');
  await press('e');
  for (let i = 0; i < 4 && !/to null/.test(await page.textContent('#caption')); i++) await page.keyboard.press('ArrowRight');
  await press('Enter', 'ArrowLeft');
  assert.equal(await words(page), '4 of 4 positives matched');
  // n2: on is false, no edge to itself.
  await press('e');
  await page.keyboard.press('Escape');
  await press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('data-node')), 'n2');
  await press('3', '3', 'r');
  assert.match(await page.getAttribute('[data-node="n2"]', 'aria-label'), /on false/);
  assert.equal(await page.locator('[data-from="n2"][data-to="n2"]').count(), 0);
  // n3: a summary with on, maybe y, not shared.
  await press('n', 's', '3', '4', '2');
  assert.match(await page.getAttribute('[data-node="n3"]', 'aria-label'), /summary.*y maybe points here.*on true, shared false/);
  for (const target of ['n2', 'null']) {
    await page.keyboard.press('e');
    for (const k of ['ArrowLeft', 'ArrowDown', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp']) {
      if (new RegExp(`to ${target}\\.`).test(await page.textContent('#caption'))) break;
      await page.keyboard.press(k);
    }
    await press('Enter', 'ArrowLeft');
  }
  await page.keyboard.press('ArrowLeft');
  for (let i = 0; i < 8 && (await page.evaluate(() => document.activeElement.getAttribute('data-node'))) !== 'n2'; i++) await page.keyboard.press(['ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowLeft'][i % 4]);
  await page.keyboard.press('e');
  for (const k of ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowUp', 'ArrowRight']) {
    if (/to n3\./.test(await page.textContent('#caption'))) break;
    await page.keyboard.press(k);
  }
  await press('Enter');
  assert.equal(await page.locator('[data-from="n2"][data-to="n3"]').count(), 1);
  await settled(page);
  assert.equal(await words(page), '4 of 4 positives matched');
  await shot(page, '12-keyboard-solved');
  await page.keyboard.press('Control+Enter');
  await replied(page, 'Verified');
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end();
});

test('too narrow gets the heap that shows it', async () => {
  const server = await serve({ level: 'first_steps' }), tabs = await context(), page = await open(tabs, server.url);
  await page.waitForSelector('#coach:not([hidden])');
  await shot(page, '21-tour');
  await page.click('#coach >> text=Skip the tour');
  // One node more, not a summary, twice: fits three cells and no more.
  await page.click('[data-node="n1"] .name');
  for (const [from, made] of [['n1', 'n2'], ['n2', 'n3']]) {
    await page.click('#tool-node');
    await page.waitForSelector(`[data-node="${made}"]`);
    await still(page, () => dragEdge(page, from, made));
    await page.click(`[data-node="${made}"] .name`);
    await still(page, () => page.keyboard.press('2'));
    await still(page, () => dragEdge(page, made, 'null'));
    assert.equal(await page.locator(`[data-from="${made}"][data-to="null"]`).count(), 1, `${made} to null`);
  }
  await page.click('[data-node="n2"] .name');
  await page.keyboard.press('s');
  await page.click('[data-node="n3"] .name');
  await page.keyboard.press('s');
  await settled(page);
  assert.equal(await words(page), '3 of 3 positives matched');
  // Words are maybe on the new nodes, and there is no edge back: both are found, one after the other.
  await page.click('#submit');
  await replied(page, 'The program can also reach heap 4');
  assert.equal(await status(page, '4'), 'not matched');
  assert.equal(await page.textContent('[data-example="4"] .new'), 'new');
  await shot(page, '22-too-narrow');
  await page.keyboard.press('h');
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end();
});

test('the rules of consistency, undo and redo', async () => {
  const server = await serve(), tabs = await context(), page = await open(tabs, server.url);
  await page.click('[data-node="n2"] .name');
  // x is certain on n1: maybe on n2 weakens it, yes takes it away.
  await still(page, () => page.click('label:has(#c-x-1-maybe)'));
  assert.match(await page.textContent('#caption'), /x on n1 is now maybe/);
  await still(page, () => page.click('label:has(#c-x-1-true)'));
  assert.match(await page.getAttribute('[data-node="n1"]', 'aria-label'), /^Node n1, one cell; y maybe/);
  // A certain edge removes the others of its field; a new one weakens it.
  await clickEdge(page, 'n2', 'null');
  await still(page, () => page.click('#inspector label:has-text("certain")'));
  assert.equal(await page.locator('[data-from="n2"]').count(), 1);
  await still(page, () => dragEdge(page, 'n2', 'n1'));
  assert.match(await page.getAttribute('[data-from="n2"][data-to="null"]', 'aria-label'), /maybe/);
  const places = await positions(page);
  for (let i = 0; i < 4; i++) await still(page, () => page.keyboard.press('Control+z'));
  assert.match(await page.getAttribute('[data-node="n1"]', 'aria-label'), /x points here/);
  for (let i = 0; i < 4; i++) await still(page, () => page.keyboard.press('Control+Shift+z'));
  assert.deepEqual(await positions(page), places);
  // Only these move a node: dragging, Shift and arrows, Tidy.
  await page.click('[data-node="n2"] .name');
  const before = await positions(page);
  await page.keyboard.press('Shift+ArrowDown');
  const after = await positions(page);
  assert.equal(after.n2[1] - before.n2[1], 16);
  assert.deepEqual(after.n1, before.n1);
  await page.keyboard.press('Backspace');
  assert.equal(await page.locator('[data-node="n2"]').count(), 0);
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end();
});

test('two fields and a long program: the whole game', async () => {
  const server = await serve({ level: 'doubly' }), tabs = await context(), page = await open(tabs, server.url);
  await shot(page, '31-two-fields');
  assert.match(await page.textContent('#where'), /line 8 of \d\d\d/);
  // The line is in sight, inside the pane that scrolls.
  const inside = () => page.evaluate(() => { const a = document.querySelector('#code .here').getBoundingClientRect(), b = document.getElementById('program').getBoundingClientRect(); return a.top >= b.top && a.bottom <= b.bottom; });
  assert.ok(await inside());
  await still(page, () => dragEdge(page, 'n2', 'n1', 'prev'));
  await still(page, () => dragEdge(page, 'n1', 'null', 'next'));
  assert.equal(await status(page, '2'), 'matched');
  await page.click('[data-node="n2"] .name');
  await page.keyboard.press('f');
  await still(page, () => page.keyboard.press('r'));
  assert.equal(await page.locator('[data-from="n2"][data-field="prev"][data-to="n2"]').count(), 1);
  await page.selectOption('#field', 'next');
  await page.focus('[data-node="n2"]');
  await still(page, () => page.keyboard.press('r'));
  assert.equal(await words(page), '3 of 3 positives matched');
  await shot(page, '32-two-fields-matched');
  // Too wide until every pointer back leads back and every mark is on.
  await page.click('#submit');
  await replied(page, 'Heap A fits');
  await shot(page, '33-two-fields-too-wide');
  await page.mouse.move(600, 8);
  for (const [node, word] of [['n1', 'back'], ['n2', 'back'], ['n2', 'on']]) await still(page, () => clickWord(page, node, word));
  assert.match(await words(page), /3 of 3 positives matched, 0 negatives/);
  await page.click('#submit');
  await replied(page, 'Verified');
  await shot(page, '34-two-fields-won');
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end();
});
