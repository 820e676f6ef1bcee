//! Printing terms and formulas as the user would write them, in the style of ACSL.
//!
//! `\forall struct node *v; reach(next, h, v) && v != NULL ==> v->next != h`
//!
//! Parentheses appear only where the precedences of C and ACSL require them, lines break at the
//! outermost operators. A bound variable is shown under another name where its own would be
//! mistaken for a constant or for another variable in scope. An object that is called
//! `container_of(p, f)`, because the pointer `p` points to its field `f`, equals `v` where
//! `p == &v->f`.
//!
//! **Invariant**: the text depends on the formula and the vocabulary only, not on ids.

mod layout;

use std::collections::BTreeSet;

use crate::arena::{Arena, ArithOp, Formula, Quantifier, Term};
use crate::ids::{FormulaId, RelId, SortId, TermId, VarId};
use crate::measure::{Node, Walk};
use crate::vocabulary::{FunKind, RelKind, Vocabulary};
use layout::Doc;

impl Arena {
    /// A formula on one line.
    pub fn print(&self, vocabulary: &Vocabulary, formula: FormulaId) -> String {
        self.print_wrapped(vocabulary, formula, usize::MAX)
    }

    /// A formula on lines of at most `width` columns where that is possible.
    pub fn print_wrapped(
        &self,
        vocabulary: &Vocabulary,
        formula: FormulaId,
        width: usize,
    ) -> String {
        let mut printer = Printer::new(self, vocabulary, Node::Formula(formula));
        printer.formula(formula, Level::Open, true).render(width)
    }

    /// A term on one line.
    pub fn print_term(&self, vocabulary: &Vocabulary, term: TermId) -> String {
        let mut printer = Printer::new(self, vocabulary, Node::Term(term));
        Doc::text(printer.term(term, Level::Open)).render(usize::MAX)
    }
}

/// How tightly an operator binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Open,
    Conditional,
    Iff,
    Implies,
    Or,
    And,
    Equality,
    Comparison,
    Sum,
    Product,
    Unary,
    Postfix,
}

struct Printer<'a> {
    arena: &'a Arena,
    vocabulary: &'a Vocabulary,
    /// Names of constants and free variables in the whole.
    reserved: BTreeSet<String>,
    /// Bound variables in scope with the names they are shown under.
    scope: Vec<(VarId, String)>,
}

impl<'a> Printer<'a> {
    fn new(arena: &'a Arena, vocabulary: &'a Vocabulary, root: Node) -> Self {
        let mut reserved = BTreeSet::new();
        let free = match root {
            Node::Term(t) => arena.free_vars_of_term(t),
            Node::Formula(f) => arena.free_vars(f),
        };
        reserved.extend(free.iter().map(|&v| arena.var(v).name.clone()));
        Walk::new(arena).visit(root, |node| {
            if let Node::Term(t) = node
                && let Term::App(fun, args) = arena.term(t)
                && args.is_empty()
            {
                reserved.insert(vocabulary.fun(*fun).name.clone());
            }
        });
        Printer { arena, vocabulary, reserved, scope: Vec::new() }
    }

    fn var(&self, var: VarId) -> &str {
        match self.scope.iter().rev().find(|(v, _)| *v == var) {
            Some((_, name)) => name,
            None => &self.arena.var(var).name,
        }
    }

    /// Terms are short and never broken, so they are strings.
    fn term(&mut self, id: TermId, around: Level) -> String {
        let (level, text) = match self.arena.term(id) {
            Term::Var(v) => (Level::Postfix, self.var(*v).to_string()),
            Term::Num(n) if *n < 0 => (Level::Unary, n.to_string()),
            Term::Num(n) => (Level::Postfix, n.to_string()),
            Term::App(fun, args) => {
                let fun = self.vocabulary.fun(*fun);
                let text = match (&args[..], fun.kind) {
                    ([], _) => fun.name.clone(),
                    (&[object], FunKind::Field) => {
                        format!("{}->{}", self.term(object, Level::Postfix), fun.name)
                    }
                    _ => format!("{}({})", fun.name, self.terms(args)),
                };
                (Level::Postfix, text)
            }
            Term::Arith(op, a, b) => {
                let (level, sign, right) = match op {
                    ArithOp::Add => (Level::Sum, "+", Level::Sum),
                    ArithOp::Sub => (Level::Sum, "-", Level::Product),
                    ArithOp::Mul => (Level::Product, "*", Level::Product),
                };
                // Sums and products are left-associative, and shown as they were built.
                let right = if right == level { next(level) } else { right };
                (level, format!("{} {sign} {}", self.term(*a, level), self.term(*b, right)))
            }
            Term::Ite(c, a, b) => {
                let c = self.formula(*c, Level::Or, false).render(usize::MAX);
                let a = self.term(*a, Level::Or);
                let b = self.term(*b, Level::Conditional);
                (Level::Conditional, format!("{c} ? {a} : {b}"))
            }
        };
        if level < around { format!("({text})") } else { text }
    }

    fn terms(&mut self, terms: &[TermId]) -> String {
        let parts: Vec<_> = terms.iter().map(|&t| self.term(t, Level::Open)).collect();
        parts.join(", ")
    }

    /// `last` says that nothing follows before the next closing parenthesis, so that a quantifier
    /// may stand without parentheses of its own.
    fn formula(&mut self, id: FormulaId, around: Level, last: bool) -> Doc {
        let level = self.level(id);
        if level == Level::Open && around > Level::Open && !(last && around < Level::Unary)
            || level > Level::Open && level < around
        {
            let inner = self.formula(id, Level::Open, true);
            return Doc::group(vec![Doc::text("("), Doc::nest(1, vec![inner]), Doc::text(")")]);
        }
        match self.arena.formula(id) {
            Formula::True => Doc::text("\\true"),
            Formula::False => Doc::text("\\false"),
            Formula::Rel(rel, args) => Doc::text(self.atom(*rel, args)),
            Formula::Eq(a, b) => self.equality(*a, "==", *b),
            Formula::Le(a, b) => self.binary(*a, "<=", *b, Level::Comparison),
            Formula::Lt(a, b) => self.binary(*a, "<", *b, Level::Comparison),
            Formula::Not(inner) => match self.arena.formula(*inner) {
                Formula::Eq(a, b) => self.equality(*a, "!=", *b),
                Formula::Rel(rel, args) if self.is_equality(*rel, args) => {
                    Doc::text(self.vocabulary.rel(*rel).name.replacen(" == ", " != ", 1))
                }
                Formula::Le(a, b) => self.binary(*a, ">", *b, Level::Comparison),
                Formula::Lt(a, b) => self.binary(*a, ">=", *b, Level::Comparison),
                _ => {
                    let inner = self.formula(*inner, Level::Unary, last);
                    Doc::Concat(vec![Doc::text("!"), inner])
                }
            },
            Formula::And(parts) => self.chain(parts, "&&", Level::And, last),
            Formula::Or(parts) => self.chain(parts, "||", Level::Or, last),
            Formula::Implies(a, b) => {
                let a = self.formula(*a, Level::Or, false);
                let b = self.formula(*b, Level::Implies, last);
                Doc::group(vec![a, Doc::Line, Doc::text("==> "), Doc::nest(4, vec![b])])
            }
            Formula::Iff(a, b) => {
                let a = self.formula(*a, Level::Implies, false);
                let b = self.formula(*b, Level::Implies, last);
                Doc::group(vec![a, Doc::Line, Doc::text("<==> "), Doc::nest(5, vec![b])])
            }
            Formula::Quant(q, vars, body) => self.quantified(*q, vars, *body),
        }
    }

    fn level(&self, id: FormulaId) -> Level {
        match self.arena.formula(id) {
            Formula::True | Formula::False => Level::Postfix,
            Formula::Rel(rel, args) if self.is_infix(*rel, args) => Level::Comparison,
            Formula::Rel(rel, args) if self.is_equality(*rel, args) => Level::Equality,
            Formula::Rel(..) => Level::Postfix,
            Formula::Eq(..) => Level::Equality,
            Formula::Le(..) | Formula::Lt(..) => Level::Comparison,
            Formula::Not(inner) => match self.arena.formula(*inner) {
                Formula::Eq(..) => Level::Equality,
                Formula::Rel(rel, args) if self.is_equality(*rel, args) => Level::Equality,
                Formula::Le(..) | Formula::Lt(..) => Level::Comparison,
                _ => Level::Unary,
            },
            Formula::And(_) => Level::And,
            Formula::Or(_) => Level::Or,
            Formula::Implies(..) => Level::Implies,
            Formula::Iff(..) => Level::Iff,
            Formula::Quant(..) => Level::Open,
        }
    }

    fn binary(&mut self, a: TermId, sign: &str, b: TermId, level: Level) -> Doc {
        let inner = next(level);
        Doc::text(format!("{} {sign} {}", self.term(a, inner), self.term(b, inner)))
    }

    /// An equality; one of an object whose field a pointer points to is one of the pointer.
    fn equality(&mut self, a: TermId, sign: &str, b: TermId) -> Doc {
        for (object, other) in [(a, b), (b, a)] {
            let is_null = matches!(self.arena.term(other), Term::App(f, _)
                if self.vocabulary.fun(*f).kind == FunKind::Null);
            if let Some((pointer, field)) = self.container(object)
                && !is_null
                && self.container(other).is_none()
            {
                let other = self.term(other, Level::Postfix);
                return Doc::text(format!("{pointer} {sign} &{other}->{field}"));
            }
        }
        self.binary(a, sign, b, Level::Equality)
    }

    /// The pointer and the field in the name of a constant `container_of(p, f)`.
    fn container(&self, term: TermId) -> Option<(String, String)> {
        let Term::App(fun, args) = self.arena.term(term) else { return None };
        let name = self.vocabulary.fun(*fun).name.as_str();
        let inside = name.strip_prefix("container_of(")?.strip_suffix(')')?;
        let (pointer, field) = inside.rsplit_once(", ").filter(|_| args.is_empty())?;
        Some((pointer.to_owned(), field.to_owned()))
    }

    /// Whether the name of a proposition is an equality, such as `p == &a`.
    fn is_equality(&self, rel: RelId, args: &[TermId]) -> bool {
        args.is_empty() && self.vocabulary.rel(rel).name.contains(" == ")
    }

    /// Relations with a name such as `<=` stand between their arguments.
    fn is_infix(&self, rel: RelId, args: &[TermId]) -> bool {
        let named = |c: char| c.is_alphanumeric() || c == '_' || c == '\\';
        let rel = self.vocabulary.rel(rel);
        args.len() == 2 && !rel.name.contains(named) && rel.kind.field().is_none()
    }

    fn atom(&mut self, rel: RelId, args: &[TermId]) -> String {
        let symbol = self.vocabulary.rel(rel);
        match symbol.kind {
            RelKind::Closure { field } | RelKind::Between { field } => {
                let field = &self.vocabulary.fun(field).name;
                format!("{}({field}, {})", symbol.name, self.terms(args))
            }
            RelKind::Below { field } => {
                let from = self.term(args[0], Level::Postfix);
                let field = self.vocabulary.fun(field).name.clone();
                let to = self.term(args[1], Level::Open);
                format!("reach({}, {from}->{field}, {to})", symbol.name)
            }
            RelKind::Plain | RelKind::Order if self.is_infix(rel, args) => {
                let left = self.term(args[0], Level::Sum);
                let right = self.term(args[1], Level::Sum);
                format!("{left} {} {right}", symbol.name)
            }
            RelKind::Plain | RelKind::Order if args.is_empty() => symbol.name.clone(),
            RelKind::Plain | RelKind::Order => format!("{}({})", symbol.name, self.terms(args)),
        }
    }

    fn chain(&mut self, parts: &[FormulaId], sign: &str, level: Level, last: bool) -> Doc {
        let mut docs = Vec::with_capacity(3 * parts.len());
        for (i, &part) in parts.iter().enumerate() {
            let doc = self.formula(part, next(level), last && i + 1 == parts.len());
            if i > 0 {
                docs.push(Doc::Line);
                docs.push(Doc::text(format!("{sign} ")));
                docs.push(Doc::nest(sign.len() + 1, vec![doc]));
            } else {
                docs.push(doc);
            }
        }
        Doc::group(docs)
    }

    fn quantified(&mut self, q: Quantifier, vars: &[VarId], body: FormulaId) -> Doc {
        let depth = self.scope.len();
        let mut binder = match q {
            Quantifier::Forall => "\\forall ".to_string(),
            Quantifier::Exists => "\\exists ".to_string(),
        };
        let mut previous: Option<SortId> = None;
        for &v in vars {
            let name = self.shown_name(v);
            let sort = self.arena.var(v).sort;
            binder.push_str(&self.declarator(sort, &name, previous));
            previous = Some(sort);
            self.scope.push((v, name));
        }
        binder.push(';');
        let body = self.formula(body, Level::Open, true);
        self.scope.truncate(depth);
        Doc::group(vec![Doc::text(binder), Doc::nest(2, vec![Doc::Line, body])])
    }

    /// `struct node *v` at first, then `, *w` as long as the sort stays the same.
    fn declarator(&self, sort: SortId, name: &str, previous: Option<SortId>) -> String {
        let spelled = self.vocabulary.sort_of(sort).name.as_str();
        let base = spelled.trim_end_matches('*');
        let stars = &spelled[base.len()..];
        match previous {
            Some(same) if same == sort => format!(", {stars}{name}"),
            Some(_) => format!(", {} {stars}{name}", base.trim_end()),
            None => format!("{} {stars}{name}", base.trim_end()),
        }
    }

    fn shown_name(&self, var: VarId) -> String {
        let name = &self.arena.var(var).name;
        let taken = |name: &str| {
            self.reserved.contains(name) || self.scope.iter().any(|(_, shown)| shown == name)
        };
        let mut shown = name.clone();
        let mut number = 1;
        while taken(&shown) {
            shown = format!("{name}_{number}");
            number += 1;
        }
        shown
    }
}

fn next(level: Level) -> Level {
    match level {
        Level::Open => Level::Conditional,
        Level::Conditional => Level::Iff,
        Level::Iff => Level::Implies,
        Level::Implies => Level::Or,
        Level::Or => Level::And,
        Level::And => Level::Equality,
        Level::Equality => Level::Comparison,
        Level::Comparison => Level::Sum,
        Level::Sum => Level::Product,
        Level::Product => Level::Unary,
        Level::Unary | Level::Postfix => Level::Postfix,
    }
}
