//! Headers: structs that are no list nodes themselves but hold the ends of lists.
//!
//! What `bucket->first` leads to is reached over two fields in turn, which no universal formula can
//! say. So what the headers that a procedure is given hold at the entry gets names,
//! `\old(bucket->first)`, and what they hold at a return is found there, as by a load. With these
//! among the roots, one field is mostly enough to reach everything.
//!
//! **Invariant.** Such a name denotes what its cell held at the entry, and null if there was no
//! such cell. Headers have no field that leads back to their own type, so a few steps see them all;
//! what lies deeper is not named, which costs proofs and never makes one wrong.

use trellis_logic::{FormulaId, FunId, TermId, Vocabulary};
use trellis_program::Reg;
use trellis_program::view::{Kind, Spot};

use crate::execute::Builder;
use crate::execute::state::Run;
use crate::symbols::{RegSymbol, Symbols};
use crate::theory::FieldAt;

/// Headers inside headers are followed so far.
const DEPTH: usize = 3;
/// Most names of one procedure.
const MOST: usize = 8;

/// A name for what a header holds at the entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Held {
    /// The name.
    pub fun: FunId,
    /// The name of the header.
    pub header: FunId,
    /// Which of the pointer fields.
    pub field: usize,
}

impl Symbols {
    /// The pointer fields of a header; none if objects there are no headers.
    pub(crate) fn header_fields(&self, spot: Spot) -> Vec<usize> {
        let Spot::At { family, .. } = spot else { return Vec::new() };
        let here = |i: &usize| self.pointers[*i].cell.family == family;
        let fields: Vec<usize> = (0..self.pointers.len()).filter(here).collect();
        match fields.iter().any(|i| self.pointers[*i].recursive) {
            true => Vec::new(),
            false => fields,
        }
    }

    /// Names what the headers hold that the procedure is given.
    pub(crate) fn declare_held(&mut self, given: &[Reg], logic: &mut Vocabulary) {
        let mut headers: Vec<(FunId, Spot)> = Vec::new();
        for reg in given {
            if let Some(RegSymbol::Ptr(fun)) = self.regs.get(reg).map(|twin| twin.entry)
                && let Ok(Kind::Ptr(spot)) = self.view.reg(*reg).map(|r| r.kind)
            {
                headers.push((fun, spot));
            }
        }
        for (reg, (fun, ty)) in &self.addresses {
            if let (Reg::Global(_), Some(spot)) = (reg, self.view.object_spot(*ty)) {
                headers.push((*fun, spot));
            }
        }
        for _ in 0..DEPTH {
            let mut inner = Vec::new();
            for (header, spot) in headers {
                for field in self.header_fields(spot) {
                    if self.held.len() == MOST {
                        return;
                    }
                    let name = held_name(&logic.fun(header).name, &self.pointers[field].name);
                    let fun = logic.constant(name, self.obj);
                    self.held.push(Held { fun, header, field });
                    if let Kind::Ptr(spot) = self.pointers[field].kind {
                        inner.push((fun, spot));
                    }
                }
            }
            headers = inner;
        }
    }
}

/// `\old(bucket->first)`; `&g` is a global struct.
fn held_name(header: &str, field: &str) -> String {
    let inner = header.strip_prefix("\\old(").and_then(|h| h.strip_suffix(')')).unwrap_or(header);
    match inner.strip_prefix('&') {
        Some(global) => format!("\\old({global}.{field})"),
        None => format!("\\old({inner}->{field})"),
    }
}

impl Builder<'_> {
    /// What the names for the contents of headers mean. The entry never changes, so this holds of
    /// every state.
    pub(crate) fn held_axioms(&mut self) -> Vec<FormulaId> {
        let mut out = Vec::new();
        for held in self.symbols.held.clone() {
            let [x, y] = [held.header, held.fun].map(|f| self.arena.constant(f));
            let field = self.symbols.pointers[held.field].clone();
            let edge = self.heap().load(FieldAt::entry(held.field), x, y);
            let there = self.arena.rel(self.symbols.alloc.entry, &[x]);
            let has = self.has_field(&field.roots, x);
            let premise = self.arena.and([there, has]);
            out.push(self.arena.implies(premise, edge));
            let null = self.null();
            let nothing = self.arena.eq(y, null);
            out.push(self.arena.or([premise, nothing]));
        }
        out
    }

    /// What the headers among some objects hold now, and the headers in these; found by witnesses.
    pub(crate) fn held_now(&mut self, run: &mut Run, roots: &[(TermId, Spot)]) -> Vec<TermId> {
        let mut headers = roots.to_vec();
        let mut out = Vec::new();
        for _ in 0..DEPTH {
            let mut inner = Vec::new();
            for (header, spot) in headers {
                for i in self.symbols.header_fields(spot) {
                    if out.len() == MOST {
                        return out;
                    }
                    let field = self.symbols.pointers[i].clone();
                    let known = run.known.get(&(i, header)).copied();
                    let found = match known {
                        Some(found) => found,
                        None => self.find_held(run, i, header),
                    };
                    out.push(found);
                    if let Kind::Ptr(spot) = field.kind {
                        inner.push((found, spot));
                    }
                }
            }
            headers = inner;
        }
        out
    }

    /// A witness for a field of an object that may be null: then it is null as well.
    fn find_held(&mut self, run: &mut Run, field: usize, header: TermId) -> TermId {
        let (at, roots) = (FieldAt::now(field), self.symbols.pointers[field].roots.clone());
        let found = self.choose_object(run);
        let edge = self.of_now(run, [header, found], |heap, [x, y]| heap.load(at, x, y));
        let null = self.null();
        let (there, nothing) = (self.arena.ne(header, null), self.arena.eq(found, null));
        let has = self.has_field(&roots, header);
        let premise = self.arena.and([there, has]);
        let (holds, otherwise) =
            (self.arena.implies(premise, edge), self.arena.or([premise, nothing]));
        run.guards.extend([holds, otherwise]);
        found
    }
}
