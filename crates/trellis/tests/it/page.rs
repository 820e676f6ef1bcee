//! The page of a run in a real browser. The script is beside those of the pattern game, with whom it
//! shares the browser and the rules of accessibility.

use std::fs;

use crate::formats::browser_tests;
use crate::trellis;

#[test]
fn the_page_of_a_run_in_a_browser() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let page = folder.path().join("page.html");
    let path = page.to_str().expect("a UTF-8 name");
    let files = [
        "examples/sll/reverse-bug.c",
        "examples/sll/reverse.c",
        "examples/dll/insert-after-bug.c",
        "examples/queue/drained-bug.c",
    ];
    let mut args = vec!["verify", "--separately", "--html", path];
    args.extend(files);
    let ran = trellis(&args);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains(&format!("`{path}` shows it in a browser")), "{}", ran.err);
    let text = fs::read_to_string(&page).expect("a page was written");
    assert_eq!(text.matches("</script>").count(), 2, "no text ends the data");
    browser_tests("trace.test.mjs", ("TRELLIS_PAGE", &page));
}

#[test]
fn invariants_are_drawn() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let page = folder.path().join("page.html");
    let path = page.to_str().expect("a UTF-8 name");
    let files = [
        "examples/tutorial/inbox-3.c",
        "examples/shapes/lockstep.c",
        "benchmarks/c/dll-circular.c",
    ];
    let mut args = vec!["verify", "--separately", "--html", path];
    args.extend(files);
    let ran = trellis(&args);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    browser_tests("invariants.test.mjs", ("TRELLIS_PAGE", &page));
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
