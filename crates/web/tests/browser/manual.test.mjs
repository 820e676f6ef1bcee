// The manual as HTML: every page by the rules of accessibility, some in the dark and on a small screen.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import { check } from './axe.mjs';
import { closeAll, context, shot } from './harness.mjs';

/** The folder comes from the Rust test that starts us. */
const FOLDER = process.env.TRELLIS_MANUAL;
const ALL = readdirSync(FOLDER).filter(f => f.endsWith('.html')).sort();
const SOME = ['getting-started.html', 'contracts.html', 'compare.html'];
after(closeAll);

for (const [name, pages, options] of [
  ['light', ALL, { colorScheme: 'light' }],
  ['dark', SOME, { colorScheme: 'dark' }],
  ['narrow', SOME, { viewport: { width: 400, height: 800 } }],
]) {
  test(`pages, ${name}`, async () => {
    const tabs = await context(options), page = await tabs.newPage();
    for (const file of pages) {
      await page.goto(`file://${FOLDER}/${file}`);
      await check(page, file);
      const drawings = await page.$$eval('img', all => all.filter(i => i.naturalWidth === 0).map(i => i.src));
      assert.deepEqual(drawings, [], `${file}: drawings that are not there`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), `${file}: too wide`);
    }
    await shot(page, `63-${name}`);
    await tabs.close();
  });
}
