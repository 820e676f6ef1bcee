//! Which names have their address taken: `&x`, anywhere in the unit, and functions that are used
//! otherwise than by a call of them.
//!
//! By name and for the whole unit: two variables of one name share the answer, which costs an
//! object instead of a register and nothing else. A name of a function is not that of a local
//! variable, where there is one.

use std::collections::BTreeSet;

use lang_c::ast::{
    CallExpression, Declaration, Declarator, DerivedDeclarator, Expression, FunctionDefinition,
    Statement, TranslationUnit, UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

use super::call::strip_address;
use super::defined_name;

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

/// Finds the names in expressions that may mean functions, but for those that are called.
pub fn functions_used(unit: &TranslationUnit) -> BTreeSet<String> {
    let mut finder = Uses::default();
    finder.visit_translation_unit(unit);
    finder.names
}

#[derive(Default)]
struct Uses {
    names: BTreeSet<String>,
    /// The variables of the blocks around the current place.
    blocks: Vec<BTreeSet<String>>,
}

impl Uses {
    /// What `f` does, in a block of its own.
    fn block(&mut self, f: impl FnOnce(&mut Uses)) {
        self.blocks.push(BTreeSet::new());
        f(self);
        self.blocks.pop();
    }

    fn declare(&mut self, d: &Node<Declarator>) {
        if let (Some(name), Some(block)) = (defined_name(d), self.blocks.last_mut()) {
            block.insert(name.to_owned());
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_call_expression(&mut self, c: &'ast CallExpression, _: &'ast Span) {
        let callee = strip_address(&c.callee);
        if !matches!(callee.node, Expression::Identifier(_)) {
            self.visit_expression(&c.callee.node, &c.callee.span);
        }
        c.arguments.iter().for_each(|a| self.visit_expression(&a.node, &a.span));
    }

    fn visit_expression(&mut self, e: &'ast Expression, span: &'ast Span) {
        if let Expression::Identifier(id) = e
            && !self.blocks.iter().any(|b| b.contains(&id.node.name))
        {
            self.names.insert(id.node.name.clone());
        }
        visit::visit_expression(self, e, span);
    }

    fn visit_statement(&mut self, s: &'ast Statement, span: &'ast Span) {
        match s {
            Statement::Compound(_) | Statement::For(_) => {
                self.block(|me| visit::visit_statement(me, s, span));
            }
            _ => visit::visit_statement(self, s, span),
        }
    }

    fn visit_declaration(&mut self, d: &'ast Declaration, span: &'ast Span) {
        visit::visit_declaration(self, d, span);
        for one in d.declarators.iter().filter(|d| parameters(&d.node.declarator).is_none()) {
            self.declare(&one.node.declarator);
        }
    }

    fn visit_function_definition(&mut self, f: &'ast FunctionDefinition, span: &'ast Span) {
        self.block(|me| {
            match parameters(&f.declarator) {
                Some(DerivedDeclarator::Function(list)) => {
                    let all = list.node.parameters.iter();
                    all.filter_map(|p| p.node.declarator.as_ref()).for_each(|d| me.declare(d));
                }
                Some(DerivedDeclarator::KRFunction(names)) => {
                    let names = names.iter().map(|n| n.node.name.clone());
                    me.blocks.last_mut().into_iter().for_each(|b| b.extend(names.clone()));
                }
                _ => {}
            }
            visit::visit_function_definition(me, f, span);
        });
    }
}

/// The parameters, if a declarator declares a function.
fn parameters(d: &Node<Declarator>) -> Option<&DerivedDeclarator> {
    let is_list = |d: &DerivedDeclarator| {
        matches!(d, DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_))
    };
    match &d.node.kind.node {
        // `int (*f)(int)` and the like: what is inside says what the name is.
        lang_c::ast::DeclaratorKind::Declarator(inner) => parameters(inner),
        _ => d.node.derived.iter().map(|d| &d.node).find(|d| is_list(d)),
    }
}
