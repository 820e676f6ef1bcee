//! The same program run by the machine of the compiler and by ours gives the same result.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use trellis_front_c::{Options, load};
use trellis_program::concrete::{Chooser, Finish, InitialHeap, Machine, MachineOptions, Value};

/// Nothing in these programs is left open.
struct First;

impl Chooser for First {
    fn choose(&mut self, _options: u32) -> u32 {
        0
    }
}

/// What `main` returns when the lowered program is interpreted.
fn interpret(path: &Path) -> i64 {
    let unit = match load(path, &Options::default()) {
        Ok(unit) => unit,
        Err(f) => panic!("{:#?}", f.diagnostics),
    };
    assert!(unit.diagnostics.is_empty(), "{:#?}", unit.diagnostics);
    let program = &unit.program;
    let main = program.find_proc("main").expect("a main");
    let machine = Machine::new(program, MachineOptions::default());
    let mut state = machine.start(main, &InitialHeap::of_main(program));
    for _ in 0..1_000_000 {
        if let Some(finish) = machine.step(&mut state, &mut First) {
            return match finish {
                Finish::Returned(Value::Int(n)) => n,
                other => panic!("{}: {other:?}", path.display()),
            };
        }
    }
    panic!("{} does not end", path.display());
}

/// What the compiled program returns.
fn execute(path: &Path) -> i64 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let binary = folder.path().join("program");
    let compiled = Command::new("cc")
        .args(["-w", "-fwrapv", "-o"])
        .args([&binary, path])
        .status()
        .expect("a C compiler");
    assert!(compiled.success());
    let status = Command::new(binary).status().expect("the program runs");
    i64::from(status.code().expect("the program ends by itself"))
}

fn agree(path: &Path) {
    assert_eq!(interpret(path), execute(path), "{}", path.display());
}

#[test]
fn programs_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run");
    for name in ["integers.c", "control.c", "memory.c", "compatible.c"] {
        agree(&folder.join(name));
    }
}

/// A small deterministic generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

const TYPES: [&str; 9] = [
    "char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "_Bool",
];

/// An integer expression over `v0` … `v8` without undefined behaviour (signed overflow wraps).
fn expression(random: &mut Random, depth: u32, out: &mut String) {
    if depth == 0 || random.below(8) == 0 {
        match random.below(3) {
            0 => write!(out, "{}", random.below(300)),
            1 => write!(out, "0x{:x}u", random.below(1 << 33)),
            _ => write!(out, "v{}", random.below(9)),
        }
        .expect("a string");
        return;
    }
    let open = |s: &str, out: &mut String| out.push_str(s);
    match random.below(9) {
        0 => {
            let ty = TYPES[random.below(9) as usize];
            write!(out, "({ty})").expect("a string");
            expression(random, depth - 1, out);
        }
        1 => {
            open(["-", "~", "!", "+"][random.below(4) as usize], out);
            open("(", out);
            expression(random, depth - 1, out);
            open(")", out);
        }
        2 => {
            open("(", out);
            expression(random, depth - 1, out);
            open(" ? ", out);
            expression(random, depth - 1, out);
            open(" : ", out);
            expression(random, depth - 1, out);
            open(")", out);
        }
        3 => {
            // The divisor is odd and positive after conversion to a small type.
            open("(", out);
            expression(random, depth - 1, out);
            open([" / ", " % "][random.below(2) as usize], out);
            open("((unsigned char)(", out);
            expression(random, depth - 1, out);
            open(") | 1))", out);
        }
        4 => {
            open("((", out);
            expression(random, depth - 1, out);
            open([") << ", ") >> "][random.below(2) as usize], out);
            open("((", out);
            expression(random, depth - 1, out);
            open(") & 7))", out);
        }
        _ => {
            const OPERATORS: [&str; 14] =
                ["+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||"];
            open("(", out);
            expression(random, depth - 1, out);
            write!(out, " {} ", OPERATORS[random.below(14) as usize]).expect("a string");
            expression(random, depth - 1, out);
            open(")", out);
        }
    }
}

#[test]
fn random_arithmetic_agrees() {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let folder = tempfile::tempdir().expect("a temporary folder");
    for round in 0..4 {
        let mut text = String::from("static unsigned long h;\n");
        let functions = 60;
        for f in 0..functions {
            let params: Vec<String> =
                TYPES.iter().enumerate().map(|(i, t)| format!("{t} v{i}")).collect();
            let mut e = String::new();
            expression(&mut random, 5, &mut e);
            let (v, ty) = (random.below(9), TYPES[random.below(9) as usize]);
            let mut right = String::new();
            expression(&mut random, 3, &mut right);
            let op = ["=", "+=", "-=", "*=", "&=", "|=", "^="][random.below(7) as usize];
            writeln!(text, "{ty} f{f}({}) {{ v{v} {op} {right}; return {e}; }}", params.join(", "))
                .expect("a string");
        }
        text.push_str("int main(void) {\n");
        for f in 0..functions {
            let args: Vec<String> =
                (0..9).map(|_| format!("0x{:x}ul", random.below(u64::MAX))).collect();
            writeln!(text, "h = h * 31 + f{f}({});", args.join(", ")).expect("a string");
        }
        text.push_str("return (h ^ h >> 32 ^ h >> 17) % 251;\n}\n");
        let path = folder.path().join(format!("random{round}.c"));
        std::fs::write(&path, text).expect("a file");
        agree(&path);
    }
}
