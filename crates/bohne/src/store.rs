//! A store of answers that outlives a step (section 5): questions up to renaming.
//!
//! A question is a **base**, the facts of a path, and what is assumed besides; all of it as text in which
//! symbols are numbered by their first occurrence in the base and bound variables by their depth. So
//! two paths of different procedures that say the same have the same questions, and a path has them
//! again when predicates were added.
//!
//! * Assumptions that contradict the base are kept as their core: more assumptions contradict it too.
//! * Assumptions that have a model are kept with it: fewer assumptions have it too. Of the model the
//!   values of predicates are kept, so it serves wherever no other predicates are asked about.
//!
//! [`Memory`] is the store of one analysis, [`Shared`] one of many, which can be kept where the answers
//! of provers are.
//!
//! **Invariant.** The same calls in the same order give the same answers.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::{Arc, Mutex};

use trellis_logic::{Arena, Formula, FormulaId, FunId, RelId, SortId, Term, TermId, Vocabulary};
use trellis_store::{Shelf, Store as Kept, digest};

/// What is assumed besides a base, as texts.
pub type Assumed = BTreeSet<String>;

/// A model, as the values of predicates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredModel {
    /// The predicates before and after the path, as texts.
    pub predicates: Vec<String>,
    /// For every object, their values.
    pub objects: Vec<Vec<bool>>,
}

/// What a store knows of a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Known {
    /// These assumptions contradict the base.
    Contradiction(Assumed),
    /// There is a model.
    Model(StoredModel),
}

/// Keeps answers.
pub trait Store {
    /// What is known of assumptions beside a base, for whoever asks about these predicates.
    fn find(&self, base: &str, assumed: &Assumed, predicates: &[String]) -> Option<Known>;

    /// Keeps that assumptions contradict a base.
    fn keep_contradiction(&mut self, base: &str, core: Assumed);

    /// Keeps a model of a base and assumptions.
    fn keep_model(&mut self, base: &str, assumed: Assumed, model: StoredModel);
}

/// What is known of one base.
#[derive(Debug, Default)]
struct OfBase {
    contradictions: Vec<Assumed>,
    models: Vec<(Assumed, StoredModel)>,
}

/// A store in memory.
#[derive(Debug, Default)]
pub struct Memory {
    bases: BTreeMap<String, OfBase>,
}

impl Store for Memory {
    fn find(&self, base: &str, assumed: &Assumed, predicates: &[String]) -> Option<Known> {
        let known = self.bases.get(base)?;
        if let Some(core) = known.contradictions.iter().find(|core| core.is_subset(assumed)) {
            return Some(Known::Contradiction(core.clone()));
        }
        let serves = |(kept, model): &&(Assumed, StoredModel)| {
            assumed.is_subset(kept) && predicates.iter().all(|p| model.predicates.contains(p))
        };
        let (_, model) = known.models.iter().find(serves)?;
        Some(Known::Model(model.clone()))
    }

    fn keep_contradiction(&mut self, base: &str, core: Assumed) {
        self.bases.entry(base.to_owned()).or_default().contradictions.push(core);
    }

    fn keep_model(&mut self, base: &str, assumed: Assumed, model: StoredModel) {
        self.bases.entry(base.to_owned()).or_default().models.push((assumed, model));
    }
}

/// The kind of records that are kept.
const KIND: &str = "path";
/// Their version.
const VERSION: &str = "1";

/// A store of many analyses; copies share it.
#[derive(Clone, Debug, Default)]
pub struct Shared(Arc<Mutex<Inside>>);

#[derive(Debug, Default)]
struct Inside {
    memory: Memory,
    shelf: Option<Shelf>,
    records: usize,
    warning: Option<String>,
}

impl Shared {
    /// A store whose answers are kept from run to run.
    ///
    /// # Errors
    /// If what keeps them cannot be used.
    pub fn open(kept: &Arc<dyn Kept>) -> io::Result<Shared> {
        let shelf = Shared::shelf(kept);
        let mut records = shelf.records()?;
        let mut inside = Inside::default();
        for content in &records.contents {
            match read(content, &mut inside.memory) {
                Some(()) => inside.records += 1,
                None => records.ignored += 1,
            }
        }
        inside.warning = records.warning("answers about paths");
        inside.shelf = Some(shelf);
        Ok(Shared(Arc::new(Mutex::new(inside))))
    }

    /// Its records.
    pub fn shelf(kept: &Arc<dyn Kept>) -> Shelf {
        Shelf::new(Arc::clone(kept), KIND, VERSION)
    }

    /// How many answers it had when it was opened.
    pub fn records(&self) -> usize {
        self.0.lock().map_or(0, |kept| kept.records)
    }

    /// What is wrong with what was kept, told once.
    pub fn warning(&self) -> Option<String> {
        self.0.lock().ok().and_then(|mut kept| kept.warning.take())
    }
}

/// Bases are long, so they are known by their digests.
impl Store for Shared {
    fn find(&self, base: &str, assumed: &Assumed, predicates: &[String]) -> Option<Known> {
        self.0.lock().ok()?.memory.find(&digest(base), assumed, predicates)
    }

    fn keep_contradiction(&mut self, base: &str, core: Assumed) {
        let Ok(mut kept) = self.0.lock() else { return };
        let base = digest(base);
        let words: Vec<&str> = core.iter().map(String::as_str).collect();
        kept.append(&format!("never\t{base}\t{}", words.join("\t")));
        kept.memory.keep_contradiction(&base, core);
    }

    fn keep_model(&mut self, base: &str, assumed: Assumed, model: StoredModel) {
        let Ok(mut kept) = self.0.lock() else { return };
        let base = digest(base);
        let bits = |object: &Vec<bool>| -> String {
            object.iter().map(|bit| if *bit { '1' } else { '0' }).collect()
        };
        let objects: Vec<String> = model.objects.iter().map(bits).collect();
        let words: Vec<&str> = assumed.iter().map(String::as_str).collect();
        let (count, words) = (words.len(), words.join("\t"));
        let gap = if count == 0 { "" } else { "\t" };
        let predicates = model.predicates.join("\t");
        let objects = objects.join(",");
        kept.append(&format!("model {count}\t{base}\t{objects}\t{words}{gap}{predicates}"));
        kept.memory.keep_model(&base, assumed, model);
    }
}

impl Inside {
    fn append(&mut self, payload: &str) {
        if let Some(shelf) = &self.shelf
            && let Err(e) = shelf.append(payload)
        {
            self.warning = Some(format!("the cache cannot be written: {e}"));
            self.shelf = None;
        }
    }
}

/// A record, if it makes sense.
fn read(payload: &str, memory: &mut Memory) -> Option<()> {
    let mut parts = payload.split('\t');
    let (kind, base) = (parts.next()?, parts.next()?);
    if kind == "never" {
        let core = parts.filter(|p| !p.is_empty()).map(str::to_owned).collect();
        memory.keep_contradiction(base, core);
        return Some(());
    }
    let count: usize = kind.strip_prefix("model ")?.parse().ok()?;
    let objects = parts.next()?;
    let rest: Vec<String> = parts.filter(|p| !p.is_empty()).map(str::to_owned).collect();
    let predicates = rest.get(count..)?.to_vec();
    let bits = |text: &str| -> Option<Vec<bool>> {
        let all: Vec<bool> = text.chars().map(|c| c == '1').collect();
        (all.len() == predicates.len()).then_some(all)
    };
    let objects: Option<Vec<Vec<bool>>> = objects.split(',').map(bits).collect();
    let assumed = rest[..count].iter().cloned().collect();
    memory.keep_model(base, assumed, StoredModel { objects: objects?, predicates });
    Some(())
}

/// Names of symbols by their first occurrence.
#[derive(Clone, Debug, Default)]
pub struct Renaming {
    funs: BTreeMap<FunId, usize>,
    rels: BTreeMap<RelId, usize>,
}

impl Renaming {
    /// A formula as text; symbols that are met for the first time get the next numbers.
    pub fn text(&mut self, arena: &mut Arena, formula: FormulaId) -> String {
        let formula = arena.alpha_normal(formula);
        let mut out = String::new();
        self.formula(arena, formula, &mut out);
        out
    }

    /// Gives the symbols of a term the next numbers.
    pub fn number(&mut self, arena: &Arena, term: TermId) {
        self.term(arena, term, &mut String::new());
    }

    /// The symbols that have numbers, in the order of these, with their sorts.
    pub fn sorts(&self, vocabulary: &Vocabulary) -> String {
        let mut funs: Vec<_> = self.funs.iter().map(|(fun, number)| (*number, *fun)).collect();
        let mut rels: Vec<_> = self.rels.iter().map(|(rel, number)| (*number, *rel)).collect();
        funs.sort_unstable();
        rels.sort_unstable();
        let of = |sorts: &[SortId]| sorts.iter().map(|s| format!(" {}", s.index())).collect();
        let mut out = String::new();
        for (_, fun) in funs {
            let args: String = of(&vocabulary.fun(fun).args);
            out.push_str(&format!("({} <-{args})", vocabulary.fun(fun).result.index()));
        }
        for (_, rel) in rels {
            let args: String = of(&vocabulary.rel(rel).args);
            out.push_str(&format!("({:?}{args})", vocabulary.rel(rel).kind.field().is_some()));
        }
        out
    }

    fn formula(&mut self, arena: &Arena, formula: FormulaId, out: &mut String) {
        let mut list = |this: &mut Renaming, word: &str, parts: &[FormulaId]| {
            out.push('(');
            out.push_str(word);
            for &part in parts {
                out.push(' ');
                this.formula(arena, part, out);
            }
            out.push(')');
        };
        match arena.formula(formula) {
            Formula::True => out.push_str("true"),
            Formula::False => out.push_str("false"),
            Formula::Not(inner) => list(self, "not", &[*inner]),
            Formula::And(parts) => list(self, "and", parts),
            Formula::Or(parts) => list(self, "or", parts),
            Formula::Implies(a, b) => list(self, "=>", &[*a, *b]),
            Formula::Iff(a, b) => list(self, "iff", &[*a, *b]),
            Formula::Rel(rel, args) => {
                let next = self.rels.len();
                let number = *self.rels.entry(*rel).or_insert(next);
                self.terms(arena, &format!("r{number}"), args, out);
            }
            Formula::Eq(a, b) => self.terms(arena, "=", &[*a, *b], out),
            Formula::Le(a, b) => self.terms(arena, "<=", &[*a, *b], out),
            Formula::Lt(a, b) => self.terms(arena, "<", &[*a, *b], out),
            Formula::Quant(quantifier, vars, body) => {
                out.push_str(&format!("({quantifier:?}"));
                for var in vars {
                    let var = arena.var(*var);
                    out.push_str(&format!(" {}:{}", var.name, var.sort.index()));
                }
                out.push(' ');
                self.formula(arena, *body, out);
                out.push(')');
            }
        }
    }

    fn terms(&mut self, arena: &Arena, word: &str, args: &[TermId], out: &mut String) {
        out.push('(');
        out.push_str(word);
        for &arg in args {
            out.push(' ');
            self.term(arena, arg, out);
        }
        out.push(')');
    }

    fn term(&mut self, arena: &Arena, term: TermId, out: &mut String) {
        match arena.term(term) {
            Term::Var(var) => out.push_str(&arena.var(*var).name),
            Term::Num(number) => out.push_str(&number.to_string()),
            Term::App(fun, args) => {
                let next = self.funs.len();
                let number = *self.funs.entry(*fun).or_insert(next);
                self.terms(arena, &format!("f{number}"), args, out);
            }
            Term::Arith(op, a, b) => self.terms(arena, &format!("{op:?}"), &[*a, *b], out),
            Term::Ite(condition, a, b) => {
                out.push_str("(ite ");
                self.formula(arena, *condition, out);
                self.terms(arena, "", &[*a, *b], out);
                out.push(')');
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use trellis_store::sqlite::Sqlite;

    use super::*;

    fn set(words: &[&str]) -> Assumed {
        words.iter().map(|w| (*w).to_owned()).collect()
    }

    #[test]
    fn more_assumptions_contradict_and_fewer_have_a_model() {
        let mut store = Memory::default();
        let model = StoredModel { predicates: vec!["p".into()], objects: vec![vec![true]] };
        store.keep_contradiction("base", set(&["a", "b"]));
        store.keep_model("base", set(&["a", "c"]), model.clone());
        let asked = ["p".to_owned()];
        let find = |base: &str, words: &[&str]| store.find(base, &set(words), &asked);
        assert_eq!(find("base", &["a", "b", "d"]), Some(Known::Contradiction(set(&["a", "b"]))));
        assert_eq!(find("base", &["b"]), None);
        assert_eq!(find("base", &["c"]), Some(Known::Model(model)));
        assert_eq!(find("base", &["a", "c", "d"]), None);
        assert_eq!(find("other", &["a", "b"]), None);
        // The model does not say what `q` is.
        assert_eq!(store.find("base", &set(&["c"]), &["q".to_owned()]), None);
    }

    #[test]
    fn symbols_are_numbered_as_they_come() {
        let mut vocabulary = trellis_logic::Vocabulary::new();
        let mut arena = Arena::new();
        let obj = vocabulary.sort("obj");
        let [a, b, c] = ["a", "b", "c"].map(|name| vocabulary.constant(name, obj));
        let rel = vocabulary.relation("r", &[obj, obj]);
        let [a, b, c] = [a, b, c].map(|fun| arena.constant(fun));
        let (x, y) = (arena.rel(rel, &[a, b]), arena.rel(rel, &[b, c]));
        let text = |arena: &mut Arena, formula| Renaming::default().text(arena, formula);
        assert_eq!(text(&mut arena, x), text(&mut arena, y));
        let loop_ = arena.rel(rel, &[a, a]);
        assert_ne!(text(&mut arena, x), text(&mut arena, loop_));
    }

    #[test]
    fn a_shared_store_stays_on_disk() {
        let folder = std::env::temp_dir().join(format!("trellis-store-{}", std::process::id()));
        let model = StoredModel {
            predicates: vec!["p".into(), "q".into()],
            objects: vec![vec![true, false], vec![false, false]],
        };
        let open = || {
            let kept: Arc<dyn Kept> = Arc::new(Sqlite::open(&folder).expect("a folder"));
            Shared::open(&kept).expect("a store")
        };
        let mut store = open();
        store.keep_contradiction("base", set(&["a", "b"]));
        store.keep_contradiction("other", set(&[]));
        store.keep_model("base", set(&["a", "c"]), model.clone());
        store.keep_model("third", set(&[]), model.clone());
        drop(store);
        let store = open();
        let asked = ["q".to_owned()];
        let find = |base: &str, words: &[&str]| store.find(base, &set(words), &asked);
        assert_eq!(find("base", &["a", "b"]), Some(Known::Contradiction(set(&["a", "b"]))));
        assert_eq!(find("other", &["z"]), Some(Known::Contradiction(set(&[]))));
        assert_eq!(find("base", &["c"]), Some(Known::Model(model.clone())));
        assert_eq!(find("third", &[]), Some(Known::Model(model)));
        assert_eq!((store.records(), store.warning()), (4, None));
        std::fs::remove_dir_all(&folder).expect("it was there");
    }
}
