//! `switch`: a chain of comparisons before the body; the labels are blocks in it.

use lang_c::ast::{self, Expression};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{CmpOp, Expr, Terminator};
use trellis_program::types::IntKind;

use super::proc::{Case, Switch, Target};
use super::{Lower, fold};

impl<'a> Lower<'a> {
    pub fn switch(&mut self, s: &'a ast::SwitchStatement, span: CSpan) {
        let at = self.at(span);
        let value = self.rvalue(&s.expression);
        let value = self.promoted(value);
        let value = match self.int_kind(value.ty) {
            Some(_) => self.in_register(value, s.expression.span),
            None => {
                let at = self.at(s.expression.span);
                if !self.is_unknown(value.ty) {
                    self.error(at, "the value of a `switch` must be an integer");
                }
                self.havoc(self.ty.int, None, at)
            }
        };
        let kind = self.kind_of(value.ty);
        let dispatch = self.f.builder.here();
        self.f.builder.leave();
        let exit = Target { block: self.f.builder.block(), alive: self.f.alive.len() };
        let outside = self.f.alive.clone();
        self.f.breaks.push(exit);
        self.f.switches.push(Switch { kind: Some(kind), ..Switch::default() });
        self.scopes.enter();
        self.statement(&s.statement);
        self.scopes.leave();
        let end = self.at(CSpan::span(span.end.saturating_sub(1), span.end));
        self.leave_objects(outside.len(), end);
        self.f.breaks.pop();
        let done = self.f.switches.pop().unwrap_or_default();
        self.f.builder.end(Terminator::Goto(exit.block), end);
        let mut last = dispatch;
        self.f.builder.resume(dispatch);
        for case in &done.cases {
            let cond = if case.low == case.high {
                fold::compare(CmpOp::Eq, Some(kind), value.e.clone(), Expr::Int(case.low))
            } else {
                // Both bounds in one expression: 1 + 1 == 2.
                let low =
                    fold::compare(CmpOp::Ge, Some(kind), value.e.clone(), Expr::Int(case.low));
                let high =
                    fold::compare(CmpOp::Le, Some(kind), value.e.clone(), Expr::Int(case.high));
                fold::binary(trellis_program::BinOp::And, IntKind::INT, low, high)
            };
            let next = self.f.builder.block();
            let at_test = case.span;
            let here = self.f.builder.here();
            let target = self.edge(case.block, &outside, &case.alive, at_test);
            self.f.builder.resume(here);
            self.end_branch(cond, target, next, at_test);
            self.f.builder.start_after(next, last);
            last = next;
        }
        let target = match &done.default {
            Some((block, alive)) => {
                let here = self.f.builder.here();
                let target = self.edge(*block, &outside, alive, at);
                self.f.builder.resume(here);
                target
            }
            None => exit.block,
        };
        self.f.builder.end(Terminator::Goto(target), at);
        self.f.builder.start(exit.block, at);
    }

    /// `case low ... high:`
    pub fn case(&mut self, low: &'a Node<Expression>, high: &'a Node<Expression>) {
        let at = self.at(low.span);
        let Some(kind) = self.f.switches.last().and_then(|s| s.kind) else {
            self.error(at, "`case` outside a `switch`");
            return;
        };
        let (a, b) = (self.constant(low), self.constant(high));
        let (Some((low, ka)), Some((high, kb))) = (a, b) else {
            self.error(at, "the value of a `case` must be a constant");
            return;
        };
        let (low, high) = (kind.wrap(ka.value(low)), kind.wrap(kb.value(high)));
        let block = self.f.builder.block();
        let alive = self.f.alive.clone();
        let mut twice = false;
        if let Some(s) = self.f.switches.last_mut() {
            // The ranges that are there do not overlap, so the nearest one below is the only one that
            // this can.
            let (from, to) = (kind.value(low), kind.value(high));
            twice = s.ranges.range(..=to).next_back().is_some_and(|(_, end)| *end >= from);
            if !twice && from <= to {
                s.ranges.insert(from, to);
            }
            s.cases.push(Case { low, high, block, alive, span: at });
        }
        if twice {
            self.error(at, "this `switch` has that `case` already");
        }
        self.f.builder.start(block, at);
    }

    /// `default:`
    pub fn default_label(&mut self, span: CSpan) {
        let at = self.at(span);
        let block = self.f.builder.block();
        let alive = self.f.alive.clone();
        match self.f.switches.last_mut() {
            Some(s) if s.default.is_none() => s.default = Some((block, alive)),
            Some(_) => {
                self.error(at, "this `switch` has a `default` already");
            }
            None => {
                self.error(at, "`default` outside a `switch`");
            }
        }
        self.f.builder.start(block, at);
    }
}
