//! Recursive calls, by what the contract of the procedure says (`trellis_program::promised`).
//!
//! A call can change only what it reaches from its arguments, and new objects: for a tree that is the
//! subtree of its argument, which hangs at one cell of one node at most. That cell is kept as a write
//! of the path, as rotations are; so the subtree hangs nowhere during the call, and the heap after it
//! has two parts that share nothing, the one outside as it was and the one inside as some relations
//! without a definition say. On those the `ensures` clauses are assumed, with `\old` for the state
//! before the call.
//!
//! **Invariant.** What is assumed after a call is what the procedure, entered in a state that its
//! `requires` allow, is shown to do (by induction on the depth of calls): its `ensures`, that it
//! leaks nothing, and that it touches nothing that it cannot reach. What a procedure takes for
//! granted at its entry, that all it reaches is there and has values, is checked before the call.

use trellis_logic::{Definitions, FormulaId, FunId, RelId, Subst, TermId};
use trellis_program::spec::{Label, Promise};
use trellis_program::view::{self, Kind, Spot, Twin};
use trellis_program::{
    CheckKind, Expr, ProcId, Refusal, Reg, Scalar, Span, changes_memory, promised,
};
use trellis_solver::forest::Forest as Laws;

use super::forest::Written;
use super::state::{Run, Value};
use super::{Builder, Step};
use crate::contract::relational::Mode;
use crate::symbols::{Flag, PointerField};
use crate::theory::FieldAt;

/// A call of the procedure by itself.
pub(super) struct Recursion<'a> {
    pub(super) dst: Option<Reg>,
    pub(super) proc: ProcId,
    pub(super) args: &'a [Expr],
    pub(super) span: Span,
}

impl Builder<'_> {
    /// What a recursive call does. Where it is not known whether something hangs at a cell, other
    /// runs go on as well.
    pub(super) fn recursion(
        &mut self,
        run: &mut Run,
        call: &Recursion<'_>,
        others: &mut Vec<Run>,
    ) -> Step<()> {
        let checks = self.options.checks;
        if ![CheckKind::Precondition, CheckKind::Postcondition].iter().all(|k| checks.contains(*k))
        {
            return Err(
                Refusal::at(call.span, "a recursive call whose contract is not checked").into()
            );
        }
        let promises = promised(self.program, call.proc, call.args, call.dst);
        let Some(promises) = promises else {
            let reason = "a recursive call whose contract speaks of a parameter that changes";
            return Err(Refusal::at(call.span, reason).into());
        };
        self.imprecise.insert(call.span);
        self.attach_all(run)?;
        let mut pointers = Vec::new();
        for arg in call.args {
            if let Value::Ptr(term, _) = self.eval(run, arg, call.span)? {
                pointers.push(term);
            }
        }
        self.entered(run, &pointers, call.span)?;
        if !changes_memory(self.program, call.proc) {
            let before = run.now.clone();
            self.result(run, call, None)?;
            return self.promises(run, &before, &promises);
        }
        let tree = self.only_tree(&pointers, call.span)?;
        let mut runs = self.cut_off_tree(run, tree, call.span)?;
        let Some(last) = runs.pop() else { return Ok(()) };
        for mut other in runs {
            self.changed(&mut other, call, tree, &promises)?;
            others.push(other);
        }
        *run = last;
        self.changed(run, call, tree, &promises)
    }

    fn changed(
        &mut self,
        run: &mut Run,
        call: &Recursion<'_>,
        tree: TermId,
        promises: &[Promise],
    ) -> Step<()> {
        let before = run.now.clone();
        self.forget_subtree(run, tree, call)?;
        self.promises(run, &before, promises)
    }

    /// What a procedure takes for granted: its arguments and what they reach are allocated and have
    /// values.
    fn entered(&mut self, run: &mut Run, pointers: &[TermId], span: Span) -> Step<()> {
        let Some(turns) = self.heap_at_entry.turns else {
            let reason = "a recursive call where the heap is reached over many fields in turn";
            return Err(Refusal::at(span, reason).into());
        };
        let var = self.arena.variable("$reached", self.symbols.obj);
        let x = self.arena.var_term(var);
        let null = self.null();
        for &pointer in pointers.iter().filter(|p| **p != null) {
            let root = self.arena.variable("$argument", self.symbols.obj);
            let at_root = self.arena.var_term(root);
            let reached = self.reached_over(&[at_root], x, turns, Label::Here);
            let reached = self.arena.expand(reached, &run.now);
            let reached = self.arena.subst(reached, &Subst::single(root, pointer));
            let alloc = self.holds_of(run, self.symbols.alloc.now, x);
            let mut wrong = vec![self.arena.not(alloc)];
            for undefined in self.symbols.undefined() {
                wrong.push(self.holds_of(run, undefined, x));
            }
            let wrong = self.arena.or(wrong);
            let (node, some) = (self.arena.ne(x, null), self.arena.ne(pointer, null));
            let body = self.arena.and([some, node, reached, wrong]);
            let fails = self.arena.exists(&[var], body);
            self.error(run, CheckKind::Precondition, span, fails)?;
        }
        Ok(())
    }

    /// The one tree that a call may change; null if it is given none.
    fn only_tree(&mut self, pointers: &[TermId], span: Span) -> Step<TermId> {
        let fields = self.symbols.fields();
        let one_set = !fields.all.is_empty() && fields.set_of(0).len() == fields.all.len();
        // What never changes has one symbol for all states; of a tree, all fields change or none.
        let changes = |f: &PointerField| f.set.is_some() && f.relation.now != f.relation.entry;
        if !one_set
            || !fields.all.iter().all(changes)
            || !self.symbols.types.is_empty()
            || !self.symbols.addresses.is_empty()
        {
            let reason = "a recursive call that may change memory other than trees";
            return Err(Refusal::at(span, reason).into());
        }
        match pointers {
            [] => Ok(self.null()),
            [one] => Ok(*one),
            _ => Err(Refusal::at(span, "a recursive call with several pointers").into()),
        }
    }

    /// The subtree hangs nowhere: the cell that holds it is kept as written. One run for each field
    /// that it may hang at, if that is not known, and one for none.
    fn cut_off_tree(&mut self, run: &Run, tree: TermId, span: Span) -> Step<Vec<Run>> {
        let null = self.null();
        if tree == null {
            return Ok(vec![run.clone()]);
        }
        let holds = |((field, object), found): (&(usize, TermId), &TermId)| {
            (self.is_child_field(*field) && *found == tree).then_some((*field, *object))
        };
        if let Some((field, object)) = run.known.iter().find_map(holds) {
            let mut run = run.clone();
            self.hold(&mut run, field, object, tree, span);
            return Ok(vec![run]);
        }
        let mut runs = Vec::new();
        for field in 0..self.symbols.pointers.len() {
            let mut run = run.clone();
            let object = self.choose_object(&mut run);
            let at = FieldAt::now(field);
            let edge = self.of_now(&run, [object, tree], |heap, [x, y]| heap.load(at, x, y));
            let some = self.arena.ne(tree, null);
            run.guards.extend([edge, some]);
            self.hold(&mut run, field, object, tree, span);
            runs.push(run);
        }
        let mut run = run.clone();
        let var = self.arena.variable("$above", self.symbols.obj);
        let above = self.arena.var_term(var);
        let mut parts = Vec::new();
        for field in &self.symbols.pointers.clone() {
            let rel = field.relation.now;
            let atom =
                self.of_now(&run, [above, tree], |heap, [x, y]| heap.arena.rel(rel, &[x, y]));
            parts.push(self.arena.not(atom));
        }
        let none = self.arena.and(parts);
        run.guards.push(self.arena.forall(&[var], none));
        runs.push(run);
        Ok(runs)
    }

    fn hold(&mut self, run: &mut Run, field: usize, object: TermId, tree: TermId, span: Span) {
        self.write_child(run, field, object, Some(tree), span);
    }

    /// The heap after a call that was given a subtree: nothing is known of what was in it, and of
    /// new objects, but that it is a forest.
    fn forget_subtree(&mut self, run: &mut Run, tree: TermId, call: &Recursion<'_>) -> Step<()> {
        let kept: Vec<Written> = run.written.clone();
        let ([va, vb], [a, b]) = self.pair();
        let null = self.null();
        let now = FieldAt::now(0);
        let below = self
            .of_now(run, [tree, a], |heap, [x, y]| heap.in_forest(now, |laws, _| laws.below(x, y)));
        let some = self.arena.ne(tree, null);
        let given = self.arena.and([some, below]);
        let alloc = self.symbols.alloc;
        let was = self.holds_of(run, alloc.now, a);
        let elsewhere = self.arena.not(given);
        // Where nobody allocates or frees, the same objects are there in all states.
        let (alive, inside) = match alloc.now == alloc.entry {
            true => (was, given),
            false => {
                let rel = self.version(run, 1);
                let (alive, gone) = (self.arena.rel(rel, &[a]), self.arena.not(was));
                let new = self.arena.and([elsewhere, gone, alive]);
                self.new_objects(run, new, rel);
                (alive, self.arena.or([given, new]))
            }
        };

        // Memory.
        let at_b = Subst::single(va, b);
        let inside_b = self.arena.subst(inside, &at_b);
        let (outside, outside_b) = (self.arena.not(inside), self.arena.not(inside_b));
        let mut versions = Vec::new();
        let mut after = Vec::new();
        for field in self.symbols.pointers.clone() {
            let version = self.version(run, 2);
            versions.push(version);
            let rel = field.relation.now;
            let before = self.of_now(run, [a, b], |heap, [x, y]| heap.arena.rel(rel, &[x, y]));
            let (changed, same) =
                (self.arena.rel(version, &[a, b]), self.arena.and([outside, outside_b, before]));
            let within = self.arena.and([inside, inside_b, alive]);
            let confined = self.arena.implies(changed, within);
            run.guards.push(self.arena.forall(&[va, vb], confined));
            after.push((rel, self.arena.or([changed, same])));
        }
        let laws = Laws::new(&mut self.arena, &versions, self.symbols.obj, null).axioms();
        run.guards.extend(laws);
        after.extend(self.forget_edges(run, inside, &versions));
        let (kept_alive, came) = (self.arena.and([given, alive]), self.arena.or([was, alive]));
        let others_alive = self.arena.and([elsewhere, came]);
        let alive_after = self.arena.or([kept_alive, others_alive]);
        self.forget_data(run, inside)?;
        for (rel, formula) in after {
            run.now.define_rel(rel, &[va, vb], formula);
        }
        if alloc.now != alloc.entry {
            run.now.define_rel(alloc.now, &[va], alive_after);
        }
        run.known.clear();
        run.cut.clear();
        run.stores.clear();
        run.attached = true;
        for written in &kept {
            run.known.insert((written.field, written.object), written.target);
            run.cut.insert((written.field, written.object));
        }
        self.result(run, call, Some(inside))?;
        self.nothing_lost(run, call, tree, inside)
    }

    /// Single steps after a call, where the words have them: those inside fit to the relations
    /// there, given by their versions, and the others are as they were.
    fn forget_edges(
        &mut self,
        run: &mut Run,
        inside: FormulaId,
        versions: &[RelId],
    ) -> Vec<(RelId, FormulaId)> {
        let ([va, vb], [a, b]) = self.pair();
        let vc = self.arena.variable("$c", self.symbols.obj);
        let c = self.arena.var_term(vc);
        let null = self.null();
        let outside = self.arena.not(inside);
        let mut after = Vec::new();
        for (field, &version) in self.symbols.pointers.clone().iter().zip(versions) {
            let Some(edge) = field.edge else { continue };
            let chosen = self.version(run, 2);
            let (to_b, to_c) = (self.arena.rel(chosen, &[a, b]), self.arena.rel(chosen, &[a, c]));
            let (child, other) =
                (self.arena.rel(version, &[a, b]), self.arena.rel(version, &[a, c]));
            let below = Laws::new(&mut self.arena, versions, self.symbols.obj, null).below(b, c);
            let (none, same) = (self.arena.eq(b, null), self.arena.eq(b, c));
            let child = self.arena.or([none, child]);
            let leads = self.arena.implies(other, below);
            let once = self.arena.implies(to_c, same);
            let fits = self.arena.and([child, leads, once, inside]);
            let body = self.arena.implies(to_b, fits);
            run.guards.push(self.arena.forall(&[va, vb, vc], body));
            let rel = edge.now;
            let before = self.of_now(run, [a, b], |heap, [x, y]| heap.arena.rel(rel, &[x, y]));
            let kept = self.arena.and([outside, before]);
            after.push((rel, self.arena.or([to_b, kept])));
        }
        after
    }

    /// New objects were never there, and nothing leads to them.
    fn new_objects(&mut self, run: &mut Run, new: FormulaId, alive: RelId) {
        let ([va, vb], [a, b]) = self.pair();
        let null = self.null();
        let of_null = self.arena.rel(alive, &[null]);
        run.guards.push(self.arena.not(of_null));
        let before = self.arena.rel(self.symbols.alloc.entry, &[a]);
        let mut not = vec![self.arena.not(before)];
        for field in self.symbols.pointers.clone() {
            let rel = field.relation.now;
            let to = self.of_now(run, [b, a], |heap, [x, y]| heap.arena.rel(rel, &[x, y]));
            not.push(self.arena.not(to));
            let to = self.arena.rel(field.relation.entry, &[b, a]);
            not.push(self.arena.not(to));
        }
        let alone = self.arena.and(not);
        let body = self.arena.implies(new, alone);
        run.guards.push(self.arena.forall(&[va, vb], body));
        let mut named = self.pointer_constants();
        named.extend(&run.named);
        let found = self.witnesses.objects[..run.used.objects].to_vec();
        named.extend(found.into_iter().map(|fun| self.arena.constant(fun)));
        named.sort_unstable();
        named.dedup();
        for name in named {
            let is_new = self.arena.subst(new, &Subst::single(va, name));
            run.guards.push(self.arena.not(is_new));
        }
    }

    /// Nothing is known of the integers in some objects, and whether cells have values.
    fn forget_data(&mut self, run: &mut Run, inside: FormulaId) -> Step<()> {
        let ([va, _], [a, _]) = self.pair();
        let outside = self.arena.not(inside);
        let flags = self.symbols.integers.iter().filter_map(|f| match (f.now, f.entry) {
            (Flag::Truth(now), Flag::Truth(entry)) if now != entry => Some(now),
            _ => None,
        });
        let unary: Vec<_> = flags.chain(self.symbols.undefined()).collect();
        let mut after = Vec::new();
        for rel in unary {
            let version = self.version(run, 1);
            let (new, old) = (self.arena.rel(version, &[a]), self.holds_of(run, rel, a));
            let (new, old) = (self.arena.and([inside, new]), self.arena.and([outside, old]));
            after.push((rel, self.arena.or([new, old])));
        }
        for (rel, formula) in after {
            run.now.define_rel(rel, &[va], formula);
        }
        for field in self.symbols.integers.clone() {
            if let (Flag::Data(now), Flag::Data(entry)) = (field.now, field.entry)
                && now != entry
            {
                let fun = self.chosen_function(run);
                let (new, old) = (self.arena.app(fun, &[a]), self.data_of(run, now, a));
                let term = self.arena.ite(inside, new, old);
                run.now.define_fun(now, &[va], term);
            }
        }
        Ok(())
    }

    /// A function of objects that a path is free to choose.
    fn chosen_function(&mut self, run: &mut Run) -> FunId {
        let i = run.used.functions;
        run.used.functions += 1;
        if i == self.witnesses.functions.len() {
            let (obj, data) = (self.symbols.obj, self.symbols.data);
            let fun = self.logic.function(format!("data_{}", i + 1), &[obj], data);
            self.witnesses.functions.push(fun);
        }
        self.witnesses.functions[i]
    }

    /// The result of a call: null, or an object that the call could reach or has made.
    fn result(
        &mut self,
        run: &mut Run,
        call: &Recursion<'_>,
        inside: Option<FormulaId>,
    ) -> Step<()> {
        let Some(dst) = call.dst else { return Ok(()) };
        let ret = self.program.proc(call.proc).ret;
        let value = match (self.program.types.scalar(ret), inside) {
            (Some(Scalar::Ptr(to)), Some(inside)) => {
                let Ok(spot @ Spot::At { .. }) = self.view().pointee(to) else {
                    return Err(Refusal::at(call.span, "a recursive call without a type").into());
                };
                let object = self.choose_object(run);
                let ([va, _], _) = self.pair();
                let null = self.null();
                let is_null = self.arena.eq(object, null);
                let known = self.arena.subst(inside, &Subst::single(va, object));
                run.guards.push(self.arena.or([is_null, known]));
                Value::Ptr(object, spot)
            }
            (Some(scalar), _) => self.choose(run, scalar, call.span)?,
            (None, _) => return Err(Refusal::at(call.span, "a struct that is returned").into()),
        };
        self.set(run, dst, value, call.span)
    }

    /// The call leaks nothing: all that it was given or has made is freed or reached from its
    /// argument or its result.
    fn nothing_lost(
        &mut self,
        run: &mut Run,
        call: &Recursion<'_>,
        tree: TermId,
        inside: FormulaId,
    ) -> Step<()> {
        if !self.options.checks.contains(CheckKind::Leak) {
            return Ok(());
        }
        let ([va, _], [a, _]) = self.pair();
        let mut roots = vec![tree];
        if let Some(dst) = call.dst
            && let Ok(Kind::Ptr(_)) = self.view().reg(dst).map(|r| r.kind)
            && let Value::Ptr(result, _) = self.eval(run, &Expr::Reg(dst), call.span)?
        {
            roots.push(result);
        }
        let now = FieldAt::now(0);
        let mut reached = Vec::new();
        for root in roots {
            reached.push(self.of_now(run, [root, a], |heap, [x, y]| {
                heap.in_forest(now, |laws, _| laws.below(x, y))
            }));
        }
        let alive = self.holds_of(run, self.symbols.alloc.now, a);
        let (premise, kept) = (self.arena.and([inside, alive]), self.arena.or(reached));
        let body = self.arena.implies(premise, kept);
        run.guards.push(self.arena.forall(&[va], body));
        Ok(())
    }

    /// Assumes what a call promises; `\old` is the state before it.
    fn promises(&mut self, run: &mut Run, before: &Definitions, promises: &[Promise]) -> Step<()> {
        let states = self.both_states(run, before);
        let vocabulary = self.symbols.view.clone();
        for promise in promises {
            let refused = |reason: String| Refusal::at(promise.span, reason);
            let translated = view::formula(&vocabulary, &mut self.view_arena, &promise.formula)
                .map_err(|e| refused(e.reason))?;
            let holds = self.relational(Mode::Assume).holds(translated).map_err(refused)?;
            if let trellis_logic::Fragment::Beyond(obstacle) =
                trellis_logic::fragment(&mut self.arena, &self.logic, holds)
            {
                let reason = format!("a formula that solvers cannot decide: {}", obstacle.text);
                return Err(refused(reason).into());
            }
            let guard = self.arena.expand(holds, &states);
            self.assume_now(run, guard)?;
        }
        Ok(())
    }

    /// The current state, with the one before a call in the place of the entry.
    fn both_states(&mut self, run: &Run, before: &Definitions) -> Definitions {
        let mut out = run.now.clone();
        let mut relations = vec![self.symbols.alloc];
        relations.extend(
            self.symbols.pointers.iter().flat_map(|f| [Some(f.relation), f.edge]).flatten(),
        );
        let mut functions = Vec::new();
        for field in &self.symbols.integers {
            match (field.now, field.entry) {
                (Flag::Truth(now), Flag::Truth(entry)) => {
                    relations.push(Twin { now, entry });
                }
                (Flag::Data(now), Flag::Data(entry)) => functions.push((now, entry)),
                _ => {}
            }
        }
        for twin in relations {
            let (vars, terms) = self.params(twin.now);
            let atom = self.arena.rel(twin.now, &terms);
            let then = self.arena.expand(atom, before);
            out.define_rel(twin.entry, &vars, then);
        }
        for (now, entry) in functions {
            let ([va, _], [a, _]) = self.pair();
            let term = self.arena.app(now, &[a]);
            let then = self.arena.expand_term(term, before);
            out.define_fun(entry, &[va], then);
        }
        out
    }
}
