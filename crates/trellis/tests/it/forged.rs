//! Certificates from somebody who wants to be believed without a proof.
//!
//! Each is made from a real one, and refused with a reason.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Ran, trellis};

/// A list with a header of its own, and a macro.
const LIST: &str = "\
#include \"list.h\"
#ifndef STEP
#define STEP h->next
#endif
/*@ requires reach(next, h, NULL); */
int length(struct node *h) {
    int n = 0;
    while (h) { n = n + 1; h = STEP; }
    return n;
}
";
const HEADER: &str = "struct node { struct node *next; int data; };\n";

/// A folder with a source and the certificate of its procedure.
struct Handed {
    folder: TempDir,
    certificate: PathBuf,
}

impl Handed {
    fn new(options: &[&str]) -> Handed {
        let folder = tempfile::tempdir().expect("a folder");
        let certificate = folder.path().join("proof.json");
        let handed = Handed { folder, certificate };
        handed.write("list.c", LIST);
        handed.write("list.h", HEADER);
        let (source, to) = (handed.path("list.c"), handed.path("proof.json"));
        let args = ["verify", &source, "--engine", "pdr-forall", "--certificate", &to];
        let ran = trellis(&[&args[..], options].concat());
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        handed
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("it can be written");
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.certificate).expect("it was written")
    }

    fn change(&self, change: impl FnOnce(&mut Value)) {
        let mut json = serde_json::from_str(&self.text()).expect("a certificate is JSON");
        change(&mut json);
        self.write("proof.json", &json.to_string());
    }

    fn certify(&self, more: &[&str]) -> Ran {
        let path = self.path("proof.json");
        trellis(&[&["certify", &path, "--solver", "epr", "--timeout", "60s"], more].concat())
    }

    /// Exit code 2, and why.
    fn refused(&self, more: &[&str], why: &str) {
        let ran = self.certify(more);
        assert_eq!(ran.code, Some(2), "{why}: {}{}", ran.out, ran.err);
        assert_eq!(ran.out, "", "{why}");
        assert!(ran.err.contains(why), "no `{why}` in\n{}", ran.err);
    }
}

/// A real certificate with one thing changed is refused.
#[track_caller]
fn refused(change: impl FnOnce(&mut Value), more: &[&str], why: &str) {
    let handed = Handed::new(&[]);
    handed.change(change);
    handed.refused(more, why);
}

/// The values of a setting of the source.
fn setting<'a>(certificate: &'a mut Value, name: &str) -> &'a mut Value {
    let settings = certificate["source"]["settings"].as_array_mut().expect("settings");
    let found = settings.iter_mut().find(|s| s["name"] == name);
    &mut found.unwrap_or_else(|| panic!("no setting {name}"))["values"]
}

#[test]
fn a_real_one_says_what_it_proves() {
    let handed = Handed::new(&[]);
    let ran = handed.certify(&["--require", "memsafety"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    for part in [
        "length in ",
        "list.c: certified",
        "checks: null-deref, use-after-free",
        "contract: requires reach(next, h, NULL);",
        "assumes: termination is not proved; malloc never fails; integers wrap silently",
    ] {
        assert!(ran.out.contains(part), "no `{part}` in\n{}", ran.out);
    }
    let ran = handed.certify(&["--require", "default,leak"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

#[test]
fn macros_are_the_users() {
    let bug = "STEP=0";
    refused(|c| *setting(c, "define") = json!([bug]), &[], "repeat it: -D STEP=0");
    // Repeated, it is another program than the one that was certified.
    let why = "is not the text that was certified";
    refused(|c| *setting(c, "define") = json!([bug]), &["-D", bug], why);
    let same = ["-D", "STEP=h->next"];
    let handed = Handed::new(&same);
    handed.refused(&[], "-D 'STEP=h->next'");
    let ran = handed.certify(&same);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("macros: STEP=h->next"), "{}", ran.out);
    // The hash can be changed too, but not the program.
    let handed = Handed::new(&[]);
    handed.change(|c| *setting(c, "define") = json!(["length=other"]));
    handed.refused(&["--ignore-hash"], "repeat it: -D length=other");
}

#[test]
fn folders_for_headers_are_the_users() {
    let handed = Handed::new(&[]);
    fs::create_dir(handed.folder.path().join("evil")).expect("a folder");
    handed.write("evil/assert.h", "#define assert(x) ((void)0)\n");
    let evil = handed.path("evil");
    handed.change(|c| *setting(c, "include") = json!([evil]));
    handed.refused(&[], "if you trust them, name them: -I ");
}

#[test]
fn the_language_is_one_that_is_read() {
    let why = "is about a program in `Klingon`; this version of Trellis reads C";
    refused(|c| c["source"]["language"] = json!("Klingon"), &[], why);
    refused(|c| c["source"]["language"] = json!("c"), &["--ignore-hash"], "a program in `c`;");
    let none = |c: &mut Value| {
        c["source"].as_object_mut().expect("an object").remove("language");
    };
    refused(none, &[], "missing field `language`");
    let more = |c: &mut Value| {
        let settings = c["source"]["settings"].as_array_mut().expect("settings");
        settings.push(json!({ "name": "trust-me", "values": [] }));
    };
    refused(more, &[], "was read with `trust-me`, a setting that the front end for C does not");
    refused(|c| c["version"] = json!(2), &[], "the certificate has version 2; this version");
}

#[test]
fn another_header_is_another_program() {
    let handed = Handed::new(&[]);
    handed.write("list.h", &HEADER.replace("int data", "long data"));
    handed.refused(&[], "what the preprocessor makes of");
    let handed = Handed::new(&[]);
    handed.write("list.c", &LIST.replace("n + 1", "n + 2"));
    handed.refused(&[], "is not the file that was certified");
}

#[test]
fn no_checks_are_no_proof() {
    refused(|c| c["checks"] = json!([]), &[], "is about no checks, so it proves nothing");
    refused(|c| c["checks"] = json!(["leak", "leak"]), &[], "the check `leak` is there twice");
    refused(|c| c["checks"] = json!(["everything"]), &[], "no check is called `everything`");
    let one = |c: &mut Value| c["checks"] = json!(["acyclic"]);
    refused(one, &["--require", "memsafety"], "does not prove what is required: null-deref,");
    refused(one, &["--require", "leak,bounds"], "does not prove what is required: bounds, leak");
    // What is left out is said.
    let handed = Handed::new(&[]);
    handed.change(|c| c["checks"] = json!(["leak"]));
    let ran = handed.certify(&[]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("not checked: null-deref, use-after-free"), "{}", ran.out);
}

#[test]
fn numbers_are_bounded() {
    refused(|c| c["leak_turns"] = json!(1_000_000_000), &[], "`leak_turns` is 1000000000; at most");
    refused(|c| c["leak_turns"] = json!(-1), &[], "invalid value");
    refused(|c| c["version"] = json!(1), &[], "the certificate has version 1");
    refused(|c| c["cut_points"][0]["block"] = json!(4_000_000_000u32), &[], "is no loop");
    refused(|c| c["cut_points"][0]["block"] = json!(1e30), &[], "invalid");
}

#[test]
fn fields_are_known_and_single() {
    refused(|c| c["trusted"] = json!(true), &[], "unknown field `trusted`");
    refused(|c| c["source"]["cc"] = json!("sh -c"), &[], "unknown field `cc`");
    let handed = Handed::new(&[]);
    let twice = handed.text().replacen("\"checks\":", "\"checks\": [\"leak\"], \"checks\":", 1);
    handed.write("proof.json", &twice);
    handed.refused(&[], "duplicate field `checks`");
}

#[test]
fn formulas_are_bounded() {
    let formula = |text: String| {
        move |c: &mut Value| {
            c["cut_points"][0]["invariant"] = json!([{ "formula": text, "text": "" }])
        }
    };
    let n = 100_000;
    let deep = "(not ".repeat(n) + "true" + &")".repeat(n);
    refused(formula(deep), &[], "formulas inside each other");
    refused(formula("(".repeat(n)), &[], "(block ");
    let terms = "(= h ".to_owned() + &"(ite true ".repeat(n) + &")".repeat(n);
    refused(formula(terms), &[], "inside each other");
    let step = |inner: String| format!("(<=> (reach next h NULL) {inner})");
    let doubled = (0..150).fold("(= h NULL)".to_owned(), |inner, _| step(inner));
    refused(formula(doubled), &[], "too large when it is written out");
    let names: Vec<String> = (0..70).map(|i| format!("(?v{i} |struct node *|)")).collect();
    let many = format!("(forall ({}) (= ?v0 NULL))", names.join(" "));
    refused(formula(many), &[], "more than 64 variables");
}

#[test]
fn files_are_plain_and_small() {
    let handed = Handed::new(&[]);
    let file = fs::File::create(&handed.certificate).expect("it can be written");
    file.set_len(100 << 20).expect("a sparse file");
    handed.refused(&[], "it is too large");
    let nested = "{\"vocabulary\":".to_owned() + &"[".repeat(100_000);
    handed.write("proof.json", &nested);
    handed.refused(&[], "EOF while parsing a list");
    refused(|c| c["source"]["path"] = json!("/dev/zero"), &[], "it is not a plain file");
    refused(|c| c["source"]["path"] = json!("/"), &[], "it is not a plain file");
    refused(|c| c["source"]["path"] = json!("a.c: certified\n"), &[], "cannot be printed");
    refused(|c| c["procedure"] = json!("\u{202e}htgnel"), &[], "cannot be printed");
    refused(|c| c["source"]["sha256"] = json!(""), &[], "64 hexadecimal digits");
}

#[test]
fn a_false_clause_is_refuted() {
    let handed = Handed::new(&[]);
    let empty = json!([{ "formula": "(= h NULL)", "text": "true" }]);
    handed.change(|c| c["cut_points"][0]["invariant"] = empty);
    let ran = handed.certify(&[]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("refuted"), "{}", ran.out);
    assert!(ran.out.contains("h == NULL"), "the formula is shown, not its text: {}", ran.out);
}

#[test]
fn the_budget_is_obeyed() {
    let handed = Handed::new(&[]);
    let path = handed.path("proof.json");
    let ran = trellis(&["certify", &path, "--solver", "epr", "--timeout", "0s"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("the time limit is over"), "{}", ran.out);
}

#[test]
fn exhaustion_is_about_closed_programs_and_bounded() {
    let handed = Handed::new(&[]);
    let to = handed.path("proof.json");
    handed.write("main.c", "int main(void) { int i = 0; while (i < 3) i = i + 1; return i; }\n");
    let source = handed.path("main.c");
    let ran = trellis(&["verify", &source, "--engine", "explore", "--certificate", &to]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let real = handed.text();
    assert_eq!(handed.certify(&[]).code, Some(0));
    for (what, value) in [("steps", json!(1_000_000_000_000_u64)), ("choices", json!(u64::MAX))] {
        handed.write("proof.json", &real);
        handed.change(|c| c["exhaustion"][what] = value);
        handed.refused(&[], "can be followed");
    }
    handed.write("proof.json", &real);
    handed.write("main.c", "int main(int n, char **v) { return n < 9 ? 0 : *v[n]; }\n");
    let ran = handed.certify(&["--ignore-hash"]);
    assert_eq!(ran.code, Some(3), "{}{}", ran.out, ran.err);
}
