//! `ls`, `stable`, `rev`, `sorted`, `cyclic` by their definitions, which [`Derived`] documents.

use trellis_logic::{FormulaId, TermId};

use super::Untranslatable;
use super::formula::Translator;
use super::spots::Spot;
use super::terms::{Link, Pointer, no};
use super::vocabulary::Kind;
use crate::spec::Derived;

impl<'a> Translator<'a> {
    pub(super) fn derived(&mut self, d: &'a Derived) -> Result<FormulaId, Untranslatable> {
        match d {
            Derived::ReachOver(fields, from, to) => return self.reach_over(fields, from, to),
            Derived::Tree(fields, root) => return self.tree(fields, root),
            _ => {}
        }
        let (link, place) = self.link(d.fields()[0])?;
        let ends = d.terms().into_iter().map(|t| self.linked(t, place));
        let ends = ends.collect::<Result<Vec<TermId>, _>>()?;
        let (x, y) = (ends[0], *ends.last().unwrap_or(&ends[0]));
        let free = self.vars.len();
        let formula = match d {
            Derived::Cyclic(..) => return Ok(self.cycle(link, x)),
            Derived::ReachOver(..) | Derived::Tree(..) | Derived::ListSegment(..) => {
                self.list_segment(link, x, y)
            }
            Derived::Stable(..) => self.stable(link, x, place),
            Derived::Reverse(_, back, ..) => {
                let (back, to) = self.link(back)?;
                if to != place {
                    return no("a reverse field of another type");
                }
                self.reverse(link, back, x, y)
            }
            Derived::Sorted(_, key, ..) => {
                let key = self.exact.vocabulary.field(key.owner, key.offset, key.scalar)?;
                if key.kind != Kind::Int {
                    return no("a key that is not an integer");
                }
                let key = key.fun.at(self.view);
                self.all_pairs(link, x, y, |s, u, v| {
                    let forth = s.exact.arena.rel(link.closure, &[u, v]);
                    let (u, v) = (s.exact.arena.app(key, &[u]), s.exact.arena.app(key, &[v]));
                    let ordered = s.exact.le(u, v);
                    s.exact.implies(forth, ordered)
                })
            }
        };
        self.vars.truncate(free);
        // The quantified part may be true by itself where an end is undefined; it is never false.
        let mut parts: Vec<FormulaId> = ends.iter().map(|&t| self.exact.defined(t)).collect();
        if matches!(d, Derived::ListSegment(..)) {
            parts.clear();
        }
        parts.push(formula);
        Ok(self.exact.and(parts))
    }

    /// That a variable is a place on the path from `x` to `y`.
    fn on_path(&mut self, link: Link<'a>, x: TermId, v: TermId, y: TermId) -> Vec<FormulaId> {
        let null = self.null().term;
        vec![
            self.exact.ne(v, null),
            self.exact.arena.rel(link.closure, &[x, v]),
            self.exact.arena.rel(link.closure, &[v, y]),
        ]
    }

    fn list_segment(&mut self, link: Link<'a>, x: TermId, y: TermId) -> FormulaId {
        let obj = self.exact.vocabulary.obj;
        // What points into the segment is any object, what lies on it any place that is reached.
        let ((va, a), (vb, b)) = (self.reached("a"), self.fresh("b", obj));
        let reach = |s: &mut Self, from, to| s.exact.arena.rel(link.closure, &[from, to]);
        let mut inside = self.on_path(link, x, a, y);
        inside.push(reach(self, b, a));
        let inside = self.exact.and(inside);
        let known = vec![reach(self, b, x), reach(self, x, b)];
        let known = self.exact.or(known);
        let body = self.exact.implies(inside, known);
        let parts = vec![reach(self, x, y), self.exact.arena.forall(&[va, vb], body)];
        self.exact.and(parts)
    }

    fn stable(&mut self, link: Link<'a>, x: TermId, place: Spot) -> FormulaId {
        let (var, a) = self.reached("a");
        let null = self.null().term;
        let reached = vec![self.exact.ne(a, null), self.exact.arena.rel(link.closure, &[x, a])];
        let reached = self.exact.and(reached);
        let alloc = self.in_memory(Pointer { term: a, spot: place }, 1);
        let body = self.exact.implies(reached, alloc);
        self.exact.arena.forall(&[var], body)
    }

    fn reverse(&mut self, link: Link<'a>, back: Link<'a>, x: TermId, y: TermId) -> FormulaId {
        self.all_pairs(link, x, y, |s, u, v| {
            let forth = s.exact.arena.rel(link.closure, &[u, v]);
            let back = s.exact.arena.rel(back.closure, &[v, u]);
            s.exact.iff(forth, back)
        })
    }

    /// `\forall u, v;` both on the path from `x` to `y` `==> body`.
    fn all_pairs(
        &mut self,
        link: Link<'a>,
        x: TermId,
        y: TermId,
        body: impl FnOnce(&mut Self, TermId, TermId) -> FormulaId,
    ) -> FormulaId {
        let ((vu, u), (vv, v)) = (self.reached("u"), self.reached("v"));
        let mut both = self.on_path(link, x, u, y);
        both.extend(self.on_path(link, x, v, y));
        let both = self.exact.and(both);
        let body = body(self, u, v);
        let body = self.exact.implies(both, body);
        self.exact.arena.forall(&[vu, vv], body)
    }
}
