//! From a transition system and invariants to evidence, and to a certificate.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use trellis_graphs::evidence::Graphs;
use trellis_logic::FormulaId;
use trellis_patterns::evidence::Patterns;
use trellis_program::{CheckSet, FrontEnd, Program, Setting, Span, Unit};
use trellis_shapes::evidence::Shapes;
use trellis_transys::{LocationId, Options, TransitionSystem, Words};

use crate::certificate::{
    Certificate, CutPoint, Exhaustion, FORMAT, LinkedFile, Place, Source, SourceSetting, Symbol,
    VERSION, WrittenClause, digest,
};
use crate::meaning::Meanings;
use crate::names::Names;
use crate::sequents::Sequents;
use crate::state::State;
use crate::text;

/// A certificate without its source: what an engine gives away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The procedure.
    pub procedure: String,
    /// The kinds of checks that were on.
    pub checks: Vec<String>,
    /// Whether `malloc` may return null.
    pub malloc_may_fail: bool,
    /// What the logic can speak of.
    pub words: Words,
    /// Over how many fields in turn an object may be reached so as not to be leaked.
    pub leak_turns: usize,
    /// What the invariants speak of.
    pub vocabulary: Vec<Symbol>,
    /// One for every loop; none if there are shapes or patterns.
    pub cut_points: Vec<CutPoint>,
    /// In place of clauses: abstract heaps of lists.
    pub shapes: Option<Shapes>,
    /// In place of clauses: heap patterns.
    pub patterns: Option<Patterns>,
    /// In place of clauses: memory graphs.
    pub graphs: Option<Graphs>,
    /// In place of clauses: parts of invariants of higher-order logic.
    pub sequents: Option<Sequents>,
    /// In place of clauses: that all states were visited.
    pub exhaustion: Option<Exhaustion>,
}

/// An invariant that speaks of something that is not part of the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foreign {
    /// The symbol.
    pub symbol: String,
    /// The clause, for people.
    pub clause: String,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not part of the state in `{}`", self.symbol, self.clause)
    }
}

impl std::error::Error for Foreign {}

impl Evidence {
    /// The evidence by invariants, one list of clauses a location. The program is the one that the
    /// system was built from, calls replaced, with these options; the system's vocabulary may have
    /// grown since.
    ///
    /// # Errors
    /// If an invariant speaks of something that is not part of the state at its location, or the
    /// entry has one.
    pub fn new(
        program: &Program,
        system: &TransitionSystem,
        options: &Options,
        invariant: &[Vec<FormulaId>],
    ) -> Result<Evidence, Foreign> {
        let names = Names::new(&system.vocabulary);
        let mut used = Used::default();
        let mut cut_points = Vec::new();
        for (i, location) in system.locations.iter().enumerate() {
            let state = State::at(system, LocationId(i));
            let clauses = invariant.get(i).map_or(&[][..], Vec::as_slice);
            let mut written = Vec::new();
            for &clause in clauses {
                let text = system.arena.print(&system.vocabulary, clause);
                if i == LocationId::ENTRY.0 {
                    return Err(Foreign { symbol: "the entry".into(), clause: text });
                }
                if let Some(symbol) = state.foreign_symbol(system, &names, clause) {
                    return Err(Foreign { symbol, clause: text });
                }
                used.add(system, clause);
                let formula = text::write(&system.arena, &names, clause);
                written.push(WrittenClause { formula, text });
            }
            if i != LocationId::ENTRY.0 {
                let place = place(program, location.span);
                cut_points.push(CutPoint { place, block: location.block.0, invariant: written });
            }
        }
        Ok(Evidence {
            procedure: program.proc(system.proc).name.clone(),
            checks: options.checks.iter().map(|k| k.name().to_owned()).collect(),
            malloc_may_fail: options.malloc_may_fail,
            words: options.words,
            leak_turns: options.leak_turns,
            vocabulary: used.described(program, system, &names),
            cut_points,
            shapes: None,
            patterns: None,
            graphs: None,
            sequents: None,
            exhaustion: None,
        })
    }

    /// The evidence by abstract heaps.
    pub fn of_shapes(
        procedure: &str,
        checks: CheckSet,
        malloc_may_fail: bool,
        shapes: Shapes,
    ) -> Evidence {
        Evidence { shapes: Some(shapes), ..Evidence::empty(procedure, checks, malloc_may_fail) }
    }

    /// The evidence by heap patterns.
    pub fn of_patterns(
        procedure: &str,
        checks: CheckSet,
        malloc_may_fail: bool,
        patterns: Patterns,
    ) -> Evidence {
        let empty = Evidence::empty(procedure, checks, malloc_may_fail);
        Evidence { patterns: Some(patterns), ..empty }
    }

    /// The evidence by memory graphs.
    pub fn of_graphs(
        procedure: &str,
        checks: CheckSet,
        malloc_may_fail: bool,
        graphs: Graphs,
    ) -> Evidence {
        Evidence { graphs: Some(graphs), ..Evidence::empty(procedure, checks, malloc_may_fail) }
    }

    /// The evidence by invariants of higher-order logic.
    pub fn of_sequents(procedure: &str, checks: CheckSet, sequents: Sequents) -> Evidence {
        Evidence { sequents: Some(sequents), ..Evidence::empty(procedure, checks, false) }
    }

    /// The evidence by visiting all states.
    pub fn of_exhaustion(
        procedure: &str,
        checks: CheckSet,
        malloc_may_fail: bool,
        exhaustion: Exhaustion,
    ) -> Evidence {
        Evidence {
            exhaustion: Some(exhaustion),
            ..Evidence::empty(procedure, checks, malloc_may_fail)
        }
    }

    fn empty(procedure: &str, checks: CheckSet, malloc_may_fail: bool) -> Evidence {
        Evidence {
            procedure: procedure.to_owned(),
            checks: checks.iter().map(|k| k.name().to_owned()).collect(),
            malloc_may_fail,
            words: Words::Basic,
            leak_turns: 1,
            vocabulary: Vec::new(),
            cut_points: Vec::new(),
            shapes: None,
            patterns: None,
            graphs: None,
            sequents: None,
            exhaustion: None,
        }
    }
}

impl Source {
    /// The sources with these paths and bytes, which a front end read as this unit.
    pub fn of_program(
        files: Vec<(String, Vec<u8>)>,
        front_end: &dyn FrontEnd,
        unit: &Unit,
    ) -> Source {
        let mut files = files.into_iter();
        let (path, bytes) = files.next().unwrap_or_default();
        let linked = files.map(|(path, bytes)| LinkedFile { path, sha256: digest(&bytes) });
        Source { linked: linked.collect(), ..Source::new(path, &bytes, front_end, unit) }
    }

    /// The source with these bytes, which a front end read under a path as this unit.
    pub fn new(
        path: impl Into<String>,
        bytes: &[u8],
        front_end: &dyn FrontEnd,
        unit: &Unit,
    ) -> Source {
        let settings = front_end.settings().into_iter();
        // What was not chosen says nothing, except of what every certificate of C has always told.
        let told =
            settings.filter(|s| !s.values.is_empty() || matches!(s.name, "define" | "include"));
        let setting = |s: Setting| SourceSetting { name: s.name.into(), values: s.values };
        Source {
            language: front_end.language().into(),
            path: path.into(),
            sha256: digest(bytes),
            linked: Vec::new(),
            text_sha256: digest(unit.text.as_bytes()),
            settings: told.map(setting).collect(),
        }
    }
}

impl Certificate {
    /// The certificate of evidence about a source.
    pub fn new(source: Source, evidence: Evidence) -> Certificate {
        let Evidence {
            procedure,
            checks,
            vocabulary,
            cut_points,
            shapes,
            patterns,
            graphs,
            sequents,
            exhaustion,
            ..
        } = evidence;
        Certificate {
            format: FORMAT.into(),
            version: VERSION,
            tool: format!("trellis {}", env!("CARGO_PKG_VERSION")),
            source,
            procedure,
            checks,
            malloc_may_fail: evidence.malloc_may_fail,
            words: match evidence.words {
                Words::Basic => "basic".into(),
                Words::Edges => "edges".into(),
            },
            leak_turns: evidence.leak_turns,
            vocabulary,
            cut_points,
            shapes,
            patterns,
            graphs,
            sequents,
            exhaustion,
        }
    }
}

/// The symbols that invariants use.
#[derive(Default)]
struct Used {
    funs: BTreeSet<trellis_logic::FunId>,
    rels: BTreeSet<trellis_logic::RelId>,
}

impl Used {
    fn add(&mut self, system: &TransitionSystem, clause: FormulaId) {
        let used = system.arena.symbols_in_use(clause);
        self.funs.extend(used.funs);
        self.rels.extend(used.rels);
    }

    fn described(
        &self,
        program: &Program,
        system: &TransitionSystem,
        names: &Names,
    ) -> Vec<Symbol> {
        let meanings = Meanings::new(program, system);
        let mut all = BTreeMap::new();
        let unexplained = || "a symbol of the state".to_owned();
        for fun in &self.funs {
            let meaning = meanings.funs.get(fun).cloned().unwrap_or_else(unexplained);
            all.insert(names.fun(*fun).to_owned(), meaning);
        }
        for rel in &self.rels {
            let meaning = meanings.rels.get(rel).cloned().unwrap_or_else(unexplained);
            let name = match names.rel(*rel) {
                (name, Some(field)) => format!("{name} {field}"),
                (name, None) => name.to_owned(),
            };
            all.insert(name, meaning);
        }
        all.into_iter().map(|(symbol, meaning)| Symbol { symbol, meaning }).collect()
    }
}

/// Where a span begins.
pub fn place(program: &Program, span: Span) -> Place {
    let (line, column) = program.sources.line_col(span);
    Place { file: program.sources.file(span.file).name.clone(), line, column }
}
