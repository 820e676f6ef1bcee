//! Functions as values: their types, and the objects that stand for them.
//!
//! A function whose address is taken is a constant object of its type, with one byte that nobody can
//! read or write; so a pointer to a function is a pointer like any other, and two of them compare as
//! objects do. Which functions pointers may lead to is read off the text before bodies are lowered
//! (`taken`), since a call through a pointer branches over all of them.
//!
//! **Invariant.** A function that has an object is among those that calls branch over; where that
//! was not foreseen, what such a call does is not known.

use std::collections::BTreeSet;

use lang_c::ast;
use lang_c::span::Span as CSpan;
use trellis_program::CheckKind;
use trellis_program::ir::{Expr, Global, GlobalId, InstrKind, Reg, Storage};
use trellis_program::source::{Diagnostic, Span};
use trellis_program::types::{FuncType, Type, TypeId};

use super::declarator::{Declared, Param, Signature};
use super::global::GlobalInfo;
use super::scope::Symbol;
use super::{Lower, taken};

/// What the names of models begin with that stand for functions which are known by name.
pub const STAND_IN: &str = "trellis_call_";

impl<'a> Lower<'a> {
    /// The type of functions with a signature.
    pub fn type_of_signature(&mut self, signature: &Signature<'_>) -> TypeId {
        self.types.intern(Type::Func(Box::new(FuncType {
            ret: signature.ret,
            params: signature.params.iter().map(|p| p.ty).collect(),
            is_variadic: signature.is_variadic,
            has_prototype: signature.has_prototype,
        })))
    }

    /// The type of a function.
    pub fn function_type(&mut self, function: usize) -> TypeId {
        match self.functions[function].signature.clone() {
            Some(signature) => self.type_of_signature(&signature),
            None => self.ty.unknown,
        }
    }

    /// A declaration of a function whose type has a name (`typedef int f(int); f g;`), with the
    /// signature that the type says.
    pub fn with_signature(&self, declared: &Declared<'a>, span: CSpan) -> Declared<'a> {
        let mut declared = declared.clone();
        if let (None, Type::Func(f)) = (&declared.signature, self.types.get(declared.ty)) {
            let param = |ty: &TypeId| Param { name: None, ty: *ty, is_const: false, span };
            declared.signature = Some(Signature {
                ret: f.ret,
                params: f.params.iter().map(param).collect(),
                is_variadic: f.is_variadic,
                has_prototype: f.has_prototype,
            });
        }
        declared
    }

    /// Whether two types are compatible: they are the same, but for functions of which one leaves
    /// its parameters open.
    pub fn compatible(&self, one: TypeId, other: TypeId) -> bool {
        if one == other {
            return true;
        }
        match (self.types.get(one), self.types.get(other)) {
            (Type::Ptr(a), Type::Ptr(b)) => self.compatible(*a, *b),
            (Type::Func(a), Type::Func(b)) => {
                let open = !a.has_prototype || !b.has_prototype;
                let same = a.is_variadic == b.is_variadic
                    && a.params.len() == b.params.len()
                    && a.params.iter().zip(&b.params).all(|(a, b)| self.compatible(*a, *b));
                self.compatible(a.ret, b.ret) && (open || same)
            }
            _ => false,
        }
    }

    /// What is called for a function: itself, or a model of what the front end knows by name.
    pub fn stand_in(&self, function: usize) -> usize {
        let f = &self.functions[function];
        let model = || self.linked(&format!("{STAND_IN}{}", f.name));
        match f.definition {
            None => match model() {
                Some(Symbol::Function(model)) => model,
                _ => function,
            },
            Some(_) => function,
        }
    }

    /// Finds the functions that pointers may lead to.
    pub fn find_pointed(&mut self, units: &[ast::TranslationUnit]) {
        for (number, unit) in units.iter().enumerate() {
            self.enter_unit(number);
            for name in taken::functions_used(unit) {
                if let Some(Symbol::Function(f)) = self.scopes.lookup_in_file(&name) {
                    self.pointed.insert(f);
                }
            }
        }
    }

    /// The address of a function.
    pub fn function_address(&mut self, function: usize) -> Expr {
        let id = match self.functions[function].object {
            Some(id) => id,
            None => {
                let f = &self.functions[function];
                let (name, span) = (f.name.clone(), f.span);
                let ty = self.function_type(function);
                let id = self.function_object(name, ty, span);
                self.functions[function].object = Some(id);
                id
            }
        };
        Expr::Addr(Reg::Global(id))
    }

    /// Whether the program has a `main`, and so all callers of its functions.
    pub fn is_closed(&self) -> bool {
        self.functions.iter().any(|f| f.name == "main" && f.definition.is_some())
    }

    /// The address of what stands for all functions of a type that the program does not have: a
    /// caller may pass one.
    pub fn foreign_function(&mut self, ty: TypeId, at: Span) -> Expr {
        if let Some(id) = self.foreign.get(&ty) {
            return Expr::Addr(Reg::Global(*id));
        }
        let known: BTreeSet<&str> = self.globals.iter().map(|g| g.name.as_str()).collect();
        let name =
            (1..).map(|n| format!("some_function_{n}")).find(|n| !known.contains(n.as_str()));
        let id = self.function_object(name.unwrap_or_default(), ty, at);
        self.foreign.insert(ty, id);
        Expr::Addr(Reg::Global(id))
    }

    fn function_object(&mut self, name: String, ty: TypeId, span: Span) -> GlobalId {
        let id = GlobalId(self.globals.len() as u32);
        self.globals.push(Global {
            name,
            ty,
            storage: Storage::Object,
            init: Vec::new(),
            is_const: true,
            is_ghost: false,
            span,
        });
        self.global_info.push(GlobalInfo { is_defined: true, ..GlobalInfo::default() });
        id
    }

    /// When all bodies are lowered: if some function has an address that nobody has foreseen, a
    /// pointer to none of the others is not known to be wrong.
    pub fn settle_pointed(&mut self) {
        let unforeseen = |(i, f): (usize, &super::Function<'_>)| {
            (f.object.is_some() && !self.pointed.contains(&i)).then(|| f.name.clone())
        };
        let Some(name) = self.functions.iter().enumerate().find_map(unforeseen) else { return };
        let bodies = self.procs.iter_mut().filter_map(|p| p.body.as_mut());
        for instr in bodies.flat_map(|b| &mut b.blocks).flat_map(|b| &mut b.instrs) {
            if let InstrKind::Assert { kind: CheckKind::BadCall, .. } = instr.kind {
                let reason = format!("a call through a pointer that may lead to `{name}`");
                let message = format!("not supported: {reason}");
                self.diagnostics.push(Diagnostic::unsupported(instr.span, message));
                instr.kind = InstrKind::Unsupported { reason };
            }
        }
    }
}
