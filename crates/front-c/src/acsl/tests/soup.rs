//! No text makes the parser or the resolver panic.

use super::{Plain, World, run};
use crate::acsl::{Annotation, parse, resolve_formula};

/// A small generator, so that a failure repeats to the letter.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

const PIECES: [&str; 96] = [
    "requires ",
    "ensures ",
    "assigns ",
    "assert ",
    "loop invariant ",
    "predicate p",
    "ghost ",
    "behavior b: ",
    "assumes ",
    "\\forall ",
    "\\exists ",
    "\\old(",
    "\\at(",
    "\\result",
    "\\null",
    "\\empty",
    "\\true",
    "\\in",
    "\\union(",
    "\\valid(",
    "\\nothing",
    "\\set(",
    "reach(",
    "ls(",
    "content(",
    "sorted(",
    "rev(",
    "cyclic(",
    "h",
    "n",
    "s",
    "o",
    "v",
    "k",
    "it",
    "q",
    "r",
    "head",
    "count",
    "pool",
    "sentinel",
    "NULL",
    "RED",
    "next",
    "link",
    "data",
    "key",
    "weight",
    "struct ",
    "node ",
    "item ",
    "opaque ",
    "int ",
    "integer ",
    "list ",
    "void ",
    "set<",
    "i",
    ", ",
    "; ",
    ")",
    "(",
    "[",
    "]",
    "{",
    "}",
    "->",
    ".",
    "*",
    "&",
    "!",
    "-",
    "+",
    "/",
    "%",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    "&&",
    "||",
    "==>",
    "<==>",
    "?",
    ":",
    "|",
    "=",
    "0",
    "1",
    "0x7fffffffffffffff",
    "'a'",
    "\n@",
    "// é\n",
    "é",
    "\\",
];

#[test]
fn token_soup_never_panics() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut parsed, mut resolved) = (0, 0);
    for _ in 0..60_000 {
        let mut text = String::from(["//@ ", "/*@ "][random.below(2)]);
        text += ["", "assert ", "requires ", "ensures ", "assigns "][random.below(5)];
        for _ in 0..random.below(12) {
            text += PIECES[random.below(PIECES.len())];
            text += ["", " "][random.below(2)];
        }
        text += ["", ";", "; */"][random.below(3)];
        parsed += usize::from(parse(&text, &Plain).is_ok());
        resolved += usize::from(run(&text, &mut World::new()).is_ok());
    }
    assert!(parsed > 200 && resolved > 50, "{parsed} parsed, {resolved} resolved");
}

#[test]
fn mutated_contracts_never_panic() {
    let seeds = [
        "/*@ requires ls(next, h, NULL) && 0 <= n < 10;\n  @ assigns { v->next | struct node *v; \
         reach(next, h, v) }, pool[n].key, *it;\n  @ ensures \\forall struct node *v, *w; \
         reach(next, \\result, v) <==> \\old(reach(next, h, v)); @*/",
        "/*@ predicate p(struct node *a, set<struct node *> s) = a \\in s || (list)a == &sentinel;\n \
         behavior b: assumes n == (h ? 1 : 2); ensures p(h, \\union({h, NULL}, content(next, r)));*/",
        "//@ ghost int a[2] = {1, 'x'};\n//@ loop invariant s.link.next == &it->link && \
         sorted(next, data, h, NULL);\n//@ assert k->next[0] == *&k->down && sizeof(struct skip) > 1;",
    ];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for round in 0..15_000 {
        let mut chars: Vec<char> = seeds[round % seeds.len()].chars().collect();
        for _ in 0..1 + random.below(4) {
            let at = random.below(chars.len());
            match random.below(4) {
                0 => drop(chars.remove(at)),
                1 => chars.insert(at, char::from(32 + random.below(95) as u8)),
                2 => {
                    let piece = PIECES[random.below(PIECES.len())];
                    chars.splice(at..at, piece.chars());
                }
                _ => {
                    let other = random.below(chars.len());
                    chars.swap(at, other);
                }
            }
        }
        let text: String = chars.into_iter().collect();
        let mut world = World::new();
        if let Err(errors) = run(&text, &mut world) {
            assert!(!errors.is_empty());
            for e in errors {
                let span = e.span.unwrap();
                assert!(text.get(span.start as usize..span.end as usize).is_some(), "{text}");
            }
        }
    }
}

#[test]
fn hostile_nesting_is_an_error() {
    let n = 100_000;
    for text in [
        "(".repeat(n),
        "!".repeat(n),
        "h->next".to_string() + &"->next".repeat(n) + " == h",
        "n".to_string() + &"+n".repeat(n) + " == 0",
        "n".to_string() + &" ==> n".repeat(n),
        "n".to_string() + &" <==> n".repeat(n),
        "n ? ".repeat(n) + "1" + &": 2".repeat(n),
        "\\forall int i; ".repeat(n) + "i",
        "\\old(".repeat(n),
        "{".repeat(n),
        "reach(".repeat(n),
        "pool[".repeat(n),
        "\\forall set<".to_string() + &"set<".repeat(n),
        "\\forall int ".to_string() + &"*".repeat(n) + "p; p",
        "0 <= (".repeat(25) + "n" + &") <= 1".repeat(25),
        "(".repeat(25) + "n" + &" ? n == 1 : n == 2)".repeat(25),
    ] {
        let text = format!("//@ assert {text};");
        assert!(run(&text, &mut World::new()).is_err(), "{:.60}", text);
    }
}

#[test]
fn long_flat_formulas_are_fine() {
    let n = 20_000;
    for text in [
        "n".to_string() + &" && n".repeat(n),
        "n".to_string() + &" || n".repeat(n),
        "n".to_string() + &" <= n".repeat(n),
        format!("h \\in {{h{}}}", ", h".repeat(n)),
        format!("\\separated(h, h{})", ", h".repeat(n)),
    ] {
        let text = format!("//@ assert {text};");
        let annotations = parse(&text, &Plain).unwrap().expect("a contract");
        let Annotation::Assert(f) = &annotations[0] else {
            panic!("an assert was written");
        };
        resolve_formula(f, &mut World::new()).unwrap();
    }
}

#[test]
fn nesting_up_to_the_limit_fits_the_stack() {
    let arrows = "h".to_string() + &"->next".repeat(55) + " == h";
    let negations = "!(".repeat(25) + "h->next == NULL" + &")".repeat(25);
    let conditions = "(n ? ".repeat(25) + "n" + &" : 1)".repeat(25);
    for deep in [arrows, negations, conditions] {
        run(&format!("//@ assert {deep};"), &mut World::new()).unwrap();
    }
}
