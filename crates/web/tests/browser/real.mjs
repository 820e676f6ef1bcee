// The game with the verifier behind it: levels from opening the page to verified, a program that is wrong.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { clickWord, closeAll, context, feedback, open, positions, serve, settled, shot } from './harness.mjs';

after(closeAll);

/** The command for a file in place of a level. */
const playing = file => {
  const command = JSON.parse(process.env.TRELLIS_GAME_SERVER), at = command.indexOf('--level');
  return [...command.slice(0, at), `../../../../benchmarks/proveit/${file}`, ...command.slice(at + 2)];
};

/** Plays until the end: the drawing that is there, or what the automatic player would draw. */
async function play(page, submit, hint) {
  for (let i = 0; i < 60; i++) {
    await settled(page);
    if (await page.isVisible('#over')) return;
    const label = await page.textContent('#submit');
    if (/Next question|Finish|Submit pattern/.test(label)) {
      await submit();
      await page.waitForFunction(() => !/Checking/.test(document.getElementById('submit').textContent));
    } else await hint();
  }
  assert.fail(`not won: ${await page.textContent('#reply')}`);
}

/** The automatic player may take its time. */
const used = page => page.waitForSelector('#reply button', { timeout: 180000 });

for (const [level, way] of [['alt-list', 'mouse'], ['alt-list', 'keyboard'], ['dll-back', 'mouse']]) {
  test(`${level} to verified, by ${way}`, async () => {
    const server = await serve({ level }), tabs = await context(), page = await open(tabs, server.url);
    await shot(page, `71-${level}-${way}`);
    if (way === 'mouse') {
      await play(page, () => page.click('#submit'), async () => { await page.click('#hint'); await used(page); await page.click('#reply button'); await settled(page); await shot(page, `72-${level}-hint`); });
    } else {
      await play(page, () => page.keyboard.press('Control+Enter'), async () => { await page.focus('[data-node="n1"]'); await page.keyboard.press('h'); await used(page); await page.focus('#reply button'); await page.keyboard.press('Enter'); });
    }
    assert.match(await page.textContent('#over'), /Verified.*no run of main fails a check/s);
    await shot(page, `73-${level}-verified-${way}`);
    assert.deepEqual(page.problems, []);
    await tabs.close();
    await server.end('SIGINT');
  });
}

test('a program that is wrong ends with its run', async () => {
  const server = await serve({ command: playing('alt-list-simplified-bug.c') }), tabs = await context(), page = await open(tabs, server.url);
  assert.match(await page.textContent('#over'), /The program is wrong.*line \d+, where the assertion is false/s);
  await page.click('#over >> text=Show the run');
  const lines = await page.$$eval('#code [data-line]', all => all.length);
  assert.ok(lines > 20);
  await shot(page, '74-violated');
  await page.keyboard.press('End');
  assert.match(await page.textContent('#run .runstep'), /assert/);
  assert.equal(await page.locator('#code .now.fails').count(), 1);
  assert.ok(await page.locator('#run svg.mini').count() === 1);
  await shot(page, '75-violated-end');
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end('SIGINT');
});

test('a pattern that is too wide gets a heap, and its run', async t => {
  const server = await serve({ level: 'first-steps' }), tabs = await context(), page = await open(tabs, server.url);
  const skip = page.locator('#coach >> text=Skip the tour');
  if (await skip.isVisible()) await skip.click();
  // Everything that can be said is made maybe before each pattern is sent, until a heap shows that this is too much.
  for (let i = 0; i < 30 && !(await page.locator('#neg .card').count()); i++) {
    await settled(page);
    assert.equal(await page.isVisible('#over'), false, 'won with patterns that say nothing');
    const label = await page.textContent('#submit');
    if (/to fix/.test(label)) { await page.click('#hint'); await used(page); await page.click('#reply button'); continue; }
    if (/Submit pattern/.test(label)) {
      const before = await positions(page);
      for (const node of await page.$$eval('[data-node].cells', all => all.map(e => e.dataset.node))) {
        const maybe = async () => /on maybe/.test(await page.getAttribute(`[data-node="${node}"]`, 'aria-label'));
        for (let k = 0; k < 3 && !(await maybe()); k++) { await clickWord(page, node, 'on'); await settled(page); }
      }
      assert.deepEqual(await positions(page), before, 'nothing has moved');
    }
    await page.click('#submit');
    await page.waitForFunction(() => !/Checking/.test(document.getElementById('submit').textContent));
  }
  assert.match(await page.textContent('#reply'), /Heap A fits, but from there line 28 fails: the assertion is false/);
  await shot(page, '76-too-wide');
  await page.click('.runit');
  await page.keyboard.press('End');
  assert.match(await page.textContent('#run .runstep'), /Line 28 assert\(x->on\);.*Here it fails: the assertion is false/);
  await shot(page, '77-too-wide-run');
  await page.keyboard.press('Escape');
  t.diagnostic(`feedback of the verifier on the screen: ${await feedback(page, 'n1', 'on', 20)}`);
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end('SIGINT');
});
