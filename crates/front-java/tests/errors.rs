//! What is wrong with a source is said with its place, in Java and inside of formulas alike.

use expect_test::{Expect, expect};
use trellis_front_java::{Options, load_str};
use trellis_program::source::SourceFile;

/// Each error: its place, its message and its advice, and the line with a caret.
fn complaints(text: &str) -> String {
    let failure = load_str("T.java", text, Options::default()).expect_err("something is wrong");
    let lines = failure.diagnostics.iter().map(|d| {
        let help = d.help.as_ref().map(|h| format!(" ({h})")).unwrap_or_default();
        let span = d.span.expect("a place");
        let file: &SourceFile = failure.sources.file(span.file);
        let (line, column) = file.line_col(span.start);
        let (start, end) = file.line_range(line).expect("a line");
        let source = &file.text[start as usize..end as usize];
        let caret = format!("{:>column$}", '^');
        format!("{}: {}{help}\n{source}\n{caret}", failure.sources.locate(span), d.message)
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&complaints(text));
}

/// A class with a list, and members around it.
fn list(members: &str) -> String {
    format!("class Node {{ Node next; int key; }}\nclass List {{ static Node first;\n{members}\n}}")
}

#[test]
fn in_java() {
    check(
        &list("static void f(Node n) { n.nxet = null; }"),
        expect![[r#"
        T.java:3:27: `Node` has no field `nxet` (did you mean `next`?)
        static void f(Node n) { n.nxet = null; }
                                  ^"#]],
    );
    check(
        &list("static void f(Node n) { m.next = null; }"),
        expect![[r#"
        T.java:3:25: no variable is called `m` (did you mean `n`?)
        static void f(Node n) { m.next = null; }
                                ^"#]],
    );
    check(
        &list("static void f(Nod n) { }"),
        expect![[r#"
        T.java:3:15: no class is called `Nod` (did you mean `Node`?)
        static void f(Nod n) { }
                      ^"#]],
    );
    check(
        &list("static int f(Node n) { return n; }"),
        expect![[r#"
        T.java:3:31: this is of type `Node`, but `int` is needed here
        static int f(Node n) { return n; }
                                      ^"#]],
    );
    check(
        &list("static void f(Node n) { n = 3; }"),
        expect![[r#"
        T.java:3:29: this is of type `int`, but `Node` is needed here
        static void f(Node n) { n = 3; }
                                    ^"#]],
    );
    check(
        &list("static void f(Node n) { g(n); }"),
        expect![[r#"
        T.java:3:25: `List` has no method `g` (did you mean `f`?)
        static void f(Node n) { g(n); }
                                ^"#]],
    );
    check(
        &list("static void f(Node n) { f(); }"),
        expect![[r#"
        T.java:3:25: `f` takes 1 arguments, not 0
        static void f(Node n) { f(); }
                                ^"#]],
    );
    check(
        &list("static void f(Node n) { while (n) n = n.next; }"),
        expect![[r#"
        T.java:3:32: this is of type `Node`, but `boolean` is needed here
        static void f(Node n) { while (n) n = n.next; }
                                       ^"#]],
    );
    check(
        &list("static void f(Node n) { n = (n; }"),
        expect![[r#"
        T.java:3:31: expected `)`, found `;`
        static void f(Node n) { n = (n; }
                                      ^"#]],
    );
    check(
        &list("static void f(Node n) { break; }"),
        expect![[r#"
        T.java:3:25: there is no loop for this `break`
        static void f(Node n) { break; }
                                ^"#]],
    );
    check(
        &list("static void f() { this.x = 1; }"),
        expect![[r#"
        T.java:3:19: there is no `this` in a static method
        static void f() { this.x = 1; }
                          ^"#]],
    );
    check(
        &list("static void f() { int x = 5"),
        expect![[r#"
        T.java:4:1: expected `;`, found `}`
        }
        ^"#]],
    );
    check(
        "class A { int x; int x; }",
        expect![[r#"
        T.java:1:22: `x` is declared twice
        class A { int x; int x; }
                             ^"#]],
    );
    check(
        "class A { /* never ends",
        expect![[r#"
        T.java:1:11: this comment never ends
        class A { /* never ends
                  ^"#]],
    );
    check(
        "class A { void f() { int i = 99999999999; } }",
        expect![[r#"
        T.java:1:30: this is no number that fits
        class A { void f() { int i = 99999999999; } }
                                     ^"#]],
    );
}

#[test]
fn in_annotations() {
    check(
        &list("/*: invarint \"True\" */"),
        expect![[r#"
        T.java:3:5: expected an annotation, found `invarint` (did you mean `invariant`?)
        /*: invarint "True" */
            ^"#]],
    );
    check(
        &list("/*: invariant True */"),
        expect![[r#"
        T.java:3:15: expected a formula in quotation marks, found `True`
        /*: invariant True */
                      ^"#]],
    );
    check(
        &list("/*: invariant \"True */"),
        expect![[r#"
        T.java:3:15: this formula never ends
        /*: invariant "True */
                      ^"#]],
    );
    check(
        &list("/*: specvar content : objset; */"),
        expect![[r#"
        T.java:3:21: expected `::` and a type, found `:`
        /*: specvar content : objset; */
                            ^"#]],
    );
    check(
        &list("/*: specvar content :: objects; */"),
        expect![[r#"
        T.java:3:24: no type is called `objects` (types are int, bool, obj, objset, `a set`, `a list`, `a * b` and `a => b`)
        /*: specvar content :: objects; */
                               ^"#]],
    );
    check(
        &list("/*: specvar content :: objset; vardefs \"contents == {x. x = first}\" */"),
        expect![[r#"
            T.java:3:41: no specification variable of this class is called `contents` (did you mean `content`?)
            /*: specvar content :: objset; vardefs "contents == {x. x = first}" */
                                                    ^"#]],
    );
    check(
        &list("static void f()\n/*: requires \"True\" ensures \"theinv x\" */ { }"),
        expect![[r#"
        T.java:4:37: no invariant is called `x`
        /*: requires "True" ensures "theinv x" */ { }
                                            ^"#]],
    );
    check(
        &list("static void f() { //: havoc \"frist\";\n }"),
        expect![[r#"
        T.java:3:30: no variable is called `frist` (did you mean `first`?)
        static void f() { //: havoc "frist";
                                     ^"#]],
    );
}

#[test]
fn in_formulas() {
    check(
        &list("/*: invariant \"first ~= null &\n     frist..next = null\" */"),
        expect![[r#"
        T.java:4:6: nothing is called `frist` here (did you mean `first`?)
             frist..next = null" */
             ^"#]],
    );
    check(
        &list("/*: invariant \"first..nxt = null\" */"),
        expect![[r#"
        T.java:3:23: nothing is called `nxt` here (did you mean `next`?)
        /*: invariant "first..nxt = null" */
                              ^"#]],
    );
    check(
        &list("/*: invariant \"first..Nod.next = null\" */"),
        expect![[r#"
        T.java:3:23: no class is called `Nod` (did you mean `Node.next`?)
        /*: invariant "first..Nod.next = null" */
                              ^"#]],
    );
    check(
        &list("/*: invariant \"first..Node.nex = null\" */"),
        expect![[r#"
        T.java:3:23: `Node` has no member `nex` (did you mean `Node.next`?)
        /*: invariant "first..Node.nex = null" */
                              ^"#]],
    );
    check(
        &list("/*: invariant \"first = 3\" */"),
        expect![[r#"
        T.java:3:24: this is of type `int`, but `obj` is needed here
        /*: invariant "first = 3" */
                               ^"#]],
    );
    check(
        &list("/*: invariant \"first + 1 = null\" */"),
        expect![[r#"
        T.java:3:16: this is of type `obj`, but `int` is needed here
        /*: invariant "first + 1 = null" */
                       ^"#]],
    );
    check(
        &list("/*: invariant \"ALL x. x : first\" */"),
        expect![[r#"
        T.java:3:27: this is of type `obj`, but `'t0 set` is needed here
        /*: invariant "ALL x. x : first" */
                                  ^"#]],
    );
    check(
        &list("/*: invariant \"first <= first\" */"),
        expect![[r#"
        T.java:3:16: this is about integers or sets, not about `obj`
        /*: invariant "first <= first" */
                       ^"#]],
    );
    check(
        &list("/*: invariant \"(first = null\" */"),
        expect![[r#"
        T.java:3:29: expected `)`, found the end of the formula
        /*: invariant "(first = null" */
                                    ^"#]],
    );
    check(
        &list("/*: invariant \"first \\<elem> first\" */"),
        expect![[r#"
        T.java:3:22: no X-symbol is called `\<elem>`
        /*: invariant "first \<elem> first" */
                             ^"#]],
    );
    check(
        &list("/*: invariant \"tree next\" */"),
        expect![[r#"
        T.java:3:21: a list of fields in brackets is needed here
        /*: invariant "tree next" */
                            ^"#]],
    );
    check(
        &list("/*: invariant \"tree [key]\" */"),
        expect![[r#"
        T.java:3:22: this is of type `obj => int`, but `obj => obj` is needed here
        /*: invariant "tree [key]" */
                             ^"#]],
    );
    check(
        &list("/*: invariant \"first = (null = True)\" */"),
        expect![[r#"
        T.java:3:32: this is of type `bool`, but `obj` is needed here
        /*: invariant "first = (null = True)" */
                                       ^"#]],
    );
    check(
        &list("static void f(Node n) /*: ensures \"result = n\" */ { }"),
        expect![[r#"
        T.java:3:36: nothing is called `result` here
        static void f(Node n) /*: ensures "result = n" */ { }
                                           ^"#]],
    );
    check(
        &list("static void f(Node n) { //: assert \"n = m\";\n }"),
        expect![[r#"
        T.java:3:41: nothing is called `m` here (did you mean `n`?)
        static void f(Node n) { //: assert "n = m";
                                                ^"#]],
    );
}
