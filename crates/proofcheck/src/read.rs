//! Reading `proof.txt`; `files` has the format.
//!
//! **Invariant**: any text is read or rejected, without a panic. What was read is checked elsewhere:
//! a line may name a term of the wrong sort, but not one that is not there.

use trellis_logic::{
    Arena, FormulaId, FunId, Quantifier, RelId, SortId, TermId, VarId, Vocabulary,
};

use crate::files::HEADER;
use crate::proof::{Atom, GroundTerm, Instance, Law, Proof};
use crate::statement::Statement;
use crate::universal::Universal;
use crate::{Rejection, reject};

/// Formulas and terms that are nested deeper than this are rejected, because those who walk them
/// need a stack.
const DEEPEST: usize = 1000;

/// A proof without its steps.
pub(crate) fn proof(text: &str) -> Result<Proof, Rejection> {
    let mut lines = text.lines().enumerate();
    if lines.next().map(|(_, line)| line) != Some(HEADER) {
        return reject(format!("the first line is not `{HEADER}`"));
    }
    let mut reader = Reader::new();
    for (number, line) in lines {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        reader.line(line).map_err(|e| Rejection { reason: format!("line {}: {e}", number + 1) })?;
    }
    reader.new_symbols()?;
    let Reader { statement, ground, instances, laws, .. } = reader;
    Ok(Proof { statement, terms: ground, instances, laws, steps: Vec::new() })
}

struct Reader {
    statement: Statement,
    vars: Vec<VarId>,
    terms: Vec<TermId>,
    formulas: Vec<FormulaId>,
    /// How deep the terms, the formulas and the ground terms are.
    depths: [Vec<usize>; 3],
    /// The witnesses and elements, once one of them or of what uses them was met: those that the
    /// formulas have, and how many the file has named.
    universal: Option<(Universal, usize)>,
    ground: Vec<GroundTerm>,
    instances: Vec<Instance>,
    laws: Vec<Law>,
}

impl Reader {
    fn new() -> Self {
        let (vocabulary, arena) = (Vocabulary::new(), Arena::new());
        Reader {
            statement: Statement { vocabulary, arena, formulas: Vec::new() },
            vars: Vec::new(),
            terms: Vec::new(),
            formulas: vec![FormulaId::TRUE, FormulaId::FALSE],
            depths: [Vec::new(), vec![0; 2], Vec::new()],
            universal: None,
            ground: Vec::new(),
            instances: Vec::new(),
            laws: Vec::new(),
        }
    }

    fn line(&mut self, line: &str) -> Result<(), Rejection> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let late = matches!(word, "witness" | "element" | "ground" | "instance" | "law");
        if !late && self.universal.is_some() {
            return reject("a statement does not go on after its proof has begun");
        }
        if matches!(word, "term" | "formula" | "ground") {
            self.measure(word, &words(rest))?;
        }
        match word {
            "sort" | "function" | "relation" | "variable" | "witness" | "element" => {
                self.declaration(word, rest)
            }
            "term" => {
                let term = self.term(&words(rest))?;
                self.terms.push(term);
                Ok(())
            }
            "formula" => {
                let formula = self.formula(&words(rest))?;
                self.formulas.push(formula);
                Ok(())
            }
            "assert" => {
                let formula = item('A', rest, &self.formulas)?;
                self.statement.formulas.push(formula);
                Ok(())
            }
            "ground" => self.ground(&words(rest)),
            "instance" => self.instance(&words(rest)),
            "law" => self.law(rest),
            _ => reject(format!("`{word}` means nothing")),
        }
    }

    /// Says how deep the next term, formula or ground term is.
    fn measure(&mut self, word: &str, words: &[&str]) -> Result<(), Rejection> {
        let depth = |word: &&str| {
            ['T', 'A', 'G'].iter().zip(&self.depths).find_map(|(&letter, depths)| {
                number(letter, word).and_then(|n| depths.get(n)).copied()
            })
        };
        let depth = words.iter().filter_map(depth).max().unwrap_or(0) + 1;
        let kind = ["term", "formula", "ground"].iter().position(|&kind| kind == word);
        if let Some(kind) = kind {
            self.depths[kind].push(depth);
        }
        if depth > DEEPEST { reject("nested too deeply") } else { Ok(()) }
    }

    fn declaration(&mut self, word: &str, rest: &str) -> Result<(), Rejection> {
        let (name, rest) = string(rest)?;
        let mut sorts = Vec::new();
        let known: Vec<SortId> = self.statement.vocabulary.sorts().collect();
        for word in words(rest) {
            sorts.push(item('S', word, &known)?);
        }
        let vocabulary = &mut self.statement.vocabulary;
        match (word, sorts.split_last()) {
            ("sort", None) => {
                vocabulary.sort(name);
            }
            ("function", Some((&result, args))) => {
                vocabulary.function(name, args, result);
            }
            ("relation", _) => {
                vocabulary.relation(name, &sorts);
            }
            ("variable", Some((&sort, []))) => {
                let var = self.statement.arena.variable(name, sort);
                self.vars.push(var);
            }
            ("witness" | "element", Some((&result, args))) => {
                self.new_symbol(word, &name, args, result)?;
            }
            _ => return reject("a wrong number of sorts"),
        }
        Ok(())
    }

    /// The symbols that the checker adds to those of the statement.
    fn universal(&mut self) -> Result<&mut (Universal, usize), Rejection> {
        let universal = match self.universal.take() {
            Some(universal) => universal,
            None => (Universal::new(&self.statement)?, 0),
        };
        Ok(self.universal.insert(universal))
    }

    fn new_symbol(
        &mut self,
        word: &str,
        name: &str,
        args: &[SortId],
        result: SortId,
    ) -> Result<(), Rejection> {
        let (universal, named) = self.universal()?;
        let fun = match universal.witnesses.get(*named) {
            Some(&fun) if word == "witness" => Some(fun),
            None if word == "element" => {
                let index = *named - universal.witnesses.len();
                universal.elements.get(index).map(|&(_, fun)| fun)
            }
            _ => None,
        };
        *named += 1;
        match fun.map(|f| universal.vocabulary.fun(f)) {
            Some(fun) if fun.name == name && fun.args == args && fun.result == result => Ok(()),
            _ => reject(format!("the formulas do not have the {word} `{name}` here")),
        }
    }

    /// Checks that all new symbols were named.
    fn new_symbols(&mut self) -> Result<(), Rejection> {
        let (universal, named) = self.universal()?;
        match *named == universal.witnesses.len() + universal.elements.len() {
            true => Ok(()),
            false => reject("a witness or an element is missing"),
        }
    }

    fn funs(&self) -> Vec<FunId> {
        match &self.universal {
            Some((universal, _)) => universal.vocabulary.funs().collect(),
            None => self.statement.vocabulary.funs().collect(),
        }
    }

    fn term(&mut self, words: &[&str]) -> Result<TermId, Rejection> {
        let arena = &mut self.statement.arena;
        match words {
            [var] if var.starts_with('V') => {
                let var = item('V', var, &self.vars)?;
                Ok(arena.var_term(var))
            }
            ["ite", condition, a, b] => {
                let condition = item('A', condition, &self.formulas)?;
                let (a, b) = (item('T', a, &self.terms)?, item('T', b, &self.terms)?);
                Ok(arena.ite(condition, a, b))
            }
            [fun, args @ ..] => {
                let funs: Vec<FunId> = self.statement.vocabulary.funs().collect();
                let fun = item('F', fun, &funs)?;
                Ok(arena.app(fun, &items('T', args, &self.terms)?))
            }
            [] => reject("a term is missing"),
        }
    }

    fn formula(&mut self, words: &[&str]) -> Result<FormulaId, Rejection> {
        let [word, rest @ ..] = words else {
            return reject("a formula is missing");
        };
        if *word == "eq" || word.starts_with('R') {
            let args = items('T', rest, &self.terms)?;
            return match (*word, &args[..]) {
                ("eq", [a, b]) => Ok(self.statement.arena.eq(*a, *b)),
                ("eq", _) => reject("an equality has two sides"),
                _ => {
                    let rels: Vec<RelId> = self.statement.vocabulary.rels().collect();
                    let rel = item('R', word, &rels)?;
                    Ok(self.statement.arena.rel(rel, &args))
                }
            };
        }
        let arena = &mut self.statement.arena;
        if let ("forall" | "exists", [body, vars @ ..]) = (*word, rest) {
            let quantifier = match *word {
                "forall" => Quantifier::Forall,
                _ => Quantifier::Exists,
            };
            let body = item('A', body, &self.formulas)?;
            return Ok(arena.quant(quantifier, &items('V', vars, &self.vars)?, body));
        }
        let parts = items('A', rest, &self.formulas)?;
        match (*word, &parts[..]) {
            ("not", [a]) => Ok(arena.not(*a)),
            ("and", _) => Ok(arena.and(parts)),
            ("or", _) => Ok(arena.or(parts)),
            ("implies", [a, b]) => Ok(arena.implies(*a, *b)),
            ("iff", [a, b]) => Ok(arena.iff(*a, *b)),
            _ => reject(format!("`{word}` with {} operands", parts.len())),
        }
    }

    fn ground(&mut self, words: &[&str]) -> Result<(), Rejection> {
        self.new_symbols()?;
        let [fun, args @ ..] = words else {
            return reject("a function is missing");
        };
        let fun = item('F', fun, &self.funs())?;
        let args = self.numbers(args)?;
        self.ground.push(GroundTerm { fun, args });
        Ok(())
    }

    fn instance(&mut self, words: &[&str]) -> Result<(), Rejection> {
        let [formula, part, terms @ ..] = words else {
            return reject("a formula and its part should be named");
        };
        let number = |word: &str| match word.parse() {
            Ok(number) => Ok(number),
            Err(_) => reject(format!("`{word}` is not a number")),
        };
        let (formula, part) = (number(formula)?, number(part)?);
        let terms = self.numbers(terms)?;
        self.instances.push(Instance { formula, part, terms });
        Ok(())
    }

    fn law(&mut self, text: &str) -> Result<(), Rejection> {
        let rels: Vec<RelId> = self.statement.vocabulary.rels().collect();
        let mut literals = Vec::new();
        for literal in text.split(" | ") {
            let (positive, atom) = match literal.strip_prefix("not ") {
                Some(atom) => (false, atom),
                None => (true, literal),
            };
            let all = words(atom);
            let atom = match &all[..] {
                ["eq", sides @ ..] => match self.numbers(sides)?[..] {
                    [a, b] => Atom::Equal(a, b),
                    _ => return reject("an equality has two sides"),
                },
                [rel, args @ ..] => Atom::Holds(item('R', rel, &rels)?, self.numbers(args)?),
                [] => return reject("a literal is missing"),
            };
            literals.push((positive, atom));
        }
        self.laws.push(Law { literals });
        Ok(())
    }

    /// The numbers of ground terms.
    fn numbers(&self, words: &[&str]) -> Result<Vec<usize>, Rejection> {
        let known = |word: &&str| match number('G', word) {
            Some(n) if n < self.ground.len() => Ok(n),
            _ => reject(format!("`{word}` is not a known G")),
        };
        words.iter().map(known).collect()
    }
}

fn words(text: &str) -> Vec<&str> {
    text.split(' ').filter(|w| !w.is_empty()).collect()
}

/// The number that follows the letter.
fn number(letter: char, word: &str) -> Option<usize> {
    word.strip_prefix(letter)?.parse().ok()
}

/// The item with the number that follows the letter.
fn item<T: Copy>(letter: char, word: &str, items: &[T]) -> Result<T, Rejection> {
    match number(letter, word).and_then(|n| items.get(n)) {
        Some(&item) => Ok(item),
        None => reject(format!("`{word}` is not a known {letter}")),
    }
}

fn items<T: Copy>(letter: char, words: &[&str], known: &[T]) -> Result<Vec<T>, Rejection> {
    words.iter().map(|word| item(letter, word, known)).collect()
}

/// A string in double quotes, and what follows it.
fn string(text: &str) -> Result<(String, &str), Rejection> {
    let Some(rest) = text.strip_prefix('"') else {
        return reject("a string in double quotes should be here");
    };
    let mut name = String::new();
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((name, &rest[at + 1..])),
            '\\' => name.push(match chars.next() {
                Some((_, 'n')) => '\n',
                Some((_, 'r')) => '\r',
                Some((_, c @ ('"' | '\\'))) => c,
                _ => return reject("no such escape"),
            }),
            c => name.push(c),
        }
    }
    reject("the string does not end")
}
