//! `assert`: what its macro expands to becomes one instruction again.

use lang_c::ast::{Expression, Statement};
use lang_c::span::Node;
use trellis_program::CheckKind;
use trellis_program::ir::{Cond, InstrKind};

use super::scope::Symbol;
use super::{Lower, known};

impl<'a> Lower<'a> {
    /// `e ? (void)0 : __assert_fail(…)`: one assertion instead of a branch.
    pub fn assertion(
        &mut self,
        condition: &'a Node<Expression>,
        then: &Node<Expression>,
        els: &Node<Expression>,
    ) -> bool {
        let trivial = match &then.node {
            Expression::Cast(c) => matches!(c.node.expression.node, Expression::Constant(_)),
            Expression::Constant(_) => true,
            _ => false,
        };
        trivial && self.is_assert_fail(els) && {
            self.assert_condition(condition);
            true
        }
    }

    /// `if (e) ; else __assert_fail(…);`
    pub fn assertion_statement(
        &mut self,
        condition: &'a Node<Expression>,
        then: &Node<Statement>,
        els: &Node<Statement>,
    ) -> bool {
        matches!(then.node, Statement::Expression(None))
            && matches!(&els.node, Statement::Expression(Some(e)) if self.is_assert_fail(e))
            && {
                self.assert_condition(condition);
                true
            }
    }

    fn is_assert_fail(&self, e: &Node<Expression>) -> bool {
        let Expression::Call(call) = &e.node else {
            return false;
        };
        let Expression::Identifier(id) = &call.node.callee.node else {
            return false;
        };
        let has_body = matches!(self.scopes.lookup(&id.node.name), Some(Symbol::Function(f))
            if self.functions[f].definition.is_some());
        !has_body && known::is_assert_fail(&id.node.name)
    }

    fn assert_condition(&mut self, condition: &'a Node<Expression>) {
        let value = self.rvalue(condition);
        let cond = Cond::Expr(self.truth(value, condition.span));
        let at = self.at(condition.span);
        let at = self.f.full.unwrap_or(at);
        let kind = CheckKind::Assertion;
        self.emit(InstrKind::Assert { kind, cond }, at);
    }
}
