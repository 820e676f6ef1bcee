//! Writing: the recorder, and how events become lines.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;

use trellis_logic::{
    Arena, ArithOp, Formula, FormulaId, FunKind, Quantifier, RelKind, SortId, Structure, Term,
    TermId, VarId, Vocabulary,
};

use super::nodes::{Node, Walk};
use super::{Check, Event, HEADER, Outcome};
use crate::{Answer, Context, Limits, OutsideFragment, Solver, Statistics, Unknown};

/// A solver whose conversation is written down.
///
/// An error in writing does not disturb the conversation; [`Recorder::finish`] tells.
pub struct Recorder<S, W> {
    solver: S,
    out: W,
    writer: Writer,
    error: Option<io::Error>,
}

impl<S: Solver, W: io::Write> Recorder<S, W> {
    /// Records what `solver` is asked.
    pub fn new(solver: S, out: W) -> Recorder<S, W> {
        Recorder { solver, out, writer: Writer::new(), error: None }
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// If anything could not be written.
    pub fn finish(mut self) -> io::Result<(S, W)> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.out.flush().map(|()| (self.solver, self.out)),
        }
    }

    fn record(&mut self, context: &Context<'_>, event: &Event) {
        let text = self.writer.event(context.vocabulary, context.arena, event);
        if self.error.is_none() {
            self.error = self.out.write_all(text.as_bytes()).err();
        }
    }
}

impl<S: Solver, W: io::Write + Send> Solver for Recorder<S, W> {
    fn name(&self) -> &str {
        self.solver.name()
    }

    fn assert(
        &mut self,
        context: &mut Context<'_>,
        formula: FormulaId,
    ) -> Result<(), OutsideFragment> {
        let result = self.solver.assert(context, formula);
        let event = match &result {
            Ok(()) => Event::Assert(formula),
            Err(refusal) => Event::Refused(formula, refusal.reason.clone()),
        };
        self.record(context, &event);
        result
    }

    fn check(
        &mut self,
        context: &mut Context<'_>,
        assumptions: &[FormulaId],
        limits: &Limits,
    ) -> Answer {
        let answer = self.solver.check(context, assumptions, limits);
        let outcome = match &answer {
            Answer::Sat => Outcome::Sat,
            Answer::Unsat => Outcome::Unsat(self.solver.core().to_vec()),
            Answer::Unknown(unknown) => Outcome::Unknown(unknown.to_string()),
        };
        let check = Check {
            assumptions: assumptions.to_vec(),
            minimise_core: limits.minimise_core,
            outcome,
        };
        self.record(context, &Event::Check(check));
        answer
    }

    fn model(&mut self, context: &mut Context<'_>, limits: &Limits) -> Result<Structure, Unknown> {
        self.record(context, &Event::Model { minimise: limits.minimise_model });
        self.solver.model(context, limits)
    }

    fn core(&self) -> &[usize] {
        self.solver.core()
    }

    fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }
}

/// Turns events into lines, and knows which symbols and nodes have a number already.
#[derive(Clone, Default, Debug)]
pub struct Writer {
    started: bool,
    sorts: usize,
    funs: usize,
    rels: usize,
    vars: BTreeMap<VarId, usize>,
    terms: BTreeMap<TermId, usize>,
    formulas: BTreeMap<FormulaId, usize>,
    walk: Walk,
}

impl Writer {
    /// A writer at the beginning of a file.
    pub fn new() -> Writer {
        let formulas = BTreeMap::from([(FormulaId::TRUE, 0), (FormulaId::FALSE, 1)]);
        Writer { formulas, ..Writer::default() }
    }

    /// The lines for an event, with those for everything new that it mentions.
    pub fn event(&mut self, vocabulary: &Vocabulary, arena: &Arena, event: &Event) -> String {
        let mut out = self.symbols(vocabulary);
        match event {
            Event::Assert(formula) => {
                self.define(arena, *formula, &mut out);
                push(&mut out, format_args!("assert A{}\n", self.formulas[formula]));
            }
            Event::Refused(formula, reason) => {
                self.define(arena, *formula, &mut out);
                push(&mut out, format_args!("refused A{} ", self.formulas[formula]));
                push_string(&mut out, reason);
                out.push('\n');
            }
            Event::Check(check) => {
                for &formula in &check.assumptions {
                    self.define(arena, formula, &mut out);
                }
                self.check(check, &mut out);
            }
            Event::Model { minimise: false } => out.push_str("model\n"),
            Event::Model { minimise: true } => out.push_str("model small\n"),
        }
        out
    }

    fn check(&self, check: &Check, out: &mut String) {
        out.push_str("check");
        out.push_str(if check.minimise_core { " core" } else { "" });
        for formula in &check.assumptions {
            push(out, format_args!(" A{}", self.formulas[formula]));
        }
        match &check.outcome {
            Outcome::Sat => out.push_str(" = sat"),
            Outcome::Unsat(core) => {
                out.push_str(" = unsat");
                for index in core {
                    push(out, format_args!(" {index}"));
                }
            }
            Outcome::Unknown(reason) => {
                out.push_str(" = unknown ");
                push_string(out, reason);
            }
        }
        out.push('\n');
    }

    /// The lines for the symbols that are new.
    pub fn symbols(&mut self, vocabulary: &Vocabulary) -> String {
        let mut out = String::new();
        if !self.started {
            self.started = true;
            push(&mut out, format_args!("{HEADER}\n"));
        }
        for sort in vocabulary.sorts().skip(self.sorts.max(1)) {
            out.push_str("sort ");
            push_string(&mut out, &vocabulary.sort_of(sort).name);
            out.push('\n');
        }
        self.sorts = vocabulary.sorts().len();
        self.declare(vocabulary, &mut out);
        out
    }

    /// Declares the functions and relations that are new.
    fn declare(&mut self, vocabulary: &Vocabulary, out: &mut String) {
        for id in vocabulary.funs().skip(self.funs) {
            let fun = vocabulary.fun(id);
            let keyword = match (fun.kind, fun.args.is_empty(), fun.mutable) {
                (FunKind::Null, ..) => "null ",
                (FunKind::Field, ..) => "field ",
                (FunKind::Plain | FunKind::Skolem, true, true) => "variable ",
                (FunKind::Plain | FunKind::Skolem, true, false) => "constant ",
                (FunKind::Plain | FunKind::Skolem, false, _) => "function ",
            };
            out.push_str(keyword);
            push_string(out, &fun.name);
            push_sorts(out, fun.args.iter().chain([&fun.result]));
        }
        for id in vocabulary.rels().skip(self.rels) {
            let rel = vocabulary.rel(id);
            match (rel.kind, rel.mutable) {
                (RelKind::Plain, false) => out.push_str("relation "),
                (RelKind::Plain, true) => out.push_str("state-relation "),
                (RelKind::Order, _) => out.push_str("order "),
                (RelKind::Closure { .. }, _) => out.push_str("closure "),
                (RelKind::Between { .. }, _) => out.push_str("between "),
                (RelKind::Below { .. }, _) => out.push_str("below "),
            }
            push_string(out, &rel.name);
            match (rel.kind, rel.kind.field()) {
                (_, Some(field)) => push(out, format_args!(" F{}\n", field.index())),
                (RelKind::Order, None) => push_sorts(out, rel.args.iter().take(1)),
                (_, None) => push_sorts(out, rel.args.iter()),
            }
        }
        self.funs = self.funs.max(vocabulary.funs().len());
        self.rels = self.rels.max(vocabulary.rels().len());
    }

    /// Gives a formula and all its parts numbers.
    fn define(&mut self, arena: &Arena, formula: FormulaId, out: &mut String) {
        let Writer { vars, terms, formulas, walk, .. } = self;
        let mut number_of_var = |v: VarId, out: &mut String| {
            let next = vars.len();
            *vars.entry(v).or_insert_with(|| {
                out.push_str("var ");
                push_string(out, &arena.var(v).name);
                push_sorts(out, [&arena.var(v).sort]);
                next
            })
        };
        walk.visit(arena, Node::Formula(formula), |node| {
            let numbers = Numbers { terms, formulas };
            match node {
                Node::Term(t) => {
                    let line = match arena.term(t) {
                        Term::Var(v) => format!(" V{}", number_of_var(*v, out)),
                        Term::Num(n) => format!(" {n}"),
                        Term::App(fun, _) => format!(" F{}", fun.index()),
                        Term::Arith(ArithOp::Add, ..) => " add".into(),
                        Term::Arith(ArithOp::Sub, ..) => " sub".into(),
                        Term::Arith(ArithOp::Mul, ..) => " mul".into(),
                        Term::Ite(..) => " ite".into(),
                    };
                    out.push_str("term");
                    out.push_str(&line);
                    numbers.push_children(out, arena, node);
                    out.push('\n');
                    terms.insert(t, terms.len());
                }
                Node::Formula(FormulaId::TRUE | FormulaId::FALSE) => {}
                Node::Formula(f) => {
                    let mut bound = String::new();
                    if let Formula::Quant(_, vars, _) = arena.formula(f) {
                        for &v in vars {
                            push(&mut bound, format_args!(" V{}", number_of_var(v, out)));
                        }
                    }
                    out.push_str("formula");
                    match arena.formula(f) {
                        Formula::Rel(rel, _) => push(out, format_args!(" R{}", rel.index())),
                        node => out.push_str(connective(node)),
                    }
                    numbers.push_children(out, arena, node);
                    out.push_str(&bound);
                    out.push('\n');
                    formulas.insert(f, formulas.len());
                }
            }
        });
    }
}

fn connective(formula: &Formula) -> &'static str {
    match formula {
        Formula::True | Formula::False | Formula::Rel(..) => "",
        Formula::Eq(..) => " eq",
        Formula::Le(..) => " le",
        Formula::Lt(..) => " lt",
        Formula::Not(_) => " not",
        Formula::And(_) => " and",
        Formula::Or(_) => " or",
        Formula::Implies(..) => " implies",
        Formula::Iff(..) => " iff",
        Formula::Quant(Quantifier::Forall, ..) => " forall",
        Formula::Quant(Quantifier::Exists, ..) => " exists",
    }
}

struct Numbers<'a> {
    terms: &'a BTreeMap<TermId, usize>,
    formulas: &'a BTreeMap<FormulaId, usize>,
}

impl Numbers<'_> {
    fn push_children(&self, out: &mut String, arena: &Arena, node: Node) {
        // A variable and a numeral have none, a walk meets children first.
        for child in node.children(arena) {
            match child {
                Node::Term(t) => push(out, format_args!(" T{}", self.terms[&t])),
                Node::Formula(f) => push(out, format_args!(" A{}", self.formulas[&f])),
            }
        }
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = out.write_fmt(text);
}

fn push_sorts<'a>(out: &mut String, sorts: impl IntoIterator<Item = &'a SortId>) {
    for sort in sorts {
        push(out, format_args!(" S{}", sort.index()));
    }
    out.push('\n');
}

fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
}
