// The page of a run, `trellis verify --html`: states, keys, places, both themes, small screens.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { check } from './axe.mjs';
import { closeAll, context, shot } from './harness.mjs';

/** The file comes from the Rust test that starts us. */
const PAGE = `file://${process.env.TRELLIS_PAGE}`;
after(closeAll);

async function open(options, name = 'reverse') {
  const tabs = await context(options), page = await tabs.newPage();
  page.problems = [];
  page.on('pageerror', e => page.problems.push(e.message));
  page.on('console', m => { if (m.type() === 'error') page.problems.push(m.text()); });
  page.on('request', r => { if (r.url() !== PAGE) page.problems.push(`asks for ${r.url()}`); });
  await page.goto(PAGE);
  // A page of many programs begins with the table of all.
  await page.locator('nav button', { hasText: name }).first().click();
  return { tabs, page };
}

const place = (page, label) => page.evaluate(l => {
  const text = [...document.querySelectorAll('.node .name')].find(t => t.textContent === l);
  return text && `${text.getAttribute('x')},${text.getAttribute('y')}`;
}, label);

for (const colorScheme of ['light', 'dark']) {
  test(`every procedure, by the usual rules, ${colorScheme}`, async () => {
    const { tabs, page } = await open({ colorScheme });
    const buttons = page.locator('nav button');
    const count = await buttons.count();
    assert.ok(count >= 3, 'the summary lists every procedure');
    for (let i = 0; i < count; i++) {
      await buttons.nth(i).click();
      await check(page, `procedure ${i}`);
      await page.keyboard.press('End');
      await check(page, `procedure ${i}, last state`);
      await shot(page, `61-${colorScheme}-${i}`);
    }
    await page.click('#theme');
    await check(page, 'the other theme');
    assert.deepEqual(page.problems, []);
    await tabs.close();
  });
}

test('keys walk through the states, and nodes keep their places', async () => {
  const { tabs, page } = await open();
  const state = () => page.textContent('.player output');
  const [, total] = /of (\d+)/.exec(await state());
  assert.equal(await state(), `state 1 of ${total}`);
  const before = await place(page, '1');
  assert.ok(before, 'node 1 is drawn');
  const seen = new Set();
  for (let i = 2; i <= Number(total); i++) {
    await page.keyboard.press('ArrowRight');
    assert.equal(await state(), `state ${i} of ${total}`);
    const now = await place(page, '1');
    if (now) assert.equal(now, before, `node 1 in state ${i}`);
    seen.add(await page.textContent('.said'));
    assert.equal(await page.locator('.source li.here').count(), 1);
  }
  assert.ok(seen.size > 2, 'what changes is said');
  assert.equal(await page.locator('.source li.here.fails').count(), 1, 'the last state is where it fails');
  await page.keyboard.press('Home');
  assert.equal(await state(), `state 1 of ${total}`);
  await page.locator('input[type=range]').focus();
  await page.keyboard.press('ArrowRight');
  assert.equal(await state(), `state 2 of ${total}`);
  await page.click('[aria-label="State before"]');
  assert.equal(await state(), `state 1 of ${total}`);
  assert.deepEqual(page.problems, []);
  await tabs.close();
});

test('a long run in a low window: drawings keep their size, what changes is seen', async () => {
  const { tabs, page } = await open({ viewport: { width: 900, height: 620 } }, 'main');
  const state = () => page.textContent('.player output');
  const [, total] = /of (\d+)/.exec(await state());
  assert.ok(Number(total) > 40, `${total} states`);
  const places = new Map();
  for (let i = 2; i <= Number(total); i++) {
    await page.keyboard.press('ArrowRight');
    const drawn = await page.evaluate(() => {
      const svg = document.querySelector('.heap svg'), pane = document.querySelector('.heap').getBoundingClientRect();
      const mark = svg.querySelector('.changed')?.getBoundingClientRect();
      const nodes = [...svg.querySelectorAll('.node .name')].map(t => [t.textContent, `${t.getAttribute('x')},${t.getAttribute('y')}`]);
      return { size: [svg.getBoundingClientRect().height, Number(svg.getAttribute('height'))], nodes,
        seen: !mark || (mark.bottom > pane.top && mark.top < pane.bottom && mark.right > pane.left && mark.left < pane.right) };
    });
    assert.equal(drawn.size[0], drawn.size[1], `state ${i} is drawn in its size`);
    assert.ok(drawn.seen, `what changes in state ${i} is in sight`);
    for (const [name, at] of drawn.nodes) {
      // The queue is `q` in main and `main.q` in what it calls, and the same node.
      const known = name.replace('main.', '');
      assert.equal(at, places.get(known) ?? at, `${name} in state ${i}`);
      places.set(known, at);
    }
  }
  assert.match(await page.textContent('.said'), /^line \d+ fails: memory is used after/);
  assert.deepEqual(page.problems, []);
  await tabs.close();
});

test('what is verified says what holds at its loops', async () => {
  const { tabs, page } = await open();
  await page.locator('nav button', { hasText: 'verified' }).first().click();
  assert.match(await page.textContent('.panel'), /whenever the loop of line \d+ is reached/);
  assert.ok(await page.locator('.panel code').count() > 0, 'in words');
  assert.ok(await page.locator('.source li.loop').count() > 0, 'beside the loop');
  await tabs.close();
});

test('the overview lists every procedure and leads to it', async () => {
  const { tabs, page } = await open();
  await page.locator('nav button', { hasText: 'Overview' }).click();
  await check(page, 'the overview');
  const rows = page.locator('tbody tr');
  assert.equal(await rows.count(), await page.locator('nav button').count() - 1);
  assert.match(await rows.first().textContent(), /violated/, 'what is wrong comes first');
  await shot(page, '63-overview');
  await rows.last().locator('button').click();
  assert.match(await page.textContent('.panel'), /whenever the loop of line \d+ is reached/);
  await tabs.close();
});

test('at 320 px the page never scrolls sideways', async () => {
  const { tabs, page } = await open({ viewport: { width: 320, height: 640 } });
  const wide = await page.evaluate(() => document.scrollingElement.scrollWidth);
  assert.ok(wide <= 320, `${wide} px`);
  await check(page, '320 px');
  await shot(page, '62-narrow');
  await page.locator('nav button', { hasText: 'Overview' }).click();
  await check(page, 'the overview at 320 px');
  const cut = await page.evaluate(() => [...document.querySelectorAll('td')].filter(t => t.getBoundingClientRect().right > innerWidth).length);
  assert.equal(cut, 0, 'every cell is in sight');
  await tabs.close();
});
