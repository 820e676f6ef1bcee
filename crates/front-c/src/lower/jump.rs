//! Jumps, and what they do to the lifetimes of local objects.
//!
//! A jump out of a scope ends the objects born in it; a jump into a scope past a declaration
//! begins them (in C, storage exists from the start of the block, without a value).

use std::collections::BTreeSet;

use lang_c::ast;
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{BlockId, InstrKind, Terminator, VarId};
use trellis_program::source::{Diagnostic, Span, suggest};

use super::Lower;
use super::proc::{Goto, Label};

impl<'a> Lower<'a> {
    /// Ends the objects born since there were `count` of them, without forgetting them.
    pub fn end_objects(&mut self, count: usize, at: Span) {
        if !self.f.builder.is_open() {
            return;
        }
        let dying: Vec<VarId> = self.f.alive[count.min(self.f.alive.len())..].to_vec();
        for var in dying.into_iter().rev() {
            self.emit(InstrKind::EndLocal { var }, at);
        }
    }

    /// Leaves a scope in which there were `count` objects before.
    pub fn leave_objects(&mut self, count: usize, at: Span) {
        self.end_objects(count, at);
        self.f.alive.truncate(count);
    }

    /// `break` and `continue`.
    pub fn jump_out(&mut self, is_break: bool, span: CSpan) {
        let at = self.at(span);
        let target =
            if is_break { self.f.breaks.last().copied() } else { self.f.continues.last().copied() };
        match target {
            Some(target) => {
                self.end_objects(target.alive, at);
                self.f.builder.end(Terminator::Goto(target.block), at);
            }
            None => {
                let word = if is_break { "break" } else { "continue" };
                self.error(at, format!("`{word}` outside a loop"));
            }
        }
    }

    pub fn goto(&mut self, label: &'a Node<ast::Identifier>, span: CSpan) {
        let at = self.at(span);
        let name_span = self.at(label.span);
        let edge = self.f.builder.block();
        self.f.builder.end(Terminator::Goto(edge), at);
        self.f.builder.place(edge);
        let alive = self.f.alive.clone();
        self.f.gotos.push(Goto {
            edge,
            label: label.node.name.clone(),
            alive,
            span: at,
            name_span,
        });
    }

    pub fn label(&mut self, name: &'a Node<ast::Identifier>) {
        let at = self.at(name.span);
        let block = self.f.builder.block();
        let label = Label { block, alive: self.f.alive.clone() };
        if self.f.labels.insert(name.node.name.clone(), label).is_some() {
            self.error(at, format!("the label `{}` is defined twice", name.node.name));
        }
        self.f.builder.start(block, at);
    }

    /// Connects every `goto` with its label.
    pub fn resolve_gotos(&mut self) {
        for goto in std::mem::take(&mut self.f.gotos) {
            match self.f.labels.get(&goto.label).cloned() {
                Some(label) => {
                    self.f.builder.resume(goto.edge);
                    self.adjust_objects(&goto.alive, &label.alive, goto.span);
                    self.f.builder.end(Terminator::Goto(label.block), goto.span);
                }
                None => {
                    let near = suggest(&goto.label, self.f.labels.keys().map(String::as_str));
                    let message = format!("no label is called `{}`", goto.label);
                    let mut d = Diagnostic::error(goto.name_span, message);
                    if let Some(near) = near {
                        d = d.with_help(format!("did you mean `{near}`?"));
                    }
                    self.diagnostics.push(d);
                }
            }
        }
    }

    /// Ends the objects that live only at the source of a jump, begins those that live only at
    /// its target.
    fn adjust_objects(&mut self, from: &[VarId], to: &[VarId], at: Span) {
        let (source, target): (BTreeSet<_>, BTreeSet<_>) =
            (from.iter().collect(), to.iter().collect());
        for &var in from.iter().rev().filter(|v| !target.contains(v)) {
            self.emit(InstrKind::EndLocal { var }, at);
        }
        for &var in to.iter().filter(|v| !source.contains(v)) {
            self.emit(InstrKind::BeginLocal { var }, at);
        }
    }

    /// A block through which control reaches `target` with the right objects alive.
    pub fn edge(&mut self, target: BlockId, from: &[VarId], to: &[VarId], at: Span) -> BlockId {
        if from == to {
            return target;
        }
        let edge = self.f.builder.block();
        self.f.builder.open(edge);
        self.adjust_objects(from, to, at);
        self.f.builder.end(Terminator::Goto(target), at);
        edge
    }
}
