//! How the heap is reached at the entry, and that the theory of the paths has it.
//!
//! A theory that does not have all heaps says nothing about those that it lacks, so a precondition
//! that allows them must be noticed first, in a theory that has them all. The heap of a procedure is
//! what its arguments reach, over several fields in turn; that is no formula of the logic, but often
//! a few fields in a row are enough: all nodes of a doubly linked list are reached over `next`, those
//! of a list of lists over `next` and then `sub`. Which ones is asked of a solver as well.
//!
//! **Invariant.** In every heap that the precondition allows, what the arguments reach over as many
//! fields in turn as [`EntryHeap`] says, each any number of times, is closed under all fields; and no
//! allocated object that can be reached lies on anything that the theory of the paths does not have.

use std::collections::BTreeSet;

use trellis_logic::{FormulaId, TermId, VarId};
use trellis_program::cfg;
use trellis_program::spec::Label;
use trellis_program::view::{Cell, Kind, Spot};
use trellis_program::{
    Body, GlobalId, ProcId, Program, Refusal, Reg, Scalar, Span, Storage, TypeId, VarId as LocalId,
};
use trellis_solver::{Answer, Context, Limits, Solver, Unknown};

use crate::build::prepare;
use crate::execute::Builder;
use crate::system::Options;
use crate::theory::{FieldAt, Followed, Purpose, theory_of};

/// How many fields are followed in turn, at most.
const MOST_TURNS: usize = 3;

/// How the heap is reached at the entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntryHeap {
    /// How many fields must be followed in turn, each any number of times; nothing if no small
    /// number is enough.
    pub(crate) turns: Option<usize>,
    /// The fields over which there may be cycles.
    pub(crate) cyclic: BTreeSet<Cell>,
}

/// Objects that are reached at the entry over at most one field.
struct AtOnce {
    /// Those of these types; nothing for all objects.
    types: Option<Vec<TypeId>>,
    /// The fields, or none.
    ways: BTreeSet<Option<usize>>,
}

/// Asks how the heap is reached at the entry.
pub(crate) fn of_entry(
    program: &Program,
    proc: ProcId,
    body: &Body,
    options: &Options,
    solver: &dyn Fn() -> Box<dyn Solver>,
) -> Result<EntryHeap, Refusal> {
    let contract = &program.proc(proc).contract;
    let span = contract.requires.iter().map(|c| c.span).reduce(Span::to);
    let span = span.unwrap_or(program.proc(proc).span);
    let none = BTreeSet::new();
    let mut builder = prepare(program, proc, body, options, (Purpose::Entry, &none), solver)?;
    let mut facts = builder.heap_of_arguments();
    for clause in &contract.requires {
        let next = builder.precondition(&clause.formula, &facts, clause.span)?;
        facts.push(next);
    }
    facts.extend(builder.axioms());
    let most = if builder.hidden_pointers() { 0 } else { MOST_TURNS };
    let loops = !cfg::loop_heads(body).is_empty();
    let mut asker = Asker { builder, facts, solver, span, loops };
    for turns in 1..=most {
        if asker.is_closed(turns)? {
            let cyclic = asker.cyclic(Some(turns))?;
            return Ok(EntryHeap { turns: Some(turns), cyclic });
        }
    }
    let cyclic = asker.cyclic(None)?;
    Ok(EntryHeap { turns: None, cyclic })
}

pub(super) struct Asker<'a> {
    pub(super) builder: Builder<'a>,
    facts: Vec<FormulaId>,
    solver: &'a dyn Fn() -> Box<dyn Solver>,
    span: Span,
    /// Whether the procedure has loops.
    loops: bool,
}

impl Asker<'_> {
    /// Whether following so many fields in turn reaches everything.
    fn is_closed(&mut self, turns: usize) -> Result<bool, Refusal> {
        let fields = &self.builder.symbols.pointers;
        if fields.len() <= 1 && fields.iter().all(|f| f.theory.is_transitive()) {
            return Ok(true);
        }
        let [x, y] =
            ["$from", "$to"].map(|n| self.builder.arena.variable(n, self.builder.symbols.obj));
        let [xt, yt] = [x, y].map(|v| self.builder.arena.var_term(v));
        let (inside, outside) = (self.reached(xt, turns), self.reached(yt, turns));
        let builder = &mut self.builder;
        let null = builder.null();
        let edges: Vec<FormulaId> = (0..builder.symbols.pointers.len())
            .map(|i| builder.heap().successor(FieldAt::entry(i), xt, yt))
            .collect();
        let edge = builder.arena.or(edges);
        let (beyond, target) = (builder.arena.not(outside), builder.arena.ne(yt, null));
        let source = builder.arena.ne(xt, null);
        let body = builder.arena.and([inside, source, edge, target, beyond]);
        let escapes = builder.arena.exists(&[x, y], body);
        self.is_impossible(escapes)
    }

    /// That nothing reached lies where the theory of the paths has no heaps; gives the fields that
    /// need the theory of cycles for that.
    fn cyclic(&mut self, turns: Option<usize>) -> Result<BTreeSet<Cell>, Refusal> {
        let mut cyclic = BTreeSet::new();
        // A parent of something that is reached is reached as well.
        self.builder.heap_at_entry = EntryHeap { turns, cyclic: BTreeSet::new() };
        self.facts.extend(self.builder.nothing_else());
        for i in 0..self.builder.symbols.pointers.len() {
            let field = &self.builder.symbols.pointers[i];
            let (kind, followed) = (field.kind, field.followed());
            let x = self.builder.arena.variable("$x", self.builder.symbols.obj);
            let xt = self.builder.arena.var_term(x);
            let of_paths = theory_of(kind, followed, Purpose::Paths);
            let excluded = of_paths.excluded(&mut self.builder.heap(), FieldAt::entry(i), xt);
            let Some((stray, reason)) = excluded else { continue };
            let reached = match turns {
                Some(turns) => self.reached(xt, turns),
                None => FormulaId::TRUE,
            };
            let builder = &mut self.builder;
            let there = builder.arena.rel(builder.symbols.alloc.entry, &[xt]);
            let roots = builder.symbols.pointers[i].roots.clone();
            let has = builder.has_field(&roots, xt);
            let body = builder.arena.and([there, has, reached, stray]);
            let strays = builder.arena.exists(&[x], body);
            if self.is_impossible(strays)? {
                continue;
            }
            // Whoever forgot to say that lists end wants to hear that, where a proof has to say what
            // loops do to them; rings are followed.
            let loops = self.loops;
            match self.cure(i, (x, stray)).filter(|_| loops || followed != Followed::Alone) {
                Some(cure) => return Err(Refusal::at(self.span, reason).with_help(cure)),
                None if followed == Followed::Alone => {
                    cyclic.insert(self.builder.symbols.pointers[i].cell);
                }
                None => return Err(Refusal::at(self.span, reason)),
            }
        }
        Ok(cyclic)
    }

    fn reached(&mut self, x: TermId, turns: usize) -> FormulaId {
        let roots = self.builder.entry_roots();
        self.builder.reached_over(&roots, x, turns, Label::Pre)
    }

    pub(super) fn is_impossible(&mut self, formula: FormulaId) -> Result<bool, Refusal> {
        let mut solver = (self.solver)();
        let builder = &mut self.builder;
        let mut context = Context { vocabulary: &builder.logic, arena: &mut builder.arena };
        let refused = |why: String| Refusal::at(self.span, format!("a precondition: {why}"));
        for &fact in &self.facts {
            solver.assert(&mut context, fact).map_err(|r| refused(r.reason))?;
        }
        solver.assert(&mut context, formula).map_err(|r| refused(r.reason))?;
        match solver.check(&mut context, &[], &Limits::default()) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Unknown(Unknown::Refused(r)) => Err(refused(r.reason)),
            Answer::Unknown(why) => Err(refused(why.to_string())),
        }
    }
}

impl Builder<'_> {
    /// Whether objects can be reached over pointers that have no symbol. Then there may be more of
    /// them than are reached over those that have one.
    fn hidden_pointers(&self) -> bool {
        let types = &self.program.types;
        let pointer = |scalar: Option<Scalar>| matches!(scalar, Some(Scalar::Ptr(_)));
        let in_object = self.view().object_types().any(|ty| {
            let cells = types.layout(ty).map_or(&[][..], |l| &l.cells);
            cells.iter().any(|c| pointer(Some(c.scalar)) && !self.symbols.has_cell(ty, c))
        });
        let hidden = |reg: Reg| {
            let scalar = types.scalar(self.program.reg_type(self.view().proc, reg));
            let is_object =
                matches!(reg, Reg::Global(g) if self.program.global(g).storage == Storage::Object);
            pointer(scalar) && !is_object && !self.symbols.regs.contains_key(&reg)
        };
        in_object || self.given().any(hidden) || self.pointers_without_a_type()
    }

    /// Whether the caller may pass memory of no struct type that holds pointers, such as behind a
    /// `char **`. Nobody follows these, so they have no symbols. A whole program is passed nothing
    /// but the memory of its host.
    pub(crate) fn pointers_without_a_type(&self) -> bool {
        let (types, proc) = (&self.program.types, self.view().proc);
        if self.program.is_whole_program(proc) {
            return false;
        }
        let holds_pointers = |scalar: Option<Scalar>| match scalar {
            Some(Scalar::Ptr(to)) if types.as_record(to).is_none() => {
                let cells = types.layout(to).map_or(&[][..], |l| &l.cells);
                cells.iter().any(|c| matches!(c.scalar, Scalar::Ptr(_)))
            }
            _ => false,
        };
        let in_object = self.view().object_types().any(|ty| {
            let cells = types.layout(ty).map_or(&[][..], |l| &l.cells);
            cells.iter().any(|c| holds_pointers(Some(c.scalar)))
        });
        let of = |reg| types.scalar(self.program.reg_type(proc, reg));
        in_object || self.given().any(|reg| holds_pointers(of(reg)))
    }

    /// The parameters and the globals.
    fn given(&self) -> impl Iterator<Item = Reg> {
        let params = 0..self.program.proc(self.view().proc).params as u32;
        let globals = 0..self.program.globals.len() as u32;
        let params = params.map(|v| Reg::Local(LocalId(v)));
        params.chain(globals.map(|g| Reg::Global(GlobalId(g))))
    }

    /// That an object is reached from one of the roots, over so many fields in turn; in the
    /// current state or at the entry.
    pub(crate) fn reached_over(
        &mut self,
        roots: &[TermId],
        x: TermId,
        turns: usize,
        label: Label,
    ) -> FormulaId {
        let mut parts = Vec::new();
        if self.symbols.pointers.is_empty() {
            parts.extend(roots.iter().map(|&r| self.arena.eq(r, x)));
        }
        for fields in self.fields_in_turn(turns) {
            for &root in roots {
                parts.push(self.reached_by(&fields, root, x, label));
            }
        }
        self.arena.or(parts)
    }

    /// That an object is reached over some fields one after the other, each any number of times.
    fn reached_by(&mut self, fields: &[usize], root: TermId, x: TermId, label: Label) -> FormulaId {
        let between: Vec<_> = (1..fields.len())
            .map(|i| self.arena.variable(format!("$between{i}"), self.symbols.obj))
            .collect();
        let stops: Vec<TermId> = between.iter().map(|v| self.arena.var_term(*v)).collect();
        let (mut from, mut steps) = (root, Vec::new());
        for (&field, to) in fields.iter().zip(stops.into_iter().chain([x])) {
            steps.push(self.heap().reach(FieldAt { field, label }, from, to));
            from = to;
        }
        let body = self.arena.and(steps);
        self.arena.exists(&between, body)
    }

    /// The ways to follow so many fields in turn, as far as types allow; those that are a part of
    /// another one, whose other fields are then followed zero times, are left out.
    fn fields_in_turn(&self, turns: usize) -> Vec<Vec<usize>> {
        let fields = &self.symbols.pointers;
        let follows = |a: usize, b: usize| match fields[a].kind {
            Kind::Ptr(Spot::At { family, .. }) => fields[b].cell.family == family,
            _ => true,
        };
        // Fields of a set are followed together, so one of them stands for all.
        let first = |f: &usize| self.symbols.fields().set_of(*f).first() == Some(f);
        let all_fields: Vec<usize> = (0..fields.len()).filter(first).collect();
        let mut ways: Vec<Vec<usize>> = all_fields.iter().map(|f| vec![*f]).collect();
        let mut all = ways.clone();
        for _ in 1..turns {
            let longer = |way: &Vec<usize>| {
                let (way, last) = (way.clone(), way[way.len() - 1]);
                let others = all_fields.clone().into_iter();
                others.filter(move |f| *f != last && follows(last, *f)).map(move |f| {
                    let mut way = way.clone();
                    way.push(f);
                    way
                })
            };
            ways = ways.iter().flat_map(longer).collect();
            all.extend(ways.iter().cloned());
        }
        let part = |a: &[usize], b: &[usize]| {
            let mut rest = b.iter();
            a.len() < b.len() && a.iter().all(|f| rest.any(|g| g == f))
        };
        all.iter().filter(|a| !all.iter().any(|b| part(a, b))).cloned().collect()
    }

    /// That an object is null, new, or was reached at the entry: all that there are in the program
    /// where more than one field is followed in turn, and the logic has others as well.
    pub(crate) fn own(&mut self) -> Option<(VarId, FormulaId)> {
        let turns = self.heap_at_entry.turns.filter(|turns| *turns > 1)?;
        let var = self.arena.variable("$own", self.symbols.obj);
        let x = self.arena.var_term(var);
        let roots = self.entry_roots();
        let reached = self.reached_over(&roots, x, turns, Label::Pre);
        let there = self.arena.rel(self.symbols.alloc.entry, &[x]);
        let new = self.arena.not(there);
        Some((var, self.arena.or([new, reached])))
    }

    /// Nothing is allocated at the entry but what the arguments reach: of all objects, or of those of
    /// some types that are reached over one field. Over several fields in turn that cannot be
    /// assumed (it is no ∃*∀* formula); what is checked then takes care of it.
    pub(crate) fn nothing_else(&mut self) -> Vec<FormulaId> {
        let var = self.arena.variable("$x", self.symbols.obj);
        let x = self.arena.var_term(var);
        let mut known = Vec::new();
        for AtOnce { types, ways } in self.reached_at_once() {
            let reached = self.reached_in(&ways, x);
            let mut there = vec![self.arena.rel(self.symbols.alloc.entry, &[x])];
            there.extend(types.map(|types| self.has_field(&types, x)));
            let (there, of_host) = (self.arena.and(there), self.is_of_host(x));
            let body = self.arena.or([reached, of_host]);
            let body = self.arena.implies(there, body);
            known.push(self.arena.forall(&[var], body));
        }
        known
    }

    /// That an object is reached at the entry in one of some ways of at most one field.
    fn reached_in(&mut self, ways: &BTreeSet<Option<usize>>, x: TermId) -> FormulaId {
        let mut parts = Vec::new();
        for root in self.entry_roots() {
            for way in ways {
                parts.push(match way {
                    Some(field) => self.reached_by(&[*field], root, x, Label::Pre),
                    None => self.arena.eq(root, x),
                });
            }
        }
        self.arena.or(parts)
    }

    /// The types whose objects are reached by at most one field, and over which: all types, or those
    /// that have some field. A field of a type leads to objects of one family, so whoever follows
    /// others after it follows them zero times, or comes to other objects.
    fn reached_at_once(&self) -> Vec<AtOnce> {
        let Some(turns) = self.heap_at_entry.turns else { return Vec::new() };
        let fields = &self.symbols.pointers;
        let ways = self.fields_in_turn(turns);
        if turns == 1 {
            let all = ways.iter().filter_map(|way| way.first()).copied().map(Some);
            let none = fields.is_empty().then_some(None);
            return vec![AtOnce { types: None, ways: all.chain(none).collect() }];
        }
        let mut out: Vec<AtOnce> = Vec::new();
        for field in fields {
            let family = field.cell.family;
            let leads = |f: &usize| match fields[*f].kind {
                Kind::Ptr(Spot::At { family: to, .. }) => to == family,
                _ => true,
            };
            // Without relations of types, objects of other ones cannot be told apart.
            let apart = !self.symbols.types.is_empty() || (0..fields.len()).all(|f| leads(&f));
            let last = |way: &Vec<usize>| way.iter().rposition(&leads);
            let one = ways.iter().all(|way| last(way).is_none_or(|last| last == 0));
            let types = Some(field.roots.clone());
            if apart && one && out.iter().all(|known| known.types != types) {
                let cut = |way: &Vec<usize>| last(way).map(|last| way[last]);
                out.push(AtOnce { types, ways: ways.iter().map(cut).collect() });
            }
        }
        out
    }
}
