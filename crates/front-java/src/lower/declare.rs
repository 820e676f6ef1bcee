//! Fields, specification variables and methods, before any code is looked at.

use std::collections::BTreeSet;

use trellis_hol::{At, parse_definition, parse_type};
use trellis_program::ir::{Global, GlobalId, Init, ProcId, Procedure, Storage};
use trellis_program::source::{Diagnostic, Span, suggest};
use trellis_program::spec::{Binder, BoundId, Contract, PredId, Predicate, Sort};
use trellis_program::{IntKind, Type};

use super::first_order::Universe;
use super::types::{ClassId, Classes, Ty};
use super::{FieldInfo, Lower, MethodInfo, SpecVar, StaticInfo};
use crate::ast::{Class, Expr, ExprKind, SpecKind, Stmt, Text, TypeName};

/// The place of a part of a text.
pub(crate) fn place(text: &Text, at: At) -> Span {
    Span::new(text.span.file, text.span.start + at.start, text.span.start + at.end)
}

/// What is wrong with a formula, as a diagnostic.
pub(crate) fn complaint(text: &Text, error: trellis_hol::Error) -> Diagnostic {
    let diagnostic = Diagnostic::error(place(text, error.at), error.message);
    match error.help {
        Some(help) => diagnostic.with_help(help),
        None => diagnostic,
    }
}

impl Lower<'_> {
    pub(super) fn declare(&mut self) {
        let decls = self.decls;
        self.complain_about_twins(decls.iter().map(|c| (c.name.as_str(), c.span)));
        for (class, decl) in self.class_ids().zip(decls) {
            self.declare_spec_vars(class, decl);
        }
        for (class, decl) in self.class_ids().zip(decls) {
            self.declare_definitions(class, decl);
            self.declare_fields(class, decl);
        }
        self.declare_hidden();
        for (class, decl) in self.class_ids().zip(decls) {
            self.declare_methods(class, decl);
        }
    }

    /// The objects that there may be: of the classes and other types that are mentioned anywhere.
    pub(super) fn universe(&mut self) -> Universe {
        let mut found = BTreeSet::new();
        let mut other = false;
        let mut see = |ty: &TypeName| match self.classes.resolve(ty) {
            Ok(Ty::Class(c)) => drop(found.insert(c)),
            Ok(Ty::Int(_) | Ty::Bool | Ty::Void) => {}
            Ok(_) | Err(_) => other = true,
        };
        let mut made = BTreeSet::new();
        for (class, decl) in self.class_ids().zip(self.decls) {
            if !self.info(class).fields.is_empty() {
                made.insert(class);
            }
            decl.fields.iter().for_each(|f| see(&f.ty));
            for method in &decl.methods {
                if !method.is_static {
                    made.insert(class);
                }
                method.ret.iter().for_each(&mut see);
                method.params.iter().for_each(|p| see(&p.ty));
                for statement in method.body.iter().flatten() {
                    statement.visit(&mut |s| {
                        if let Stmt::Local(ty, all) = s {
                            see(ty);
                            let arrays = all.iter().any(|d| d.2 > 0);
                            let dims = ty.dims + u32::from(arrays);
                            see(&TypeName { dims, ..ty.clone() });
                        }
                        s.exprs().into_iter().for_each(|e| {
                            e.visit(&mut |e| match &e.kind {
                                ExprKind::New { class, .. } => see(class),
                                ExprKind::NewArray { element, .. } => {
                                    see(&TypeName { dims: 1, ..element.clone() });
                                }
                                ExprKind::Cast(ty, _) => see(ty),
                                _ => {}
                            })
                        });
                    });
                }
            }
        }
        found.extend(made);
        let classes = found.iter().map(|c| self.classes.types[c.0]).collect();
        let anything = self.classes.table.intern(Type::Void);
        Universe { classes, others: other, anything }
    }

    fn declare_spec_vars(&mut self, class: ClassId, decl: &Class) {
        for spec in &decl.specs {
            match &spec.kind {
                SpecKind::SpecVar { public, is_static, ghost, name, ty, .. } => {
                    let ty = match parse_type(&ty.text) {
                        Ok(ty) => ty,
                        Err(e) => {
                            self.error(complaint(ty, e));
                            continue;
                        }
                    };
                    // A ghost variable that fits a cell is a variable like any other.
                    if *ghost && Classes::of_logic(&ty).is_some() {
                        continue;
                    }
                    self.infos[class.0].spec_vars.push(SpecVar {
                        name: name.clone(),
                        ty,
                        is_static: *is_static,
                        is_public: *public,
                        definition: None,
                    });
                }
                SpecKind::Invariant { name, formula } => {
                    self.infos[class.0].invariants.push((name.clone(), formula.clone()));
                }
                SpecKind::Definitions(_) => {}
                SpecKind::Unsupported(_) | SpecKind::ClaimedBy(_) | SpecKind::Visibility => {}
                _ => {
                    let message = "this annotation does not belong between members";
                    self.error(Diagnostic::error(spec.span, message));
                }
            }
        }
    }

    fn declare_definitions(&mut self, class: ClassId, decl: &Class) {
        for spec in &decl.specs {
            let SpecKind::Definitions(texts) = &spec.kind else { continue };
            for text in texts {
                let (name, at, node) = match parse_definition(&text.text) {
                    Ok(parsed) => parsed,
                    Err(e) => {
                        self.error(complaint(text, e));
                        continue;
                    }
                };
                let bare = name.rsplit('.').next().unwrap_or(&name).to_owned();
                let known = &mut self.infos[class.0].spec_vars;
                match known.iter_mut().find(|v| v.name == bare) {
                    Some(var) => var.definition = Some((node, text.clone())),
                    None => {
                        let near = suggest(&bare, known.iter().map(|v| v.name.as_str()));
                        let near = near.map(|n| format!("did you mean `{n}`?"));
                        let message =
                            format!("no specification variable of this class is called `{bare}`");
                        let error = Diagnostic::error(place(text, at), message);
                        self.error(match near {
                            Some(near) => error.with_help(near),
                            None => error,
                        });
                    }
                }
            }
        }
    }

    fn declare_fields(&mut self, class: ClassId, decl: &Class) {
        let twins = decl.fields.iter().map(|f| (f.name.as_str(), f.span));
        self.complain_about_twins(twins);
        let mut members: Vec<(String, Ty)> = Vec::new();
        for field in &decl.fields {
            let ty = self.resolve_type(&field.ty);
            if !field.is_static {
                members.push((field.name.clone(), ty));
                continue;
            }
            let init = field.init.as_ref().and_then(constant);
            self.declare_static(class, &field.name, ty, field.span, init, false);
        }
        for spec in &decl.specs {
            let SpecKind::SpecVar { public, is_static, ghost: true, name, ty, init } = &spec.kind
            else {
                continue;
            };
            let Some(ty) = parse_type(&ty.text).ok().and_then(|t| Classes::of_logic(&t)) else {
                continue;
            };
            if !is_static {
                members.push((name.clone(), ty));
                continue;
            }
            let init = init.as_ref().and_then(|i| match i.text.trim() {
                "True" => Some(Init::Int(1)),
                "False" => Some(Init::Int(0)),
                "null" => Some(Init::Null),
                number => number.parse().ok().map(Init::Int),
            });
            self.declare_static(class, name, ty, spec.span, init, true);
            if let Some(last) = self.infos[class.0].statics.last_mut() {
                last.is_public = *public;
            }
        }
        self.complete(class, members);
    }

    fn declare_static(
        &mut self,
        class: ClassId,
        name: &str,
        ty: Ty,
        span: Span,
        init: Option<Init>,
        is_ghost: bool,
    ) {
        let id = self.classes.type_id(&ty);
        let scalar = self.classes.scalar(&ty);
        let global = GlobalId(self.globals.len() as u32);
        self.globals.push(Global {
            name: self.global_name(class, name),
            ty: id,
            storage: Storage::Register,
            init: init.into_iter().map(|i| (0, scalar, i)).collect(),
            is_const: false,
            is_ghost,
            span,
        });
        let info = StaticInfo { name: name.to_owned(), ty, global, is_public: false };
        self.infos[class.0].statics.push(info);
    }

    /// Heaps are written with the names of variables, so no two may have the same: the name of the
    /// class is added where that would happen.
    fn global_name(&self, class: ClassId, name: &str) -> String {
        let is_parameter =
            |c: &Class| c.methods.iter().any(|m| m.params.iter().any(|p| p.name == name));
        let is_static = |c: &Class| c.fields.iter().any(|f| f.is_static && f.name == name);
        let others = self.decls.iter().filter(|c| is_static(c)).count() > 1;
        match others || name == "this" || self.decls.iter().any(is_parameter) {
            true => format!("{}_{name}", self.classes.names[class.0]),
            false => name.to_owned(),
        }
    }

    /// Gives a class its cells. One without fields has a byte that nobody reads, so that its
    /// objects have a type.
    fn complete(&mut self, class: ClassId, mut members: Vec<(String, Ty)>) {
        let mut cells: Vec<_> =
            members.iter().map(|(n, t)| (n.clone(), self.classes.type_id(t))).collect();
        if cells.is_empty() {
            let byte = self.classes.table.intern(Type::Int(IntKind::CHAR));
            cells.push(("nothing".to_owned(), byte));
        }
        let record = self.classes.records[class.0];
        self.classes.table.complete(record, cells);
        for (name, ty) in members.drain(..) {
            let scalar = self.classes.scalar(&ty);
            let Some((offset, _)) = self.classes.table.field(record, &name) else { continue };
            self.infos[class.0].fields.push(FieldInfo { name, ty, offset, scalar });
        }
    }

    /// Whether an object is `hidden` is chosen when it is allocated; it matters only where some
    /// formula asks.
    fn declare_hidden(&mut self) {
        let mut texts = Vec::new();
        for class in self.decls {
            let of_methods = class.methods.iter().flat_map(|m| &m.specs);
            for spec in class.specs.iter().chain(of_methods) {
                match &spec.kind {
                    SpecKind::Invariant { formula, .. } => texts.push(formula),
                    SpecKind::Contract { requires, ensures, .. } => {
                        texts.extend(requires);
                        texts.extend(ensures);
                    }
                    SpecKind::Definitions(all) => texts.extend(all),
                    _ => {}
                }
            }
        }
        let mentions = |t: &&Text| {
            t.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|w| w == "hidden")
        };
        let Some(text) = texts.into_iter().find(mentions) else { return };
        let void = self.classes.table.intern(Type::Void);
        let param = Binder { id: BoundId(0), name: "x".into(), sort: Sort::Ptr(void) };
        self.hidden = Some(PredId(self.predicates.len() as u32));
        self.predicates.push(Predicate {
            name: "hidden".into(),
            params: vec![param],
            is_recursive: false,
            body: None,
            span: text.span,
        });
    }

    fn declare_methods(&mut self, class: ClassId, decl: &Class) {
        let mut names = BTreeSet::new();
        for method in &decl.methods {
            let params: Vec<Ty> = method.params.iter().map(|p| self.resolve_type(&p.ty)).collect();
            let ret = match &method.ret {
                Some(ty) => self.resolve_type(ty),
                None => Ty::Class(class),
            };
            let mut name = format!("{}.{}", decl.name, method.name);
            if !names.insert(name.clone()) {
                let types: Vec<String> = params.iter().map(|p| self.classes.name(p)).collect();
                name = format!("{name}({})", types.join(","));
                if !names.insert(name.clone()) {
                    let message = format!("`{}` is declared twice", method.name);
                    self.error(Diagnostic::error(method.span, message));
                }
            }
            let proc = ProcId(self.procs.len() as u32);
            let ret_id = self.classes.type_id(&ret);
            self.procs.push(Procedure {
                name,
                span: method.span,
                params: 0,
                vars: Vec::new(),
                ret: ret_id,
                body: None,
                contract: Contract::default(),
                has_contract: true,
            });
            let is_static = method.is_static || method.ret.is_none();
            let name = method.name.clone();
            let info = MethodInfo { name, params, ret, is_static, proc };
            self.infos[class.0].methods.push(info);
        }
    }
}

/// The value of a constant initialiser.
fn constant(e: &Expr) -> Option<Init> {
    match &e.kind {
        ExprKind::Int(i, _) => i64::try_from(*i).ok().map(Init::Int),
        ExprKind::Bool(b) => Some(Init::Int((*b).into())),
        ExprKind::Null => Some(Init::Null),
        _ => None,
    }
}
