//! The report as plain data. Field by field this is the JSON that `--format json` prints, and
//! `docs/src/schema/report-1.json` describes it; change them together.

use serde::{Deserialize, Deserializer, Serialize};
use trellis_program::concrete::drawing::StateDrawing;
use trellis_program::{Failure, FileId, Span};

use crate::Exit;
use crate::word::{self, Word};

/// Name and version of the layout of [`Report`].
pub const REPORT_SCHEMA: &str = "trellis-report/1";
/// Name and version of the layout of [`RunReport`].
pub const RUN_SCHEMA: &str = "trellis-run/1";

/// Who wrote a report.
#[derive(Clone, Debug, Serialize)]
pub struct Tool {
    /// Always `trellis`.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
}

impl Default for Tool {
    fn default() -> Tool {
        Tool { name: "trellis", version: env!("CARGO_PKG_VERSION") }
    }
}

/// What `trellis verify` prints.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// [`REPORT_SCHEMA`].
    pub schema: &'static str,
    /// Who wrote it.
    pub tool: Tool,
    /// The exit code of the process.
    pub exit_code: u8,
    /// One entry a program on the command line, in that order.
    pub files: Vec<FileReport>,
}

impl Report {
    /// That nothing could be read.
    pub fn unusable(file: String, bad: &Failure) -> Report {
        let diagnostics = crate::build::failure(bad);
        let linked = Vec::new();
        let (procedures, not_looked_at) = (Vec::new(), Vec::new());
        let file = FileReport { file, linked, diagnostics, procedures, not_looked_at };
        let exit_code = Exit::BadInput.code();
        Report { schema: REPORT_SCHEMA, tool: Tool::default(), exit_code, files: vec![file] }
    }
}

/// What is said about one file.
#[derive(Clone, Debug, Serialize)]
pub struct FileReport {
    /// As given on the command line.
    pub file: String,
    /// The other files of the program, if it has several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub linked: Vec<String>,
    /// Errors, warnings, unsupported constructs.
    pub diagnostics: Vec<DiagnosticReport>,
    /// The procedures that were verified, in the order of the file.
    pub procedures: Vec<ProcedureReport>,
    /// Procedures of the user that were not looked at on their own, because there is a `main` or a
    /// contract elsewhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_looked_at: Vec<String>,
}

/// What `trellis run` prints.
#[derive(Clone, Debug, Serialize)]
pub struct RunReport {
    /// [`RUN_SCHEMA`].
    pub schema: &'static str,
    /// Who wrote it.
    pub tool: Tool,
    /// The exit code of the process.
    pub exit_code: u8,
    /// As given on the command line.
    pub file: String,
    /// The other files of the program, if it has several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub linked: Vec<String>,
    /// Errors, warnings, unsupported constructs.
    pub diagnostics: Vec<DiagnosticReport>,
    /// The run; absent when the input could not be used.
    pub run: Option<RunBody>,
}

/// One concrete execution.
#[derive(Clone, Debug, Serialize)]
pub struct RunBody {
    /// The procedure.
    pub procedure: String,
    /// `returned`, `exited`, `stopped`, `failed`, `unsupported`, `too-deep` or `steps`.
    pub outcome: &'static str,
    /// The outcome as a sentence.
    pub text: String,
    /// What it returned, as written in C; absent for none.
    pub result: Option<String>,
    /// The failed check.
    pub check: Option<CheckReport>,
    /// The heap it started from, in heap notation.
    pub initial_heap: String,
    /// How nondeterminism was resolved.
    pub choices: Vec<u32>,
    /// The states.
    pub trace: Vec<StepReport>,
}

/// What is said about one procedure.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProcedureReport {
    /// Its name.
    pub name: String,
    /// Its name in its definition.
    pub span: Place,
    /// The engine that answered.
    #[serde(deserialize_with = "word::read")]
    pub engine: Word,
    /// `verified`, `violated`, `no-invariant` or `unknown`.
    #[serde(deserialize_with = "word::read")]
    pub verdict: Word,
    /// Whether an earlier run had found this answer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// Why this is no reason to fail: a suppression, or the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excused: Option<String>,
    /// Why it is unknown, or why there is no invariant.
    pub reason: Option<ReasonReport>,
    /// The violated check.
    pub check: Option<CheckReport>,
    /// The heap that the violation starts from, in heap notation.
    pub initial_heap: Option<String>,
    /// How nondeterminism is resolved in it.
    pub choices: Vec<u32>,
    /// A shell command that runs the violation again.
    pub command: Option<String>,
    /// The states of the violation.
    pub trace: Vec<StepReport>,
    /// What the program was given in the violation, as far as its states were kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<InputReport>,
    /// Violations of further checks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<ViolationReport>,
    /// How many more there are that are not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_left_out: Option<usize>,
    /// What callers have to exclude.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<NoteReport>,
    /// What is taken for granted, when it is verified.
    pub assumptions: Option<AssumptionsReport>,
    /// What holds at every loop head, when it is verified.
    pub invariants: Vec<InvariantReport>,
    /// What the machine was run on before that was said, when it is verified.
    pub machine: Option<MachineReport>,
    /// The abstract execution that no invariant excludes, when there is no invariant.
    pub abstract_trace: Vec<AbstractStepReport>,
    /// What every engine that was asked came to, if there were several.
    pub attempts: Vec<AttemptReport>,
    /// What the answer cost. Statistics are the only part that differs from run to run.
    pub statistics: Statistics,
}

/// A violation besides the first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ViolationReport {
    /// The violated check.
    pub check: CheckReport,
    /// The heap that the violation starts from, in heap notation.
    pub initial_heap: String,
    /// How nondeterminism is resolved in it.
    pub choices: Vec<u32>,
    /// A shell command that runs the violation again.
    pub command: Option<String>,
    /// Its states.
    pub trace: Vec<StepReport>,
}

/// What goes wrong only because of what a caller passes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NoteReport {
    /// `null-argument`, `no-name` or `unusual-arguments`.
    #[serde(deserialize_with = "word::read")]
    pub kind: Word,
    /// The parameter, if it is about one.
    pub parameter: Option<String>,
    /// In words, without the places.
    pub text: String,
    /// What goes wrong then, one a check.
    pub violations: Vec<ViolationReport>,
}

/// What an engine came to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AttemptReport {
    /// The engine.
    #[serde(deserialize_with = "word::read")]
    pub engine: Word,
    /// Why it has no answer; null if the answer is its own.
    pub reason: Option<ReasonReport>,
    /// What its last round cost.
    pub statistics: Statistics,
}

/// What the machine was run on before *verified* was said.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MachineReport {
    /// Initial heaps from which it ran.
    pub heaps: u64,
    /// All initial heaps of up to so many objects were among them, if any size was completed.
    pub objects: Option<usize>,
    /// States that satisfy the invariant from which it ran, where that is a list of clauses.
    pub states: Option<u64>,
    /// All states of up to so many objects were among them, if any size was completed.
    pub state_objects: Option<usize>,
    /// The same as a sentence.
    pub text: String,
}

/// What a *verified* takes for granted; that it terminates is never proved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AssumptionsReport {
    /// `malloc` never returns null.
    pub malloc_succeeds: bool,
    /// Signed integers wrap around silently.
    pub integers_wrap: bool,
    /// Functions without bodies, which do what their contracts say.
    pub believed: Vec<String>,
    /// Functions whose bodies are models.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modelled: Vec<String>,
    /// Where the code itself assumes something, as `file:line:column`.
    pub assumed: Vec<String>,
    /// What is believed of callers that nobody sees, as phrases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub granted: Vec<String>,
    /// All of it in one line.
    pub text: String,
}

/// What holds at a loop head.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InvariantReport {
    /// The loop's condition.
    pub span: Place,
    /// All of these hold.
    pub formulas: Vec<String>,
    /// The same in few words, where there are fewer; may say less.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub short: Vec<String>,
}

impl InvariantReport {
    /// For people who have little room.
    pub fn in_short(&self) -> &[String] {
        if self.short.is_empty() { &self.formulas } else { &self.short }
    }
}

/// One abstract state of an execution that may not be a real one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AbstractStepReport {
    /// The code that leads to the state; for the first state, the name of the procedure.
    pub span: Place,
    /// The state as lines of text.
    pub drawing: Vec<String>,
}

/// Why a procedure is unknown, or why there is no invariant.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ReasonReport {
    /// `unsupported`, `bounded`, `no-heap`, `time`, `memory`, `cancelled`, `work`, `cycle`,
    /// `imprecise`, `solver`, `internal`, `no-invariant`, or `engines`: those of all engines are under
    /// `attempts`.
    #[serde(deserialize_with = "word::read")]
    pub kind: Word,
    /// As a sentence.
    pub text: String,
    /// The places that are to blame.
    pub places: Vec<DiagnosticReport>,
    /// What the user can do about it, if that is known.
    pub advice: Option<String>,
}

/// A violated check.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckReport {
    /// `insert:null-deref:2`.
    pub id: String,
    /// `null-deref`.
    #[serde(deserialize_with = "word::read")]
    pub kind: Word,
    /// What went wrong, as a sentence.
    pub message: String,
    /// Where.
    pub span: Place,
    /// Other places that matter: where the memory was freed, which clause is meant.
    pub related: Vec<RelatedReport>,
}

/// A place that helps to understand a violated check.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RelatedReport {
    /// What happened there.
    pub text: String,
    /// Where.
    pub span: Place,
}

/// One state of a trace.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StepReport {
    /// The procedure that is running.
    pub procedure: String,
    /// How many calls deep it is; 0 for the procedure that was started.
    pub depth: usize,
    /// The code that led to the state; for the first state, the name of the procedure.
    pub span: Place,
    /// The heap as lines of text.
    pub drawing: Vec<String>,
    /// So many instructions of a long run were left out before this state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<usize>,
    /// The heap for those who draw it themselves; `None` if it is too large.
    #[serde(skip)]
    pub picture: Option<StateDrawing>,
    /// The same as a page has it, where the report was put together from answers.
    #[serde(default, skip_serializing)]
    pub ready: Option<serde_json::Value>,
}

/// A value that a program was given.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InputReport {
    /// The procedure that asked for it.
    pub procedure: String,
    /// The call that returned it.
    pub span: Place,
    /// The value.
    pub value: i64,
}

/// What an answer cost.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Statistics {
    /// Initial heaps tried.
    pub heaps: u64,
    /// Distinct states seen.
    pub states: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// The most memory in use at once, in bytes, as counted by the engine.
    pub peak_bytes: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// Of this, running the machine before *verified* was said.
    pub machine_seconds: f64,
    /// What the PDR engines count besides.
    pub pdr: Option<PdrStatistics>,
    /// What the pattern engine counts besides.
    pub patterns: Option<PatternStatistics>,
}

/// What a search for heap patterns cost.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct PatternStatistics {
    /// Vertices of the unwinding.
    pub vertices: usize,
    /// Of these, covered.
    pub covers: usize,
    /// Questions to the oracle.
    pub questions: usize,
    /// Heaps that the machine reached and the oracle was shown.
    pub positives: usize,
    /// Heaps that must not fit, and heaps that lead out of a label.
    pub negatives: usize,
    /// Patterns of the invariant.
    pub patterns: usize,
    /// Their nodes together.
    pub nodes: usize,
}

/// What a search by PDR cost.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct PdrStatistics {
    /// The last frame.
    pub frames: usize,
    /// Questions to solvers.
    pub queries: u64,
    /// Of these, for steps into the cubes of states that lead to an error.
    pub blocking: u64,
    /// Of these, for lemmas that may hold in later frames.
    pub pushing: u64,
    /// Lemmas found.
    pub lemmas: usize,
    /// Clauses of the invariant.
    pub clauses: usize,
    /// How many of them are quantified.
    pub universal: usize,
    /// Wall-clock time in solvers.
    pub solver_seconds: f64,
    /// CPU time of the search, solver processes included.
    pub search_seconds: f64,
    /// CPU time to check the final invariant once.
    pub check_seconds: f64,
}

/// A message about the source.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DiagnosticReport {
    /// `error`, `unsupported` or `warning`.
    #[serde(deserialize_with = "word::read")]
    pub severity: Word,
    /// One sentence, no full stop.
    pub message: String,
    /// Where; absent if it is about no place in a file.
    pub span: Option<Place>,
    /// Text beside the caret.
    pub label: Option<String>,
    /// Other places that it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<RelatedReport>,
    /// What to do about it.
    pub help: Option<String>,
}

/// A range in a source file; lines and columns count from 1, columns count characters.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The file's name.
    pub file: String,
    /// Line of the first character.
    pub line: usize,
    /// Column of the first character.
    pub column: usize,
    /// Line of the first character after the range.
    pub end_line: usize,
    /// Column of the first character after the range.
    pub end_column: usize,
    /// The same for those who have the source map. No document has it; who reads one adds it, or goes
    /// without.
    #[serde(default = "nowhere", skip_serializing, deserialize_with = "raw")]
    pub raw: Span,
}

/// What stands for a place without a source map.
fn nowhere() -> Span {
    Span::new(FileId(u32::MAX), 0, 0)
}

/// File, first byte, and one past the last.
fn raw<'de, D: Deserializer<'de>>(from: D) -> Result<Span, D::Error> {
    let (file, start, end) = Deserialize::deserialize(from)?;
    Ok(Span::new(FileId(file), start, end))
}
