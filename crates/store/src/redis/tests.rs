//! With a real server, on a port of the loopback interface that was free a moment ago.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use super::*;
use crate::{Shelf, StoreAddress};

struct Server {
    child: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl Server {
    fn start(options: &[&str]) -> Server {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let folder = tempfile::tempdir().expect("a folder");
        let child = Server::process(port, folder.path(), options);
        Server { child, port, folder }
    }

    fn process(port: u16, folder: &Path, options: &[&str]) -> Child {
        let mut child = Command::new("redis-server")
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", ""])
            .args(options)
            .current_dir(folder)
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|e| panic!("redis-server is needed (./test installs it): {e}"));
        for _ in 0..200 {
            if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return child;
            }
            thread::sleep(Duration::from_millis(25));
        }
        let _ = child.kill();
        let _ = child.wait();
        panic!("redis-server does not listen");
    }

    fn restart(&mut self) {
        self.child = Server::process(self.port, self.folder.path(), &[]);
    }

    fn kill(&mut self) {
        self.child.kill().expect("it ran");
        self.child.wait().expect("it ended");
    }

    fn at(&self, before: &str, after: &str) -> StoreAddress {
        let port = self.port;
        format!("redis://{before}127.0.0.1:{port}/{after}").parse().expect("an address")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn what_is_put_is_there_for_others() {
    let server = Server::start(&[]);
    let (one, other) = (server.at("", "0").open(), server.at("", "0").open());
    let (one, other) = (one.expect("a store"), other.expect("the same store"));
    one.put("a", "k", b"first").expect("kept");
    one.put("b", "k", b"of another kind").expect("kept");
    other.put("a", "k", b"second").expect("kept");
    other.put("a", "j", b"more").expect("kept");
    assert_eq!(one.get("a", "k").expect("asked"), Some(b"second".to_vec()));
    assert_eq!(one.get("a", "x").expect("asked"), None);
    let all: Vec<String> = one.all("a").expect("asked").into_iter().map(|(key, _)| key).collect();
    assert_eq!(all, ["j", "k"]);
    let elsewhere = server.at("", "1").open().expect("another database");
    assert_eq!(elsewhere.get("a", "k").expect("asked"), None);
    one.clear("a").expect("cleared");
    assert_eq!(other.all("a").expect("asked"), []);
    assert_eq!(other.all("b").expect("asked").len(), 1);
}

#[test]
fn garbage_is_no_entry() {
    let server = Server::start(&[]);
    let store = server.at("", "").open().expect("a store");
    let shelf = Shelf::new(store.clone(), "a", "1");
    shelf.put("k", "good").expect("kept");
    let sealed = store.get("a", "k").expect("asked").expect("there");
    store.put("a", "moved", &sealed).expect("kept");
    store.put("a", "bytes", b"\xff\x00\xfe").expect("kept");
    Shelf::new(store.clone(), "a", "0").put("older", "old").expect("kept");
    for (key, expected) in [("k", Some("good")), ("moved", None), ("bytes", None), ("older", None)]
    {
        assert_eq!(shelf.get(key).expect("asked").as_deref(), expected, "{key}");
    }
    let records = shelf.records().expect("asked");
    assert_eq!((records.contents.len(), records.ignored), (1, 3));
    // What is no string on the server is an error, and nothing else is touched by it.
    let client = Client::open(format!("redis://127.0.0.1:{}", server.port)).expect("a client");
    let mut raw = client.get_connection().expect("a connection");
    redis::cmd("LPUSH").arg("trellis:a:list").arg("x").exec(&mut raw).expect("pushed");
    assert!(store.get("a", "list").is_err());
    assert_eq!(shelf.get("k").expect("asked").as_deref(), Some("good"));
}

#[test]
fn a_server_that_goes_and_comes() {
    let mut server = Server::start(&[]);
    let store = server.at("", "").open().expect("a store");
    store.put("a", "k", b"first").expect("kept");
    server.kill();
    assert!(store.get("a", "k").is_err());
    assert!(store.put("a", "k", b"lost").is_err());
    let absent = server.at("", "").open().expect("absence is no refusal");
    server.restart();
    let mut again = Err(io::Error::other("never asked"));
    for _ in 0..200 {
        again = store.get("a", "k").and_then(|found| Ok((found, absent.get("a", "k")?)));
        if again.is_ok() {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(again.expect("it is back"), (None, None));
    store.put("a", "k", b"second").expect("kept");
}

#[test]
fn a_full_server_takes_nothing_and_still_answers() {
    let server = Server::start(&["--maxmemory", "3mb", "--maxmemory-policy", "noeviction"]);
    let store = server.at("", "").open().expect("a store");
    let put = |i: usize| store.put("a", &i.to_string(), &[b'x'; 65536]);
    let full = (0..200).find_map(|i| put(i).err()).expect("it fills up");
    assert!(full.to_string().contains("OOM"), "{full}");
    assert!(store.get("a", "0").expect("asked").is_some());
}

#[test]
fn who_is_not_let_in_is_told() {
    let server = Server::start(&["--requirepass", "secret"]);
    for (who, expected) in [("", "it wants a password"), (":wrong@", "it does not let us in: ")] {
        let refused = server.at(who, "").open().expect_err("it is closed");
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied, "{refused}");
        assert!(refused.to_string().starts_with(expected), "{refused}");
        assert!(!refused.to_string().contains("wrong@"), "{refused}");
    }
    let store = server.at(":secret@", "").open().expect("a store");
    store.put("a", "k", b"first").expect("kept");
    let refused = server.at(":secret@", "99").open().expect_err("there are sixteen");
    assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied, "{refused}");
}

/// Makes an authority, and a certificate of it for the loopback interface.
fn certificates(folder: &Path) {
    let script = "\
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem \
  -addext basicConstraints=critical,CA:TRUE
openssl req -newkey rsa:2048 -nodes -subj /CN=server -keyout server.key -out server.csr
printf 'subjectAltName=IP:127.0.0.1\\n' > names
openssl x509 -req -days 2 -in server.csr -CA ca.pem -CAkey ca.key -extfile names -out server.pem
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=other -keyout o.key -out other.pem \
  -addext basicConstraints=critical,CA:TRUE
";
    let made = Command::new("sh").args(["-e", "-c", script]).current_dir(folder).output();
    let made = made.expect("a shell");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

#[test]
fn a_server_shows_who_it_is() {
    let files = tempfile::tempdir().expect("a folder");
    certificates(files.path());
    let path = |name: &str| files.path().join(name).display().to_string();
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let tls = free.local_addr().expect("an address").port().to_string();
    drop(free);
    let (cert, key, ca) = (path("server.pem"), path("server.key"), path("ca.pem"));
    let options = ["--tls-port", &tls, "--tls-cert-file", &cert, "--tls-key-file", &key];
    let both = ["--tls-ca-cert-file", &ca, "--tls-auth-clients", "optional"];
    let server = Server::start(&[&options[..], &both[..]].concat());
    let at = |port: &str, ca: &str| -> StoreAddress {
        format!("rediss://127.0.0.1:{port}/0?ca={ca}").parse().expect("an address")
    };
    let store = at(&tls, &ca).open().expect("a store");
    store.put("a", "k", b"first").expect("kept");
    assert_eq!(store.get("a", "k").expect("asked"), Some(b"first".to_vec()));
    let plain = server.port.to_string();
    for (port, ca, what) in [
        (&*tls, path("other.pem"), "of another authority"),
        (&*plain, ca.clone(), "without TLS"),
        (&*tls, path("no.pem"), "no file"),
    ] {
        let refused = at(port, &ca).open().expect_err(what);
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied, "{what}: {refused}");
    }
}
