// How an example and the pattern fit together, for the canvas: which cells stand where, which edges they
// use, and where it goes wrong.

import { key } from './rules.js';
import { fit, question, state, tone } from './state.js';

/** @import { Clash, EdgeRef, Example, Place, Tone } from './types.js' */
/**
 * @typedef {{ tone: Tone, cells: Map<string, number[]>, used: Set<string>, edges: Set<string>, slack: Set<string>,
 *   missing: EdgeRef | null, conflict: string | null, clashEdge: string | null }} Light
 */

/** The example of a name, also inside an implication. @param {string} name @returns {Example | undefined} */
export function example(name) {
  const q = question();
  if (!q) return undefined;
  const implied = q.implications.flatMap(i => [i.before, i.after]);
  const pairs = q.implications.flatMap(i => [`${i.name}.before`, `${i.name}.after`]);
  return [...q.positives, ...q.negatives].find(e => e.name === name) ?? implied[pairs.indexOf(name)];
}

/** @param {string} name @returns {Light | null} */
export function highlight(name) {
  const heap = example(name), f = fit(name);
  if (!heap || !f) return null;
  const clash = f.clash;
  /** @type {Light} */
  const light = {
    tone: name.includes('.') ? (f.fits ? 'ok' : tone(name) === 'bad' ? 'bad' : 'ok') : tone(name), cells: new Map(), used: new Set(), edges: new Set(), slack: new Set(),
    missing: clash?.missing ?? null, conflict: clash?.node ?? null, clashEdge: clash?.edge ? key(clash.edge) : null,
  };
  /** @param {Place} p */
  const at = p => (typeof p === 'number' ? f.mapping[p] : p);
  f.mapping.forEach((id, i) => {
    if (!id) return;
    light.cells.set(id, [...(light.cells.get(id) ?? []), i]);
    light.used.add(id);
    for (const [field, place] of Object.entries(heap.cells[i].fields)) {
      const to = at(place);
      if (to) { light.edges.add(key({ from: id, field, to })); light.used.add(to); }
    }
  });
  for (const place of Object.values(heap.variables)) { const id = at(place); if (id) light.used.add(id); }
  if (light.tone === 'bad') for (const s of f.slack) light.slack.add(`${s.node} ${s.word}`);
  if (clash?.node) light.used.add(clash.node);
  if (clash?.missing) { light.used.add(clash.missing.from); light.used.add(clash.missing.to); }
  return light;
}

/** Why an example stands as it does, in one sentence. @param {string} name */
export function reason(name) {
  const f = fit(name), heap = example(name), q = question();
  if (!f || !heap || !q) return '';
  const where = f.mapping.map((id, i) => (id ? `cell ${i + 1} at ${id}` : '')).filter(Boolean).join(', ');
  const [base, when] = name.split('.');
  if (when) {
    if (tone(name) === 'bad') return `Your pattern fits the heap before, but not the heap after: ${why(fit(`${base}.after`)?.clash)}.`;
    return f.fits ? `It fits: ${where}.` : `It does not fit: ${why(f.clash)}.`;
  }
  const negative = q.negatives.includes(heap);
  if (f.fits && negative) return `It must stay out, yet it fits${where ? `: ${where}` : ''}.${heap.note ? ` ${upper(heap.note)}.` : ''} Make a marked maybe stricter, or split a node.`;
  if (f.fits) return where ? `It fits: ${where}.` : 'It fits.';
  return negative ? `It stays out: ${why(f.clash)}.` : `${upper(why(f.clash))}.`;
}

/** @param {Clash | null | undefined} clash */
const why = clash => clash?.sentence ?? 'no way to place its cells was found';
/** @param {string} text */
export const upper = text => text.charAt(0).toUpperCase() + text.slice(1);

/** Shows how an example fits, or stops to. @param {string | null} name */
export function light(name) { state.hot = name ?? state.pinned; }
