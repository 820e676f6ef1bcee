//! The heap after a recursive call: what the call was given and has made is not known any more
//! (`summary` says what it promises).
//!
//! **Invariant.** Everything outside is as it was, and what is inside is a forest that leads to nothing
//! outside. New objects are such as an allocation makes: never there before, and nothing led to them.

use trellis_logic::{FormulaId, FunId, RelId, Subst, TermId};
use trellis_program::view::Kind;
use trellis_program::{CheckKind, Expr};
use trellis_solver::forest::Forest as Laws;

use super::forest::Written;
use super::state::{Run, Value};
use super::summary::Recursion;
use super::{Builder, Step};
use crate::symbols::Flag;
use crate::theory::FieldAt;

impl Builder<'_> {
    /// The heap after a call that was given some subtrees: nothing is known of what was in them, and
    /// of new objects, but that it is a forest.
    pub(super) fn forget_subtrees(
        &mut self,
        run: &mut Run,
        trees: &[TermId],
        call: &Recursion<'_>,
    ) -> Step<()> {
        let kept: Vec<Written> = run.written.clone();
        let ([va, vb], [a, b]) = self.pair();
        let null = self.null();
        let given = self.lent(run, trees);
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
        self.forget_data(run, inside, self.symbols.undefined());
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
        self.nothing_lost(run, call, trees, inside)
    }

    /// The heap after a call of a procedure that changes integers only.
    pub(super) fn forget_integers(
        &mut self,
        run: &mut Run,
        trees: &[TermId],
        call: &Recursion<'_>,
    ) -> Step<()> {
        let given = self.lent(run, trees);
        let undefined = self.symbols.integers.iter().map(|f| f.undefined).collect();
        self.forget_data(run, given, undefined);
        self.result(run, call, Some(given))
    }

    /// That a call is given an object: it is the root of a subtree or lies below it.
    fn lent(&mut self, run: &Run, trees: &[TermId]) -> FormulaId {
        let (_, [a, _]) = self.pair();
        let (now, null) = (FieldAt::now(0), self.null());
        let mut parts = Vec::new();
        for &tree in trees {
            let below = self.of_now(run, [tree, a], |heap, [x, y]| {
                heap.in_forest(now, |laws, _| laws.below(x, y))
            });
            let some = self.arena.ne(tree, null);
            parts.push(self.arena.and([some, below]));
        }
        self.arena.or(parts)
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
    fn forget_data(&mut self, run: &mut Run, inside: FormulaId, undefined: Vec<RelId>) {
        let ([va, _], [a, _]) = self.pair();
        let outside = self.arena.not(inside);
        let flags = self.symbols.integers.iter().filter_map(|f| match (f.now, f.entry) {
            (Flag::Truth(now), Flag::Truth(entry)) if now != entry => Some(now),
            _ => None,
        });
        let unary: Vec<_> = flags.chain(undefined).collect();
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

    /// The call leaks nothing: all that it was given or has made is freed or reached from its
    /// arguments or its result.
    fn nothing_lost(
        &mut self,
        run: &mut Run,
        call: &Recursion<'_>,
        trees: &[TermId],
        inside: FormulaId,
    ) -> Step<()> {
        if !self.options.checks.contains(CheckKind::Leak) {
            return Ok(());
        }
        let ([va, _], [a, _]) = self.pair();
        let mut roots = trees.to_vec();
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
}
