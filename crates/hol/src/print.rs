//! Formulas as text, in the ASCII notation; reading it gives the same formula.

use std::collections::BTreeMap;
use std::fmt;

use crate::term::{Binder, Formula, Kind, Op, Quantifier, Term, VarId};

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.show(&self.term))
    }
}

impl Formula {
    /// A term of this formula, or of one of its definitions, as text.
    pub fn show(&self, term: &Term) -> String {
        let mut printer = Printer { formula: self, names: BTreeMap::new() };
        printer.term(term, 0)
    }
}

struct Printer<'a> {
    formula: &'a Formula,
    /// What bound variables in scope are called: one that hides another gets a prime.
    names: BTreeMap<VarId, String>,
}

/// How tightly things bind: the levels of the parser.
const ATOM: u8 = 20;
const POSTFIX: u8 = 19;
const APPLY: u8 = 18;

/// Notation of an infix operator: its mark, its level, and the levels of its sides.
fn infix(op: Op) -> Option<(&'static str, u8, u8, u8)> {
    Some(match op {
        Op::Iff => ("<->", 2, 3, 3),
        Op::Implies => ("-->", 3, 4, 3),
        Op::Or => ("|", 5, 6, 6),
        Op::And => ("&", 6, 7, 7),
        Op::Eq => ("=", 8, 9, 9),
        Op::Element => (":", 8, 9, 9),
        Op::Less => ("<", 9, 10, 10),
        Op::LessEq => ("<=", 9, 10, 10),
        Op::SubsetEq => ("\\<subseteq>", 10, 11, 11),
        Op::Subset => ("\\<subset>", 10, 11, 11),
        Op::Union => ("Un", 11, 11, 12),
        Op::Inter => ("Int", 11, 11, 12),
        Op::Plus => ("+", 12, 12, 13),
        Op::Minus => ("-", 12, 12, 13),
        Op::Difference => ("\\<setminus>", 12, 12, 13),
        Op::Times => ("*", 13, 14, 13),
        Op::Div => ("div", 13, 14, 13),
        Op::Mod => ("mod", 13, 14, 13),
        _ => return None,
    })
}

impl Printer<'_> {
    fn term(&mut self, term: &Term, level: u8) -> String {
        let (text, own) = self.open(term);
        if own < level { format!("({text})") } else { text }
    }

    fn list(&mut self, terms: &[Term]) -> String {
        let parts: Vec<_> = terms.iter().map(|t| self.term(t, 0)).collect();
        parts.join(", ")
    }

    /// The text and how tightly it binds.
    fn open(&mut self, term: &Term) -> (String, u8) {
        match &term.kind {
            Kind::Var(v) => {
                (self.names.get(v).cloned().unwrap_or_else(|| format!("v{}", v.0)), ATOM)
            }
            Kind::Symbol(s) => (self.formula.symbol(*s).name.clone(), ATOM),
            Kind::Int(i) if *i < 0 => (format!("-{}", i.unsigned_abs()), 14),
            Kind::Int(i) => (i.to_string(), ATOM),
            Kind::Op(op, args) => self.operation(*op, args, term),
            Kind::Apply(head, args) => match (&head.kind, &args[..]) {
                (Kind::Symbol(_), [object]) => {
                    let field = self.term(head, ATOM);
                    (format!("{}..{field}", self.term(object, POSTFIX)), POSTFIX)
                }
                _ => {
                    let mut text = self.term(head, ATOM);
                    for arg in args {
                        text.push(' ');
                        text.push_str(&self.term(arg, ATOM));
                    }
                    (text, APPLY)
                }
            },
            Kind::Bind(quantifier, binders, body) => self.binder(*quantifier, binders, body),
            Kind::Comment(text, inner) => {
                (format!("comment ''{text}'' {}", self.term(inner, ATOM)), APPLY)
            }
        }
    }

    fn binder(&mut self, quantifier: Quantifier, binders: &[Binder], body: &Term) -> (String, u8) {
        let outer = self.names.clone();
        let mut shown = Vec::new();
        for b in binders {
            let mut name = b.name.clone();
            let taken = |n: &str, names: &BTreeMap<VarId, String>| {
                names.values().any(|other| other == n)
                    || self.formula.symbols.iter().any(|s| s.name == n)
            };
            while taken(&name, &self.names) {
                name.push('_');
            }
            self.names.insert(b.id, name.clone());
            shown.push((name, &b.ty));
        }
        let body = self.term(body, 0);
        self.names = outer;
        let plain: Vec<_> = shown.iter().map(|(n, _)| n.clone()).collect();
        match quantifier {
            Quantifier::Comprehension => {
                // A dot right behind a name would belong to it.
                let typed: Vec<_> = shown.iter().map(|(n, t)| format!("{n}::{t}")).collect();
                let head = match &plain[..] {
                    [_] => typed.join(""),
                    _ => format!("({})", typed.join(", ")),
                };
                (format!("{{{head}. {body}}}"), ATOM)
            }
            other => {
                let mark = match other {
                    Quantifier::Forall => "ALL",
                    Quantifier::Exists => "EX",
                    _ => "%",
                };
                let typed: Vec<_> = shown.iter().map(|(n, t)| format!("({n}::{t})")).collect();
                (format!("{mark} {}. {body}", typed.join(" ")), 0)
            }
        }
    }

    fn operation(&mut self, op: Op, args: &[Term], term: &Term) -> (String, u8) {
        if let (Op::Not, [inner]) = (op, args)
            && let Kind::Op(o @ (Op::Eq | Op::Element), sides) = &inner.kind
        {
            let (mark, level) = if *o == Op::Eq { ("~=", 9) } else { ("~:", 8) };
            let (a, b) = (self.term(&sides[0], level + 1), self.term(&sides[1], level + 1));
            return (format!("{a} {mark} {b}"), level);
        }
        if let (Op::And | Op::Or, [_, _, ..]) = (op, args) {
            let (mark, own) = if op == Op::And { ("&", 6) } else { ("|", 5) };
            let parts: Vec<_> = args.iter().map(|a| self.term(a, own + 1)).collect();
            return (parts.join(&format!(" {mark} ")), own);
        }
        if let (Some((mark, own, left, right)), [a, b]) = (infix(op), args) {
            let (a, b) = (self.term(a, left), self.term(b, right));
            return (format!("{a} {mark} {b}"), own);
        }
        let ty = &term.ty;
        match (op, args) {
            (Op::True, _) => ("True".into(), ATOM),
            (Op::False, _) => ("False".into(), ATOM),
            (Op::Null, _) => ("null".into(), ATOM),
            (Op::EmptySet, _) => (format!("({{}} :: {ty})"), ATOM),
            (Op::Universe, _) => (format!("(UNIV :: {ty})"), ATOM),
            (Op::Not, [a]) => (format!("~{}", self.term(a, 7)), 7),
            (Op::Negate, [a]) => (format!("-{}", self.term(a, 15)), 14),
            (Op::Card, [a]) => (format!("card {}", self.term(a, ATOM)), APPLY),
            (Op::Old, [a]) => (format!("old {}", self.term(a, ATOM)), APPLY),
            (Op::If, [c, a, b]) => {
                let (c, a, b) = (self.term(c, 0), self.term(a, 0), self.term(b, 0));
                (format!("if {c} then {a} else {b}"), 0)
            }
            (Op::Closure, [r]) => (format!("{}^*", self.term(r, APPLY)), 15),
            (Op::Element1, [a, i]) => {
                let text = format!("{}.[{}]", self.term(a, POSTFIX), self.term(i, 0));
                (format!("({text} :: {ty})"), ATOM)
            }
            (Op::Tree, fields) => (format!("tree [{}]", self.list(fields)), APPLY),
            (Op::ParentTree, [parent, fields @ ..]) => {
                let parent = self.term(parent, ATOM);
                (format!("ptree {parent} [{}]", self.list(fields)), APPLY)
            }
            (Op::Reaches, args) => (format!("rtrancl_pt {}", self.atoms(args)), APPLY),
            (Op::Update, args) => (format!("fieldWrite {}", self.atoms(args)), APPLY),
            (Op::Listed, args) => (format!("{{{}}}", self.list(args)), ATOM),
            (Op::Tuple, args) => (format!("({})", self.list(args)), ATOM),
            (Op::List, args) => (format!("[{}]", self.list(args)), ATOM),
            (_, args) => (format!("{op:?}({})", self.list(args)), ATOM),
        }
    }

    fn atoms(&mut self, args: &[Term]) -> String {
        let parts: Vec<_> = args.iter().map(|a| self.term(a, ATOM)).collect();
        parts.join(" ")
    }
}
