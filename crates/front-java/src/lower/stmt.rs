//! Statements.

use std::collections::BTreeMap;

use trellis_program::CheckKind;
use trellis_program::ir::{Expr as IrExpr, InstrKind, Reg, Terminator};
use trellis_program::source::{Diagnostic, Span};

use super::method::Code;
use super::types::Ty;
use crate::ast::{Expr, Spec, Stmt, TypeName};

impl<'a> Code<'_, 'a> {
    pub(super) fn statements(&mut self, all: &'a [Stmt]) {
        all.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Empty => {}
            Stmt::Block(all) => {
                self.scopes.push(BTreeMap::new());
                let spec_vars = self.spec_vars.len();
                self.statements(all);
                self.spec_vars.truncate(spec_vars);
                self.scopes.pop();
            }
            Stmt::Local(ty, all) => self.local(ty, all),
            Stmt::Expr(e) => {
                self.effect(e);
            }
            Stmt::If(cond, then, els) => {
                let (yes, no, after) = (self.out.block(), self.out.block(), self.out.block());
                self.condition(cond, yes, no);
                self.out.start(yes, cond.span);
                self.scoped(then);
                self.out.end(Terminator::Goto(after), cond.span);
                self.out.start(no, cond.span);
                if let Some(els) = els {
                    self.scoped(els);
                }
                self.out.start(after, cond.span);
            }
            Stmt::While { invariants, cond, body } => {
                let (head, inside, after) = (self.out.block(), self.out.block(), self.out.block());
                self.out.start(head, cond.span);
                self.invariants(invariants);
                self.condition(cond, inside, after);
                self.out.start(inside, cond.span);
                self.loops.push((after, head));
                self.scoped(body);
                self.loops.pop();
                self.out.end(Terminator::Goto(head), cond.span);
                self.out.start(after, cond.span);
            }
            Stmt::DoWhile { invariants, cond, body } => {
                let (inside, test, after) = (self.out.block(), self.out.block(), self.out.block());
                self.out.start(inside, cond.span);
                self.invariants(invariants);
                self.loops.push((after, test));
                self.scoped(body);
                self.loops.pop();
                self.out.start(test, cond.span);
                self.condition(cond, inside, after);
                self.out.start(after, cond.span);
            }
            Stmt::For { init, invariants, cond, update, body, span } => {
                self.scopes.push(BTreeMap::new());
                self.statements(init);
                let (head, inside) = (self.out.block(), self.out.block());
                let (step, after) = (self.out.block(), self.out.block());
                self.out.start(head, *span);
                self.invariants(invariants);
                match cond {
                    Some(cond) => self.condition(cond, inside, after),
                    None => self.out.end(Terminator::Goto(inside), *span),
                }
                self.out.start(inside, *span);
                self.loops.push((after, step));
                self.scoped(body);
                self.loops.pop();
                self.out.start(step, *span);
                for e in update {
                    self.effect(e);
                }
                self.out.end(Terminator::Goto(head), *span);
                self.out.start(after, *span);
                self.scopes.pop();
            }
            Stmt::Return(value, span) => self.returns(value.as_ref(), *span),
            Stmt::Break(span) => self.jump(*span, "break", |(after, _)| after),
            Stmt::Continue(span) => self.jump(*span, "continue", |(_, head)| head),
            Stmt::Assert(cond, span) => {
                let value = self.converted(cond, &Ty::Bool);
                self.check(CheckKind::Assertion, value, *span);
            }
            Stmt::Specs(specs) => specs.iter().for_each(|s| self.note(s)),
            Stmt::Unsupported(reason, span) => {
                self.unsupported(*span, reason.clone());
                self.out.end(Terminator::Abort, *span);
                let next = self.out.block();
                self.out.start(next, *span);
            }
        }
    }

    fn scoped(&mut self, statement: &'a Stmt) {
        self.scopes.push(BTreeMap::new());
        self.statement(statement);
        self.scopes.pop();
    }

    fn invariants(&mut self, invariants: &'a [Spec]) {
        invariants.iter().for_each(|s| self.loop_note(s));
    }

    fn local(&mut self, ty: &TypeName, all: &'a [crate::ast::Declarator]) {
        for (name, span, dims, init) in all {
            let written = TypeName { dims: ty.dims + dims, ..ty.clone() };
            let resolved = self.lower.resolve_type(&written);
            if resolved == Ty::Void {
                self.lower.error(Diagnostic::error(ty.span, "a variable cannot be `void`"));
            }
            // Initial values do not see the variable.
            let value = init.as_ref().map(|e| (self.converted(e, &resolved), e.span));
            let id = match self.hoisted.get(name).copied() {
                Some(id) => {
                    if let Some(scope) = self.scopes.last_mut() {
                        scope.insert(name.clone(), id);
                    }
                    id
                }
                None => self.declare(name, resolved, *span, false),
            };
            if let Some((value, at)) = value {
                let dst = Reg::Local(id);
                self.out.push(InstrKind::Assign { dst, value }, span.to(at));
            }
        }
    }

    fn returns(&mut self, value: Option<&'a Expr>, span: Span) {
        let value = match (value, self.ret.clone()) {
            (None, _) if self.is_constructor => self.this.map(IrExpr::local),
            (None, Ty::Void) => None,
            (None, _) => {
                self.lower.error(Diagnostic::error(span, "this method returns a value"));
                None
            }
            (Some(e), Ty::Void) => {
                self.lower.error(Diagnostic::error(e.span, "this method returns nothing"));
                None
            }
            (Some(e), ret) => Some(self.converted(e, &ret)),
        };
        self.out.end(Terminator::Return(value), span);
        let next = self.out.block();
        self.out.start(next, span);
    }

    fn jump(
        &mut self,
        span: Span,
        word: &str,
        target: impl Fn(
            (trellis_program::BlockId, trellis_program::BlockId),
        ) -> trellis_program::BlockId,
    ) {
        match self.loops.last() {
            Some(targets) => {
                let to = target(*targets);
                self.out.end(Terminator::Goto(to), span);
                let next = self.out.block();
                self.out.start(next, span);
            }
            None => {
                let message = format!("there is no loop for this `{word}`");
                self.lower.error(Diagnostic::error(span, message));
            }
        }
    }
}
