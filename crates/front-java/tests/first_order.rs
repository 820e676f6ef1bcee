//! A formula and its translation into the contract language say the same of every small heap.

use std::ops::ControlFlow;

use trellis_explore::heaps::HeapSpace;
use trellis_front_java::{Options, load_str};
use trellis_program::concrete::spec_eval::{SpecEnv, Truth};
use trellis_program::concrete::{Machine, MachineOptions, PreState};
use trellis_program::spec::Formula;
use trellis_program::{ProcId, Program};

/// Formulas about a list of nodes with keys: `n` is a parameter, `first` and `other` are globals.
const FORMULAS: &[&str] = &[
    "first = null | (ALL x. x..next ~= first)",
    "ALL x y. x ~= null & y ~= null & x..next = y --> y : content",
    "ALL x. x : content & x..next ~= null --> x..key <= x..next..key",
    "tree [Node.next]",
    "n : content",
    "n ~: content & n ~= null",
    "content = {}",
    "content = {n}",
    "content Int others = {}",
    "content <= others",
    "content = others Un {n}",
    "content - {n} = others",
    "reach first other",
    "(first, n) : {(x, y). x..next = y}^*",
    "rtrancl_pt (% x y. y = next x) n null",
    "first..next..next = n",
    "first..next ~= null --> first..next..key = n..key",
    "EX x. x ~= null & x..next = x",
    "EX x. x..next = n & x ~: content",
    "ALL x. x : Node & x : Object & x : alloc",
    "n..next = first <-> n..mark",
    "ALL x. x ~= null & x..mark --> x : content",
    "~(first = n) & (first = null --> n = null)",
    "comment ''named'' (first = n) | n..key + 1 <= 2 * first..key - 1",
    "pair (n..next)",
    "old first = first & content = old content",
    "ALL x. x : old content --> x : content",
    "old (n..next) = n..next",
    "ALL x. x..next = old (x..next) | x = n",
];

fn text() -> String {
    let clauses: Vec<String> = FORMULAS.iter().map(|f| format!("//: assert \"{f}\"")).collect();
    format!(
        "class Node {{ Node next; int key; boolean mark; }}
         class List {{
           private static Node first, other;
           /*: private static specvar reach :: \"obj => obj => bool\";
               vardefs \"reach == (% a b. rtrancl_pt (% x y. x..Node.next = y) a b)\";
               static specvar content :: objset;
               vardefs \"content == {{x. x ~= null & reach first x}}\";
               static specvar others :: objset;
               vardefs \"others == {{x. x ~= null & (other, x) : {{(u, v). u..next = v}}^*}}\";
               static specvar pair :: \"obj => bool\";
               vardefs \"pair == (% x. x = first | x = other)\"; */
           private static void said(Node n) {{ first = first; other = other; n = n;
             int use = n.key; boolean too = n.mark;
             {}
           }}
         }}",
        clauses.join("\n")
    )
}

fn program(first_order: bool) -> Program {
    let unit = load_str("List.java", &text(), Options { first_order });
    unit.unwrap_or_else(|f| panic!("{:?}", f.diagnostics)).program
}

#[test]
fn both_say_the_same() {
    let (plain, translated) = (program(false), program(true));
    let proc = ProcId(0);
    let formulas = |p: &Program| p.proc(proc).body_formulas().cloned().collect::<Vec<Formula>>();
    let (ours, theirs) = (formulas(&plain), formulas(&translated));
    assert_eq!(ours.len(), theirs.len());
    let is_translated = |f: &&Formula| !matches!(f, Formula::Hol(..));
    let count = theirs.iter().filter(is_translated).count();
    assert_eq!(count, theirs.len(), "formulas that have no translation");
    assert_eq!(ours.iter().filter(is_translated).count(), 0);

    let options = MachineOptions { ints: vec![0, 1], ..MachineOptions::default() };
    let machine = Machine::new(&plain, options);
    let space = HeapSpace::new(&machine, proc);
    let mut heaps = Vec::new();
    for objects in 0..=2 {
        let _ = space.for_each(objects, &mut |heap| {
            heaps.push(heap.clone());
            ControlFlow::Continue(())
        });
    }
    assert!(heaps.len() > 100, "only {} heaps", heaps.len());
    let mut seen = vec![[false; 2]; ours.len()];
    let vars = plain.proc(proc).vars.len();
    for (i, heap) in heaps.iter().enumerate() {
        // Some earlier heap with as many objects is what was there at entry.
        let before = heaps[i.saturating_sub(40)..i].first().unwrap_or(heap);
        let before = match before.memory.objects.len() == heap.memory.objects.len() {
            true => before,
            false => heap,
        };
        let pre = PreState { memory: before.memory.clone(), globals: before.globals.clone() };
        let mut locals = heap.args.clone();
        locals.resize(vars, trellis_program::concrete::Value::Undef);
        let env = |program| SpecEnv {
            program,
            proc,
            memory: &heap.memory,
            globals: &heap.globals,
            locals: &locals,
            entry: &heap.args,
            pre: Some(&pre),
            result: None,
        };
        for (k, (a, b)) in ours.iter().zip(&theirs).enumerate() {
            let (x, y) = (env(&plain).truth(a), env(&translated).truth(b));
            let (x, y) = (x == Truth::True, y == Truth::True);
            assert_eq!(x, y, "{} on {heap:?} after {before:?}: {b:?}", k);
            seen[k][usize::from(x)] = true;
        }
    }
    let dull = seen.iter().filter(|s| !s[1]).count();
    assert_eq!(dull, 0, "formulas that are never true");
}
