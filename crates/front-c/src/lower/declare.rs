//! File scope: types, globals, functions, in the order of the text.

use lang_c::ast::{self, ExternalDeclaration};
use lang_c::span::{Node, Span as CSpan};
use trellis_program::checks::is_error_function;

use super::Lower;
use super::declarator::{Declared, Param, Signature};
use super::proc::Function;
use super::scope::Symbol;
use super::types::Specifiers;

impl<'a> Lower<'a> {
    /// Declares everything at the file scope of a unit; of a model, what is wanted.
    pub fn declare_unit(&mut self, unit: &'a ast::TranslationUnit) {
        let range = &self.whole.units[self.unit].range;
        let mut end = range.start;
        for item in &unit.0 {
            let notes = self.notes_between(end, item.span.start);
            end = item.span.end;
            let function = match &item.node {
                ExternalDeclaration::Declaration(d) => self.file_declaration(d),
                ExternalDeclaration::FunctionDefinition(f) => {
                    let name = defined_name(&f.node.declarator).unwrap_or_default();
                    if !self.is_wanted(name) {
                        self.skip_notes(&notes, f.span);
                        continue;
                    }
                    Some(self.function_definition(f))
                }
                ExternalDeclaration::StaticAssert(s) => {
                    self.static_assert(s);
                    None
                }
            };
            self.file_notes(&notes, function);
        }
        let notes = self.notes_between(end, range.end);
        self.file_notes(&notes, None);
    }

    /// What is said of a function that nobody wants.
    fn skip_notes(&mut self, before: &[usize], function: CSpan) {
        let inside = self.notes_between(function.start, function.end);
        before.iter().chain(&inside).for_each(|&n| self.attached[n] = true);
    }

    /// Numbers the functions that belong to the program, in the order of their declarations.
    pub fn number_functions(&mut self) {
        for i in 0..self.functions.len() {
            let f = &self.functions[i];
            let defined = f.definition.is_some() && !f.is_system;
            if (defined || !f.notes.is_empty()) && !is_error_function(&f.name) {
                self.need_proc(i);
            }
        }
    }

    /// Checks `_Static_assert`.
    pub fn static_assert(&mut self, s: &'a Node<ast::StaticAssert>) {
        if self.positions.is_system(s.span.start) {
            return;
        }
        if let Some((0, _)) = self.constant(&s.node.expression) {
            let span = self.at(s.node.expression.span);
            self.error(span, "this static assertion is false");
        }
    }

    /// A declaration at file scope; returns the function if it declares one.
    fn file_declaration(&mut self, d: &'a Node<ast::Declaration>) -> Option<Noted> {
        let mut specifiers = self.specifiers(&d.node.specifiers);
        specifiers.ty = self.apply_mode(specifiers.ty, d.span);
        let mut function = None;
        for init in &d.node.declarators {
            let declared = self.declarator(specifiers.ty, &init.node.declarator);
            let Some(name) = declared.name else {
                continue;
            };
            if specifiers.is_typedef {
                self.declare_typedef(&declared, &specifiers, d.span);
            } else if self.types.is_function(declared.ty) {
                let index = self.declare_function(&specifiers, &declared, name);
                function = Some(Noted::new(index, &declared));
                self.note_around_main(d.span, name);
            } else if self.is_wanted(&name.node.name) {
                self.declare_global(&specifiers, &declared, name, init);
            }
        }
        function
    }

    /// Whether what a unit defines under a name belongs to the program.
    fn is_wanted(&self, name: &str) -> bool {
        self.whole.units[self.unit].wanted.as_ref().is_none_or(|all| all.contains(name))
    }

    /// A typedef, in the current scope; an untagged record takes its name.
    pub fn declare_typedef(
        &mut self,
        declared: &Declared<'a>,
        specifiers: &Specifiers,
        whole: CSpan,
    ) {
        let Some(name) = declared.name.map(|n| &n.node.name) else { return };
        let ty = declared.ty;
        if let Some(r) = self.types.as_record(ty)
            && let Some(info) = self.records.get_mut(&r)
            && std::mem::take(&mut info.is_nameless)
        {
            self.types.rename_record(r, name);
        }
        // Whatever has a member of this type lies elsewhere.
        let aligned = !self.is_record(ty) && self.has_attribute(whole, &["aligned"]);
        let ty = if declared.is_vla || aligned { self.ty.unknown } else { ty };
        self.scopes.declare(name, Symbol::Typedef(ty, declared.is_const(specifiers)));
    }

    /// A function declared or about to be defined; a new entry or the one that is there.
    pub fn declare_function(
        &mut self,
        specifiers: &Specifiers,
        declared: &Declared<'a>,
        name: &'a Node<ast::Identifier>,
    ) -> usize {
        let text = &name.node.name;
        let declared = &self.with_signature(declared, name.span);
        let known = match self.scopes.lookup_in_file(text) {
            Some(Symbol::Function(i)) => Some(i),
            Some(_) => None,
            None if specifiers.is_static => None,
            None => self.linked_function(declared, name),
        };
        let index = match known {
            Some(i) => {
                let better = declared
                    .signature
                    .as_ref()
                    .filter(|s| s.has_prototype || self.functions[i].signature.is_none());
                if let Some(s) = better
                    && self.functions[i].definition.is_none()
                {
                    self.functions[i].signature = Some(s.clone());
                }
                i
            }
            None => self.new_function(specifiers, declared, name),
        };
        self.scopes.declare_in_file(text, Symbol::Function(index));
        if self.scopes.depth() > 0 {
            self.scopes.declare(text, Symbol::Function(index));
        }
        index
    }

    /// The function of another unit that a declaration means.
    fn linked_function(
        &mut self,
        declared: &Declared<'a>,
        name: &'a Node<ast::Identifier>,
    ) -> Option<usize> {
        let text = &name.node.name;
        let here = self.at(name.span);
        match self.linked(text)? {
            Symbol::Function(i) => {
                let there = &self.functions[i];
                let agree = self.agree(there.signature.as_ref(), declared.signature.as_ref());
                // What headers of the system say of their own functions is their business.
                let is_system = there.is_system || self.positions.is_system(name.span.start);
                let is_theirs = is_system && there.definition.is_none();
                if !agree && self.is_model() {
                    return None;
                }
                if !agree && !is_theirs {
                    self.conflict(text, here, there.span);
                }
                Some(i)
            }
            Symbol::Global(g) if !self.is_model() => {
                self.conflict(text, here, self.globals[g.0 as usize].span);
                None
            }
            _ => None,
        }
    }

    fn new_function(
        &mut self,
        specifiers: &Specifiers,
        declared: &Declared<'a>,
        name: &'a Node<ast::Identifier>,
    ) -> usize {
        let text = &name.node.name;
        let span = self.at(name.span);
        let index = self.functions.len();
        self.functions.push(Function {
            name: text.clone(),
            signature: declared.signature.clone(),
            definition: None,
            span,
            unit: self.unit,
            is_static: specifiers.is_static,
            is_inline: false,
            is_system: self.positions.is_system(name.span.start),
            proc: None,
            notes: Vec::new(),
            note_params: Vec::new(),
            object: None,
        });
        if !specifiers.is_static {
            self.shared.names.entry(text.clone()).or_insert(Symbol::Function(index));
        }
        index
    }

    fn function_definition(&mut self, f: &'a Node<ast::FunctionDefinition>) -> Noted {
        let specifiers = self.specifiers(&f.node.specifiers);
        let mut declared = self.declarator(specifiers.ty, &f.node.declarator);
        let Some(name) = declared.name else {
            let span = self.at(f.node.declarator.span);
            self.error(span, "a function must have a name");
            return Noted::new(self.anonymous_function(span), &declared);
        };
        if declared.signature.is_none() {
            let span = self.at(f.node.declarator.span);
            self.error(span, "this is not a function");
            return Noted::new(self.anonymous_function(span), &declared);
        }
        self.old_style_parameters(&mut declared, f);
        if self.notes.is_ghost(f.span.start) {
            let span = self.at(name.span);
            self.error(span, "ghost code cannot define a function");
        }
        let index = self.declare_function(&specifiers, &declared, name);
        let noted = Noted::new(index, &declared);
        self.note_around_main(CSpan::span(f.span.start, f.node.statement.span.start), name);
        let span = self.at(name.span);
        let is_system = self.positions.is_system(name.span.start);
        let is_inline = specifiers.is_inline && !specifiers.is_extern;
        let unit = self.unit;
        let function = &mut self.functions[index];
        if function.definition.is_some() && function.unit != unit {
            if is_inline {
                return noted;
            }
            if !function.is_inline {
                let there = function.span;
                self.defined_twice(&name.node.name, span, there, true);
                return noted;
            }
        } else if function.definition.is_some() {
            let there = function.span;
            self.defined_twice(&name.node.name, span, there, true);
            return noted;
        }
        function.definition = Some(f);
        function.signature = declared.signature;
        function.span = span;
        function.is_system = is_system;
        function.is_inline = is_inline;
        function.unit = unit;
        noted
    }

    /// Remembers a function that runs before or after `main`.
    fn note_around_main(&mut self, span: CSpan, name: &Node<ast::Identifier>) {
        let found = [
            ("constructor", "a function that runs before `main`"),
            ("destructor", "a function that runs after `main`"),
        ];
        let found = found.into_iter().find(|(word, _)| self.has_attribute(span, &[word]));
        if let Some((_, reason)) = found.filter(|_| !self.positions.is_system(span.start)) {
            self.around_main = Some((self.at(name.span), reason));
        }
    }

    /// An entry for a function that could not be declared.
    fn anonymous_function(&mut self, span: trellis_program::Span) -> usize {
        self.bare_function(String::new(), None, span)
    }

    /// An entry for a function that is called and that nobody declares.
    pub fn implicit_function(&mut self, name: &str, span: trellis_program::Span) -> usize {
        let signature = Signature {
            ret: self.ty.int,
            params: Vec::new(),
            is_variadic: false,
            has_prototype: false,
        };
        let index = self.bare_function(name.to_owned(), Some(signature), span);
        self.shared.names.entry(name.to_owned()).or_insert(Symbol::Function(index));
        index
    }

    fn bare_function(
        &mut self,
        name: String,
        signature: Option<Signature<'a>>,
        span: trellis_program::Span,
    ) -> usize {
        self.functions.push(Function {
            name,
            signature,
            definition: None,
            span,
            unit: self.unit,
            is_static: true,
            is_inline: false,
            is_system: true,
            proc: None,
            notes: Vec::new(),
            note_params: Vec::new(),
            object: None,
        });
        self.functions.len() - 1
    }

    /// `int f(a, b) int a; char *b; { … }`: parameters whose types stand behind the list.
    fn old_style_parameters(
        &mut self,
        declared: &mut Declared<'a>,
        f: &'a Node<ast::FunctionDefinition>,
    ) {
        let Some(names) = old_style_names(&f.node.declarator) else {
            return;
        };
        let mut params: Vec<Param<'a>> = names
            .iter()
            .map(|n| Param { name: Some(n), ty: self.ty.int, is_const: false, span: n.span })
            .collect();
        for d in &f.node.declarations {
            let specifiers = self.specifiers(&d.node.specifiers);
            for init in &d.node.declarators {
                let one = self.declarator(specifiers.ty, &init.node.declarator);
                let ty = self.decayed(one.ty);
                let is_const = one.is_const(&specifiers) && ty == one.ty;
                let name = one.name.map(|n| n.node.name.as_str());
                match params.iter_mut().find(|p| p.name.map(|n| n.node.name.as_str()) == name) {
                    Some(p) => (p.ty, p.is_const) = (ty, is_const),
                    None => {
                        let span = self.at(init.span);
                        self.error(span, "this is not a parameter");
                    }
                }
            }
        }
        if let Some(Signature { params: p, .. }) = &mut declared.signature {
            *p = params;
        }
    }

    /// Distributes the annotations before a file-scope item. A header that several units include
    /// says the same to each of them, and counts once.
    fn file_notes(&mut self, notes: &[usize], function: Option<Noted>) {
        let mut clauses = Vec::new();
        for &n in notes {
            if self.declare_predicate(n) {
                continue;
            }
            if let Some(f) = &function
                && self.is_contract_clause(n)
            {
                self.attached[n] = true;
                let at = |n: &usize| self.notes.list[*n].clause.span();
                let of_others = self.functions[f.function].notes.iter();
                if !of_others.clone().any(|o| *o < n && self.is_of_other(*o) && at(o) == at(&n)) {
                    clauses.push(n);
                }
            }
        }
        if let Some(f) = function
            && !clauses.is_empty()
        {
            self.functions[f.function].notes.extend(clauses);
            self.functions[f.function].note_params = f.parameters;
        }
    }

    /// Whether a note stands in another unit.
    fn is_of_other(&self, note: usize) -> bool {
        self.whole.unit_at(self.notes.list[note].offset) != self.unit
    }

    /// Whether code at a place is ghost code.
    pub fn in_ghost(&self, span: CSpan) -> bool {
        self.notes.is_ghost(span.start)
    }
}

/// A function that annotations may stand before, with the names of its parameters there.
struct Noted {
    function: usize,
    parameters: Vec<Option<String>>,
}

impl Noted {
    fn new(function: usize, declared: &Declared<'_>) -> Noted {
        let parameters = declared.signature.iter().flat_map(|s| &s.params);
        let parameters = parameters.map(|p| p.name.map(|n| n.node.name.clone())).collect();
        Noted { function, parameters }
    }
}

/// The name that a declarator declares.
pub fn defined_name(d: &Node<ast::Declarator>) -> Option<&str> {
    match &d.node.kind.node {
        ast::DeclaratorKind::Identifier(id) => Some(&id.node.name),
        ast::DeclaratorKind::Declarator(inner) => defined_name(inner),
        ast::DeclaratorKind::Abstract => None,
    }
}

fn old_style_names(d: &Node<ast::Declarator>) -> Option<&[Node<ast::Identifier>]> {
    let here = d.node.derived.iter().find_map(|x| match &x.node {
        ast::DerivedDeclarator::KRFunction(names) => Some(names.as_slice()),
        _ => None,
    });
    match (&d.node.kind.node, here) {
        (_, Some(names)) if !names.is_empty() => Some(names),
        (ast::DeclaratorKind::Declarator(inner), _) => old_style_names(inner),
        _ => None,
    }
}
