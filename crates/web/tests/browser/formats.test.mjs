// What others make of the formats: SARIF by the types that are made from its schema, JUnit, YAML and DOT
// by readers that others use. The files come from the Rust test that starts us.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { Graphviz } from '@hpcc-js/wasm-graphviz';
import { parse as junit } from 'junit2json';
import ts from 'typescript';
import { parse as yaml } from 'yaml';

const FOLDER = process.env.TRELLIS_FORMATS;
const read = name => readFileSync(join(FOLDER, name), 'utf8');
const report = JSON.parse(read('report.json'));
const procedures = report.files.flatMap(f => f.procedures);
const violated = procedures.filter(p => p.verdict === 'violated');

/** What the compiler says of a constant of a type; nothing, if it fits. */
function misfits(json) {
  const types = join(dirname(fileURLToPath(import.meta.url)), 'node_modules/@types/sarif/index');
  const file = join(FOLDER, 'log.ts');
  writeFileSync(file, `import type { Log } from ${JSON.stringify(types)};\nexport const log: Log = ${json};\n`);
  const program = ts.createProgram([file], { strict: true, noEmit: true, types: [], skipLibCheck: true });
  return ts.getPreEmitDiagnostics(program).map(d => ts.flattenDiagnosticMessageText(d.messageText, '\n'));
}

test('SARIF has the types of its schema', () => {
  const json = read('report.sarif');
  assert.deepEqual(misfits(json), []);
  // The compiler does find what is wrong.
  const wrong = json.replace('"startLine"', '"firstLine"');
  assert.notEqual(wrong, json);
  assert.notDeepEqual(misfits(wrong), []);
  const fails = JSON.parse(json).runs[0].results.filter(r => (r.kind ?? 'fail') === 'fail');
  assert.ok(fails.length >= violated.length);
});

test('JUnit is read by others, with the same numbers', async () => {
  const read_by_others = await junit(read('report.xml'));
  const cases = read_by_others.testsuite.flatMap(s => s.testcase ?? []);
  assert.equal(cases.filter(c => c.failure?.length).length, violated.length);
  assert.equal(cases.filter(c => c.skipped?.length).length, procedures.filter(p => !['violated', 'verified'].includes(p.verdict)).length);
  const names = new Set(cases.map(c => c.name));
  for (const p of procedures) assert.ok(names.has(p.name), `${p.name} is a test case`);
});

test('Graphviz draws every state', async () => {
  const graphviz = await Graphviz.load();
  const svg = graphviz.dot(read('report.dot'));
  const states = violated.flatMap(p => [p.trace, ...(p.others ?? []).map(o => o.trace)]).flat();
  assert.equal(svg.match(/class="cluster"/g)?.length, states.length);
  assert.throws(() => graphviz.dot('digraph { label="a" b" }'));
});

test('witnesses are YAML', () => {
  const [wrong] = yaml(read('violated.yml')), [right] = yaml(read('verified.yml'));
  assert.equal(wrong.entry_type, 'violation_sequence');
  assert.equal(wrong.content.at(-1).segment[0].waypoint.type, 'target');
  assert.equal(right.entry_type, 'invariant_set');
  assert.equal(right.metadata.format_version, '2.0');
});
