//! What the symbols of a transition system mean, for the reader of a certificate.

use std::collections::BTreeMap;

use trellis_logic::{FunId, RelId};
use trellis_program::view::Twin;
use trellis_program::{Program, Reg};
use trellis_transys::{Flag, TransitionSystem};

/// The meaning of symbols, each a noun phrase or a sentence about its arguments x and y.
#[derive(Clone, Default, Debug)]
pub struct Meanings {
    /// Of constants and functions.
    pub funs: BTreeMap<FunId, String>,
    /// Of propositions and relations.
    pub rels: BTreeMap<RelId, String>,
}

impl Meanings {
    /// The meaning of everything that a state can have.
    pub fn new(program: &Program, system: &TransitionSystem) -> Meanings {
        let mut meanings = Meanings::default();
        let symbols = &system.symbols;
        meanings.funs.insert(symbols.null, "the null pointer".into());
        meanings.rels.insert(symbols.at_most, "the integer x is at most the integer y".into());
        meanings.relation(symbols.alloc, |when| format!("x is allocated{when}"));
        for field in &symbols.pointers {
            let name = &field.name;
            let says = field.theory.meaning(name);
            meanings.relation(field.relation, |when| format!("{says}{when}"));
            if let Some(edge) = field.edge {
                meanings.relation(edge, |when| format!("the field `{name}` of x holds y{when}"));
            }
            meanings.rels.insert(field.undefined, undefined(name));
        }
        for field in &symbols.integers {
            let name = &field.name;
            let twin = Twin { now: field.now, entry: field.entry };
            meanings.flag(twin, |when| format!("the field `{name}` of x{when}"));
            meanings.rels.insert(field.undefined, undefined(name));
        }
        meanings.variables(program, system);
        for (value, fun) in &symbols.constants {
            meanings.funs.insert(*fun, format!("the integer {value}"));
        }
        for rel in symbols.types.values() {
            let name = &system.vocabulary.rel(*rel).name;
            meanings.rels.insert(*rel, format!("the type of the object x is that of `{name}`"));
        }
        for rel in symbols.marks.values() {
            let name = &system.vocabulary.rel(*rel).name;
            meanings.rels.insert(*rel, format!("the predicate `{name}` of the source holds of x"));
        }
        meanings
    }

    fn variables(&mut self, program: &Program, system: &TransitionSystem) {
        use trellis_transys::RegSymbol;
        let name = |reg: Reg| program.reg_name(system.proc, reg);
        for (reg, twin) in &system.symbols.regs {
            let says = |when: &str| format!("the variable `{}`{when}", name(*reg));
            match (twin.now, twin.entry) {
                (RegSymbol::Ptr(now), RegSymbol::Ptr(entry)) => {
                    let flags = Twin { now: Flag::Data(now), entry: Flag::Data(entry) };
                    self.flag(flags, says);
                }
                (RegSymbol::Int(now), RegSymbol::Int(entry)) => {
                    self.flag(Twin { now, entry }, says);
                }
                _ => {}
            }
        }
        for (reg, rel) in &system.symbols.unset {
            self.rels.insert(*rel, format!("the variable `{}` has no value yet", name(*reg)));
        }
        for (reg, (fun, _)) in &system.symbols.addresses {
            self.funs.insert(*fun, format!("the object of the variable `{}`", name(*reg)));
        }
    }

    fn relation(&mut self, twin: Twin<RelId>, says: impl Fn(&str) -> String) {
        self.flag(Twin { now: Flag::Truth(twin.now), entry: Flag::Truth(twin.entry) }, says);
    }

    /// A symbol and its copy of the entry; they are one if the code never changes it.
    fn flag(&mut self, twin: Twin<Flag<FunId>>, says: impl Fn(&str) -> String) {
        let mut add = |flag, text: String| match flag {
            Flag::Truth(rel) => drop(self.rels.insert(rel, text)),
            Flag::Data(fun) => drop(self.funs.insert(fun, text)),
        };
        if twin.now == twin.entry {
            add(twin.now, says(""));
        } else {
            add(twin.now, says(", now"));
            add(twin.entry, says(", at the entry"));
        }
    }
}

fn undefined(field: &str) -> String {
    format!("the field `{field}` of x was never written")
}
