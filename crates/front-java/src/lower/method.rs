//! Methods to procedures.

use std::collections::BTreeMap;

use trellis_program::ir::{
    BlockId, CmpOp, Cond, Expr as IrExpr, InstrKind, ProcId, Reg, Storage, Terminator, Var, VarId,
};
use trellis_program::source::{Diagnostic, Span};
use trellis_program::spec::{Assigns, Contract, FieldRef, Formula, Label, Promise, Term};
use trellis_program::{CheckKind, Scalar};

use super::build::Builder;
use super::contract::{Problem, Use, contract_of};
use super::names::Locals;
use super::types::{ClassId, Ty};
use super::unassigned::give_values;
use super::{Lower, SpecVar};
use crate::ast::{Expr, ExprKind, Method, Stmt, Text, TypeName};

/// The invariants of all classes, and the sets of fields that are those of forests by them.
type Invariants<'i> = (&'i [Promise], &'i [Vec<FieldRef>]);

/// A method under translation.
pub(crate) struct Code<'c, 'a> {
    pub lower: &'c mut Lower<'a>,
    pub class: ClassId,
    pub proc: ProcId,
    pub out: Builder,
    pub vars: Vec<Var>,
    /// The types of `vars`.
    pub types: Vec<Ty>,
    /// Names in scope, innermost last.
    pub scopes: Vec<BTreeMap<String, VarId>>,
    /// Locals whose name is declared only once in the method: formulas may name them before they
    /// are declared, when they have no value yet.
    pub hoisted: BTreeMap<String, VarId>,
    /// Specification variables of the method.
    pub spec_vars: Vec<SpecVar>,
    pub this: Option<VarId>,
    pub ret: Ty,
    /// Where `break` and `continue` lead.
    pub loops: Vec<(BlockId, BlockId)>,
    /// Whether `this` is what the procedure returns.
    pub is_constructor: bool,
    /// Whether there was a step of a proof, which may name things.
    pub in_proof: bool,
    temps: u32,
}

impl<'a> Lower<'a> {
    pub(super) fn lower_methods(&mut self) {
        let (invariants, refused) = self.all_invariants();
        let forests = self.forests();
        let decls = self.decls;
        for (class, decl) in self.class_ids().zip(decls) {
            for (i, method) in decl.methods.iter().enumerate() {
                let outside = decl.unsupported.clone().or(method.unsupported.clone());
                let refused = refused.clone().filter(|_| !method.is_private);
                let outside = outside.or(refused);
                self.method(class, i, method, (&invariants, &forests), outside);
            }
        }
    }

    fn method(
        &mut self,
        class: ClassId,
        index: usize,
        method: &'a Method,
        invariants: Invariants<'_>,
        mut outside: Option<(Span, String)>,
    ) {
        let info = self.infos[class.0].methods[index].clone();
        let mut code = Code {
            lower: self,
            class,
            proc: info.proc,
            out: Builder::new(),
            vars: Vec::new(),
            types: Vec::new(),
            scopes: vec![BTreeMap::new()],
            hoisted: BTreeMap::new(),
            spec_vars: Vec::new(),
            this: None,
            ret: info.ret.clone(),
            loops: Vec::new(),
            is_constructor: method.ret.is_none(),
            in_proof: false,
            temps: 0,
        };
        if !info.is_static {
            code.this = Some(code.declare("this", Ty::Class(class), method.span, false));
        }
        for (param, ty) in method.params.iter().zip(&info.params) {
            if code.scopes[0].contains_key(&param.name) {
                let message = format!("`{}` is declared twice", param.name);
                code.lower.error(Diagnostic::error(param.span, message));
            }
            code.declare(&param.name, ty.clone(), param.span, false);
        }
        let params = code.vars.len();
        let contract = code.contract(method, invariants, &mut outside);
        let body = method.body.as_ref().map(|statements| {
            if let Some((span, reason)) = outside {
                code.unsupported(span, reason);
            }
            code.body(method, statements)
        });
        let Code { vars, types, out, .. } = code;
        let body = body.map(|()| {
            let mut body = out.finish(method.end);
            let scalar = |v: VarId| self.classes.scalar(&types[v.0 as usize]);
            give_values(&mut body, &vars, params, scalar);
            body
        });
        let procedure = &mut self.procs[info.proc.0 as usize];
        procedure.params = params;
        procedure.vars = vars;
        procedure.contract = contract;
        procedure.body = body;
    }
}

impl<'a> Code<'_, 'a> {
    /// A new variable in the innermost scope.
    pub(super) fn declare(&mut self, name: &str, ty: Ty, span: Span, is_ghost: bool) -> VarId {
        let id = self.variable(name, ty, span, is_ghost);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), id);
        }
        id
    }

    fn variable(&mut self, name: &str, ty: Ty, span: Span, is_ghost: bool) -> VarId {
        let id = VarId(self.vars.len() as u32);
        self.vars.push(Var {
            name: name.to_owned(),
            ty: self.lower.classes.type_id(&ty),
            storage: Storage::Register,
            is_temp: false,
            is_ghost,
            is_const: false,
            span,
        });
        self.types.push(ty);
        id
    }

    /// Makes the variables of locals that are declared once.
    fn hoist(&mut self, statements: &'a [Stmt]) {
        let mut found: BTreeMap<&str, Vec<(TypeName, Span)>> = BTreeMap::new();
        let mut order = Vec::new();
        for statement in statements {
            statement.locals(&mut |name, ty, span| {
                order.push(name);
                found.entry(name).or_default().push((ty, span));
            });
        }
        for name in order {
            let Some([(ty, span)]) = found.get(name).map(Vec::as_slice) else { continue };
            if self.find(name).is_some() {
                continue;
            }
            if let Ok(resolved) = self.lower.classes.resolve(ty) {
                let id = self.variable(name, resolved, *span, false);
                self.hoisted.insert(name.to_owned(), id);
            }
        }
    }

    pub(super) fn temp(&mut self, ty: Ty, span: Span) -> VarId {
        self.temps += 1;
        let name = format!("%{}", self.temps);
        let id = VarId(self.vars.len() as u32);
        self.vars.push(Var {
            name,
            ty: self.lower.classes.type_id(&ty),
            storage: Storage::Register,
            is_temp: true,
            is_ghost: false,
            is_const: false,
            span,
        });
        self.types.push(ty);
        id
    }

    pub(super) fn find(&self, name: &str) -> Option<VarId> {
        self.scopes.iter().rev().find_map(|s| s.get(name)).copied()
    }

    /// A construct outside the subset: who gets here knows nothing.
    pub(super) fn unsupported(&mut self, span: Span, reason: impl Into<String>) {
        let reason = reason.into();
        let message = format!("{reason} is not supported");
        self.lower.error(Diagnostic::unsupported(span, message));
        self.out.push(InstrKind::Unsupported { reason }, span);
    }

    /// What formulas in the code see here.
    pub(super) fn locals(&self) -> Locals {
        let mut vars = BTreeMap::new();
        for (name, id) in self.hoisted.iter().chain(self.scopes.iter().flatten()) {
            let term = Term::Reg(Reg::Local(*id));
            vars.insert(name.clone(), (term, self.types[id.0 as usize].clone()));
        }
        vars.remove("this");
        let this = self.this.map(|v| Term::Reg(Reg::Local(v)));
        Locals { vars, spec_vars: self.spec_vars.clone(), this, result: None }
    }

    fn contract(
        &mut self,
        method: &'a Method,
        (invariants, forests): Invariants<'_>,
        outside: &mut Option<(Span, String)>,
    ) -> Contract {
        let mut contract = Contract { assigns: Assigns::Everything, ..Contract::default() };
        let (requires, ensures) = contract_of(&method.specs).unwrap_or_default();
        if let Some(this) = self.this {
            let this = Term::Reg(Reg::Local(this));
            let formula = Formula::Cmp(CmpOp::Ne, this, Term::Null);
            contract.requires.push(Promise { formula, span: method.span });
        }
        // What a method that is not private demands and promises stands beside all invariants.
        let used = match method.is_private {
            true => Use::Code,
            false => Use::BesideAll(forests),
        };
        let before = self.locals();
        if let Some(text) = requires {
            contract.requires.extend(self.clauses_of(text, &before, used, outside));
        }
        let mut after = self.locals();
        // A parameter means what was passed.
        let passed = |term: &mut Term| *term = Term::At(Label::Pre, Box::new(term.clone()));
        after.vars.values_mut().for_each(|(term, _)| passed(term));
        after.this.iter_mut().for_each(passed);
        if self.is_constructor {
            after.this = Some(Term::Result);
        } else if self.ret != Ty::Void {
            after.result = Some(self.ret.clone());
        }
        if let Some(text) = ensures {
            contract.ensures.extend(self.clauses_of(text, &after, used, outside));
        }
        for (name, span) in self.lower.frame(self.class, method) {
            let text = Text { text: format!("{name} = old {name}"), span };
            let clauses = self.clauses_of(&text, &Locals::default(), used, outside);
            contract.ensures.extend(clauses.into_iter().map(|c| Promise { span, ..c }));
        }
        if !method.is_private {
            contract.requires.extend(invariants.iter().cloned());
            contract.ensures.extend(invariants.iter().cloned());
        }
        contract
    }

    /// The clauses of a formula; complains, or says why the method is outside the subset.
    fn clauses_of(
        &mut self,
        text: &Text,
        locals: &Locals,
        used: Use<'_>,
        outside: &mut Option<(Span, String)>,
    ) -> Vec<Promise> {
        match self.lower.clauses(text, self.class, locals, used) {
            Ok(clauses) => clauses,
            Err(Problem::Wrong(diagnostic)) => {
                self.lower.error(diagnostic);
                Vec::new()
            }
            Err(Problem::Unsupported(span, reason)) => {
                outside.get_or_insert((span, reason));
                Vec::new()
            }
        }
    }

    fn body(&mut self, method: &'a Method, statements: &'a [Stmt]) {
        if self.is_constructor {
            let this = self.declare("this", Ty::Class(self.class), method.span, false);
            self.allocate(this, self.class, method.span, false);
            self.this = Some(this);
        }
        self.hoist(statements);
        self.scopes.push(BTreeMap::new());
        self.statements(statements);
        if !self.out.is_reached() {
            return;
        }
        match (&self.ret, self.is_constructor) {
            (_, true) => {
                let this = self.this.map(IrExpr::local);
                self.out.end(Terminator::Return(this), method.end);
            }
            (Ty::Void, _) => self.out.end(Terminator::Return(None), method.end),
            // javac complains where the end can be reached; whoever gets here did something else.
            _ => {
                self.unsupported(method.end, "the end of a method without a `return`");
                self.out.end(Terminator::Abort, method.end);
            }
        }
    }

    /// A new object of a class, with its fields as they start.
    pub(super) fn allocate(&mut self, dst: VarId, class: ClassId, span: Span, hidden: bool) {
        let ty = self.lower.classes.types[class.0];
        let size = self.lower.classes.table.size_of(ty).unwrap_or(0);
        let dst_reg = Reg::Local(dst);
        let size = IrExpr::Int(size.into());
        self.out.push(InstrKind::Alloc { dst: dst_reg, size, ty: Some(ty), zeroed: true }, span);
        self.mark_hidden(dst, hidden, span);
        let decls = self.lower.decls;
        for field in decls[class.0].fields.iter().filter(|f| !f.is_static) {
            let Some(init) = &field.init else { continue };
            let found = self.lower.info(class).fields.iter().find(|f| f.name == field.name);
            let Some(info) = found.cloned() else { continue };
            if is_default(init) {
                continue;
            }
            let value = self.converted(init, &info.ty);
            let addr = super::expr::offset(IrExpr::local(dst), info.offset);
            let scalar: Scalar = info.scalar;
            self.out.push(InstrKind::Store { addr, scalar, value }, init.span);
        }
    }

    /// Whether an object is hidden is decided when it is allocated.
    pub(super) fn mark_hidden(&mut self, object: VarId, hidden: bool, span: Span) {
        let Some(mark) = self.lower.hidden else { return };
        let is_hidden = Formula::Pred(mark, vec![Term::Reg(Reg::Local(object))]);
        let formula = if hidden { is_hidden } else { Formula::Not(Box::new(is_hidden)) };
        self.out.push(InstrKind::Assume { cond: Cond::Spec(formula) }, span);
    }

    pub(super) fn check(&mut self, kind: CheckKind, cond: IrExpr, span: Span) {
        self.out.push(InstrKind::Assert { kind, cond: Cond::Expr(cond) }, span);
    }
}

/// Whether an initial value is what the field has anyway.
fn is_default(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Null | ExprKind::Bool(false) | ExprKind::Int(0, _))
}
