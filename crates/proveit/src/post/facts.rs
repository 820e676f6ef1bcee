//! Contract formulas in patterns.
//!
//! The paths of a formula are followed with focus first, so that in every case each leads to one
//! place; then the formula is evaluated. Undefined is a truth value of its own: a formula must be
//! *true* to hold.

use trellis_patterns::PatternProgram;
use trellis_patterns::pattern::{Pattern, Target};
use trellis_patterns::program::{Fact, Number, Path, Source};
use trellis_patterns::values::{Orders, Values};

use super::TooLarge;
use super::coerce::class_of;
use super::focus::focus;

/// What a formula may be: a set of true, false, undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Truths(u8);

impl Truths {
    const TRUE: Truths = Truths(1);
    const FALSE: Truths = Truths(2);
    const UNDEFINED: Truths = Truths(4);

    fn of(b: bool) -> Truths {
        if b { Truths::TRUE } else { Truths::FALSE }
    }

    fn has(self, other: Truths) -> bool {
        self.0 & other.0 != 0
    }

    fn or(self, other: Truths) -> Truths {
        Truths(self.0 | other.0)
    }

    fn turned(self) -> Truths {
        Truths(self.0 & 4 | (self.0 & 1) << 1 | self.0 >> 1 & 1)
    }
}

/// The patterns in which a formula may be true, and whether it may be something else.
///
/// # Errors
/// If a pattern would have too many nodes.
pub fn decide(
    program: &PatternProgram,
    pattern: &Pattern,
    fact: &Fact,
) -> Result<(Vec<Pattern>, bool), TooLarge> {
    let mut paths = Vec::new();
    collect(fact, &mut paths);
    let mut cases = vec![pattern.clone()];
    for path in paths {
        for steps in 0..path.fields.len() {
            let mut next = Vec::new();
            for case in cases {
                let (record, field) = path.fields[steps];
                match follow(&case, path.start, &path.fields[..steps]) {
                    Some(Target::Node(n)) if case.nodes[n].record == record => {
                        next.extend(focus(&program.words, &case, n, field)?);
                    }
                    _ => next.push(case),
                }
            }
            cases = next;
        }
    }
    let (mut holds, mut fails) = (Vec::new(), false);
    for case in cases {
        let truths = evaluate(program, &case, fact);
        fails |= truths != Truths::TRUE;
        if truths.has(Truths::TRUE) {
            holds.push(case);
        }
    }
    Ok((holds, fails))
}

fn collect<'f>(fact: &'f Fact, out: &mut Vec<&'f Path>) {
    match fact {
        Fact::Const(_) => {}
        Fact::Not(f) => collect(f, out),
        Fact::And(fs) | Fact::Or(fs) => fs.iter().for_each(|f| collect(f, out)),
        Fact::Iff(a, b) => {
            collect(a, out);
            collect(b, out);
        }
        Fact::Same(a, b) => out.extend([a, b]),
        Fact::Alloc(p) => out.push(p),
        Fact::Cmp(_, a, b) => {
            for number in [a, b] {
                if let Number::Data(path, ..) = number {
                    out.push(path);
                }
            }
        }
    }
}

/// Where a path leads; `None` if it follows what is no cell.
fn follow(pattern: &Pattern, start: Source, fields: &[(usize, usize)]) -> Option<Target> {
    let mut at = match start {
        Source::Null => Target::Null,
        Source::Var(v) => pattern.vars[v],
    };
    for (record, field) in fields {
        let Target::Node(n) = at else { return None };
        if pattern.nodes[n].record != *record {
            return None;
        }
        at = pattern.nodes[n].fields[*field].only()?;
    }
    Some(at)
}

fn evaluate(program: &PatternProgram, pattern: &Pattern, fact: &Fact) -> Truths {
    let of = |f: &Fact| evaluate(program, pattern, f);
    match fact {
        Fact::Const(b) => Truths::of(*b),
        Fact::Not(f) => of(f).turned(),
        Fact::And(fs) => fs.iter().fold(Truths::TRUE, |all, f| and(all, of(f))),
        Fact::Or(fs) => fs.iter().fold(Truths::FALSE, |all, f| and(all.turned(), of(f).turned()).turned()),
        Fact::Iff(a, b) => combine(of(a), of(b), |a, b| a == b),
        Fact::Same(a, b) => same(pattern, a, b),
        Fact::Alloc(path) => match follow(pattern, path.start, &path.fields) {
            Some(Target::Node(_)) => Truths::TRUE,
            Some(Target::Null | Target::Freed) => Truths::FALSE,
            Some(Target::Undefined | Target::Dead) | None => Truths::UNDEFINED,
        },
        Fact::Cmp(op, a, b) => {
            let mut orders = Orders::NONE;
            let (xs, ys) = (number(program, pattern, a), number(program, pattern, b));
            let mut out = Truths(0);
            let undefined = |r: &Option<(i128, i128, Values)>| r.is_none();
            if xs.iter().any(undefined) || ys.iter().any(undefined) {
                out = out.or(Truths::UNDEFINED);
            }
            for (low, high, classes) in xs.iter().flatten() {
                for (least, most, others) in ys.iter().flatten() {
                    if low < most {
                        orders = orders.or(Orders::LESS);
                    }
                    if high > least {
                        orders = orders.or(Orders::GREATER);
                    }
                    let meet = low <= most && least <= high && !classes.and(*others).is_none();
                    if meet {
                        orders = orders.or(Orders::EQUAL);
                    }
                }
            }
            let holding = Orders::holding(*op);
            if orders.and(holding) != Orders::NONE {
                out = out.or(Truths::TRUE);
            }
            if !holding.includes(orders) {
                out = out.or(Truths::FALSE);
            }
            out
        }
    }
}

/// The conjunction, from left to right as in the machine: false wins over undefined.
fn and(a: Truths, b: Truths) -> Truths {
    let mut out = Truths(0);
    for x in [Truths::TRUE, Truths::FALSE, Truths::UNDEFINED].into_iter().filter(|x| a.has(*x)) {
        for y in [Truths::TRUE, Truths::FALSE, Truths::UNDEFINED].into_iter().filter(|y| b.has(*y)) {
            // Where one side is false and the other undefined, both answers are allowed for.
            out = out.or(match (x, y) {
                (Truths::TRUE, y) => y,
                (x, Truths::TRUE) => x,
                (Truths::FALSE, Truths::FALSE) => Truths::FALSE,
                (Truths::UNDEFINED, Truths::UNDEFINED) => Truths::UNDEFINED,
                _ => Truths::FALSE.or(Truths::UNDEFINED),
            });
        }
    }
    out
}

fn combine(a: Truths, b: Truths, f: fn(bool, bool) -> bool) -> Truths {
    let mut out = Truths(0);
    if a.has(Truths::UNDEFINED) || b.has(Truths::UNDEFINED) {
        out = out.or(Truths::UNDEFINED);
    }
    for x in [true, false].into_iter().filter(|x| a.has(Truths::of(*x))) {
        for y in [true, false].into_iter().filter(|y| b.has(Truths::of(*y))) {
            out = out.or(Truths::of(f(x, y)));
        }
    }
    out
}

fn same(pattern: &Pattern, a: &Path, b: &Path) -> Truths {
    let places = (follow(pattern, a.start, &a.fields), follow(pattern, b.start, &b.fields));
    match places {
        (Some(Target::Node(x)), Some(Target::Node(y))) => Truths::of(x == y),
        (Some(Target::Null), Some(Target::Null)) => Truths::TRUE,
        (Some(Target::Null), Some(Target::Node(_))) | (Some(Target::Node(_)), Some(Target::Null)) => {
            Truths::FALSE
        }
        // What freed memory equals is not known here.
        (Some(Target::Freed), Some(_)) | (Some(_), Some(Target::Freed)) => {
            Truths::TRUE.or(Truths::FALSE).or(Truths::UNDEFINED)
        }
        _ => Truths::UNDEFINED,
    }
}

/// The intervals and classes that a number may be in; `None` for undefined.
fn number(
    program: &PatternProgram,
    pattern: &Pattern,
    number: &Number,
) -> Vec<Option<(i128, i128, Values)>> {
    let words = &program.words;
    let class = |c: usize, kind| words.partition.range(c, kind).map(|(l, h)| (l, h, Values::class(c)));
    match number {
        Number::Const(c) => vec![Some((*c, *c, Values::class(words.partition.class(*c))))],
        Number::Scalar(s) => {
            let (values, kind) = (pattern.scalars[*s], words.scalars[*s].kind);
            let undefined = values.may_be_undefined().then_some(None);
            let defined = values.classes().filter_map(|c| class(c, kind).map(Some));
            undefined.into_iter().chain(defined).collect()
        }
        Number::Data(path, record, field) => {
            let Some(Target::Node(n)) = follow(pattern, path.start, &path.fields) else {
                return vec![None];
            };
            if pattern.nodes[n].record != *record {
                return vec![None];
            }
            let kind = words.records[*record].data[*field].kind;
            let mut out = Vec::new();
            for colour in &pattern.nodes[n].colours {
                match class_of(words, *record, *colour, *field) {
                    Some(Some(c)) => out.extend(class(c, kind).map(Some)),
                    Some(None) => out.push(None),
                    None => {
                        out.push(None);
                        let all = words.partition.all(kind).classes();
                        out.extend(all.filter_map(|c| class(c, kind).map(Some)));
                    }
                }
            }
            out
        }
    }
}
