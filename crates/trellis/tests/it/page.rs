//! The page of a run in a real browser. The script is beside those of the pattern game, with whom it
//! shares the browser and the rules of accessibility.

use std::fs;
use std::process::Command;

use crate::{root, trellis};

#[test]
fn the_page_of_a_run_in_a_browser() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let page = folder.path().join("page.html");
    let path = page.to_str().expect("a UTF-8 name");
    let files =
        ["examples/sll/reverse-bug.c", "examples/sll/reverse.c", "examples/dll/insert-after-bug.c"];
    let mut args = vec!["verify", "--separately", "--html", path];
    args.extend(files);
    let ran = trellis(&args);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains(&format!("`{path}` shows it in a browser")), "{}", ran.err);
    let text = fs::read_to_string(&page).expect("a page was written");
    assert_eq!(text.matches("</script>").count(), 2, "no text ends the data");
    let tests = root().join("crates/web/tests/browser");
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program)
            .args(arguments)
            .current_dir(&tests)
            .env("TRELLIS_PAGE", &page)
            .output()
            .unwrap_or_else(|e| panic!("{program} is needed (./test installs it): {e}"));
        let text = [&output.stdout[..], &output.stderr[..]].concat();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&text));
    };
    if !tests.join("node_modules/playwright-core").exists() {
        run("npm", &["ci", "--no-audit", "--no-fund"]);
    }
    run("node", &["--test", "--test-reporter=spec", "trace.test.mjs"]);
}

/// A program cannot end the script that its text stands in.
#[test]
fn texts_cannot_leave_the_page() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let (source, page) = (folder.path().join("odd.c"), folder.path().join("page.html"));
    let odd = "int main(void) { /* </script><script>alert(1)</script> <!-- */ return 0; }\n";
    fs::write(&source, odd).expect("the scratch folder is writable");
    let [source, path] = [&source, &page].map(|p| p.to_str().expect("a UTF-8 name"));
    assert_eq!(trellis(&["verify", source, "--html", path]).code, Some(0));
    let text = fs::read_to_string(&page).expect("a page was written");
    assert_eq!(text.matches("</script>").count(), 2);
    assert!(!text.contains("<!-- */"));
}
