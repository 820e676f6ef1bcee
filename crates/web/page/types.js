// The documents of `trellis_report::game`, for the type checker. Nothing here runs.

/**
 * @typedef {'true' | 'maybe' | 'false'} Truth
 * @typedef {'cells' | 'null' | 'freed' | 'unset'} Kind
 * @typedef {{ id: string, kind: Kind, record: string, summary: boolean, variables: Record<string, Truth>,
 *   words: Record<string, Truth>, x: number, y: number }} Node
 * @typedef {{ from: string, field: string, to: string }} EdgeRef
 * @typedef {EdgeRef & { value: Truth }} Edge
 * @typedef {{ nodes: Node[], edges: Edge[] }} Drawing
 *
 * @typedef {{ name: string, fields: string[] }} RecordType
 * @typedef {{ name: string, meaning: string }} Variable
 * @typedef {{ name: string, letter: string, meaning: string, record: string, values: Truth[] }} Predicate
 * @typedef {{ records: RecordType[], variables: Variable[], predicates: Predicate[] }} Words
 *
 * @typedef {number | 'null' | 'freed' | 'unset'} Place
 * @typedef {{ name: string, value: string }} Scalar
 * @typedef {{ record: string, words: Record<string, boolean>, fields: Record<string, Place>, data: Scalar[] }} Cell
 * @typedef {{ line: number, text: string, heap?: Example }} TraceStep
 * @typedef {{ name: string, cells: Cell[], variables: Record<string, Place>, scalars: Scalar[],
 *   trace: TraceStep[], note: string }} Example
 * @typedef {{ name: string, before: Example, after: Example }} Implication
 *
 * @typedef {{ sentence: string, cell: number | null, node: string | null, edge: EdgeRef | null,
 *   missing: EdgeRef | null }} Clash
 * @typedef {{ example: string, fits: boolean, mapping: (string | null)[], clash: Clash | null,
 *   slack: { node: string, word: string }[] }} Fit
 * @typedef {{ fits: Fit[] }} Comparison
 *
 * @typedef {{ id: string, number: number, vertex: string, line: number, place: string, checks: number[],
 *   fixed: Scalar[], words: Words, start: Drawing, positives: Example[], negatives: Example[],
 *   implications: Implication[] }} Question
 * @typedef {'settled' | 'current' | 'waiting' | 'covered' | 'unreachable'} VertexState
 * @typedef {{ id: string, parent: string | null, step: string, title: string, line: number,
 *   state: VertexState, covered_by: string | null, label: string[] }} Vertex
 * @typedef {{ name: string, from: number, to: number }} Func
 * @typedef {{ file: string, procedure: string, lines: string[], functions: Func[] }} Program
 * @typedef {{ schema: string, title: string, program: Program, state: 'asking' | 'verified' | 'violated' | 'stuck',
 *   sentence: string, run: TraceStep[], question: Question | null, tree: { vertices: Vertex[] } }} View
 * @typedef {{ id: string, title: string, sentence: string, tour: boolean }} Level
 * @typedef {{ revision: number, view: View, draft: Drawing | null, level: string, levels: Level[],
 *   editor: boolean, judging: boolean, resumed: number }} Desk
 *
 * @typedef {{ kind: 'accepted' | 'verified' | 'positive' | 'negative' | 'implication' | 'violated' | 'undecided',
 *   sentence: string, example?: string, trace?: TraceStep[], trouble?: Trouble }} Answer
 * @typedef {{ line: number, sentence: string, variables: Variable[], drawing: Drawing }} Trouble
 * @typedef {{ answer: Answer, desk: Desk }} Judged
 * @typedef {{ sentence: string, node: string | null, edge: EdgeRef | null, example: string | null,
 *   drawing: Drawing | null }} Hint
 * @typedef {{ node: string, heaps: { cells: number, example: Example | null, standing: number[] }[] }} Meaning
 *
 * @typedef {{ kind: 'none' } | { kind: 'node', id: string } | ({ kind: 'edge' } & EdgeRef)} Selection
 * @typedef {'ok' | 'miss' | 'bad' | 'wait'} Tone
 */

export {};
