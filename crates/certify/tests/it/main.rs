//! Certificates of real proofs, and what damage does to them.

mod benchmarks;
mod files;
mod machine;
mod mutations;
mod patterns;
mod syntax;
mod verdicts;

use std::path::{Path, PathBuf};

use trellis_certify::{
    BackEnd, Certificate, Evidence, Outcome, Problem, Report, Restored, Settings, Source, check,
};
use trellis_front_c::C;
use trellis_pdr::{Config, Outcome as Found, run};
use trellis_program::{Budget, Program, Unit};
use trellis_testkit::solvers::{cvc5, epr, z3};
use trellis_transys::Options;

/// A program with a certificate for one of its procedures.
struct Proved {
    program: Program,
    certificate: Certificate,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The program of a benchmark.
fn benchmark(name: &str) -> (String, String, Program) {
    let path = root().join("benchmarks").join(name);
    let text = std::fs::read_to_string(&path).expect("the benchmark is there");
    let unit = trellis_front_c::load(&path, &trellis_front_c::Options::default());
    (path.display().to_string(), text, unit.expect("it can be read").program)
}

/// A program without headers.
fn program(text: &str) -> Program {
    trellis_front_c::load_str("test.c", text).expect("the program can be read").program
}

/// Lets the engine prove a procedure with the embedded solver.
fn prove(path: &str, text: &str, program: Program, procedure: &str) -> Proved {
    let options = Options::default();
    let (placed, system) =
        trellis_certify::system(&program, procedure, &options, &Budget::default(), &epr)
            .expect("it can be followed");
    let (found, _, system) = run(system, &epr, &Config::default());
    let Found::Verified(invariant) = found else {
        panic!("{procedure} of {path} is not proved: {found:?}");
    };
    let proof = Evidence::new(&placed.program, &system, &options, &invariant.clauses)
        .expect("the invariant is about the state");
    let unit = Unit { program, diagnostics: Vec::new(), text: text.to_owned() };
    let source = Source::new(path, text.as_bytes(), &C::default(), &unit);
    let certificate = Certificate::new(source, proof);
    Proved { program: unit.program, certificate }
}

fn reverse() -> Proved {
    let (path, text, program) = benchmark("pdr-forall/reverse.c");
    prove(&path, &text, program, "reverse")
}

/// Checks with z3 alone.
fn check_with_z3(proved: &Proved) -> Result<(Report, Restored), Problem> {
    let provers = [BackEnd::solver("z3", &z3)];
    check(&proved.program, &proved.certificate, &provers, &Settings::default())
}

/// How the check with z3 ends.
fn outcome(proved: &Proved) -> Outcome {
    check_with_z3(proved).expect("the certificate fits").0.outcome()
}
