//! Programs to try things on.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use trellis_patterns::{PatternProgram, Settings, lower};
use trellis_program::concrete::{Machine, MachineOptions};
use trellis_program::{CheckKind, CheckSet, InlineLimits, Inlined, Unit, Work, inline};
use trellis_proveit::examples::Runner;
use trellis_suites::patterns::Manifest;

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/proveit")
}

/// A procedure without calls, and in the small language.
pub struct Subject {
    pub name: String,
    pub inlined: Inlined,
    pub code: PatternProgram,
    pub checks: CheckSet,
}

impl Subject {
    pub fn new(path: &Path, proc: &str, gc: bool) -> Subject {
        let unit = trellis_front_c::load(path, &trellis_front_c::Options::default());
        let unit = unit.unwrap_or_else(|_| panic!("{} can be read", path.display()));
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        Subject::of(name, &unit, proc, gc)
    }

    /// A procedure `f` of a preprocessed text.
    pub fn of_text(text: &str) -> Subject {
        let unit = trellis_front_c::load_str("text.c", text).expect("a program");
        Subject::of(text.to_owned(), &unit, "f", false)
    }

    fn of(name: String, unit: &Unit, proc: &str, gc: bool) -> Subject {
        let proc = unit.program.find_proc(proc).expect("the procedure is there");
        let inlined = inline(&unit.program, proc, InlineLimits::default()).expect("no recursion");
        let mut checks = CheckSet::default();
        checks.set(CheckKind::Leak, !gc);
        let settings = Settings { checks, malloc_may_fail: false };
        let code = lower(&inlined.program, inlined.proc, &settings).expect("it has words");
        Subject { name, inlined, code, checks }
    }

    pub fn machine(&self) -> Machine<'_> {
        let ints = vec![-1, 0, 1, 2, 3, 4, 5, 7];
        let checks = self.checks;
        Machine::new(&self.inlined.program, MachineOptions { checks, ints, ..Default::default() })
    }

    pub fn runner<'a>(&'a self, code: &'a PatternProgram, machine: &'a Machine<'a>) -> Runner<'a> {
        static WORK: OnceLock<Work> = OnceLock::new();
        let work = WORK.get_or_init(Work::default);
        let (program, proc) = (&self.inlined.program, self.inlined.proc);
        Runner { program, proc, patterns: code, checks: self.checks, machine, work }
    }
}

/// Every program of the suite, buggy ones included.
pub fn suite() -> Vec<Subject> {
    let manifest = Manifest::load(&folder()).expect("the manifest is there");
    let subject =
        |r: &trellis_suites::patterns::Row| Subject::new(&folder().join(&r.file), &r.proc, r.gc);
    manifest.rows.iter().map(subject).collect()
}
