// The tools above the canvas: everything that keys can do, for those who know none.

import { $, h, icon } from './dom.js';
import * as edit from './edit.js';
import { fieldsOf, node } from './rules.js';
import { editable, question, state, watch } from './state.js';

/** @typedef {{ id: string, text: string, key: string, mark: string, run: () => void, quiet?: boolean, usable: () => boolean, pressed?: () => boolean }} Tool */

const selectedNode = () => (state.selection.kind === 'node' ? node(state.drawing, state.selection.id) : undefined);
const cells = () => selectedNode()?.kind === 'cells';
const selectedEdge = () => state.selection.kind === 'edge';

/** @type {(Tool | null)[]} */
const TOOLS = [
  { id: 'node', text: 'Node', key: 'N', mark: 'i-node', run: () => edit.addNode(), usable: () => true },
  { id: 'edge', text: 'Edge', key: 'E', mark: 'i-edge', run: edit.startLink, usable: cells, pressed: () => state.linking !== null },
  { id: 'summary', text: 'Summary', key: 'S', mark: 'i-sum', run: edit.toggleSummary, usable: cells, pressed: () => Boolean(selectedNode()?.summary) },
  { id: 'maybe', text: 'Maybe', key: 'M', mark: 'i-maybe', run: edit.toggleMaybe, usable: selectedEdge, pressed: () => state.drawing.edges.some(e => state.selection.kind === 'edge' && e.from === state.selection.from && e.field === state.selection.field && e.to === state.selection.to && e.value === 'maybe') },
  { id: 'delete', text: 'Delete', key: 'Backspace', mark: 'i-del', run: edit.remove, usable: () => selectedEdge() || (selectedNode() !== undefined && selectedNode()?.id !== 'null') },
  null,
  { id: 'undo', text: 'Undo', key: 'Control+Z', mark: 'i-undo', run: edit.undo, quiet: true, usable: () => state.past.length > 0 },
  { id: 'redo', text: 'Redo', key: 'Control+Shift+Z', mark: 'i-redo', run: edit.redo, quiet: true, usable: () => state.future.length > 0 },
  null,
  { id: 'tidy', text: 'Tidy', key: 'T', mark: 'i-tidy', run: edit.tidy, usable: () => state.drawing.nodes.length > 1 },
];

/** @type {Map<string, HTMLElement>} */
const buttons = new Map();

export function startToolbar() {
  const bar = $('toolbar');
  for (const tool of TOOLS) {
    if (!tool) { bar.append(h('span', { class: 'tsep', 'aria-hidden': 'true' })); continue; }
    const plain = tool.text.length && tool.key.length === 1;
    const text = plain ? [h('u', {}, tool.text[0]), tool.text.slice(1)] : [tool.text];
    const b = h('button', { type: 'button', class: 'tool', id: `tool-${tool.id}`, 'aria-keyshortcuts': tool.key, title: `${tool.text} (${tool.key.replace('Control', 'Ctrl')})` }, icon(tool.mark), tool.quiet ? h('span', { class: 'vh' }, tool.text) : h('span', {}, text));
    b.addEventListener('click', () => { if (b.getAttribute('aria-disabled') !== 'true') tool.run(); });
    buttons.set(tool.id, b);
    bar.append(b);
  }
  const choose = h('select', { id: 'field', 'aria-label': 'Field of the next edge' });
  choose.addEventListener('change', () => { state.field = /** @type {HTMLSelectElement} */ (choose).value; });
  bar.insertBefore(h('label', { class: 'fieldpick', id: 'fieldpick' }, choose), buttons.get('summary') ?? null);
  const zoom = h('div', { class: 'zoom', role: 'group', 'aria-label': 'Zoom' });
  /** @param {string} text @param {string} label @param {() => void} run @param {string} id */
  const z = (text, label, run, id) => { const b = h('button', { type: 'button', class: 'tool', 'aria-label': label, title: label, id }, text); b.addEventListener('click', run); zoom.append(b); };
  z('−', 'Zoom out', () => edit.zoom(state.zoom - .1), 'zoom-out');
  z('Fit', 'Fit the whole pattern', edit.fit, 'zoom-fit');
  z('+', 'Zoom in', () => edit.zoom(state.zoom + .1), 'zoom-in');
  $('stage').append(zoom);
  // One stop for Tab; arrows go through the tools.
  bar.addEventListener('keydown', ev => {
    if (ev.key !== 'ArrowRight' && ev.key !== 'ArrowLeft') return;
    const all = /** @type {HTMLElement[]} */ ([...bar.querySelectorAll('button, select')]).filter(b => b.offsetParent !== null);
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (at < 0 || document.activeElement?.tagName === 'SELECT') return;
    ev.preventDefault();
    all[(at + (ev.key === 'ArrowRight' ? 1 : all.length - 1)) % all.length].focus();
  });
  bar.addEventListener('focusin', ev => {
    for (const b of bar.querySelectorAll('button')) b.tabIndex = b === ev.target ? 0 : -1;
  });
  [...bar.querySelectorAll('button')].forEach((b, i) => { b.tabIndex = i ? -1 : 0; });
  watch(render);
}

function render() {
  const can = editable();
  for (const tool of TOOLS) {
    if (!tool) continue;
    const b = buttons.get(tool.id);
    b?.setAttribute('aria-disabled', String(!(can && tool.usable())));
    if (tool.pressed) b?.setAttribute('aria-pressed', String(tool.pressed()));
  }
  const q = question(), choose = /** @type {HTMLSelectElement} */ ($('field'));
  const n = selectedNode(), fields = q ? (n && n.kind === 'cells' ? fieldsOf(q.words, n) : q.words.records[0]?.fields ?? []) : [];
  const several = Boolean(q?.words.records.some(r => r.fields.length > 1));
  $('fieldpick').hidden = !several;
  $('toolbar').classList.toggle('several', several);
  if ([...choose.options].map(o => o.value).join() !== fields.join()) choose.replaceChildren(...fields.map(f => h('option', { value: f }, f)));
  if (fields.length && !fields.includes(state.field)) state.field = fields[0];
  choose.value = state.field;
}
