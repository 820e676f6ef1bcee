//! What the engine proves is certified by two solvers that did not find it.

use trellis_certify::report::Entry;
use trellis_certify::{BackEnd, Certificate, Outcome, Settings, check};

use crate::{benchmark, cvc5, prove, z3};

#[test]
fn proofs_are_certified() {
    let rows = [
        ("pdr-forall/reverse.c", "reverse"),
        ("pdr-forall/delete.c", "delete"),
        ("pdr-forall/concat.c", "concat"),
        ("pdr-forall/sorted-insert.c", "sorted_insert"),
        ("more/append-in-place.c", "append"),
    ];
    for (file, procedure) in rows {
        let (path, text, program) = benchmark(file);
        let proved = prove(&path, &text, program, procedure);
        let read = Certificate::read(&proved.certificate.to_json()).expect("it can be read");
        assert_eq!(read, proved.certificate);
        let provers = [BackEnd::solver("z3", &z3), BackEnd::solver("cvc5", &cvc5)];
        let (report, restored) = check(&proved.program, &read, &provers, &Settings::default())
            .expect("the certificate fits");
        assert_eq!(report.outcome(), Outcome::Certified, "{file}: {:?}", report.findings);
        assert_eq!(report.entry, Entry::Possible, "{file}");
        assert_eq!(report.findings.len(), report.conditions);
        assert!(report.work.iter().all(|w| w.shown == report.conditions), "{file}");
        assert_eq!(restored.clauses.iter().map(Vec::len).sum::<usize>(), read.clauses());
        assert!(read.clauses() > 0, "{file} needs an invariant");
    }
}
