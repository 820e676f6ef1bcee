//! `trellis oracle`: its server speaks as the schema says, lets nobody else in, and loses nothing.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::schema::problems;
use crate::{root, trellis};

/// A server that is killed when the test ends.
struct Server {
    child: Child,
    port: u16,
    token: String,
}

impl Server {
    fn start(arguments: &[&str], saves: &Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_trellis"))
            .arg("oracle")
            .args(arguments)
            .args(["--no-open", "--save"])
            .arg(saves)
            .current_dir(root())
            .stdout(Stdio::piped())
            .spawn()
            .expect("trellis runs");
        let out = child.stdout.take().expect("its output");
        let line = BufReader::new(out).lines().next().expect("a line").expect("text");
        let (_, address) = line.split_once("http://127.0.0.1:").expect("the address");
        let (port, token) = address.trim_end_matches('/').split_once('/').expect("port and token");
        Server { port: port.parse().expect("a port"), token: token.to_owned(), child }
    }

    /// The status and the body of an answer, as the server sends them.
    fn raw(&self, request: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a connection");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut text = String::new();
        // A server that turns a body down may close before everything was sent.
        let _ = stream.read_to_string(&mut text);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        (status, head.to_owned(), body.to_owned())
    }

    fn get(&self, path: &str) -> (u16, String, String) {
        let Server { port, token, .. } = self;
        self.raw(&format!(
            "GET /{token}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        ))
    }

    fn desk(&self) -> Value {
        let (status, _, body) = self.get("api/desk?tab=t");
        assert_eq!(status, 200, "{body}");
        followed(&body)
    }

    fn post(&self, path: &str, body: Value) -> (u16, Value) {
        let mut body = body;
        body["tab"] = json!("t");
        let (body, Server { port, token, .. }) = (body.to_string(), self);
        let (status, _, answer) = self.raw(&format!(
            "POST /{token}/api/{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        ));
        (status, followed(&answer))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A document that follows the schema of the manual.
fn followed(text: &str) -> Value {
    let path = root().join("docs/src/schema/game-1.json");
    let schema = fs::read_to_string(path).expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("a schema is JSON");
    let value: Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    assert_eq!(problems(&schema, &value), Vec::<String>::new(), "{text}");
    value
}

/// Answers with the drawing that a question starts from, or the one of a hint.
fn play(server: &Server, most: usize) -> Value {
    let mut desk = server.desk();
    for _ in 0..most {
        let question = desk["view"]["question"].clone();
        if question.is_null() {
            break;
        }
        let mut drawing = match desk["draft"].is_null() {
            true => question["start"].clone(),
            false => desk["draft"].clone(),
        };
        let asked = |drawing: &Value| json!({ "question": question["id"], "drawing": drawing });
        let right = |compared: &Value| {
            let fits = |name: &Value| {
                let all = compared["fits"].as_array().expect("results");
                all.iter().any(|f| f["example"] == *name && f["fits"] == true)
            };
            let all = |kind: &str| question[kind].as_array().expect("examples").clone();
            all("positives").iter().all(|e| fits(&e["name"]))
                && !all("negatives").iter().any(|e| fits(&e["name"]))
        };
        let (status, compared) = server.post("compare", asked(&drawing));
        assert_eq!(status, 200, "{compared}");
        if !right(&compared) {
            let (_, hint) = server.post("hint", asked(&drawing));
            assert!(!hint["drawing"].is_null(), "{hint}");
            drawing = hint["drawing"].clone();
        }
        let (status, judged) = server.post("submit", asked(&drawing));
        assert_eq!(status, 200, "{judged}");
        assert_ne!(judged["answer"]["kind"], "undecided", "{judged}");
        desk = judged["desk"].clone();
        runs_end_where_they_fail(&desk);
    }
    desk
}

/// A heap from which a check fails has a run to that line.
fn runs_end_where_they_fail(desk: &Value) {
    let negatives = desk["view"]["question"]["negatives"].as_array().cloned().unwrap_or_default();
    for negative in negatives {
        let note = negative["note"].as_str().expect("a remark");
        let Some(rest) = note.strip_prefix("from there line ") else { continue };
        let steps = negative["trace"].as_array().expect("a run");
        let last = steps.last().unwrap_or_else(|| panic!("no run: {negative}"));
        assert!(rest.starts_with(&format!("{} fails", last["line"])), "{note}: {last}");
        // It starts with the heap itself, and every heap in it has the fields of the program.
        assert!(steps[0].get("heap").is_some(), "{negative}");
    }
}

#[test]
fn a_program_that_is_wrong_ends_with_its_run() {
    let saves = tempfile::tempdir().expect("a folder");
    for file in ["alt-list-simplified-bug.c", "dll-back-bug.c", "tree-parents-bug.c"] {
        let path = format!("benchmarks/proveit/{file}");
        let server = Server::start(&[&path], saves.path());
        let view = &server.desk()["view"];
        assert_eq!(view["state"], "violated", "{file}");
        let text = fs::read_to_string(root().join(&path)).expect("a program");
        let run = view["run"].as_array().expect("a run");
        let last = run.last().unwrap_or_else(|| panic!("{file}: no run"));
        let line = text.lines().nth(last["line"].as_u64().expect("a line") as usize - 1);
        assert_eq!(line.map(str::trim), last["text"].as_str(), "{file}");
        assert!(
            view["sentence"].as_str().expect("text").contains(&format!("line {}", last["line"]))
        );
        assert!(run.iter().any(|step| step.get("heap").is_some()), "{file}");
    }
}

#[test]
fn documents_follow_the_schema_and_levels_can_be_won() {
    for level in ["first-steps", "alt-list", "opposite", "dll-back"] {
        let saves = tempfile::tempdir().expect("a folder");
        let server = Server::start(&["--level", level], saves.path());
        let first = server.desk();
        assert_eq!(first["level"], level);
        let question = &first["view"]["question"];
        let drawing = &question["start"];
        let node = &drawing["nodes"][0]["id"];
        let (status, _) = server.post(
            "meaning",
            json!({ "question": question["id"], "drawing": drawing, "node": node }),
        );
        assert_eq!(status, 200);
        let last = play(&server, 60);
        assert_eq!(last["view"]["state"], "verified", "{level}: {}", last["view"]["sentence"]);
        let (status, _, transcript) = server.get("api/export");
        assert_eq!(status, 200);
        assert!(transcript.contains("\"answers\""), "{transcript}");
        let file =
            fs::read_to_string(saves.path().join(format!("{level}.game"))).expect("the game");
        file.lines().for_each(|line| {
            followed(line);
        });
    }
}

#[test]
fn a_killed_game_goes_on() {
    let saves = tempfile::tempdir().expect("a folder");
    let level = ["--level", "alt-list"];
    let server = Server::start(&level, saves.path());
    let before = play(&server, 3);
    drop(server);
    // Half a line is what a crash leaves.
    let path = saves.path().join("alt-list.game");
    let mut file = fs::OpenOptions::new().append(true).open(&path).expect("the game");
    file.write_all(b"{\"step\":\"draft\",\"ques").expect("written");
    drop(file);
    let server = Server::start(&level, saves.path());
    let after = server.desk();
    assert_eq!(after["view"], before["view"]);
    assert_eq!(after["resumed"], 3);
    assert_eq!(play(&server, 60)["view"]["state"], "verified");
}

#[test]
fn nobody_else_gets_in() {
    let saves = tempfile::tempdir().expect("a folder");
    let server = Server::start(&["--level", "first-steps"], saves.path());
    let Server { port, token, .. } = &server;
    let (status, head, _) = server.get("");
    assert_eq!(status, 200);
    let head = head.to_ascii_lowercase();
    for header in [
        "content-security-policy: default-src 'none'",
        "cache-control: no-store",
        "referrer-policy: no-referrer",
    ] {
        assert!(head.contains(header), "{head}");
    }
    let ask = |text: String| server.raw(&text).0;
    let host = format!("Host: 127.0.0.1:{port}\r\nConnection: close\r\n");
    assert_eq!(ask(format!("GET / HTTP/1.1\r\n{host}\r\n")), 404);
    assert_eq!(ask(format!("GET /{}/ HTTP/1.1\r\n{host}\r\n", "0".repeat(token.len()))), 404);
    assert_eq!(
        ask(format!("GET /{token}/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")),
        421
    );
    let body = "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
    assert_eq!(ask(format!("POST /{token}/api/take HTTP/1.1\r\n{host}{body}")), 403);
    assert_eq!(
        ask(format!(
            "POST /{token}/api/take HTTP/1.1\r\n{host}Origin: http://evil.example\r\n{body}"
        )),
        403
    );
    let large = format!("{{\"tab\":\"{}\"}}", "x".repeat(600 << 10));
    let ours = format!("Origin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\n");
    let length = large.len();
    assert_eq!(
        ask(format!(
            "POST /{token}/api/take HTTP/1.1\r\n{host}{ours}Content-Length: {length}\r\n\r\n{large}"
        )),
        413
    );
    // A drawing that is none is turned down with a sentence.
    let question = server.desk()["view"]["question"]["id"].clone();
    let node = json!({ "id": "n1", "record": "cell", "x": 2_000_000 });
    let (status, refused) = server.post(
        "draft",
        json!({ "question": question, "drawing": { "nodes": [node], "edges": [] } }),
    );
    assert_eq!((status, &refused["error"]), (422, &json!("wrong")), "{refused}");
}

/// Whoever only holds connections does not keep the page from being served, and does not close the
/// events of a page that is open.
#[test]
fn connections_that_say_nothing_are_closed() {
    let saves = tempfile::tempdir().expect("a folder");
    let server = Server::start(&["--level", "first-steps"], saves.path());
    let Server { port, token, .. } = &server;
    let connect = || TcpStream::connect(("127.0.0.1", *port)).expect("a connection");
    let mut events = connect();
    let ask = format!("GET /{token}/api/events?tab=t HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    events.write_all(ask.as_bytes()).expect("sent");
    let held: Vec<TcpStream> = (0..200)
        .map(|i| {
            let mut stream = connect();
            let half = match i % 3 {
                0 => String::new(),
                1 => "GET / HTT".to_owned(),
                _ => format!(
                    "POST /{token}/api/take HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
                     Origin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
                     Content-Length: 100\r\n\r\n{{"
                ),
            };
            stream.write_all(half.as_bytes()).expect("sent");
            stream
        })
        .collect();
    assert_eq!(server.get("").0, 200);
    drop(held);
    // The first event was sent at once; the next one tells of what another tab does.
    let (status, _) = server.post("take", json!({}));
    assert_eq!(status, 200);
    let mut lines = BufReader::new(events).lines().map(|l| l.expect("a line"));
    for _ in 0..2 {
        assert!(lines.any(|l| l == "event: changed"));
    }
}

/// The folder of saved games may have files of the user.
#[test]
fn no_file_of_the_user_is_written() {
    let saves = tempfile::tempdir().expect("a folder");
    let mine = saves.path().join("alt-list.c");
    fs::write(&mine, "int mine;\n").expect("written");
    let server = Server::start(&["--level", "alt-list"], saves.path());
    assert_eq!(server.desk()["level"], "alt-list");
    assert_eq!(fs::read_to_string(&mine).expect("still there"), "int mine;\n");
    // A game that is played is not put aside by another server.
    let folder = saves.path().to_str().expect("a name");
    let ran = trellis(&["oracle", "--level", "alt-list", "--new", "--no-open", "--save", folder]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("is playing this game"), "{}", ran.err);
    // Its own server may begin it anew.
    let first = server.desk()["view"]["question"]["id"].clone();
    let before = play(&server, 2);
    assert_ne!(before["view"]["question"]["id"], first);
    let (status, desk) = server.post("restart", json!({ "level": "alt-list" }));
    assert_eq!((status, &desk["view"]["question"]["id"]), (200, &first), "{desk}");
    assert!(saves.path().join("alt-list.old-1").exists());
}

#[test]
fn what_cannot_be_played_is_said() {
    let saves = tempfile::tempdir().expect("a folder");
    let folder = saves.path().to_str().expect("a name");
    for (arguments, said) in [
        (&["no-such-file.c"][..], "no-such-file.c"),
        (&["--level", "no-such-level"], "first-steps"),
        (&["examples/sll/reverse.c", "--proc", "no_such"], "no_such"),
    ] {
        let ran = trellis(&[&["oracle", "--no-open", "--save", folder], arguments].concat());
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.err.contains(said), "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "");
    }
    // Another program under the name of a saved game, and a game that is being played.
    let source = saves.path().join("list.c");
    let text = fs::read_to_string(root().join("benchmarks/proveit/two-part.c")).expect("a program");
    fs::write(&source, &text).expect("written");
    let file = source.to_str().expect("a name");
    let server = Server::start(&[file], saves.path());
    let ran = trellis(&["oracle", file, "--no-open", "--save", folder]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("is playing this game"), "{}", ran.err);
    drop(server);
    fs::write(&source, format!("// changed\n{text}")).expect("written");
    let ran = trellis(&["oracle", file, "--no-open", "--save", folder]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("the program has changed"), "{}", ran.err);
}

#[test]
fn a_whole_game_in_a_browser() {
    let folder = root().join("crates/web/tests/browser");
    let run = |program: &str, arguments: &[&str]| {
        let command = json!([
            env!("CARGO_BIN_EXE_trellis"),
            "oracle",
            "--level",
            "LEVEL",
            "--no-open",
            "--save",
            "FOLDER",
            "--port",
            "PORT"
        ]);
        let output = Command::new(program)
            .args(arguments)
            .current_dir(&folder)
            .env("TRELLIS_GAME_SERVER", command.to_string())
            .output()
            .unwrap_or_else(|e| {
                panic!("{program} is needed for the tests of the page (./test installs it): {e}")
            });
        let text = [output.stdout, output.stderr]
            .map(|b| String::from_utf8_lossy(&b).into_owned())
            .concat();
        assert!(output.status.success(), "{program} {}:\n{text}", arguments.join(" "));
    };
    if !folder.join("node_modules/playwright-core").exists() {
        run("npm", &["ci", "--no-audit", "--no-fund"]);
    }
    run("node", &["--test", "--test-reporter=spec", "real.mjs"]);
}
