//! One request in several processes: lists, answers, and the report that they are put together to.

use serde_json::Value;

use crate::Ran;
use crate::cli::Folder;

const LIST: &[u8] = b"struct node { struct node *next; };\n\
    //@ requires reach(next, h, NULL);\n\
    int length(struct node *h) { int n = 0; while (h) { n = n + 1; h = h->next; } return n; }\n\
    //@ requires reach(next, h, NULL);\n\
    struct node *second(struct node *h) { return h->next; }\n\
    void helper(void) { }\n";

fn folder() -> Folder {
    let zero = b"int zero(void) { return 0; }\n".as_slice();
    Folder::new(&[("a.c", LIST), ("b.c", b"int f("), ("c.c", b"int x;\n"), ("d.c", zero)])
}

/// Runs the binary about all programs, and keeps what it prints in a file.
fn print(folder: &Folder, file: &str, args: &[&str]) -> Ran {
    let ran = folder.run(&[&["verify", "--separately", "--no-cache"], args].concat());
    std::fs::write(folder.path(file), &ran.out).expect("a file");
    ran
}

fn without_statistics(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("statistics");
            map.values_mut().for_each(without_statistics);
        }
        Value::Array(all) => all.iter_mut().for_each(without_statistics),
        _ => {}
    }
}

fn report(ran: &Ran) -> Value {
    let mut report = serde_json::from_str(&ran.out).unwrap_or_else(|e| panic!("{e}: {}", ran.err));
    without_statistics(&mut report);
    report
}

const ALL: [&str; 4] = ["a.c", "b.c", "c.c", "d.c"];
/// Those that can be read and have something to look at.
const GOOD: [&str; 2] = ["a.c", "d.c"];

#[test]
fn parts_make_the_whole() {
    let folder = folder();
    let whole = folder.run(&[&["verify", "--separately", "--format", "json"][..], &ALL].concat());
    assert_eq!(whole.code, Some(2), "{}", whole.err);
    // All programs at once say everything about themselves.
    let answers = print(&folder, "all", &[&["--format", "answers"][..], &ALL].concat());
    assert_eq!(answers.code, Some(2), "{}", answers.err);
    assert_eq!(answers.out.lines().count(), 4 + 3, "{}", answers.out);
    let merged = folder.run(&["verify", "--merge", "all", "--format", "json"]);
    assert_eq!(merged.code, whole.code, "{}", merged.err);
    assert_eq!(report(&merged), report(&whole));
    // By procedures, in another order, some of them twice.
    print(&folder, "list", &[&["--list"][..], &ALL].concat());
    print(&folder, "second", &["--format", "answers", "a.c", "--proc", "second"]);
    print(&folder, "rest", &["--format", "answers", "d.c"]);
    print(&folder, "length", &["--format", "answers", "a.c", "--proc", "length"]);
    let parts = ["second", "list", "rest", "length", "all", "rest"];
    let parts: Vec<&str> = parts.iter().flat_map(|p| ["--merge", p]).collect();
    for format in ["json", "sarif", "junit", "github", "text"] {
        let form = ["--format", format];
        let merged = folder.run(&[&["verify"][..], &parts, &form].concat());
        let whole = folder.run(&[&["verify", "--separately"][..], &ALL, &form].concat());
        assert_eq!(merged.code, Some(2), "{format}: {}", merged.err);
        match format {
            "json" | "sarif" => assert_eq!(report(&merged), report(&whole), "{format}"),
            "text" => assert!(merged.out.contains("second: violated"), "{}", merged.out),
            _ => assert_eq!(merged.out, whole.out, "{format}"),
        }
    }
}

#[test]
fn all_reports_come_from_one_merge_and_know_baselines() {
    let folder = folder();
    let read = |name: &str| std::fs::read_to_string(folder.path(name)).expect(name);
    let verify = |name: &str, more: &[&str]| {
        let (sarif, html) = (format!("{name}.sarif"), format!("{name}.html"));
        let also = ["--no-cache", "--format", "json", "--sarif", &sarif, "--html", &html];
        folder.run(&[&["verify"][..], &also, more].concat())
    };
    print(&folder, "all", &[&["--format", "answers", "--pictures"][..], &ALL].concat());
    print(&folder, "good", &[&["--format", "answers"][..], &GOOD].concat());
    let options = ["--write-baseline", "baseline.json"];
    verify("merged", &[&options[..], &["--merge", "good"]].concat());
    let of_merged = read("baseline.json");
    verify("whole", &[&options[..], &["--separately"], &GOOD].concat());
    assert_eq!(of_merged, read("baseline.json"));
    let merged = verify("merged", &["--merge", "all"]);
    let whole = verify("whole", &[&["--separately"][..], &ALL].concat());
    assert_eq!(report(&merged), report(&whole));
    let sarif = |name: &str| read(&format!("{name}.sarif"));
    assert_eq!(sarif("merged"), sarif("whole"));
    assert_eq!(read("merged.html"), read("whole.html"));
    let printed = folder.run(&["verify", "--merge", "all", "--format", "sarif"]);
    assert_eq!(printed.out, sarif("merged"));
    let options = ["--baseline", "baseline.json"];
    let merged = verify("merged", &[&options[..], &["--merge", "all"]].concat());
    let whole = verify("whole", &[&options[..], &["--separately"], &ALL].concat());
    assert_eq!((report(&merged), merged.code), (report(&whole), whole.code));
    assert!(merged.out.contains("it is in the baseline"), "{}", merged.out);
}

#[test]
fn what_is_missing_is_said() {
    let folder = folder();
    print(&folder, "list", &["--list", "a.c", "d.c"]);
    print(&folder, "second", &["--format", "answers", "a.c", "--proc", "second"]);
    std::fs::write(folder.path("unread"), "{\"unread\":\"e.c\"}\n{\"unread\":\"a.c\"}\n")
        .expect("it");
    let merge = ["--merge", "list", "--merge", "second", "--merge", "unread"];
    let ran = folder.run(&[&["verify", "--format", "json"][..], &merge].concat());
    assert_eq!(ran.code, Some(2));
    let said = "error: 2 procedures have no answer\nerror: 1 programs were not read\n";
    assert_eq!(ran.err, said);
    let report = report(&ran);
    let message = |file: usize| report["files"][file]["diagnostics"][0]["message"].clone();
    assert_eq!(message(0), "`length` has no answer: the run was not finished");
    assert_eq!(message(1), "`zero` has no answer: the run was not finished");
    assert_eq!(message(2), "`e.c` has no answer: the run was not finished");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = folder();
    print(&folder, "list", &["--list", "d.c"]);
    print(&folder, "answer", &["--format", "answers", "d.c", "--proc", "zero"]);
    let answer = std::fs::read_to_string(folder.path("answer")).expect("it");
    for (what, text) in [
        ("a line that was cut", answer[..answer.len() / 2].to_owned()),
        ("no JSON", "what is this?\n".to_owned()),
        ("another document", "{\"schema\":1}\n".to_owned()),
        ("another verdict", answer.replace("\"verdict\":\"", "\"verdict\":\"not-")),
        ("no verdict", answer.replace("\"verdict\"", "\"word\"")),
    ] {
        assert_ne!(text, answer, "{what}");
        std::fs::write(folder.path("bad"), text).expect("a file");
        let ran = folder.run(&["verify", "--merge", "list", "--merge", "bad", "--format", "json"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{what}: {}", ran.err);
        assert!(ran.err.starts_with("error: "), "{what}: {}", ran.err);
    }
    let ran = folder.run(&["verify", "--merge", "nowhere"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("error: cannot merge `nowhere`: "), "{}", ran.err);
    let ran = folder.run(&["verify", "--format", "answers", "nowhere.c", "empty/"]);
    assert_eq!(ran.code, Some(2), "{}", ran.out);
}
