//! The language server, driven by a client over its standard streams.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{binary, root};

/// How long a message may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// An editor.
struct Client {
    server: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    /// Messages that came before the one that was waited for.
    early: VecDeque<Value>,
    requests: i64,
}

impl Client {
    /// Starts a server and says hello.
    fn start(options: Value) -> Client {
        let mut server = binary()
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let to = server.stdin.take().expect("a pipe");
        let mut from = BufReader::new(server.stdout.take().expect("a pipe"));
        let (send, receive) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut from) {
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let mut client = Client { server, to, from: receive, early: VecDeque::new(), requests: 0 };
        let hello = client.ask("initialize", json!({
            "processId": null, "rootUri": null, "capabilities": {}, "initializationOptions": options,
        }));
        assert_eq!(hello["serverInfo"]["name"], "trellis");
        assert_eq!(hello["capabilities"]["hoverProvider"], true);
        client.tell("initialized", json!({}));
        client
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len())
            .expect("the server listens");
        self.to.flush().expect("the server listens");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and gives the result.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.try_ask(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn try_ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.wait(|m| m["id"] == id && m.get("method").is_none())
    }

    /// The next message that fits; others stay for later.
    fn wait(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.early.iter().position(&fits) {
            return self.early.remove(at).expect("it is there");
        }
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let message = self.from.recv_timeout(left).expect("the server answers in time");
            if fits(&message) {
                return message;
            }
            self.early.push_back(message);
        }
    }

    /// What a message of the server says.
    fn hear(&mut self, method: &str) -> Value {
        self.wait(|m| m["method"] == method)["params"].clone()
    }

    fn open(&mut self, file: &Path) -> String {
        let uri = format!("file://{}", file.display());
        let text = fs::read_to_string(file).expect("the file");
        self.tell(
            "textDocument/didOpen",
            json!({
                "textDocument": { "uri": uri, "languageId": "c", "version": 1, "text": text },
            }),
        );
        uri
    }

    /// What is said of a file when all of it is answered.
    fn done(&mut self) -> Value {
        let status = |m: &Value| m["method"] == "trellis/status" && m["params"]["state"] == "done";
        self.wait(status)["params"].clone()
    }

    /// The last diagnostics of a file so far.
    fn diagnostics(&mut self) -> Value {
        let is_one = |m: &Value| m["method"] == "textDocument/publishDiagnostics";
        let all: Vec<Value> = self.early.iter().filter(|m| is_one(m)).cloned().collect();
        self.early.retain(|m| !is_one(m));
        all.last().expect("diagnostics were published")["params"]["diagnostics"].clone()
    }

    /// Says goodbye; the server ends well.
    fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        drop(self.to);
        assert!(self.server.wait().expect("it ends").success());
    }
}

/// The next message, or nothing at the end.
fn read(from: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", n)) => length = n.parse().expect("a length"),
            Some(_) => {}
            None => break,
        }
    }
    let mut text = vec![0; length];
    from.read_exact(&mut text).ok()?;
    Some(serde_json::from_slice(&text).expect("JSON"))
}

fn copy(folder: &Path, file: &str) -> std::path::PathBuf {
    let to = folder.join(Path::new(file).file_name().expect("a name"));
    fs::copy(root().join(file), &to).expect("a copy");
    to
}

fn line_with(text: &str, part: &str) -> usize {
    text.lines().position(|l| l.contains(part)).expect("a line")
}

#[test]
fn an_editor_sees_the_violation_and_its_steps() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = copy(folder.path(), "examples/sll/reverse-bug.c");
    let text = fs::read_to_string(&file).expect("the file");
    let mut client = Client::start(Value::Null);
    let uri = client.open(&file);
    let status = client.done();
    let procedures = status["procedures"].as_array().expect("procedures");
    let violated = procedures.iter().find(|p| p["verdict"] == "violated").expect("a violation");
    let name = violated["name"].as_str().expect("a name");
    let id = violated["violated"][0].as_str().expect("a check");
    assert!(id.starts_with(name), "{id}");
    let diagnostics = client.diagnostics();
    let error = diagnostics.as_array().expect("a list").iter().find(|d| d["code"] == id);
    let error = error.expect("the violated check is a diagnostic");
    assert_eq!((&error["severity"], &error["source"]), (&json!(1), &json!("trellis")));
    let steps = error["relatedInformation"].as_array().expect("steps");
    assert!(steps.len() > 2, "{steps:?}");
    assert!(steps.iter().all(|s| s["location"]["uri"] == uri.as_str()));
    // The lens leads to the failing step.
    let lenses = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let lens = &lenses[0]["command"];
    assert!(lens["title"].as_str().expect("a title").starts_with("✘ violated"), "{lens}");
    let run = json!({ "command": lens["command"], "arguments": lens["arguments"] });
    client.ask("workspace/executeCommand", run);
    let shown = client.hear("window/showDocument");
    assert_eq!(shown["selection"], error["range"]);
    // So does a code action, and another one opens the page.
    let asked = json!({
        "textDocument": { "uri": uri }, "range": error["range"], "context": { "diagnostics": [] },
    });
    let actions = client.ask("textDocument/codeAction", asked);
    let titles: Vec<&str> =
        actions.as_array().expect("a list").iter().filter_map(|a| a["title"].as_str()).collect();
    assert_eq!(titles, ["Go to the failing step", "Open the page of this run"]);
    let page = json!({ "command": "trellis.page", "arguments": [uri] });
    client.ask("workspace/executeCommand", page);
    let shown = client.hear("window/showDocument");
    let page = shown["uri"].as_str().and_then(|u| u.strip_prefix("file://")).expect("a file");
    assert!(fs::read_to_string(page).expect("the page").contains(id));
    fs::remove_file(page).expect("the page");
    // What was mended and saved is told anew.
    let right = root().join("examples/sll/reverse.c");
    let right = fs::read_to_string(right).expect("the program");
    assert_ne!(right, text);
    fs::write(&file, &right).expect("the file");
    client.tell(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": right }],
        }),
    );
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri }, "text": right }));
    let status = client.done();
    assert_eq!(status["procedures"][0]["verdict"], "verified");
    assert_eq!(client.diagnostics(), json!([]));
    client.end();
}

#[test]
fn an_editor_shows_and_inserts_invariants() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = copy(folder.path(), "benchmarks/pdr-forall/reverse.c");
    let text = fs::read_to_string(&file).expect("the file");
    let head = line_with(&text, "while (");
    let mut client = Client::start(json!({ "engine": "pdr-forall" }));
    let uri = client.open(&file);
    client.done();
    let at =
        json!({ "textDocument": { "uri": uri }, "position": { "line": head, "character": 6 } });
    let hover = client.ask("textDocument/hover", at.clone());
    let said = hover["contents"]["value"].as_str().expect("a text");
    assert!(
        said.contains("whenever this loop is reached") && said.contains("reach(next,"),
        "{said}"
    );
    let here = json!({ "line": head, "character": 0 });
    let asked = json!({
        "textDocument": { "uri": uri }, "range": { "start": here, "end": here },
        "context": { "diagnostics": [] },
    });
    let actions = client.ask("textDocument/codeAction", asked);
    let action = &actions[0];
    let title = action["title"].as_str().expect("a title");
    assert_eq!(title, "Write the loop invariants of `reverse` into the source");
    let command = &action["command"];
    let run = json!({ "command": command["command"], "arguments": command["arguments"] });
    client.ask("workspace/executeCommand", run);
    let edit = client.hear("workspace/applyEdit");
    let edits = &edit["edit"]["changes"][&uri];
    assert_eq!(edits[0]["range"]["start"], here, "{edit}");
    let added = edits[0]["newText"].as_str().expect("a text");
    assert!(added.lines().all(|l| l.trim_start().starts_with("//@ ")), "{added}");
    // While the text is not the saved one, nothing is said about it.
    let mut lines: Vec<&str> = text.lines().collect();
    let added = added.trim_end();
    lines.insert(head, added);
    let new = lines.join("\n") + "\n";
    client.tell(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": new }],
        }),
    );
    assert_eq!(client.ask("textDocument/hover", at), Value::Null);
    fs::write(&file, &new).expect("the file");
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri }, "text": new }));
    assert_eq!(client.done()["procedures"][0]["verdict"], "verified");
    client.end();
}

#[test]
fn a_change_ends_the_work_at_once() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    // This one takes seconds; that the old work has ended is not seen here, only that nobody waits for it.
    let file = copy(folder.path(), "benchmarks/more/insertion-sort-stable.c");
    let mut client = Client::start(json!({ "timeoutSeconds": 600 }));
    let uri = client.open(&file);
    std::thread::sleep(Duration::from_millis(300));
    let easy = "int f(int x) { return x; }\n";
    let started = Instant::now();
    client.tell(
        "textDocument/didChange",
        json!({
            "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": easy }],
        }),
    );
    fs::write(&file, easy).expect("the file");
    client.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri }, "text": easy }));
    let status = client.done();
    assert_eq!(status["procedures"][0]["name"], "f");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    client.end();
}

/// A file in a folder below that of `trellis.toml` is verified as the command line would do it there:
/// with its headers, its macros, and what it suppresses.
#[test]
fn the_file_of_a_project_counts() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let write = |name: &str, text: &str| {
        let to = folder.path().join(name);
        fs::create_dir_all(to.parent().expect("a folder")).expect("a folder");
        fs::write(&to, text).expect("a file");
        to
    };
    let config = "[source]\ninclude = [\"inc\"]\ndefine = [\"WIDTH=3\"]\n\
                  [verify]\nassume = \"valid-arguments\"\n\
                  [[suppress]]\nprocedure = \"known\"\nreason = \"old code\"\nuntil = 2999-01-01\n";
    let toml = write("trellis.toml", config);
    let header = write("inc/node.h", "struct node { struct node *next; int data[WIDTH]; };\n");
    let file = write(
        "src/deep/a.c",
        "#include \"node.h\"\nint good(struct node *p) { return p->data[2] > 0; }\n\
         int known(struct node *p) { return p->next->data[0]; }\n",
    );
    let mut client = Client::start(Value::Null);
    let uri = client.open(&file);
    let status = client.done();
    let verdict = |name: &str| {
        let all = status["procedures"].as_array().expect("procedures");
        all.iter().find(|p| p["name"] == name).map(|p| p["verdict"].clone())
    };
    assert_eq!(verdict("good"), Some(json!("verified")), "{status}");
    let diagnostics = client.diagnostics();
    assert_eq!(diagnostics.as_array().map(Vec::len), Some(1), "{diagnostics}");
    assert_eq!(diagnostics[0]["severity"], 4, "what is suppressed is a hint: {diagnostics}");
    assert!(diagnostics[0]["message"].as_str().expect("a text").contains("old code"));
    // An error in a header is told in the file that includes it, with its own place.
    let text = fs::read_to_string(&file).expect("the file");
    let save = json!({ "textDocument": { "uri": uri }, "text": text });
    fs::write(&header, "\n\nstruct node { struct node *next int data; };\n").expect("a file");
    client.tell("textDocument/didSave", save.clone());
    client.done();
    let diagnostics = client.diagnostics();
    assert_eq!(diagnostics[0]["range"]["start"], json!({ "line": 0, "character": 0 }));
    let message = diagnostics[0]["message"].as_str().expect("a text");
    assert!(message.contains("node.h:3:"), "{message}");
    // So is an error in the file of the project.
    fs::write(&toml, "[budget]\ntimeout = \"soon\"\n").expect("a file");
    client.tell("textDocument/didSave", save.clone());
    let told = client.hear("window/showMessage");
    let message = told["message"].as_str().expect("a text");
    assert!(message.contains("trellis.toml:2:11: "), "{message}");
    // Of a file that is gone nothing is said any more.
    fs::remove_file(&file).expect("the file");
    client.tell("textDocument/didSave", save);
    let told = client.hear("window/showMessage");
    assert!(told["message"].as_str().expect("a text").contains("a.c: "), "{told}");
    assert_eq!(client.diagnostics(), json!([]));
    client.end();
}

/// What is no UTF-8 is Latin-1, as editors show it.
#[test]
fn a_file_in_latin_1_is_verified() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("a.c");
    let text = "/* gr\u{fc}n */ int f(int *p) { return p ? *p : *p; }\n";
    let bytes: Vec<u8> = text.chars().map(|c| c as u8).collect();
    fs::write(&file, bytes).expect("a file");
    let mut client = Client::start(Value::Null);
    let uri = format!("file://{}", file.display());
    client.tell(
        "textDocument/didOpen",
        json!({ "textDocument": { "uri": uri, "languageId": "c", "version": 1, "text": text } }),
    );
    client.done();
    let diagnostics = client.diagnostics();
    assert_eq!(diagnostics[0]["severity"], 1, "{diagnostics}");
    assert_eq!(diagnostics[0]["range"]["start"]["character"], 43, "{diagnostics}");
    client.end();
}

#[test]
fn bad_files_and_bad_requests_are_told() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let file = folder.path().join("bad file.c");
    fs::write(&file, "int f(void) { return x; }\n").expect("a file");
    let mut client = Client::start(json!({ "engin": "auto" }));
    let told = client.hear("window/showMessage");
    assert!(told["message"].as_str().expect("a text").contains("engin"), "{told}");
    let uri = format!("file://{}", file.display()).replace(' ', "%20");
    let text = fs::read_to_string(&file).expect("the file");
    client.tell(
        "textDocument/didOpen",
        json!({
            "textDocument": { "uri": uri, "languageId": "c", "version": 1, "text": text },
        }),
    );
    client.done();
    let diagnostics = client.diagnostics();
    assert_eq!(diagnostics[0]["severity"], 1);
    assert_eq!(diagnostics[0]["range"]["start"], json!({ "line": 0, "character": 21 }));
    let answer = client.try_ask("textDocument/rename", json!({}));
    assert_eq!(answer["error"]["code"], -32601);
    let answer = client.try_ask("textDocument/hover", json!({ "textDocument": 1 }));
    assert_eq!(answer["error"]["code"], -32602);
    let unknown = json!({ "command": "trellis.fly", "arguments": [uri] });
    let answer = client.try_ask("workspace/executeCommand", unknown);
    assert!(answer["error"]["message"].as_str().expect("a text").contains("trellis.fly"));
    client.end();
}
