//! Formulas to clauses, and contracts.
//!
//! A formula is cut into its conjuncts, each a clause with a place of its own. A conjunct that the
//! contract language of the heap program can say becomes a formula of it (`first_order`), so that
//! every engine can use it; all others stay as they are ([`Formula::Hol`]).
//!
//! **Invariants of classes** hold when a method that is not private is called and when it returns;
//! those of all classes, for callers see them all. One that speaks of `this` is meant for every
//! object of its class. **`modifies`** lists the public specification variables that a method may
//! change: all others of its class must be what they were. What it says of fields and arrays is not
//! checked, for a field belongs to the class that has it, or claims it.

use std::sync::Arc;

use trellis_hol::{Node, Syntax, Type as HolType, elaborate, parse};
use trellis_program::source::{Diagnostic, Span};
use trellis_program::spec::{FieldRef, Formula, HolClause, Promise, Term};

use super::declare::{complaint, place};
use super::first_order::Of;
use super::names::{Locals, Names, for_all_this};
use super::types::ClassId;
use super::{Lower, first_order};
use crate::ast::{Method, Spec, SpecKind, Text};

/// An invariant of a class, ready to use: it mentions no variable of a method.
pub(crate) struct Invariant {
    pub name: Option<String>,
    pub clauses: Vec<Promise>,
}

/// What a formula is for.
#[derive(Clone, Copy)]
pub(crate) enum Use<'a> {
    /// A place in code, or a part of the contract of a method that demands no invariants.
    Code,
    /// A part of the contract of a method beside all invariants, by which some sets of fields are
    /// those of a forest.
    BesideAll(&'a [Vec<FieldRef>]),
    /// An invariant of a class: one that speaks of `this` is meant for every object of the class.
    Invariant,
    /// The same among all others, by which some sets of fields are those of a forest.
    AmongAll(&'a [Vec<FieldRef>]),
}

/// Why a formula cannot be used.
pub(crate) enum Problem {
    Wrong(Diagnostic),
    Unsupported(Span, String),
}

/// The conjuncts of a formula, without comments around them.
fn conjuncts<'n>(node: &'n Node, out: &mut Vec<&'n Node>) {
    match &node.kind {
        Syntax::Comment(_, inner) => conjuncts(inner, out),
        Syntax::Op("&", parts) => parts.iter().for_each(|p| conjuncts(p, out)),
        _ => out.push(node),
    }
}

impl Lower<'_> {
    /// A closed term of a type, with the values of what it mentions and what objects these may be.
    pub(crate) fn clause(
        &self,
        node: &Node,
        text: &Text,
        ty: &HolType,
        class: ClassId,
        locals: &Locals,
    ) -> Result<(HolClause, Vec<Term>, Vec<Of>), Problem> {
        let mut names = Names::new(self, class, locals.clone());
        let term = match elaborate(node, ty, &mut names) {
            Ok(term) => term,
            Err(e) => {
                let span = place(text, e.at);
                return Err(match names.unsupported {
                    Some(reason) => Problem::Unsupported(span, reason),
                    None => Problem::Wrong(complaint(text, e)),
                });
            }
        };
        let Names { symbols, meanings, args, kinds, .. } = names;
        let formula = trellis_hol::Formula::new(symbols, term);
        Ok((HolClause { formula, meanings, origin: text.span }, args, kinds))
    }

    /// The clauses of a formula.
    pub(crate) fn clauses(
        &self,
        text: &Text,
        class: ClassId,
        locals: &Locals,
        used: Use<'_>,
    ) -> Result<Vec<Promise>, Problem> {
        let node = parse(&text.text).map_err(|e| Problem::Wrong(complaint(text, e)))?;
        let (for_all, forests) = match used {
            Use::Code => (false, &[][..]),
            Use::BesideAll(forests) => (false, forests),
            Use::Invariant => (true, &[][..]),
            Use::AmongAll(forests) => (true, forests),
        };
        let mut parts = Vec::new();
        conjuncts(&node, &mut parts);
        let mut all = Vec::new();
        for part in parts {
            if let Some(named) = self.invariant_by_name(part, text, class)? {
                all.extend(named);
                continue;
            }
            let mut wrapped = None;
            if for_all {
                // What `this` is does not matter for finding out whether it is meant.
                let some = Locals { this: Some(Term::Null), ..Locals::default() };
                let mut names = Names::new(self, class, some);
                if elaborate(part, &HolType::Bool, &mut names).is_ok() && names.uses_this {
                    wrapped = Some(for_all_this(part, &self.classes.names[class.0]));
                }
            }
            let node = wrapped.as_ref().unwrap_or(part);
            let (clause, args, kinds) = self.clause(node, text, &HolType::Bool, class, locals)?;
            let span = place(text, part.at);
            let formula = self.formula(clause, args, &kinds, forests);
            all.push(Promise { formula, span });
        }
        Ok(all)
    }

    /// As a formula of the contract language if it has a form there.
    fn formula(
        &self,
        clause: HolClause,
        args: Vec<Term>,
        kinds: &[Of],
        forests: &[Vec<FieldRef>],
    ) -> Formula {
        let universe = self.universe.as_ref();
        match universe.and_then(|u| first_order::translate(u, &clause, &args, (kinds, forests))) {
            Some(formula) => formula,
            None => Formula::Hol(Arc::new(clause), args),
        }
    }

    /// `theinv name`, and `theinvs` for all of them.
    fn invariant_by_name(
        &self,
        part: &Node,
        text: &Text,
        class: ClassId,
    ) -> Result<Option<Vec<Promise>>, Problem> {
        let span = place(text, part.at);
        if matches!(&part.kind, Syntax::Name(word) if word == "theinvs") {
            return match self.all_invariants() {
                (all, None) => Ok(Some(all.into_iter().map(|c| Promise { span, ..c }).collect())),
                (_, Some((_, reason))) => Err(Problem::Unsupported(span, reason)),
            };
        }
        let Syntax::Apply(head, args) = &part.kind else { return Ok(None) };
        let (Syntax::Name(word), [arg]) = (&head.kind, &args[..]) else { return Ok(None) };
        let (true, Syntax::Name(name)) = (word == "theinv", &arg.kind) else { return Ok(None) };
        let names = Names::new(self, class, Locals::default());
        let Some(found) = names.invariant(name) else {
            let message = format!("no invariant is called `{name}`");
            return Err(Problem::Wrong(Diagnostic::error(place(text, arg.at), message)));
        };
        Ok(Some(found.clauses.iter().map(|c| Promise { span, ..c.clone() }).collect()))
    }

    /// Looks at every definition and invariant once.
    pub(super) fn elaborate_invariants(&mut self) {
        self.settle_spec_vars();
        for class in self.class_ids() {
            for (name, text) in self.infos[class.0].invariants.clone() {
                let clauses = match self.clauses(&text, class, &Locals::default(), Use::Invariant) {
                    Ok(clauses) => clauses,
                    Err(Problem::Wrong(diagnostic)) => {
                        self.error(diagnostic);
                        continue;
                    }
                    // Methods say it again, as often as they need it.
                    Err(Problem::Unsupported(..)) => Vec::new(),
                };
                self.invariants.push(Invariant { name, clauses });
            }
        }
    }

    /// A specification variable that says nothing about `this` belongs to the class, whether it is
    /// said to be static or not. Definitions that are wrong are complained about.
    fn settle_spec_vars(&mut self) {
        loop {
            let mut changed = false;
            for class in self.class_ids() {
                for i in 0..self.infos[class.0].spec_vars.len() {
                    let var = self.infos[class.0].spec_vars[i].clone();
                    let Some((node, _)) = &var.definition else { continue };
                    if var.is_static {
                        continue;
                    }
                    let some = Locals { this: Some(Term::Null), ..Locals::default() };
                    let mut names = Names::new(self, class, some);
                    if elaborate(node, &var.ty, &mut names).is_ok() && !names.uses_this {
                        self.infos[class.0].spec_vars[i].is_static = true;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        for class in self.class_ids() {
            for var in self.infos[class.0].spec_vars.clone() {
                let Some((node, text)) = &var.definition else { continue };
                let this = (!var.is_static).then_some(Term::Null);
                let locals = Locals { this, ..Locals::default() };
                let mut names = Names::new(self, class, locals);
                if let Err(e) = elaborate(node, &var.ty, &mut names)
                    && names.unsupported.is_none()
                {
                    self.error(complaint(text, e));
                }
            }
        }
    }

    /// The sets of fields that invariants demand to be those of a forest.
    pub(crate) fn forests(&self) -> Vec<Vec<FieldRef>> {
        let mut all = Vec::new();
        for class in self.class_ids() {
            for (_, text) in &self.info(class).invariants {
                let Ok(node) = parse(&text.text) else { continue };
                let mut parts = Vec::new();
                conjuncts(&node, &mut parts);
                for part in parts {
                    let clause = self.clause(part, text, &HolType::Bool, class, &Locals::default());
                    all.extend(
                        clause.ok().and_then(|(clause, ..)| first_order::forest_of(&clause)),
                    );
                }
            }
        }
        all
    }

    /// The invariants of all classes, with the first that is outside the subset.
    pub(crate) fn all_invariants(&self) -> (Vec<Promise>, Option<(Span, String)>) {
        let (mut all, mut refused) = (Vec::new(), None);
        let forests = self.forests();
        for class in self.class_ids() {
            for (_, text) in &self.info(class).invariants {
                match self.clauses(text, class, &Locals::default(), Use::AmongAll(&forests)) {
                    Ok(clauses) => all.extend(clauses),
                    Err(Problem::Unsupported(span, reason)) => {
                        refused.get_or_insert((span, reason));
                    }
                    Err(Problem::Wrong(_)) => {}
                }
            }
        }
        (all, refused)
    }

    /// What must be the same after a method: public variables that `modifies` does not list.
    pub(crate) fn frame(&self, class: ClassId, method: &Method) -> Vec<(String, Span)> {
        let contract = method.specs.iter().find_map(|s| match &s.kind {
            SpecKind::Contract { modifies, .. } => Some((modifies.clone(), s.span)),
            _ => None,
        });
        let Some((modifies, span)) = contract else { return Vec::new() };
        let listed: Vec<String> = modifies
            .unwrap_or_default()
            .iter()
            .map(|t| {
                let text = t.text.trim().trim_start_matches("this..");
                text.rsplit('.').next().unwrap_or(text).to_owned()
            })
            .collect();
        let info = self.info(class);
        let defined = |v: &&super::SpecVar| v.is_public && v.is_static && v.definition.is_some();
        let spec_vars = info.spec_vars.iter().filter(defined).map(|v| v.name.clone());
        let statics = info.statics.iter().filter(|s| s.is_public).map(|s| s.name.clone());
        let names = spec_vars.chain(statics);
        names.filter(|n| !listed.contains(n)).map(|n| (n, span)).collect()
    }
}

/// The contract of a method, if it has one: its parts and its place.
pub(crate) fn contract_of(specs: &[Spec]) -> Option<(Option<&Text>, Option<&Text>)> {
    specs.iter().find_map(|s| match &s.kind {
        SpecKind::Contract { requires, ensures, .. } => Some((requires.as_ref(), ensures.as_ref())),
        _ => None,
    })
}
