//! Syntax trees to a heap program.
//!
//! A class is a record, a reference a pointer to the start of an object, an array an object of its
//! elements (a pointer to a scalar is a reference to an array), a static field a global in a
//! register. A constructor is a procedure that allocates and returns the object. Reading a field
//! is a load, so null dereferences are found where they happen.
//!
//! * [`types`]: types and classes
//! * `declare`: fields, specification variables, methods
//! * `names`: what names in formulas mean
//! * `contract`: formulas to clauses; invariants, requires, modifies, ensures
//! * `first_order`: formulas that the contract language can say
//! * `method`, `stmt`, `expr`, `place`, `arith`, `call`, `notes`: code
//! * `build`: control-flow graphs

mod arith;
mod build;
mod call;
mod contract;
mod declare;
mod expr;
mod first_order;
mod method;
mod names;
mod notes;
mod place;
mod stmt;
pub(crate) mod types;
mod unassigned;

use std::collections::BTreeMap;

use trellis_hol::{Node, Type as HolType};
use trellis_program::ir::{Global, GlobalId, ProcId, Procedure, Program, Tracked};
use trellis_program::source::{Diagnostic, Span};
use trellis_program::spec::{PredId, Predicate};
use trellis_program::{MemoryRules, Scalar};

use crate::Options;
use crate::ast::{Class, Text};
use types::{ClassId, Classes, Ty};

/// A field of objects.
#[derive(Clone, Debug)]
pub(crate) struct FieldInfo {
    pub name: String,
    pub ty: Ty,
    pub offset: u32,
    pub scalar: Scalar,
}

/// A static variable.
#[derive(Clone, Debug)]
pub(crate) struct StaticInfo {
    pub name: String,
    pub ty: Ty,
    pub global: GlobalId,
    /// A ghost variable that callers see; a field is never asked about.
    pub is_public: bool,
}

/// A specification variable that is not a variable of the program.
#[derive(Clone, Debug)]
pub(crate) struct SpecVar {
    pub name: String,
    pub ty: HolType,
    pub is_static: bool,
    pub is_public: bool,
    pub definition: Option<(Node, Text)>,
}

/// What a class declares.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClassInfo {
    pub fields: Vec<FieldInfo>,
    pub statics: Vec<StaticInfo>,
    pub spec_vars: Vec<SpecVar>,
    /// The procedures of its methods; those of constructors have the name of the class.
    pub methods: Vec<MethodInfo>,
    /// The invariants: name and text.
    pub invariants: Vec<(Option<String>, Text)>,
}

/// A method that can be called.
#[derive(Clone, Debug)]
pub(crate) struct MethodInfo {
    pub name: String,
    pub params: Vec<Ty>,
    pub ret: Ty,
    pub is_static: bool,
    pub proc: ProcId,
}

/// Everything that is known of the program.
pub(crate) struct Lower<'a> {
    pub classes: Classes,
    pub decls: &'a [Class],
    pub infos: Vec<ClassInfo>,
    pub globals: Vec<Global>,
    pub procs: Vec<Procedure>,
    pub predicates: Vec<Predicate>,
    pub tracked: Vec<Tracked>,
    pub diagnostics: Vec<Diagnostic>,
    /// The predicate of objects that are `hidden`, if some formula asks.
    pub hidden: Option<PredId>,
    /// The invariants as formulas, once they are elaborated.
    pub invariants: Vec<contract::Invariant>,
    /// The objects that there may be, if formulas are to be said in the contract language.
    pub universe: Option<first_order::Universe>,
}

/// Makes a program of classes.
pub(crate) fn lower(classes: &[Class], options: Options) -> (Program, Vec<Diagnostic>) {
    let mut lower = Lower {
        classes: Classes::new(classes),
        decls: classes,
        infos: vec![ClassInfo::default(); classes.len()],
        globals: Vec::new(),
        procs: Vec::new(),
        predicates: Vec::new(),
        tracked: Vec::new(),
        diagnostics: Vec::new(),
        hidden: None,
        invariants: Vec::new(),
        universe: None,
    };
    lower.declare();
    if options.first_order {
        lower.universe = Some(lower.universe());
    }
    lower.elaborate_invariants();
    lower.lower_methods();
    lower.finish()
}

impl Lower<'_> {
    pub(crate) fn error(&mut self, diagnostic: Diagnostic) {
        if !self.diagnostics.contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// What a written type means; complains if it means nothing.
    pub(crate) fn resolve_type(&mut self, written: &crate::ast::TypeName) -> Ty {
        match self.classes.resolve(written) {
            Ok(ty) => ty,
            Err(diagnostic) => {
                self.error(diagnostic);
                Ty::Unknown
            }
        }
    }

    pub(crate) fn info(&self, class: ClassId) -> &ClassInfo {
        &self.infos[class.0]
    }

    /// All classes with their numbers.
    pub(crate) fn class_ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.infos.len()).map(ClassId)
    }

    fn finish(mut self) -> (Program, Vec<Diagnostic>) {
        self.classes.table.finish();
        let program = Program {
            types: self.classes.table,
            globals: self.globals,
            procs: self.procs,
            predicates: self.predicates,
            memory: MemoryRules::Collected,
            tracked: self.tracked,
            ..Program::default()
        };
        (program, self.diagnostics)
    }

    /// Names that are declared twice in one class.
    pub(crate) fn complain_about_twins<'n>(
        &mut self,
        names: impl Iterator<Item = (&'n str, Span)>,
    ) {
        let mut seen = BTreeMap::new();
        for (name, span) in names {
            if seen.insert(name, span).is_some() {
                self.error(Diagnostic::error(span, format!("`{name}` is declared twice")));
            }
        }
    }
}
