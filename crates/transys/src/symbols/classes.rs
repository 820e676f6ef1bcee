//! Which integers are compared with each other, and of which only the truth matters.
//!
//! Places that are copied into or compared with one another form a class. If all its members are
//! only ever tested for zero, a relation is enough for them; otherwise they are data with a total
//! order, which stays in EPR. Arithmetic on data yields a value that nothing is known about.

use std::collections::BTreeMap;

use trellis_logic::{Arena, Formula as LogicFormula, FormulaId};
use trellis_logic::{FunId, Term as LogicTerm, TermId};
use trellis_program::view::{Kind, ProgramVocabulary};
use trellis_program::{Cond, Expr, InstrKind, Program, Reg, Scalar, Terminator};

use crate::execute::expr::address_cell;
use crate::symbols::changes::Changes;

/// What of an integer matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntClass {
    /// Whether it is zero.
    Truth,
    /// How it compares.
    Data,
}

/// Where integers are kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    Reg(Reg),
    /// A field, by its function in the view.
    Field(FunId),
    Result,
}

/// The classes of all places.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    index: BTreeMap<Place, usize>,
    parent: Vec<usize>,
    compared: Vec<bool>,
}

/// An operand of a copy or comparison.
#[derive(Clone, Copy)]
enum Operand {
    Place(Place),
    Zero,
    /// A truth value: 0 or 1.
    Boolean,
    Other,
}

impl Classes {
    pub(crate) fn new(
        program: &Program,
        view: &ProgramVocabulary,
        arena: &Arena,
        clauses: &[FormulaId],
    ) -> Classes {
        let mut classes = Classes::default();
        for block in program.proc(view.proc).blocks() {
            for instr in &block.instrs {
                classes.instr(program, view, &instr.kind);
            }
            block.term.expr().into_iter().for_each(|e| classes.expr(e));
            if let Terminator::Return(Some(e)) = &block.term {
                classes.copy(Place::Result, operand(e));
            }
        }
        for &clause in clauses {
            classes.formula(view, arena, clause);
        }
        classes
    }

    /// Whatever is written is compared with its value at the entry.
    pub(crate) fn compare_changes(
        &mut self,
        program: &Program,
        view: &ProgramVocabulary,
        changes: &Changes,
    ) {
        for (cell, field) in view.fields() {
            if field.kind == Kind::Int && changes.writes(cell) {
                self.compare(Place::Field(field.fun.now));
            }
        }
        for (reg, _) in view.regs() {
            let global = matches!(reg, Reg::Global(_)) && is_int(program, view, reg);
            if global && changes.assigns(reg) {
                self.compare(Place::Reg(reg));
            }
        }
    }

    pub(crate) fn of_reg(&self, reg: Reg) -> IntClass {
        self.of(Place::Reg(reg))
    }

    pub(crate) fn of_field(&self, field: FunId) -> IntClass {
        self.of(Place::Field(field))
    }

    pub(crate) fn of_result(&self) -> IntClass {
        self.of(Place::Result)
    }

    fn of(&self, place: Place) -> IntClass {
        match self.index.get(&place) {
            Some(&i) if self.compared[self.root(i)] => IntClass::Data,
            _ => IntClass::Truth,
        }
    }

    fn root(&self, mut i: usize) -> usize {
        while self.parent[i] != i {
            i = self.parent[i];
        }
        i
    }

    fn node(&mut self, place: Place) -> usize {
        let next = self.parent.len();
        let i = *self.index.entry(place).or_insert(next);
        if i == next {
            self.parent.push(next);
            self.compared.push(false);
        }
        self.root(i)
    }

    fn union(&mut self, a: Place, b: Place) {
        let (a, b) = (self.node(a), self.node(b));
        self.parent[a] = b;
        self.compared[b] |= self.compared[a];
    }

    fn compare(&mut self, place: Place) {
        let node = self.node(place);
        self.compared[node] = true;
    }

    fn copy(&mut self, to: Place, from: Operand) {
        self.node(to);
        if let Operand::Place(from) = from {
            self.union(to, from);
        }
    }

    /// A comparison: with zero for (in)equality it is a test of truth.
    fn relate(&mut self, equality: bool, a: Operand, b: Operand) {
        match (a, b) {
            (Operand::Place(a), Operand::Place(b)) => {
                self.union(a, b);
                self.compare(a);
            }
            (Operand::Place(_), Operand::Zero) | (Operand::Zero, Operand::Place(_)) if equality => {
            }
            (Operand::Place(p), _) | (_, Operand::Place(p)) => self.compare(p),
            _ => {}
        }
    }

    fn instr(&mut self, program: &Program, view: &ProgramVocabulary, kind: &InstrKind) {
        match kind {
            InstrKind::Assign { dst, value } => {
                self.expr(value);
                if is_int(program, view, *dst) {
                    self.copy(Place::Reg(*dst), operand(value));
                }
            }
            InstrKind::Load { dst, addr, scalar: scalar @ Scalar::Int(_) } => {
                if let Some(field) = address_cell(view, addr, *scalar) {
                    self.copy(Place::Reg(*dst), Operand::Place(Place::Field(field)));
                }
            }
            InstrKind::Store { addr, scalar: scalar @ Scalar::Int(_), value } => {
                self.expr(value);
                if let Some(field) = address_cell(view, addr, *scalar) {
                    self.copy(Place::Field(field), operand(value));
                }
            }
            InstrKind::Assume { cond: Cond::Expr(e) }
            | InstrKind::Assert { cond: Cond::Expr(e), .. } => self.expr(e),
            // Clauses are looked at apart; copied and chosen integers keep what their class needs.
            InstrKind::Assume { cond: Cond::Spec(_) }
            | InstrKind::Assert { cond: Cond::Spec(_), .. }
            | InstrKind::Load { .. }
            | InstrKind::Store { .. }
            | InstrKind::Copy { .. }
            | InstrKind::Fill { .. }
            | InstrKind::Alloc { .. }
            | InstrKind::Retype { .. }
            | InstrKind::Free { .. }
            | InstrKind::BeginLocal { .. }
            | InstrKind::BeginArray { .. }
            | InstrKind::EndLocal { .. }
            | InstrKind::Call { .. }
            | InstrKind::Havoc { .. }
            | InstrKind::Unsupported { .. } => {}
        }
    }

    fn expr(&mut self, e: &Expr) {
        e.visit(&mut |e| {
            if let Expr::Cmp(op, Some(_), a, b) = e {
                self.relate(op.is_equality(), operand(a), operand(b));
            }
        });
    }

    fn formula(&mut self, view: &ProgramVocabulary, arena: &Arena, id: FormulaId) {
        match arena.formula(id) {
            LogicFormula::True | LogicFormula::False | LogicFormula::Rel(..) => {}
            LogicFormula::Eq(a, b) => {
                let (a, b) = (term(view, arena, *a), term(view, arena, *b));
                self.relate(true, a, b);
            }
            LogicFormula::Le(a, b) | LogicFormula::Lt(a, b) => {
                let (a, b) = (term(view, arena, *a), term(view, arena, *b));
                self.relate(false, a, b);
            }
            LogicFormula::Not(a) | LogicFormula::Quant(_, _, a) => self.formula(view, arena, *a),
            LogicFormula::And(parts) | LogicFormula::Or(parts) => {
                parts.iter().for_each(|&p| self.formula(view, arena, p));
            }
            LogicFormula::Implies(a, b) | LogicFormula::Iff(a, b) => {
                self.formula(view, arena, *a);
                self.formula(view, arena, *b);
            }
        }
    }
}

fn is_int(program: &Program, view: &ProgramVocabulary, reg: Reg) -> bool {
    matches!(program.types.scalar(program.reg_type(view.proc, reg)), Some(Scalar::Int(_)))
}

fn operand(e: &Expr) -> Operand {
    match e {
        Expr::Int(0) => Operand::Zero,
        Expr::Reg(r) => Operand::Place(Place::Reg(*r)),
        Expr::Convert(_, a) => operand(a),
        Expr::Cmp(..) | Expr::Not(_) => Operand::Boolean,
        _ => Operand::Other,
    }
}

/// The place that an integer term of a contract reads.
fn term(view: &ProgramVocabulary, arena: &Arena, id: TermId) -> Operand {
    match arena.term(id) {
        LogicTerm::Num(0) => Operand::Zero,
        LogicTerm::App(fun, args) if args.is_empty() => {
            if view.result.is_some_and(|r| r.fun.now == *fun && r.kind == Kind::Int) {
                return Operand::Place(Place::Result);
            }
            match view.reg_of(*fun) {
                Some((reg, _)) => Operand::Place(Place::Reg(reg)),
                None => Operand::Other,
            }
        }
        LogicTerm::App(fun, _) => match view.field_of(*fun) {
            Some((cell, _)) => match view.fields().find(|(c, _)| *c == cell) {
                Some((_, field)) => Operand::Place(Place::Field(field.fun.now)),
                None => Operand::Other,
            },
            None => Operand::Other,
        },
        _ => Operand::Other,
    }
}
