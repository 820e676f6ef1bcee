//! Findings that are no reason to fail: those of a baseline, and those that the project suppresses with
//! a reason and a date.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use trellis_program::{Diagnostic, Failure, SourceMap};
use trellis_report::findings::{BASELINE_SCHEMA, Baseline, Finding, findings};
use trellis_report::model::ProcedureReport;
use trellis_session::witnesses::date;

use crate::input;

/// What a project does not want to be told any more, for a while.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppression {
    /// The kind of check, or the verdict; any if it is not said.
    pub kind: Option<String>,
    /// The procedure; any if it is not said.
    pub procedure: Option<String>,
    /// The file; any if it is not said.
    pub file: Option<String>,
    /// Why.
    pub reason: String,
    /// The last day on which it holds.
    pub until: String,
}

impl Suppression {
    fn covers(&self, finding: &Finding) -> bool {
        let is =
            |wanted: &Option<String>, found: &str| wanted.as_deref().is_none_or(|w| w == found);
        is(&self.kind, &finding.kind)
            && is(&self.procedure, &finding.procedure)
            && is(&self.file, &finding.file)
    }

    /// As it is told.
    fn about(&self) -> String {
        let parts = [&self.kind, &self.procedure, &self.file];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        parts.join(", ")
    }
}

/// What is excused in a run.
#[derive(Debug)]
pub struct Excuses {
    suppressions: Vec<Suppression>,
    today: String,
    /// How often each finding of the baseline may still come.
    known: Mutex<BTreeMap<Finding, usize>>,
    /// All that was found, for a new baseline.
    found: Mutex<Vec<Finding>>,
}

impl Excuses {
    /// Those of a baseline, if there is one, and of suppressions.
    ///
    /// # Errors
    /// If the baseline cannot be read.
    pub fn new(
        baseline: Option<&Path>,
        suppressions: Vec<Suppression>,
    ) -> Result<Excuses, Failure> {
        let mut known = BTreeMap::new();
        for finding in baseline.map_or(Ok(Vec::new()), read)? {
            *known.entry(finding).or_default() += 1;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        let today = date(now)[..10].to_owned();
        Ok(Excuses { suppressions, today, known: Mutex::new(known), found: Mutex::default() })
    }

    /// Whether nothing can be excused.
    pub fn is_empty(&self) -> bool {
        self.suppressions.is_empty() && locked(&self.known).is_empty()
    }

    /// Why what is said about a procedure is no reason to fail, if all of it is excused.
    pub fn excuse(&self, report: &ProcedureReport, sources: &SourceMap) -> Option<String> {
        let all = findings(report, sources);
        locked(&self.found).extend(all.iter().cloned());
        let mut reasons: Vec<String> = Vec::new();
        let mut excused = !all.is_empty();
        for finding in &all {
            match self.reason(finding) {
                Some(reason) if !reasons.contains(&reason) => reasons.push(reason),
                Some(_) => {}
                None => excused = false,
            }
        }
        excused.then(|| reasons.join("; "))
    }

    fn reason(&self, finding: &Finding) -> Option<String> {
        let holds = |s: &&Suppression| s.until >= self.today && s.covers(finding);
        if let Some(found) = self.suppressions.iter().find(holds) {
            return Some(format!("{} (until {})", found.reason, found.until));
        }
        let mut known = locked(&self.known);
        let left = known.get_mut(finding).filter(|n| **n > 0)?;
        *left -= 1;
        Some("it is in the baseline".to_owned())
    }

    /// What is to be said of suppressions in the end: those that are over, and those without use.
    pub fn remarks(&self) -> Vec<String> {
        let found = locked(&self.found);
        let used = |s: &Suppression| found.iter().any(|f| s.covers(f));
        let one = |s: &Suppression| match (used(s), s.until < self.today) {
            (true, true) => Some(format!("a suppression ended on {}: {}", s.until, s.about())),
            (false, _) => Some(format!("a suppression has nothing to suppress: {}", s.about())),
            (true, false) => None,
        };
        self.suppressions.iter().filter_map(one).collect()
    }

    /// All that was found, as a new baseline.
    pub fn baseline(&self) -> String {
        let baseline = Baseline::new(locked(&self.found).clone());
        // Texts always have a JSON form.
        serde_json::to_string_pretty(&baseline).unwrap_or_default() + "\n"
    }
}

/// What is behind a lock; nothing that panics leaves it half done.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The findings of a baseline.
fn read(path: &Path) -> Result<Vec<Finding>, Failure> {
    let name = path.display().to_string();
    let text = input::text_of(path).map_err(|e| {
        Failure::plain(Diagnostic::plain_error(format!("cannot read the baseline `{name}`: {e}")))
    })?;
    let wrong = |line: usize, column: usize, message: String| {
        let mut sources = SourceMap::default();
        let file = sources.add(name.clone(), text.clone());
        let start = sources.file(file).line_range(line).map_or(0, |(start, _)| start);
        let at = (start + column.saturating_sub(1) as u32).min(text.len() as u32);
        let span = trellis_program::Span::new(file, at, at + 1);
        Failure::new(sources, Diagnostic::error(span, message))
    };
    let read: Baseline = serde_json::from_str(&text).map_err(|e| {
        let place = format!(" at line {} column {}", e.line(), e.column());
        let said = e.to_string();
        wrong(e.line(), e.column(), format!("no baseline: {}", said.replace(&place, "")))
    })?;
    match read.schema == BASELINE_SCHEMA {
        true => Ok(read.findings),
        false => {
            let message =
                format!("no baseline of this version: its `schema` is not `{BASELINE_SCHEMA}`");
            Err(wrong(1, 1, message))
        }
    }
}
