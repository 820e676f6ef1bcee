// What an edit does to a drawing, with the consistency rules of the paper's chapter 6. Pure functions of
// a drawing; each returns what it did, first the edit itself, then what it changed besides. `null`: not possible.
// No rule moves a node.

/** @import { Drawing, EdgeRef, Node, Truth, Words } from './types.js' */

export const NULL = 'null';
/** @type {Record<Truth, string>} */
export const YES = { true: 'yes', maybe: 'maybe', false: 'no' };

/** @param {Drawing} d @param {string} id */
export const node = (d, id) => d.nodes.find(n => n.id === id);
/** @param {Drawing} d @param {EdgeRef} e */
export const edge = (d, e) => d.edges.find(o => same(o, e));
/** @param {EdgeRef} a @param {EdgeRef} b */
export const same = (a, b) => a.from === b.from && a.field === b.field && a.to === b.to;
/** @param {EdgeRef} e */
export const key = e => `${e.from} ${e.field} ${e.to}`;
/** @param {Node} n @param {string} v @returns {Truth} */
export const variable = (n, v) => n.variables[v] ?? 'false';
/** @param {Node} n @param {string} w @returns {Truth} */
export const word = (n, w) => n.words[w] ?? 'maybe';
/** The pointer fields of a node. @param {Words} words @param {Node} n */
export const fieldsOf = (words, n) => (n.kind === 'cells' ? words.records.find(r => r.name === n.record)?.fields ?? [] : []);
/** The predicates that are said of a node. @param {Words} words @param {Node} n */
export const predicatesOf = (words, n) => (n.kind === 'cells' ? words.predicates.filter(p => !p.record || p.record === n.record) : []);
/** @param {Words} words @param {EdgeRef} e */
export const edgeName = (words, e) => `${words.records.some(r => r.fields.length > 1) ? `edge ${e.field}` : 'edge'} ${e.from} to ${e.to}`;

/** Edges between different nodes of cells. @param {Drawing} d */
export const edgesOf = d => d.edges.filter(e => e.from !== e.to && e.to !== NULL);

/** A name that no node has had. @param {Drawing} d */
export function freshName(d) {
  const used = d.nodes.map(n => Number(/^n(\d+)$/.exec(n.id)?.[1] ?? 0));
  return `n${Math.max(0, ...used) + 1}`;
}

/** A new node of cells: nothing points to it, everything may hold. @param {Drawing} d @param {string} record @param {number} x @param {number} y */
export function addNode(d, record, x, y) {
  const id = freshName(d);
  const at = d.nodes.findIndex(n => n.kind !== 'cells');
  d.nodes.splice(at < 0 ? d.nodes.length : at, 0, { id, kind: 'cells', record, summary: false, variables: {}, words: {}, x, y });
  return id;
}

/** Yes takes a variable away from all other nodes; maybe weakens a yes elsewhere. @param {Drawing} d @param {string} id @param {string} v @param {Truth} value */
export function setVariable(d, id, v, value) {
  const n = node(d, id);
  if (!n) return null;
  const besides = [];
  for (const other of d.nodes) {
    if (other === n) continue;
    const was = variable(other, v);
    if (value === 'true' && was !== 'false') { delete other.variables[v]; besides.push(`${v} on ${other.id} is now no`); }
    if (value === 'maybe' && was === 'true') { other.variables[v] = 'maybe'; besides.push(`${v} on ${other.id} is now maybe`); }
  }
  if (value === 'false') delete n.variables[v]; else n.variables[v] = value;
  return [`${v} on ${id}: ${YES[value]}`, ...besides];
}

/** @param {Drawing} d @param {string} id @param {string} w @param {Truth} value */
export function setWord(d, id, w, value) {
  const n = node(d, id);
  if (!n || n.kind !== 'cells') return null;
  n.words[w] = value;
  return [`${w} on ${id}: ${value}`];
}

/** A new edge is maybe, and weakens a certain one of its field. @param {Drawing} d @param {Words} words @param {EdgeRef} e */
export function addEdge(d, words, e) {
  const from = node(d, e.from);
  if (!from || !node(d, e.to) || !fieldsOf(words, from).includes(e.field)) return null;
  if (edge(d, e)) return [`${edgeName(words, e)} is there already`];
  const besides = [];
  for (const o of d.edges) {
    if (o.from === e.from && o.field === e.field && o.value === 'true') { o.value = 'maybe'; besides.push(`${edgeName(words, o)} is now maybe`); }
  }
  d.edges.push({ from: e.from, field: e.field, to: e.to, value: 'maybe' });
  return [`maybe ${edgeName(words, e)} added`, ...besides];
}

/** A certain edge is the only one of its field. @param {Drawing} d @param {Words} words @param {EdgeRef} e @param {Truth} value */
export function setEdge(d, words, e, value) {
  const found = edge(d, e);
  if (!found) return null;
  if (value === 'false') return removeEdge(d, words, e);
  /** @type {string[]} */
  const besides = [];
  if (value === 'true') {
    d.edges = d.edges.filter(o => {
      const goes = o.from === e.from && o.field === e.field && o.to !== e.to;
      if (goes) besides.push(`${edgeName(words, o)} removed`);
      return !goes;
    });
  }
  found.value = value;
  return [`${edgeName(words, e)}: ${value === 'true' ? 'certain' : 'maybe'}`, ...besides];
}

/** @param {Drawing} d @param {Words} words @param {EdgeRef} e */
export function removeEdge(d, words, e) {
  if (!edge(d, e)) return null;
  d.edges = d.edges.filter(o => !same(o, e));
  return [`${edgeName(words, e)} deleted`];
}

/** @param {Drawing} d @param {string} id */
export function toggleSummary(d, id) {
  const n = node(d, id);
  if (!n || n.kind !== 'cells') return null;
  n.summary = !n.summary;
  return [n.summary ? `${id} is now a summary: zero or more cells` : `${id} is now exactly one cell`];
}

/** Null stays. @param {Drawing} d @param {string} id */
export function removeNode(d, id) {
  const n = node(d, id);
  if (!n || n.id === NULL) return null;
  d.nodes = d.nodes.filter(o => o !== n);
  d.edges = d.edges.filter(e => e.from !== id && e.to !== id);
  return [`${id} and its edges deleted`];
}

/** Another record type: fields and words that it does not have go. @param {Drawing} d @param {Words} words @param {string} id @param {string} record */
export function setRecord(d, words, id, record) {
  const n = node(d, id);
  if (!n || n.kind !== 'cells') return null;
  n.record = record;
  const fields = fieldsOf(words, n), said = predicatesOf(words, n).map(p => p.name);
  const gone = d.edges.filter(e => e.from === id && !fields.includes(e.field));
  d.edges = d.edges.filter(e => !gone.includes(e));
  for (const w of Object.keys(n.words)) if (!said.includes(w)) delete n.words[w];
  return [`${id} is now of type ${record}`, ...gone.map(e => `${edgeName(words, e)} removed`)];
}
