//! Answers that are kept from run to run: the same to the letter, and only where they must be.

use std::fs;
use std::path::Path;

use serde_json::Value;
use trellis_store::{Shelf, StoreAddress};

use crate::cli::Folder;
use crate::{Ran, binary, ran, root};

const LIST: &str = "\
#include \"list.h\"
//@ requires reach(next, h, NULL);
int length(struct node *h) {
    int n = 0;
    while (h) { n = n + 1; h = h->next; }
    return n;
}
//@ requires reach(next, h, NULL);
struct node *second(struct node *h) { return h->next; }
//@ requires reach(next, h, NULL); ensures \\result == NULL;
struct node *twice(struct node *h) { return second(second(h)); }
";
const HEADER: &str = "struct node { struct node *next; int data; };\n";

fn list() -> Folder {
    Folder::new(&[("list.c", LIST.as_bytes()), ("list.h", HEADER.as_bytes())])
}

/// Runs the binary in a folder, with answers in its folder `cache`.
fn run(folder: &Folder, args: &[&str]) -> Ran {
    let mut command = binary();
    command.current_dir(folder.path("")).env("TRELLIS_CACHE", folder.path("cache")).args(args);
    ran(command.output().expect("the binary starts"))
}

/// The procedures of a report, each with whether its answer was cached.
fn cached(ran: &Ran) -> Vec<(String, bool)> {
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let all = report["files"].as_array().expect("files").iter();
    let all = all.flat_map(|f| f["procedures"].as_array().expect("procedures"));
    all.map(|p| (p["name"].as_str().expect("a name").to_owned(), p["cached"] == true)).collect()
}

/// Which procedures of `list.c` are answered from the cache.
fn known(folder: &Folder, options: &[&str]) -> Vec<String> {
    let args = [&["verify", "list.c", "--format", "json"], options].concat();
    let all = cached(&run(folder, &args));
    all.into_iter().filter(|(_, cached)| *cached).map(|(name, _)| name).collect()
}

const ALL: [&str; 3] = ["length", "second", "twice"];

/// A report without what may differ: statistics, and the sign.
fn settled(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("statistics");
            map.remove("cached");
            map.values_mut().for_each(settled);
        }
        Value::Array(all) => all.iter_mut().for_each(settled),
        _ => {}
    }
}

fn report(ran: &Ran) -> Value {
    let mut report = serde_json::from_str(&ran.out).expect("JSON");
    settled(&mut report);
    report
}

/// Text without the signs.
fn unsigned(text: &str) -> String {
    let lines = text.lines().map(|line| match line.rsplit_once(" (") {
        Some((start, end)) if end.ends_with(" cached)") => start.to_owned(),
        _ => line.replacen(" (cached)", "", 1),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// All C files of a folder of examples in a folder of our own, each after so many empty lines.
fn copy(from: &Path, to: &Path, lines: usize) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("examples") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            let text = fs::read(&path).expect("a file");
            let is_c = path.extension().is_some_and(|e| e == "c");
            let before = "\n".repeat(if is_c { lines } else { 0 }).into_bytes();
            let name = path.file_name().expect("a name");
            fs::write(to.join(name), [before, text].concat()).expect("a file");
        }
    }
}

/// Answers to examples: new, again, and again after everything has moved.
fn check_examples(name: &str, options: &[&str]) {
    let folder = Folder::new(&[]);
    let from = root().join("examples").join(name);
    let verify = |more: &[&str]| {
        let given = ["verify", "programs", "--separately"];
        run(&folder, &[&given, options, more].concat())
    };
    copy(&from, &folder.path("programs"), 0);
    let (text, json) = (verify(&["--no-cache"]), verify(&["--format", "json"]));
    let (text_again, json_again) = (verify(&[]), verify(&["--format", "json"]));
    assert_eq!(unsigned(&text_again.out), text.out.trim_end(), "{name}");
    assert_eq!((&text_again.err, text_again.code), (&text.err, text.code), "{name}");
    assert_eq!(report(&json_again), report(&json), "{name}");
    let known: Vec<_> = cached(&json_again);
    assert!(!known.is_empty(), "{name}");
    let lost: Vec<_> = known.iter().filter(|(_, cached)| !cached).collect();
    assert!(lost.is_empty(), "{name}: {lost:?}");
    copy(&from, &folder.path("programs"), 3);
    let (moved, fresh) =
        (verify(&["--format", "json"]), verify(&["--format", "json", "--no-cache"]));
    assert_eq!(report(&moved), report(&fresh), "{name}, moved");
    // Some answers name a line without its file; these do not move.
    assert!(cached(&moved).iter().any(|(_, cached)| *cached), "{name}, moved");
}

/// Whatever a format needs beside the report is there when the answer is not a new one.
#[test]
fn every_format_is_the_same_from_the_cache() {
    let folder = list();
    let verify = |more: &[&str]| run(&folder, &[&["verify", "list.c"], more].concat());
    verify(&[]);
    for format in ["sarif", "junit", "github", "dot", "witness"] {
        let kept = verify(&["--format", format]);
        assert_eq!(kept.out, verify(&["--format", format, "--no-cache"]).out, "{format}");
    }
    let page = |options: &[&str]| {
        verify(&[&["--html", "page.html"], options].concat());
        fs::read_to_string(folder.path("page.html")).expect("a page")
    };
    assert_eq!(page(&[]), page(&["--no-cache"]));
}

#[test]
fn answers_are_the_same_to_the_letter() {
    let quick = ["contracts", "misc", "functions", "cyclic"];
    for name in quick {
        check_examples(name, &["--engine", "explore"]);
    }
    check_examples("tutorial", &[]);
    if std::env::var_os("TRELLIS_SLOW").is_some() {
        for entry in fs::read_dir(root().join("examples")).expect("examples") {
            let name = entry.expect("a folder").file_name();
            check_examples(name.to_str().expect("UTF-8"), &[]);
        }
    }
}

#[test]
fn only_what_has_changed_is_looked_at() {
    let folder = list();
    assert_eq!(known(&folder, &[]), [""; 0]);
    assert_eq!(known(&folder, &[]), ALL);
    let change = |what: &str, by: &str| {
        let text = fs::read_to_string(folder.path("list.c")).expect("the file");
        fs::write(folder.path("list.c"), text.replacen(what, by, 1)).expect("the file");
        known(&folder, &[])
    };
    // What is above moves what is below; a callee counts for its caller.
    assert_eq!(change("n = n + 1;", "n = 1 + n;\n"), ["second", "twice"]);
    assert_eq!(change("return h->next", "return h ? h->next : h"), ["length"]);
    assert_eq!(change("requires reach", "requires h != NULL && reach"), ["second", "twice"]);
    assert_eq!(change("//@", "\n\n// Moved.\n//@"), ALL);
    fs::write(folder.path("list.h"), HEADER.replace("data", "value")).expect("the header");
    assert_eq!(known(&folder, &[]), [""; 0]);
}

#[test]
fn options_count() {
    let folder = list();
    known(&folder, &[]);
    for options in [
        &["--no-check", "leak"][..],
        &["--objects", "3"],
        &["--timeout", "59s"],
        &["--memory", "3G"],
        &["--engine", "explore"],
        &["--strategy", "newest-first"],
        &["--seed", "1"],
        &["--malloc-may-fail"],
        &["--no-cache"],
    ] {
        assert_eq!(known(&folder, options), [""; 0], "{options:?}");
    }
    assert_eq!(known(&folder, &["--threads", "1", "--stats", "--certificate", "proofs"]), ALL);
    // States are not kept.
    assert_eq!(known(&folder, &["--html", "page.html"]), ["length"]);
    // The command that runs a violation again has the name of the file.
    fs::rename(folder.path("list.c"), folder.path("other.c")).expect("renamed");
    let other = run(&folder, &["verify", "other.c", "--format", "json"]);
    assert!(other.out.contains("trellis run other.c"), "{}", other.out);
}

#[test]
fn what_time_decides_is_not_kept() {
    let folder = list();
    let hurried = ["--timeout", "0s", "--engine", "pdr-forall"];
    let args = [&["verify", "list.c", "--proc", "length"][..], &hurried].concat();
    let ran = run(&folder, &args);
    assert!(ran.out.contains("the time limit"), "{}", ran.out);
    assert_eq!(known(&folder, &hurried), [""; 0]);
    // Whichever engine the time was over after: what is not the answer of a patient run says so.
    for milliseconds in 0..12 {
        let limit = format!("{milliseconds}ms");
        let ran = run(&folder, &["verify", "list.c", "--proc", "length", "--timeout", &limit]);
        let patient = ran.out.starts_with("✔ length: verified");
        assert!(patient || ran.out.contains("the time limit"), "{limit}: {}", ran.out);
    }
}

#[test]
fn cached_proofs_are_certified_again() {
    let folder = list();
    known(&folder, &["--engine", "pdr-forall"]);
    let written = ["--engine", "pdr-forall", "--certificate", "proofs"];
    assert_eq!(known(&folder, &written), ALL);
    let certified = run(&folder, &["certify", "proofs/list-length.json", "--solver", "epr"]);
    assert_eq!(certified.code, Some(0), "{}{}", certified.out, certified.err);
    // It is that of a new proof, places included, after it has moved.
    let text = fs::read_to_string(folder.path("list.c")).expect("the file");
    fs::write(folder.path("list.c"), format!("\n\n{text}")).expect("the file");
    assert_eq!(known(&folder, &written), ALL);
    let again = fs::read_to_string(folder.path("proofs/list-length.json")).expect("a certificate");
    known(&folder, &[&written[..], &["--no-cache"]].concat());
    let fresh = fs::read_to_string(folder.path("proofs/list-length.json")).expect("a certificate");
    assert_eq!(again, fresh);
}

/// The entries of the cache of a folder.
fn entries(folder: &Folder) -> Shelf {
    let at: StoreAddress = folder.path("cache").to_str().expect("UTF-8").parse().expect("a folder");
    Shelf::open(&at, "procedure", "1").expect("a store")
}

/// Writes all entries again, sealed, under their own keys.
fn rewrite(folder: &Folder, change: impl Fn(&mut Value)) {
    let at: StoreAddress = folder.path("cache").to_str().expect("UTF-8").parse().expect("a folder");
    let shelf = entries(folder);
    for (key, _) in at.open().expect("a store").all("procedure").expect("entries") {
        let content = shelf.get(&key).expect("asked").expect("an entry");
        let mut entry = serde_json::from_str(&content).expect("JSON");
        change(&mut entry);
        shelf.put(&key, &entry.to_string()).expect("kept");
    }
}

#[test]
fn entries_that_make_no_sense_are_none() {
    let folder = list();
    let fresh = report(&run(&folder, &["verify", "list.c", "--format", "json"]));
    type Change = (&'static str, fn(&mut Value));
    let changes: [Change; 7] = [
        ("no evidence", |e| e["answer"]["evidence"] = Value::Null),
        ("evidence of another", |e| e["answer"]["evidence"]["procedure"] = "other".into()),
        ("evidence about less", |e| e["answer"]["evidence"]["checks"] = Value::Array(Vec::new())),
        ("another procedure", |e| e["procedure"] = "other".into()),
        ("another verdict", |e| e["answer"]["report"]["verdict"] = "verified-too".into()),
        ("other places", |e| e["lines"][0]["file"] = "other.c".into()),
        ("another form", |e| e["more"] = Value::Null),
    ];
    for (what, change) in changes {
        rewrite(&folder, change);
        let ran = run(&folder, &["verify", "list.c", "--format", "json"]);
        let of_proofs = what.contains("evidence");
        let known = cached(&ran).into_iter().filter(|(_, cached)| *cached);
        let known: Vec<String> = known.map(|(name, _)| name).collect();
        match of_proofs {
            true => assert!(!known.contains(&"length".to_owned()), "{what}: {known:?}"),
            false => assert_eq!(known, [""; 0], "{what}"),
        }
        assert_eq!(report(&ran), fresh, "{what}");
    }
    // A claim without a proof is no proof.
    rewrite(&folder, |e| e["answer"]["report"]["verdict"] = "verified".into());
    let ran = run(&folder, &["verify", "list.c", "--format", "json"]);
    assert_eq!(report(&ran), fresh);
}

/// The key of the answer about the first procedure of `a.c`.
fn key(folder: &Folder) -> String {
    let listed = run(folder, &["verify", "a.c", "--list"]);
    let listed: Value = serde_json::from_str(&listed.out).expect("JSON");
    listed["procedures"][0]["key"].as_str().expect("a key").to_owned()
}

#[test]
fn proofs_that_others_may_have_forged_are_certified_again_or_not_believed() {
    let good = "struct node { struct node *next; };\n\
        //@ requires reach(next, h, NULL);\n\
        struct node *after(struct node *h) { if (h) h = h->next; return h; }\n";
    let bad = good.replace("if (h)", "if (1)");
    let folder = Folder::new(&[("a.c", good.as_bytes())]);
    let verify = |options: &[&str]| {
        run(&folder, &[&["verify", "a.c", "--format", "json"], options].concat())
    };
    let of_good = key(&folder);
    assert_eq!(verify(&[]).code, Some(0));
    let proof = entries(&folder).get(&of_good).expect("asked").expect("an entry");
    let is_cached = |ran: &Ran| cached(ran) == [("after".to_owned(), true)];
    // A right one is believed when it was checked again.
    let again = verify(&["--recheck-cache"]);
    assert!(is_cached(&again) && again.code == Some(0), "{}", again.out);
    // Under the key of the program with the bug stands what was proved of the one without.
    fs::write(folder.path("a.c"), &bad).expect("a file");
    let of_bad = key(&folder);
    assert_ne!(of_good, of_bad);
    let forge = |content: &str| entries(&folder).put(&of_bad, content).expect("kept");
    forge(&proof);
    assert!(is_cached(&verify(&[])), "the seal is right, and the evidence is about this name");
    let checked = verify(&["--recheck-cache"]);
    assert!(!is_cached(&checked), "{}", checked.out);
    assert_eq!(report(&checked)["files"][0]["procedures"][0]["verdict"], "violated");
    // Nothing else than a proof can be checked, so nothing else is believed.
    forge(&proof.replace("\"verified\"", "\"unknown\""));
    let checked = verify(&["--recheck-cache"]);
    assert!(!is_cached(&checked) && checked.code == Some(1), "{}", checked.out);
    // With a secret, what is not signed with it is not there.
    forge(&proof);
    let secret = |secret: &str| {
        let mut command = binary();
        command.current_dir(folder.path("")).env("TRELLIS_CACHE", folder.path("cache"));
        command.env("TRELLIS_CACHE_KEY", secret).args(["verify", "a.c", "--format", "json"]);
        ran(command.output().expect("the binary starts"))
    };
    for cached in [false, true] {
        let ran = secret("a secret that nobody guesses");
        assert_eq!((is_cached(&ran), ran.code), (cached, Some(1)), "{}", ran.out);
    }
    assert!(!is_cached(&secret("another secret that nobody guesses")));
    let short = secret("short");
    assert!(short.code == Some(2) && short.err.contains("is refused"), "{}", short.err);
}

#[test]
fn a_full_disk_costs_a_warning() {
    let folder = list();
    let fresh = report(&run(&folder, &["verify", "list.c", "--format", "json", "--no-cache"]));
    // No file may be larger than some pages; so is one on a disk that is full.
    for blocks in [0, 8, 64] {
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &limited, env!("CARGO_BIN_EXE_trellis")]);
        command.args(["verify", "list.c", "--format", "json"]).current_dir(folder.path(""));
        command.env("TRELLIS_CACHE", folder.path(&format!("cache{blocks}")));
        let ran = ran(command.output().expect("a shell"));
        assert_eq!(report(&ran), fresh, "{}", ran.err);
        assert!(ran.err.starts_with("warning: the cache "), "{blocks}: {}", ran.err);
    }
}

#[test]
fn a_broken_cache_costs_a_warning() {
    let folder = list();
    fs::create_dir(folder.path("cache")).expect("a folder");
    fs::write(folder.path("cache/trellis.sqlite"), "no database ".repeat(100)).expect("a file");
    let ran = run(&folder, &["verify", "list.c", "--proc", "length"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("✔ length: verified\n"), "{}", ran.out);
    assert!(ran.err.starts_with("warning: the cache "), "{}", ran.err);
    assert!(ran.err.ends_with("cannot be used: file is not a database\n"), "{}", ran.err);
    let ran = run(&folder, &["cache", "stats"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

/// A thousand procedures in twenty files, some of each kind.
fn thousand() -> Vec<(String, String)> {
    let one = |n: usize| match n % 4 {
        0 => format!(
            "//@ requires reach(next, h, NULL);\n\
             int length_{n}(struct node *h) {{ int k = 0; while (h) {{ k++; h = h->next; }} return k; }}\n"
        ),
        1 => format!(
            "//@ requires reach(next, h, NULL);\n\
             struct node *last_{n}(struct node *h) {{ while (h && h->next) h = h->next; return h; }}\n"
        ),
        2 => format!(
            "//@ requires reach(next, h, NULL);\n\
             void fill_{n}(struct node *h) {{ for (; h; h = h->next) h->data = {n}; }}\n"
        ),
        _ => format!("int pick_{n}(struct node *h) {{ return h ? h->data : {n}; }}\n"),
    };
    let file = |f: usize| {
        let text: String = (50 * f..50 * f + 50).map(one).collect();
        let text = format!("#include <stdlib.h>\n#include \"list.h\"\n{text}");
        (format!("f{f:02}.c"), text)
    };
    (0..20).map(file).collect()
}

/// What is known is neither searched for nor checked again: no engine is asked. The time that this
/// takes is measured by `benches/kept.rs`.
#[test]
fn a_thousand_procedures_are_known_at_once() {
    let files = thousand();
    let mut all: Vec<(&str, &[u8])> = vec![("list.h", HEADER.as_bytes())];
    all.extend(files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())));
    let folder = Folder::new(&all);
    let first = run(&folder, &["verify", ".", "--all-procs"]);
    assert!(first.out.ends_with("1000 procedures: 1000 verified\n"), "{}", first.err);
    let second = run(&folder, &["verify", ".", "--all-procs"]);
    assert!(second.out.ends_with("1000 procedures: 1000 verified (1000 cached)\n"));
    let before = store_size(&folder);
    let third = run(&folder, &["verify", ".", "--all-procs", "--format", "json"]);
    assert_eq!(cached(&third).iter().filter(|(_, known)| *known).count(), 1000);
    assert_eq!(store_size(&folder), before, "nothing new was found, so nothing was kept");
}

/// How many entries there are, of answers and of what provers were asked.
fn store_size(folder: &Folder) -> usize {
    let at: StoreAddress = folder.path("cache").to_str().expect("UTF-8").parse().expect("a folder");
    at.open().expect("a store").all("procedure").expect("entries").len()
}
