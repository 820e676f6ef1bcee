// The usual rules of accessibility, asked of a page as it stands.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function check(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  const text = found.violations.map(v => `${v.id}: ${v.help}\n${v.nodes.slice(0, 4).map(n => `   ${n.html.slice(0, 160)}\n   ${n.failureSummary}`).join('\n')}`);
  assert.deepEqual(text, [], where);
}
