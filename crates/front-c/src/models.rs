//! Models: what functions of the library do, as C that ships with Trellis (`models/`) or that the
//! user gives.
//!
//! A model is one more translation unit. It is added when the program mentions a function or variable
//! that the model defines and the program does not, and of the unit only what is needed for that
//! belongs to the program.
//!
//! **Invariant.** A model stands for a name that nobody defines: what the program defines itself, or
//! one of the user's models, is never replaced.

use std::collections::{BTreeMap, BTreeSet};

use lang_c::ast::{self, ExternalDeclaration, TranslationUnit};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use trellis_program::source::{Diagnostic, Role, SourceMap};

use crate::lower::{
    FORMAT_MODELS, LENGTH_MODELS, PRINT_MODELS, SCAN_MODELS, STAND_IN, WRITERS, defined_name,
    functions_used,
};
use crate::whole::{Part, Whole};

/// The models that are part of Trellis.
const SHIPPED: [(&str, &str); 8] = [
    ("<models>/string.c", include_str!("../../../models/string.c")),
    ("<models>/ctype.c", include_str!("../../../models/ctype.c")),
    ("<models>/stdlib.c", include_str!("../../../models/stdlib.c")),
    ("<models>/stdio.c", include_str!("../../../models/stdio.c")),
    ("<models>/pointed.c", include_str!("../../../models/pointed.c")),
    ("<models>/varargs.c", include_str!("../../../models/varargs.c")),
    ("<models>/format.c", include_str!("../../../models/format.c")),
    ("<models>/scan.c", include_str!("../../../models/scan.c")),
];

/// The models that a program needs.
#[derive(Debug, Default)]
pub struct Models(pub Vec<Part>);

impl Models {
    /// Adds the models of the user, and those of Trellis that are needed.
    ///
    /// # Errors
    /// Syntax errors.
    pub fn add(
        whole: &mut Whole,
        units: &mut Vec<TranslationUnit>,
        own: Vec<Part>,
        sources: &mut SourceMap,
    ) -> Result<Models, Vec<Diagnostic>> {
        let mut needs = Needs::default();
        units.iter().for_each(|unit| needs.program(unit));
        let mut used = Vec::new();
        for part in own {
            let unit = whole.add(&part, sources)?;
            add(whole, units, unit, &mut needs);
            used.push(part);
        }
        for (name, text) in SHIPPED {
            if offered(text).any(|one| needs.names.contains(one)) {
                let file = sources.add_as(Role::Model, name, text);
                let part = Part::verbatim(text.to_owned(), file);
                let unit = whole.add(&part, sources)?;
                add(whole, units, unit, &mut needs);
                used.push(part);
            }
        }
        Ok(Models(used))
    }
}

/// Adds the unit of a model, and finds out what of it belongs to the program.
fn add(
    whole: &mut Whole,
    units: &mut Vec<TranslationUnit>,
    unit: TranslationUnit,
    needs: &mut Needs,
) {
    let wanted = needs.model(&unit);
    if let Some(extent) = whole.units.last_mut() {
        extent.wanted = Some(wanted);
    }
    units.push(unit);
}

/// The names that a shipped model offers. Their style makes that easy: what is defined for others
/// begins at the start of a line, without `static`.
fn offered(text: &str) -> impl Iterator<Item = &str> {
    let word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    text.lines().filter_map(move |line| {
        let begins = line.starts_with(|c: char| c.is_ascii_alphabetic());
        if !begins || line.starts_with("static ") || line.starts_with("typedef ") {
            return None;
        }
        let end = match line.find('(') {
            Some(at) if line.ends_with(['{', ',']) => at,
            _ => line.find(" = ")?,
        };
        let start = line[..end].rfind(|c| !word(c)).map_or(0, |at| at + 1);
        Some(&line[start..end])
    })
}

/// What is mentioned and nobody has defined so far.
#[derive(Debug, Default)]
struct Needs {
    names: BTreeSet<String>,
    /// What has external linkage and is defined.
    defined: BTreeSet<String>,
}

impl Needs {
    /// What a unit of the user mentions and does not define itself.
    fn program(&mut self, unit: &TranslationUnit) {
        let definitions = definitions(unit);
        let mut mentioned = Mentions::default();
        mentioned.visit_translation_unit(unit);
        let pointed = functions_used(unit);
        self.names.extend(pointed.iter().map(|name| format!("{STAND_IN}{name}")));
        let others = mentioned.0.into_iter().filter(|n| !definitions.contains_key(n.as_str()));
        self.names.extend(others);
        if self.names.contains("sprintf") || self.names.contains("snprintf") {
            self.names.extend(FORMAT_MODELS.map(str::to_owned));
        }
        self.lists();
        if WRITERS.iter().any(|w| self.names.contains(*w)) {
            self.names.extend(LENGTH_MODELS.map(str::to_owned));
        }
        if self.names.contains("sscanf") {
            self.names.extend(SCAN_MODELS.map(str::to_owned));
        }
        let external = definitions.iter().filter(|d| !d.1.is_static).map(|d| (*d.0).to_owned());
        self.defined.extend(external);
        self.names.retain(|n| !self.defined.contains(n));
    }

    /// What functions with a list of arguments need.
    fn lists(&mut self) {
        const LISTS: [&str; 4] = ["vprintf", "vfprintf", "vsprintf", "vsnprintf"];
        if LISTS.iter().any(|name| self.names.contains(*name)) {
            self.names.extend(PRINT_MODELS.map(str::to_owned));
        }
    }

    /// What of a model is needed; what that mentions in turn is needed, too.
    fn model(&mut self, unit: &TranslationUnit) -> BTreeSet<String> {
        let definitions = definitions(unit);
        let offered = definitions.iter().filter(|d| !d.1.is_static).map(|d| *d.0);
        let mut todo: Vec<String> =
            offered.filter(|n| self.names.contains(*n)).map(str::to_owned).collect();
        let mut wanted = BTreeSet::new();
        while let Some(name) = todo.pop() {
            let Some(definition) = definitions.get(name.as_str()) else {
                self.names.extend((!self.defined.contains(&name)).then_some(name));
                continue;
            };
            if self.defined.contains(&name) || !wanted.insert(name) {
                continue;
            }
            let mut mentioned = Mentions::default();
            match definition.item {
                Item::Function(f) => mentioned.visit_function_definition(&f.node, &f.span),
                Item::Variable(v) => mentioned.visit_init_declarator(&v.node, &v.span),
            }
            todo.extend(mentioned.0);
        }
        self.lists();
        self.defined.extend(wanted.iter().filter(|n| !definitions[n.as_str()].is_static).cloned());
        self.names.retain(|n| !self.defined.contains(n));
        wanted
    }
}

/// Something that a unit defines.
struct Definition<'a> {
    is_static: bool,
    item: Item<'a>,
}

enum Item<'a> {
    Function(&'a Node<ast::FunctionDefinition>),
    Variable(&'a Node<ast::InitDeclarator>),
}

/// What a unit defines at file scope, by name.
fn definitions(unit: &TranslationUnit) -> BTreeMap<&str, Definition<'_>> {
    let mut all = BTreeMap::new();
    for item in &unit.0 {
        match &item.node {
            ExternalDeclaration::FunctionDefinition(f) => {
                let is_static = has(&f.node.specifiers, &ast::StorageClassSpecifier::Static);
                if let Some(name) = defined_name(&f.node.declarator) {
                    all.insert(name, Definition { is_static, item: Item::Function(f) });
                }
            }
            ExternalDeclaration::Declaration(d) => {
                let of = |class| has(&d.node.specifiers, class);
                let is_static = of(&ast::StorageClassSpecifier::Static);
                let is_type = of(&ast::StorageClassSpecifier::Typedef);
                for v in &d.node.declarators {
                    let only_declared = v.node.initializer.is_none()
                        && (of(&ast::StorageClassSpecifier::Extern) || is_function(v));
                    if let Some(name) = defined_name(&v.node.declarator)
                        && !is_type
                        && !only_declared
                    {
                        all.insert(name, Definition { is_static, item: Item::Variable(v) });
                    }
                }
            }
            ExternalDeclaration::StaticAssert(_) => {}
        }
    }
    all
}

fn has(specifiers: &[Node<ast::DeclarationSpecifier>], class: &ast::StorageClassSpecifier) -> bool {
    specifiers
        .iter()
        .any(|s| matches!(&s.node, ast::DeclarationSpecifier::StorageClass(c) if c.node == *class))
}

fn is_function(v: &Node<ast::InitDeclarator>) -> bool {
    v.node.declarator.node.derived.iter().any(|d| {
        matches!(
            d.node,
            ast::DerivedDeclarator::Function(_) | ast::DerivedDeclarator::KRFunction(_)
        )
    })
}

/// The names in expressions.
#[derive(Default)]
struct Mentions(BTreeSet<String>);

/// Output goes to a stream that nobody looks at: it need not have a value.
const OUTPUTS: [&str; 7] = ["fflush", "fprintf", "fputc", "fputs", "putc", "setvbuf", "vfprintf"];
const STREAMS: [&str; 3] = ["stderr", "stdin", "stdout"];
/// Other functions with a stream as their last argument, which have a model for one that is open for
/// sure; it has the name that [`on_open_stream`] gives.
const WITH_STREAM: [&str; 10] = [
    "clearerr", "feof", "ferror", "fgetc", "fgets", "fread", "fwrite", "getc", "getline", "ungetc",
];

/// What a function with a stream is called where that is open for sure.
pub(crate) fn on_open_stream(name: &str) -> Option<String> {
    WITH_STREAM.contains(&name).then(|| format!("__trellis_{name}"))
}

impl<'ast> Visit<'ast> for Mentions {
    fn visit_call_expression(&mut self, c: &'ast ast::CallExpression, span: &'ast Span) {
        let is_name = |e: &Node<ast::Expression>, names: &[&str]| {
            matches!(&e.node, ast::Expression::Identifier(id)
                if names.contains(&id.node.name.as_str()))
        };
        let with_stream = is_name(&c.callee, &WITH_STREAM);
        if !is_name(&c.callee, &OUTPUTS) && !with_stream {
            return visit::visit_call_expression(self, c, span);
        }
        if let ast::Expression::Identifier(id) = &c.callee.node {
            self.0.extend(on_open_stream(&id.node.name));
        }
        self.visit_expression(&c.callee.node, &c.callee.span);
        for a in c.arguments.iter().filter(|a| !is_name(a, &STREAMS)) {
            self.visit_expression(&a.node, &a.span);
        }
    }

    fn visit_expression(&mut self, e: &'ast ast::Expression, span: &'ast Span) {
        if let ast::Expression::Identifier(id) = e {
            self.0.insert(id.node.name.clone());
        }
        visit::visit_expression(self, e, span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax;

    /// The style of the models makes it easy to see what they offer.
    #[test]
    fn offers_are_definitions() {
        for (name, text) in SHIPPED {
            let code = crate::comments::scan(text).code;
            let unit = syntax::parse(code, 0, &crate::positions::Positions::default());
            let unit = unit.unwrap_or_else(|d| panic!("{name}: {d:?}"));
            let definitions = definitions(&unit);
            let public: Vec<&str> =
                definitions.iter().filter(|d| !d.1.is_static).map(|d| *d.0).collect();
            let mut found: Vec<&str> = offered(text).collect();
            found.sort_unstable();
            assert_eq!(found, public, "{name}");
        }
    }
}
