//! What holds at loops, as short as people like it.
//!
//! Shapes, patterns and graphs are alternatives, each of some facts. Here an alternative that says more
//! than another one is left out, two that differ in one fact are one, and what all of them say is said
//! once.
//!
//! **Invariant.** What comes out follows from what went in. It may say less: who wants all of it reads
//! the formulas of the report.

use trellis_program::{Program, Span};

/// One fact: what it is about, and what that is.
pub(crate) type Fact = (String, String);

/// More alternatives are not compared with one another.
const MOST: usize = 300;
/// So many values of one fact are still read in one line.
const MOST_VALUES: usize = 4;

#[derive(Clone, PartialEq, Eq)]
struct Alternative {
    /// Each with its values, of which it has one.
    facts: Vec<(String, Vec<String>)>,
}

/// The facts that all alternatives have, then the alternatives.
pub(crate) fn alternatives(all: Vec<Vec<Fact>>) -> Vec<String> {
    let one = |facts: Vec<Fact>| Alternative {
        facts: facts.into_iter().map(|(about, value)| (about, vec![value])).collect(),
    };
    let mut all: Vec<Alternative> = all.into_iter().map(one).collect();
    if all.len() <= MOST {
        weakest(&mut all);
        while join(&mut all) {}
    }
    let common = common(&mut all);
    let mut out: Vec<String> = if common.is_empty() { Vec::new() } else { vec![text(&common)] };
    let rest: Vec<String> = all.iter().map(|a| text(&a.facts)).collect();
    match &rest[..] {
        [] => out.push("\\false".to_owned()),
        // One of them says nothing more, so the others do not matter.
        many if many.iter().any(String::is_empty) => {}
        many => out.push(many.join("\n|| ")),
    }
    if out.is_empty() {
        out.push("\\true".to_owned());
    }
    out
}

/// Leaves out what implies another one: an alternative with all facts of another, and more.
fn weakest(all: &mut Vec<Alternative>) {
    let mut kept: Vec<Alternative> = Vec::new();
    let implies = |a: &Alternative, b: &Alternative| b.facts.iter().all(|f| a.facts.contains(f));
    for one in std::mem::take(all) {
        if !kept.iter().any(|k| implies(&one, k)) {
            kept.retain(|k| !implies(k, &one));
            kept.push(one);
        }
    }
    *all = kept;
}

/// Joins two alternatives that differ in one fact; says whether there were any.
fn join(all: &mut Vec<Alternative>) -> bool {
    for i in 0..all.len() {
        for j in i + 1..all.len() {
            if let Some(both) = joined(&all[i], &all[j]) {
                all[i] = both;
                all.remove(j);
                return true;
            }
        }
    }
    false
}

fn joined(a: &Alternative, b: &Alternative) -> Option<Alternative> {
    if a.facts.len() != b.facts.len() {
        return None;
    }
    let mut differing = None;
    for (i, (x, y)) in a.facts.iter().zip(&b.facts).enumerate() {
        if x.0 != y.0 || (x.1 != y.1 && differing.replace(i).is_some()) {
            return None;
        }
    }
    let i = differing?;
    let mut both = a.clone();
    for value in &b.facts[i].1 {
        if !both.facts[i].1.contains(value) {
            both.facts[i].1.push(value.clone());
        }
    }
    (both.facts[i].1.len() <= MOST_VALUES).then_some(both)
}

/// Takes out what several alternatives have in common.
fn common(all: &mut [Alternative]) -> Vec<(String, Vec<String>)> {
    let [first, rest @ ..] = &*all else { return Vec::new() };
    if rest.is_empty() {
        return Vec::new();
    }
    let everywhere = |fact: &&(String, Vec<String>)| rest.iter().all(|a| a.facts.contains(fact));
    let common: Vec<_> = first.facts.iter().filter(everywhere).cloned().collect();
    for one in all {
        one.facts.retain(|fact| !common.contains(fact));
    }
    common
}

fn text(facts: &[(String, Vec<String>)]) -> String {
    let one = |(about, values): &(String, Vec<String>)| {
        format!("{about} {}", values.join(" or ")).trim().to_owned()
    };
    facts.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Which variables of a procedure whose calls were replaced by code are seen at a place: its own, and
/// those of the function that the place is in (`make.list`, `make#2.list`).
pub(crate) fn is_seen<'a>(program: &'a Program, place: Span) -> impl Fn(&str) -> bool + 'a {
    let holds = |p: &&trellis_program::Procedure| {
        let end = p.body.as_ref().map(|body| body.end_span);
        end.is_some_and(|end| {
            let begins = p.span.file == place.file && p.span.start <= place.start;
            begins && end.file == place.file && place.start < end.end
        })
    };
    let inside = program.procs.iter().find(holds).map(|p| p.name.as_str());
    move |name| match name.split_once('.') {
        None => true,
        Some((call, _)) => inside == Some(call.split('#').next().unwrap_or(call)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(all: &[&[(&str, &str)]]) -> Vec<String> {
        let own = |(a, b): &(&str, &str)| ((*a).to_owned(), (*b).to_owned());
        alternatives(all.iter().map(|facts| facts.iter().map(own).collect()).collect())
    }

    #[test]
    fn what_says_more_than_another_is_left_out() {
        let all: &[&[(&str, &str)]] = &[
            &[("h ->+", "h"), ("n =", "0")],
            &[("h ->+", "h")],
            &[("h ->+", "h")],
            &[("g =", "NULL"), ("n =", "1")],
        ];
        assert_eq!(said(all), ["h ->+ h\n|| g = NULL, n = 1"]);
    }

    #[test]
    fn what_differs_in_one_fact_is_one() {
        let all: &[&[(&str, &str)]] = &[
            &[("t =", "null"), ("h =", "null")],
            &[("t =", "null"), ("h =", "list over next")],
            &[("t =", "h"), ("h =", "list over next")],
        ];
        assert_eq!(
            said(all),
            ["t = null, h = null or list over next\n|| t = h, h = list over next"]
        );
    }

    #[test]
    fn what_all_say_is_said_once() {
        let all: &[&[(&str, &str)]] = &[
            &[("in =", "null"), ("x =", "1"), ("y =", "1")],
            &[("in =", "null"), ("x =", "2"), ("y =", "2")],
        ];
        assert_eq!(said(all), ["in = null", "x = 1, y = 1\n|| x = 2, y = 2"]);
        assert_eq!(said(&[&[]]), ["\\true"], "nothing is known");
        assert_eq!(said(&[]), ["\\false"], "the loop is never reached");
    }
}
