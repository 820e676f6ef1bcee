//! The driver vouches for verdicts: engines that are wrong are found out.

use expect_test::expect;
use trellis_certify::Evidence;
use trellis_certify::shapes::{BlockShapes, Shape, Shapes};
use trellis_driver::{
    Answer, Budget, Claim, Engine, Options, Progress, Selection, Statistics, Task, UnknownReason,
    Verdict, select, support, verify_procedure,
};
use trellis_program::checks::Point;
use trellis_program::concrete::{Failure, InitialHeap};
use trellis_program::ir::Body;
use trellis_program::spec::Contract;
use trellis_program::{
    Block, BlockId, CheckKind, CheckSet, Expr, FileId, Instr, InstrKind, ProcId, Procedure,
    Program, Span, Terminator, Type,
};

fn here() -> Span {
    Span::new(FileId(0), 0, 1)
}

/// A procedure with one block.
fn procedure(program: &mut Program, name: &str, code: Option<Vec<InstrKind>>) -> ProcId {
    let block = |code: Vec<InstrKind>| Block {
        instrs: code.into_iter().map(|kind| Instr { kind, span: here() }).collect(),
        term: Terminator::Return(None),
        term_span: here(),
    };
    let ret = program.types.intern(Type::Void);
    program.procs.push(Procedure {
        name: name.to_owned(),
        span: here(),
        params: 0,
        vars: Vec::new(),
        ret,
        body: code.map(|code| Body {
            blocks: vec![block(code)],
            entry: BlockId(0),
            end_span: here(),
        }),
        contract: Contract::default(),
        has_contract: false,
    });
    ProcId(program.procs.len() as u32 - 1)
}

/// `odd` meets something unsupported, `caller` calls it, `fine` does nothing, `far` has no body.
fn program() -> Program {
    let mut program = Program::default();
    program.sources.add("sample.c", "x");
    let reason = "a call through a function pointer".to_owned();
    let odd = procedure(&mut program, "odd", Some(vec![InstrKind::Unsupported { reason }]));
    let call = InstrKind::Call { dst: None, proc: odd, args: Vec::new() };
    procedure(&mut program, "caller", Some(vec![call]));
    procedure(&mut program, "fine", Some(vec![]));
    let far = procedure(&mut program, "far", None);
    let frees_null = InstrKind::Free { ptr: Expr::Null };
    procedure(&mut program, "frees", Some(vec![frees_null]));
    let call = InstrKind::Call { dst: None, proc: far, args: Vec::new() };
    procedure(&mut program, "reaches", Some(vec![call]));
    program
}

/// Says what it was told to say.
struct Parrot(Claim);

impl Engine for Parrot {
    fn name(&self) -> &'static str {
        "parrot"
    }

    fn run(&self, _: &Task<'_>, _: &Budget, _: &Progress) -> Answer {
        Answer { claim: self.0.clone(), statistics: Statistics::default(), warnings: Vec::new() }
    }
}

/// That the one block of a procedure is reached with heaps of no list, so many.
fn evidence(heaps: usize) -> Claim {
    let nothing = Shape {
        points: Vec::new(),
        nodes: Vec::new(),
        integers: Vec::new(),
        lost: "nothing".to_owned(),
    };
    let block = BlockShapes { block: 0, is_loop: false, heaps: vec![nothing; heaps] };
    let shapes = Shapes {
        calls_replaced: false,
        variables: Vec::new(),
        integers: Vec::new(),
        blocks: vec![block],
    };
    let evidence = Evidence::of_shapes("fine", CheckSet::default(), false, shapes);
    Claim::Verified { invariants: Vec::new(), evidence: Box::new(evidence), states: None }
}

fn proved() -> Claim {
    evidence(1)
}

fn verdict(name: &str, claim: Claim) -> Verdict {
    let program = program();
    let proc = program.find_proc(name).expect("a procedure of the sample");
    let options = Options::default();
    let task = Task::new(&program, proc, &options);
    let (budget, progress) = (Budget::default(), Progress::default());
    verify_procedure(&Parrot(claim), &task, &budget, &progress).verdict
}

#[test]
fn unsupported_is_never_verified() {
    for name in ["odd", "caller"] {
        let Verdict::Unknown(UnknownReason::Unsupported(places)) = verdict(name, proved()) else {
            panic!("{name} reaches an unsupported construct");
        };
        assert_eq!(places.len(), 1);
        assert_eq!(places[0].message, "not supported: a call through a function pointer");
    }
    assert!(matches!(verdict("fine", proved()), Verdict::Verified { .. }));
}

#[test]
fn a_proof_that_is_none_is_our_bug() {
    let Verdict::Unknown(reason @ UnknownReason::Internal(_)) = verdict("fine", evidence(0)) else {
        panic!("the entry is reached, and no heap is there");
    };
    expect!["internal error: an analysis was not confirmed by the concrete machine: at entry: the machine gets to block 0 in anything, which is not there"]
        .assert_eq(&reason.to_string());
}

#[test]
fn a_violation_that_does_not_replay_is_our_bug() {
    let program = program();
    for name in ["fine", "frees", "odd"] {
        let proc = program.find_proc(name).expect("a procedure of the sample");
        let claim = Claim::Violated {
            initial: InitialHeap::default(),
            choices: Vec::new(),
            failure: Failure {
                kind: CheckKind::DoubleFree,
                point: Point { proc, block: BlockId(0), instr: 0 },
                clause: 0,
                object: None,
                undefined: false,
            },
            ints: None,
        };
        let Verdict::Unknown(reason @ UnknownReason::Internal(_)) = verdict(name, claim) else {
            panic!("{name} frees nothing twice");
        };
        assert!(reason.to_string().starts_with("internal error: a violation of double-free"));
    }
}

#[test]
fn unsupported_follows_calls() {
    let program = program();
    let found = |name| {
        let proc = program.find_proc(name).expect("a procedure of the sample");
        support::unsupported(&program, proc).len()
    };
    assert_eq!((found("odd"), found("caller"), found("fine"), found("far")), (1, 1, 0, 0));
}

#[test]
fn selection() {
    let mut program = program();
    let names = |program: &Program, selection: &Selection| -> Vec<String> {
        let procs = select::select(program, selection).expect("all are there");
        procs.iter().map(|p| program.proc(*p).name.clone()).collect()
    };
    let all = ["odd", "caller", "fine", "frees", "reaches"];
    assert_eq!(names(&program, &Selection::Promising), all, "nobody promises anything");
    program.procs[2].has_contract = true;
    program.procs[3].has_contract = true;
    assert_eq!(names(&program, &Selection::Promising), ["fine"], "`far` has no body");
    assert_eq!(names(&program, &Selection::All), all);
    let named = Selection::Named(vec!["fine".into(), "odd".into(), "fine".into()]);
    assert_eq!(names(&program, &named), ["fine", "odd"]);
}

#[test]
fn unknown_names_get_suggestions() {
    let program = program();
    let help = |name: &str| select::find(&program, name).expect_err("not there").help;
    assert_eq!(help("caler").as_deref(), Some("did you mean `caller`?"));
    let all = "the file defines `odd`, `caller`, `fine`, `frees`, `reaches`";
    assert_eq!(help("zzzzzz").as_deref(), Some(all));
    let far = select::find(&program, "far").expect_err("no body");
    assert_eq!(far.message, "procedure `far` has no body");
    let both = Selection::Named(vec!["x".into(), "fine".into(), "y".into()]);
    assert_eq!(select::select(&program, &both).expect_err("two are missing").len(), 2);
}
