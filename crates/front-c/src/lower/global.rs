//! Globals: file-scope variables, `static` locals, external variables.

use lang_c::ast;
use lang_c::span::{Node, Span as CSpan};
use trellis_program::ir::{Expr, Global, GlobalId, Init, Reg, Storage};
use trellis_program::source::Span;
use trellis_program::types::{Scalar, Type, TypeId};

use super::declarator::Declared;
use super::init::{Item, ItemValue};
use super::scope::Symbol;
use super::types::Specifiers;
use super::{Lower, fold};

/// What the program does not say about a global.
#[derive(Clone, Debug, Default)]
pub struct GlobalInfo {
    /// Why its value is not known.
    pub odd: Option<String>,
    /// A definition has been seen, be it a tentative one.
    pub is_defined: bool,
    /// The translation unit of that definition.
    pub defined_in: Option<usize>,
    /// The translation unit that alone can mean it by its name.
    pub static_in: Option<usize>,
    /// The declaration that an initialiser belongs to.
    pub has_initializer: bool,
}

impl<'a> Lower<'a> {
    /// A variable with static storage, at file scope or in a function.
    pub fn declare_global(
        &mut self,
        specifiers: &Specifiers,
        declared: &Declared<'a>,
        name: &'a Node<ast::Identifier>,
        init: &'a Node<ast::InitDeclarator>,
    ) {
        let text = &name.node.name;
        let at = self.at(name.span);
        let is_local = self.scopes.depth() > 0;
        let initializer = init.node.initializer.as_ref();
        if self.positions.is_system(name.span.start) && initializer.is_none() {
            self.scopes.header_variables.insert(text.clone(), (declared.ty, at));
            return;
        }
        let mut ty = declared.ty;
        if let (true, Some(i)) = (declared.open_array, initializer) {
            ty = self.array_length_from(ty, i);
        }
        let odd = self.odd_global(specifiers, declared, ty, at);
        let id = self.global_entry(specifiers, text, ty, name.span);
        let Some(id) = id else {
            self.error(at, format!("`{text}` is declared as something else already"));
            return;
        };
        let is_static_local = is_local && specifiers.is_static;
        let symbol = Symbol::Global(id);
        if is_local {
            self.scopes.declare(text, symbol);
        } else {
            self.scopes.declare_in_file(text, symbol);
        }
        let defines = !specifiers.is_extern || initializer.is_some();
        let same_place = self.globals[id.0 as usize].span == at;
        let unit = self.unit;
        let info = &mut self.global_info[id.0 as usize];
        if defines && info.defined_in.is_some_and(|u| u != unit) && !is_static_local {
            // A ghost variable of a header is one, however often the header is included.
            if !(same_place && self.globals[id.0 as usize].is_ghost) {
                let there = self.globals[id.0 as usize].span;
                self.defined_twice(text, at, there, false);
            }
            return;
        }
        if defines && !info.is_defined {
            info.defined_in = Some(unit);
            // It was declared elsewhere before, and is known from here on.
            info.odd = None;
            self.globals[id.0 as usize].span = at;
        }
        info.is_defined |= defines;
        if is_local && specifiers.is_extern && !info.is_defined {
            info.odd = Some(external(text));
        }
        if odd.is_some() {
            info.odd = odd;
        }
        let g = id.0 as usize;
        self.globals[g].is_const |= declared.is_const(specifiers);
        if declared.open_array {
            self.globals[g].ty = ty;
        }
        if let Some(i) = initializer
            && !self.is_unknown(ty)
        {
            if self.global_info[g].has_initializer && !is_static_local {
                self.error(at, format!("`{text}` has two initialisers"));
                return;
            }
            self.global_info[g].has_initializer = true;
            self.initialize_global(id, ty, i);
        }
    }

    fn odd_global(
        &mut self,
        specifiers: &Specifiers,
        declared: &Declared<'a>,
        ty: TypeId,
        at: Span,
    ) -> Option<String> {
        if specifiers.is_volatile && !declared.has_pointer {
            return Some("a volatile variable".into());
        }
        if specifiers.is_aligned {
            return Some("a variable with its own alignment".into());
        }
        if declared.is_vla {
            self.error(at, "the length of a global array must be a constant");
        }
        if ty == self.ty.void {
            self.error(at, "a variable cannot have type `void`");
        }
        self.odd_type(ty).map(str::to_owned)
    }

    /// The global of a declaration: the one declared before, or a new one.
    fn global_entry(
        &mut self,
        specifiers: &Specifiers,
        name: &str,
        ty: TypeId,
        span: CSpan,
    ) -> Option<GlobalId> {
        let is_static_local = self.scopes.depth() > 0 && specifiers.is_static;
        if is_static_local {
            if let Some(id) = self.static_locals.get(&span.start) {
                return Some(*id);
            }
        } else {
            match self.scopes.lookup_in_file(name) {
                Some(Symbol::Global(g)) => {
                    // `extern int a[]; int a[5];`
                    let known = &mut self.globals[g.0 as usize].ty;
                    if matches!(self.types.get(*known), Type::Array(_, 0)) {
                        *known = ty;
                    }
                    return Some(g);
                }
                None if specifiers.is_static => {}
                None => match self.linked(name) {
                    Some(Symbol::Global(g)) => {
                        let there = &self.globals[g.0 as usize];
                        let (known, span_there) = (there.ty, there.span);
                        if !self.same_variable(known, ty) {
                            if self.is_model() {
                                return None;
                            }
                            let here = self.at(span);
                            self.conflict(name, here, span_there);
                        } else if matches!(self.types.get(known), Type::Array(_, 0)) {
                            self.globals[g.0 as usize].ty = ty;
                        }
                        return Some(g);
                    }
                    Some(Symbol::Function(f)) => {
                        let (here, there) = (self.at(span), self.functions[f].span);
                        self.conflict(name, here, there);
                    }
                    _ => {}
                },
                Some(_) => return None,
            }
        }
        let id = GlobalId(self.globals.len() as u32);
        let is_scalar = self.types.scalar(ty).is_some();
        let shown =
            if is_static_local { format!("{}.{name}", self.f.name) } else { name.to_owned() };
        self.globals.push(Global {
            name: shown,
            ty,
            storage: if is_scalar && !self.taken.contains(name) {
                Storage::Register
            } else {
                Storage::Object
            },
            init: Vec::new(),
            is_const: false,
            is_ghost: self.notes.is_ghost(span.start),
            span: self.at(span),
        });
        let is_static = specifiers.is_static && !is_static_local;
        let static_in = is_static.then_some(self.unit);
        self.global_info.push(GlobalInfo { static_in, ..GlobalInfo::default() });
        if is_static_local {
            self.static_locals.insert(span.start, id);
        } else {
            self.scopes.declare_in_file(name, Symbol::Global(id));
        }
        if !specifiers.is_static {
            self.shared.names.entry(name.to_owned()).or_insert(Symbol::Global(id));
        }
        Some(id)
    }

    /// After file scope has been read: what is declared and never defined has an unknown value.
    pub fn mark_external(&mut self) {
        for (global, info) in self.globals.iter().zip(&mut self.global_info) {
            if !info.is_defined {
                info.odd = Some(external(&global.name));
            }
        }
    }

    /// A variable that a system header declares, now that it is used.
    pub fn header_variable(&mut self, name: &str) -> Option<Symbol> {
        let (ty, span) = self.scopes.header_variables.get(name).copied()?;
        if let Some(Symbol::Global(g)) = self.linked(name)
            && self.same_variable(self.globals[g.0 as usize].ty, ty)
        {
            self.scopes.declare_in_file(name, Symbol::Global(g));
            return Some(Symbol::Global(g));
        }
        let id = GlobalId(self.globals.len() as u32);
        self.globals.push(Global {
            name: name.to_owned(),
            ty,
            storage: Storage::Object,
            init: Vec::new(),
            is_const: false,
            is_ghost: false,
            span,
        });
        self.global_info.push(GlobalInfo { odd: Some(external(name)), ..GlobalInfo::default() });
        self.scopes.declare_in_file(name, Symbol::Global(id));
        self.shared.names.entry(name.to_owned()).or_insert(Symbol::Global(id));
        Some(Symbol::Global(id))
    }

    /// Evaluates a constant initialiser.
    pub fn initialize_global(
        &mut self,
        id: GlobalId,
        ty: TypeId,
        init: &'a Node<ast::Initializer>,
    ) {
        let items = self.initializer_items(ty, init);
        let mut cells = Vec::new();
        let mut odd = None;
        for item in items {
            match &item.value {
                ItemValue::Bytes(bytes) => {
                    let cell = Scalar::Int(self.kind_of(item.cell_type(self)));
                    cells.extend(bytes.iter().enumerate().map(|(i, b)| {
                        let value = Init::Int(i64::from(*b as i8));
                        (item.offset + i as u32, cell, value)
                    }));
                }
                ItemValue::Expr(_) => match self.constant_item(&item) {
                    Ok(value) => {
                        let scalar = item.bits.map_or_else(|| self.scalar(item.ty), Scalar::Bits);
                        cells.push((item.offset, scalar, value));
                    }
                    Err(reason) => odd = Some(reason),
                },
                ItemValue::Unsupported(reason) => odd = Some((*reason).to_owned()),
            }
        }
        self.globals[id.0 as usize].init = cells;
        if odd.is_some() {
            self.global_info[id.0 as usize].odd = odd;
        }
    }

    fn constant_item(&mut self, item: &Item<'a>) -> Result<Init, String> {
        let ItemValue::Expr(e) = item.value else {
            return Err("this initial value".into());
        };
        if self.is_float(item.ty) {
            return Err("a floating-point initial value".into());
        }
        let errors = self.diagnostics.len();
        let (value, pure) = self.in_scratch(|l| {
            let v = l.rvalue(e);
            // A struct value here is a compound literal or a mistake: both are told below.
            if l.is_record(v.ty) {
                return l.unknown();
            }
            l.convert(v, item.ty, e.span)
        });
        let not_constant = |l: &mut Self| {
            if l.diagnostics.len() == errors {
                let at = l.at(e.span);
                l.error(at, "the initial value of a global must be a constant");
            }
            Err("this initial value".to_owned())
        };
        if !pure {
            return if self.is_unknown(value.ty) {
                Err("this initial value".into())
            } else {
                not_constant(self)
            };
        }
        if let Some(n) = fold::constant(&value.e) {
            return Ok(Init::Int(n));
        }
        match value.e {
            Expr::Null => Ok(Init::Null),
            Expr::Addr(Reg::Global(g)) => Ok(Init::Addr(g, 0)),
            Expr::Offset(base, n) => match *base {
                Expr::Addr(Reg::Global(g)) => Ok(Init::Addr(g, n)),
                _ => Err("this initial value".into()),
            },
            Expr::Convert(..) | Expr::ToPtr(_) => Err("this initial value".into()),
            _ => not_constant(self),
        }
    }
}

fn external(name: &str) -> String {
    format!("the value of `{name}`, which is defined elsewhere")
}
