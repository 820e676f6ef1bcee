//! The solver as engines see it: assertions, cached assumptions, answers, memory.
//!
//! **Invariants**: an assumption is translated once and its translation kept; assuming it again adds
//! no clauses. When what assumptions and retired assertions left behind outgrows the rest, all is
//! built anew from the assertions that still count, so memory follows the assertions.

use std::sync::Arc;
use std::time::Instant;

use rustc_hash::FxHashMap;
use rustsat::types::Lit;
use trellis_logic::{Arena, Formula, FormulaId, RelId, Structure, Vocabulary};
use trellis_solver::{Answer, Context, Limits, OutsideFragment, Solver, Statistics, Unknown};

use crate::admit::Admission;
use crate::candidate::Candidate;
use crate::check::{Outcome, Query};
use crate::clausify::{Clausify, Witnesses};
use crate::ground::Grounding;
use crate::minimise::{self, Assumed};
use crate::model;
use crate::slots::Slots;
use crate::terms::Symbol;

/// Building anew waits for so many retired guards, and for more if there are many assertions.
const RETIRED: usize = 8;
/// Building anew for want of room pays if there were so many checks since the last time.
const CHECKS: u64 = 1000;

/// How the solver works.
#[derive(Clone, Debug)]
pub struct Options {
    /// Shuffles the search; the same seed gives the same answers.
    pub seed: u64,
    /// Evaluate every assertion and assumption in every model; a violation is a panic. On where
    /// debug assertions are.
    pub check_models: bool,
    /// At most so many checks for one smaller core.
    pub core_checks: u32,
    /// At most so many checks for one smaller model.
    pub model_checks: u32,
    /// Give up with [`Unknown::Memory`] when the ground clauses are more than this.
    pub max_clauses: u64,
    /// Build anew when there are more SAT variables or known assumptions than this. Doubled whenever
    /// that happens too often.
    pub rebuild_above: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seed: 0,
            check_models: cfg!(debug_assertions),
            core_checks: 1000,
            model_checks: 200,
            max_clauses: 20_000_000,
            rebuild_above: 5_000,
        }
    }
}

/// The embedded solver.
pub struct EprSolver {
    options: Options,
    ground: Grounding,
    admission: Admission,
    slots: Slots,
    assertions: Vec<FormulaId>,
    /// How many guards were asserted to be false since the last building.
    newly_retired: usize,
    /// Whether there were some since the last check.
    has_idle: bool,
    /// Translations of assumptions; several if one was assumed beside others that took its slots.
    translations: FxHashMap<FormulaId, Vec<Translation>>,
    /// How many variables or translations there may be before all is built anew.
    allowed: usize,
    /// How many checks there had been when all was last built anew.
    built_at: u64,
    /// The model behind the last answer.
    last: Option<Box<Found>>,
    core: Vec<usize>,
    statistics: Statistics,
    vocabulary: Arc<Vocabulary>,
}

/// An assumption as the SAT solver sees it.
struct Translation {
    /// `None` if it is false.
    lits: Option<Vec<Lit>>,
    symbols: Vec<Symbol>,
    /// Those of the symbols that are slots.
    slots: Vec<Symbol>,
}

/// A model that was found, and the query that it answers.
struct Found {
    candidate: Candidate,
    assumptions: Vec<FormulaId>,
    lits: Vec<Lit>,
    symbols: Vec<Symbol>,
    is_small: bool,
}

impl Default for EprSolver {
    fn default() -> Self {
        Self::new(Options::default())
    }
}

impl EprSolver {
    /// A solver without assertions.
    pub fn new(options: Options) -> Self {
        EprSolver {
            ground: Grounding::new(options.seed),
            admission: Admission::default(),
            slots: Slots::default(),
            assertions: Vec::new(),
            newly_retired: 0,
            has_idle: false,
            translations: FxHashMap::default(),
            allowed: options.rebuild_above,
            built_at: 0,
            last: None,
            core: Vec::new(),
            statistics: Statistics::default(),
            vocabulary: Arc::new(Vocabulary::new()),
            options,
        }
    }
}

impl Solver for EprSolver {
    fn name(&self) -> &str {
        "epr"
    }

    fn assert(
        &mut self,
        context: &mut Context<'_>,
        formula: FormulaId,
    ) -> Result<(), OutsideFragment> {
        self.last = None;
        let plain = self.admit(context, formula)?;
        self.assertions.push(formula);
        self.add(context, plain);
        if let Some(guard) = denied_guard(context.arena, formula) {
            self.newly_retired += usize::from(self.ground.denied.insert(guard));
            self.has_idle = true;
        }
        Ok(())
    }

    fn check(
        &mut self,
        context: &mut Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Answer {
        let start = Instant::now();
        self.last = None;
        self.core.clear();
        self.clean_up(context);
        let answer = self.answer(context, assumptions, limits);
        let statistics = &mut self.statistics;
        statistics.checks += 1;
        statistics.sat += u64::from(answer == Answer::Sat);
        statistics.unsat += u64::from(answer == Answer::Unsat);
        statistics.time += start.elapsed();
        answer
    }

    fn model(&mut self, context: &mut Context<'_>, limits: &Limits) -> Result<Structure, Unknown> {
        let start = Instant::now();
        let Some(mut found) = self.last.take() else {
            return Err(Unknown::Incomplete("there is no model to tell".into()));
        };
        found.candidate.tabulate_all(&self.ground);
        if limits.minimise_model && !found.is_small {
            self.minimise(context.vocabulary, &mut found, limits);
        }
        let Found { candidate, assumptions, .. } = &**self.last.insert(found);
        if !is_same(&self.vocabulary, context.vocabulary) {
            self.vocabulary = Arc::new(context.vocabulary.clone());
        }
        let structure = model::structure(&self.ground, candidate, &self.vocabulary);
        if self.options.check_models {
            for &formula in self.assertions.iter().chain(assumptions) {
                let value = structure.eval(context.arena, formula);
                let text = || context.arena.print(context.vocabulary, formula);
                assert_eq!(value, Ok(true), "the model violates {}", text());
            }
        }
        self.statistics.time += start.elapsed();
        Ok(structure)
    }

    fn core(&self) -> &[usize] {
        &self.core
    }

    fn statistics(&self) -> Statistics {
        let (terms, clauses) = (self.ground.terms.len() as u64, self.ground.sat.clauses());
        Statistics { terms, clauses, ..self.statistics }
    }
}

impl EprSolver {
    /// What was asserted, but for what can no longer matter.
    pub(crate) fn assertions(&self) -> &[FormulaId] {
        &self.assertions
    }

    /// Judges a formula; gives it back without conditional terms.
    fn admit(
        &mut self,
        context: &mut Context<'_>,
        id: FormulaId,
    ) -> Result<FormulaId, OutsideFragment> {
        let admitted = self.admission.admit(context.arena, context.vocabulary, id)?;
        Ok(if admitted.has_ites { context.arena.without_ites(id) } else { id })
    }

    fn add(&mut self, context: &mut Context<'_>, plain: FormulaId) {
        Clausify::new(context.arena, context.vocabulary, &mut self.ground, Witnesses::Fresh)
            .assert(plain);
    }

    fn answer(
        &mut self,
        context: &mut Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Answer {
        let (assumed, symbols) = match self.translate_all(context, assumptions) {
            Ok(translated) => translated,
            Err(answer) => return answer,
        };
        let max_clauses = self.options.max_clauses;
        let vocabulary = context.vocabulary;
        let query = Query { vocabulary, symbols: &symbols, limits, max_clauses };
        let ground = &mut self.ground;
        query.populate(ground);
        let everything: Vec<usize> = (0..assumptions.len()).collect();
        let lits = assumed.of(&everything);
        match query.solve(ground, &lits) {
            Outcome::Unknown(why) => Answer::Unknown(why),
            Outcome::Conflict(core) => {
                self.core = assumed.containing(core, &everything);
                if limits.minimise_core {
                    let core = std::mem::take(&mut self.core);
                    let checks = self.options.core_checks;
                    self.core = minimise::core(&query, ground, &assumed, core, checks);
                }
                Answer::Unsat
            }
            Outcome::Model(candidate) => {
                let (assumptions, is_small) = (assumptions.to_vec(), false);
                let found = Found { candidate, assumptions, lits, symbols, is_small };
                self.last = Some(Box::new(found));
                Answer::Sat
            }
        }
    }

    /// Looks for a smaller model; keeps the last one found when the time is over.
    fn minimise(&mut self, vocabulary: &Vocabulary, found: &mut Found, limits: &Limits) {
        let Found { candidate, lits, symbols, .. } = found;
        let max_clauses = self.options.max_clauses;
        let query = Query { vocabulary, symbols, limits, max_clauses };
        let checks = self.options.model_checks;
        minimise::model(&query, &mut self.ground, lits, candidate, checks);
        found.is_small = limits.exceeded().is_none();
    }

    /// The literals of the assumptions and their symbols, or an answer that needs no search.
    fn translate_all(
        &mut self,
        context: &mut Context<'_>,
        assumptions: &[FormulaId],
    ) -> Result<(Assumed, Vec<Symbol>), Answer> {
        self.slots.release_all();
        let mut assumed = Assumed { lits: Vec::with_capacity(assumptions.len()) };
        let mut symbols = Vec::new();
        for (i, &formula) in assumptions.iter().enumerate() {
            let translation = match self.translate(context, formula) {
                Ok(translation) => translation,
                Err(refusal) => return Err(Answer::Unknown(Unknown::Refused(refusal))),
            };
            let Some(lits) = &translation.lits else {
                self.core = vec![i];
                return Err(Answer::Unsat);
            };
            assumed.lits.push(lits.clone());
            symbols.extend_from_slice(&translation.symbols);
        }
        symbols.sort_unstable();
        symbols.dedup();
        Ok((assumed, symbols))
    }

    /// A translation whose slots are free in this query.
    fn translate(
        &mut self,
        context: &mut Context<'_>,
        formula: FormulaId,
    ) -> Result<&Translation, OutsideFragment> {
        let slots = &mut self.slots;
        let known = self
            .translations
            .get(&formula)
            .and_then(|all| all.iter().position(|t| slots.take_all(&t.slots)));
        if let Some(known) = known {
            return Ok(&self.translations[&formula][known]);
        }
        let plain = self.admit(context, formula)?;
        self.slots.mark();
        let witnesses = Witnesses::Slots(&mut self.slots);
        let (lits, symbols) =
            Clausify::new(context.arena, context.vocabulary, &mut self.ground, witnesses)
                .assume(plain);
        let slots = self.slots.recent().to_vec();
        let all = self.translations.entry(formula).or_default();
        all.push(Translation { lits, symbols, slots });
        Ok(&all[all.len() - 1])
    }

    /// Forgets what nobody can ask for any more, if it is much. Building anew is worth the work of
    /// many queries, so it waits for many.
    fn clean_up(&mut self, context: &mut Context<'_>) {
        let used = self.ground.sat.variables().max(self.translations.len());
        let live = self.assertions.len().saturating_sub(self.ground.denied.len());
        if self.newly_retired > RETIRED + live / 4 {
            self.rebuild(context);
        } else if used > self.allowed {
            if self.statistics.checks - self.built_at < CHECKS {
                self.allowed *= 2;
            }
            self.rebuild(context);
        } else if std::mem::take(&mut self.has_idle) {
            self.ground.drop_idle_templates();
        }
    }

    fn rebuild(&mut self, context: &mut Context<'_>) {
        let (arena, denied) = (&*context.arena, std::mem::take(&mut self.ground.denied));
        self.assertions.retain(|&f| !guards(arena, f).iter().any(|g| denied.contains(g)));
        self.ground = Grounding::new(self.options.seed);
        self.ground.denied = denied;
        self.admission = Admission::default();
        self.slots = Slots::default();
        self.translations.clear();
        (self.newly_retired, self.has_idle) = (0, false);
        for formula in self.assertions.clone() {
            if denied_guard(context.arena, formula).is_some() {
                continue;
            }
            // What was admitted among more is admitted among less.
            if let Ok(plain) = self.admit(context, formula) {
                self.add(context, plain);
            }
        }
        self.built_at = self.statistics.checks;
    }
}

/// Whether a copy of the vocabulary is still like it. A vocabulary only grows, so it is enough to
/// count.
fn is_same(copy: &Vocabulary, vocabulary: &Vocabulary) -> bool {
    let counts = |v: &Vocabulary| (v.sorts().len(), v.funs().len(), v.rels().len());
    counts(copy) == counts(vocabulary)
}

/// The guard that the assertion `!guard` retires.
fn denied_guard(arena: &Arena, formula: FormulaId) -> Option<RelId> {
    match arena.formula(formula) {
        Formula::Not(inner) => guard(arena, *inner),
        _ => None,
    }
}

fn guard(arena: &Arena, formula: FormulaId) -> Option<RelId> {
    match arena.formula(formula) {
        Formula::Rel(rel, args) if args.is_empty() => Some(*rel),
        _ => None,
    }
}

/// The relations without arguments one of which must hold for the assertion to say anything.
fn guards(arena: &Arena, formula: FormulaId) -> Vec<RelId> {
    match arena.formula(formula) {
        Formula::Implies(a, _) => match arena.formula(*a) {
            Formula::And(parts) => parts.iter().filter_map(|&p| guard(arena, p)).collect(),
            _ => guard(arena, *a).into_iter().collect(),
        },
        Formula::Or(parts) => parts.iter().filter_map(|&p| denied_guard(arena, p)).collect(),
        _ => Vec::new(),
    }
}
