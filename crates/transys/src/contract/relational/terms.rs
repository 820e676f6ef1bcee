//! Terms of contract formulas: which value they have, in which case, and when they are defined.

use trellis_logic::{FormulaId, FunId, RelId, SortId, Term, TermId};
use trellis_program::spec::Label;
use trellis_program::view::{Cell, FieldSymbol};

use super::{Case, Reading, Relational, Resolved, Result};
use crate::execute::state::IntValue;
use crate::symbols::{Flag, RegSymbol};

impl Relational<'_> {
    pub(super) fn is_int(&self, term: TermId) -> bool {
        self.view.sort_of(&self.symbols.view.logic, term) == SortId::INT
    }

    pub(super) fn resolve(&mut self, term: TermId) -> Result<Vec<Case>> {
        let case = |value| Case { when: Vec::new(), steps: Vec::new(), value };
        match self.view.term(term).clone() {
            Term::Var(v) => {
                let v = self.variable(v);
                Ok(vec![case(Resolved::Obj(self.arena.var_term(v)))])
            }
            // Zero is told from the others without an order.
            Term::Num(0) => Ok(vec![case(Resolved::Int(IntValue::Const(0)))]),
            Term::Num(n) => {
                let fun = self.symbols.constant(self.logic, n);
                Ok(vec![case(Resolved::Int(IntValue::Data(self.arena.constant(fun))))])
            }
            Term::App(fun, args) if args.is_empty() => {
                let (value, steps) = self.constant(fun)?;
                Ok(vec![Case { steps, ..case(value) }])
            }
            Term::App(fun, args) => {
                let mut out = Vec::new();
                for of in self.resolve(args[0])? {
                    let of = self.settle(of);
                    if let Resolved::Obj(x) = of.value {
                        out.push(self.field(fun, of, x)?);
                    }
                }
                Ok(out)
            }
            Term::Arith(trellis_logic::ArithOp::Add, a, b)
                if matches!(self.view.term(b), Term::Num(0)) =>
            {
                self.resolve(a)
            }
            Term::Arith(..) => Err("arithmetic".into()),
            Term::Ite(c, a, b) => {
                let mut out = Vec::new();
                for (value, side) in [(true, a), (false, b)] {
                    let when = self.truth(c, value)?;
                    for mut case in self.resolve(side)? {
                        case.when.push(when);
                        out.push(case);
                    }
                }
                Ok(out)
            }
        }
    }

    pub(super) fn constant(&mut self, fun: FunId) -> Result<(Resolved, Vec<Reading>)> {
        let view = &self.symbols.view;
        if fun == view.null {
            return Ok((Resolved::Obj(self.arena.constant(self.symbols.null)), Vec::new()));
        }
        if fun == view.undefined {
            return Ok((Resolved::Undefined, Vec::new()));
        }
        if view.result.is_some_and(|r| r.fun.now == fun) {
            let Some(result) = self.symbols.result else {
                return Err("the result is not a value of the logic".into());
            };
            return Ok((self.variable_value(result), Vec::new()));
        }
        if let Some((reg, label)) = view.reg_of(fun) {
            let Some(twin) = self.symbols.regs.get(&reg).copied() else {
                return Err("a variable that the logic does not have".into());
            };
            let defined = match self.symbols.unset.get(&reg) {
                Some(&unset) => {
                    let unset = self.arena.rel(unset, &[]);
                    vec![Reading::Defined(self.arena.not(unset))]
                }
                None => Vec::new(),
            };
            return Ok((self.variable_value(twin.at(label)), defined));
        }
        let address = view.addresses().find(|(_, f, _)| *f == fun).map(|(reg, _, _)| reg);
        match address.and_then(|reg| self.symbols.addresses.get(&reg)) {
            Some(&(fun, _)) => Ok((Resolved::Obj(self.arena.constant(fun)), Vec::new())),
            None => Err("a constant that the logic does not have".into()),
        }
    }

    pub(super) fn variable_value(&mut self, symbol: RegSymbol) -> Resolved {
        match symbol {
            RegSymbol::Ptr(fun) => Resolved::Obj(self.arena.constant(fun)),
            RegSymbol::Int(Flag::Data(fun)) => {
                Resolved::Int(IntValue::Data(self.arena.constant(fun)))
            }
            RegSymbol::Int(Flag::Truth(rel)) => {
                Resolved::Int(IntValue::Truth(self.arena.rel(rel, &[])))
            }
        }
    }

    /// The field of an object, defined where the object is allocated, has it, and it was written.
    pub(super) fn field(&mut self, fun: FunId, mut of: Case, x: TermId) -> Result<Case> {
        let Some((cell, label)) = self.symbols.view.field_of(fun) else {
            return Err("a field that the logic does not have".into());
        };
        let alloc = self.symbols.alloc.at(label);
        of.steps.push(Reading::Defined(self.arena.rel(alloc, &[x])));
        if let Some(has) = self.has_cell(cell, x) {
            of.steps.push(Reading::Defined(has));
        }
        if let Some(i) = self.symbols.pointer_field(cell) {
            if label == Label::Here {
                self.written(self.symbols.pointers[i].undefined, &mut of, x);
            }
            of.value = Resolved::Field { field: i, label, of: x };
            return Ok(of);
        }
        let Some(i) = self.symbols.integer_field(cell) else {
            return Err("a field that the logic does not have".into());
        };
        if label == Label::Here {
            self.written(self.symbols.integers[i].undefined, &mut of, x);
        }
        let field = &self.symbols.integers[i];
        let flag = if label == Label::Here { field.now } else { field.entry };
        of.value = Resolved::Int(match flag {
            Flag::Truth(rel) => IntValue::Truth(self.arena.rel(rel, &[x])),
            Flag::Data(fun) => IntValue::Data(self.arena.app(fun, &[x])),
        });
        Ok(of)
    }

    pub(super) fn written(&mut self, undefined: RelId, of: &mut Case, x: TermId) {
        if self.may_allocate {
            let undefined = self.arena.rel(undefined, &[x]);
            of.steps.push(Reading::Defined(self.arena.not(undefined)));
        }
    }

    /// That an object has a cell; nothing if all objects of its family do.
    pub(super) fn has_cell(&mut self, cell: Cell, x: TermId) -> Option<FormulaId> {
        let field: &FieldSymbol = self.symbols.view_field(cell)?;
        let members: Vec<_> = self.symbols.view.family(cell.family).map(|(ty, _, _)| ty).collect();
        if self.symbols.types.is_empty() || members.iter().all(|ty| field.roots.contains(ty)) {
            return None;
        }
        let rels: Vec<RelId> =
            field.roots.iter().filter_map(|ty| self.symbols.types.get(ty)).copied().collect();
        let parts: Vec<FormulaId> = rels.iter().map(|rel| self.arena.rel(*rel, &[x])).collect();
        Some(self.arena.or(parts))
    }
}
