//! Post against the machine: for every small heap of a pattern, what the machine makes of it fits
//! what Post makes of the pattern; and Post of a pattern that stands for one heap is exact.
//!
//! Patterns are heaps that the machine reached, with nodes merged at random: any partition gives a
//! pattern that fits at least that heap, so both rare shapes and unrelated heaps come up.

use std::collections::BTreeSet;

use trellis_patterns::PatternProgram;
use trellis_patterns::enumerate::{Flow, Samples, heaps};
use trellis_patterns::heap::Heap;
use trellis_patterns::initial::starts;
use trellis_patterns::machine::heap_of;
use trellis_patterns::matching::fits;
use trellis_patterns::pattern::Pattern;
use trellis_patterns::values::Values;
use trellis_patterns::words::Predicate;
use trellis_program::concrete::{Finish, Machine, State};
use trellis_proveit::examples::{Runner, exact};
use trellis_proveit::flow::through;
use trellis_proveit::merge::merged;
use trellis_proveit::post::coerce::coerce;
use trellis_proveit::post::{Event, Post, What};
use trellis_proveit::vocabulary::stages;
use trellis_testkit::random::Random;

use crate::programs::{Subject, suite};

/// What the machine does in one block.
enum Ran {
    To(usize, Box<State>),
    Failed(trellis_program::CheckKind),
    Ended,
}

/// All runs through one block.
fn runs(machine: &Machine<'_>, state: &State) -> Vec<Ran> {
    let mut out = Vec::new();
    let mut script: Vec<u32> = Vec::new();
    loop {
        let mut chooser = Script { script: script.clone(), made: Vec::new() };
        let mut now = state.clone();
        let end = loop {
            match machine.step(&mut now, &mut chooser) {
                Some(Finish::Failed(failure)) => break Ran::Failed(failure.kind),
                Some(_) => break Ran::Ended,
                None if now.top().instr == 0 => {
                    break Ran::To(now.top().block.0 as usize, Box::new(now));
                }
                None => {}
            }
        };
        out.push(end);
        let made = chooser.made;
        let Some(last) = (0..made.len()).rev().find(|i| made[*i].0 + 1 < made[*i].1) else { break };
        script = made[..=last].iter().map(|m| m.0).collect();
        script[last] += 1;
    }
    out
}

struct Script {
    script: Vec<u32>,
    made: Vec<(u32, u32)>,
}

impl trellis_program::concrete::Chooser for Script {
    fn choose(&mut self, options: u32) -> u32 {
        let choice = self.script.get(self.made.len()).copied().unwrap_or(0);
        self.made.push((choice, options));
        choice
    }
}

/// Nodes that no variable is at, merged by chance.
fn merged_at_random(pattern: &Pattern, random: &mut Random) -> Pattern {
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for n in 0..pattern.nodes.len() {
        let is_named = pattern.vars_at(n).next().is_some();
        let fits = |c: &Vec<usize>| {
            let first = c[0];
            pattern.vars_at(first).next().is_none()
                && pattern.nodes[first].record == pattern.nodes[n].record
        };
        let open: Vec<usize> = (0..classes.len()).filter(|c| fits(&classes[*c])).collect();
        match open.get(random.below(open.len() as u64 + 1) as usize) {
            Some(class) if !is_named => classes[*class].push(n),
            _ => classes.push(vec![n]),
        }
    }
    let mut out = merged(pattern, &classes);
    for n in 0..out.nodes.len() {
        // A node that no variable is at may also be any number of cells.
        let is_named = out.vars_at(n).next().is_some();
        if !is_named && random.below(4) == 0 {
            out.nodes[n].summary = true;
        }
    }
    out
}

/// Checks all small heaps of a pattern at a block; returns how many runs were compared.
fn sound(subject: &Subject, runner: &Runner<'_>, block: usize, pattern: &Pattern) -> usize {
    let code = runner.patterns;
    let post = Post { program: code, checks: subject.checks };
    let mut events: Vec<Event> = Vec::new();
    let Some(pattern) = coerce(&code.words, pattern.clone()) else { return 0 };
    let results = through(&post, block, &pattern, &mut events);
    if events.iter().any(|e| matches!(e.what, What::Outside(_))) {
        return 0;
    }
    let mut compared = 0;
    for cells in 0..=4 {
        let mut left = 25;
        let _ = heaps(&code.words, &pattern, cells, Samples(2), &mut |heap| {
            for ran in runs(runner.machine, &runner.state(block, heap)) {
                compared += 1;
                match ran {
                    Ran::Ended => {}
                    Ran::Failed(kind) => {
                        let known = |e: &Event| matches!(e.what, What::Failed(k, _) if k == kind);
                        assert!(
                            events.iter().any(known),
                            "{}: block {block}: {kind} from {heap:?} of {pattern:#?}",
                            subject.name
                        );
                    }
                    Ran::To(to, state) => {
                        let (program, proc) = (runner.program, runner.proc);
                        let after = heap_of(program, proc, &code.words, &state).expect("words");
                        let fit = |(b, p): &(usize, Pattern)| {
                            *b == to && fits(&code.words, p, &after).is_ok()
                        };
                        assert!(
                            results.iter().any(fit),
                            "{}: block {block} to {to}: {heap:?} becomes {after:?}, pattern {pattern:#?} becomes {results:#?}",
                            subject.name
                        );
                    }
                }
            }
            left -= 1;
            if left > 0 { Flow::Continue(()) } else { Flow::Break(()) }
        });
    }
    compared
}

/// The heaps that the machine passes at every block, as patterns.
fn passed(subject: &Subject, runner: &Runner<'_>, most: usize) -> Vec<(usize, Heap)> {
    let code = runner.patterns;
    let span = subject.inlined.program.proc(subject.inlined.proc).span;
    let mut seen: BTreeSet<(usize, Heap)> = BTreeSet::new();
    let mut counts = vec![0; code.blocks.len()];
    let mut todo: Vec<(usize, State)> = Vec::new();
    for start in starts(code, span).expect("few starts") {
        if let Some(heap) =
            trellis_patterns::enumerate::smallest(&code.words, &start, 2, Samples(1))
        {
            todo.push((code.entry, runner.state(code.entry, &heap)));
        }
    }
    let mut next = 0;
    while let Some((block, state)) = todo.get(next).cloned() {
        next += 1;
        let heap = heap_of(runner.program, runner.proc, &code.words, &state).expect("words");
        if counts[block] >= most || !seen.insert((block, heap.normalised())) {
            continue;
        }
        counts[block] += 1;
        for ran in runs(runner.machine, &state) {
            if let Ran::To(to, state) = ran {
                todo.push((to, *state));
            }
        }
    }
    seen.into_iter().collect()
}

/// The same words, and what no stage says: whether fields lead where two of the variables are, and how
/// the first data is ordered against that of the next cell.
fn with_comparisons(code: &PatternProgram) -> PatternProgram {
    let mut code = code.clone();
    code.words.add_predicate(0, Predicate::Neighbour { field: 0, over: 0, other: 0 });
    let named = (0..code.words.pointers.len()).filter(|p| !code.words.pointers[*p].is_temp);
    for pointer in named.take(2).collect::<Vec<_>>() {
        for record in 0..code.words.records.len() {
            for field in 0..code.words.records[record].pointers.len() {
                code.words.add_predicate(record, Predicate::Is { field, pointer });
            }
        }
    }
    code
}

#[test]
fn what_the_machine_makes_of_a_heap_fits_what_post_makes_of_its_pattern() {
    let mut random = Random::new(4);
    let mut compared = 0;
    for subject in suite() {
        let machine = subject.machine();
        let compares = with_comparisons(&subject.code);
        for code in stages(&subject.code).into_iter().chain([compares]) {
            let runner = subject.runner(&code, &machine);
            for (block, heap) in passed(&subject, &runner, 6) {
                let pattern = exact(&code, &heap);
                compared += sound(&subject, &runner, block, &pattern);
                for _ in 0..6 {
                    let pattern = merged_at_random(&pattern, &mut random);
                    compared += sound(&subject, &runner, block, &pattern);
                }
            }
        }
    }
    assert!(compared > 50_000, "{compared}");
}

/// Data is written under a neighbour, and integers wrap around.
#[test]
fn post_follows_integers_of_every_width() {
    const HEADER: &str = "struct node { signed char data; struct node *next; };\n";
    for body in [
        "unsigned char u = c; u = u + 1; x->data = u;",
        "unsigned char u = c; u = u - 5; if (u > 100) x->data = 1;",
        "signed char s = c; s = s * 2; x->data = s;",
        "unsigned u = c; u = -u; if (u > 5) x->data = 0;",
        "signed char s = c; s = ~s; x->data = s; if (s < 0) x->data = 5;",
        "struct node *y = x->next; if (y) { if (x->data < 5) y->data = c; }",
        "struct node *y = x->next; if (y) { x->data = 5; y->data = 1; if (x->data == 5) y->data = 5; }",
    ] {
        let text = format!(
            "{HEADER}/*@ requires \\valid(x); */ void f(struct node *x, unsigned char c) {{ {body} }}"
        );
        let subject = Subject::of_text(&text);
        let code = with_comparisons(&subject.code);
        let machine = subject.machine();
        let runner = subject.runner(&code, &machine);
        let span = subject.inlined.program.proc(subject.inlined.proc).span;
        let mut compared = 0;
        for start in starts(&code, span).expect("few starts") {
            for case in apart(&code, &start) {
                compared += sound(&subject, &runner, code.entry, &case);
            }
        }
        for (block, heap) in passed(&subject, &runner, 60) {
            compared += sound(&subject, &runner, block, &exact(&code, &heap));
        }
        assert!(compared > 20, "{text}: {compared}");
    }
}

/// One pattern for every class of the integer variables.
fn apart(code: &PatternProgram, pattern: &Pattern) -> Vec<Pattern> {
    let mut all = vec![pattern.clone()];
    for s in 0..code.words.scalars.len() {
        let by = |p: &Pattern| trellis_patterns::unfold::by_scalar(&code.words, p, s);
        all = all.iter().flat_map(by).collect();
    }
    all
}

#[test]
fn post_of_one_heap_is_exact() {
    let mut compared = 0;
    for subject in suite() {
        let machine = subject.machine();
        let code = stages(&subject.code).pop().expect("at least one stage");
        let runner = subject.runner(&code, &machine);
        let post = Post { program: &code, checks: subject.checks };
        for (block, heap) in passed(&subject, &runner, 20) {
            let pattern = exact(&code, &heap);
            let state = runner.state(block, &heap);
            let mut found = Vec::new();
            for ran in runs(&machine, &state) {
                if let Ran::To(to, state) = ran {
                    let after = heap_of(runner.program, runner.proc, &code.words, &state);
                    found.push((to, after.expect("words")));
                }
            }
            for (to, mut result) in through(&post, block, &pattern, &mut Vec::new()) {
                // For a value that is only tested, the machine takes 0 and 1 for all.
                for (s, var) in code.words.scalars.iter().enumerate().filter(|(_, s)| s.is_temp) {
                    result.scalars[s] = code.words.partition.all(var.kind).or(Values::UNDEFINED);
                }
                compared += 1;
                let plain = result
                    .nodes
                    .iter()
                    .all(|n| !n.summary && n.fields.iter().all(|t| t.only().is_some()));
                assert!(plain, "{}: {pattern:#?} becomes {result:#?}", subject.name);
                assert!(
                    found.iter().any(|(b, h)| *b == to && fits(&code.words, &result, h).is_ok()),
                    "{}: block {block}: no run gives {result:#?} from {heap:?}",
                    subject.name
                );
            }
        }
    }
    assert!(compared > 1000, "{compared}");
}
