//! Random methods do in the interpreter what they do in Java: the same result, or an exception
//! where a check fails. Needs `javac` and `java`, which `./test` installs.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use trellis_front_java::{Options, load_str};
use trellis_program::CheckKind;
use trellis_program::concrete::{Chooser, Finish, InitialHeap, Machine, MachineOptions, Value};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % below
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.next(from.len() as u64) as usize]
    }

    fn int(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self
                .pick(&[
                    "a",
                    "b",
                    "c",
                    "0",
                    "1",
                    "2",
                    "-1",
                    "7",
                    "2147483647",
                    "-2147483648",
                    "xs[a & 3]",
                    "n.key",
                    "G.s",
                ])
                .to_owned();
        }
        let d = depth - 1;
        match self.next(14) {
            0..=3 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.int(d), self.int(d))
            }
            4 => format!("({} {} {})", self.int(d), self.pick(&["/", "%"]), self.int(d)),
            5 => format!("({} {} {})", self.int(d), self.pick(&["<<", ">>", ">>>"]), self.int(d)),
            6 => format!("(-{})", self.pick(&["a", "b", "c"])),
            7 => format!("(~{})", self.int(d)),
            8 => format!("({} ? {} : {})", self.truth(d), self.int(d), self.int(d)),
            9 => format!("(int) ({})", self.long(d)),
            10 => format!("(({}) ({}))", self.pick(&["byte", "short", "char"]), self.int(d)),
            11 => format!("({}{})", self.pick(&["a", "b", "c", "n.key"]), self.pick(&["++", "--"])),
            12 => format!("({}{})", self.pick(&["++", "--"]), self.pick(&["a", "xs[0]", "G.s"])),
            _ => format!("G.step({}, {})", self.int(d), self.int(d)),
        }
    }

    fn long(&mut self, depth: u32) -> String {
        match depth {
            0 => self.pick(&["l", "3L", "(long) a", "4294967296L", "b"]).to_owned(),
            d => {
                let op = self.pick(&["+", "-", "*", "^", ">>>", "<<"]);
                format!("({} {op} {})", self.long(d - 1), self.int(d - 1))
            }
        }
    }

    fn truth(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.pick(&["p", "true", "(a < b)", "(n != null)", "(n == m)"]).to_owned();
        }
        let d = depth - 1;
        match self.next(5) {
            0 => format!("({} && {})", self.truth(d), self.truth(d)),
            1 => format!("({} || {})", self.truth(d), self.truth(d)),
            2 => format!("!({})", self.truth(d)),
            3 => format!(
                "({} {} {})",
                self.truth(d),
                self.pick(&["&", "|", "^", "==", "!="]),
                self.truth(d)
            ),
            _ => {
                let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({} {op} {})", self.int(d), self.int(d))
            }
        }
    }

    fn statement(&mut self, depth: u32, out: &mut String) {
        match self.next(16) {
            0..=2 => {
                let (v, e) = (self.pick(&["a", "b", "c"]), self.int(2));
                let _ = writeln!(out, "    {v} = {e};");
            }
            3 => {
                let op = self.pick(&["+=", "-=", "*=", "^=", "<<=", ">>="]);
                let place = self.pick(&["a", "b", "xs[1]", "n.key", "small", "l"]);
                let e = self.int(1);
                let _ = writeln!(out, "    {place} {op} {e};");
            }
            4 => {
                let e = self.long(2);
                let _ = writeln!(out, "    l = {e};");
            }
            5 => {
                let e = self.truth(2);
                let _ = writeln!(out, "    p = {e};");
            }
            6 => {
                let (i, e) = (self.int(1), self.int(1));
                let _ = writeln!(out, "    xs[({i}) & 3] = {e};");
            }
            7 => {
                let e = self.int(1);
                let _ = writeln!(out, "    m = new Node(); m.key = {e}; m.next = n; n = m;");
            }
            8 => out.push_str("    if (n != null) n = n.next;\n"),
            9 => {
                let _ = writeln!(out, "    n = {};", self.pick(&["n.next", "m", "null", "m.next"]));
            }
            10 => {
                let e = self.int(1);
                let _ = writeln!(out, "    xs = new int[({e}) & 7];");
            }
            11 => {
                let _ = writeln!(out, "    a = xs.length + {};", self.int(1));
            }
            12 | 13 if depth > 0 => {
                let cond = self.truth(1);
                let _ = writeln!(out, "    if ({cond}) {{");
                self.statement(depth - 1, out);
                out.push_str("    } else {\n");
                self.statement(depth - 1, out);
                out.push_str("    }\n");
            }
            14 | 15 if depth > 0 => {
                let i = format!("i{depth}");
                let _ =
                    writeln!(out, "    for (int {i} = 0; {i} < {}; {i}++) {{", 1 + self.next(4));
                self.statement(depth - 1, out);
                let cond = self.truth(1);
                let _ = writeln!(out, "    if ({cond}) {};", self.pick(&["break", "continue"]));
                self.statement(depth - 1, out);
                out.push_str("    }\n");
            }
            _ => out.push_str("    small = (byte) (small + 77);\n"),
        }
    }

    fn method(&mut self, index: usize) -> String {
        let mut body = String::new();
        for _ in 0..3 + self.next(6) {
            self.statement(2, &mut body);
        }
        format!(
            "  static int f{index}() {{
    int a = {}, b = {}, c = 3; long l = 5; boolean p = false; byte small = 100;
    int[] xs = new int[4]; Node n = new Node(), m = null; G.s = 1; n.key = 9;
{body}    return a + 31 * b + 17 * c + (int) l + (p ? 1 : 0) + small + G.s;
  }}\n",
            self.next(5),
            self.next(100)
        )
    }
}

struct NoChoice;

impl Chooser for NoChoice {
    fn choose(&mut self, _: u32) -> u32 {
        0
    }
}

/// What Java prints for a method, as the interpreter sees it.
fn interpreted(program: &trellis_program::Program, name: &str) -> String {
    let proc = program.find_proc(name).expect("the method is there");
    let machine = Machine::new(program, MachineOptions::default());
    let heap = InitialHeap::of_main(program);
    let trace = machine.run(proc, &heap, &mut NoChoice, 100_000);
    match trace.finish {
        Some(Finish::Returned(Value::Int(i))) => i.to_string(),
        Some(Finish::Failed(failure)) => match failure.kind {
            CheckKind::NullDeref => "NullPointerException".to_owned(),
            CheckKind::Bounds => "ArrayIndexOutOfBoundsException".to_owned(),
            CheckKind::DivByZero => "ArithmeticException".to_owned(),
            CheckKind::NegativeSize => "NegativeArraySizeException".to_owned(),
            other => format!("{other:?}"),
        },
        other => format!("{other:?}"),
    }
}

#[test]
fn random_methods_do_the_same() {
    const METHODS: usize = 300;
    let mut random = Random(20_070_116);
    let mut text = String::from(
        "class Node { Node next; int key; }\nclass G { static int s;\n  static int step(int x, int y) { s = s + x; return s - y; }\n}\nclass T {\n",
    );
    (0..METHODS).for_each(|i| text.push_str(&random.method(i)));
    text.push_str("}\n");
    let mut main = String::from("class Main {\n  public static void main(String[] args) {\n");
    for i in 0..METHODS {
        let _ = writeln!(
            main,
            "    try {{ System.out.println(T.f{i}()); }} catch (RuntimeException e) {{ \
             System.out.println(e.getClass().getSimpleName()); }}"
        );
    }
    main.push_str("  }\n}\n");
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("T.java"), &text).expect("written");
    fs::write(dir.path().join("Main.java"), &main).expect("written");
    let compiled = Command::new("javac")
        .args(["-nowarn", "T.java", "Main.java"])
        .current_dir(dir.path())
        .output()
        .expect("javac is needed (./test installs it)");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new("java").arg("Main").current_dir(dir.path()).output().expect("java runs");
    let printed = String::from_utf8_lossy(&ran.stdout);
    let java: Vec<&str> = printed.lines().collect();
    assert_eq!(java.len(), METHODS, "{}", String::from_utf8_lossy(&ran.stderr));

    let unit = load_str("T.java", &text, Options::default());
    let unit = unit.unwrap_or_else(|f| panic!("{:?}", f.diagnostics));
    assert!(unit.diagnostics.is_empty(), "{:?}", unit.diagnostics);
    let mut numbers = 0;
    for (i, expected) in java.iter().enumerate() {
        let name = format!("T.f{i}");
        let found = interpreted(&unit.program, &name);
        let start = text.find(&format!("static int f{i}()")).expect("its text");
        let end = text[start..].find("\n  }").map_or(text.len(), |e| start + e);
        assert_eq!(found, *expected, "{}", &text[start..end]);
        numbers += usize::from(expected.parse::<i64>().is_ok());
    }
    assert!(numbers > METHODS / 4, "only {numbers} methods return");
    assert!(numbers < METHODS, "no method throws");
}
