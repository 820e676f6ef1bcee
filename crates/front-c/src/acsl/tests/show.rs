//! Resolved contracts as text, complete enough to see every decision of the resolver.

use trellis_program::ir::Reg;
use trellis_program::spec::{
    ArithOp, Binder, Derived, FieldRef, Formula, Label, SetOp, Sort, Term,
};
use trellis_program::types::Scalar;

pub(super) fn binders(binders: &[Binder]) -> String {
    let one = |b: &Binder| {
        let sort = match b.sort {
            Sort::Int => "int".to_string(),
            Sort::Ptr(t) => format!("ptr{}", t.0),
            Sort::Set(t) => format!("set{}", t.0),
        };
        format!("{} #{}: {sort}", b.name, b.id.0)
    };
    list(binders, one)
}

fn list<T>(items: &[T], one: impl Fn(&T) -> String) -> String {
    items.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn reg(reg: Reg) -> String {
    match reg {
        Reg::Local(v) => format!("l{}", v.0),
        Reg::Global(g) => format!("g{}", g.0),
    }
}

fn label(label: Label) -> &'static str {
    match label {
        Label::Pre => "pre",
        Label::Here => "here",
    }
}

fn field(f: &FieldRef) -> String {
    format!("{}@{}", f.name, f.offset)
}

pub(super) fn term(t: &Term) -> String {
    match t {
        Term::Int(n) => n.to_string(),
        Term::Null => "null".into(),
        Term::Reg(r) => reg(*r),
        Term::Addr(r) => format!("&{}", reg(*r)),
        Term::Bound(b) => format!("#{}", b.0),
        Term::Result => "result".into(),
        Term::Load { addr, scalar } => {
            let kind = match scalar {
                Scalar::Int(k) => format!("i{}", k.bits),
                Scalar::Ptr(_) => "ptr".into(),
                Scalar::Float(b) => format!("f{b}"),
                Scalar::Bits(b) => format!("b{}", b.width),
            };
            format!("{kind}[{}]", term(addr))
        }
        Term::Offset(a, n) => format!("{}{n:+}", term(a)),
        Term::Index { base, index, size } => {
            format!("{} + {size}*({})", term(base), term(index))
        }
        Term::Neg(a) => format!("-({})", term(a)),
        Term::Arith(op, a, b) => {
            let op = match op {
                ArithOp::Add => "+",
                ArithOp::Sub => "-",
                ArithOp::Mul => "*",
                ArithOp::Div => "/",
                ArithOp::Rem => "%",
            };
            format!("({} {op} {})", term(a), term(b))
        }
        Term::Ite(c, a, b) => format!("({} ? {} : {})", formula(c), term(a), term(b)),
        Term::At(l, a) => format!("{}({})", label(*l), term(a)),
        Term::Content(f, h) => format!("content({}, {})", field(f), term(h)),
        Term::EmptySet => "{}".into(),
        Term::Singleton(a) => format!("{{{}}}", term(a)),
        Term::SetOp(op, a, b) => {
            let op = match op {
                SetOp::Union => "union",
                SetOp::Inter => "inter",
                SetOp::Diff => "diff",
            };
            format!("({} {op} {})", term(a), term(b))
        }
    }
}

pub(super) fn formula(f: &Formula) -> String {
    let two = |a: &Formula, op: &str, b: &Formula| format!("({} {op} {})", formula(a), formula(b));
    let joined = |fs: &[Formula], op: &str| {
        let parts: Vec<_> = fs.iter().map(formula).collect();
        format!("({})", parts.join(op))
    };
    match f {
        Formula::Const(b) => b.to_string(),
        Formula::Not(a) => format!("!{}", formula(a)),
        Formula::And(fs) => joined(fs, " && "),
        Formula::Or(fs) => joined(fs, " || "),
        Formula::Implies(a, b) => two(a, "==>", b),
        Formula::Iff(a, b) => two(a, "<==>", b),
        Formula::Cmp(op, a, b) => {
            format!("({} {} {})", term(a), op.symbol(), term(b))
        }
        Formula::In(a, b) => format!("({} in {})", term(a), term(b)),
        Formula::Subset(a, b) => format!("({} subset {})", term(a), term(b)),
        Formula::Forall(bs, f) => format!("(forall {}. {})", binders(bs), formula(f)),
        Formula::Exists(bs, f) => format!("(exists {}. {})", binders(bs), formula(f)),
        Formula::Reach { field: via, strict, from, to } => {
            let steps = if *strict { "+" } else { "*" };
            format!("({} -{}{steps}-> {})", term(from), field(via), term(to))
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
            let fields = list(&d.fields(), |f| field(f));
            format!("{name}({fields}; {})", list(&d.terms(), |t| term(t)))
        }
        Formula::Alloc(t) => format!("alloc({})", term(t)),
        Formula::Valid(t, n) => format!("valid({}, {n})", term(t)),
        Formula::Separated(ts) => format!("separated({})", list(ts, term)),
        Formula::Pred(p, ts) => format!("p{}({})", p.0, list(ts, term)),
        Formula::Hol(clause, ts) => format!("{}({})", clause.formula, list(ts, term)),
        Formula::At(l, f) => format!("{}({})", label(*l), formula(f)),
    }
}
