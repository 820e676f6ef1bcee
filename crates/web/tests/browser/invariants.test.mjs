// What holds at loops, drawn: shapes of lists and memory graphs, in both themes and on a small screen.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { check } from './axe.mjs';
import { closeAll, context, shot } from './harness.mjs';

/** The file comes from the Rust test that starts us. */
const PAGE = `file://${process.env.TRELLIS_PAGE}`;
after(closeAll);

for (const [name, options] of [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['narrow', { viewport: { width: 400, height: 800 } }],
]) {
  test(`invariants are drawn, ${name}`, async () => {
    const tabs = await context(options), page = await tabs.newPage();
    await page.goto(PAGE);
    const buttons = page.locator('nav button:has(.verdict)');
    const count = await buttons.count();
    for (let i = 0; i < count; i++) {
      await buttons.nth(i).click();
      await check(page, `procedure ${i}`);
      assert.ok(await page.locator('figure svg .node').count() > 1, `procedure ${i} has drawings`);
      // Names of variables do not lie over each other.
      const boxes = await page.$$eval('figure svg', all => all.map(svg => [...svg.querySelectorAll('.tag rect')].map(r => {
        const n = a => Number(r.getAttribute(a));
        return [n('x'), n('y'), n('width'), n('height')];
      })));
      for (const tags of boxes) {
        for (const [a, [x, y, w, h]] of tags.entries()) {
          for (const [u, v, p, q] of tags.slice(a + 1)) {
            assert.ok(x + w <= u || u + p <= x || y + h <= v || v + q <= y, `two names at ${x},${y}`);
          }
        }
      }
      await shot(page, `62-${name}-${i}`);
    }
    await tabs.close();
  });
}
