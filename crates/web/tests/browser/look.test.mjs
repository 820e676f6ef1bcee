// What is shown besides: runs, what the verifier sees, the map, fingers, colour vision, the order of Tab.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alternate, context, dragEdge, open, positions, replied, serve, settled, shot, still, words } from './harness.mjs';

const active = page => page.evaluate(() => { const e = document.activeElement; return e.id || e.dataset.node || e.dataset.example || e.className.baseVal || e.className || e.tagName; });

test('a heap that must not fit is run to the failed check', async () => {
  const server = await serve(), tabs = await context(), page = await open(tabs, server.url);
  await dragEdge(page, 'n1', 'null');
  await settled(page);
  await page.click('#submit');
  await replied(page, 'Heap A fits');
  const before = await positions(page);
  await page.focus('.runit');
  await page.keyboard.press('Enter');
  assert.equal(await page.textContent('#run .count'), 'step 1 of 2');
  assert.equal(await page.getAttribute('#code .now', 'data-line'), '8');
  assert.equal(await page.locator('#run svg.mini').count(), 1);
  assert.match(await active(page), /next/);
  await shot(page, '81-run');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getAttribute('#code .now', 'data-line'), '15');
  assert.match(await page.textContent('#run'), /fails the check on line 15/);
  assert.equal(await page.locator('#code .now.fails').count(), 1);
  // What is read aloud is said a moment later.
  await page.waitForFunction(() => document.getElementById('live').textContent.includes('Step 2 of 2, line 15'));
  await shot(page, '82-run-fails');
  await page.keyboard.press('Escape');
  assert.equal(await page.isVisible('#run'), false);
  assert.match(await active(page), /runit/);
  assert.equal(await page.locator('#code .now').count(), 0);
  assert.deepEqual(await positions(page), before);
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end();
});

test('what the verifier sees where no heap shows it', async () => {
  const server = await serve(), tabs = await context(), page = await open(tabs, server.url);
  await alternate(page);
  // A summary that nothing leads to: no heap has a cell there.
  await page.click('#tool-node');
  await page.waitForSelector('[data-node="n4"]');
  await still(page, () => page.keyboard.press('s'));
  await still(page, () => dragEdge(page, 'n4', 'null'));
  assert.equal(await words(page), '4 of 4 positives matched');
  await page.click('#submit');
  await replied(page, 'cannot follow this pattern');
  const before = await positions(page), text = await page.textContent('#astext');
  await page.click('#reply >> text=Show where');
  await page.waitForSelector('#peek:not([hidden])');
  assert.match(await page.textContent('#peek'), /n4 is never reached/);
  assert.equal(await page.getAttribute('#code .now', 'data-line'), '15');
  await shot(page, '83-peek');
  // Nothing can be changed there.
  await page.click('[data-node="n2"] .name');
  await page.focus('#canvas');
  await page.keyboard.press('Backspace');
  assert.equal(await page.locator('[data-node="n2"]').count(), 1);
  await page.click('#peek button');
  assert.equal(await page.isVisible('#peek'), false);
  assert.deepEqual(await positions(page), before);
  assert.equal(await page.textContent('#astext'), text);
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end();
});

test('a pair: whoever accepts one heap must accept the other', async () => {
  const server = await serve(), tabs = await context();
  // The practice game has none: one is put into what the server says.
  const fit = (example, fits) => ({ example, fits, mapping: ['n1', 'n2'], clash: fits ? null : { sentence: 'cell 3 has on true, but n2 wants it false', cell: 2, node: 'n2', edge: null, missing: null }, slack: [] });
  await tabs.route('**/api/desk*', async route => {
    const response = await route.fetch(), desk = await response.json(), q = desk.view.question;
    const heap = (from, name) => ({ ...from, name });
    q.implications = [{ name: 'a', before: heap(q.positives[1], 'a.before'), after: heap(q.positives[2], 'a.after') }];
    await route.fulfill({ response, json: desk });
  });
  let kept = false;
  await tabs.route('**/api/compare', async route => {
    const response = await route.fetch(), all = await response.json();
    all.fits.push(fit('a.before', true), fit('a.after', kept));
    await route.fulfill({ response, json: all });
  });
  const page = await open(tabs, server.url);
  assert.match(await page.textContent('#imp'), /If this fits.*the program makes of it.*so must this/s);
  assert.match(await words(page), /1 pair broken/);
  assert.equal(await page.textContent('#imp-n'), '0 of 1 kept');
  await page.focus('[data-example="a.before"]');
  assert.match(await page.textContent('#caption'), /The pair is broken.*fits the heap before, but not the heap after: cell 3 has on true/);
  await shot(page, '84-pair');
  await page.keyboard.press('ArrowDown');
  assert.equal(await active(page), 'a.after');
  // Once the second fits, too, it is right.
  kept = true;
  await dragEdge(page, 'n1', 'null');
  await settled(page);
  assert.equal(await words(page), '4 of 4 positives matched');
  assert.equal(await page.textContent('#imp-n'), '1 of 1 kept');
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end();
});

test('the map and the paper', async () => {
  const server = await serve({ level: 'large' }), tabs = await context(), page = await open(tabs, server.url);
  assert.ok(await page.isVisible('#minimap'));
  const scroll = () => page.$eval('#canvas', c => [c.scrollLeft, c.scrollTop]);
  const places = () => page.$$eval('[data-node]', all => all.map(e => e.getAttribute('transform')));
  const before = await places(), map = await page.locator('#minimap').boundingBox();
  await shot(page, '61-twelve-nodes');
  await page.mouse.click(map.x + map.width - 8, map.y + map.height - 8);
  const [left, top] = await scroll();
  assert.ok(left > 100 && top > 20, `${left} ${top}`);
  // Dragging an empty place moves the paper, not the nodes.
  const canvas = await page.locator('#canvas').boundingBox();
  const empty = await page.evaluate(({ x, y, width, height }) => {
    for (let dx = 10; dx < width - 130; dx += 7) for (let dy = 10; dy < height - 150; dy += 7) if (document.elementFromPoint(x + dx, y + dy)?.id === 'svg') return [x + dx, y + dy];
    return null;
  }, canvas);
  assert.ok(empty, 'there is an empty place');
  await page.mouse.move(...empty);
  await page.mouse.down();
  await page.mouse.move(empty[0] + 60, empty[1] + 20, { steps: 4 });
  await page.mouse.up();
  assert.deepEqual(await scroll(), [left - 60, top - 20]);
  assert.deepEqual(await places(), before);
  // Keys go to a node that is out of sight, and it comes into sight.
  await page.focus('[data-node="n1"]');
  const box = await page.locator('[data-node="n1"] .body').boundingBox();
  assert.ok(box.x >= canvas.x && box.y >= canvas.y, 'the focus is in sight');
  await page.click('#zoom-fit');
  assert.equal(await page.isVisible('#minimap'), false);
  await shot(page, '62-twelve-nodes-fit');
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end();
});

test('a finger that stays', async () => {
  const server = await serve(), tabs = await context({ viewport: { width: 820, height: 900 }, hasTouch: true }), page = await open(tabs, server.url);
  const touch = await tabs.newCDPSession(page);
  const press = async (x, y, ms) => {
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    await page.waitForTimeout(ms);
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await page.locator('#canvas').scrollIntoViewIfNeeded();
  const name = await page.locator('[data-node="n2"] .name').boundingBox();
  await press(name.x + 4, name.y + 4, 700);
  await page.waitForFunction(() => document.activeElement.closest('#inspector'));
  assert.match(await page.textContent('#inspector'), /n2/);
  const canvas = await page.locator('#canvas').boundingBox();
  const before = await positions(page);
  await press(canvas.x + 60, canvas.y + 60, 700);
  await page.waitForSelector('[data-node="n3"]');
  await settled(page);
  const after = await positions(page);
  for (const id of Object.keys(before)) assert.deepEqual(after[id], before[id], id);
  // A short one only selects.
  const short = await page.locator('[data-node="n1"] .name').boundingBox();
  await press(short.x + 4, short.y + 4, 60);
  await page.waitForSelector('[data-node="n1"].sel');
  assert.equal(await page.locator('[data-node]').count(), 4);
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end();
});

test('with a colour-vision deficiency', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const server = await serve(), tabs = await context({ colorScheme }), page = await open(tabs, server.url);
    const cdp = await tabs.newCDPSession(page);
    await dragEdge(page, 'n1', 'null');
    await settled(page);
    await page.click('#submit');
    await replied(page, 'Heap A fits');
    await page.click('[data-node="n1"] .name');
    await page.keyboard.press('1');
    await settled(page);
    await page.mouse.move(600, 8);
    // Every state has a sign and a word of its own besides its colour.
    const states = await page.$$eval('.card', all => all.map(c => `${c.querySelector('.mk').dataset.mark} ${c.querySelector('.how').textContent}`));
    assert.equal(new Set(states.map(s => s.split(' ')[0])).size, new Set(states.map(s => s.slice(s.indexOf(' ')))).size, states.join('; '));
    for (const type of ['deuteranopia', 'protanopia', 'tritanopia', 'achromatopsia']) {
      await cdp.send('Emulation.setEmulatedVisionDeficiency', { type });
      await shot(page, `85-${type}-${colorScheme}`);
      for (const selector of ['.card .how', '.card.bad .how', '#ptext', '#hint', '.tag text', '.chip text']) {
        const found = page.locator(selector).first();
        if (await found.count() === 0) continue;
        const ratio = await contrast(page, await found.screenshot());
        assert.ok(ratio >= 4.5, `${type}, ${colorScheme}: ${selector} has ${ratio.toFixed(1)} : 1`);
      }
    }
    assert.deepEqual(page.problems, []);
    await tabs.close();
    await server.end();
  }
});

/** Between the lightest and the darkest pixel of a picture. */
async function contrast(page, png) {
  const blank = await page.context().browser().newPage();
  const ratio = await blank.evaluate(async data => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height), paint = canvas.getContext('2d');
    paint.drawImage(image, 0, 0);
    const px = paint.getImageData(0, 0, image.width, image.height).data;
    const linear = v => (v / 255 <= .04045 ? v / 255 / 12.92 : ((v / 255 + .055) / 1.055) ** 2.4);
    let low = 1, high = 0;
    for (let i = 0; i < px.length; i += 4) { const l = .2126 * linear(px[i]) + .7152 * linear(px[i + 1]) + .0722 * linear(px[i + 2]); low = Math.min(low, l); high = Math.max(high, l); }
    return (high + .05) / (low + .05);
  }, png.toString('base64'));
  await blank.close();
  return ratio;
}

test('the order of Tab, names, and no motion', async () => {
  const server = await serve(), tabs = await context(), page = await open(tabs, server.url);
  const seen = [];
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press('Tab');
    const now = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      const box = e.getBoundingClientRect();
      return { key: e.id || e.dataset.node || e.dataset.example || e.tagName, pane: e.closest('.top, .left, #toolbar, #canvas, .zoom, .centre, .right, .dock')?.className?.toString() ?? '', seen: box.width > 0 && box.height > 0, name: (e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent ?? '').trim() };
    });
    if (!now) break;
    seen.push(now);
  }
  for (const e of seen) assert.ok(e.name, `${e.key} has a name`);
  // Panes come in reading order, each once.
  const panes = seen.map(e => e.pane).filter((p, i, all) => p && p !== all[i - 1]);
  assert.deepEqual(panes, [...new Set(panes)], panes.join(' '));
  assert.deepEqual(seen.filter(e => /^n\d|^null$/.test(e.key)).length, 1, 'one stop for the editor');
  assert.deepEqual(seen.filter(e => /^tool-/.test(e.key)).length, 1, 'one stop for the tools');
  assert.ok(seen.some(e => e.key === 'submit') && seen.some(e => e.key === '1'));
  // With reduced motion nothing moves by itself, also where an edit marks what else it changed.
  await page.click('[data-node="n2"] .name');
  await page.click('label:has(#c-x-1-maybe)');
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  await settled(page);
  assert.deepEqual(page.problems, []);
  await tabs.close();
  await server.end();
});
