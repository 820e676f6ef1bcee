//! What a *verified* assumes besides the correctness of Trellis.
//!
//! **Invariant.** Everything that the user could rightly hold against a *verified* that turns out
//! false is said here, and with every *verified*.

use crate::cfg::reachable_procs;
use crate::checks::{CheckKind, CheckSet};
use crate::ir::{InstrKind, ProcId, Program};

/// What is taken for granted about a procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumptions {
    /// `malloc` and its like never return null.
    pub malloc_succeeds: bool,
    /// Allocation succeeds because the language says so, as long as there is memory.
    pub memory_suffices: bool,
    /// Signed integers wrap around silently.
    pub integers_wrap: bool,
    /// Functions without bodies, which do what their contracts say.
    pub believed: Vec<String>,
    /// Functions whose bodies are models, which the functions of the library behave like.
    pub modelled: Vec<String>,
    /// Where the code itself assumes something (`__VERIFIER_assume`), as `file:line:column`.
    pub assumed: Vec<String>,
    /// What is believed of callers that nobody sees, as phrases.
    pub granted: Vec<String>,
}

impl Assumptions {
    /// Those of a procedure and of everything that it can call.
    pub fn of(
        program: &Program,
        proc: ProcId,
        checks: CheckSet,
        malloc_may_fail: bool,
    ) -> Assumptions {
        let (mut believed, mut assumed, mut modelled) = (Vec::new(), Vec::new(), Vec::new());
        for id in reachable_procs(program, proc) {
            let called = program.proc(id);
            let Some(body) = &called.body else {
                believed.push(called.name.clone());
                continue;
            };
            if program.sources.is_model(called.span) {
                continue;
            }
            let calls = body.instrs().filter_map(|i| i.kind.callee()).map(|p| program.proc(p));
            let models = calls.filter(|p| p.body.is_some() && program.sources.is_model(p.span));
            modelled.extend(models.map(|p| public_name(&p.name).to_owned()));
            let assumes = body.instrs().filter(|i| matches!(i.kind, InstrKind::Assume { .. }));
            assumed.extend(assumes.map(|i| i.span));
        }
        modelled.sort();
        modelled.dedup();
        assumed.sort();
        assumed.dedup();
        Assumptions {
            malloc_succeeds: !malloc_may_fail,
            memory_suffices: program.is_collected(),
            integers_wrap: !checks.contains(CheckKind::Overflow),
            believed,
            modelled,
            assumed: assumed.into_iter().map(|span| program.sources.locate(span)).collect(),
            granted: program.granted.clone(),
        }
    }

    /// The same as phrases, for one line.
    pub fn phrases(&self) -> Vec<String> {
        let mut all = vec!["termination is not proved".to_owned()];
        if self.memory_suffices {
            all.push("memory never runs out".to_owned());
        } else if self.malloc_succeeds {
            all.push("malloc never fails".to_owned());
        }
        if self.integers_wrap {
            all.push("integers wrap silently".to_owned());
        }
        if !self.believed.is_empty() {
            let names: Vec<String> = self.believed.iter().map(|n| format!("`{n}`")).collect();
            let (verb, whose) = match self.believed.len() {
                1 => ("does", "its contract says"),
                _ => ("do", "their contracts say"),
            };
            all.push(format!("{} without a body {verb} what {whose}", names.join(", ")));
        }
        if !self.modelled.is_empty() {
            let names: Vec<String> = self.modelled.iter().map(|n| format!("`{n}`")).collect();
            let (verb, whose) = match self.modelled.len() {
                1 => ("behaves", "its model"),
                _ => ("behave", "their models"),
            };
            all.push(format!("{} {verb} like {whose}", names.join(", ")));
        }
        if !self.assumed.is_empty() {
            all.push(format!("what the code assumes at {} holds", self.assumed.join(", ")));
        }
        all.extend(self.granted.iter().cloned());
        all
    }
}

/// What stands for a function with a format is called once for each of its parts; what stands for a
/// function that is called through a pointer has its name.
fn public_name(model: &str) -> &str {
    match model {
        _ if model.starts_with("trellis_call_") => &model["trellis_call_".len()..],
        "trellis_format" => "vprintf",
        _ if model.starts_with("trellis_scan_") => "sscanf",
        _ if model.starts_with("trellis_") => "sprintf",
        _ => model.strip_prefix("__trellis_").unwrap_or(model),
    }
}
