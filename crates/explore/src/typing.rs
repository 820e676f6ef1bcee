//! What somebody might type who knows the program: lines for the input that it reads.
//!
//! A parser of commands compares what it reads with words, a reader of files with a few magic bytes,
//! and `sscanf` reads what its format says. Characters at random never come that far, and the
//! constants of the program do not lead there, because the comparison is in a loop of the library.
//! So whole lines are made of what the program knows: its words, with names and numbers behind them,
//! and its formats filled in. There are few names, in some executions a single one, and small numbers,
//! so that what was put in is asked for again.

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::concrete::Chooser;
use trellis_program::ir::Init;
use trellis_program::{Block, Expr, InstrKind, ProcId, Program, Span, cfg};

/// Longest word.
const LONGEST: usize = 16;
/// Most words.
const MOST: usize = 48;
/// What comes behind a word.
const ENDS: [i64; 5] = [b'\n' as i64, 0, b' ' as i64, b'=' as i64, -1];
/// Names, of which nothing is known.
pub const NAMES: [&str; 5] = ["a", "b", "c", "ab", "d"];
/// Longest name, for what has no room for it; many are as long as usual buffers, or just fit.
const LONG: u32 = 300;
const POWERS: u32 = 9;
/// Numbers, likewise.
const NUMBERS: [&str; 6] = ["1", "2", "0", "3", "-1", "12"];
/// Most parts behind the first word of a line.
const PARTS: u32 = 3;

/// A part of a line.
#[derive(Clone, PartialEq, Debug)]
enum Part {
    Text(i64),
    Name,
    Number,
    Character,
}

/// What a program knows of its input.
#[derive(Clone, Debug, Default)]
pub struct Typist {
    /// Its string literals, in the order of the program.
    pub words: Vec<Vec<i64>>,
    /// What it reads with `sscanf`, each format once.
    formats: Vec<Vec<Part>>,
    /// Its constants that are printable characters.
    characters: Vec<i64>,
}

impl Typist {
    /// Reads a program: what it knows.
    pub fn of(program: &Program, proc: ProcId) -> Typist {
        let characters = constants(program, proc)
            .into_iter()
            .map(|(_, c)| c)
            .filter(|c| (0x21..0x7f).contains(c))
            .take(MOST)
            .collect();
        Typist { words: words(program), formats: formats(program, proc), characters }
    }

    /// Integers to choose from, with more of them than can be tried together: what can be typed,
    /// every constant of the code (a size, a modulus) with its neighbours, and the ends of integer
    /// types.
    pub fn integers(&self, program: &Program, proc: ProcId, ints: &[i64]) -> Vec<i64> {
        let near = |c: i64| [c.saturating_sub(1), c, c.saturating_add(1)];
        let constants =
            constants(program, proc).into_iter().take(CONSTANTS).flat_map(|(_, c)| near(c));
        let ends = [i8::MAX.into(), u8::MAX.into(), i32::MIN.into(), i32::MAX.into()];
        let given = NAMES.iter().chain(&NUMBERS).flat_map(|t| text(t));
        let texts = self.formats.iter().flatten().filter_map(|p| match p {
            Part::Text(c) => Some(*c),
            _ => None,
        });
        let all: BTreeSet<i64> = ints
            .iter()
            .copied()
            .chain(self.words.iter().flatten().copied())
            .chain(texts)
            .chain(given)
            .chain(ENDS)
            .chain(constants)
            .chain(ends)
            .collect();
        all.into_iter().collect()
    }

    /// A word, if there is one.
    fn word(&self, random: &mut dyn Chooser) -> Option<Vec<i64>> {
        pick(&self.words, random).cloned()
    }

    /// An argument of the command line, of so many names.
    pub fn argument(&self, names: usize, random: &mut dyn Chooser) -> Vec<i64> {
        let part = if random.choose(3) == 0 { Part::Number } else { Part::Name };
        let mut word = self.fill(&part, names, random);
        match random.choose(6) {
            0 => word.insert(0, b'-'.into()),
            1 => word = [b'-'.into(), word[0]].into(),
            _ => {}
        }
        word
    }

    /// A line, or what is like one, of so many names.
    pub fn line(&self, names: usize, random: &mut dyn Chooser) -> Vec<i64> {
        let mut line = match random.choose(8) {
            0..=3 if !self.formats.is_empty() => {
                let format = pick(&self.formats, random).cloned().unwrap_or_default();
                format.iter().flat_map(|part| self.fill(part, names, random)).collect()
            }
            4 => {
                let mixed = |random: &mut dyn Chooser| {
                    let part = if random.choose(2) == 0 { Part::Character } else { Part::Name };
                    self.fill(&part, names, random)
                };
                (0..=random.choose(PARTS + 1)).flat_map(|_| mixed(random)).collect()
            }
            5 => {
                return self
                    .word(random)
                    .unwrap_or_else(|| self.fill(&Part::Character, names, random));
            }
            _ => {
                let mut line = match random.choose(4) {
                    0 => self.fill(&Part::Character, names, random),
                    1 => self.fill(&Part::Number, names, random),
                    _ => self.word(random).unwrap_or_else(|| self.fill(&Part::Name, names, random)),
                };
                for _ in 0..random.choose(PARTS) {
                    line.push(b' '.into());
                    let part = if random.choose(2) == 0 { Part::Name } else { Part::Number };
                    line.extend(self.fill(&part, names, random));
                }
                line
            }
        };
        line.push(match random.choose(8) {
            0 => ENDS[random.choose(ENDS.len() as u32) as usize],
            _ => b'\n'.into(),
        });
        line
    }

    fn fill(&self, part: &Part, names: usize, random: &mut dyn Chooser) -> Vec<i64> {
        match part {
            Part::Text(c) => vec![*c],
            Part::Name => match random.choose(16) {
                0 => {
                    let length = match random.choose(4) {
                        0 => 1 << random.choose(POWERS),
                        1 => (1 << random.choose(POWERS)) - 1,
                        2 => random.choose(LONG),
                        _ => random.choose(LONG / 8),
                    };
                    vec![b'a'.into(); length as usize + 1]
                }
                1..=4 => self.word(random).unwrap_or_else(|| text(NAMES[0]).collect()),
                _ => pick(&NAMES[..names.clamp(1, NAMES.len())], random)
                    .into_iter()
                    .flat_map(|t| text(t))
                    .collect(),
            },
            Part::Number => pick(&NUMBERS, random).into_iter().flat_map(|t| text(t)).collect(),
            Part::Character => match pick(&self.characters, random) {
                Some(c) => vec![*c],
                None => self.fill(&Part::Name, names, random),
            },
        }
    }
}

fn text(t: &str) -> impl Iterator<Item = i64> + '_ {
    t.bytes().map(i64::from)
}

fn pick<'t, T>(from: &'t [T], random: &mut dyn Chooser) -> Option<&'t T> {
    if from.is_empty() { None } else { from.get(random.choose(from.len() as u32) as usize) }
}

/// The words of a program, each once, in the order of the program.
fn words(program: &Program) -> Vec<Vec<i64>> {
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
        while matches!(word.last(), Some(0 | 10)) {
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

/// The formats of `sscanf`. The front end has taken them apart into calls of models, all at the place
/// of the call.
fn formats(program: &Program, proc: ProcId) -> Vec<Vec<Part>> {
    let mut calls: BTreeMap<Span, Vec<Part>> = BTreeMap::new();
    for p in cfg::reachable_procs(program, proc) {
        for instr in program.proc(p).blocks().flat_map(|b| &b.instrs) {
            let InstrKind::Call { proc, args, .. } = &instr.kind else { continue };
            let part = match program.proc(*proc).name.as_str() {
                "trellis_scan_space" => Part::Text(b' '.into()),
                "trellis_scan_literal" => match args.get(1) {
                    Some(Expr::Int(c)) => Part::Text(*c),
                    _ => continue,
                },
                "trellis_scan_number" => Part::Number,
                "trellis_scan_character" => Part::Character,
                "trellis_scan_text" | "trellis_scan_set" => Part::Name,
                _ => continue,
            };
            calls.entry(instr.span).or_default().push(part);
        }
    }
    let mut all: Vec<Vec<Part>> = Vec::new();
    for format in calls.into_values() {
        if all.len() < MOST && !all.contains(&format) {
            all.push(format);
        }
    }
    all
}

/// Most constants that are tried.
const CONSTANTS: usize = 64;

/// The constants of the code, small ones first.
fn constants(program: &Program, proc: ProcId) -> BTreeSet<(u64, i64)> {
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
    constants
}
