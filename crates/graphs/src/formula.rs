//! What a contract formula says in a graph: `concrete::spec_eval` of the machine, with symbols.
//!
//! Formulas about integers, about which object a pointer leads to and about what objects hold are
//! decided; where the graph leaves something open, cases are told apart as for instructions. What is
//! said of paths, sets and all objects is outside.
//!
//! **Invariant.** True and false are what the machine finds in every memory of the graph.

use std::cmp::Ordering;

use trellis_program::concrete::spec_eval::Truth;
use trellis_program::spec::{ArithOp, Formula, Term};
use trellis_program::{CheckKind, CmpOp, IntKind, Reg, Scalar};

use crate::code::Code;
use crate::eval::{Eval, Need, Stop};
use crate::graph::{Graph, Node};
use crate::value::Value;

/// What a term is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Val {
    /// A mathematical integer between two numbers.
    Between(i128, i128),
    /// An integer of the program that is not known, whose bits are read as those of a type.
    Program(Value, IntKind),
    /// Null, a pointer to memory, or one to memory that is gone.
    Pointer(Value),
}

/// A formula where it is looked at.
struct Said<'c, 'p> {
    code: &'c Code<'p>,
    /// What is returned.
    result: Option<Value>,
}

impl Code<'_> {
    /// The truth of a formula.
    ///
    /// # Errors
    /// If it is outside of what graphs can say, or cases have to be told apart.
    pub(crate) fn truth_of(&self, graph: &mut Graph, formula: &Formula) -> Result<Truth, Stop> {
        Said { code: self, result: None }.truth_of(graph, formula)
    }

    /// Fails unless the contract holds where the program returns.
    pub(crate) fn keeps_contract(&self, graph: &mut Graph, result: Value) -> Result<(), Stop> {
        if !self.checks.contains(CheckKind::Postcondition) {
            return Ok(());
        }
        let said = Said { code: self, result: Some(result) };
        for clause in &self.program.proc(self.proc).contract.ensures {
            if said.truth_of(graph, &clause.formula)? != Truth::True {
                return Err(Stop::Fails(CheckKind::Postcondition));
            }
        }
        Ok(())
    }
}

impl Said<'_, '_> {
    /// The truth of a formula.
    ///
    /// # Errors
    /// If it is outside of what graphs can say, or cases have to be told apart.
    fn truth_of(&self, graph: &mut Graph, formula: &Formula) -> Result<Truth, Stop> {
        let all = |this: &Self, graph: &mut Graph, fs: &[Formula], decisive: Truth| {
            let mut known = !decisive;
            for f in fs {
                let truth = this.truth_of(graph, f)?;
                known = if decisive == Truth::False { known.min(truth) } else { known.max(truth) };
                if known == decisive {
                    break;
                }
            }
            Ok(known)
        };
        match formula {
            Formula::Const(b) => Ok((*b).into()),
            Formula::Not(f) => Ok(!self.truth_of(graph, f)?),
            Formula::And(fs) => all(self, graph, fs, Truth::False),
            Formula::Or(fs) => all(self, graph, fs, Truth::True),
            Formula::Implies(a, b) => match !self.truth_of(graph, a)? {
                Truth::True => Ok(Truth::True),
                not_a => Ok(not_a.max(self.truth_of(graph, b)?)),
            },
            Formula::Iff(a, b) => match self.truth_of(graph, a)? {
                Truth::True => self.truth_of(graph, b),
                Truth::False => Ok(!self.truth_of(graph, b)?),
                Truth::Undefined => Ok(Truth::Undefined),
            },
            Formula::Cmp(op, a, b) => {
                let (Some(a), Some(b)) = (self.term(graph, a)?, self.term(graph, b)?) else {
                    return Ok(Truth::Undefined);
                };
                compare(graph, *op, a, b)
            }
            Formula::Alloc(t) => self.is_memory(graph, t, 0),
            Formula::Valid(t, bytes) => self.is_memory(graph, t, *bytes),
            Formula::Separated(ts) => self.separated(graph, ts),
            _ => Err(Stop::outside("a formula of the contract language")),
        }
    }

    /// Whether no two terms lead into one object.
    fn separated(&self, graph: &mut Graph, terms: &[Term]) -> Result<Truth, Stop> {
        let mut places = Vec::with_capacity(terms.len());
        for term in terms {
            places.push(self.place(graph, term)?);
        }
        let mut known = Truth::True;
        for (i, a) in places.iter().enumerate() {
            for b in &places[..i] {
                known = known.min(match (a, b) {
                    (Some(Value::Null), _) | (_, Some(Value::Null)) => Truth::True,
                    (None, _) | (_, None) => Truth::Undefined,
                    (Some(Value::Ptr(p)), Some(Value::Ptr(q))) => {
                        let is_object = |id| matches!(graph.node(id), Node::Object(_));
                        if !is_object(p.node) || !is_object(q.node) {
                            return Err(Stop::outside("`\\separated` of a summary"));
                        }
                        (p.node != q.node).into()
                    }
                    _ => return Err(Stop::outside("`\\separated` of freed memory")),
                });
            }
        }
        Ok(known)
    }

    /// Whether a term leads to memory of so many bytes.
    fn is_memory(&self, graph: &mut Graph, term: &Term, bytes: u32) -> Result<Truth, Stop> {
        let Some(value) = self.place(graph, term)? else { return Ok(Truth::Undefined) };
        match self.code.accessible(graph, value, bytes) {
            Ok(()) => Ok(Truth::True),
            Err(Stop::Fails(_)) => Ok(Truth::False),
            Err(stop) => Err(stop),
        }
    }

    /// The value of a term; `None` if it has none.
    fn term(&self, graph: &mut Graph, term: &Term) -> Result<Option<Val>, Stop> {
        Ok(match term {
            Term::Int(i) => Some(Val::Between(*i, *i)),
            Term::Null => Some(Val::Pointer(Value::Null)),
            Term::Reg(r) | Term::Addr(r) => {
                let value = match r {
                    Reg::Local(v) => graph.locals[v.0 as usize],
                    Reg::Global(g) => graph.globals[g.0 as usize],
                };
                let ty = self.code.program.reg_type(self.code.proc, *r);
                let scalar = match term {
                    Term::Reg(_) => self.code.program.types.scalar(ty),
                    _ => None,
                };
                known(graph, value, scalar)?
            }
            Term::Load { addr, scalar } => {
                let Some(at) = self.place(graph, addr)? else { return Ok(None) };
                if at.place().is_some_and(|p| graph.node(p.node).buffer().is_some()) {
                    return Err(Stop::outside("a formula about characters"));
                }
                match self.code.load(graph, at, *scalar) {
                    Ok(value) => known(graph, value, Some(*scalar))?,
                    Err(Stop::Fails(_)) => None,
                    Err(stop) => return Err(stop),
                }
            }
            Term::Offset(t, by) => match self.place(graph, t)? {
                Some(v) => moved(graph, v, (*by).into())?,
                None => None,
            },
            Term::Index { base, index, size } => {
                let Some(v) = self.place(graph, base)? else { return Ok(None) };
                match self.integer(graph, index)? {
                    Some((lo, hi)) if lo == hi => moved(graph, v, lo * i128::from(*size))?,
                    Some(_) => return Err(Stop::outside("an index or a size that is not known")),
                    None => None,
                }
            }
            Term::Result => match self.result {
                Some(value) => {
                    let ret = self.code.program.proc(self.code.proc).ret;
                    known(graph, value, self.code.program.types.scalar(ret))?
                }
                None => return Err(Stop::outside("a result before the return")),
            },
            Term::Neg(t) => self.integer(graph, t)?.map(|(lo, hi)| Val::Between(-hi, -lo)),
            Term::Arith(op, a, b) => {
                let (Some(a), Some(b)) = (self.integer(graph, a)?, self.integer(graph, b)?) else {
                    return Ok(None);
                };
                return arithmetic(*op, a, b);
            }
            Term::Ite(c, a, b) => match self.truth_of(graph, c)? {
                Truth::True => return self.term(graph, a),
                Truth::False => return self.term(graph, b),
                Truth::Undefined => None,
            },
            _ => return Err(Stop::outside("a term of the contract language")),
        })
    }

    /// The value of a pointer term: null, a pointer, or one to memory that is gone.
    fn place(&self, graph: &mut Graph, term: &Term) -> Result<Option<Value>, Stop> {
        Ok(match self.term(graph, term)? {
            Some(Val::Pointer(v)) => Some(v),
            Some(Val::Between(0, 0)) => Some(Value::Null),
            Some(Val::Between(lo, hi)) if lo > 0 || hi < 0 => None,
            Some(_) => return Err(Stop::outside("an integer used as a pointer")),
            None => None,
        })
    }

    /// Between which numbers an integer term lies.
    fn integer(&self, graph: &mut Graph, term: &Term) -> Result<Option<(i128, i128)>, Stop> {
        Ok(match self.term(graph, term)? {
            Some(Val::Between(lo, hi)) => Some((lo, hi)),
            Some(Val::Program(value, kind)) => Some(bounds(graph, value, kind)?),
            Some(Val::Pointer(_)) | None => None,
        })
    }
}

/// A value of the program in a formula.
fn known(graph: &Graph, value: Value, scalar: Option<Scalar>) -> Result<Option<Val>, Stop> {
    Ok(match value {
        Value::Undef => None,
        Value::Ptr(p) => match graph.node(p.node) {
            Node::Summary(s) if s.may_be_empty() => {
                return Err(Stop::Need(Need::Elements(p.node)));
            }
            _ => Some(Val::Pointer(value)),
        },
        Value::Null | Value::Freed => Some(Val::Pointer(value)),
        Value::Int(i) => Some(match scalar {
            Some(Scalar::Int(kind)) => Val::Between(kind.value(i), kind.value(i)),
            _ => Val::Between(i.into(), i.into()),
        }),
        Value::Sym(_) | Value::Range(_) => {
            let kind = match scalar {
                Some(Scalar::Int(kind)) => kind,
                _ => IntKind::LONG,
            };
            Some(Val::Program(value, kind))
        }
        Value::Any | Value::Mixed | Value::Formal(..) => {
            return Err(Stop::outside("a value that was thought to be unused"));
        }
    })
}

/// A pointer moved by some bytes; null moves nowhere.
fn moved(graph: &Graph, value: Value, by: i128) -> Result<Option<Val>, Stop> {
    let Value::Ptr(p) = value else {
        return match value {
            Value::Freed => Err(Stop::outside("a place in freed memory")),
            v => Ok((by == 0).then_some(Val::Pointer(v))),
        };
    };
    debug_assert!(graph.nodes[p.node as usize].is_some());
    let by = i32::try_from(by).ok();
    Ok(by.and_then(|by| value.shifted(by)).map(Val::Pointer))
}

/// Between which mathematical integers a value of the program lies, in one piece.
fn bounds(graph: &Graph, value: Value, kind: IntKind) -> Result<(i128, i128), Stop> {
    let Some(range) = graph.range(value) else {
        return Err(Stop::outside("a term of the contract language"));
    };
    let (lo, hi) = (kind.value(range.lo), kind.value(range.hi));
    match (value, lo <= hi) {
        (_, true) => Ok((lo, hi)),
        (Value::Sym(s), false) => Err(Stop::Need(Need::Below(s, 0))),
        _ => Err(Stop::outside("a term of the contract language")),
    }
}

fn arithmetic(op: ArithOp, a: (i128, i128), b: (i128, i128)) -> Result<Option<Val>, Stop> {
    let far = || Stop::outside("a term of the contract language");
    let all = |f: fn(i128, i128) -> Option<i128>| -> Result<Option<Val>, Stop> {
        let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
        let values: Option<Vec<i128>> = corners.iter().map(|(x, y)| f(*x, *y)).collect();
        let values = values.ok_or_else(far)?;
        let (lo, hi) = (values.iter().min(), values.iter().max());
        Ok(Some(Val::Between(*lo.ok_or_else(far)?, *hi.ok_or_else(far)?)))
    };
    match op {
        ArithOp::Add => all(i128::checked_add),
        ArithOp::Sub => all(i128::checked_sub),
        ArithOp::Mul => all(i128::checked_mul),
        ArithOp::Div | ArithOp::Rem if b == (0, 0) => Ok(None),
        ArithOp::Div if a.0 == a.1 && b.0 == b.1 => all(i128::checked_div),
        ArithOp::Rem if a.0 == a.1 && b.0 == b.1 => all(i128::checked_rem),
        ArithOp::Div | ArithOp::Rem => Err(far()),
    }
}

fn compare(graph: &mut Graph, op: CmpOp, a: Val, b: Val) -> Result<Truth, Stop> {
    let equality = |equal: bool| op.apply_equality(equal).map_or(Truth::Undefined, Truth::from);
    match (a, b) {
        (Val::Pointer(v), Val::Pointer(w)) => pointers(graph, op, v, w),
        (Val::Pointer(v), number) | (number, Val::Pointer(v)) => {
            let (lo, hi) = match number {
                Val::Between(lo, hi) => (lo, hi),
                Val::Program(value, kind) => bounds(graph, value, kind)?,
                Val::Pointer(_) => return Ok(Truth::Undefined),
            };
            match (v, lo, hi) {
                (v, 0, 0) => Ok(equality(v == Value::Null)),
                (Value::Null, lo, hi) if lo > 0 || hi < 0 => Ok(equality(false)),
                (_, lo, hi) if lo > 0 || hi < 0 => Ok(Truth::Undefined),
                _ => Err(Stop::outside("a comparison of a pointer with a number")),
            }
        }
        _ => numbers(graph, op, a, b),
    }
}

/// Places are compared as they are, whatever became of their objects.
fn pointers(graph: &Graph, op: CmpOp, v: Value, w: Value) -> Result<Truth, Stop> {
    let equality = |equal: bool| op.apply_equality(equal).map_or(Truth::Undefined, Truth::from);
    match (v, w) {
        (Value::Null, Value::Null) => Ok(equality(true)),
        (Value::Null, _) | (_, Value::Null) => Ok(equality(false)),
        (Value::Freed, Value::Freed) => {
            Err(Stop::outside("a comparison of a pointer to freed memory"))
        }
        (Value::Freed, _) | (_, Value::Freed) => Ok(equality(false)),
        (Value::Ptr(p), Value::Ptr(q)) if p.node == q.node && p.at != q.at => {
            Err(Stop::outside("a comparison of places in one object"))
        }
        (Value::Ptr(p), Value::Ptr(q)) if p.node == q.node && p.end == q.end => {
            Ok(equality(p.off == q.off))
        }
        // The first element may be the last one.
        (Value::Ptr(p), Value::Ptr(q)) if p.node == q.node => {
            Err(Stop::Need(Need::Element(p.node, crate::value::End::First)))
        }
        (Value::Ptr(p), Value::Ptr(q)) => {
            let literal = |id| match graph.node(id) {
                Node::Object(o) => o.literal,
                // Two strings of the host may be the same, too.
                Node::Buffer(b) => b.literal || b.passed,
                Node::Arguments(_) | Node::Summary(_) | Node::Child { .. } => false,
            };
            match literal(p.node) && literal(q.node) {
                true => Ok(Truth::Undefined),
                false => Ok(equality(false)),
            }
        }
        _ => Err(Stop::outside("a comparison of a pointer with a number")),
    }
}

fn numbers(graph: &mut Graph, op: CmpOp, a: Val, b: Val) -> Result<Truth, Stop> {
    let interval = |v: Val| match v {
        Val::Between(lo, hi) => Ok((lo, hi)),
        Val::Program(value, kind) => bounds(graph, value, kind),
        Val::Pointer(_) => Err(Stop::outside("a comparison of a pointer with a number")),
    };
    let ((al, ah), (bl, bh)) = (interval(a)?, interval(b)?);
    let holds = |order: Ordering| Ok(Truth::from(op.holds(order)));
    if ah < bl {
        return holds(Ordering::Less);
    }
    if al > bh {
        return holds(Ordering::Greater);
    }
    if al == ah && bl == bh {
        return holds(al.cmp(&bl));
    }
    // From here on one of them is not known. As registers hold them the order is the same.
    let value = |v: Val| match v {
        Val::Program(value, kind) => {
            let (lo, hi) = bounds(graph, value, kind)?;
            let plain = graph
                .range(value)
                .is_some_and(|r| (i128::from(r.lo), i128::from(r.hi)) == (lo, hi));
            plain.then_some(value).ok_or_else(undecided)
        }
        Val::Between(lo, hi) if lo == hi => {
            i64::try_from(lo).map(Value::Int).map_err(|_| undecided())
        }
        _ => Err(undecided()),
    };
    let (a, b) = (value(a)?, value(b)?);
    let mut eval = Eval { graph, overflow: false, picks: &[], used: 0 };
    match eval.compare(op, Some(IntKind::LONG), a, b)? {
        Value::Int(i) => Ok(Truth::from(i != 0)),
        _ => Err(undecided()),
    }
}

fn undecided() -> Stop {
    Stop::outside("a comparison in a formula of the contract language")
}
