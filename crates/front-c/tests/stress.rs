//! Damaged programs: whatever the text, the front end answers and does not panic.

use trellis_front_c::load_str;

/// Programs without directives, so that no preprocessor is needed.
const SEEDS: [&str; 7] = [
    include_str!("golden/competition.c"),
    include_str!("golden/goto_heavy.c"),
    include_str!("golden/values.c"),
    include_str!("golden/pointers.c"),
    include_str!("golden/machine.c"),
    include_str!("golden/unsupported.c"),
    include_str!("golden/reborn.c"),
];

/// Tokens to throw in.
const EXTRA: [&str; 28] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "->",
    ".",
    "=",
    "?",
    ":",
    "0",
    "struct",
    "union",
    "int",
    "sizeof",
    "goto",
    "case",
    "typedef",
    "static",
    "/*@",
    "//@ assert 1 ==> 0;\n",
    "'",
    "\"",
];

/// A small deterministic generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// Words and single characters, with the blanks before them.
fn tokens(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut last_word = false;
    for (i, c) in text.char_indices() {
        let word = c == '_' || c.is_alphanumeric();
        if !(word && last_word) && i > start {
            out.push(&text[start..i]);
            start = i;
        }
        last_word = word;
    }
    out.push(&text[start..]);
    out
}

fn damage(pieces: &mut Vec<String>, random: &mut Random) {
    let at = random.below(pieces.len());
    match random.below(5) {
        0 => {
            pieces.remove(at);
        }
        1 => pieces.insert(at, pieces[at].clone()),
        2 => pieces.insert(at, EXTRA[random.below(EXTRA.len())].to_owned()),
        3 => {
            let other = random.below(pieces.len());
            pieces.swap(at, other);
        }
        _ => pieces[at] = pieces[random.below(pieces.len())].clone(),
    }
}

#[test]
fn damaged_programs_never_panic() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut usable = 0;
    for round in 0..10_000 {
        let seed = SEEDS[round % SEEDS.len()];
        let mut pieces: Vec<String> = tokens(seed).into_iter().map(str::to_owned).collect();
        for _ in 0..=random.below(4) {
            damage(&mut pieces, &mut random);
        }
        let text = pieces.concat();
        match load_str("damaged.c", &text) {
            Ok(_) => usable += 1,
            Err(f) => {
                let internal = f.diagnostics.iter().find(|d| d.message.contains("internal error"));
                assert!(internal.is_none(), "round {round}:\n{text}");
            }
        }
    }
    assert!(usable > 500, "only {usable} damaged programs are still programs");
}

#[test]
fn bytes_never_panic() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for round in 0..2_000 {
        let length = random.below(200);
        let text: String = (0..length)
            .map(|_| char::from_u32(random.below(if round % 2 == 0 { 128 } else { 0x3000 }) as u32))
            .map(|c| c.unwrap_or('?'))
            .collect();
        if let Err(f) = load_str("noise.c", &text) {
            assert!(!f.diagnostics.is_empty());
            assert!(!f.diagnostics[0].message.contains("internal error"), "{text:?}");
        }
    }
}
