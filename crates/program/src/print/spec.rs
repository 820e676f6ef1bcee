//! Contracts in the user's syntax, with as few parentheses as it needs.

use std::cell::RefCell;

use super::lvalue::{self, Address, PREFIX, SUM, address, scalar_at};
use super::{declare, reg_name};
use crate::ir::{ProcId, Program, Reg};
use crate::spec::{
    ArithOp, AssignsItem, Binder, BoundId, Derived, Formula, HolMeaning, Label, SetOp, Sort, Term,
};
use crate::types::{Scalar, Type, TypeId, TypeTable};

/// Quantifiers reach as far right as they can.
const QUANTIFIER: u8 = 0;
const CHOICE: u8 = 1;
const IFF: u8 = 2;
const IMPLIES: u8 = 3;
const OR: u8 = 4;
const AND: u8 = 5;
const COMPARE: u8 = 6;
const PRODUCT: u8 = 10;

/// Prints contracts of one procedure, or, without one, predicate definitions.
pub(super) struct Writer<'a> {
    program: &'a Program,
    proc: Option<ProcId>,
    /// Parameters mean their values at entry anyway.
    in_ensures: bool,
    /// Variables in scope and the names they are printed under.
    bound: RefCell<Vec<(BoundId, String, Sort)>>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(program: &'a Program, proc: Option<ProcId>) -> Writer<'a> {
        Writer { program, proc, in_ensures: false, bound: RefCell::default() }
    }

    pub(super) fn in_ensures(self) -> Writer<'a> {
        Writer { in_ensures: true, ..self }
    }

    /// Runs `f` with variables in scope; gives their declarations.
    pub(super) fn with<T>(&self, binders: &[Binder], f: impl FnOnce(&Self) -> T) -> (String, T) {
        let before = self.bound.borrow().len();
        let mut declarations = Vec::new();
        for b in binders {
            let name = self.fresh_name(&b.name);
            declarations.push(sort_declaration(&self.program.types, b.sort, &name));
            self.bound.borrow_mut().push((b.id, name, b.sort));
        }
        let result = f(self);
        self.bound.borrow_mut().truncate(before);
        (declarations.join(", "), result)
    }

    /// A name that hides no variable in scope.
    fn fresh_name(&self, name: &str) -> String {
        let taken = |n: &str| self.bound.borrow().iter().any(|(_, m, _)| m == n);
        if !taken(name) {
            return name.to_string();
        }
        (2..).map(|i| format!("{name}_{i}")).find(|n| !taken(n)).expect("some number is free")
    }

    pub(super) fn formula(&self, f: &Formula, outer: u8) -> String {
        let (text, own) = self.formula_and_tightness(f);
        if own < outer { format!("({text})") } else { text }
    }

    fn formula_and_tightness(&self, f: &Formula) -> (String, u8) {
        let call = |name: &str, args: Vec<String>| {
            (format!("{name}({})", args.join(", ")), lvalue::POSTFIX)
        };
        let term = |t: &Term| self.term(t, CHOICE);
        match f {
            Formula::Const(true) => ("\\true".into(), lvalue::POSTFIX),
            Formula::Const(false) => ("\\false".into(), lvalue::POSTFIX),
            Formula::Not(a) => (format!("!{}", self.formula(a, PREFIX)), PREFIX),
            Formula::And(fs) => self.chain(fs, " && ", AND, true),
            Formula::Or(fs) => self.chain(fs, " || ", OR, false),
            Formula::Implies(a, b) => {
                let b = self.formula(b, IMPLIES);
                (format!("{} ==> {b}", self.formula(a, IMPLIES + 1)), IMPLIES)
            }
            Formula::Iff(a, b) => {
                let b = self.formula(b, IFF + 1);
                (format!("{} <==> {b}", self.formula(a, IFF + 1)), IFF)
            }
            Formula::Cmp(op, a, b) => {
                let symbol = op.symbol();
                let (a, b) = (self.term(a, COMPARE + 1), self.term(b, COMPARE + 1));
                (format!("{a} {symbol} {b}"), COMPARE)
            }
            Formula::In(x, s) => call("\\in", vec![term(x), term(s)]),
            Formula::Subset(a, b) => call("\\subset", vec![term(a), term(b)]),
            Formula::Forall(binders, body) => self.quantifier("\\forall", binders, body),
            Formula::Exists(binders, body) => self.quantifier("\\exists", binders, body),
            Formula::Reach { field, strict, from, to } => {
                let name = if *strict { "reach1" } else { "reach" };
                call(name, vec![field.name.clone(), term(from), term(to)])
            }
            Formula::Derived(d) => {
                let name = match **d {
                    Derived::ListSegment(..) => "ls",
                    Derived::Stable(..) => "stable",
                    Derived::Reverse(..) => "rev",
                    Derived::Sorted(..) => "sorted",
                    Derived::Cyclic(..) => "cyclic",
                    Derived::Tree(..) => "tree",
                    Derived::ReachOver(..) => "reach",
                };
                let mut fields: Vec<String> =
                    d.fields().into_iter().map(|f| f.name.clone()).collect();
                if matches!(**d, Derived::ReachOver(..)) {
                    fields = vec![format!("{{{}}}", fields.join(", "))];
                }
                let fields = fields.into_iter();
                call(name, fields.chain(d.terms().into_iter().map(term)).collect())
            }
            Formula::Alloc(t) => call("alloc", vec![term(t)]),
            Formula::Valid(t, _) => call("\\valid", vec![term(t)]),
            Formula::Separated(ts) => call("\\separated", ts.iter().map(term).collect()),
            Formula::Pred(id, args) => {
                let name = &self.program.predicates[id.0 as usize].name;
                call(name, args.iter().map(term).collect())
            }
            Formula::Hol(clause, args) => {
                let text = clause.formula.to_string();
                let named = clause.formula.symbols.iter().zip(&clause.meanings);
                let values: Vec<String> = named
                    .filter_map(|(s, meaning)| match meaning {
                        HolMeaning::Argument(i) => Some((args.get(*i)?, s)),
                        _ => None,
                    })
                    .filter(|(t, s)| term(t) != s.name)
                    .map(|(t, s)| format!("{} = {}", s.name, term(t)))
                    .collect();
                match values.is_empty() {
                    true => (format!("\"{text}\""), lvalue::POSTFIX),
                    false => (format!("\"{text}\"[{}]", values.join(", ")), lvalue::POSTFIX),
                }
            }
            Formula::At(Label::Pre, f) => call("\\old", vec![self.formula(f, 0)]),
            Formula::At(Label::Here, f) => call("\\at", vec![self.formula(f, 0), "Here".into()]),
        }
    }

    fn chain(&self, fs: &[Formula], op: &str, own: u8, empty: bool) -> (String, u8) {
        match fs {
            [] => self.formula_and_tightness(&Formula::Const(empty)),
            [f] => self.formula_and_tightness(f),
            fs => {
                let parts: Vec<String> = fs.iter().map(|f| self.formula(f, own + 1)).collect();
                (parts.join(op), own)
            }
        }
    }

    /// Binders of one type share their declaration: `\forall struct node *u, *v; …`.
    fn quantifier(&self, word: &str, binders: &[Binder], body: &Formula) -> (String, u8) {
        let (first, rest) = match binders.split_first() {
            None => return self.formula_and_tightness(body),
            Some((first, rest)) => (first, rest),
        };
        if let Some(i) = rest.iter().position(|b| b.sort != first.sort) {
            let (now, later) = binders.split_at(i + 1);
            let (declaration, body) = self.with(now, |w| w.quantifier(word, later, body).0);
            return (format!("{word} {}; {body}", shared(&declaration)), QUANTIFIER);
        }
        let (declaration, body) = self.with(binders, |w| w.formula(body, QUANTIFIER));
        (format!("{word} {}; {body}", shared(&declaration)), QUANTIFIER)
    }

    pub(super) fn term(&self, t: &Term, outer: u8) -> String {
        let wrap = |text: String, own: u8| {
            if own < outer { format!("({text})") } else { text }
        };
        let list = |name: &str, parts: &[String]| format!("{name}({})", parts.join(", "));
        match t {
            Term::Int(i) if *i < 0 => wrap(i.to_string(), PREFIX),
            Term::Int(i) => i.to_string(),
            Term::Null => "NULL".into(),
            Term::Reg(r) => reg_name(self.program, self.proc, *r),
            Term::Addr(_) | Term::Offset(..) | Term::Index { .. } => address(self, t, outer),
            Term::Bound(id) => self.bound_name(*id),
            Term::Result => "\\result".into(),
            Term::Load { addr, scalar } => {
                let text = scalar_at(self, &**addr, *scalar);
                let own = if text.starts_with('*') { PREFIX } else { lvalue::POSTFIX };
                wrap(text, own)
            }
            Term::Neg(a) => wrap(format!("-{}", self.term(a, PREFIX)), PREFIX),
            Term::Arith(op, a, b) => {
                let (symbol, own) = match op {
                    ArithOp::Add => ("+", SUM),
                    ArithOp::Sub => ("-", SUM),
                    ArithOp::Mul => ("*", PRODUCT),
                    ArithOp::Div => ("/", PRODUCT),
                    ArithOp::Rem => ("%", PRODUCT),
                };
                let (a, b) = (self.term(a, own), self.term(b, own + 1));
                wrap(format!("{a} {symbol} {b}"), own)
            }
            Term::Ite(c, a, b) => {
                let condition = self.formula(c, CHOICE + 1);
                let (a, b) = (self.term(a, CHOICE + 1), self.term(b, CHOICE));
                wrap(format!("{condition} ? {a} : {b}"), CHOICE)
            }
            Term::At(Label::Pre, a) => match &**a {
                Term::Reg(r @ Reg::Local(_)) if self.in_ensures => {
                    reg_name(self.program, self.proc, *r)
                }
                a => list("\\old", &[self.term(a, 0)]),
            },
            Term::At(Label::Here, a) => list("\\at", &[self.term(a, 0), "Here".into()]),
            Term::Content(f, h) => list("content", &[f.name.clone(), self.term(h, 0)]),
            Term::EmptySet => "\\empty".into(),
            Term::Singleton(a) => format!("{{{}}}", self.term(a, 0)),
            Term::SetOp(op, a, b) => {
                let name = match op {
                    SetOp::Union => "\\union",
                    SetOp::Inter => "\\inter",
                    SetOp::Diff => "\\diff",
                };
                list(name, &[self.term(a, 0), self.term(b, 0)])
            }
        }
    }

    fn bound_name(&self, id: BoundId) -> String {
        let bound = self.bound.borrow();
        let found = bound.iter().rev().find(|(b, ..)| *b == id);
        found.map_or_else(|| format!("v{}", id.0), |(_, name, _)| name.clone())
    }

    /// One item of an `assigns` clause.
    pub(super) fn assigns(&self, item: &AssignsItem) -> String {
        if let Some(global) = item.global {
            return reg_name(self.program, self.proc, global);
        }
        let (binders, place) = self.with(&item.binders, |w| {
            let place = w.place(&item.addr, item.bytes);
            let filter = item.filter.as_ref().map(|f| w.formula(f, 0));
            (place, filter)
        });
        match place {
            (place, _) if item.binders.is_empty() => place,
            (place, None) => format!("{{ {place} | {} }}", shared(&binders)),
            (place, Some(filter)) => format!("{{ {place} | {}; {filter} }}", shared(&binders)),
        }
    }

    /// The lvalue of so many bytes at an address.
    fn place(&self, addr: &Term, bytes: u32) -> String {
        let types = &self.program.types;
        let scalars = types.ids().filter_map(|t| types.scalar(t));
        let mut fitting = scalars.filter(|s| types.bytes(*s) == bytes);
        fitting
            .find_map(|s| {
                let text = scalar_at(self, addr, s);
                (!text.starts_with("*(")).then_some(text)
            })
            .unwrap_or_else(|| {
                let text = self.term(addr, PREFIX);
                text.strip_prefix('&').map_or_else(|| format!("*{text}"), str::to_string)
            })
    }

    /// The type that a term points to.
    fn pointee_of(&self, t: &Term) -> Option<TypeId> {
        let types = &self.program.types;
        match t {
            Term::Reg(r) => types.pointee(lvalue::Writer::reg_type(self, *r)?),
            Term::Bound(id) => {
                let bound = self.bound.borrow();
                match bound.iter().rev().find(|(b, ..)| b == id)?.2 {
                    Sort::Ptr(t) => Some(t),
                    Sort::Int | Sort::Set(_) => None,
                }
            }
            Term::Result => types.pointee(self.program.proc(self.proc?).ret),
            Term::Load { scalar: Scalar::Ptr(t), .. } => Some(*t),
            Term::Index { base, .. } => self.pointee_of(base),
            Term::At(_, a) => self.pointee_of(a),
            Term::Ite(_, a, b) => self.pointee_of(a).or_else(|| self.pointee_of(b)),
            _ => None,
        }
    }
}

impl lvalue::Writer<Term> for Writer<'_> {
    fn types(&self) -> &TypeTable {
        &self.program.types
    }

    fn address_of<'a>(&self, t: &'a Term) -> Address<'a, Term> {
        match t {
            Term::Addr(r) => Address::Object(*r),
            Term::Offset(inner, k) => Address::Moved(inner, *k),
            Term::Index { base, index, size } => Address::Element(base, index, *size),
            _ => Address::Value,
        }
    }

    fn pointee(&self, t: &Term) -> Option<TypeId> {
        self.pointee_of(t)
    }

    fn name(&self, reg: Reg) -> String {
        reg_name(self.program, self.proc, reg)
    }

    fn reg_type(&self, reg: Reg) -> Option<TypeId> {
        match (reg, self.proc) {
            (Reg::Global(g), _) => Some(self.program.global(g).ty),
            (Reg::Local(_), Some(proc)) => Some(self.program.reg_type(proc, reg)),
            (Reg::Local(_), None) => None,
        }
    }

    fn write(&self, t: &Term, tightness: u8) -> String {
        self.term(t, tightness)
    }
}

/// The declaration of a variable of a sort.
pub(super) fn sort_declaration(types: &TypeTable, sort: Sort, name: &str) -> String {
    match sort {
        Sort::Int => format!("int {name}"),
        Sort::Ptr(t) => match types.find(&Type::Ptr(t)) {
            Some(ptr) => declare(types, ptr, name),
            None => format!("{} *{name}", types.name(t)),
        },
        Sort::Set(t) => format!("\\set<{} *> {name}", types.name(t)),
    }
}

/// `struct node *u, struct node *v` as one declaration: `struct node *u, *v`.
fn shared(declarations: &str) -> String {
    let parts: Vec<&str> = declarations.split(", ").collect();
    let first = parts[0];
    let end = first.find('*').or_else(|| first.rfind(' ').map(|i| i + 1));
    let base = &first[..end.unwrap_or(0)];
    let rest = parts[1..].iter().map(|p| p.strip_prefix(base).unwrap_or(p));
    std::iter::once(first).chain(rest).collect::<Vec<_>>().join(", ")
}
