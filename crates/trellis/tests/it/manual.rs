//! The manual tells the truth: its runs are repeated, its commands work, its code is that of files,
//! its drawings are those of today, its modules exist, and every construct of the contract language
//! has an example that is run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cli::Folder;
use crate::differential::in_parallel;
use crate::examples::shell_words;
use crate::formats::browser_tests;
use crate::workspace::console_blocks;
use crate::{binary, ran, root, trellis};

/// The pages of the manual, and the page that leads to it.
fn pages() -> Vec<(String, String)> {
    let folder = root().join("docs/src");
    let files = fs::read_dir(folder).expect("docs/src").map(|e| e.expect("an entry").path());
    let mut all: Vec<PathBuf> =
        files.filter(|p| p.extension().is_some_and(|e| e == "md")).collect();
    all.push(root().join("README.md"));
    all.sort();
    let read = |p: PathBuf| {
        let name = p.file_name().and_then(|n| n.to_str()).expect("a UTF-8 name").to_owned();
        (name, fs::read_to_string(&p).expect("a page"))
    };
    all.into_iter().map(read).collect()
}

/// The blocks of code on a page: their language, and what is in them.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once("```") {
        let (language, code) = after.split_once('\n').expect("a block has lines");
        let (code, behind) = code.split_once("```").expect("a block ends");
        found.push((language, code));
        rest = behind;
    }
    found
}

/// Whether an output is as shown; a line `…` stands for any lines.
fn is_shown(output: &str, shown: &str) -> bool {
    let (output, shown) = (format!("{output}\n"), format!("{shown}\n"));
    let mut parts = shown.split("…\n");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = output.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        match parts.peek() {
            Some(_) => match rest.split_once(part) {
                Some((_, after)) => rest = after,
                None => return false,
            },
            None => return part.is_empty() || rest.ends_with(part),
        }
    }
    true
}

#[test]
fn outputs_in_the_manual_are_real() {
    let mut runs = Vec::new();
    for (page, text) in pages() {
        for (command, output) in console_blocks(&text) {
            runs.push((page.clone(), command, output));
        }
    }
    assert!(runs.len() >= 20, "{} runs", runs.len());
    let scratch = tempfile::tempdir().expect("a scratch folder");
    in_parallel(runs.len(), |i| {
        let (page, command, output) = &runs[i];
        let words = shell_words(command);
        assert_eq!(words[0], "trellis", "{page}: {command}");
        // Pages about the cache show what a second run says.
        let times = if page == "cache.md" { 2 } else { 1 };
        let cache = scratch.path().join(i.to_string());
        let run = || {
            let mut trellis = binary();
            trellis.args(&words[1..]);
            if times > 1 {
                trellis.env("TRELLIS_CACHE", &cache);
            }
            ran(trellis.output().expect("the binary starts"))
        };
        let mut last = run();
        for _ in 1..times {
            last = run();
        }
        let said = last.out.trim_end();
        assert!(is_shown(said, output), "{page}: {command}\n{said}");
    });
}

/// What commands of the manual speak of: files and folders of these names.
fn workshop() -> Folder {
    let list = "#include <stdlib.h>\nstruct node { struct node *next; int data; };\n\
                //@ requires reach(next, h, NULL);\n\
                int merge(struct node *h) { int n = 0; for (; h; h = h->next) n++; return n; }\n\
                //@ requires reach(next, h, NULL);\n\
                struct node *insert(struct node *h) { while (h && h->next) h = h->next; return h; }\n";
    let folder = Folder::new(&[("list.c", list.as_bytes())]);
    fs::create_dir(folder.path("src")).expect("a folder");
    for (name, f) in [("a.c", "g"), ("b.c", "f")] {
        let text = format!("int {f}(int x) {{ return x; }}\n");
        fs::write(folder.path("src").join(name), text).expect("a file");
    }
    for name in ["examples", "benchmarks"] {
        std::os::unix::fs::symlink(root().join(name), folder.path(name)).expect("a link");
    }
    folder
}

/// Every command that a page shows without its output is one: none is refused by the command line.
#[test]
fn commands_in_the_manual_work() {
    let folder = workshop();
    let mut count = 0;
    for (page, text) in pages() {
        let shown = blocks(&text).into_iter().filter(|(l, _)| ["", "sh", "text"].contains(l));
        let lines = shown.flat_map(|(_, code)| code.lines()).map(str::trim);
        for line in lines.filter(|l| l.starts_with("trellis ")) {
            let command = line.split("   ").next().unwrap_or(line);
            // Placeholders, and what waits for an editor or a person.
            if command == "trellis lsp" {
                continue;
            }
            if command.contains(['…', '|', '[']) || command.contains(" DIR") {
                continue;
            }
            if command.starts_with("trellis oracle") {
                let help = trellis(&["oracle", "--help"]);
                for word in command.split(' ').filter(|w| w.starts_with("--")) {
                    assert!(help.out.contains(word), "{page}: {command}");
                }
                continue;
            }
            let (command, file) = command.split_once(" > ").unwrap_or((command, ""));
            let words = shell_words(command);
            let output = binary().args(&words[1..]).current_dir(folder.path("")).output();
            let output = output.expect("the binary starts");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.code().is_some_and(|c| c < 2), "{page}: {command}\n{said}");
            if !file.is_empty() {
                fs::write(folder.path(file.trim()), &output.stdout).expect("a file");
            }
            count += 1;
        }
    }
    assert!(count >= 10, "{count} commands");
}

/// Lines of code without their margins.
fn lines(code: &str) -> Vec<&str> {
    code.lines().map(str::trim).filter(|l| !l.is_empty() && *l != "…").collect()
}

/// C that pages about examples show is in a file of the examples, line by line.
#[test]
fn code_in_the_manual_is_that_of_examples() {
    let mut files = Vec::new();
    for folder in ["examples", "benchmarks"] {
        all_files(&root().join(folder), &mut files);
    }
    let texts: Vec<String> = files.iter().filter_map(|f| fs::read_to_string(f).ok()).collect();
    let shown: Vec<Vec<&str>> = texts.iter().map(|t| lines(t)).collect();
    for name in ["README.md", "getting-started.md", "tutorial.md", "linux-lists.md"] {
        let (_, page) = pages().into_iter().find(|(n, _)| n == name).expect("the page");
        for (_, code) in blocks(&page).into_iter().filter(|(language, _)| *language == "c") {
            let wanted = lines(code);
            let is_there = |text: &Vec<&str>| text.windows(wanted.len()).any(|w| *w == *wanted);
            assert!(shown.iter().any(is_there), "{name}: no example has\n{code}");
        }
    }
}

fn all_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => all_files(&path, found),
            false => found.push(path),
        }
    }
}

/// Drawings are what `--svg` writes, by the command in the comment before them.
#[test]
fn drawings_in_the_manual_are_real() {
    let mut count = 0;
    for (page, text) in pages() {
        let text = text.replace("](docs/src/drawings/", "](drawings/");
        for part in text.split("<!-- drawn by: ").skip(1) {
            let (command, after) = part.split_once(" -->").expect("a comment ends");
            let folder = tempfile::tempdir().expect("a scratch folder");
            let into = folder.path().to_str().expect("a UTF-8 name");
            let words = shell_words(&command.replace("DIR", into));
            let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            trellis(&args);
            let after = after.split("<!--").next().unwrap_or_default();
            for drawing in after.split("](drawings/").skip(1) {
                let name = drawing.split(')').next().unwrap_or_default();
                let kept = root().join("docs/src/drawings").join(name);
                let [kept, now] = [kept, folder.path().join(name)].map(|p| {
                    fs::read_to_string(&p).unwrap_or_else(|e| panic!("{page}: {name}: {e}"))
                });
                assert_eq!(kept, now, "{page}: {name}");
                count += 1;
            }
        }
    }
    assert!(count >= 3, "{count} drawings");
    let kept = fs::read_dir(root().join("docs/src/drawings")).expect("drawings").count();
    let used: BTreeSet<String> = pages()
        .iter()
        .flat_map(|(_, t)| {
            t.split("drawings/")
                .skip(1)
                .map(|d| d.split(')').next().unwrap_or("").to_owned())
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(used.len(), kept, "every drawing is shown: {used:?}");
}

/// `crate::module` in a chapter is a module, or something in one.
#[test]
fn modules_in_the_manual_exist() {
    let mut count = 0;
    for (page, text) in pages() {
        // Crates begin with small letters; types alone, and grammars, are no modules.
        let is_path = |c: &&str| {
            let plain = c.chars().all(|c| c.is_alphanumeric() || "_:".contains(c));
            plain && c.contains("::") && c.starts_with(|c: char| c.is_lowercase())
        };
        for name in text.split('`').skip(1).step_by(2).filter(is_path) {
            let mut parts = name.split("::").map(|p| p.trim_start_matches("trellis_"));
            let source = root().join("crates").join(parts.next().unwrap_or("")).join("src");
            assert!(source.is_dir(), "{page}: `{name}`: there is no such crate");
            let mut at = source;
            for part in parts {
                let (file, folder) = (at.join(format!("{part}.rs")), at.join(part));
                if folder.is_dir() {
                    at = folder;
                    continue;
                }
                if file.is_file() {
                    at = file;
                    continue;
                }
                let own = if at.is_dir() { at.join("mod.rs") } else { at.clone() };
                let own = match own.exists() {
                    true => own,
                    false => at.with_extension("rs"),
                };
                let text =
                    fs::read_to_string(&own).or_else(|_| fs::read_to_string(at.join("lib.rs")));
                let text = text.unwrap_or_default();
                let words = ["fn", "struct", "enum", "trait", "mod", "const"];
                let defined = words.iter().any(|w| text.contains(&format!("{w} {part}")));
                assert!(defined, "{page}: `{name}`: there is no `{part}`");
            }
            count += 1;
        }
    }
    assert!(count >= 20, "{count} modules");
}

/// Every construct of the tables in the reference is in an example that is run, in a contract.
#[test]
fn every_construct_has_an_example() {
    let mut texts = String::new();
    let folders = ["examples/reference", "examples/contracts"].map(|f| root().join(f));
    for folder in folders {
        let mut files = Vec::new();
        all_files(&folder, &mut files);
        for file in files {
            let text = fs::read_to_string(&file).expect("an example");
            assert!(text.contains("// expect"), "{}: it is run", file.display());
            let annotations = text.split("@").skip(1).map(|a| a.split("*/").next().unwrap_or(a));
            annotations.for_each(|a| texts.push_str(a));
        }
    }
    let page = fs::read_to_string(root().join("docs/src/contracts.md")).expect("the page");
    let rows = page.lines().filter(|l| l.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split(" | ").next());
    let mut count = 0;
    for construct in cells.flat_map(|c| c.split('`').skip(1).step_by(2)) {
        // The word that a construct is known by.
        let word = construct.split(['(', ' ', ';', ':']).find(|w| w.len() > 1).unwrap_or(construct);
        let word = match construct {
            c if c.starts_with("loop ") => c.split(' ').take(2).collect::<Vec<_>>().join(" "),
            c if c.starts_with('{') => "{a, b}".to_owned(),
            c if c.starts_with("(T *)") => "(struct node *)".to_owned(),
            "s == t" => "content(next, h) == ".to_owned(),
            "x \\in s" => "\\in".to_owned(),
            "reach({f, g}, x, y)" => "reach({".to_owned(),
            "0x2a" => "0x".to_owned(),
            "052" => "052".to_owned(),
            "42" => " 7".to_owned(),
            "'*'" => "'a'".to_owned(),
            _ => word.to_owned(),
        };
        assert!(texts.contains(&word), "no example has `{construct}` ({word})");
        count += 1;
    }
    assert!(count >= 40, "{count} constructs");
}

/// The manual builds, and its pages lead to each other.
#[test]
fn the_manual_is_built_as_html() {
    let test = std::env::current_exe().expect("a test has a path");
    let builder = test.ancestors().nth(2).expect("target/debug").join("examples/manual");
    assert!(builder.exists(), "{}: cargo test builds it", builder.display());
    let folder = tempfile::tempdir().expect("a scratch folder");
    let built = Command::new(builder).arg(root().join("docs/src")).arg(folder.path()).status();
    assert!(built.expect("it starts").success());
    let mut files = Vec::new();
    all_files(folder.path(), &mut files);
    let text = |p: &Path| fs::read_to_string(p).unwrap_or_default();
    let mut links = 0;
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "html")) {
        let page = text(file);
        for attribute in ["href=\"", "src=\""] {
            for link in page.split(attribute).skip(1).filter_map(|l| l.split('"').next()) {
                if link.contains("://") || link.starts_with("../") {
                    continue;
                }
                let (target, heading) = link.split_once('#').unwrap_or((link, ""));
                let target = match target.is_empty() {
                    true => file.clone(),
                    false => folder.path().join(target),
                };
                assert!(target.exists(), "{}: {link}", file.display());
                let named =
                    heading.is_empty() || text(&target).contains(&format!("id=\"{heading}\""));
                assert!(named, "{}: {link} has no such heading", file.display());
                links += 1;
            }
        }
    }
    assert!(links > 500, "{links} links");
    browser_tests("manual.test.mjs", ("TRELLIS_MANUAL", folder.path()));
}
