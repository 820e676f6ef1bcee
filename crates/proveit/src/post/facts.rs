//! Contract formulas in patterns.
//!
//! The fields that a formula follows step by step are focused on first, so that in every case each
//! path leads to one place; what the formula may be in a case, [`trellis_patterns::facts`] says.

use trellis_patterns::PatternProgram;
use trellis_patterns::facts::{Truths, truths};
use trellis_patterns::pattern::{Pattern, Target};
use trellis_patterns::program::{Fact, Start};

use super::TooLarge;
use super::focus::focus;

/// The patterns in which a formula may be true, and whether it may be something else.
///
/// # Errors
/// If a pattern would have too many nodes.
pub fn decide(
    program: &PatternProgram,
    pattern: &Pattern,
    fact: &Fact,
) -> Result<(Vec<Pattern>, bool), TooLarge> {
    let words = &program.words;
    let mut paths = Vec::new();
    fact.paths(&mut paths);
    // What quantifiers speak of has no place of its own: cases are made where it is judged.
    paths.retain(|p| !matches!(p.start, Start::Bound(_)));
    let mut cases = vec![pattern.clone()];
    for path in paths {
        for steps in 0..path.fields.len() {
            let mut next = Vec::new();
            for case in cases {
                let (record, field) = path.fields[steps];
                match follow(&case, path.start, &path.fields[..steps]) {
                    Some(Target::Node(n)) if case.nodes[n].record == record => {
                        next.extend(focus(words, &case, n, field)?);
                    }
                    _ => next.push(case),
                }
            }
            cases = next;
        }
    }
    let (mut holds, mut fails) = (Vec::new(), false);
    for case in cases {
        let found = truths(words, &case, fact);
        fails |= found != Truths::TRUE && !trellis_patterns::facts::holds(words, &case, fact);
        if found.may_be_true() {
            holds.push(case);
        }
    }
    Ok((holds, fails))
}

/// Where a path leads; `None` if it follows what is no cell.
fn follow(pattern: &Pattern, start: Start, fields: &[(usize, usize)]) -> Option<Target> {
    let mut at = match start {
        Start::Null => Target::Null,
        Start::Var(v) => pattern.vars[v],
        Start::Bound(_) => return None,
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
