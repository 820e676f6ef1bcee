//! The file of a project, baselines, suppressions, watching, hooks, the package.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::cli::Folder;
use crate::{Ran, binary, root};

const LIST: &str = "\
struct node { struct node *next; int data; };

//@ requires reach(next, h, NULL);
struct node *second(struct node *h) { return h->next; }

//@ requires reach(next, h, NULL);
int length(struct node *h)
{
    int n = 0;
    for (; h; h = h->next) n++;
    return n;
}
";

fn project(config: &str) -> Folder {
    let folder = Folder::new(&[("trellis.toml", config.as_bytes())]);
    fs::create_dir(folder.path("src")).expect("a folder");
    fs::write(folder.path("src/list.c"), LIST).expect("a file");
    folder
}

fn check_error(config: &str, expected: &Expect) {
    let ran = project(config).run(&["verify"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
    expected.assert_eq(&ran.err);
}

/// The first lines of answers.
fn answers(ran: &Ran) -> Vec<&str> {
    ran.out.lines().filter(|l| l.starts_with(['✔', '✘', '?'])).collect()
}

#[test]
fn a_project_says_what_to_verify_and_how() {
    let config =
        "[verify]\nfiles = [\"src\"]\nprocedures = [\"length\"]\n[budget]\ntimeout = \"9s\"\n";
    let folder = project(config);
    let ran = folder.run(&["verify"]);
    assert_eq!((ran.code, answers(&ran)), (Some(0), vec!["✔ length: verified"]), "{}", ran.err);
    // The command line wins, lists are joined, and another folder has another file.
    let ran = folder.run(&["verify", "--proc", "second", "--timeout", "0s", "--engine", "explore"]);
    assert_eq!(answers(&ran).len(), 2, "{}", ran.out);
    assert!(ran.out.contains("the time limit of 0 s is over"), "{}", ran.out);
    let ran = folder.run(&["verify", "--no-config", "src/list.c"]);
    assert_eq!((ran.code, answers(&ran).len()), (Some(1), 2));
    fs::rename(folder.path("trellis.toml"), folder.path("src/other.toml")).expect("renamed");
    let ran = folder.run(&["verify", "--config", "src/other.toml"]);
    assert!(ran.err.contains("`src/src`"), "paths are relative to the file: {}", ran.err);
    let ran = folder.run(&["verify"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("required arguments were not provided"), "{}", ran.err);
}

#[test]
fn what_is_wrong_with_the_file_has_a_place() {
    check_error(
        "[budget]\ntimeout = \"ten\"\n",
        &expect![[r#"
            error: invalid value 'ten' for '--timeout <TIME>': `ten` is no unit of time: ms, s, m or h
             --> trellis.toml:2:11
              |
            2 | timeout = "ten"
              |           ^^^^^

        "#]],
    );
    check_error(
        "[budget]\ntime = 3\n",
        &expect![[r#"
            error: there is no `time` here
             --> trellis.toml:2:1
              |
            2 | time = 3
              | ^^^^
              |
            help: known are timeout, memory, threads, objects, steps, choices

        "#]],
    );
    check_error(
        "[verify]\nfiles = \"src\"\n",
        &expect![[r#"
            error: a list is expected
             --> trellis.toml:2:9
              |
            2 | files = "src"
              |         ^^^^^

        "#]],
    );
    check_error(
        "[verify\n",
        &expect![[r#"
            error: no TOML: unclosed table, expected `]`
             --> trellis.toml:1:8
              |
            1 | [verify
              |        ^

        "#]],
    );
    check_error(
        "[[suppress]]\ncheck = \"leak\"\nuntil = \"soon\"\nreason = \"why not\"\n",
        &expect![[r#"
            error: a date is expected, such as 2027-01-31
             --> trellis.toml:3:9
              |
            3 | until = "soon"
              |         ^^^^^^

        "#]],
    );
    for (config, what) in [
        ("[[suppress]]\ncheck = \"leak\"\nuntil = 2030-01-01\n", "a suppression needs a `reason`"),
        ("[[suppress]]\nreason = \"r\"\nuntil = 2030-01-01\n", "says what it is about"),
        ("[[suppress]]\nwhy = \"r\"\n", "there is no `why` here"),
        ("suppress = 1\n", "`suppress` is a table"),
        ("[check]\n", "there is no `check` here"),
        ("timeout = \"5s\"\n", "it belongs in `[budget]`"),
    ] {
        let ran = project(config).run(&["verify"]);
        assert!(ran.code == Some(2) && ran.err.contains(what), "{config}: {}", ran.err);
    }
}

#[test]
fn suppressions_have_a_reason_and_an_end() {
    let config = |until: &str, procedure: &str| {
        format!(
            "[verify]\nfiles = [\"src\"]\n[[suppress]]\ncheck = \"null-deref\"\n\
             procedure = \"{procedure}\"\nreason = \"never empty\"\nuntil = {until}\n"
        )
    };
    let ran = project(&config("2999-12-31", "second")).run(&["verify"]);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert!(ran.out.contains("\n  excused: never empty (until 2999-12-31)\n"), "{}", ran.out);
    let json = project(&config("2999-12-31", "second")).run(&["verify", "--format", "json"]);
    let report: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(report["exit_code"], 0);
    assert_eq!(report["files"][0]["procedures"][0]["excused"], "never empty (until 2999-12-31)");
    let ran = project(&config("2001-01-01", "second")).run(&["verify"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err.contains("a suppression ended on 2001-01-01: null-deref, second"),
        "{}",
        ran.err
    );
    let ran = project(&config("2999-12-31", "third")).run(&["verify"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("has nothing to suppress: null-deref, third"), "{}", ran.err);
}

/// Two programs in a folder that are taken for one: no baseline comes of it, and the help says why.
#[test]
fn a_baseline_of_what_cannot_be_read_is_not_written() {
    let folder = project("[verify]\nfiles = [\".\"]\n");
    for name in ["one.c", "two.c"] {
        fs::write(folder.path(name), LIST).expect("a file");
    }
    let ran = folder.run(&["verify", "--write-baseline", "base.json"]);
    assert_eq!(ran.code, Some(2));
    assert!(!folder.path("base.json").exists());
    for said in ["`base.json` is not written", "say so with `--separately`", "--> two.c:"] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    let ran = folder.run(&["verify", "--separately", "--write-baseline", "base.json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(folder.path("base.json").exists());
}

#[test]
fn a_baseline_knows_what_has_moved_and_not_what_is_new() {
    let folder = project("[verify]\nfiles = [\"src\"]\n");
    let first = folder.run(&["verify", "--write-baseline", "base.json"]);
    assert_eq!(first.code, Some(1));
    let written = fs::read_to_string(folder.path("base.json")).expect("a baseline");
    let written: Value = serde_json::from_str(&written).expect("JSON");
    let schema = fs::read_to_string(root().join("docs/src/schema/baseline-1.json")).expect("it");
    let schema: Value = serde_json::from_str(&schema).expect("a schema is JSON");
    assert_eq!(crate::schema::problems(&schema, &written), Vec::<String>::new());
    let again = |text: &str| {
        fs::write(folder.path("src/list.c"), text).expect("the file");
        folder.run(&["verify", "--baseline", "base.json"])
    };
    let ran = again(LIST);
    assert_eq!(ran.code, Some(0), "{}", ran.out);
    assert!(ran.out.contains("\n  excused: it is in the baseline\n"), "{}", ran.out);
    assert_eq!(again(&format!("\n\n// Moved.\n{LIST}")).code, Some(0));
    assert_eq!(again(&LIST.replace("return h->next", "return h->next->next")).code, Some(1));
    let third =
        "//@ requires reach(next, h, NULL);\nint third(struct node *h) { return h->data; }\n";
    assert_eq!(again(&format!("{LIST}{third}")).code, Some(1));
    fs::write(folder.path("base.json"), "{\n  \"schema\": 1\n}\n").expect("the file");
    let ran = folder.run(&["verify", "--baseline", "base.json"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("base.json:2:13"), "{}", ran.err);
    let ran = folder.run(&["verify", "--baseline", "none.json"]);
    assert!(ran.err.contains("cannot read the baseline `none.json`"), "{}", ran.err);
}

#[test]
fn watching_sees_changes_and_ends_with_an_interrupt() {
    let folder = project("");
    let mut command = binary();
    command.current_dir(folder.path("")).args(["verify", "--watch", "src", "--proc", "length"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut told = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let mut next = || {
        let mut lines = lines.by_ref().map(|line| line.expect("text"));
        let answer = lines.find(|line| line.contains("length:")).expect("it goes on");
        // What comes now comes after the answer: the run has ended.
        let mut told = told.by_ref().map(|line| line.expect("text"));
        assert!(told.any(|line| line.contains("waiting for changes")));
        answer
    };
    assert_eq!(next(), "✔ length: verified");
    // The size differs, whatever the clock of the file system is.
    fs::write(folder.path("src/list.c"), LIST.replace("for (; h;", "for (; h->next;")).expect("it");
    assert!(next().starts_with("✘ length: violated"));
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("kill runs").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
fn the_hook_refuses_what_is_violated() {
    let folder = Folder::new(&[]);
    let git = |args: &[&str]| {
        let mut git = Command::new("git");
        git.current_dir(folder.path("")).args(args);
        git.env("TRELLIS", env!("CARGO_BIN_EXE_trellis")).env("TRELLIS_CACHE", "off");
        for who in ["AUTHOR", "COMMITTER"] {
            git.env(format!("GIT_{who}_NAME"), "n").env(format!("GIT_{who}_EMAIL"), "n@localhost");
        }
        git.output().expect("git runs")
    };
    assert!(git(&["init", "-q"]).status.success());
    fs::copy(root().join("ci/pre-commit"), folder.path(".git/hooks/pre-commit")).expect("copied");
    let commit = |name: &str, text: &str| {
        fs::write(folder.path(name), text).expect("a file");
        git(&["add", "."]);
        git(&["commit", "-qm", "Try"]).status.success()
    };
    assert!(commit("notes.txt", "nothing to verify"));
    assert!(!commit("list.c", LIST));
    assert!(commit("list.c", &LIST.replace("return h->next", "return h ? h->next : h")));
}

#[test]
fn the_package_has_what_it_promises() {
    let folder = Folder::new(&[]);
    let packages = folder.path("packages");
    let made = Command::new(root().join("packaging/deb"))
        .arg(env!("CARGO_BIN_EXE_trellis"))
        .arg(&packages)
        .output()
        .expect("the script runs");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let package = fs::read_dir(&packages).expect("a folder").next().expect("a package");
    let package = package.expect("an entry").path();
    let tree = folder.path("tree");
    let taken = Command::new("dpkg-deb").arg("-x").args([&package, &tree]).status();
    assert!(taken.expect("dpkg-deb runs").success());
    for file in [
        "share/man/man1/trellis-verify.1.gz",
        "share/bash-completion/completions/trellis",
        "share/zsh/vendor-completions/_trellis",
        "share/fish/vendor_completions.d/trellis.fish",
        "share/doc/trellis/copyright",
        "share/doc/trellis/ci/github-workflow.yml",
    ] {
        assert!(tree.join("usr").join(file).is_file(), "{file}");
    }
    fs::write(folder.path("list.c"), LIST).expect("a file");
    let ran = Command::new(tree.join("usr/bin/trellis"))
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("TRELLIS_CACHE", "off")
        .current_dir(folder.path(""))
        .args(["verify", "list.c", "--proc", "length"])
        .output()
        .expect("it runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

/// Everything that the page about projects shows as a file is one.
#[test]
fn the_file_in_the_manual_is_read() {
    let page = fs::read_to_string(root().join("docs/src/ci.md")).expect("the page");
    let shown = page.split("```toml\n").nth(1).and_then(|b| b.split("```").next());
    let shown = shown.expect("a file");
    // What it names is not there: that is the first thing to go wrong.
    let ran = project(shown).run(&["verify", "src/list.c"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("cannot read `build`"), "{}", ran.err);
    let shown = shown.replace("compile-commands = \"build\"\n", "");
    let shown = shown.replace("baseline = \"trellis-baseline.json\"\n", "");
    let shown = shown.replace("models = [\"models/device.c\"]\n", "");
    let ran = project(&shown).run(&["verify"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}
