//! The whole engine on the suite: proofs that the checker confirms, bugs that the machine runs into,
//! games that are played back.

use std::collections::BTreeMap;

use trellis_logic::Budget;
use trellis_patterns::pattern::Label;
use trellis_patterns::words::Predicate;
use trellis_program::concrete::MachineOptions;
use trellis_program::{CheckKind, CheckSet, InlineLimits, inline};
use trellis_proveit::analyse::refine;
use trellis_proveit::game::{Answer, Game, Standing};
use trellis_proveit::impact::{Ending, MANY};
use trellis_proveit::oracle::automatic::Automatic;
use trellis_proveit::oracle::recorded::Recorded;
use trellis_proveit::oracle::team::Team;
use trellis_proveit::prove::{Conclusion, Subject as Given, prove, unwind};
use trellis_proveit::transcript::Transcript;
use trellis_proveit::vocabulary::stages;
use trellis_suites::patterns::Manifest;
use trellis_suites::pdr::Expect;

use crate::programs::{Subject, folder, suite};

pub fn given(subject: &Subject) -> Given<'_> {
    let machine = subject.machine().options;
    Given { program: &subject.inlined.program, proc: subject.inlined.proc, machine }
}

#[test]
fn every_program_is_proved_and_every_bug_found() {
    let manifest = Manifest::load(&folder()).expect("the manifest is there");
    let budget = Budget::default();
    for (row, subject) in manifest.rows.iter().zip(suite()) {
        let given = given(&subject);
        let found = prove(&given, &budget).unwrap_or_else(|e| panic!("{}: {e:?}", subject.name));
        match (&found.conclusion, row.expect) {
            (Conclusion::Proved(labels), Expect::Verified) => {
                assert!(given.confirms(&found.code, labels, &budget), "{}", subject.name);
                assert!(found.counts.covers > 0, "{}: every loop has a cover", subject.name);
            }
            (Conclusion::Violated(crash), Expect::Violated) => {
                let shown = !crash.choices.is_empty() || !crash.start.cells.is_empty();
                assert!(shown, "{}", subject.name);
            }
            (other, _) => panic!("{}: {other:?}", subject.name),
        }
    }
}

/// Without the labels of the analysis: positives closed under Post, and negatives.
#[test]
fn examples_alone_are_enough_for_the_programs_of_the_paper() {
    let budget = Budget::default();
    for subject in suite().into_iter().take(12).filter(|s| !s.name.ends_with("-bug.c")) {
        let given = given(&subject);
        let code = &subject.code;
        let starts = given.starts(code).expect("few starts");
        let mut oracle = Automatic::new(code, subject.checks, &budget, BTreeMap::new());
        let (verdict, counts) = unwind(&given, code, starts, &mut oracle, &budget, MANY, |_| ());
        let Ending::Proved(labels) = verdict else { panic!("{}: {verdict:?}", subject.name) };
        assert!(given.confirms(code, &labels, &budget), "{}", subject.name);
        assert!(counts.questions > 0 && counts.negatives < 4, "{}: {counts:?}", subject.name);
    }
}

/// Plays a game with the hints of the automatic oracle.
fn won(subject: &Subject) -> Game {
    let budget = Budget::default();
    let (program, proc) = (&subject.inlined.program, subject.inlined.proc);
    let mut game = Game::open(program, proc, subject.machine().options, &budget).expect("a game");
    for _ in 0..40 {
        if game.question().is_none() {
            break;
        }
        let hint = game.hint(&budget).expect("a hint");
        game.submit(hint, &budget).expect("an answer");
    }
    game
}

#[test]
fn a_game_is_won_with_hints_saved_and_played_back() {
    let budget = Budget::default();
    let names = [
        "alt-list.c",
        "alt-list-simplified.c",
        "alt-list-free.c",
        "one-marked.c",
        "opposite.c",
        "two-part.c",
    ];
    for name in names {
        // Figure 2.1 frees nothing.
        let subject = Subject::new(&folder().join(name), "main", name == "alt-list.c");
        let game = won(&subject);
        let Standing::Proved(labels) = &game.standing else {
            panic!("{name}: {:?}", game.standing)
        };
        assert!(given(&subject).confirms(&game.code, labels, &budget), "{name}");
        let text = serde_json::to_string(&Transcript::of(&game)).expect("a transcript is data");
        let read: Transcript = serde_json::from_str(&text).expect("it can be read");
        let answers = read.answers(&game.code).expect("it is about this procedure");
        // Played back by the recorded oracle alone: the same labels.
        let mut oracle = Recorded::new(answers.clone());
        let starts = given(&subject).starts(&game.code).expect("few starts");
        let few = trellis_proveit::impact::FEW;
        let (verdict, _) =
            unwind(&given(&subject), &game.code, starts, &mut oracle, &budget, few, |_| ());
        assert!(matches!(verdict, Ending::Proved(again) if again == *labels), "{name}");
        let (program, proc) = (&subject.inlined.program, subject.inlined.proc);
        let mut again =
            Game::open(program, proc, subject.machine().options, &budget).expect("a game");
        // Half of it first: the game waits where it was left.
        again.resume(answers[..answers.len() / 2].to_vec(), &budget).expect("played");
        assert!(again.question().is_some(), "{name}");
        again.resume(answers, &budget).expect("played");
        assert!(again.question().is_none(), "{name}");
    }
}

#[test]
fn a_label_that_is_too_narrow_or_too_wide_gets_the_heap_that_shows_it() {
    let budget = Budget::default();
    let subject = Subject::new(&folder().join("alt-list-simplified.c"), "main", false);
    let (program, proc) = (&subject.inlined.program, subject.inlined.proc);
    let mut game = Game::open(program, proc, subject.machine().options, &budget).expect("a game");
    // The positives themselves generalise nothing.
    let narrow = game.question().expect("a question").candidate.clone();
    assert!(!narrow.0.is_empty());
    let answer = game.submit(narrow, &budget).expect("an answer");
    assert!(matches!(answer, Answer::TooNarrow { .. }), "{answer:?}");
    // Any colours: the list need not alternate, which matters at the second loop.
    let mut seen_wide = false;
    for _ in 0..20 {
        let Some(hint) = game.hint(&budget) else { break };
        let wide = Label(
            hint.0
                .iter()
                .map(|p| {
                    let mut p = p.clone();
                    let all: std::collections::BTreeSet<_> =
                        p.nodes.iter().flat_map(|n| n.colours.iter().copied()).collect();
                    p.nodes
                        .iter_mut()
                        .filter(|n| n.summary)
                        .for_each(|n| n.colours.clone_from(&all));
                    p
                })
                .collect(),
        );
        match game.submit(wide, &budget).expect("an answer") {
            Answer::TooWide(negative) => {
                assert!(!negative.heap.cells.is_empty());
                seen_wide = true;
                break;
            }
            _ => {
                let Some(hint) = game.hint(&budget) else { break };
                game.submit(hint, &budget).expect("an answer");
            }
        }
    }
    assert!(seen_wide);
    // What is no pattern of the procedure is refused and changes nothing.
    let before = game.answers.len();
    let mut nonsense = game.question().expect("a question").candidate.clone();
    nonsense.0.iter_mut().for_each(|p| p.vars.clear());
    assert!(matches!(game.submit(nonsense, &budget), Ok(Answer::Malformed(_))));
    assert_eq!(game.answers.len(), before);
}

#[test]
fn a_team_asks_the_next_when_one_gives_up_and_runs_repeat() {
    let budget = Budget::default();
    let subject = Subject::new(&folder().join("same-value.c"), "main", false);
    let given = given(&subject);
    let run = || {
        let code = stages(&subject.code).pop().expect("a stage");
        let starts = given.starts(&code).expect("few starts");
        let confirm = |_: &BTreeMap<usize, Label>| true;
        let found = refine(&code, subject.checks, &starts, &budget, &confirm);
        let (mut nobody, mut other) =
            (GivesUp, Automatic::new(&code, subject.checks, &budget, found.labels));
        let mut team = Team(vec![&mut nobody, &mut other]);
        let mut log = Vec::new();
        let (verdict, counts) =
            unwind(&given, &code, starts, &mut team, &budget, MANY, |i| log.clone_from(&i.log));
        assert!(matches!(verdict, Ending::Proved(_)));
        (log, counts)
    };
    assert_eq!(run(), run());
}

struct GivesUp;

impl trellis_proveit::oracle::Oracle for GivesUp {
    fn answer(
        &mut self,
        _: &trellis_proveit::oracle::Question<'_>,
    ) -> trellis_proveit::oracle::Answer {
        trellis_proveit::oracle::Answer::GiveUp
    }
}

/// Only the eighth cell matters: smaller heaps show nothing.
#[test]
fn a_pattern_that_is_too_wide_far_down_gets_the_larger_heap_that_shows_it() {
    let budget = Budget::default();
    let steps = "if (p) p = p->next;\n".repeat(7);
    let text = format!(
        "struct node {{ _Bool data; struct node *next; }};\n\
         void *malloc(unsigned long); int __VERIFIER_nondet_int(void); void reach_error(void);\n\
         int main(void) {{ struct node *l = 0;\n\
         while (__VERIFIER_nondet_int()) {{ struct node *n = malloc(sizeof *n);\n\
           n->data = 0; n->next = l; l = n; }}\n\
         struct node *p = l;\n{steps}if (p && p->data) reach_error();\nreturn 0; }}\n"
    );
    let unit = trellis_front_c::load_str("deep.c", &text).unwrap_or_else(|_| panic!("{text}"));
    let proc = unit.program.find_proc("main").expect("main");
    let inlined = inline(&unit.program, proc, InlineLimits::default()).expect("no calls");
    let mut checks = CheckSet::default();
    checks.set(CheckKind::Leak, false);
    let options = MachineOptions { checks, ..MachineOptions::default() };
    let mut game = Game::open(&inlined.program, inlined.proc, options, &budget).expect("a game");
    let mut wide = game.hint(&budget).expect("a hint");
    let words = &game.code.words;
    let lane = words.records[0].predicate(Predicate::Data(0)).expect("data is told apart");
    let one = words.partition.class(1) as u8 + 1;
    for node in wide.0.iter_mut().flat_map(|p| &mut p.nodes) {
        let both = node.colours.iter().flat_map(|c| [*c, c.with(lane, one)]);
        node.colours = both.collect();
    }
    match game.submit(wide, &budget).expect("an answer") {
        Answer::TooWide(negative) => assert!(negative.heap.cells.len() >= 8, "{negative:?}"),
        other => panic!("{other:?}"),
    }
}
