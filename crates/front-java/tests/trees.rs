//! Formulas about trees and their translation into the contract language say the same of every small
//! heap: two children a node, a pointer to a parent, and no two of them need to fit.

use std::ops::ControlFlow;

use trellis_explore::heaps::HeapSpace;
use trellis_front_java::{Options, load_str};
use trellis_program::concrete::spec_eval::{SpecEnv, Truth};
use trellis_program::concrete::{Machine, MachineOptions, PreState, Value};
use trellis_program::spec::Formula;
use trellis_program::{ProcId, Program};

/// Formulas, each of which has a translation. `n` is a parameter, `root` a global.
const FORMULAS: &[&str] = &[
    "tree [Node.left, Node.right]",
    "~(tree [Node.right, Node.left])",
    "ptree Node.parent [Node.left, Node.right]",
    "n : content",
    "n ~: content & n ~= null",
    "content = {}",
    "content = {n}",
    "content = others",
    "rtrancl_pt (% x y. x..Node.left = y | x..Node.right = y) root n",
    "(root, n) : {(u, v). v = u..right | left u = v}^*",
    "(n, null) : {(u, v). u..left = v | u..right = v}^*",
    "(root..left, n) : {(u, v). u..left = v | u..right = v}^*",
    "root = null | (ALL n. n..Node.left ~= root & n..Node.right ~= root)",
    "root ~= null --> ~(EX z. z..left = root | z..right = root)",
    "ALL z. z..left ~= n & n ~= z..right",
    "ALL z. z ~= null --> z..left ~= n & z..right ~= n",
    "EX z. z ~= null & (z..left = n..left | z..right = n..left)",
    "ALL x y. x ~= null & y ~= null & (x..Node.right = y | x..Node.left = y) --> y : content",
    "ALL x y. (x..right = y | x..left = y) & y ~= null --> y : content",
    "ALL y x. x..right = y | x..left = y --> y ~= n",
    "ALL x. x ~= null & x ~: content --> x..left = null & x..right = null",
    "ALL x. x ~= null & (EX z. z..left = x | z..right = x) --> x : content",
    "ALL x. x : content --> x = root | (EX z. z : content & (z..left = x | z..right = x))",
    "content = old content Un {n}",
    "ALL x. x : old content --> x : content",
];

/// Constraints that say that `parent` leads to parents, in a forest.
const PARENTS: &[&str] = &[
    "ALL x y. Node.parent x = y -->
       (x ~= null & (EX z. z..Node.left = x | z..Node.right = x) --> (y..Node.left = x | y..Node.right = x)) &
       (x = null | (ALL z. z..Node.left ~= x & z..Node.right ~= x) --> y = null)",
    "ALL x y. x..parent = y --> (y ~= null --> y..left = x | x = right y) &
       (y = null & x ~= null --> (ALL z. z..left ~= x & z..right ~= x))",
    "ALL a b. parent b = a --> (if a = null then b = null | ~(EX z. z..left = b | z..right = b)
       else a..left = b | a..right = b)",
    "ALL x. x ~= null --> (if EX z. z..left = x | z..right = x
       then left (parent x) = x | right (parent x) = x else parent x = null)",
    "ALL x. x ~= null --> (parent x ~= null --> parent x..left = x | parent x..right = x) &
       (parent x = null --> ~(EX z. z..right = x | z..left = x))",
];

/// Constraints that look like it, and say something else.
const OTHERS: &[&str] = &[
    // A root may point anywhere.
    "ALL x y. parent x = y --> (x ~= null & (EX z. z..left = x | z..right = x) --> (y..left = x | y..right = x))",
    // A child may point nowhere.
    "ALL x y. parent x = y --> (y ~= null --> y..left = x | y..right = x)",
    // Children at the right are forgotten.
    "ALL x y. parent x = y --> (y ~= null --> y..left = x) & (y = null & x ~= null --> (ALL z. z..left ~= x & z..right ~= x))",
    "ALL x y. parent x = y --> (y ~= null --> y..left = x | y..right = x) & (y = null & x ~= null --> (ALL z. z..left ~= x | z..right ~= x))",
    "ALL x y. parent x = y --> (y ~= null --> x..left = y | y..right = x) & (y = null & x ~= null --> (ALL z. z..left ~= x & z..right ~= x))",
];

/// Closures that reach null, which in a forest is reached from everywhere.
const TO_NULL: &[&str] = &[
    "n ~: all",
    "n : all",
    "(n, null) : {(u, v). u..left = v | u..right = v}^*",
    "all = {x. x = null} Un content",
    "n ~= null --> (n..left, root) ~: {(u, v). u..right = v | u..left = v}^*",
];

fn text(formulas: &[&str], invariants: &[&str], demanded: &str) -> String {
    let clauses: Vec<String> = formulas.iter().map(|f| format!("/*: assert \"{f}\" */")).collect();
    let invariants: Vec<String> =
        invariants.iter().map(|f| format!("/*: invariant \"{f}\" */")).collect();
    format!(
        "class Node {{ Node left, right, parent; }}
         class Tree {{
           private static Node root, other;
           /*: static specvar content :: objset;
               vardefs \"content == {{x. x ~= null & rtrancl_pt (% x y. x..Node.left = y | x..Node.right = y) root x}}\";
               static specvar others :: objset;
               vardefs \"others == {{x. x ~= null & (other, x) : {{(u, v). u..left = v | u..right = v}}^*}}\";
               static specvar all :: objset;
               vardefs \"all == {{x. rtrancl_pt (% x y. x..left = y | x..right = y) root x}}\"; */
           {}
           private static void said(Node n) {{ root = root; other = other; n = n; Node m = n.parent;
             {}
           }}
           public static void kept(Node n) /*: requires \"{demanded}\" */ {{ n = n; }}
         }}",
        invariants.join("\n"),
        clauses.join("\n")
    )
}

fn program(formulas: &[&str], invariants: &[&str], first_order: bool) -> Program {
    demanding(formulas, invariants, "True", first_order)
}

fn demanding(formulas: &[&str], invariants: &[&str], demanded: &str, first_order: bool) -> Program {
    let text = text(formulas, invariants, demanded);
    let unit = load_str("Tree.java", &text, Options { first_order });
    unit.unwrap_or_else(|f| panic!("{:?}", f.diagnostics)).program
}

fn is_translated(f: &Formula) -> bool {
    !matches!(f, Formula::Hol(..))
}

/// Whether clauses hold, on every heap of up to two objects and some of three; `old` is some heap
/// with as many objects.
fn truths(program: &Program, clauses: &[Formula]) -> Vec<Vec<bool>> {
    let proc = ProcId(0);
    let machine = Machine::new(program, MachineOptions::default());
    let space = HeapSpace::new(&machine, proc);
    let mut heaps = Vec::new();
    for objects in 0..=3 {
        let mut count = 0;
        let _ = space.for_each(objects, &mut |heap| {
            count += 1;
            if objects < 3 || count % 97 == 0 {
                heaps.push(heap.clone());
            }
            if count < 60_000 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
    }
    let vars = program.proc(proc).vars.len();
    let mut all = Vec::new();
    for (i, heap) in heaps.iter().enumerate() {
        let before = heaps[i.saturating_sub(40)..i].first().unwrap_or(heap);
        let fits = before.memory.objects.len() == heap.memory.objects.len();
        let before = if fits { before } else { heap };
        let pre = PreState { memory: before.memory.clone(), globals: before.globals.clone() };
        let mut locals = heap.args.clone();
        locals.resize(vars, Value::Undef);
        let env = SpecEnv {
            program,
            proc,
            memory: &heap.memory,
            globals: &heap.globals,
            locals: &locals,
            entry: &heap.args,
            pre: Some(&pre),
            result: None,
        };
        all.push(clauses.iter().map(|c| env.truth(c) == Truth::True).collect());
    }
    all
}

#[test]
fn both_say_the_same() {
    let formulas = |first_order| {
        let program = program(FORMULAS, &[], first_order);
        let all: Vec<Formula> = program.proc(ProcId(0)).body_formulas().cloned().collect();
        (program, all)
    };
    let ((plain, ours), (translated, theirs)) = (formulas(false), formulas(true));
    assert_eq!(ours.len(), theirs.len());
    for (i, f) in theirs.iter().enumerate() {
        assert!(is_translated(f), "number {i} has no translation: {f:?}");
        assert!(!is_translated(&ours[i]));
    }
    let (a, b) = (truths(&plain, &ours), truths(&translated, &theirs));
    assert!(a.len() > 1000, "only {} heaps", a.len());
    for (heap, (x, y)) in a.iter().zip(&b).enumerate() {
        for i in 0..x.len() {
            assert_eq!(x[i], y[i], "formula {i} on heap {heap}: {:?}", theirs[i]);
        }
    }
    for i in 0..theirs.len() {
        assert!(a.iter().any(|x| x[i]), "formula {i} is never true");
    }
}

/// Beside `tree [left, right]`, and only there, a constraint of parents is about closures; together
/// they say the same.
#[test]
fn constraints_of_parents() {
    let is_closure = |f: &Formula| format!("{f:?}").contains("Iff(Reach {");
    for (i, constraint) in PARENTS.iter().chain(OTHERS).enumerate() {
        let invariants = ["tree [Node.left, Node.right]", constraint];
        let kept = |first_order, invariants: &[&str]| {
            let program = program(&[], invariants, first_order);
            let requires = program.procs[1].contract.requires.iter();
            let all: Vec<Formula> = requires.map(|c| c.formula.clone()).collect();
            (program, all)
        };
        let ((plain, ours), (translated, theirs)) =
            (kept(false, &invariants), kept(true, &invariants));
        let last = &theirs[theirs.len() - 1];
        assert_eq!(is_closure(last), i < PARENTS.len(), "constraint {i}: {last:?}");
        let all = |values: &Vec<bool>| values.iter().all(|v| *v);
        let (a, b) = (truths(&plain, &ours), truths(&translated, &theirs));
        assert_eq!(
            a.iter().map(all).collect::<Vec<_>>(),
            b.iter().map(all).collect::<Vec<_>>(),
            "constraint {i}"
        );
        assert!(a.iter().filter(|v| all(v)).count() > 8, "constraint {i} is hardly ever true");
        let (_, alone) = kept(true, &invariants[1..]);
        let mentions_children = format!("{alone:?}").contains("Iff");
        assert!(!mentions_children || i >= PARENTS.len(), "constraint {i} alone: {alone:?}");
    }
}

/// Beside `tree [left, right]`, and only there, that null is reached needs no node that lacks a child;
/// together they say the same.
#[test]
fn null_is_reached_in_a_forest() {
    for formula in TO_NULL {
        let kept = |first_order, invariants: &[&str]| {
            let program = demanding(&[], invariants, formula, first_order);
            let requires = program.procs[1].contract.requires.iter();
            let all: Vec<Formula> = requires.map(|c| c.formula.clone()).collect();
            (program, all)
        };
        let tree: &[&str] = &["tree [Node.right, Node.left]"];
        let ((plain, ours), (translated, theirs)) = (kept(false, tree), kept(true, tree));
        let text = format!("{:?}", theirs[0]);
        assert!(is_translated(&theirs[0]) && !text.contains("Exists"), "{formula}: {text}");
        let all = |values: &Vec<bool>| values.iter().all(|v| *v);
        let (a, b) = (truths(&plain, &ours), truths(&translated, &theirs));
        assert_eq!(
            a.iter().map(all).collect::<Vec<_>>(),
            b.iter().map(all).collect::<Vec<_>>(),
            "{formula}"
        );
        let (_, alone) = kept(true, &[]);
        let text = format!("{:?}", alone[0]);
        assert!(!is_translated(&alone[0]) || text.contains("Exists"), "{formula} alone: {text}");
    }
}
