//! Processes that are missing, crash, hang or talk nonsense, and what happens next.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use common::{Heap, World, solver};
use tempfile::TempDir;
use trellis_logic::{Arena, ArithOp, FormulaId, SortId, Vocabulary};
use trellis_smtlib::{Dialect, Settings, SmtSolver};
use trellis_solver::{Answer, Limits, Solver, Unknown};

/// An executable script that plays the solver.
fn script(directory: &TempDir, body: &str) -> PathBuf {
    trellis_testkit::solvers::script(directory.path(), body)
}

fn directory() -> TempDir {
    tempfile::tempdir().expect("a temporary directory")
}

fn run_by(program: PathBuf) -> SmtSolver {
    SmtSolver::new(Settings { program: Some(program), ..Settings::new(Dialect::Z3) })
}

/// The text of a back end's failure.
fn failure(answer: Answer) -> String {
    match answer {
        Answer::Unknown(Unknown::BackEnd(text)) => text,
        other => panic!("expected a failing back end, not {other:?}"),
    }
}

/// A conversation with the fake solver `body`, which is then replaced by the real one.
fn fails_then_recovers(body: &str) -> String {
    let directory = directory();
    let (mut heap, mut solver) = (Heap::new(), run_by(script(&directory, body)));
    heap.assert_axioms(&mut solver);
    let (hi, ih, differ) = (heap.reaches(0, 1), heap.reaches(1, 0), heap.differ(0, 1));
    let text = failure(heap.world.check(&mut solver, &[hi, ih, differ]));
    script(&directory, "exec z3 \"$@\"");
    assert_eq!(heap.world.check(&mut solver, &[hi, ih, differ]), Answer::Unsat);
    assert_eq!(heap.world.check(&mut solver, &[hi, differ]), Answer::Sat);
    text
}

#[test]
fn missing() {
    let mut world = World { vocabulary: Vocabulary::new(), arena: Arena::new() };
    for dialect in Dialect::ALL {
        let program = Some(PathBuf::from("/nonexistent/solver"));
        let mut solver = SmtSolver::new(Settings { program, ..Settings::new(dialect) });
        let text = failure(world.check(&mut solver, &[]));
        let name = dialect.name();
        let expected = format!(
            "{name} is missing (`/nonexistent/solver`): install the Debian package `{name}`"
        );
        assert_eq!(text, expected);
    }
}

#[test]
fn not_executable() {
    let directory = directory();
    let path = directory.path().join("z3");
    fs::write(&path, "no program").expect("written");
    let mut world = World { vocabulary: Vocabulary::new(), arena: Arena::new() };
    let text = failure(world.check(&mut run_by(path), &[]));
    assert!(text.starts_with("z3 cannot be started"), "{text}");
}

#[test]
fn crash_at_start() {
    let text = fails_then_recovers("echo 'bad license' >&2; exit 3");
    assert_eq!(text, "z3 ended unexpectedly (exit status: 3), saying: bad license");
}

#[test]
fn crash_in_a_query() {
    let text = fails_then_recovers("read line; kill -9 $$");
    assert_eq!(text, "z3 ended unexpectedly (signal: 9 (SIGKILL))");
}

#[test]
fn garbage() {
    let text = fails_then_recovers("echo 'Segmentation fault )('; exec z3 \"$@\"");
    assert_eq!(text, "z3 gave an unexpected answer: Segmentation fault )( unsat");
    let text = fails_then_recovers("printf '\\377\\376\\n'; exec z3 \"$@\"");
    assert_eq!(text, "z3 printed what is not text");
    let text = fails_then_recovers("echo '(error \"no such thing\")'; exec z3 \"$@\"");
    assert_eq!(text, "z3 gave an unexpected answer: (error \"no such thing\") unsat");
}

#[test]
fn a_flood() {
    let text = fails_then_recovers("exec yes '(((((((((((((((((((((((((((((((((((('");
    assert_eq!(text, "z3 printed without end");
}

#[test]
fn garbage_for_a_model() {
    // Says sat to everything, and prints this model.
    for model in ["(((", "sat", "()", "((define-fun |h f0| () S (|h f0|)))", "((define-fun |h f0|"]
    {
        let body = format!(
            "while read -r line; do case \"$line\" in
               *check-sat*) echo sat;; *get-model*) echo '{model}';;
               *echo*) line=${{line#*\\\"}}; echo \"${{line%%\\\"*}}\";; esac; done"
        );
        let directory = directory();
        let (mut heap, mut solver) = (Heap::new(), run_by(script(&directory, &body)));
        let differ = heap.differ(0, 1);
        assert_eq!(heap.world.check(&mut solver, &[differ]), Answer::Sat);
        let result = solver.model(&mut heap.world.context(), &Limits::default());
        assert!(matches!(result, Err(Unknown::Incomplete(_))), "{model}: {result:?}");
    }
}

#[test]
fn a_hang_ends_at_the_deadline() {
    // The last one talks, but never says what it was asked to.
    for body in ["exec sleep 60", "exec sleep 60 <&-", "exec cat"] {
        let directory = directory();
        let (mut heap, mut solver) = (Heap::new(), run_by(script(&directory, body)));
        // More than fits into a pipe, so writing hangs as well.
        let name = "n".repeat(200_000);
        heap.world.vocabulary.constant(name, heap.node);
        let start = Instant::now();
        let limits = Limits::within(Duration::from_millis(200));
        let answer = solver.check(&mut heap.world.context(), &[], &limits);
        let took = start.elapsed();
        assert_eq!(answer, Answer::Unknown(Unknown::Time));
        assert!(took >= Duration::from_millis(200) && took < Duration::from_secs(5), "{took:?}");
        script(&directory, "exec z3 \"$@\"");
        assert_eq!(heap.world.check(&mut solver, &[]), Answer::Sat);
    }
}

#[test]
fn a_slow_start_is_waited_for() {
    let directory = directory();
    let program = script(&directory, "sleep 0.5; exec z3 \"$@\"");
    let (mut heap, mut solver) = (Heap::new(), run_by(program));
    let limits = Limits::within(Duration::from_secs(60));
    assert_eq!(solver.check(&mut heap.world.context(), &[], &limits), Answer::Sat);
}

/// x³ + y³ + z³ = 42 has a solution, but no solver finds it while we wait.
fn hard_question() -> (World, FormulaId) {
    let mut vocabulary = Vocabulary::new();
    let numbers = ["x", "y", "z"].map(|name| vocabulary.variable(name, SortId::INT));
    let mut arena = Arena::new();
    let cubes = numbers.map(|n| {
        let n = arena.constant(n);
        let square = arena.arith(ArithOp::Mul, n, n);
        arena.arith(ArithOp::Mul, square, n)
    });
    let sum = arena.arith(ArithOp::Add, cubes[0], cubes[1]);
    let sum = arena.arith(ArithOp::Add, sum, cubes[2]);
    let answer = arena.num(42);
    let formula = arena.eq(sum, answer);
    (World { vocabulary, arena }, formula)
}

#[test]
fn a_deadline_interrupts_real_solvers() {
    for dialect in Dialect::ALL {
        let (mut world, hard) = hard_question();
        let mut solver = solver(dialect);
        let limits = Limits::within(Duration::from_millis(200));
        let answer = solver.check(&mut world.context(), &[hard], &limits);
        assert_eq!(answer, Answer::Unknown(Unknown::Time), "{dialect:?}");
        assert_eq!(solver.process_id(), None);
        assert_eq!(world.check(&mut solver, &[]), Answer::Sat, "{dialect:?}");
        assert_eq!(solver.starts(), 2);
    }
}

#[test]
fn another_thread_cancels() {
    for dialect in Dialect::ALL {
        let (mut world, hard) = hard_question();
        let mut solver = solver(dialect);
        let cancel = Arc::new(AtomicBool::new(false));
        let other = cancel.clone();
        let thread = thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            other.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let limits = Limits { cancel: Some(cancel), ..Limits::default() };
        let answer = solver.check(&mut world.context(), &[hard], &limits);
        let late = thread.join().expect("the other thread ends").elapsed();
        assert_eq!(answer, Answer::Unknown(Unknown::Cancelled), "{dialect:?}");
        assert!(late < Duration::from_secs(2), "{dialect:?}: {late:?}");
        assert_eq!(world.check(&mut solver, &[]), Answer::Sat, "{dialect:?}");
    }
}

fn kill(pid: u32) {
    let status = Command::new("kill").args(["-9", &pid.to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()));
}

#[test]
fn kill_9_while_it_computes() {
    for dialect in Dialect::ALL {
        let (mut world, hard) = hard_question();
        let mut solver = solver(dialect);
        assert_eq!(world.check(&mut solver, &[]), Answer::Sat);
        let pid = solver.process_id().expect("the process is kept alive");
        let thread = thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            kill(pid);
        });
        let text = failure(world.check(&mut solver, &[hard]));
        thread.join().expect("the killer ends");
        assert_eq!(text, format!("{} ended unexpectedly (signal: 9 (SIGKILL))", dialect.name()));
        assert!(!Path::new(&format!("/proc/{pid}")).exists(), "a zombie");
        assert_eq!(world.check(&mut solver, &[]), Answer::Sat, "{dialect:?}");
    }
}

#[test]
fn kill_9_while_it_waits() {
    let (mut heap, mut solver) = (Heap::new(), solver(Dialect::Z3));
    heap.assert_axioms(&mut solver);
    let (hi, ih, differ) = (heap.reaches(0, 1), heap.reaches(1, 0), heap.differ(0, 1));
    assert_eq!(heap.world.check(&mut solver, &[hi, differ]), Answer::Sat);
    kill(solver.process_id().expect("the process is kept alive"));
    let model = solver.model(&mut heap.world.context(), &Limits::default());
    assert!(matches!(model, Err(Unknown::BackEnd(_))), "{model:?}");
    // The assertions are still in force.
    assert_eq!(heap.world.check(&mut solver, &[hi, ih, differ]), Answer::Unsat);
}

#[test]
fn no_process_outlives_its_solver() {
    let (mut heap, mut solver) = (Heap::new(), solver(Dialect::Cvc5));
    assert_eq!(heap.world.check(&mut solver, &[]), Answer::Sat);
    let path = format!("/proc/{}", solver.process_id().expect("the process is kept alive"));
    assert!(Path::new(&path).exists());
    drop(solver);
    assert!(!Path::new(&path).exists());
}

#[test]
fn transcripts_can_be_replayed() {
    for dialect in Dialect::ALL {
        let directory = directory();
        let transcripts = Some(directory.path().join("dump"));
        let settings = Settings { transcripts, ..Settings::new(dialect) };
        let (mut heap, mut solver) = (Heap::new(), SmtSolver::new(settings));
        heap.assert_axioms(&mut solver);
        let (hi, ih, differ) = (heap.reaches(0, 1), heap.reaches(1, 0), heap.differ(0, 1));
        assert_eq!(heap.world.check(&mut solver, &[hi, differ]), Answer::Sat);
        assert!(solver.model(&mut heap.world.context(), &Limits::default()).is_ok());
        assert_eq!(heap.world.check(&mut solver, &[hi, ih, differ]), Answer::Unsat);
        drop(solver);
        let path = directory.path().join("dump").join(format!("{}-0001.smt2", dialect.name()));
        let text = fs::read_to_string(&path).expect("the transcript is there");
        let recorded: Vec<_> = text.lines().filter(|l| *l == "; sat" || *l == "; unsat").collect();
        assert_eq!(recorded, ["; sat", "; unsat"]);
        let mut command = Command::new(dialect.name());
        if dialect == Dialect::Cvc5 {
            command.args(["--incremental", "--finite-model-find"]);
        }
        let output = command.arg(&path).output().expect("the solver runs");
        let output = String::from_utf8_lossy(&output.stdout);
        let again: Vec<_> = output.lines().filter(|l| *l == "sat" || *l == "unsat").collect();
        assert_eq!(again, ["sat", "unsat"], "{output}");
    }
}

#[test]
fn a_hang_without_a_deadline_ends_too() {
    let directory = directory();
    let settings = Settings {
        program: Some(script(&directory, "exec sleep 60")),
        patience: Duration::from_millis(300),
        ..Settings::new(Dialect::Z3)
    };
    let (mut heap, mut solver) = (Heap::new(), SmtSolver::new(settings));
    let start = Instant::now();
    let text = failure(heap.world.check(&mut solver, &[]));
    assert_eq!(text, "z3 did not answer within 0.3 seconds");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    script(&directory, "exec z3 \"$@\"");
    assert!(matches!(heap.world.check(&mut solver, &[]), Answer::Sat | Answer::Unknown(_)));
}

#[test]
fn a_memory_limit_is_kept() {
    for dialect in Dialect::ALL {
        // cvc5 maps more than it uses.
        let megabytes = if dialect == Dialect::Z3 { 30 } else { 100 };
        let settings = Settings { memory: Some(megabytes << 20), ..Settings::new(dialect) };
        let mut solver = SmtSolver::new(settings);
        let mut world = World { vocabulary: Vocabulary::new(), arena: Arena::new() };
        assert_eq!(world.check(&mut solver, &[]), Answer::Sat, "{dialect:?}");
        let rels: Vec<_> =
            (0..160_000).map(|i| world.vocabulary.relation(format!("r{i}"), &[])).collect();
        let atoms: Vec<_> = rels.iter().map(|&r| world.arena.rel(r, &[])).collect();
        let some = world.arena.or(atoms);
        let answer = world.check(&mut solver, &[some]);
        assert_eq!(answer, Answer::Unknown(Unknown::Memory), "{dialect:?}");
    }
}

#[test]
fn a_process_that_knows_too_many_old_assumptions_is_replaced() {
    for dialect in Dialect::ALL {
        let settings = Settings { stale_assumptions: 20, ..Settings::new(dialect) };
        let (mut heap, mut solver) = (Heap::new(), SmtSolver::new(settings));
        heap.assert_axioms(&mut solver);
        let (hi, ih, differ) = (heap.reaches(0, 1), heap.reaches(1, 0), heap.differ(0, 1));
        for i in 0..100 {
            let p = heap.world.vocabulary.relation(format!("p{i}"), &[]);
            let p = heap.world.arena.rel(p, &[]);
            let answer = heap.world.check(&mut solver, &[p, hi, ih, differ]);
            assert_eq!(answer, Answer::Unsat, "{dialect:?}");
        }
        assert_eq!(solver.starts(), 5, "{dialect:?}");
    }
}
