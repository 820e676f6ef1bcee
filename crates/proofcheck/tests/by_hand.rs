//! Proofs written by hand: what is right is accepted, and each thing that can be wrong is named.

use trellis_logic::{Arena, FormulaId, FunId, Vocabulary};
use trellis_proofcheck::files::{Files, check_directory, write_directory};
use trellis_proofcheck::{Atom, Ground, GroundTerm, Instance, Law, Proof, Statement, Step, check};

/// All men are mortal; some man is called Socrates, or he has no name; he is not mortal.
fn formulas() -> (Vocabulary, Arena, Vec<FormulaId>) {
    let mut vocabulary = Vocabulary::new();
    let being = vocabulary.sort("being");
    let socrates = vocabulary.constant("socrates", being);
    let man = vocabulary.relation("man", &[being]);
    let mortal = vocabulary.relation("mortal", &[being]);
    let mut arena = Arena::new();
    let x = arena.variable("x", being);
    let (x_term, s) = (arena.var_term(x), arena.constant(socrates));
    let (man_x, mortal_x) = (arena.rel(man, &[x_term]), arena.rel(mortal, &[x_term]));
    let all = arena.implies(man_x, mortal_x);
    let all = arena.forall(&[x], all);
    let same = arena.eq(x_term, s);
    let called = arena.and([man_x, same]);
    let called = arena.exists(&[x], called);
    let mortal_s = arena.rel(mortal, &[s]);
    let immortal = arena.not(mortal_s);
    (vocabulary, arena, vec![all, called, immortal])
}

fn fun(proof: &Proof, name: &str) -> FunId {
    let ground =
        Ground::new(&Proof { terms: vec![], instances: vec![], laws: vec![], ..proof.clone() });
    ground.unwrap().universal.vocabulary.find_fun(name).unwrap()
}

/// With `w` for the man: `!man(w) | mortal(w)`, `man(w)`, `w = s`, `!mortal(s)`, and the law
/// `w != s | !mortal(w) | mortal(s)`.
fn proof() -> Proof {
    let (vocabulary, arena, formulas) = formulas();
    let statement = Statement::copy(&vocabulary, &arena, &formulas).unwrap();
    let mortal = statement.vocabulary.find_rel("mortal").unwrap();
    let mut proof =
        Proof { statement, terms: vec![], instances: vec![], laws: vec![], steps: vec![] };
    proof.terms = ["socrates", "sk_x"]
        .map(|name| GroundTerm { fun: fun(&proof, name), args: vec![] })
        .to_vec();
    let instance = |formula, part, terms: &[usize]| Instance { formula, part, terms: terms.into() };
    proof.instances =
        vec![instance(0, 0, &[1]), instance(1, 0, &[]), instance(1, 1, &[]), instance(2, 0, &[])];
    let literals = vec![
        (false, Atom::Equal(1, 0)),
        (false, Atom::Holds(mortal, vec![1])),
        (true, Atom::Holds(mortal, vec![0])),
    ];
    proof.laws = vec![Law { literals }];
    proof.steps = vec![Step { clause: vec![], hints: vec![2, 3, 4, 1, 5] }];
    proof
}

/// Why a proof is rejected after a change.
fn rejected(change: impl FnOnce(&mut Proof)) -> String {
    let mut proof = proof();
    change(&mut proof);
    check(&proof).unwrap_err().reason
}

#[test]
fn what_is_right_is_accepted() {
    assert_eq!(check(&proof()), Ok(()));
}

#[test]
fn what_is_wrong_is_named() {
    let cases: [(&str, String); 13] = [
        ("instance 1: there is no such part", rejected(|p| p.instances[1].part = 2)),
        ("instance 0: not as many terms", rejected(|p| p.instances[0].terms.clear())),
        ("instance 0: term 2 is not known", rejected(|p| p.instances[0].terms = vec![2])),
        ("step 0 has hints without a conflict", rejected(|p| p.instances[0].terms = vec![0])),
        ("step 0 has a hint that forces nothing", rejected(|p| p.steps[0].hints = vec![5])),
        ("term 0 is not known yet", rejected(|p| p.terms[0].args = vec![0])),
        ("term 1: `sk_x` takes 0 arguments", rejected(|p| p.terms[1].args = vec![0])),
        ("law 0: not a law", rejected(|p| p.laws[0].literals[0].0 = true)),
        ("law 0: not a law", rejected(|p| drop(p.laws[0].literals.remove(0)))),
        ("step 0 names a clause that is not there", rejected(|p| p.steps[0].hints[0] = 6)),
        ("step 0 has hints without a conflict", rejected(|p| p.steps[0].hints.truncate(4))),
        ("step 0 has an unknown variable", rejected(|p| p.steps[0].clause = vec![99])),
        ("the last step is not the empty clause", rejected(|p| p.steps[0].clause = vec![1])),
    ];
    for (expected, found) in cases {
        assert!(found.starts_with(expected), "expected `{expected}`, found `{found}`");
    }
    assert_eq!(rejected(|p| p.steps.clear()), "the last step is not the empty clause");
}

#[test]
fn an_open_formula_is_no_statement() {
    let reason = rejected(|p| {
        let arena = &mut p.statement.arena;
        let sort = p.statement.vocabulary.find_sort("being").unwrap();
        let man = p.statement.vocabulary.find_rel("man").unwrap();
        let y = arena.variable("y", sort);
        let y = arena.var_term(y);
        p.statement.formulas[0] = arena.rel(man, &[y]);
    });
    assert_eq!(reason, "formula 0 is not closed");
}

/// A law may need congruence of functions, several times.
#[test]
fn laws_are_closed_under_congruence() {
    let mut vocabulary = Vocabulary::new();
    let sort = vocabulary.sort("s");
    let (a, b) = (vocabulary.constant("a", sort), vocabulary.constant("b", sort));
    let f = vocabulary.function("f", &[sort], sort);
    let mut arena = Arena::new();
    let (a, b) = (arena.constant(a), arena.constant(b));
    let (fa, fb) = (arena.app(f, &[a]), arena.app(f, &[b]));
    let (ffa, ffb) = (arena.app(f, &[fa]), arena.app(f, &[fb]));
    let (same, apart) = (arena.eq(a, b), arena.ne(ffa, ffb));
    let statement = Statement::copy(&vocabulary, &arena, &[same, apart]).unwrap();
    let [a, b, f] = ["a", "b", "f"].map(|name| statement.vocabulary.find_fun(name).unwrap());
    let term = |fun, args: &[usize]| GroundTerm { fun, args: args.into() };
    let terms = vec![
        term(a, &[]),
        term(b, &[]),
        term(f, &[0]),
        term(f, &[1]),
        term(f, &[2]),
        term(f, &[3]),
    ];
    let instances = (0..2).map(|formula| Instance { formula, part: 0, terms: vec![] }).collect();
    let literals = vec![(false, Atom::Equal(0, 1)), (true, Atom::Equal(5, 4))];
    let steps = vec![Step { clause: vec![], hints: vec![1, 2, 3] }];
    let mut proof = Proof { statement, terms, instances, laws: vec![Law { literals }], steps };
    assert_eq!(check(&proof), Ok(()));
    proof.laws[0].literals[0] = (false, Atom::Equal(2, 3));
    assert!(check(&proof).is_err(), "f(a) = f(b) is not among the formulas");
    proof.laws[0].literals[1] = (true, Atom::Equal(0, 1));
    assert_eq!(check(&proof).unwrap_err().reason, "law 0: not a law of equality");
}

#[test]
fn the_files_say_it_all() {
    let directory = tempfile::tempdir().unwrap();
    write_directory(&proof(), directory.path()).unwrap();
    let statement = check_directory(directory.path()).unwrap();
    assert_eq!(statement.text(), proof().statement.text());
    let files = Files::new(&proof()).unwrap();
    assert!(files.proof.contains("witness \"sk_x\" S1\nelement \"any\" S1\n"), "{}", files.proof);
    assert!(files.cnf.contains("p cnf 4 5\n"), "{}", files.cnf);
    assert_eq!(files.lrat, "6 0 2 3 4 1 5 0\n");
    assert_eq!(files.drat, "0\n");
    std::fs::remove_file(directory.path().join("proof.drat")).unwrap();
    let reason = check_directory(directory.path()).unwrap_err().reason;
    assert!(reason.starts_with("cannot read") && reason.contains("proof.drat"), "{reason}");
}

/// Every file matters, and the error names it.
#[test]
fn files_must_belong_together() {
    let files = Files::new(&proof()).unwrap();
    let why = |change: fn(&mut Files)| {
        let mut files = files.clone();
        change(&mut files);
        files.check().unwrap_err().reason
    };
    let cases = [
        ("proof.txt: the first line", why(|f| f.proof.insert(0, '#'))),
        ("proof.txt: line", why(|f| f.proof.push_str("witness \"w\" S1\n"))),
        ("proof.txt: line", why(|f| f.proof.push_str("assert A0\n"))),
        ("proof.txt: line", why(|f| f.proof.push_str("nonsense\n"))),
        ("proof.txt: law 1: not a law", why(|f| f.proof.push_str("law eq G0 G1\n"))),
        ("ground.cnf: there are more clauses", why(|f| f.cnf.push_str("1 0\n"))),
        ("ground.cnf: clause 1 ", why(|f| f.cnf = f.cnf.replacen("\n-1 2 0", "\n1 2 0", 1))),
        ("proof.lrat: line 1 ", why(|f| f.lrat = f.lrat.replace("6 0", "7 0"))),
        ("proof.lrat: the last step", why(|f| f.lrat.clear())),
        ("proof.drat has other steps", why(|f| f.drat.push_str("1 0\n"))),
    ];
    for (expected, found) in cases {
        assert!(found.starts_with(expected), "expected `{expected}`, found `{found}`");
    }
}

/// No text exhausts the stack.
#[test]
fn deep_nesting_is_rejected() {
    let mut text = String::from("trellis-proof 1\nrelation \"p\"\nformula R0\n");
    for i in 2..100_000 {
        text.push_str(&format!("formula implies A{i} A2\n"));
    }
    text.push_str("assert A100001\n");
    let (cnf, lrat, drat) = (String::new(), String::new(), String::new());
    let files = Files { proof: text, cnf, lrat, drat };
    let reason = files.check().unwrap_err().reason;
    assert_eq!(reason, "proof.txt: line 1003: nested too deeply");
}
