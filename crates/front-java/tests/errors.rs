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
    check(&list("static void f(Node n) { n.nxet = null; }"), expect![]);
    check(&list("static void f(Node n) { m.next = null; }"), expect![]);
    check(&list("static void f(Nod n) { }"), expect![]);
    check(&list("static int f(Node n) { return n; }"), expect![]);
    check(&list("static void f(Node n) { n = 3; }"), expect![]);
    check(&list("static void f(Node n) { g(n); }"), expect![]);
    check(&list("static void f(Node n) { f(); }"), expect![]);
    check(&list("static void f(Node n) { while (n) n = n.next; }"), expect![]);
    check(&list("static void f(Node n) { n = (n; }"), expect![]);
    check(&list("static void f(Node n) { break; }"), expect![]);
    check(&list("static void f() { this.x = 1; }"), expect![]);
    check(&list("static void f() { int x = 5"), expect![]);
    check("class A { int x; int x; }", expect![]);
    check("class A { /* never ends", expect![]);
    check("class A { void f() { int i = 99999999999; } }", expect![]);
}

#[test]
fn in_annotations() {
    check(&list("/*: invarint \"True\" */"), expect![]);
    check(&list("/*: invariant True */"), expect![]);
    check(&list("/*: invariant \"True */"), expect![]);
    check(&list("/*: specvar content : objset; */"), expect![]);
    check(&list("/*: specvar content :: objects; */"), expect![]);
    check(
        &list("/*: specvar content :: objset; vardefs \"contents == {x. x = first}\" */"),
        expect![],
    );
    check(&list("static void f()\n/*: requires \"True\" ensures \"theinv x\" */ { }"), expect![]);
    check(&list("static void f() { //: havoc \"frist\";\n }"), expect![]);
}

#[test]
fn in_formulas() {
    check(&list("/*: invariant \"first ~= null &\n     frist..next = null\" */"), expect![]);
    check(&list("/*: invariant \"first..nxt = null\" */"), expect![]);
    check(&list("/*: invariant \"first..Nod.next = null\" */"), expect![]);
    check(&list("/*: invariant \"first..Node.nex = null\" */"), expect![]);
    check(&list("/*: invariant \"first = 3\" */"), expect![]);
    check(&list("/*: invariant \"first + 1 = null\" */"), expect![]);
    check(&list("/*: invariant \"ALL x. x : first\" */"), expect![]);
    check(&list("/*: invariant \"first <= first\" */"), expect![]);
    check(&list("/*: invariant \"(first = null\" */"), expect![]);
    check(&list("/*: invariant \"first \\<elem> first\" */"), expect![]);
    check(&list("/*: invariant \"tree next\" */"), expect![]);
    check(&list("/*: invariant \"tree [key]\" */"), expect![]);
    check(&list("/*: invariant \"first = null = True\" */"), expect![]);
    check(&list("static void f(Node n) /*: ensures \"result = n\" */ { }"), expect![]);
    check(&list("static void f(Node n) { //: assert \"n = m\";\n }"), expect![]);
}
