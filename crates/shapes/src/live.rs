//! Which variables still matter at the start of a block.
//!
//! A variable that is not read again before it is written makes no difference; the analysis
//! forgets it, and with it the interruptions that only it makes.

use crate::program::{Exit, Fact, IntExpr, ListProgram, Op, SetTerm, Source, Term};

/// Live list variables and integers.
#[derive(Clone, PartialEq)]
struct Live {
    vars: Vec<bool>,
    ints: Vec<bool>,
}

/// Fills in what is live at the start of every block.
pub fn mark(program: &mut ListProgram) {
    let none =
        Live { vars: vec![false; program.vars.len()], ints: vec![false; program.ints.len()] };
    let mut at_start = vec![none.clone(); program.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (b, block) in program.blocks.iter().enumerate().rev() {
            let mut live = none.clone();
            for s in block.exit.successors() {
                or(&mut live.vars, &at_start[s].vars);
                or(&mut live.ints, &at_start[s].ints);
            }
            if let Exit::Branch { cond, .. } = &block.exit {
                live.int(cond);
            }
            block.steps.iter().rev().for_each(|s| live.before(&s.op));
            if live != at_start[b] {
                at_start[b] = live;
                changed = true;
            }
        }
    }
    for (block, live) in program.blocks.iter_mut().zip(at_start) {
        block.live_vars = live.vars;
        block.live_ints = live.ints;
    }
}

fn or(into: &mut [bool], from: &[bool]) {
    into.iter_mut().zip(from).for_each(|(a, b)| *a |= b);
}

impl Live {
    /// What is live before an operation, from what is live after it.
    fn before(&mut self, op: &Op) {
        match op {
            Op::Assign { dst, value } => {
                self.vars[*dst] = false;
                self.source(*value);
            }
            Op::Reset { vars, ints } => {
                vars.iter().for_each(|v| self.vars[*v] = false);
                ints.iter().for_each(|i| self.ints[*i] = false);
            }
            Op::Load { dst, src } => {
                self.vars[*dst] = false;
                self.vars[*src] = true;
            }
            Op::Store { dst, value } => {
                self.vars[*dst] = true;
                self.source(*value);
            }
            Op::Allocate { dst, size, .. } => {
                self.vars[*dst] = false;
                self.int(size);
            }
            Op::Free { var } => self.vars[*var] = true,
            Op::Data { var, read, .. } => {
                if let Some(dst) = read {
                    self.ints[*dst] = false;
                }
                self.vars[*var] = true;
            }
            Op::WholeNode { size } => self.int(size),
            Op::DefinedData { values } => values.iter().for_each(|v| self.int(v)),
            Op::Int { dst, value } => {
                self.ints[*dst] = false;
                self.int(value);
            }
            Op::Assert { fact, .. } | Op::AssumeFact(fact) => self.fact(fact),
            Op::Test { cond, .. } | Op::Assume(cond) => self.int(cond),
            Op::Leak { roots } | Op::Keep { roots } => {
                roots.iter().for_each(|r| self.vars[*r] = true)
            }
            Op::MayFail(_) | Op::Acyclic | Op::Unsupported(_) => {}
        }
    }

    fn source(&mut self, value: Source) {
        if let Source::Var(v) = value {
            self.vars[v] = true;
        }
    }

    fn int(&mut self, e: &IntExpr) {
        match e {
            IntExpr::Const(_) => {}
            IntExpr::Var(i) => self.ints[*i] = true,
            IntExpr::Truth(s) => self.source(*s),
            IntExpr::Same(a, b) => {
                self.source(*a);
                self.source(*b);
            }
            IntExpr::Cmp(_, _, a, b) | IntExpr::Product(_, a, b) => {
                self.int(a);
                self.int(b);
            }
            IntExpr::Not(a) => self.int(a),
            IntExpr::Opaque(parts) => parts.iter().for_each(|p| self.int(p)),
        }
    }

    fn fact(&mut self, fact: &Fact) {
        match fact {
            Fact::Const(_) => {}
            Fact::Not(f) => self.fact(f),
            Fact::And(fs) | Fact::Or(fs) => fs.iter().for_each(|f| self.fact(f)),
            Fact::Iff(a, b) => {
                self.fact(a);
                self.fact(b);
            }
            Fact::Cmp(_, a, b) => {
                self.int(&a.value);
                self.int(&b.value);
            }
            Fact::Same(a, b) | Fact::Reach { from: a, to: b, .. } | Fact::ListSegment(a, b) => {
                self.term(a);
                self.term(b);
            }
            Fact::SameSet(a, b) | Fact::Subset(a, b) => {
                self.set(a);
                self.set(b);
            }
            Fact::In(x, s) => {
                self.term(x);
                self.set(s);
            }
            Fact::Stable(t) | Fact::Cyclic(t) | Fact::Alloc(t) => self.term(t),
            Fact::Separated(ts) => ts.iter().for_each(|t| self.term(t)),
        }
    }

    fn term(&mut self, term: &Term) {
        match term {
            Term::Null => {}
            Term::Var(v) => self.vars[*v] = true,
            Term::Next(t) => self.term(t),
            Term::Ite(c, a, b) => {
                self.fact(c);
                self.term(a);
                self.term(b);
            }
        }
    }

    fn set(&mut self, set: &SetTerm) {
        match set {
            SetTerm::Empty => {}
            SetTerm::Singleton(t) | SetTerm::Content(t) => self.term(t),
            SetTerm::Op(_, a, b) => {
                self.set(a);
                self.set(b);
            }
        }
    }
}
