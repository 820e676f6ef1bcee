//! Annotations between statements, and of loops.
//!
//! `assert` and `noteThat` are checked, `assume` is believed (and said to be), `havoc` chooses,
//! `x := "F"` changes ghost variables. A ghost variable has a cell if its type fits one; of other
//! types, assignments are outside the subset.

use std::sync::Arc;

use trellis_hol::{
    Kind, Op, Term as HolTerm, Type as HolType, parse, parse_definition, parse_type,
};
use trellis_program::ir::{BinOp, Cond, Expr as IrExpr, InstrKind, Reg, Tracked};
use trellis_program::source::{Diagnostic, Span, suggest};
use trellis_program::spec::{HolClause, HolMeaning, Term};
use trellis_program::{CheckKind, IntKind};

use super::SpecVar;
use super::contract::{Problem, Use};
use super::declare::{complaint, place};
use super::method::Code;
use super::names::fits_a_cell;
use super::types::{Classes, Ty};
use crate::ast::{Spec, SpecKind, Text};

impl Code<'_, '_> {
    /// An annotation of a loop.
    pub(super) fn loop_note(&mut self, spec: &Spec) {
        match &spec.kind {
            SpecKind::Invariant { formula, .. } => self.claim(formula, CheckKind::LoopInvariant),
            _ => self.note(spec),
        }
    }

    /// An annotation between statements.
    pub(super) fn note(&mut self, spec: &Spec) {
        match &spec.kind {
            SpecKind::Assert(formula) | SpecKind::Note(formula) => {
                self.claim(formula, CheckKind::SpecAssert);
            }
            SpecKind::Invariant { formula, .. } => self.claim(formula, CheckKind::LoopInvariant),
            SpecKind::Assume(formula) => self.believe(formula),
            SpecKind::Havoc(items, such_that) => {
                items.iter().for_each(|i| self.havoc(i));
                such_that.iter().for_each(|f| self.believe(f));
            }
            SpecKind::Assign(target, value) => self.ghost_assign(target, value, spec.span),
            SpecKind::Track(items) => items.iter().for_each(|i| self.track(i)),
            SpecKind::SpecVar { ghost, name, ty, init, .. } => {
                self.local_spec_var(*ghost, name, ty, init.as_ref());
            }
            SpecKind::Definitions(texts) => texts.iter().for_each(|t| self.define(t)),
            SpecKind::Unsupported(reason) => {
                self.in_proof = true;
                self.unsupported(spec.span, reason.clone());
            }
            SpecKind::Hidden | SpecKind::ClaimedBy(_) | SpecKind::Visibility => {}
            SpecKind::Contract { .. } => {
                let message = "a contract belongs between the head and the body of a method";
                self.lower.error(Diagnostic::error(spec.span, message));
            }
        }
    }

    fn problem(&mut self, problem: Problem) {
        match problem {
            // It may be about what a step of a proof has introduced.
            Problem::Wrong(Diagnostic { span: Some(span), .. }) if self.in_proof => {
                self.unsupported(span, "a formula behind a step of a proof");
            }
            Problem::Wrong(diagnostic) => self.lower.error(diagnostic),
            Problem::Unsupported(span, reason) => self.unsupported(span, reason),
        }
    }

    fn claim(&mut self, text: &Text, kind: CheckKind) {
        let locals = self.locals();
        match self.lower.clauses(text, self.class, &locals, Use::Code) {
            Ok(clauses) => {
                for clause in clauses {
                    let cond = Cond::Spec(clause.formula);
                    self.out.push(InstrKind::Assert { kind, cond }, clause.span);
                }
            }
            Err(problem) => self.problem(problem),
        }
    }

    fn believe(&mut self, text: &Text) {
        let locals = self.locals();
        match self.lower.clauses(text, self.class, &locals, Use::Code) {
            Ok(clauses) => {
                for clause in clauses {
                    let cond = Cond::Spec(clause.formula);
                    self.out.push(InstrKind::Assume { cond }, clause.span);
                }
            }
            Err(problem) => self.problem(problem),
        }
    }

    /// The register of a variable that an annotation changes.
    fn register(&mut self, text: &Text) -> Option<(Reg, Ty)> {
        let name = text.text.trim();
        if let Some(id) = self.find(name) {
            return Some((Reg::Local(id), self.types[id.0 as usize].clone()));
        }
        let (class, member) = match name.rsplit_once('.') {
            Some((class, member)) => (self.lower.classes.find(class)?, member),
            None => (self.class, name),
        };
        let found = self.lower.info(class).statics.iter().find(|s| s.name == member)?;
        Some((Reg::Global(found.global), found.ty.clone()))
    }

    fn no_variable(&mut self, text: &Text) {
        let name = text.text.trim();
        let (class, member) = match name.rsplit_once('.') {
            Some((class, member)) => (self.lower.classes.find(class), member),
            None => (Some(self.class), name),
        };
        let info = class.map(|c| self.lower.info(c));
        let spec_vars = info.iter().flat_map(|i| &i.spec_vars).chain(&self.spec_vars);
        if let Some(var) = spec_vars.into_iter().find(|v: &&SpecVar| v.name == member) {
            let reason = format!("a change of `{name}`, which is of type `{}`", var.ty);
            return self.unsupported(text.span, reason);
        }
        if info.is_some_and(|i| i.fields.iter().any(|f| f.name == member)) {
            let reason = format!("a change of `{name}` of all objects");
            return self.unsupported(text.span, reason);
        }
        if name.contains("..") || name.contains(' ') {
            return self.unsupported(text.span, "a change of something that is no variable");
        }
        let mut all: Vec<String> = self.scopes.iter().flat_map(|s| s.keys().cloned()).collect();
        all.extend(self.lower.info(self.class).statics.iter().map(|s| s.name.clone()));
        let error = Diagnostic::error(text.span, format!("no variable is called `{name}`"));
        self.lower.error(match suggest(name, all.iter().map(String::as_str)) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error,
        });
    }

    fn havoc(&mut self, text: &Text) {
        match self.register(text) {
            Some((dst, ty)) => {
                let scalar = self.lower.classes.scalar(&ty);
                self.out.push(InstrKind::Havoc { dst, scalar }, text.span);
            }
            None => self.no_variable(text),
        }
    }

    fn ghost_assign(&mut self, target: &Text, value: &Text, span: Span) {
        if let Some((object, field)) = target.text.rsplit_once("..") {
            return self.ghost_field(target, object, field, value, span);
        }
        let Some((dst, ty)) = self.register(target) else {
            let name = target.text.trim();
            let fields = &self.lower.info(self.class).fields;
            match self.this.filter(|_| fields.iter().any(|f| f.name == name)) {
                Some(_) => self.ghost_field(target, "this", name, value, span),
                None => self.no_variable(target),
            }
            return;
        };
        if let Some(value) = self.ghost_value(value, &ty) {
            self.out.push(InstrKind::Assign { dst, value }, span);
        }
    }

    fn ghost_field(&mut self, target: &Text, object: &str, field: &str, value: &Text, span: Span) {
        let name = field.rsplit('.').next().unwrap_or(field);
        let base = self.find(object.trim()).filter(|_| !object.contains('.'));
        let class = base.and_then(|id| match &self.types[id.0 as usize] {
            Ty::Class(c) => Some(*c),
            _ => None,
        });
        let found =
            class.and_then(|c| self.lower.info(c).fields.iter().find(|f| f.name == name).cloned());
        let (Some(base), Some(info)) = (base, found) else {
            return self.unsupported(target.span, "a change of this ghost field");
        };
        if let Some(value) = self.ghost_value(value, &info.ty) {
            let addr = super::expr::offset(IrExpr::local(base), info.offset);
            self.out.push(InstrKind::Store { addr, scalar: info.scalar, value }, span);
        }
    }

    /// The value of a formula as code computes it. What code cannot compute is chosen, and then
    /// assumed to be right: there is always one such truth value or object.
    fn ghost_value(&mut self, text: &Text, ty: &Ty) -> Option<IrExpr> {
        let node = match parse(&text.text) {
            Ok(node) => node,
            Err(e) => {
                self.lower.error(complaint(text, e));
                return None;
            }
        };
        let locals = self.locals();
        let clause = self.lower.clause(&node, text, &ty.in_logic(), self.class, &locals);
        let (clause, args, _) = match clause {
            Ok(found) => found,
            Err(problem) => {
                self.problem(problem);
                return None;
            }
        };
        let value = computed(&clause.formula.term, &clause, &args);
        if value.is_none() {
            self.unsupported(text.span, "a ghost value that code cannot compute");
        }
        value
    }

    fn track(&mut self, text: &Text) {
        let node = match parse(&text.text) {
            Ok(node) => node,
            Err(e) => return self.lower.error(complaint(text, e)),
        };
        let locals = self.locals();
        let spec_vars = self.lower.info(self.class).spec_vars.iter().chain(&self.spec_vars);
        let named = spec_vars.clone().find(|v| v.name == text.text.trim()).map(|v| v.ty.clone());
        let ty = named.unwrap_or(HolType::Bool);
        match self.lower.clause(&node, text, &ty, self.class, &locals) {
            Ok((clause, args, _)) => {
                let clause = Arc::new(clause);
                let tracked = Tracked { proc: self.proc, clause, args, span: text.span };
                self.lower.tracked.push(tracked);
            }
            // A hint that cannot be used is no reason to stop, but a wrong one is told.
            Err(Problem::Wrong(diagnostic)) => self.lower.error(diagnostic),
            Err(Problem::Unsupported(..)) => {}
        }
    }

    fn local_spec_var(&mut self, ghost: bool, name: &str, ty: &Text, init: Option<&Text>) {
        let parsed = match parse_type(&ty.text) {
            Ok(parsed) => parsed,
            Err(e) => return self.lower.error(complaint(ty, e)),
        };
        if ghost && fits_a_cell(&parsed) {
            let ty_java = Classes::of_logic(&parsed).unwrap_or(Ty::Object);
            // Initial values do not see the variable.
            let value = init.map(|text| (self.ghost_value(text, &ty_java), text.span));
            let id = self.declare(name, ty_java, ty.span, true);
            if let Some((Some(value), at)) = value {
                let dst = Reg::Local(id);
                self.out.push(InstrKind::Assign { dst, value }, at);
            }
            return;
        }
        self.spec_vars.push(SpecVar {
            name: name.to_owned(),
            ty: parsed,
            is_static: true,
            is_public: false,
            definition: None,
        });
    }

    fn define(&mut self, text: &Text) {
        let (name, at, node) = match parse_definition(&text.text) {
            Ok(parsed) => parsed,
            Err(e) => return self.lower.error(complaint(text, e)),
        };
        match self.spec_vars.iter_mut().rev().find(|v| v.name == name) {
            Some(var) => var.definition = Some((node, text.clone())),
            None => {
                let near = suggest(&name, self.spec_vars.iter().map(|v| v.name.as_str()));
                let near = near.map(|n| format!("did you mean `{n}`?"));
                let message =
                    format!("no specification variable of this method is called `{name}`");
                let error = Diagnostic::error(place(text, at), message);
                self.lower.error(match near {
                    Some(near) => error.with_help(near),
                    None => error,
                });
            }
        }
    }
}

/// A term as an expression of code, if it is one: constants, variables, sums and differences.
fn computed(term: &HolTerm, clause: &HolClause, args: &[Term]) -> Option<IrExpr> {
    let value = |t: &HolTerm| computed(t, clause, args).map(Box::new);
    match &term.bare().kind {
        Kind::Int(i) => i64::try_from(*i).ok().map(IrExpr::Int),
        Kind::Symbol(s) => match &clause.meanings[s.0 as usize] {
            HolMeaning::Argument(i) => match args.get(*i)? {
                Term::Reg(r) => Some(IrExpr::Reg(*r)),
                _ => None,
            },
            _ => None,
        },
        Kind::Op(Op::True, _) => Some(IrExpr::Int(1)),
        Kind::Op(Op::False, _) => Some(IrExpr::Int(0)),
        Kind::Op(Op::Null, _) => Some(IrExpr::Null),
        Kind::Op(Op::Not, a) => Some(IrExpr::Not(value(&a[0])?)),
        Kind::Op(op @ (Op::Plus | Op::Minus | Op::Times), sides) => {
            let op = match op {
                Op::Plus => BinOp::Add,
                Op::Minus => BinOp::Sub,
                _ => BinOp::Mul,
            };
            Some(IrExpr::Binary(op, IntKind::LONG, value(&sides[0])?, value(&sides[1])?))
        }
        _ => None,
    }
}
