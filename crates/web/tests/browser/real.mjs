// The game with the verifier behind it: alt_list_simplified from opening the page to verified.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, context, open, serve, settled, shot } from './harness.mjs';

after(closeBrowser);

/** Plays until the end: the drawing that is there, or what the automatic player would draw. */
async function play(page, submit, hint) {
  for (let i = 0; i < 40; i++) {
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

for (const way of ['mouse', 'keyboard']) {
  test(`alt_list_simplified to verified, by ${way}`, async () => {
    const server = await serve(), tabs = await context(), page = await open(tabs, server.url);
    await shot(page, `71-real-${way}`);
    const use = async () => { await page.waitForSelector('#reply button'); };
    if (way === 'mouse') {
      await play(page, () => page.click('#submit'), async () => { await page.click('#hint'); await use(); await page.click('#reply button'); await settled(page); await shot(page, '72-real-hint'); });
    } else {
      await play(page, () => page.keyboard.press('Control+Enter'), async () => { await page.focus('[data-node="n1"]'); await page.keyboard.press('h'); await use(); await page.focus('#reply button'); await page.keyboard.press('Enter'); });
    }
    assert.match(await page.textContent('#over'), /Verified.*no run of main fails a check/s);
    await shot(page, `73-real-verified-${way}`);
    assert.deepEqual(page.problems, []);
    await tabs.close();
    await server.end('SIGINT');
  });
}
