//! Declaration specifiers and type names to types.

use lang_c::ast::{self, DeclarationSpecifier, SpecifierQualifier, TypeSpecifier};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::source::{Diagnostic, suggest};
use trellis_program::types::{DataModel, IntKind, Type, TypeId};

use super::Lower;
use super::scope::Symbol;

/// What the specifiers of a declaration say.
#[derive(Clone, Copy, Debug)]
pub struct Specifiers {
    pub ty: TypeId,
    pub is_typedef: bool,
    pub is_extern: bool,
    pub is_static: bool,
    pub is_inline: bool,
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_thread: bool,
    pub is_aligned: bool,
}

/// Counts of the words that make up an arithmetic type.
#[derive(Default)]
struct TypeWords {
    char: bool,
    short: bool,
    int: bool,
    long: u32,
    signed: bool,
    unsigned: bool,
    float: bool,
    double: bool,
    bool: bool,
    complex: bool,
    any: bool,
}

impl<'a> Lower<'a> {
    /// The specifiers of a declaration, parameter or function.
    pub fn specifiers(&mut self, list: &'a [Node<DeclarationSpecifier>]) -> Specifiers {
        let mut out = self.no_specifiers();
        let mut types = Vec::new();
        for s in list {
            match &s.node {
                DeclarationSpecifier::StorageClass(c) => match c.node {
                    ast::StorageClassSpecifier::Typedef => out.is_typedef = true,
                    ast::StorageClassSpecifier::Extern => out.is_extern = true,
                    ast::StorageClassSpecifier::Static => out.is_static = true,
                    ast::StorageClassSpecifier::ThreadLocal => out.is_thread = true,
                    ast::StorageClassSpecifier::Auto | ast::StorageClassSpecifier::Register => {}
                },
                DeclarationSpecifier::TypeSpecifier(t) => {
                    out.is_const |= self.is_const_name(&t.node);
                    types.push(t);
                }
                DeclarationSpecifier::TypeQualifier(q) => qualify(&mut out, &q.node),
                DeclarationSpecifier::Alignment(_) => out.is_aligned = true,
                DeclarationSpecifier::Function(f) => {
                    out.is_inline |= f.node == ast::FunctionSpecifier::Inline;
                }
                DeclarationSpecifier::Extension(_) => {}
            }
        }
        out.ty = self.specified_type(&types, list.first().map(|n| n.span));
        out
    }

    /// The specifiers of a struct member or type name.
    pub fn qualifiers(&mut self, list: &'a [Node<SpecifierQualifier>]) -> Specifiers {
        let mut out = self.no_specifiers();
        let mut types = Vec::new();
        for s in list {
            match &s.node {
                SpecifierQualifier::TypeSpecifier(t) => {
                    out.is_const |= self.is_const_name(&t.node);
                    types.push(t);
                }
                SpecifierQualifier::TypeQualifier(q) => qualify(&mut out, &q.node),
                SpecifierQualifier::Extension(_) => {}
            }
        }
        out.ty = self.specified_type(&types, list.first().map(|n| n.span));
        out
    }

    /// Whether a type is called by a name that makes it `const`.
    fn is_const_name(&self, t: &TypeSpecifier) -> bool {
        matches!(t, TypeSpecifier::TypedefName(n)
            if matches!(self.scopes.lookup(&n.node.name), Some(Symbol::Typedef(_, true))))
    }

    fn no_specifiers(&self) -> Specifiers {
        Specifiers {
            ty: self.ty.int,
            is_typedef: false,
            is_extern: false,
            is_static: false,
            is_inline: false,
            is_const: false,
            is_volatile: false,
            is_thread: false,
            is_aligned: false,
        }
    }

    /// A type name in a cast, `sizeof` ….
    pub fn type_name(&mut self, name: &'a Node<ast::TypeName>) -> TypeId {
        self.qualified_type_name(name).0
    }

    /// A type name, and whether the type is `const`.
    pub fn qualified_type_name(&mut self, name: &'a Node<ast::TypeName>) -> (TypeId, bool) {
        let specifiers = self.qualifiers(&name.node.specifiers);
        match &name.node.declarator {
            Some(d) => {
                let declared = self.declarator(specifiers.ty, d);
                let ty = if declared.is_vla { self.ty.unknown } else { declared.ty };
                (ty, declared.is_const(&specifiers))
            }
            None => (specifiers.ty, specifiers.is_const),
        }
    }

    fn specified_type(
        &mut self,
        specifiers: &[&'a Node<TypeSpecifier>],
        whole: Option<CSpan>,
    ) -> TypeId {
        let mut words = TypeWords::default();
        let mut other = None;
        for s in specifiers {
            match &s.node {
                TypeSpecifier::Void => other = Some(self.ty.void),
                TypeSpecifier::Char => words.char = true,
                TypeSpecifier::Short => words.short = true,
                TypeSpecifier::Int => words.int = true,
                TypeSpecifier::Long => words.long += 1,
                TypeSpecifier::Signed => words.signed = true,
                TypeSpecifier::Unsigned => words.unsigned = true,
                TypeSpecifier::Float => words.float = true,
                TypeSpecifier::Double => words.double = true,
                TypeSpecifier::Bool => words.bool = true,
                TypeSpecifier::Complex => words.complex = true,
                TypeSpecifier::Atomic(t) => other = Some(self.type_name(t)),
                TypeSpecifier::Struct(s) => other = Some(self.struct_type(s)),
                TypeSpecifier::Enum(e) => other = Some(self.enum_type(e)),
                TypeSpecifier::TypedefName(n) => other = Some(self.typedef_type(n)),
                TypeSpecifier::TypeOf(t) => other = Some(self.typeof_type(t)),
                TypeSpecifier::TS18661Float(f) => {
                    let bits = f.width.next_multiple_of(32).min(128) as u16;
                    // One of 128 bits is no `long double` everywhere.
                    let known = bits < 128 || self.types.model() == DataModel::Lp64;
                    other = Some(match known {
                        true => self.types.intern(Type::Float(bits)),
                        false => self.ty.unknown,
                    });
                }
            }
            words.any |= !matches!(
                s.node,
                TypeSpecifier::Void
                    | TypeSpecifier::Atomic(_)
                    | TypeSpecifier::Struct(_)
                    | TypeSpecifier::Enum(_)
                    | TypeSpecifier::TypedefName(_)
                    | TypeSpecifier::TypeOf(_)
                    | TypeSpecifier::TS18661Float(_)
            );
        }
        match other {
            Some(ty) if !words.any => ty,
            Some(_) if !words.complex => {
                if let Some(span) = whole {
                    let span = self.at(span);
                    self.error(span, "these words do not make a type");
                }
                self.ty.unknown
            }
            _ if words.complex => self.ty.unknown,
            _ => self.arithmetic_type(&words),
        }
    }

    fn arithmetic_type(&mut self, w: &TypeWords) -> TypeId {
        let int = |bits, signed| Type::Int(IntKind { bits, signed });
        let ty = if w.bool {
            int(1, false)
        } else if w.float {
            Type::Float(32)
        } else if w.double {
            Type::Float(if w.long > 0 { 128 } else { 64 })
        } else if w.char {
            int(8, !w.unsigned)
        } else if w.short {
            int(16, !w.unsigned)
        } else if w.long > 1 {
            int(64, !w.unsigned)
        } else if w.long > 0 {
            int(self.types.model().long().bits, !w.unsigned)
        } else {
            int(32, !w.unsigned)
        };
        self.types.intern(ty)
    }

    fn typedef_type(&mut self, name: &Node<ast::Identifier>) -> TypeId {
        match self.scopes.lookup(&name.node.name) {
            Some(Symbol::Typedef(ty, _)) => ty,
            _ if name.node.name == "__builtin_va_list" => self.va_list_type(),
            _ => {
                let span = self.at(name.span);
                self.error(span, format!("no type is called `{}`", name.node.name));
                self.ty.unknown
            }
        }
    }

    fn typeof_type(&mut self, t: &'a Node<ast::TypeOf>) -> TypeId {
        match &t.node {
            ast::TypeOf::Type(name) => self.type_name(name),
            ast::TypeOf::Expression(e) if self.variable_length(e).is_some() => self.ty.unknown,
            ast::TypeOf::Expression(e) => self.type_of(e),
        }
    }

    /// Size in bytes of a type in an expression; reports types whose size is not known.
    pub fn size_of(&mut self, ty: TypeId, span: CSpan) -> u32 {
        if self.is_unknown(ty) {
            return 1;
        }
        if let Some(reason) = self.odd_type(ty) {
            let span = self.at(span);
            self.unsupported(span, reason);
        }
        match self.types.get(ty) {
            // GNU C: `void` and functions count as one byte.
            Type::Void | Type::Func(_) => 1,
            _ => match self.types.size_of(ty) {
                Some(size) => size,
                None => {
                    let span = self.at(span);
                    let name = self.types.name(ty);
                    self.error(span, format!("the size of `{name}` is not known here"));
                    1
                }
            },
        }
    }

    /// Reports a name that nothing declares.
    pub fn undeclared(&mut self, name: &str, span: CSpan) -> super::Val {
        let span = self.at(span);
        let mut d = Diagnostic::error(span, format!("nothing is called `{name}` here"));
        if self.scopes.tag(name).is_some() {
            d = d.with_help(format!("did you mean the type `struct {name}`?"));
        } else if name.len() > 2
            && let Some(near) = suggest(name, self.scopes.names().map(|(n, _)| n))
        {
            d = d.with_help(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(d);
        self.unknown()
    }
}

fn qualify(out: &mut Specifiers, q: &ast::TypeQualifier) {
    match q {
        ast::TypeQualifier::Const => out.is_const = true,
        ast::TypeQualifier::Volatile => out.is_volatile = true,
        _ => {}
    }
}
