//! Declarations inside functions.

use lang_c::ast;
use lang_c::span::{Node, Span as CSpan};
use trellis_program::CheckKind;
use trellis_program::ir::{CmpOp, Cond, Expr, InstrKind, Reg, Storage, Var, VarId};
use trellis_program::types::{Type, TypeId};

use super::declarator::Declared;
use super::expr::Want;
use super::scope::Symbol;
use super::types::Specifiers;
use super::{Lower, fold};

impl<'a> Lower<'a> {
    /// A declaration inside a function.
    pub fn local_declaration(&mut self, d: &'a Node<ast::Declaration>) {
        let mut specifiers = self.specifiers(&d.node.specifiers);
        specifiers.ty = self.apply_mode(specifiers.ty, d.span);
        if self.has_attribute(d.span, &["cleanup"]) {
            let at = self.at(d.span);
            self.unsupported(at, "a variable with a cleanup function");
        }
        for init in &d.node.declarators {
            let declared = self.declarator(specifiers.ty, &init.node.declarator);
            let Some(name) = declared.name else {
                continue;
            };
            if specifiers.is_typedef {
                self.declare_typedef(&declared, &specifiers, d.span);
            } else if self.types.is_function(declared.ty) {
                self.declare_function(&specifiers, &declared, name);
            } else if specifiers.is_static || specifiers.is_extern {
                self.declare_global(&specifiers, &declared, name, init);
            } else {
                self.local_variable(&specifiers, &declared, name, init);
            }
        }
    }

    fn local_variable(
        &mut self,
        specifiers: &Specifiers,
        declared: &Declared<'a>,
        name: &'a Node<ast::Identifier>,
        init: &'a Node<ast::InitDeclarator>,
    ) {
        let at = self.at(name.span);
        let mut ty = declared.ty;
        if declared.is_vla && self.variable_array(declared, name, init) {
            return;
        }
        if declared.is_vla {
            self.unsupported(at, "an array of variable length");
            ty = self.ty.unknown;
        } else if specifiers.is_volatile && !declared.has_pointer {
            self.unsupported(at, "a volatile variable");
        } else if specifiers.is_aligned {
            self.unsupported(at, "a variable with its own alignment");
        }
        if let (true, Some(i)) = (declared.open_array, &init.node.initializer) {
            ty = self.array_length_from(ty, i);
        }
        let is_scalar = self.types.scalar(ty).is_some();
        if !self.is_unknown(ty) && self.types.size_of(ty).is_none() {
            let shown = self.types.name(ty);
            self.error(at, format!("a variable cannot have type `{shown}`"));
            ty = self.ty.unknown;
        }
        let forced = self.f.forced.contains(&name.span.start);
        let register = is_scalar && !self.f.taken.contains(&name.node.name) && !forced;
        let is_ghost = self.in_ghost(name.span);
        let var = self.new_local(&name.node.name, ty, register, is_ghost, name.span);
        self.f.vars[var.0 as usize].is_const = declared.is_const(specifiers);
        self.scopes.declare(&name.node.name, Symbol::Local(var));
        if !register {
            self.emit(InstrKind::BeginLocal { var }, at);
            self.f.alive.push(var);
        }
        match &init.node.initializer {
            Some(i) => self.initialize_local(var, ty, i, init.span),
            None if register && (self.f.loops > 0 || !self.f.labels.is_empty()) => {
                let marker = self.f.builder.block();
                self.f.builder.start(marker, at);
                self.f.reborn.push((var, marker));
            }
            None => {}
        }
    }

    /// `T x[n]`: an object of so many elements. Whether the array is one that can be followed.
    fn variable_array(
        &mut self,
        declared: &Declared<'a>,
        name: &'a Node<ast::Identifier>,
        init: &'a Node<ast::InitDeclarator>,
    ) -> bool {
        let (Type::Array(element, 0), Some(length)) =
            (self.types.get(declared.ty).clone(), declared.length)
        else {
            return false;
        };
        let known = !self.is_unknown(element) && self.types.size_of(element).is_some_and(|s| s > 0);
        if !known || self.odd_type(element).is_some() || init.node.initializer.is_some() {
            return false;
        }
        let at = self.at(name.span);
        let length_at = self.at(length.span);
        let value = self.rvalue(length);
        let value = self.promoted(value);
        let Some(kind) = self.int_kind(value.ty) else {
            return false;
        };
        let positive = fold::compare(CmpOp::Gt, Some(kind), value.e.clone(), Expr::Int(0));
        let cond = Cond::Expr(positive);
        self.emit(InstrKind::Assert { kind: CheckKind::NegativeSize, cond }, length_at);
        let size = self.ty.size;
        let count = self.temp(size, length_at);
        let value = self.convert(value, size, length.span);
        self.emit(InstrKind::Assign { dst: count, value: value.e }, length_at);
        let is_ghost = self.in_ghost(name.span);
        let var = self.new_local(&name.node.name, declared.ty, false, is_ghost, name.span);
        self.f.lengths.insert(var, count);
        self.scopes.declare(&name.node.name, Symbol::Local(var));
        let count = Expr::Reg(count);
        self.emit(InstrKind::BeginArray { var, element, count }, at);
        self.f.alive.push(var);
        true
    }

    /// How many elements an expression has that is an array of variable length, and their type.
    pub fn variable_length(&self, e: &Node<ast::Expression>) -> Option<(Expr, TypeId)> {
        let ast::Expression::Identifier(id) = &e.node else { return None };
        let Some(Symbol::Local(var)) = self.scopes.lookup(&id.node.name) else { return None };
        let count = *self.f.lengths.get(&var)?;
        match *self.types.get(self.f.vars[var.0 as usize].ty) {
            Type::Array(element, _) => Some((Expr::Reg(count), element)),
            _ => None,
        }
    }

    fn new_local(
        &mut self,
        name: &str,
        ty: TypeId,
        register: bool,
        is_ghost: bool,
        span: CSpan,
    ) -> VarId {
        let at = self.at(span);
        self.f.vars.push(Var {
            name: name.to_owned(),
            ty,
            storage: if register { Storage::Register } else { Storage::Object },
            is_temp: false,
            is_ghost,
            is_const: false,
            span: at,
        });
        self.f.declared_at.push(span.start);
        VarId(self.f.vars.len() as u32 - 1)
    }

    fn initialize_local(
        &mut self,
        var: VarId,
        ty: TypeId,
        init: &'a Node<ast::Initializer>,
        span: CSpan,
    ) {
        if self.is_unknown(ty) {
            return;
        }
        let reg = Reg::Local(var);
        if self.f.vars[var.0 as usize].storage == Storage::Object {
            self.initialize_object(Expr::Addr(reg), ty, init, span);
            return;
        }
        let Some(e) = self.scalar_initializer(init) else {
            return;
        };
        let want = Want { dst: Some(reg), ty: Some(ty) };
        let value = self.rvalue_for(e, want);
        let value = self.convert(value, ty, e.span);
        let at = self.at(span);
        self.set_register(reg, value.e, at);
    }
}
