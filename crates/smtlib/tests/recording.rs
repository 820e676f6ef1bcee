//! Recording conversations, reading them back, and replaying them.

mod common;

use std::time::Duration;

use common::{Heap, solver};
use expect_test::expect;
use proptest::strategy::Strategy;
use trellis_logic::generate::vocabulary::vocabulary;
use trellis_logic::generate::{
    FormulaOptions, Quantifiers, VocabularyOptions, formula, runner, tapes,
};
use trellis_logic::{Arena, ArithOp, FormulaId, SortId, Structure, Vocabulary};
use trellis_smtlib::Dialect;
use trellis_solver::record::{Check, Corpus, Event, Outcome, Recorder};
use trellis_solver::replay::{Options, replay};
use trellis_solver::{Answer, Context, Limits, OutsideFragment, Solver, Statistics, Unknown};

/// A solver with one answer to everything.
struct Oracle(Answer);

impl Solver for Oracle {
    fn name(&self) -> &str {
        "oracle"
    }

    fn assert(&mut self, _: &mut Context<'_>, formula: FormulaId) -> Result<(), OutsideFragment> {
        match formula {
            FormulaId::FALSE => {
                Err(OutsideFragment { reason: "the oracle is \"never\" wrong".into() })
            }
            _ => Ok(()),
        }
    }

    fn check(&mut self, _: &mut Context<'_>, _: &[FormulaId], _: &Limits) -> Answer {
        self.0.clone()
    }

    fn model(&mut self, _: &mut Context<'_>, _: &Limits) -> Result<Structure, Unknown> {
        Err(Unknown::Incomplete("oracles do not explain".into()))
    }

    fn core(&self) -> &[usize] {
        &[]
    }

    fn statistics(&self) -> Statistics {
        Statistics::default()
    }
}

/// Records a short conversation about a heap.
fn recorded_conversation() -> String {
    let mut heap = Heap::new();
    let mut recorder = Recorder::new(solver(Dialect::Z3), Vec::new());
    heap.assert_axioms(&mut recorder);
    let (hi, ih, differ) = (heap.reaches(0, 1), heap.reaches(1, 0), heap.differ(0, 1));
    assert_eq!(heap.world.check(&mut recorder, &[hi, differ]), Answer::Sat);
    let limits = Limits { minimise_core: true, minimise_model: true, ..Limits::default() };
    assert!(recorder.model(&mut heap.world.context(), &limits).is_ok());
    let late = heap.world.vocabulary.relation("late", &[heap.node]);
    let late = heap.world.arena.rel(late, &[heap.constants[0]]);
    let assumptions = [late, hi, ih, differ];
    let answer = recorder.check(&mut heap.world.context(), &assumptions, &limits);
    assert_eq!(answer, Answer::Unsat);
    let (_, text) = recorder.finish().expect("nothing fails in memory");
    String::from_utf8(text).expect("a corpus is text")
}

#[test]
fn a_recording() {
    expect![[r#"
        trellis-queries 1
        sort "struct node *"
        variable "h" S1
        variable "i" S1
        variable "j" S1
        state-relation "reach" S1 S1
        var "x" S1
        term V0
        formula R0 T0 T0
        formula forall A2 V0
        assert A3
    "#]]
    .assert_eq(
        &recorded_conversation().lines().take(11).map(|l| format!("{l}\n")).collect::<String>(),
    );
    let text = recorded_conversation();
    let calls: Vec<_> =
        text.lines().filter(|l| l.starts_with("check") || l.starts_with("model")).collect();
    expect![[r#"
        [
            "check A20 A22 = sat",
            "model small",
            "check core A23 A20 A24 A22 = unsat 1 2 3",
        ]
    "#]]
    .assert_debug_eq(&calls);
}

#[test]
fn a_recording_is_replayed() {
    let corpus = Corpus::read(&recorded_conversation()).unwrap_or_else(|e| panic!("{e}"));
    let (mut z3, mut cvc5) = (solver(Dialect::Z3), solver(Dialect::Cvc5));
    let (mut liar, mut dumb) = (Oracle(Answer::Sat), Oracle(Answer::Unknown(Unknown::Time)));
    let options = Options { check_models: true, check_cores: true, ..Options::default() };
    let report = replay(&corpus, &mut [&mut z3, &mut cvc5, &mut dumb], &options);
    assert_eq!(report.solvers, ["z3", "cvc5", "oracle"]);
    assert_eq!((report.queries.len(), report.defects.len()), (2, 0), "{report:?}");
    assert_eq!(report.disagreements(), [0; 0]);
    assert_eq!([0, 1, 2].map(|s| report.unknown(s)), [0, 0, 2]);
    assert_eq!((report.ratios(0, 1).len(), report.ratios(0, 2).len()), (2, 0));
    assert!(report.median_ratio(0, 1).is_some_and(|ratio| ratio > 0.0));
    assert!(report.median(0) > Duration::ZERO && report.maximum(0) <= report.sum(0));

    let report = replay(&corpus, &mut [&mut liar], &options);
    // It says sat to both: without a model, and against the recorded answer.
    assert_eq!(report.disagreements(), [1]);
    assert_eq!(report.defects.len(), 2, "{report:?}");
    assert!(report.defects[0].what.starts_with("no model"), "{report:?}");
}

#[test]
fn a_refused_assertion_spoils_the_rest() {
    let events = vec![
        Event::Assert(FormulaId::FALSE),
        Event::Check(Check {
            assumptions: vec![FormulaId::TRUE],
            minimise_core: false,
            outcome: Outcome::Unsat(vec![]),
        }),
    ];
    let corpus = Corpus { vocabulary: Vocabulary::new(), arena: Arena::new(), events };
    let report = replay(&corpus, &mut [&mut Oracle(Answer::Sat)], &Options::default());
    assert!(matches!(report.queries[0].results[0].answer, Answer::Unknown(Unknown::Refused(_))));
    assert_eq!(report.disagreements(), [0; 0]);
}

/// Reads a file and writes it again.
fn rewritten(text: &str) -> String {
    Corpus::read(text).unwrap_or_else(|error| panic!("{error}\n{text}")).write()
}

#[test]
fn all_kinds_of_lines() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("a \"b\"\\\n\tc");
    let null = vocabulary.null("NULL", node);
    let (h, n) = (vocabulary.variable("h", node), vocabulary.constant("n", SortId::INT));
    let next = vocabulary.field("next", node, node);
    let f = vocabulary.function("f", &[node, node], SortId::INT);
    let reach = vocabulary.closure("reach", next);
    let between = vocabulary.between("", next);
    vocabulary.order("le", node);
    vocabulary.state_relation("marked", &[]);
    let late = vocabulary.variable("late", node);

    let mut arena = Arena::new();
    let a = &mut arena;
    let v = a.variable("v", node);
    let (x, h, null, n) = (a.var_term(v), a.constant(h), a.constant(null), a.constant(n));
    let after = a.app(next, &[x]);
    let (here, there) = (a.rel(reach, &[x, h]), a.rel(reach, &[x, after]));
    let late = a.constant(late);
    let middle = a.rel(between, &[h, late, null]);
    let minus_5 = a.num(i128::MIN);
    let value = a.app(f, &[h, null]);
    let value = a.ite(here, value, n);
    let sum = a.arith(ArithOp::Add, value, minus_5);
    let product = a.arith(ArithOp::Mul, sum, n);
    let difference = a.arith(ArithOp::Sub, product, sum);
    let (le, lt, eq) = (a.le(sum, n), a.lt(n, difference), a.eq(x, h));
    let either = a.or([here, there, eq]);
    let not = a.not(le);
    let (implies, iff) = (a.implies(either, not), a.iff(lt, middle));
    let both = a.and([implies, iff]);
    let (all, some) = (a.forall(&[v], both), a.exists(&[v], either));
    let check = |outcome| {
        let assumptions = vec![all, some, FormulaId::TRUE, all];
        Event::Check(Check { assumptions, minimise_core: false, outcome })
    };
    let events = vec![
        Event::Assert(all),
        Event::Refused(some, "a\nb".into()),
        check(Outcome::Sat),
        Event::Model { minimise: false },
        check(Outcome::Sat),
        Event::Model { minimise: true },
        check(Outcome::Unsat(vec![0, 2])),
        check(Outcome::Unknown("the time limit is over".into())),
    ];
    let corpus = Corpus { vocabulary, arena, events };
    let text = corpus.write();
    let read = Corpus::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(read.vocabulary, corpus.vocabulary);
    assert_eq!(read.write(), text);
    let printed = |corpus: &Corpus| {
        let print = |event: &Event| match event {
            Event::Assert(f) | Event::Refused(f, _) => corpus.arena.print(&corpus.vocabulary, *f),
            Event::Check(_) | Event::Model { .. } => String::new(),
        };
        corpus.events.iter().map(print).collect::<Vec<_>>()
    };
    assert_eq!(printed(&read), printed(&corpus));
}

#[test]
fn random_formulas_survive() {
    let strategy = tapes(400).prop_map(|mut tape| {
        let options = VocabularyOptions { functions: 2, fields: 2, ..VocabularyOptions::default() };
        let vocabulary = vocabulary(&mut tape, &options);
        let mut arena = Arena::new();
        let options = FormulaOptions {
            quantifiers: Quantifiers::Any,
            functions: true,
            ites: true,
            ..FormulaOptions::default()
        };
        let events = (0..4)
            .map(|_| Event::Assert(formula::formula(&mut tape, &mut arena, &vocabulary, &options)))
            .collect();
        Corpus { vocabulary, arena, events }
    });
    let result = runner(300).run(&strategy, |corpus| {
        let text = corpus.write();
        let read = Corpus::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.vocabulary, corpus.vocabulary);
        for (a, b) in read.events.iter().zip(&corpus.events) {
            let (Event::Assert(a), Event::Assert(b)) = (a, b) else { panic!("{a:?}, {b:?}") };
            let printed = read.arena.print(&read.vocabulary, *a);
            assert_eq!(printed, corpus.arena.print(&corpus.vocabulary, *b));
        }
        assert_eq!(rewritten(&text), text);
        Ok(())
    });
    assert!(result.is_ok(), "{result:?}");
}

#[test]
fn malformed_files_are_rejected_with_their_place() {
    let cases = [
        ("", "1:1: the first line should be `trellis-queries 1`"),
        ("trellis-queries 2", "1:1: the first line should be `trellis-queries 1`"),
        ("sort", "2:5: a string in double quotes should be here"),
        ("sort \"a", "2:6: the string does not end"),
        ("sort \"ä\"x", "2:9: a blank should be here"),
        ("sort \"\\q\"", "2:7: no such escape"),
        ("sort \"a\" b", "2:10: the line should end here"),
        ("model ", "2:7: the line should end here"),
        ("constant \"ä\" S1", "2:14: `S1` is not known yet"),
        ("constant \"c\" S-1", "2:14: `S` and a number should be here"),
        ("sort \"s\"\nfunction \"f\" S1", "3:16: `S` and a number should be here"),
        (
            "sort \"s\"\nfield \"f\" S1 S0\nclosure \"r\" F0",
            "4:13: this is not a field from a sort to itself",
        ),
        ("closure \"r\" F0", "2:13: `F0` is not known yet"),
        ("term T0", "2:6: a term should be here"),
        ("term 1\nterm add T0 T1", "3:13: `T1` is not known yet"),
        (
            "sort \"s\"\nvar \"v\" S1\nterm V0\nterm 1\nformula eq T0 T1",
            "6:15: a term of sort `s` should be here",
        ),
        ("formula nand A0 A1", "2:9: `nand` is not a connective"),
        ("formula not A2", "2:13: `A2` is not known yet"),
        ("relation \"p\" S0\nformula R0", "3:11: `T` and a number should be here"),
        ("relation \"p\"\nterm 1\nformula R0 T0", "4:12: the line should end here"),
        ("assert", "2:7: `A` and a number should be here"),
        ("check A0", "2:9: `A` and a number should be here"),
        ("check A0 = maybe", "2:12: `sat`, `unsat` or `unknown` should be here"),
        ("check A0 = unsat 1", "2:18: no such assumption"),
        ("\n", "2:1: `` is not a kind of line"),
        ("nonsense", "2:1: `nonsense` is not a kind of line"),
    ];
    for (text, expected) in cases {
        let text = match text {
            "" | "trellis-queries 2" => text.to_string(),
            _ => format!("trellis-queries 1\n{text}"),
        };
        let error = Corpus::read(&text).map(|c| c.events).map_err(|e| e.to_string());
        assert_eq!(error, Err(expected.into()), "{text}");
    }
}

#[test]
fn damaged_files_do_no_harm() {
    let text = recorded_conversation();
    let (mut accepted, mut rejected) = (0, 0);
    for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
        for damage in ["", " ", "\"", "9", "A", "\n"] {
            let damaged = format!("{}{damage}{}", &text[..at], &text[at + 1..]);
            match Corpus::read(&damaged) {
                Ok(corpus) => {
                    accepted += 1;
                    // It is a corpus, then.
                    assert!(Corpus::read(&corpus.write()).is_ok());
                }
                Err(error) => {
                    rejected += 1;
                    assert!(error.line <= damaged.lines().count().max(1));
                }
            }
        }
    }
    assert!(accepted > 0 && rejected > 100, "{accepted}, {rejected}");
}
