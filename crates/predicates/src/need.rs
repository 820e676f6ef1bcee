//! Which family to add when the predicates do not exclude a spurious trace.
//!
//! The check that the trace fails tells what is missing: a leak asks for what is kept, freed memory
//! for what is allocated, a postcondition for the families whose symbols it mentions. Where it asks
//! for nothing, the other families are tried one by one, and then all of them: every family makes
//! questions harder, and often one is enough.

use trellis_logic::measure::SymbolsInUse;
use trellis_program::CheckKind;
use trellis_transys::{ErrorKind, Flag, Path, TransitionSystem};

use crate::families::{Families, Family};
use crate::instantiate::idle_arguments;

/// The families in use, and what was tried.
#[derive(Debug)]
pub struct Need {
    /// The families that something asked for.
    certain: Families,
    /// The family that is tried at present.
    trial: Option<Family>,
    /// The families that were tried.
    tried: Families,
}

impl Need {
    /// To begin with these families.
    pub fn new(families: Families) -> Need {
        Need { certain: families, trial: None, tried: Families::none() }
    }

    /// The families to use.
    pub fn families(&self) -> Families {
        let mut families = self.certain.clone();
        if let Some(trial) = self.trial {
            families.insert(trial);
        }
        families
    }

    /// Changes the families, because they do not exclude a trace whose last path is `last`. False
    /// if no others are left.
    pub fn grow(&mut self, system: &TransitionSystem, last: Option<&Path>) -> bool {
        let used = self.families();
        let end = End::new(system, last);
        let missing = |families: &Families| -> Vec<Family> {
            let missing = Family::ALL.into_iter().filter(|f| !families.contains(*f));
            missing.filter(|f| exists(system, *f)).collect()
        };
        let asked = missing(&used).into_iter().find(|f| end.asks_for(system, *f));
        if let Some(asked) = asked {
            // A trial that leads to another question was of use.
            self.certain = used;
            self.certain.insert(asked);
            self.trial = None;
            return true;
        }
        let others = missing(&self.certain);
        self.trial = others.iter().copied().find(|f| !self.tried.contains(*f));
        match self.trial {
            Some(trial) => self.tried.insert(trial),
            None => others.iter().for_each(|family| self.certain.insert(*family)),
        }
        self.families() != used
    }
}

/// Whether a family has predicates that say something in a system.
fn exists(system: &TransitionSystem, family: Family) -> bool {
    let symbols = &system.symbols;
    let lists = symbols.pointers.iter().filter(|f| f.recursive).count();
    let ordered = symbols.integers.iter().any(|f| matches!(f.now, Flag::Data(_)));
    let numbers = symbols
        .regs
        .values()
        .any(|twin| matches!(twin.now, trellis_transys::RegSymbol::Int(Flag::Data(_))));
    match family {
        Family::Equality | Family::Kept => true,
        Family::Reach | Family::Edge => !symbols.pointers.is_empty(),
        Family::Segment | Family::Stable => lists > 0,
        Family::Data => ordered || numbers,
        Family::Sorted => ordered && lists > 0,
        Family::Reverse => lists > 1,
        Family::Arguments => !idle_arguments(system).is_empty(),
        Family::Entry => {
            symbols.alloc.now != symbols.alloc.entry
                || symbols.pointers.iter().any(|f| f.relation.now != f.relation.entry)
        }
    }
}

/// How a trace ends.
struct End {
    kind: Option<ErrorKind>,
    mentioned: SymbolsInUse,
}

impl End {
    fn new(system: &TransitionSystem, last: Option<&Path>) -> End {
        let mut mentioned = SymbolsInUse::default();
        for &guard in last.into_iter().flat_map(|path| &path.guards) {
            let symbols = system.arena.symbols_in_use(guard);
            mentioned.funs.extend(symbols.funs);
            mentioned.rels.extend(symbols.rels);
        }
        End { kind: last.and_then(Path::error).map(|e| e.kind), mentioned }
    }

    fn asks_for(&self, system: &TransitionSystem, family: Family) -> bool {
        let symbols = &system.symbols;
        let kind = match self.kind {
            Some(ErrorKind::Check(kind)) => Some(kind),
            _ => None,
        };
        let promised = matches!(
            kind,
            Some(CheckKind::Postcondition | CheckKind::SpecAssert | CheckKind::Assertion)
        );
        match family {
            Family::Equality | Family::Reach | Family::Edge => true,
            Family::Stable => {
                let memory = [
                    CheckKind::UseAfterFree,
                    CheckKind::InvalidFree,
                    CheckKind::DoubleFree,
                    CheckKind::Uninit,
                ];
                kind.is_some_and(|k| memory.contains(&k))
                    || (promised && self.mentioned.rels.contains(&symbols.alloc.now))
            }
            Family::Kept => kind == Some(CheckKind::Leak),
            Family::Data | Family::Sorted => {
                promised && self.mentioned.rels.contains(&symbols.at_most)
            }
            Family::Reverse => {
                let lists = symbols.pointers.iter().filter(|f| f.recursive);
                promised
                    && lists.filter(|f| self.mentioned.rels.contains(&f.relation.now)).count() > 1
            }
            Family::Arguments | Family::Segment => false,
            Family::Entry => {
                let changed =
                    symbols.pointers.iter().filter(|f| f.relation.now != f.relation.entry);
                promised
                    && changed.into_iter().any(|f| self.mentioned.rels.contains(&f.relation.entry))
            }
        }
    }
}
