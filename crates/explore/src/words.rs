//! The words that a program knows: its string literals, as input that it may have a branch for.
//!
//! A command parser compares what it reads with words, a reader of files with a few magic bytes. The
//! constants of the program do not lead there, because the comparison is in a loop of the library.

use std::collections::BTreeSet;

use trellis_program::Program;
use trellis_program::ir::Init;

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

/// Integers to choose from, the characters of words among them.
pub fn with_characters(ints: &[i64], words: &[Vec<i64>]) -> Vec<i64> {
    let characters = words.iter().flatten().copied().chain(ENDS);
    ints.iter().copied().chain(characters).collect::<BTreeSet<i64>>().into_iter().collect()
}
