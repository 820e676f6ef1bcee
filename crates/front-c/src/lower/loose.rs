//! Functions of the library that promise less about their result than their models say: how two
//! strings compare is told by a sign, what a character is by a truth.
//!
//! Where the program looks at nothing else, the result of the model does, and that is nearly
//! everywhere; anywhere else the result is any number of that sign or truth. So the usual program has
//! no choice to make, and no behaviour of another library is lost.

use std::collections::{BTreeMap, BTreeSet};

use lang_c::ast::{self, BinaryOperator, Expression, UnaryOperator};
use lang_c::span::{Node, Span as CSpan};
use lang_c::visit::{self, Visit};
use trellis_program::ir::{BinOp, CmpOp, Expr};
use trellis_program::source::Span;
use trellis_program::types::IntKind;

use super::{Lower, Val, defined_name, fold, returned};

const SIGNS: [&str; 6] = ["strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll", "memcmp"];

const TRUTHS: [&str; 12] = [
    "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
    "ispunct", "isspace", "isupper", "isxdigit",
];

/// Calls of which only the promise is looked at, by where they stand.
#[derive(Debug, Default)]
pub struct Exact {
    /// Whatever is called.
    all: BTreeSet<(usize, usize)>,
    /// Only the sign is looked at, and what is called is known only when it is.
    signs: BTreeSet<(usize, usize)>,
    /// The same, of results that a function of the program returns.
    returned: BTreeSet<(usize, usize)>,
}

/// The calls of which only the promise is looked at.
pub fn exact(units: &[ast::TranslationUnit]) -> Exact {
    let mut exact = Exact::default();
    units.iter().for_each(|unit| exact.add(unit));
    let is_exact = |at| exact.all.contains(&at) || exact.signs.contains(&at);
    exact.returned = returned::returned_signs(units, is_exact);
    exact
}

impl Exact {
    fn add(&mut self, unit: &ast::TranslationUnit) {
        for item in &unit.0 {
            if let ast::ExternalDeclaration::FunctionDefinition(f) = &item.node {
                let mut finder = Finder::default();
                finder.visit_function_definition(&f.node, &f.span);
                let found = finder.finish();
                self.all.extend(found.all);
                self.signs.extend(found.signs);
            }
        }
    }

    /// Whether a call is exact; `returns` says that the caller's result is nobody else's business.
    fn has(&self, call: CSpan, function: &str, returns: bool) -> bool {
        let at = (call.start, call.end);
        let sign = self.signs.contains(&at) || (returns && self.returned.contains(&at));
        self.all.contains(&at) || (SIGNS.contains(&function) && sign)
    }
}

impl Lower<'_> {
    /// Whether nobody but the program looks at what the procedure at hand returns.
    fn is_internal(&self) -> bool {
        let here = self.functions.iter().find(|f| f.name == self.f.name);
        self.is_closed() && here.is_some_and(|f| f.notes.is_empty())
    }

    /// The result of a model as the program sees it.
    pub fn loosened(&mut self, function: usize, call: CSpan, value: Val, at: Span) -> Val {
        let f = &self.functions[function];
        let is_loose = [SIGNS.as_slice(), &TRUTHS].concat().contains(&f.name.as_str());
        let is_model = self.whole.units[f.unit].wanted.is_some();
        if !is_loose || !is_model || self.exact.has(call, &f.name, self.is_internal()) {
            return value;
        }
        let (int, zero) = (IntKind::INT, Expr::Int(0));
        let any = self.havoc(self.ty.int, None, at).e;
        let size = fold::binary(BinOp::And, int, any, Expr::Int(i64::from(i32::MAX)));
        // Not 0: that is another sign.
        let one = Expr::Cmp(CmpOp::Eq, Some(int), Box::new(size.clone()), Box::new(zero));
        let size = fold::binary(BinOp::Add, int, size, one);
        Val { e: fold::binary(BinOp::Mul, int, value.e, size), ty: value.ty }
    }
}

/// How a value is looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Look {
    /// Is it 0?
    Truth,
    /// Is it below, above, …?
    Sign,
}

/// What becomes of results in one function.
#[derive(Default)]
struct Finder {
    found: Exact,
    /// Calls whose result is put into a variable.
    kept: Vec<(String, (usize, usize))>,
    /// How often each name occurs, and how often only its sign is looked at or such a call is put
    /// into it.
    all: BTreeMap<String, usize>,
    good: BTreeMap<String, usize>,
    /// What the function declares itself; nobody else sees it.
    local: BTreeSet<String>,
}

impl Finder {
    fn finish(mut self) -> Exact {
        for (name, call) in &self.kept {
            if self.local.contains(name) && self.all.get(name) == self.good.get(name) {
                self.found.signs.insert(*call);
            }
        }
        self.found
    }

    fn looked_at(&mut self, e: &Node<Expression>, look: Look) {
        match &e.node {
            Expression::Call(c) => {
                let at = (c.span.start, c.span.end);
                match look {
                    Look::Truth => self.found.all.insert(at),
                    Look::Sign => self.found.signs.insert(at),
                };
            }
            Expression::Identifier(id) => *self.good.entry(id.node.name.clone()).or_default() += 1,
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Assign => {
                self.put(b);
            }
            _ => {}
        }
    }

    /// An assignment whose value is dropped, or looked at like the variable.
    fn put(&mut self, b: &Node<ast::BinaryOperatorExpression>) {
        if let (Expression::Identifier(id), Expression::Call(c)) =
            (&b.node.lhs.node, &b.node.rhs.node)
        {
            self.kept.push((id.node.name.clone(), (c.span.start, c.span.end)));
            *self.good.entry(id.node.name.clone()).or_default() += 1;
        }
    }
}

impl<'ast> Visit<'ast> for Finder {
    fn visit_expression(&mut self, e: &'ast Expression, span: &'ast CSpan) {
        match e {
            Expression::Identifier(id) => *self.all.entry(id.node.name.clone()).or_default() += 1,
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Negate => {
                self.looked_at(&u.node.operand, Look::Truth);
            }
            Expression::BinaryOperator(b) => {
                let look = match b.node.operator.node {
                    BinaryOperator::Equals | BinaryOperator::NotEquals => Some(Look::Truth),
                    BinaryOperator::Less
                    | BinaryOperator::LessOrEqual
                    | BinaryOperator::Greater
                    | BinaryOperator::GreaterOrEqual => Some(Look::Sign),
                    BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                        self.looked_at(&b.node.lhs, Look::Truth);
                        self.looked_at(&b.node.rhs, Look::Truth);
                        None
                    }
                    _ => None,
                };
                match look {
                    Some(look) if is_zero(&b.node.rhs) => self.looked_at(&b.node.lhs, look),
                    Some(look) if is_zero(&b.node.lhs) => self.looked_at(&b.node.rhs, look),
                    _ => {}
                }
            }
            Expression::Conditional(c) => self.looked_at(&c.node.condition, Look::Truth),
            _ => {}
        }
        visit::visit_expression(self, e, span);
    }

    fn visit_statement(&mut self, s: &'ast ast::Statement, span: &'ast CSpan) {
        match s {
            ast::Statement::If(s) => self.looked_at(&s.node.condition, Look::Truth),
            ast::Statement::While(s) => self.looked_at(&s.node.expression, Look::Truth),
            ast::Statement::DoWhile(s) => self.looked_at(&s.node.expression, Look::Truth),
            ast::Statement::For(s) => {
                if let Some(condition) = &s.node.condition {
                    self.looked_at(condition, Look::Truth);
                }
            }
            ast::Statement::Expression(Some(e)) => {
                if let Expression::BinaryOperator(b) = &e.node
                    && b.node.operator.node == BinaryOperator::Assign
                {
                    self.put(b);
                }
            }
            _ => {}
        }
        visit::visit_statement(self, s, span);
    }

    fn visit_declaration(&mut self, d: &'ast ast::Declaration, span: &'ast CSpan) {
        let lasts = |s: &Node<ast::DeclarationSpecifier>| {
            matches!(s.node, ast::DeclarationSpecifier::StorageClass(_))
        };
        if !d.specifiers.iter().any(lasts) {
            let names = d.declarators.iter().filter_map(|d| defined_name(&d.node.declarator));
            self.local.extend(names.map(str::to_owned));
        }
        visit::visit_declaration(self, d, span);
    }

    fn visit_init_declarator(&mut self, d: &'ast ast::InitDeclarator, span: &'ast CSpan) {
        if let Some(Node { node: ast::Initializer::Expression(e), .. }) = &d.initializer
            && let Expression::Call(c) = &e.node
            && let Some(name) = defined_name(&d.declarator)
        {
            self.kept.push((name.to_owned(), (c.span.start, c.span.end)));
        }
        visit::visit_init_declarator(self, d, span);
    }
}

fn is_zero(e: &Node<Expression>) -> bool {
    matches!(&e.node, Expression::Constant(c)
        if matches!(&c.node, ast::Constant::Integer(i) if i.number.chars().all(|d| d == '0')))
}
