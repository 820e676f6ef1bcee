//! A formula and its translation into the contract language say the same of every small heap.

use std::ops::ControlFlow;

use trellis_explore::heaps::HeapSpace;
use trellis_front_java::{Options, load_str};
use trellis_program::concrete::spec_eval::{SpecEnv, Truth};
use trellis_program::concrete::{Machine, MachineOptions, PreState, Value};
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

/// Formulas about lists of things in boxes: several classes, and objects of none.
const BOXES: &[&str] = &[
    "tree [Box.head, Node.next]",
    "ALL b. b : Box & b ~= null --> b..head ~= null",
    "ALL b c. b ~= null & c ~= null & b..head = c..head & b..head ~= null --> b = c",
    "content = {}",
    "content = {first}",
    "first : content & box ~: content",
    "box..head = first",
    "box..items = content",
    "ALL b. b : Box & b ~= null --> b..items <= content Un {null}",
    "EX x. x : Node & x ~= null & x..data = thing",
    "ALL x. x : content --> x..data ~= null",
    "ALL x y. x : content & y : content & x..data = y..data --> x = y",
    "pairs = {}",
    "(first, thing) : pairs",
    "pairs = {(first, thing)}",
    "pairs = {(k, v). (k, v) : old pairs & v ~= thing} Un {(first, thing)}",
    "ALL d. (EX x. x : content & x..data = d) --> d ~= null",
    "content \\<subset> old content",
    "ALL x. x : content --> x..data = old (x..data)",
    "ALL x. x..next = old (x..next)",
    "ALL x. x : old alloc",
    "(first, null) : {(u, v). u ~= null & u..next = v}^*",
    "(first, null) : {(u, v). v ~= null & u..next = v}^*",
    "ALL x y. x : old content & (x, y) : {(u, v). u..next = v}^* --> y : content Un {null}",
    "ALL x. x ~: Box | x ~: Node | x = null",
    "ALL x. x ~= null --> (first = x) = (if x : content then first = x else False)",
];

fn boxes() -> String {
    let clauses: Vec<String> = BOXES.iter().map(|f| format!("//: assert \"{f}\"")).collect();
    format!(
        "class Node {{ Node next; Object data; }}
         class Box {{
           Node head;
           /*: specvar items :: objset;
               vardefs \"items == {{x. x ~= null & (this..head, x) : {{(u, v). u..next = v}}^*}}\";
           */
         }}
         class List {{
           private static Node first;
           private static Box box;
           private static Object thing;
           /*: static specvar content :: objset;
               vardefs \"content == {{x. x ~= null & (first, x) : {{(u, v). u..next = v}}^*}}\";
               static specvar pairs :: \"(obj * obj) set\";
               vardefs \"pairs == {{(k, v). k : content & v = k..data}}\"; */
           private static void said() {{ first = first; box = box; thing = thing;
             {}
           }}
         }}",
        clauses.join("\n")
    )
}

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

fn program(text: &str, first_order: bool) -> Program {
    let unit = load_str("List.java", text, Options { first_order });
    unit.unwrap_or_else(|f| panic!("{:?}", f.diagnostics)).program
}

#[test]
fn both_say_the_same() {
    compare(&text(), 2, 100);
}

#[test]
fn both_say_the_same_of_several_classes() {
    compare(&boxes(), 3, 100);
}

fn compare(text: &str, most: usize, fewest: usize) {
    let (plain, translated) = (program(text, false), program(text, true));
    let proc = ProcId(0);
    let formulas = |p: &Program| p.proc(proc).body_formulas().cloned().collect::<Vec<Formula>>();
    let (ours, theirs) = (formulas(&plain), formulas(&translated));
    assert_eq!(ours.len(), theirs.len());
    let is_translated = |f: &&Formula| !matches!(f, Formula::Hol(..));
    let left: Vec<usize> = (0..theirs.len()).filter(|i| !is_translated(&&theirs[*i])).collect();
    assert!(left.is_empty(), "formulas that have no translation: {left:?}");
    assert_eq!(ours.iter().filter(is_translated).count(), 0);

    let options = MachineOptions { ints: vec![0, 1], ..MachineOptions::default() };
    let machine = Machine::new(&plain, options);
    let space = HeapSpace::new(&machine, proc);
    let mut heaps = Vec::new();
    for objects in 0..=most {
        let _ = space.for_each(objects, &mut |heap| {
            heaps.push(heap.clone());
            ControlFlow::Continue(())
        });
    }
    assert!(heaps.len() > fewest, "only {} heaps", heaps.len());
    let mut seen = vec![[false; 2]; ours.len()];
    let vars = plain.proc(proc).vars.len();
    for (i, heap) in heaps.iter().enumerate() {
        // Some other heap is what was there at entry, now an earlier one, now a later one; objects
        // that it has not are new.
        let near = if i % 2 == 0 { i.saturating_sub(40) } else { i + 1 + i % 89 };
        let before = heaps.get(near).unwrap_or(heap);
        let same = |id| before.memory.object(id).ty == heap.memory.object(id).ty;
        let kept = before.memory.objects.len() <= heap.memory.objects.len()
            && before.memory.ids().all(same);
        // Arguments were there.
        let there = |v: &Value| match v {
            Value::Ptr(p) => (p.obj.0 as usize) < before.memory.objects.len(),
            _ => true,
        };
        let kept = kept && heap.args.iter().all(there);
        let before = if kept { before } else { heap };
        let pre = PreState { memory: before.memory.clone(), globals: before.globals.clone() };
        let mut locals = heap.args.clone();
        locals.resize(vars, Value::Undef);
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
    let dull: Vec<usize> = (0..seen.len()).filter(|i| !seen[*i][1]).collect();
    assert!(dull.is_empty(), "formulas that are never true: {dull:?}");
}
