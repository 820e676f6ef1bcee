//! The page in a real browser: types, whole games by mouse and by keyboard, reload, two tabs, a killed
//! server, accessibility (`tests/browser`). Needs node, npm and Chromium; `./test` installs them.

use std::path::PathBuf;
use std::process::Command;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/browser")
}

/// Runs a tool in the folder of the browser tests; what it printed.
fn run(program: &str, arguments: &[&str], environment: &[(&str, String)]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder())
        .envs(environment.iter().map(|(k, v)| (k, v)))
        .output()
        .unwrap_or_else(|e| {
            panic!("{program} is needed for the tests of the page (./test installs it): {e}")
        });
    let text =
        [output.stdout, output.stderr].map(|b| String::from_utf8_lossy(&b).into_owned()).concat();
    assert!(output.status.success(), "{program} {}:\n{text}", arguments.join(" "));
    text
}

#[test]
fn the_page_in_a_browser() {
    if !folder().join("node_modules/@hpcc-js").exists() {
        run("npm", &["ci", "--no-audit", "--no-fund"], &[]);
    }
    run("node", &["node_modules/typescript/bin/tsc", "-p", "."], &[]);
    // Beside the folder of the test itself.
    let test = std::env::current_exe().expect("a test has a path");
    let server = test.ancestors().nth(2).expect("target/debug").join("examples/practice");
    assert!(server.exists(), "{}: cargo test builds it", server.display());
    let command = serde_json::json!([server, "FOLDER", "LEVEL", "PORT"]).to_string();
    let arguments = ["--test", "--test-reporter=spec", "all.mjs"];
    let text = run("node", &arguments, &[("TRELLIS_GAME_SERVER", command)]);
    let feedback = text.lines().find(|l| l.contains("feedback on the screen"));
    println!("{}", feedback.expect("the time of feedback is reported").trim());
}
