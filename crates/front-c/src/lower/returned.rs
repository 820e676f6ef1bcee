//! Comparators: functions that return how two strings compare (`return strcmp(a->name, b->name);`), of
//! whose result nobody looks at more than the sign.
//!
//! A function is one if all its calls are looked at like that, or are what another one returns; if
//! its address is taken, this must be so of all calls through pointers. By name and for the whole
//! program: where a name means several things, all must agree.

use std::collections::BTreeSet;

use lang_c::ast::{self, Expression, Statement};
use lang_c::span::{Node, Span as CSpan};
use lang_c::visit::{self, Visit};

use super::{defined_name, taken};

/// A call in the text.
struct Call {
    at: (usize, usize),
    /// The name that is called, if it is one.
    name: Option<String>,
    /// The function that returns its result as it is.
    returned_by: Option<String>,
}

/// Calls whose results are returned by functions that are asked for signs only. `exact` says of which
/// calls only the sign is looked at.
pub fn returned_signs(
    units: &[ast::TranslationUnit],
    exact: impl Fn((usize, usize)) -> bool,
) -> BTreeSet<(usize, usize)> {
    let mut finder = Calls::default();
    units.iter().for_each(|unit| finder.visit_translation_unit(unit));
    let used: BTreeSet<String> = units.iter().flat_map(taken::functions_used).collect();
    let mut asked: BTreeSet<String> =
        finder.calls.iter().filter_map(|c| c.returned_by.clone()).collect();
    // From all candidates those are taken away that somebody looks at more closely.
    loop {
        let closely =
            |c: &Call| !exact(c.at) && !c.returned_by.as_ref().is_some_and(|f| asked.contains(f));
        let through_pointer =
            |c: &Call| c.name.as_ref().is_none_or(|n| finder.variables.contains(n)) && closely(c);
        let pointers = finder.calls.iter().any(through_pointer);
        let of = |f: &String| finder.calls.iter().any(|c| c.name.as_ref() == Some(f) && closely(c));
        let gone: Vec<String> =
            asked.iter().filter(|f| of(f) || (pointers && used.contains(*f))).cloned().collect();
        if gone.is_empty() {
            break;
        }
        asked.retain(|f| !gone.contains(f));
    }
    let asked = |c: &&Call| c.returned_by.as_ref().is_some_and(|f| asked.contains(f));
    finder.calls.iter().filter(asked).map(|c| c.at).collect()
}

#[derive(Default)]
struct Calls {
    calls: Vec<Call>,
    /// Calls that have been looked at with their statements.
    met: BTreeSet<(usize, usize)>,
    /// Names of variables and parameters.
    variables: BTreeSet<String>,
    function: Option<String>,
}

impl Calls {
    fn call(&mut self, c: &Node<ast::CallExpression>, returned_by: Option<String>) {
        let name = match &c.node.callee.node {
            Expression::Identifier(id) => Some(id.node.name.clone()),
            _ => None,
        };
        self.calls.push(Call { at: (c.span.start, c.span.end), name, returned_by });
    }
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_statement(&mut self, s: &'ast Statement, span: &'ast CSpan) {
        match s {
            Statement::Return(Some(e)) => {
                if let Expression::Call(c) = &e.node {
                    self.met.insert((c.span.start, c.span.end));
                    self.call(c, self.function.clone());
                }
            }
            // Nobody looks at the result.
            Statement::Expression(Some(e)) => {
                if let Expression::Call(c) = &e.node {
                    self.met.insert((c.span.start, c.span.end));
                }
            }
            _ => {}
        }
        visit::visit_statement(self, s, span);
    }

    fn visit_expression(&mut self, e: &'ast Expression, span: &'ast CSpan) {
        if let Expression::Call(c) = e
            && !self.met.contains(&(c.span.start, c.span.end))
        {
            self.call(c, None);
        }
        visit::visit_expression(self, e, span);
    }

    fn visit_function_definition(&mut self, f: &'ast ast::FunctionDefinition, span: &'ast CSpan) {
        self.function = defined_name(&f.declarator).map(str::to_owned);
        visit::visit_function_definition(self, f, span);
        self.function = None;
    }

    fn visit_declarator(&mut self, d: &'ast ast::Declarator, span: &'ast CSpan) {
        if let ast::DeclaratorKind::Identifier(id) = &d.kind.node {
            let is_function = d.derived.iter().any(|d| {
                matches!(
                    d.node,
                    ast::DerivedDeclarator::Function(_) | ast::DerivedDeclarator::KRFunction(_)
                )
            });
            if !is_function {
                self.variables.insert(id.node.name.clone());
            }
        }
        visit::visit_declarator(self, d, span);
    }
}
