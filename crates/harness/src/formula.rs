//! Contract formulas as C expressions over the functions of `contracts.c`.
//!
//! An expression has one of Kleene's three values, as the interpreter's evaluation has; the state
//! that a term reads (`\old`) is known when the expression is written. Quantifiers over pointers are
//! loops over the objects that exist when it is evaluated; those over integers run over the integers
//! that the interpreter looked at in the state of the violation.

use std::collections::BTreeMap;

use trellis_program::spec::{
    ArithOp, AssignsItem, Binder, BoundId, Derived, FieldRef, Formula, Label, SetOp, Sort, Term,
};
use trellis_program::types::{Scalar, Type, TypeId};
use trellis_program::{CmpOp, ProcId, Program, Reg};

use crate::declare::is_name;

/// Writes the formulas of one procedure.
pub struct Writer<'a> {
    program: &'a Program,
    proc: ProcId,
    view: Label,
    /// Names of bound variables, innermost last.
    bound: Vec<(BoundId, String)>,
    fresh: usize,
    /// The recursive predicates whose definitions are being written, by number, with their functions.
    within: Vec<(usize, String)>,
    /// The types that quantifiers range over, numbered.
    pub types: BTreeMap<TypeId, usize>,
    /// What quantified integers range over.
    integers: Vec<i128>,
    /// The name of what was returned.
    pub result: &'static str,
    /// Whether variables are those of the code around: else parameters are as they were passed.
    pub inside: bool,
}

/// Why a formula has no C expression.
type Written = Result<String, String>;

impl<'a> Writer<'a> {
    /// For the formulas of a procedure.
    pub fn new(program: &'a Program, proc: ProcId, integers: Vec<i128>) -> Writer<'a> {
        Writer {
            program,
            proc,
            view: Label::Here,
            bound: Vec::new(),
            fresh: 0,
            within: Vec::new(),
            types: BTreeMap::new(),
            integers,
            result: "trellis_returned",
            inside: false,
        }
    }

    /// The same, with other integers to range over.
    pub fn over(self, integers: Vec<i128>) -> Writer<'a> {
        Writer { integers, ..self }
    }

    /// The truth of a formula.
    pub fn formula(&mut self, formula: &Formula) -> Written {
        let view = self.view();
        Ok(match formula {
            Formula::Const(true) => "TRELLIS_TRUE".to_owned(),
            Formula::Const(false) => "TRELLIS_FALSE".to_owned(),
            Formula::Not(f) => format!("trellis_not({})", self.formula(f)?),
            Formula::And(fs) => self.joined("trellis_and", "TRELLIS_TRUE", fs)?,
            Formula::Or(fs) => self.joined("trellis_or", "TRELLIS_FALSE", fs)?,
            Formula::Implies(a, b) => {
                format!("trellis_or(trellis_not({}), {})", self.formula(a)?, self.formula(b)?)
            }
            Formula::Iff(a, b) => {
                format!("trellis_iff({}, {})", self.formula(a)?, self.formula(b)?)
            }
            Formula::Cmp(op, a, b) if self.is_set(a) || self.is_set(b) => {
                let same = format!("trellis_same({}, {})", self.set(a)?, self.set(b)?);
                match op {
                    CmpOp::Eq => same,
                    CmpOp::Ne => format!("trellis_not({same})"),
                    _ => return Err("sets are not ordered".to_owned()),
                }
            }
            Formula::Cmp(op, a, b) => {
                let op = match op {
                    CmpOp::Eq => 0,
                    CmpOp::Ne => 1,
                    CmpOp::Lt => 2,
                    CmpOp::Le => 3,
                    CmpOp::Gt => 4,
                    CmpOp::Ge => 5,
                };
                format!("trellis_compare({op}, {}, {})", self.term(a)?, self.term(b)?)
            }
            Formula::In(x, s) => format!("trellis_in({}, {})", self.term(x)?, self.set(s)?),
            Formula::Subset(a, b) => format!("trellis_subset({}, {})", self.set(a)?, self.set(b)?),
            Formula::Forall(binders, body) => self.quantified(binders, body, false)?,
            Formula::Exists(binders, body) => {
                format!("trellis_not({})", self.quantified(binders, body, true)?)
            }
            Formula::Reach { field, strict, from, to } => format!(
                "trellis_reach({view}, {}, {}, {}, {})",
                field.offset,
                u8::from(*strict),
                self.term(from)?,
                self.term(to)?
            ),
            Formula::Derived(d) => self.derived(d)?,
            Formula::Alloc(t) => format!("trellis_alloc({view}, {})", self.term(t)?),
            Formula::Valid(t, bytes) => {
                format!("trellis_valid({view}, {}, {bytes})", self.term(t)?)
            }
            Formula::Separated(ts) => {
                let places = ts.iter().map(|t| self.term(t)).collect::<Result<Vec<_>, _>>()?;
                let mut all = "TRELLIS_TRUE".to_owned();
                for (i, a) in places.iter().enumerate() {
                    for b in &places[..i] {
                        all = format!("trellis_and({all}, trellis_separated({a}, {b}))");
                    }
                }
                all
            }
            Formula::Pred(id, args) => self.predicate(id.0 as usize, args)?,
            Formula::Hol(..) => return Err("a formula of higher-order logic".to_owned()),
            Formula::At(label, f) => self.at(*label, |w| w.formula(f))?,
        })
    }

    fn view(&self) -> &'static str {
        match self.view {
            Label::Here => "TRELLIS_NOW",
            Label::Pre => "TRELLIS_PRE",
        }
    }

    /// Writes something about another state.
    pub fn at<T>(&mut self, label: Label, write: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.view, label);
        let written = write(self);
        self.view = before;
        written
    }

    fn joined(&mut self, with: &str, neutral: &str, fs: &[Formula]) -> Written {
        let mut parts = fs.iter().map(|f| self.formula(f)).collect::<Result<Vec<_>, _>>()?;
        let Some(mut all) = parts.pop() else { return Ok(neutral.to_owned()) };
        while let Some(part) = parts.pop() {
            all = format!("{with}({part}, {all})");
        }
        Ok(all)
    }

    /// Whether a formula is true for all values; with `negated`, its opposite.
    fn quantified(&mut self, binders: &[Binder], body: &Formula, negated: bool) -> Written {
        let n = self.fresh();
        let known = format!("trellis_k{n}");
        let (open, close) = self.loops(binders)?;
        let mut truth = self.formula(body)?;
        if negated {
            truth = format!("trellis_not({truth})");
        }
        self.bound.truncate(self.bound.len() - binders.len());
        Ok(format!(
            "({{ int {known} = TRELLIS_TRUE; {open}{known} = trellis_and({known}, {truth}); {close}\
             {known}; }})"
        ))
    }

    /// Loops over the values of binders, which stay bound.
    fn loops(&mut self, binders: &[Binder]) -> Result<(String, String), String> {
        let (mut open, mut close) = (String::new(), String::new());
        for binder in binders {
            let n = self.fresh();
            let name = format!("trellis_b{n}");
            match binder.sort {
                Sort::Ptr(ty) => {
                    let of = self.number(ty);
                    open.push_str(&format!(
                        "trellis_size trellis_p{n}[TRELLIS_MOST]; int trellis_n{n} = \
                         trellis_places({of}, TRELLIS_NOW, 1, trellis_p{n}); \
                         for (int trellis_i{n} = 0; trellis_i{n} < trellis_n{n}; trellis_i{n}++) {{ \
                         trellis_value {name} = trellis_int(trellis_p{n}[trellis_i{n}]); "
                    ));
                }
                Sort::Int => {
                    if self.integers.iter().any(|i| i64::try_from(*i).is_err()) {
                        return Err("a quantifier over very large integers".to_owned());
                    }
                    let all: Vec<String> = self.integers.iter().map(|i| format!("{i}LL")).collect();
                    let all = all.join(", ");
                    open.push_str(&format!(
                        "static const long long trellis_p{n}[] = {{{all}}}; \
                         for (int trellis_i{n} = 0; trellis_i{n} < (int)(sizeof trellis_p{n} / \
                         sizeof *trellis_p{n}); trellis_i{n}++) {{ \
                         trellis_value {name} = trellis_int(trellis_p{n}[trellis_i{n}]); "
                    ));
                }
                Sort::Set(_) => return Err("a quantifier over sets".to_owned()),
            }
            close.push_str("} ");
            self.bound.push((binder.id, name));
        }
        Ok((open, close))
    }

    /// Whether an address and so many bytes from it are a place that an item lists.
    pub fn lists(&mut self, item: &AssignsItem, at: &str) -> Written {
        self.at(Label::Pre, |w| {
            let (open, close) = w.loops(&item.binders)?;
            let filter = match &item.filter {
                Some(f) => format!("{} == TRELLIS_TRUE", w.formula(f)?),
                None => "1".to_owned(),
            };
            let addr = w.term(&item.addr)?;
            w.bound.truncate(w.bound.len() - item.binders.len());
            let n = w.fresh();
            Ok(format!(
                "({{ int trellis_k{n} = 0; {open}trellis_value trellis_v{n} = {addr}; \
                 if ({filter} && trellis_v{n}.ok && trellis_v{n}.n <= (__int128){at} && \
                 (__int128){at} < trellis_v{n}.n + {}) trellis_k{n} = 1; {close}trellis_k{n}; }})",
                item.bytes
            ))
        })
    }

    fn derived(&mut self, d: &Derived) -> Written {
        let view = self.view();
        let terms =
            d.terms().into_iter().map(|t| self.term(t)).collect::<Result<Vec<_>, _>>()?.join(", ");
        Ok(match d {
            Derived::ListSegment(f, ..) => {
                let owner = self.number(f.owner);
                format!("trellis_ls({view}, {}, {owner}, {terms})", f.offset)
            }
            Derived::Stable(f, _) => format!("trellis_stable({view}, {}, {terms})", f.offset),
            Derived::Reverse(f, back, ..) => {
                format!("trellis_rev({view}, {}, {}, {terms})", f.offset, back.offset)
            }
            Derived::Sorted(f, key, ..) => {
                let Scalar::Int(kind) = key.scalar else {
                    return Err("keys that are no integers".to_owned());
                };
                let (bytes, signed) = (kind.bytes(), u8::from(kind.signed));
                let (f, key) = (f.offset, key.offset);
                format!("trellis_sorted({view}, {f}, {key}, {bytes}, {signed}, {terms})")
            }
            Derived::Cyclic(f, x) => {
                let x = self.term(x)?;
                let n = self.fresh();
                format!(
                    "({{ trellis_value trellis_v{n} = {x}; !trellis_v{n}.ok ? TRELLIS_UNDEFINED : \
                     trellis_v{n}.n == 0 ? TRELLIS_FALSE : trellis_reach({view}, {}, 1, \
                     trellis_v{n}, trellis_v{n}); }})",
                    f.offset
                )
            }
            Derived::ReachOver(fields, ..) => {
                format!("trellis_reach_over({view}, {}, {terms})", offsets(fields))
            }
            Derived::Tree(fields, _) => {
                format!("trellis_tree({view}, {}, {terms})", offsets(fields))
            }
        })
    }

    fn predicate(&mut self, id: usize, args: &[Term]) -> Written {
        let predicate = &self.program.predicates[id];
        let Some(body) = &predicate.body else {
            return match args {
                [one] if id < 32 => Ok(format!("trellis_mark({}, {id})", self.term(one)?)),
                _ => Err(format!("the uninterpreted predicate `{}`", predicate.name)),
            };
        };
        if let Some((_, function)) = self.within.iter().find(|(within, _)| *within == id) {
            let function = function.clone();
            let args = args.iter().map(|a| self.term(a)).collect::<Result<Vec<_>, _>>()?;
            return Ok(format!("{function}({})", args.join(", ")));
        }
        let mut values = Vec::new();
        let mut names = Vec::new();
        for (param, arg) in predicate.params.iter().zip(args) {
            let name = format!("trellis_b{}", self.fresh());
            let (ty, value) = match param.sort {
                Sort::Set(_) => ("trellis_set", self.set(arg)?),
                _ => ("trellis_value", self.term(arg)?),
            };
            values.push((format!("{ty} {name}"), value));
            names.push((param.id, name));
        }
        if predicate.is_recursive {
            return self.recursive(id, body, values, names);
        }
        // A predicate's body sees its parameters only.
        let outer = std::mem::replace(&mut self.bound, names);
        let truth = self.formula(body);
        self.bound = outer;
        let open: String =
            values.iter().map(|(name, value)| format!("{name} = {value}; ")).collect();
        Ok(format!("({{ {open}{}; }})", truth?))
    }

    /// A predicate that uses itself is a function inside of the expression. What it asks about while
    /// the answer is looked for is false, so that the least relation comes out.
    fn recursive(
        &mut self,
        id: usize,
        body: &Formula,
        values: Vec<(String, String)>,
        names: Vec<(BoundId, String)>,
    ) -> Written {
        let function = format!("trellis_p{}", self.fresh());
        let mine: Vec<String> = names.iter().map(|(_, name)| name.clone()).collect();
        self.within.push((id, function.clone()));
        let outer = std::mem::replace(&mut self.bound, names);
        let truth = self.formula(body);
        self.bound = outer;
        self.within.pop();
        let (params, args): (Vec<String>, Vec<String>) = values.into_iter().unzip();
        let (params, args, mine) = (params.join(", "), args.join(", "), mine.join(", "));
        let truth = truth?;
        Ok(format!(
            "({{ const struct trellis_goal *trellis_open = 0; int {function}({params}) {{ \
             trellis_value trellis_mine[] = {{{mine}}}; struct trellis_goal trellis_goal = \
             {{trellis_mine, sizeof trellis_mine / sizeof *trellis_mine, trellis_open}}; int \
             trellis_truth = trellis_asked(&trellis_goal); if (trellis_truth >= 0) return \
             trellis_truth; trellis_open = &trellis_goal; trellis_truth = {truth}; trellis_open = \
             trellis_goal.outer; return trellis_truth; }} {function}({args}); }})"
        ))
    }

    /// The value of an integer or pointer term.
    pub fn term(&mut self, term: &Term) -> Written {
        let view = self.view();
        Ok(match term {
            Term::Int(i) => match i64::try_from(*i) {
                Ok(i) => format!("trellis_int({})", crate::declare::number(i)),
                Err(_) => format!("trellis_int({i}ULL)"),
            },
            Term::Null => "trellis_int(0)".to_owned(),
            Term::Reg(r) => self.variable(*r)?,
            Term::Addr(r) => format!("trellis_pointer(&{})", self.name(*r)?),
            Term::Bound(b) => self.binding(*b)?,
            Term::Result => self.of_type(self.result, self.program.proc(self.proc).ret),
            Term::Load { addr, scalar } => match (addr.as_ref(), scalar) {
                (Term::Addr(Reg::Local(v)), _) if self.view == Label::Pre => {
                    // A parameter in memory, as it was passed.
                    self.variable(Reg::Local(*v))?
                }
                (addr, Scalar::Bits(b)) => format!(
                    "trellis_bits({view}, {}, {}, {}, {})",
                    self.term(addr)?,
                    b.shift,
                    b.width,
                    u8::from(b.kind.signed)
                ),
                (addr, Scalar::Int(k)) => {
                    let (bytes, signed) = (k.bytes(), u8::from(k.signed));
                    format!("trellis_load({view}, {}, {bytes}, {signed})", self.term(addr)?)
                }
                (addr, Scalar::Ptr(_)) => {
                    format!("trellis_load({view}, {}, sizeof(void *), 2)", self.term(addr)?)
                }
                (_, Scalar::Float(_)) => return Err("a floating-point number".to_owned()),
            },
            Term::Offset(t, bytes) => {
                format!("trellis_moved({}, trellis_int({bytes}))", self.term(t)?)
            }
            Term::Index { base, index, size } => format!(
                "trellis_moved({}, trellis_arith('*', {}, trellis_int({size})))",
                self.term(base)?,
                self.term(index)?
            ),
            Term::Neg(t) => format!("trellis_arith('-', trellis_int(0), {})", self.term(t)?),
            Term::Arith(op, a, b) => {
                let op = match op {
                    ArithOp::Add => '+',
                    ArithOp::Sub => '-',
                    ArithOp::Mul => '*',
                    ArithOp::Div => '/',
                    ArithOp::Rem => '%',
                };
                format!("trellis_arith('{op}', {}, {})", self.term(a)?, self.term(b)?)
            }
            Term::Ite(c, a, b) => {
                let (c, a, b) = (self.formula(c)?, self.term(a)?, self.term(b)?);
                let n = self.fresh();
                format!(
                    "({{ int trellis_c{n} = {c}; trellis_c{n} == TRELLIS_TRUE ? {a} : trellis_c{n} \
                     == TRELLIS_FALSE ? {b} : trellis_nothing; }})"
                )
            }
            Term::At(label, t) => self.at(*label, |w| w.term(t))?,
            Term::Content(..) | Term::EmptySet | Term::Singleton(_) | Term::SetOp(..) => {
                return Err("a set where a value is wanted".to_owned());
            }
        })
    }

    fn set(&mut self, term: &Term) -> Written {
        let view = self.view();
        Ok(match term {
            Term::EmptySet => "trellis_empty()".to_owned(),
            Term::Singleton(t) => format!("trellis_with(trellis_empty(), {})", self.term(t)?),
            Term::Content(f, t) => {
                format!("trellis_content({view}, {}, {})", f.offset, self.term(t)?)
            }
            Term::SetOp(op, a, b) => {
                let op = match op {
                    SetOp::Union => '|',
                    SetOp::Inter => '&',
                    SetOp::Diff => '-',
                };
                format!("trellis_combine('{op}', {}, {})", self.set(a)?, self.set(b)?)
            }
            Term::At(label, t) => self.at(*label, |w| w.set(t))?,
            Term::Bound(b) => self.binding(*b)?,
            Term::Ite(c, a, b) => {
                let (c, a, b) = (self.formula(c)?, self.set(a)?, self.set(b)?);
                format!("({c} == TRELLIS_TRUE ? {a} : {b})")
            }
            _ => return Err("a value where a set is wanted".to_owned()),
        })
    }

    fn is_set(&self, term: &Term) -> bool {
        match term {
            Term::Content(..) | Term::EmptySet | Term::Singleton(_) | Term::SetOp(..) => true,
            Term::At(_, t) => self.is_set(t),
            Term::Ite(_, a, b) => self.is_set(a) || self.is_set(b),
            _ => false,
        }
    }

    fn binding(&self, id: BoundId) -> Written {
        let found = self.bound.iter().rev().find(|(b, _)| *b == id);
        found.map(|(_, name)| name.clone()).ok_or_else(|| "an unbound variable".to_owned())
    }

    /// The value of a variable in the state that is looked at.
    fn variable(&self, reg: Reg) -> Written {
        let name = self.name(reg)?;
        let ty = self.program.reg_type(self.proc, reg);
        let old = self.view == Label::Pre;
        let name = match reg {
            Reg::Global(_) if old => old_name(&name),
            Reg::Local(v) if old && self.inside && self.is_param(v) => {
                return Err("a parameter as it was passed".to_owned());
            }
            _ => name,
        };
        Ok(self.of_type(&name, ty))
    }

    fn is_param(&self, v: trellis_program::VarId) -> bool {
        (v.0 as usize) < self.program.proc(self.proc).params
    }

    fn of_type(&self, name: &str, ty: TypeId) -> String {
        match self.program.types.get(ty) {
            Type::Ptr(_) | Type::Func(_) | Type::Array(..) => format!("trellis_pointer({name})"),
            _ => format!("trellis_int({name})"),
        }
    }

    fn name(&self, reg: Reg) -> Written {
        let name = match reg {
            Reg::Local(v) => &self.program.proc(self.proc).var(v).name,
            Reg::Global(g) => &self.program.globals[g.0 as usize].name,
        };
        match is_name(name) {
            true => Ok(name.clone()),
            false => Err(format!("`{name}` has no name in C")),
        }
    }

    fn fresh(&mut self) -> usize {
        self.fresh += 1;
        self.fresh
    }

    /// The number of a type that quantifiers range over.
    pub fn number(&mut self, ty: TypeId) -> usize {
        let next = self.types.len();
        *self.types.entry(ty).or_insert(next)
    }
}

/// What a global was at the entry.
pub fn old_name(name: &str) -> String {
    format!("trellis_old_{name}")
}

/// Offsets of fields, and an end.
fn offsets(fields: &[FieldRef]) -> String {
    let mut all: Vec<String> = fields.iter().map(|f| f.offset.to_string()).collect();
    all.push("-1".to_owned());
    format!("(const int[]){{{}}}", all.join(", "))
}
