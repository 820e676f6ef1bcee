//! Declarators: what `*`, `[n]` and `(params)` around a name make of a type.

use lang_c::ast::{self, ArraySize, DeclaratorKind, DerivedDeclarator, Ellipsis};
use lang_c::span::{Node, Span as CSpan};
use lang_c::visit::Visit;
use trellis_program::types::{Type, TypeId};

use super::Lower;
use super::types::Specifiers;

/// No object may be larger, so that offsets and sizes stay in 32 bits.
pub const MAX_BYTES: u64 = 1 << 30;

/// A declared name and its type.
#[derive(Clone, Debug)]
pub struct Declared<'a> {
    pub name: Option<&'a Node<ast::Identifier>>,
    pub ty: TypeId,
    /// The signature, when a function is declared.
    pub signature: Option<Signature<'a>>,
    /// `T x[]`: the initialiser gives the length.
    pub open_array: bool,
    /// `T x[n]` with `n` not constant.
    pub is_vla: bool,
    /// That `n`, if the array is the outermost one.
    pub length: Option<&'a Node<ast::Expression>>,
    /// The outermost pointer is itself `const`.
    pub const_pointer: bool,
    /// Whether there is a pointer at all between the base type and the name.
    pub has_pointer: bool,
}

/// The type of a function.
#[derive(Clone, Debug)]
pub struct Signature<'a> {
    pub ret: TypeId,
    pub params: Vec<Param<'a>>,
    pub is_variadic: bool,
    /// Declared with a parameter list, be it `(void)`.
    pub has_prototype: bool,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param<'a> {
    pub name: Option<&'a Node<ast::Identifier>>,
    pub ty: TypeId,
    pub is_const: bool,
    pub span: CSpan,
}

impl Declared<'_> {
    /// Whether what is declared is itself `const`, rather than what it points to.
    pub fn is_const(&self, specifiers: &Specifiers) -> bool {
        self.const_pointer || (specifiers.is_const && !self.has_pointer)
    }
}

impl<'a> Lower<'a> {
    /// What a declarator declares on top of `base`.
    pub fn declarator(&mut self, base: TypeId, d: &'a Node<ast::Declarator>) -> Declared<'a> {
        let mut out = Declared {
            name: None,
            ty: base,
            signature: None,
            open_array: false,
            is_vla: false,
            length: None,
            const_pointer: false,
            has_pointer: false,
        };
        self.derive(d, &mut out);
        out
    }

    fn derive(&mut self, d: &'a Node<ast::Declarator>, out: &mut Declared<'a>) {
        let derived = &d.node.derived;
        let pointers = derived
            .iter()
            .take_while(|x| {
                matches!(x.node, DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_))
            })
            .count();
        for p in &derived[..pointers] {
            if let DerivedDeclarator::Pointer(qualifiers) = &p.node {
                out.const_pointer = qualifiers.iter().any(|q| {
                    matches!(&q.node, ast::PointerQualifier::TypeQualifier(t)
                        if t.node == ast::TypeQualifier::Const)
                });
            }
            self.close_array(out);
            out.ty = self.pointer_to(out.ty);
            out.has_pointer = true;
            out.signature = None;
            (out.open_array, out.is_vla, out.length) = (false, false, None);
        }
        for s in derived[pointers..].iter().rev() {
            out.signature = None;
            match &s.node {
                DerivedDeclarator::Array(a) => self.array(a, s.span, out),
                DerivedDeclarator::Function(f) => {
                    let signature = self.signature(out.ty, &f.node);
                    out.ty = self.type_of_signature(&signature);
                    out.signature = Some(signature);
                }
                DerivedDeclarator::KRFunction(_) => {
                    let signature = Signature {
                        ret: out.ty,
                        params: Vec::new(),
                        is_variadic: false,
                        has_prototype: false,
                    };
                    out.ty = self.type_of_signature(&signature);
                    out.signature = Some(signature);
                }
                DerivedDeclarator::Pointer(_) | DerivedDeclarator::Block(_) => {
                    out.ty = self.pointer_to(out.ty);
                    out.has_pointer = true;
                }
            }
        }
        match &d.node.kind.node {
            DeclaratorKind::Abstract => {}
            DeclaratorKind::Identifier(id) => out.name = Some(id),
            DeclaratorKind::Declarator(inner) => self.derive(inner, out),
        }
    }

    /// What is built on an array of variable length has no known layout.
    fn close_array(&self, out: &mut Declared<'a>) {
        if out.is_vla {
            out.ty = self.ty.unknown;
        }
    }

    fn array(&mut self, a: &'a Node<ast::ArrayDeclarator>, span: CSpan, out: &mut Declared<'a>) {
        out.open_array = false;
        let length = match &a.node.size {
            ArraySize::Unknown => {
                out.open_array = true;
                Some(0)
            }
            ArraySize::VariableUnknown => None,
            ArraySize::VariableExpression(e) | ArraySize::StaticExpression(e)
                if self.mentions_parameter(e) =>
            {
                None
            }
            ArraySize::VariableExpression(e) | ArraySize::StaticExpression(e) => {
                match self.constant(e) {
                    Some((n, kind)) if kind.value(n) < 0 => {
                        let span = self.at(e.span);
                        self.error(span, "the length of an array is negative");
                        Some(0)
                    }
                    Some((n, _)) => Some(n as u64),
                    None => None,
                }
            }
        };
        self.close_array(out);
        out.length = match &a.node.size {
            ArraySize::VariableExpression(e) => Some(e),
            _ => None,
        };
        let element = out.ty;
        let bytes = length.and_then(|n| {
            let size = u64::from(self.types.size_of(element).unwrap_or(1));
            size.checked_mul(n).filter(|b| *b <= MAX_BYTES)
        });
        match (length, bytes) {
            (Some(n), Some(_)) if !self.is_unknown(element) => {
                let incomplete = self.types.size_of(element).is_none();
                if incomplete && !matches!(self.types.get(element), Type::Record(_)) {
                    let (at, name) = (self.at(span), self.types.name(element));
                    self.error(at, format!("an array of `{name}` is not possible"));
                    out.ty = self.ty.unknown;
                    return;
                }
                out.ty = self.types.intern(Type::Array(element, n));
            }
            _ => {
                // Parameters decay, so the element type is still of use to them.
                out.is_vla = true;
                out.ty = self.types.intern(Type::Array(element, 0));
            }
        }
    }

    /// Whether the length of an array depends on a parameter that stands before it.
    fn mentions_parameter(&self, e: &Node<ast::Expression>) -> bool {
        struct Names<'p>(&'p [String], bool);
        impl<'ast> Visit<'ast> for Names<'_> {
            fn visit_identifier(&mut self, id: &'ast ast::Identifier, _: &'ast CSpan) {
                self.1 |= self.0.contains(&id.name);
            }
        }
        let mut names = Names(&self.parameters, false);
        names.visit_expression(&e.node, &e.span);
        names.1
    }

    fn signature(&mut self, ret: TypeId, f: &'a ast::FunctionDeclarator) -> Signature<'a> {
        let mut params = Vec::new();
        let outer = std::mem::take(&mut self.parameters);
        // Tags declared in a parameter list live in the function only, but programs that rely on
        // that are wrong anyway; so there is no scope of its own here.
        for p in &f.parameters {
            let specifiers = self.specifiers(&p.node.specifiers);
            let (name, ty, is_const) = match &p.node.declarator {
                Some(d) => {
                    let declared = self.declarator(specifiers.ty, d);
                    (declared.name, declared.ty, declared.is_const(&specifiers))
                }
                None => (None, specifiers.ty, specifiers.is_const),
            };
            let decayed = self.decayed(ty);
            // The elements of an array are constant, not the pointer to them.
            let is_const = is_const && decayed == ty;
            params.push(Param { name, ty: decayed, is_const, span: p.span });
            self.parameters.extend(name.map(|n| n.node.name.clone()));
        }
        self.parameters = outer;
        let only_void = matches!(params.as_slice(), [p] if p.ty == self.ty.void);
        if only_void {
            params.clear();
        }
        Signature {
            ret,
            is_variadic: f.ellipsis == Ellipsis::Some,
            has_prototype: only_void || !f.parameters.is_empty(),
            params,
        }
    }

    /// The type of a parameter or value: arrays become pointers to their first element, functions
    /// pointers to themselves.
    pub fn decayed(&mut self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::Array(element, _) => self.pointer_to(*element),
            Type::Func(_) => self.pointer_to(ty),
            _ => ty,
        }
    }
}
