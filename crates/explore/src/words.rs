//! The words that a program knows: its string literals, as input that it may have a branch for.
//!
//! A command parser compares what it reads with words, a reader of files with a few magic bytes. The
//! constants of the program do not lead there, because the comparison is in a loop of the library.

use std::collections::BTreeSet;

use trellis_program::ir::Init;
use trellis_program::{Block, Expr, ProcId, Program, cfg};

/// Longest word.
const LONGEST: usize = 16;
/// Most words.
const MOST: usize = 48;
/// What comes behind a word.
pub const ENDS: [i64; 5] = [b'\n' as i64, 0, b' ' as i64, b'=' as i64, -1];

/// The words of a program, each once, in the order of the program.
pub fn words(program: &Program) -> Vec<Vec<i64>> {
    let mut known = BTreeSet::new();
    let mut all = Vec::new();
    let own = program.globals.iter().filter(|g| g.is_literal());
    for global in own.filter(|g| !program.sources.is_model(g.span)) {
        let mut word: Vec<i64> = Vec::new();
        for (offset, _, init) in &global.init {
            if let Init::Int(c) = init {
                word.resize(*offset as usize, 0);
                word.push(*c);
            }
        }
        while word.last() == Some(&0) {
            word.pop();
        }
        let is_word = (1..=LONGEST).contains(&word.len())
            && !word.contains(&i64::from(b'%'))
            && !word.contains(&i64::from(b'\n'));
        if is_word && all.len() < MOST && known.insert(word.clone()) {
            all.push(word);
        }
    }
    all
}

/// Most constants that are added.
const CONSTANTS: usize = 64;

/// Integers to choose from, with more of them than can be tried together: the characters of words,
/// every constant of the code (a size, a modulus) with its neighbours, and the ends of integer types.
pub fn with_more(program: &Program, proc: ProcId, ints: &[i64], words: &[Vec<i64>]) -> Vec<i64> {
    let mut constants = BTreeSet::new();
    for p in cfg::reachable_procs(program, proc) {
        for e in program.proc(p).blocks().flat_map(Block::exprs) {
            e.visit(&mut |e| {
                if let Expr::Int(c) = e {
                    constants.insert((c.unsigned_abs(), *c));
                }
            });
        }
    }
    let near = |c: i64| [c.saturating_sub(1), c, c.saturating_add(1)];
    let constants = constants.into_iter().take(CONSTANTS).flat_map(|(_, c)| near(c));
    let ends = [i8::MAX.into(), u8::MAX.into(), i32::MIN.into(), i32::MAX.into()];
    let characters = words.iter().flatten().copied().chain(ENDS);
    let all: BTreeSet<i64> =
        ints.iter().copied().chain(characters).chain(constants).chain(ends).collect();
    all.into_iter().collect()
}
