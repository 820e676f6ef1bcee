//! Real editors with the set-up of `editors/`, without a screen: what they show and what they can do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::root;

/// A folder with a program that is wrong, and one that is right.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let programs =
        [("wrong.c", "examples/sll/reverse-bug.c"), ("right.c", "benchmarks/pdr-forall/reverse.c")];
    for (name, from) in programs {
        fs::copy(root().join(from), folder.path().join(name)).expect("a copy");
    }
    folder
}

/// Runs an editor in a folder; gives what it says, on both streams.
fn run(folder: &Path, editor: &str, args: &[&str]) -> String {
    let ran = Command::new(editor)
        .args(args)
        .current_dir(folder)
        .env("HOME", folder)
        .env("XDG_STATE_HOME", folder)
        .env("TRELLIS_CACHE", folder.join("cache"))
        .output()
        .unwrap_or_else(|e| panic!("{editor}: {e}"));
    let streams = [ran.stdout, ran.stderr].map(|s| String::from_utf8_lossy(&s).into_owned());
    streams.concat()
}

fn server() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_trellis"))
}

/// What every editor must have said.
fn check(said: &str) {
    for part in [
        "diagnostic 23 memory is leaked (object 2)",
        "**What holds whenever this loop is reached**",
        "action Write the loop invariants of `reverse` into the source",
        "action Open the page of this run",
        "written //@ loop invariant",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
}

#[test]
fn neovim_shows_violations_and_writes_invariants() {
    let folder = folder();
    let script = r#"
vim.g.trellis = { path = "SERVER", options = { timeoutSeconds = 60 } }
dofile("SETUP")
local function say(...) io.stderr:write(table.concat({ ... }, " ") .. "\n") end
local function ask(what, params)
  params.textDocument = vim.lsp.util.make_text_document_params()
  local all = vim.lsp.buf_request_sync(0, what, params, 60000)
  for _, answer in pairs(all or {}) do return answer.result end
end
vim.cmd("edit wrong.c")
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 100)
for _, d in ipairs(vim.diagnostic.get(0)) do say("diagnostic", d.lnum + 1, d.message) end
vim.cmd("edit right.c")
local line = vim.fn.search("while (") - 1
local at = { line = line, character = 11 }
local hover
vim.wait(60000, function() hover = ask("textDocument/hover", { position = at }) return hover end, 100)
say(hover and hover.contents.value or "no hover")
local range = { start = at, ["end"] = at }
local actions = ask("textDocument/codeAction", { range = range, context = { diagnostics = {} } })
for _, action in ipairs(actions or {}) do say("action", action.title) end
ask("workspace/executeCommand", actions[1].command)
local function written() return vim.fn.search("//@ loop invariant") > 0 end
vim.wait(60000, written, 100)
if written() then say("written", "//@ loop invariant") end
vim.cmd("qa!")
"#;
    let script = script.replace("SERVER", server().to_str().expect("UTF-8"));
    let setup = root().join("editors/neovim/trellis.lua");
    let script = script.replace("SETUP", setup.to_str().expect("UTF-8"));
    fs::write(folder.path().join("drive.lua"), script).expect("a script");
    let commands = ["-c", "filetype on", "-c", "luafile drive.lua"];
    let args = [&["--headless", "-i", "NONE", "-n", "-u", "NONE"][..], &commands].concat();
    check(&run(folder.path(), "nvim", &args));
}

#[test]
fn emacs_shows_violations_and_writes_invariants() {
    let folder = folder();
    let script = r#"
(require 'package)
(package-initialize)
(require 'eglot)
(require 'flymake)
(load "SETUP")
(setq trellis-program "SERVER" trellis-options '(:timeoutSeconds 60))
(defun until (done)
  (let ((turns 0) (found nil))
    (while (and (< turns 600) (not (setq found (funcall done))))
      (setq turns (1+ turns))
      (accept-process-output nil 0.1))
    found))
(find-file "wrong.c")
(c-mode)
(apply #'eglot (eglot--guess-contact))
(until #'flymake-diagnostics)
(dolist (d (flymake-diagnostics))
  (message "diagnostic %s %s" (line-number-at-pos (flymake-diagnostic-beg d))
           (replace-regexp-in-string "^.*\\]: " "" (flymake-diagnostic-text d))))
(find-file "right.c")
(c-mode)
(unless (eglot-current-server) (eglot--maybe-activate-editing-mode))
(goto-char (point-min))
(search-forward "while (")
(defun ask (what &rest more)
  (jsonrpc-request (eglot-current-server) what
                   (append (list :textDocument (eglot--TextDocumentIdentifier)) more)
                   :timeout 60))
(let ((at (eglot--pos-to-lsp-position)))
  (message "%s" (plist-get (plist-get (until (lambda () (ask :textDocument/hover :position at)))
                                      :contents) :value))
  (let ((actions (ask :textDocument/codeAction :range (list :start at :end at)
                      :context (list :diagnostics []))))
    (mapc (lambda (a) (message "action %s" (plist-get a :title))) actions)
    (setq eglot-confirm-server-initiated-edits nil)
    (jsonrpc-async-request (eglot-current-server) :workspace/executeCommand
                           (plist-get (elt actions 0) :command)
                           :success-fn #'ignore)
    (when (until (lambda () (save-excursion (goto-char (point-min))
                                            (search-forward "//@ loop invariant" nil t))))
      (message "written //@ loop invariant"))))
(set-buffer-modified-p nil)
(kill-emacs 0)
"#;
    let script = script.replace("SERVER", server().to_str().expect("UTF-8"));
    let setup = root().join("editors/emacs/trellis.el");
    let script = script.replace("SETUP", setup.to_str().expect("UTF-8"));
    fs::write(folder.path().join("drive.el"), script).expect("a script");
    check(&run(folder.path(), "emacs", &["--batch", "-l", "drive.el"]));
}
