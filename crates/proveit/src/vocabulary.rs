//! Predicates found from the program: what patterns speak of besides data against constants.
//!
//! Lowering gives every data field that is read its class. More is added where a proof needs it, in
//! stages: whether something leads to a cell (in trees, for leaks); fields that lead back (`x->next->prev` is read somewhere), first in the direction in which
//! the program reads them, then in both; then data against the integer variables that it is compared
//! with or written from; last data against that of neighbours.
//!
//! **Invariant:** a predicate says what is true of every cell; more of them never make anything
//! unsound, only slower.

mod contracts;

use std::collections::BTreeSet;

use trellis_patterns::PatternProgram;
use trellis_patterns::program::{Exit, IntExpr, Op};
use trellis_patterns::words::Predicate;

/// Most predicates of one record that are added.
const MOST: usize = 8;

/// The program with richer and richer words, each different from the one before; the first is the
/// one that is given.
pub fn stages(program: &PatternProgram) -> Vec<PatternProgram> {
    let mut out = vec![program.clone()];
    let (mut chains, mut compared) = (chains(program), compared(program));
    contracts::scan(program, &mut chains, &mut compared);
    let stage = |out: &mut Vec<PatternProgram>, change: &dyn Fn(&mut PatternProgram)| {
        let mut next = out[out.len() - 1].clone();
        change(&mut next);
        if next.words != out[out.len() - 1].words {
            out.push(next);
        }
    };
    let inverse = |p: &mut PatternProgram, record: usize, over: usize, back: usize| {
        add(p, record, Predicate::Inverse { over, back });
    };
    stage(&mut out, &|p| chains.iter().for_each(|(r, f, _, g)| inverse(p, *r, *f, *g)));
    stage(&mut out, &|p| chains.iter().for_each(|(_, f, r, g)| inverse(p, *r, *g, *f)));
    stage(&mut out, &|p| {
        for (record, field, scalar) in &compared.against {
            add(p, *record, Predicate::Against { field: *field, scalar: *scalar });
        }
        compared.pairs.iter().for_each(|(a, b)| p.words.add_pair(*a, *b));
    });
    stage(&mut out, &|p| {
        for (record, field) in &compared.ordered {
            for over in 0..p.words.records[*record].pointers.len() {
                if p.words.records[*record].pointers[over].to == Some(*record) {
                    add(p, *record, Predicate::Neighbour { field: *field, over, other: *field });
                }
            }
        }
    });
    // In trees, what is walked away from is still led to. That alone often does for leaks, and where
    // it does not, it costs least beside what data needs.
    for (at, of) in [(out.len(), out.len() - 1), (1, 0)] {
        let mut next = out[of].clone();
        entered(&mut next);
        if next.words != out[of].words && (at == 1 || of > 0) {
            out.insert(at, next);
        }
    }
    out
}

/// Whether something leads to a cell, where leaks are checked and cells branch.
fn entered(program: &mut PatternProgram) {
    for record in 0..program.words.records.len() {
        let fields = program.words.records[record].pointers.iter();
        let branches = fields.filter(|f| f.to == Some(record)).count() > 1;
        if program.checks_leaks && branches {
            add(program, record, Predicate::Entered);
        }
    }
}

fn add(program: &mut PatternProgram, record: usize, predicate: Predicate) {
    if program.words.records[record].predicates.len() < MOST {
        program.words.add_predicate(record, predicate);
    }
}

/// All steps of a program.
fn ops(program: &PatternProgram) -> impl Iterator<Item = &Op> {
    program.blocks.iter().flat_map(|b| b.steps.iter().map(|s| &s.op))
}

/// Fields that are followed one after the other and may lead back: `x->f->g` of the type of `x`.
fn chains(program: &PatternProgram) -> BTreeSet<(usize, usize, usize, usize)> {
    let loads: Vec<_> = ops(program)
        .filter_map(|op| match op {
            Op::Load { dst, from } => Some((*dst, *from)),
            _ => None,
        })
        .collect();
    let mut copies: BTreeSet<(usize, usize)> = BTreeSet::new();
    for op in ops(program) {
        if let Op::Assign { dst, value: trellis_patterns::program::Source::Var(v) } = op {
            copies.insert((*v, *dst));
        }
    }
    let mut out = BTreeSet::new();
    for (dst, first) in &loads {
        for (_, second) in &loads {
            let followed = second.var == *dst || copies.contains(&(*dst, second.var));
            let back = program.words.records[second.record].pointers[second.field].to;
            let there = program.words.records[first.record].pointers[first.field].to;
            let differ = (first.record, first.field) != (second.record, second.field);
            if followed && differ && back == Some(first.record) && there == Some(second.record) {
                out.insert((first.record, first.field, second.record, second.field));
            }
        }
    }
    out
}

/// What data is compared with.
#[derive(Default)]
struct Compared {
    /// Data fields and the integer variables that they are compared with or written from.
    against: BTreeSet<(usize, usize, usize)>,
    /// Integer variables that are compared.
    pairs: BTreeSet<(usize, usize)>,
    /// Data fields that are compared with others, or ordered.
    ordered: BTreeSet<(usize, usize)>,
}

fn compared(program: &PatternProgram) -> Compared {
    let mut out = Compared::default();
    // Which field an integer variable may have been read from.
    let mut read: BTreeSet<(usize, usize, usize)> = BTreeSet::new();
    for op in ops(program) {
        if let Op::LoadData { dst, from } = op {
            read.insert((*dst, from.record, from.field));
        }
    }
    let is_read = |s: usize| read.iter().any(|(t, _, _)| *t == s);
    for op in ops(program) {
        match op {
            Op::StoreData { to, value } => {
                if let Some(s) = variable(value).filter(|s| !is_read(*s)) {
                    out.against.insert((to.record, to.field, s));
                }
            }
            Op::Assert { cond, .. } | Op::Assume(cond) => comparison(cond, &read, &mut out),
            Op::Set { value, .. } => comparison(value, &read, &mut out),
            _ => {}
        }
    }
    for block in &program.blocks {
        if let Exit::Branch { cond, .. } = &block.exit {
            comparison(cond, &read, &mut out);
        }
    }
    out
}

/// The integer variable that an expression is, conversions aside.
fn variable(expr: &IntExpr) -> Option<usize> {
    match expr {
        IntExpr::Scalar(s) => Some(*s),
        IntExpr::Convert(_, inner) => variable(inner),
        _ => None,
    }
}

fn comparison(expr: &IntExpr, read: &BTreeSet<(usize, usize, usize)>, out: &mut Compared) {
    match expr {
        IntExpr::Cmp(_, _, a, b) => {
            if let (Some(a), Some(b)) = (variable(a), variable(b)) {
                let fields = |s: usize| read.iter().filter(move |(t, _, _)| *t == s);
                for (s, other) in [(a, b), (b, a)] {
                    for (_, record, field) in fields(s) {
                        match fields(other).next() {
                            None => {
                                out.against.insert((*record, *field, other));
                                out.pairs.insert((s, other));
                            }
                            Some(_) => {
                                out.ordered.insert((*record, *field));
                                out.pairs.insert((s, other));
                            }
                        }
                    }
                }
            }
            comparison(a, read, out);
            comparison(b, read, out);
        }
        IntExpr::Not(a) | IntExpr::Unary(_, _, a) | IntExpr::Convert(_, a) => {
            comparison(a, read, out)
        }
        IntExpr::Binary(_, _, a, b) => {
            comparison(a, read, out);
            comparison(b, read, out);
        }
        IntExpr::Const(_) | IntExpr::Scalar(_) | IntExpr::Truth(_) | IntExpr::Same(..) => {}
    }
}
