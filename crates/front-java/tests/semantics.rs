//! What programs mean, told by exploring them.

use std::fs;

use trellis_explore::{Config, Outcome, Progress, explore};
use trellis_front_java::{Options, load, load_str};
use trellis_program::{CheckTable, NoResult, Program};

/// `safe`, what fails and on which line, or why there is no answer.
fn explored(program: &Program, name: &str) -> String {
    let proc = program.find_proc(name).unwrap_or_else(|| panic!("{name} is missing"));
    let config = Config { objects: 2, ..Config::default() };
    let found = explore(program, proc, &config, &Progress::default());
    match found.outcome {
        Outcome::Violated(v) => {
            let table = CheckTable::of(program);
            let failure = v.failure;
            let row = table.find(failure.point, failure.kind, failure.clause);
            let check = table.get(row.expect("every failure has a row"));
            let (line, _) = program.sources.line_col(check.span);
            format!("violated {} at line {line}", check.kind)
        }
        Outcome::Unfinished(NoResult::Refused(refusal)) => format!("refused: {}", refusal.reason),
        Outcome::Unfinished(other) => format!("{other:?}"),
        _ if found.stats.heaps == 0 => "no heap".to_owned(),
        _ => "safe".to_owned(),
    }
}

fn program(text: &str) -> Program {
    let unit = load_str("T.java", text, Options::default());
    unit.unwrap_or_else(|f| panic!("{:?}", f.diagnostics)).program
}

fn check(text: &str, expected: &[(&str, &str)]) {
    let program = program(text);
    for (name, verdict) in expected {
        assert_eq!(explored(&program, name), *verdict, "{name} of\n{text}");
    }
}

#[test]
fn objects_start_with_nothing_in_them() {
    check(
        "class A { int i; boolean b; A next; int[] xs; int five = 5;
           static void f() { A a = new A(); assert a.i == 0 && !a.b && a.next == null;
             assert a.xs == null && a.five == 5; }
           static void g() { A a = new A(); assert a.five == 0; }
           static void h() { int[] xs = new int[2]; assert xs[1] == 0 && xs.length == 2; } }",
        &[("A.f", "safe"), ("A.g", "violated assertion at line 4"), ("A.h", "safe")],
    );
}

#[test]
fn constructors_make_objects() {
    check(
        "class A { int i; A next;
           A(int i, A next) /*: ensures \"this ~= null & this..i = i & this..next = next\" */
           { this.i = i; this.next = next; }
           void set(int j) { i = j; }
           int get() /*: ensures \"result = i\" */ { return i; }
           static void f() { A a = new A(3, null); A b = new A(4, a); b.next.set(7);
             assert a.get() == 7 && b.get() == 4; }
           static void g(A a) { a.set(1); }
           static void h(A a) { int x = a.next.i; } }",
        &[
            ("A.A", "safe"),
            ("A.get", "safe"),
            ("A.f", "safe"),
            ("A.g", "violated null-deref at line 8"),
            ("A.h", "violated null-deref at line 9"),
        ],
    );
}

#[test]
fn arrays_have_bounds() {
    check(
        "class A { static int f(int[] xs, int i) { return xs[i]; }
           static int g(int[] xs) { if (xs == null || xs.length < 2) return 0; return xs[1]; }
           static int[] h(int n) { return new int[n]; }
           static void k(A[] as) { for (int i = 0; i < as.length; i++) as[i] = new A(); }
           static int last(int[] xs)
           /*: requires \"xs ~= null & 0 < xs..Array.length\" */ { return xs[xs.length]; } }",
        &[
            ("A.f", "violated null-deref at line 1"),
            ("A.g", "safe"),
            ("A.h", "violated negative-size at line 3"),
            ("A.k", "violated null-deref at line 4"),
            ("A.last", "violated bounds at line 6"),
        ],
    );
}

#[test]
fn casts_are_checked() {
    check(
        "class A { int i; } class B { int j; }
         class C { static int f(Object o) { A a = (A) o; return 0; }
           static int g(Object o) /*: requires \"o : A\" */ { A a = (A) o; return 0; }
           static Object h() { Object o = new B(); return (A) o; } }",
        &[
            ("C.f", "violated class-cast at line 2"),
            ("C.g", "safe"),
            ("C.h", "violated class-cast at line 4"),
        ],
    );
}

#[test]
fn invariants_hold_for_every_object() {
    check(
        "class A { private int i;
           /*: invariant \"0 <= i\"; */
           public void up() { i = i + 1; }
           public void down() { i = i - 1; }
           private void below() { i = -1; }
           public void through() { below(); }
           public void other(A a) { if (a != null) a.i = -1; } }",
        &[
            ("A.up", "safe"),
            ("A.down", "violated postcondition at line 2"),
            ("A.below", "safe"),
            ("A.through", "violated postcondition at line 2"),
            ("A.other", "violated postcondition at line 2"),
        ],
    );
}

#[test]
fn annotations_between_statements() {
    check(
        "class A { static int x; A next;
           /*: public static ghost specvar count :: int; public static ghost specvar on :: bool;
               invariant known: \"on --> x = 0\"; */
           static void a() { //: assert \"x = 0\";
           }
           static void b() { //: assume \"x = 0\"; assert \"x <= 0\";
           }
           static void c() { int y = 0; //: havoc y suchThat \"y > 0\"; assert \"0 <= y\";
           }
           static void d() /*: modifies count, on ensures \"count = old count + 2\" */ {
             //: count := \"count + 2\"; on := \"False\";
             x = 1; }
           static void e() /*: ensures \"True\" */ { //: count := \"0\";
           }
           static void f() { //: noteThat \"theinv known\";
           }
           static void g(A p) { A q = p; while /*: inv \"q = null | q..A.next = q..next\" */
             (q != null) q = null; }
           static void h() { //: witness \"x\" for \"True\";
           }
           static void i() { //: ghost specvar seen :: bool = \"~on\"; noteThat \"seen = (~on)\";
           }
           static void j() { //: ghost specvar n :: int = \"count + 1\"; noteThat \"n = count\";
           }
           static void m() { //: pickAny z::obj; note \"z = z\" forSuch z;
           }
           static void n() { //: havoc \"A.next\";
           }
           private static void k() /*: requires \"theinvs\" ensures \"theinvs\" */ { }
           private static void l() /*: ensures \"theinvs\" */ { } }",
        &[
            ("A.a", "violated spec-assert at line 4"),
            ("A.b", "safe"),
            ("A.c", "safe"),
            ("A.d", "safe"),
            ("A.e", "violated postcondition at line 13"),
            ("A.f", "safe"),
            ("A.g", "safe"),
            ("A.h", "refused: the proof step `witness`"),
            ("A.i", "safe"),
            ("A.j", "violated spec-assert at line 23"),
            ("A.m", "refused: the proof step `pickAny`"),
            ("A.n", "refused: a change of `A.next` of all objects"),
            ("A.k", "safe"),
            ("A.l", "violated postcondition at line 30"),
        ],
    );
}

#[test]
fn hidden_objects_are_known_by_their_making() {
    check(
        "class A { private static A a;
           /*: invariant \"a = null | a : hidden\"; */
           public static void f() { a = new /*: hidden */ A(); }
           public static void g() { a = new A(); } }",
        &[("A.f", "safe"), ("A.g", "violated postcondition at line 2")],
    );
}

#[test]
fn what_is_not_understood_is_said() {
    let text = "class A { static void f() { throw new RuntimeException(); }
       static void g(int i) { switch (i) { case 1: break; } }
       static void h() { System.out.println(\"x\"); }
       static boolean k(Object o) { return o instanceof A; }
       static void ok() { } }
     class B extends A { static void f() { } }";
    check(
        text,
        &[
            ("A.f", "refused: a `throw` statement"),
            ("A.g", "refused: a `switch` statement"),
            ("A.h", "refused: a call of `println`, a method of the library"),
            ("A.k", "refused: an `instanceof`"),
            ("A.ok", "safe"),
            ("B.f", "refused: a class that inherits from another one"),
        ],
    );
}

#[test]
fn classes_are_found_beside_the_file() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| fs::write(dir.path().join(name), text).expect("written");
    file("List.java", "class List { static Node first; static int f(Node n) { return n.key; } }");
    file("Node.java", "class Node { int key; Other other; }");
    file("Other.java", "class Other { }");
    let unit = load(&dir.path().join("List.java")).expect("all classes are found");
    assert_eq!(explored(&unit.program, "List.f"), "violated null-deref at line 1");
    assert!(unit.text.contains("class Other"), "the text has what was read");
    let missing = load_str("List.java", "class List { static Node first; }", Options::default());
    assert!(missing.expect_err("no Node").diagnostics[0].message.contains("`Node`"));
}

/// Formulas may name locals before they are declared: Jahob's programs do.
#[test]
fn formulas_see_locals_that_come_later() {
    check(
        "class A { A next; static A first;
           static void f() {
             /*: private specvar rest :: objset; private vardefs \"rest == {x. x = e}\"; */
             //: assume \"first = null --> True\";
             A e = first;
             //: assert \"rest = {first}\"; track(rest);
           } }",
        &[("A.f", "safe")],
    );
}

/// A formula may read a variable before it has a value: it has some, and no path is lost by it.
#[test]
fn variables_without_a_value_have_some() {
    check(
        "class A { A next; static A top;
           static void early() {
             /*: assume \"e = null | e ~= top\"; */
             A e = null;
             assert e != null; }
           static void late(boolean b) {
             boolean went; A p = top;
             while /*: inv \"p ~= null --> p = top | went\" */ (p != null && b) {
               went = true; p = p.next; b = false; }
             }
           static void unsaid(boolean b) {
             boolean went; A p = top;
             while /*: inv \"p ~= null --> went\" */ (p != null && b) {
               went = true; p = p.next; b = false; }
             } }",
        &[
            ("A.early", "violated assertion at line 5"),
            ("A.late", "safe"),
            ("A.unsaid", "violated loop-invariant at line 13"),
        ],
    );
}
