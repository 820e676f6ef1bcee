//! Which names have their address taken: `&x`, anywhere in the unit.
//!
//! By name and for the whole unit: two variables of one name share the answer, which costs an
//! object instead of a register and nothing else.

use std::collections::BTreeSet;

use lang_c::ast::{Expression, TranslationUnit, UnaryOperator, UnaryOperatorExpression};
use lang_c::span::Span;
use lang_c::visit::{self, Visit};

/// Finds the names whose address is taken.
pub fn addresses_taken(unit: &TranslationUnit) -> BTreeSet<String> {
    let mut finder = Finder::default();
    finder.visit_translation_unit(unit);
    finder.names
}

/// Finds the names whose address a function's body takes.
pub fn addresses_taken_in(body: &lang_c::span::Node<lang_c::ast::Statement>) -> BTreeSet<String> {
    let mut finder = Finder::default();
    finder.visit_statement(&body.node, &body.span);
    finder.names
}

#[derive(Default)]
struct Finder {
    names: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_unary_operator_expression(
        &mut self,
        e: &'ast UnaryOperatorExpression,
        span: &'ast Span,
    ) {
        if e.operator.node == UnaryOperator::Address
            && let Expression::Identifier(id) = &e.operand.node
        {
            self.names.insert(id.node.name.clone());
        }
        visit::visit_unary_operator_expression(self, e, span);
    }
}
