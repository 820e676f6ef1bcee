//! From a concrete execution to the report about it.

use trellis_program::concrete::{Finish, InitialHeap, Memory, Trace, Value};
use trellis_program::{CheckTable, ProcId, Program};

use crate::build::{self, Context};
use crate::heap::{notation, object_name};
use crate::model::RunBody;
use crate::steps::steps;

/// The report about a run of at most so many instructions.
pub fn body(
    program: &Program,
    proc: ProcId,
    initial: &InitialHeap,
    trace: &Trace,
    choices: Vec<u32>,
    most: usize,
) -> RunBody {
    let context = Context { program, checks: &CheckTable::of(program) };
    let mut result = None;
    let mut check = None;
    let (outcome, text) = match &trace.finish {
        Some(Finish::Returned(value)) => {
            result = returned(*value, &trace.last.memory);
            let text = match &result {
                Some(value) => format!("returned {value}"),
                None => "returned".to_owned(),
            };
            ("returned", text)
        }
        Some(Finish::Exited) => ("exited", "called exit".to_owned()),
        Some(Finish::Stopped) => (
            "stopped",
            "stopped: abort, a false assumption, or a check that is switched off".to_owned(),
        ),
        Some(Finish::Failed(failure)) => {
            let report = build::check(context, failure, trace);
            let text = format!("{} ({})", report.message, report.kind);
            check = Some(report);
            ("failed", text)
        }
        Some(Finish::Unsupported { span, reason }) => {
            let at = program.sources.locate(*span);
            ("unsupported", format!("not supported: {reason}, at {at}"))
        }
        Some(Finish::TooDeep) => ("too-deep", "stopped: too many nested calls".to_owned()),
        None => ("steps", format!("stopped after {most} instructions")),
    };
    RunBody {
        procedure: program.proc(proc).name.clone(),
        outcome,
        text,
        result,
        check,
        initial_heap: notation(program, proc, initial),
        choices,
        trace: steps(program, proc, trace),
    }
}

/// A returned scalar as written in C, or as the drawing calls it.
fn returned(value: Value, memory: &Memory) -> Option<String> {
    match value {
        Value::Int(n) => Some(n.to_string()),
        Value::Null => Some("NULL".to_owned()),
        Value::Ptr(p) => Some(object_name(memory, p.obj).map_or_else(
            || "a pointer".to_owned(),
            |name| match p.off {
                0 => format!("a pointer to {name}"),
                _ => format!("a pointer into {name}"),
            },
        )),
        Value::Piece(..) => Some("a part of a pointer".to_owned()),
        Value::Undef | Value::Open | Value::Bytes => None,
    }
}
