//! What a client asks for, and what it is told.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use trellis_certify::Evidence;
use trellis_driver::{
    Budget, Counterexample, LoopInvariant, Options, Plan, Progress, Properties, Registry,
    Selection, Settings, SolverFactory,
};
use trellis_program::{Diagnostic, Failure, Input, ProcId, Program, SourceMap, Unit};
use trellis_report::model::{FileReport, ProcedureReport};
use trellis_store::StoreAddress;

use crate::front_ends::FrontEnds;
use crate::kept::Kept;
use crate::solvers::{Factory, SolverChoice};

/// What to verify, how, and what it may cost.
pub struct Request {
    /// What to read, in this order.
    pub sources: Vec<Source>,
    /// How to read it.
    pub front_ends: FrontEnds,
    /// Which procedures. A name must be one of a procedure of some source.
    pub selection: Selection,
    /// Who answers.
    pub engine: Chosen,
    /// What to check, how far to look. Its threads are those of all procedures together.
    pub options: Options,
    /// What each procedure may cost; its flag cancels everything.
    pub budget: Budget,
    /// If only these properties of whole programs are to be looked at. Then the options check what
    /// they need, and the procedure is `main`.
    pub properties: Option<Properties>,
    /// Whether an answer that is neither good nor bad is none to fail on.
    pub lenient: bool,
    /// How a client would run a counterexample again, if it can.
    pub command: Option<Command>,
    /// Where answers are kept from run to run, if they are.
    pub kept: Option<Kept>,
    /// Which answers are no reason to fail.
    pub excuse: Option<Excuse>,
}

/// From an answer to why it is no reason to fail, if so.
pub type Excuse = Box<dyn Fn(&ProcedureReport, &SourceMap) -> Option<String> + Sync>;

/// From a counterexample to the command that runs it again.
pub type Command = Box<dyn Fn(&Repeat<'_>) -> String + Sync>;

/// A counterexample that someone may want to run again.
pub struct Repeat<'a> {
    /// The source.
    pub source: &'a Source,
    /// The procedure.
    pub procedure: &'a str,
    /// What was found.
    pub found: &'a Counterexample,
    /// The heap that it starts from, in heap notation.
    pub heap: &'a str,
}

/// Something to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// A text, in the language that its name says, which needs no preprocessing.
    Text {
        /// The name that places in it are shown under.
        name: String,
        /// The text.
        text: String,
    },
    /// What would be a file if the client had not read it itself.
    Bytes {
        /// The name that places in it are shown under.
        name: String,
        /// What it holds.
        bytes: Vec<u8>,
    },
    /// Several that are linked into one program; no programs among them.
    Program(Vec<Source>),
}

impl Source {
    /// The path, or the name of a text as one; of a program, that of its first source.
    pub fn path(&self) -> &Path {
        match self {
            Source::File(path) => path,
            Source::Text { name, .. } | Source::Bytes { name, .. } => Path::new(name),
            Source::Program(all) => all.first().map_or(Path::new(""), Source::path),
        }
    }

    /// The sources of a program; any other source is one alone.
    pub fn all(&self) -> &[Source] {
        match self {
            Source::Program(all) => all,
            one => std::slice::from_ref(one),
        }
    }

    /// The paths of what is linked to the first source.
    pub fn linked(&self) -> Vec<String> {
        self.all().iter().skip(1).map(|s| s.path().display().to_string()).collect()
    }

    /// The sources of files, each a program of its own, or those of a language that links together
    /// where the first of them stands.
    pub fn programs(all: Vec<Source>, front_ends: &FrontEnds, separately: bool) -> Vec<Source> {
        let links = |s: &Source| !separately && front_ends.of(s.path()).links();
        let (together, alone): (Vec<_>, Vec<_>) =
            all.into_iter().enumerate().partition(|(_, s)| links(s));
        let mut programs = alone;
        if let Some(&(first, _)) = together.first() {
            let mut parts: Vec<Source> = together.into_iter().map(|(_, s)| s).collect();
            let program = if parts.len() == 1 { parts.remove(0) } else { Source::Program(parts) };
            programs.push((first, program));
        }
        programs.sort_by_key(|(at, _)| *at);
        programs.into_iter().map(|(_, s)| s).collect()
    }

    /// What a front end makes of it.
    ///
    /// # Errors
    /// Those of the front end.
    pub fn read(&self, front_ends: &FrontEnds) -> Result<Unit, Failure> {
        let inputs: Vec<Input<'_>> = self.all().iter().map(Source::input).collect();
        match inputs.as_slice() {
            [one] => front_ends.read(*one),
            all => front_ends.read(Input::Program(all)),
        }
    }

    /// As a front end reads it alone.
    fn input(&self) -> Input<'_> {
        match self {
            Source::File(path) => Input::File(path),
            Source::Text { name, text } => Input::Text { name, text },
            Source::Bytes { name, bytes } => Input::Bytes { name, bytes },
            Source::Program(_) => Input::Program(&[]),
        }
    }
}

/// A plan, with the solvers that its engines ask.
#[derive(Clone)]
pub struct Chosen {
    /// The plan.
    pub plan: Arc<Plan>,
    /// The solvers.
    pub solvers: Factory,
    /// The same as text, if there is one: two plans of one text answer alike, and leave nothing
    /// behind but their answers.
    pub text: Option<String>,
}

impl Chosen {
    /// The plan of a name, with what the user says to single engines.
    ///
    /// # Errors
    /// A sentence, if there is none of that name.
    pub fn new(engine: &str, settings: &Settings, solvers: SolverChoice) -> Result<Chosen, String> {
        let leaves = solvers.dump_smt.is_some() || solvers.record.is_some();
        let leaves = leaves || solvers.proofs.is_some();
        let written = settings.written_but::<StoreAddress>().filter(|_| !leaves);
        let text = written.map(|written| format!("{engine}; {written}; {solvers:?}"));
        let solvers = solvers.factory();
        let make = solvers.clone();
        let solver: SolverFactory = Arc::new(move || make.make());
        let plan = Registry::default().plan(engine, &settings.clone().with(solver));
        let plan = plan.ok_or_else(|| format!("there is no engine `{engine}`"))?;
        Ok(Chosen { plan: Arc::new(plan), solvers, text })
    }
}

/// What happens in a session.
pub enum Event<'a> {
    /// A source is next; what is told up to the next one is about it.
    Source {
        /// The source.
        source: &'a Source,
        /// What was read, or why it cannot be used.
        unit: Result<&'a Unit, &'a Failure>,
    },
    /// An engine begins to look at a procedure, and at no other until it has answered. Of
    /// procedures that are verified side by side only the answers are told.
    Begun {
        /// The procedure.
        procedure: &'a str,
        /// The name of the plan.
        engine: &'static str,
        /// How far it is, at any time.
        progress: &'a Arc<Progress>,
    },
    /// All answers about a source were told.
    Finished {
        /// They, and what was not looked at.
        report: &'a FileReport,
    },
    /// The answer about a procedure. They come in the order of the procedures.
    Answered {
        /// The source.
        source: &'a Source,
        /// What was read.
        unit: &'a Unit,
        /// What the procedure needs of the program; the answer is about this.
        program: &'a Program,
        /// The procedure there.
        proc: ProcId,
        /// The answer.
        report: &'a ProcedureReport,
        /// What the user should know besides.
        warnings: &'a [Diagnostic],
        /// Why, if it is verified.
        evidence: Option<&'a Evidence>,
        /// The violation, if the answer is one and an engine found it in this run.
        violation: Option<&'a Counterexample>,
        /// What holds at loops, if the answer is *verified* and was found in this run.
        invariants: &'a [LoopInvariant],
    },
}
