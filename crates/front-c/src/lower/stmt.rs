//! Statements and block-scope declarations.

use lang_c::ast::{self, BlockItem, ForInitializer, Statement};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{Expr, InstrKind, Terminator};
use trellis_program::source::Span;
use trellis_program::types::TypeId;

use super::expr::Want;
use super::proc::Target;
use super::{Lower, Val};

impl<'a> Lower<'a> {
    /// The body of a function: its parameters are in scope already.
    pub fn function_body(&mut self, body: &'a Node<Statement>) {
        match &body.node {
            Statement::Compound(items) => {
                // C gives the parameters and the outermost block one scope.
                self.items(items);
                self.statement_notes(body.span.end, false);
            }
            _ => self.statement(body),
        }
    }

    fn items(&mut self, items: &'a [Node<BlockItem>]) {
        for item in items {
            match &item.node {
                BlockItem::Declaration(d) => {
                    self.statement_notes(d.span.start, false);
                    self.local_declaration(d);
                    self.f.cursor = self.f.cursor.max(d.span.end);
                }
                BlockItem::StaticAssert(s) => self.static_assert(s),
                BlockItem::Statement(s) => self.statement(s),
            }
        }
    }

    /// Runs `f` in a block scope of its own.
    fn in_scope(&mut self, span: CSpan, f: impl FnOnce(&mut Self)) {
        let alive = self.f.alive.len();
        self.scopes.enter();
        f(self);
        self.scopes.leave();
        let end = self.at(CSpan::span(span.end.saturating_sub(1), span.end));
        self.leave_objects(alive, end);
    }

    pub fn statement(&mut self, s: &'a Node<Statement>) {
        let is_loop =
            matches!(s.node, Statement::While(_) | Statement::DoWhile(_) | Statement::For(_));
        let notes = self.statement_notes(s.span.start, is_loop);
        self.check_ghost_statement(&s.node, s.span);
        match &s.node {
            Statement::Labeled(l) => self.labeled(l),
            Statement::Compound(items) => self.in_scope(s.span, |l| {
                l.items(items);
                l.statement_notes(s.span.end, false);
            }),
            Statement::Expression(Some(e)) => {
                let outer = self.f.full;
                if outer.is_none() {
                    self.f.full = Some(self.at(e.span));
                }
                self.effect(e);
                self.f.full = outer;
            }
            Statement::Expression(None) => {}
            Statement::If(i) => self.if_statement(&i.node, s.span),
            Statement::Switch(w) => self.switch(&w.node, s.span),
            Statement::While(w) => self.while_loop(&w.node, &notes, s.span),
            Statement::DoWhile(d) => self.do_loop(&d.node, &notes, s.span),
            Statement::For(f) => self.in_scope(s.span, |l| l.for_loop(&f.node, &notes, s.span)),
            Statement::Goto(name) => self.goto(name, s.span),
            Statement::Continue => self.jump_out(false, s.span),
            Statement::Break => self.jump_out(true, s.span),
            Statement::Return(value) => self.return_statement(value.as_deref(), s.span),
            Statement::Asm(_) => {
                let at = self.at(s.span);
                self.unsupported(at, "inline assembly");
            }
        }
        self.f.cursor = self.f.cursor.max(end_of(s));
    }

    fn labeled(&mut self, l: &'a Node<ast::LabeledStatement>) {
        match &l.node.label.node {
            ast::Label::Identifier(name) => self.label(name),
            ast::Label::Case(value) => self.case(value, value),
            ast::Label::CaseRange(range) => self.case(&range.node.low, &range.node.high),
            ast::Label::Default => self.default_label(l.node.label.span),
        }
        self.f.cursor = self.f.cursor.max(l.node.label.span.end);
        self.statement(&l.node.statement);
    }

    fn if_statement(&mut self, i: &'a ast::IfStatement, span: CSpan) {
        let at = self.at(span);
        if let Some(els) = &i.else_statement
            && self.assertion_statement(&i.condition, &i.then_statement, els)
        {
            return;
        }
        let (then, join) = (self.f.builder.block(), self.f.builder.block());
        let els = match i.else_statement {
            Some(_) => self.f.builder.block(),
            None => join,
        };
        self.branch(&i.condition, then, els);
        self.f.builder.start(then, at);
        self.body(&i.then_statement);
        if let Some(statement) = &i.else_statement {
            self.f.builder.end(Terminator::Goto(join), at);
            self.f.builder.start(els, at);
            self.body(statement);
        }
        self.f.builder.start(join, at);
    }

    /// The body of an `if` or a loop: a scope of its own even without braces.
    fn body(&mut self, s: &'a Node<Statement>) {
        self.check_ghost_body(s.span);
        self.in_scope(s.span, |l| l.statement(s));
    }

    fn loop_body(&mut self, s: &'a Node<Statement>, exit: Target, next: Target) {
        self.f.breaks.push(exit);
        self.f.continues.push(next);
        self.f.loops += 1;
        self.body(s);
        self.f.loops -= 1;
        self.f.breaks.pop();
        self.f.continues.pop();
    }

    fn target(&mut self) -> Target {
        Target { block: self.f.builder.block(), alive: self.f.alive.len() }
    }

    fn while_loop(&mut self, w: &'a ast::WhileStatement, notes: &[usize], span: CSpan) {
        let at = self.at(span);
        let (head, body, exit) = (self.target(), self.f.builder.block(), self.target());
        self.f.builder.start(head.block, at);
        self.loop_invariants(notes);
        self.f.loops += 1;
        self.branch(&w.expression, body, exit.block);
        self.f.loops -= 1;
        self.f.builder.start(body, at);
        self.loop_body(&w.statement, exit, head);
        let end = self.at(CSpan::span(span.end.saturating_sub(1), span.end));
        self.f.builder.end(Terminator::Goto(head.block), end);
        self.f.builder.start(exit.block, at);
    }

    fn do_loop(&mut self, d: &'a ast::DoWhileStatement, notes: &[usize], span: CSpan) {
        let at = self.at(span);
        let (body, test, exit) = (self.f.builder.block(), self.target(), self.target());
        self.f.builder.start(body, at);
        self.loop_invariants(notes);
        self.loop_body(&d.statement, exit, test);
        self.f.builder.start(test.block, at);
        self.f.loops += 1;
        self.branch(&d.expression, body, exit.block);
        self.f.loops -= 1;
        self.f.builder.start(exit.block, at);
    }

    fn for_loop(&mut self, f: &'a ast::ForStatement, notes: &[usize], span: CSpan) {
        let at = self.at(span);
        match &f.initializer.node {
            ForInitializer::Empty => {}
            ForInitializer::Expression(e) => self.effect(e),
            ForInitializer::Declaration(d) => self.local_declaration(d),
            ForInitializer::StaticAssert(s) => self.static_assert(s),
        }
        let (head, body) = (self.f.builder.block(), self.f.builder.block());
        let (step, exit) = (self.target(), self.target());
        self.f.builder.start(head, at);
        self.loop_invariants(notes);
        self.f.loops += 1;
        match &f.condition {
            Some(c) => self.branch(c, body, exit.block),
            None => self.f.builder.end(Terminator::Goto(body), at),
        }
        self.f.loops -= 1;
        self.f.builder.start(body, at);
        self.f.cursor = self.f.cursor.max(header_end(f));
        self.loop_body(&f.statement, exit, step);
        self.f.builder.start(step.block, at);
        if let Some(s) = &f.step {
            self.f.loops += 1;
            self.effect(s);
            self.f.loops -= 1;
        }
        self.f.builder.end(Terminator::Goto(head), at);
        self.f.builder.start(exit.block, at);
    }

    fn return_statement(&mut self, value: Option<&'a Node<ast::Expression>>, span: CSpan) {
        let at = self.at(span);
        let ret = self.f.ret;
        let value = match value {
            Some(e) if ret == self.ty.void => {
                self.effect(e);
                None
            }
            Some(e) => {
                let v = self.rvalue_for(e, Want::type_only(ret));
                Some(self.convert(v, ret, e.span).e)
            }
            None if ret == self.ty.void => None,
            None => Some(self.no_value(ret, at)),
        };
        self.f.builder.end(Terminator::Return(value), at);
    }

    /// An undefined value of a type.
    pub fn no_value(&mut self, ty: TypeId, at: Span) -> Expr {
        if self.types.scalar(ty).is_some() {
            Expr::Reg(self.temp(ty, at))
        } else {
            Expr::Addr(self.temp_object(ty, at))
        }
    }

    /// `({ …; e; })`: the value of the last expression.
    pub fn statement_expression(&mut self, s: &'a Node<Statement>, want: Want) -> Val {
        let Statement::Compound(items) = &s.node else {
            return self.unknown();
        };
        let alive = self.f.alive.len();
        self.scopes.enter();
        let void = Val { e: Expr::Int(0), ty: self.ty.void };
        let value = match items.split_last() {
            Some((last, first)) => {
                self.items(first);
                match &last.node {
                    BlockItem::Statement(Node { node: Statement::Expression(Some(e)), .. }) => {
                        let value = self.rvalue_for(e, want);
                        self.carried_out(value, alive, e.span)
                    }
                    _ => {
                        self.items(std::slice::from_ref(last));
                        void
                    }
                }
            }
            None => void,
        };
        self.scopes.leave();
        let end = self.at(CSpan::span(s.span.end.saturating_sub(1), s.span.end));
        self.leave_objects(alive, end);
        value
    }

    /// A struct value that lives in an object about to die is copied out first.
    fn carried_out(&mut self, value: Val, alive: usize, span: CSpan) -> Val {
        if !self.is_record(value.ty) || self.f.alive.len() == alive {
            return value;
        }
        let at = self.at(span);
        let reg = self.lasting_object(value.ty, at);
        let size = self.size_of(value.ty, span);
        let dst = Expr::Addr(reg);
        self.emit(
            InstrKind::Copy {
                dst: dst.clone(),
                src: value.e,
                size: Expr::Int(i64::from(size)),
                may_overlap: true,
            },
            at,
        );
        Val { e: dst, ty: value.ty }
    }

    /// `({ … });`
    pub fn statement_expression_effect(&mut self, s: &'a Node<Statement>) {
        if let Statement::Compound(items) = &s.node {
            self.in_scope(s.span, |l| l.items(items));
        }
    }
}

/// Where the parenthesis of a `for` ends, or before it.
fn header_end(f: &ast::ForStatement) -> usize {
    let step = f.step.as_ref().map_or(0, |e| e.span.end);
    let condition = f.condition.as_ref().map_or(0, |e| e.span.end);
    step.max(condition).max(f.initializer.span.end)
}

/// Where a statement ends. The parser looks for an `else` behind the blanks after an `if`, and
/// counts these blanks, and annotations among them, as a part of it.
fn end_of(s: &Node<Statement>) -> usize {
    match &s.node {
        Statement::Labeled(l) => end_of(&l.node.statement),
        Statement::If(i) => {
            end_of(i.node.else_statement.as_ref().unwrap_or(&i.node.then_statement))
        }
        Statement::Switch(w) => end_of(&w.node.statement),
        Statement::While(w) => end_of(&w.node.statement),
        Statement::For(f) => end_of(&f.node.statement),
        _ => s.span.end,
    }
}
