//! Contracts of a small program with lists of several shapes, read and resolved.

mod constructs;
mod errors;
mod manual;
mod show;
mod soup;

use super::ast::{Annotation, TagKind};
use super::{Locate, Scope, VarRef, parse, resolve_contract, resolve_formula, resolve_predicate};
use expect_test::Expect;
use std::collections::BTreeMap;
use std::fmt::Write;
use trellis_program::IntKind;
use trellis_program::ir::{GlobalId, Reg, Storage, VarId};
use trellis_program::source::{Diagnostic, FileId, Span};
use trellis_program::spec::{Assigns, Formula, Predicate};
use trellis_program::types::{RecordId, Type, TypeId, TypeTable};

/// What the annotations of these tests see.
pub(super) struct World {
    types: TypeTable,
    records: BTreeMap<&'static str, TypeId>,
    typedefs: BTreeMap<&'static str, TypeId>,
    vars: BTreeMap<&'static str, VarRef>,
    predicates: Vec<Predicate>,
    result: Option<TypeId>,
}

/// Positions in the annotation are positions in the file.
pub(super) struct Plain;

impl Locate for Plain {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(FileId(0), start as u32, end as u32)
    }
}

impl World {
    /// ```c
    /// struct node { int data; struct node *next, *prev; double weight; };
    /// struct list_head { struct list_head *next, *prev; };
    /// struct item { int key; struct list_head link; };
    /// struct skip { int key; struct skip *next[3]; struct { struct skip *down; }; };
    /// struct opaque;
    /// typedef struct node *list; typedef int weight_t;
    /// enum { RED, BLACK };
    /// struct node *head; int count; struct item pool[4]; struct node sentinel;
    /// struct node *f(struct node *h, int n, struct item s, struct node *o, void *v, struct skip *k,
    ///                struct item *it, struct opaque *q)
    /// { struct node *r; … &o … }
    /// ```
    pub(super) fn new() -> World {
        let mut types = TypeTable::default();
        let int = types.intern(Type::Int(IntKind::INT));
        let double = types.intern(Type::Float(64));
        let void = types.intern(Type::Void);
        let record = |types: &mut TypeTable, name: &str| {
            let id = types.declare_record(name, false);
            let ty = types.intern(Type::Record(id));
            (id, ty, types.intern(Type::Ptr(ty)))
        };
        let complete = |types: &mut TypeTable, id: RecordId, fields: &[(&str, TypeId)]| {
            let fields = fields.iter().map(|(n, t)| (n.to_string(), *t)).collect();
            types.complete(id, fields);
        };
        let (node, node_ty, node_ptr) = record(&mut types, "struct node");
        let fields = [("data", int), ("next", node_ptr), ("prev", node_ptr), ("weight", double)];
        complete(&mut types, node, &fields);
        let (link, link_ty, link_ptr) = record(&mut types, "struct list_head");
        complete(&mut types, link, &[("next", link_ptr), ("prev", link_ptr)]);
        let (item, item_ty, item_ptr) = record(&mut types, "struct item");
        complete(&mut types, item, &[("key", int), ("link", link_ty)]);
        let (skip, skip_ty, skip_ptr) = record(&mut types, "struct skip");
        let levels = types.intern(Type::Array(skip_ptr, 3));
        let (inner, inner_ty, _) = record(&mut types, "struct <anonymous>");
        complete(&mut types, inner, &[("down", skip_ptr)]);
        let fields = [("key", int), ("next", levels), ("", inner_ty)];
        complete(&mut types, skip, &fields);
        let (_, opaque_ty, opaque_ptr) = record(&mut types, "struct opaque");
        let pool_ty = types.intern(Type::Array(item_ty, 4));
        let void_ptr = types.intern(Type::Ptr(void));
        let param =
            |i, ty, storage| VarRef { reg: Reg::Local(VarId(i)), ty, storage, is_param: true };
        let global =
            |i, ty, storage| VarRef { reg: Reg::Global(GlobalId(i)), ty, storage, is_param: false };
        let vars = BTreeMap::from([
            ("h", param(0, node_ptr, Storage::Register)),
            ("n", param(1, int, Storage::Register)),
            ("s", param(2, item_ty, Storage::Object)),
            ("o", param(3, node_ptr, Storage::Object)),
            ("v", param(4, void_ptr, Storage::Register)),
            ("k", param(5, skip_ptr, Storage::Register)),
            ("it", param(6, item_ptr, Storage::Register)),
            ("q", param(7, opaque_ptr, Storage::Register)),
            ("r", VarRef { is_param: false, ..param(8, node_ptr, Storage::Register) }),
            ("head", global(0, node_ptr, Storage::Register)),
            ("count", global(1, int, Storage::Register)),
            ("pool", global(2, pool_ty, Storage::Object)),
            ("sentinel", global(3, node_ty, Storage::Object)),
        ]);
        World {
            types,
            records: BTreeMap::from([
                ("node", node_ty),
                ("list_head", link_ty),
                ("item", item_ty),
                ("skip", skip_ty),
                ("opaque", opaque_ty),
            ]),
            typedefs: BTreeMap::from([("list", node_ptr), ("weight_t", int)]),
            vars,
            predicates: Vec::new(),
            result: Some(node_ptr),
        }
    }
}

impl Scope for World {
    fn variable(&self, name: &str) -> Option<VarRef> {
        self.vars.get(name).copied()
    }

    fn constant(&self, name: &str) -> Option<i128> {
        ["RED", "BLACK"].iter().position(|c| *c == name).map(|i| i as i128)
    }

    fn typedef(&self, name: &str) -> Option<TypeId> {
        self.typedefs.get(name).copied()
    }

    fn tagged(&self, kind: TagKind, tag: &str) -> Option<TypeId> {
        let found = self.records.get(tag).copied();
        found.filter(|_| kind == TagKind::Struct)
    }

    fn names(&self) -> Vec<String> {
        let names = self.vars.keys().chain(&["RED", "BLACK"]);
        names.map(|n| n.to_string()).collect()
    }

    fn types(&self) -> &TypeTable {
        &self.types
    }

    fn types_mut(&mut self) -> &mut TypeTable {
        &mut self.types
    }

    fn result_type(&self) -> Option<TypeId> {
        self.result
    }

    fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }
}

/// Resolves everything in an annotation and shows what came of it, one clause a line.
pub(super) fn run(text: &str, world: &mut World) -> Result<String, Vec<Diagnostic>> {
    let annotations = parse(text, &Plain).map_err(|e| vec![e])?.unwrap_or_default();
    let mut out = String::new();
    let mut contract = Vec::new();
    for annotation in &annotations {
        match annotation {
            Annotation::Assert(f) | Annotation::LoopInvariant(f) => {
                let f = resolve_formula(f, world).map_err(|e| vec![e])?;
                let _ = writeln!(out, "{}", show::formula(&f));
            }
            Annotation::Predicate(p) => {
                let p = resolve_predicate(p, world).map_err(|e| vec![e])?;
                let body = p.body.as_ref().map_or("?".into(), show::formula);
                let _ = writeln!(out, "{}({}) = {body}", p.name, show::binders(&p.params));
                world.predicates.push(p);
            }
            Annotation::Ghost(g) => {
                assert_eq!(g.text.len(), g.end - g.start);
                let _ = writeln!(out, "ghost {}", g.text);
            }
            Annotation::LoopAssigns(_) | Annotation::LoopVariant(_) => {
                let _ = writeln!(out, "{} is not used", annotation.keyword());
            }
            Annotation::Requires(_)
            | Annotation::Ensures(_)
            | Annotation::Assigns(_)
            | Annotation::Behavior(_) => contract.push(annotation.clone()),
        }
    }
    let contract = resolve_contract(&contract, world)?;
    for clause in &contract.requires {
        let _ = writeln!(out, "requires {}", show::formula(&clause.formula));
    }
    for clause in &contract.ensures {
        let _ = writeln!(out, "ensures {}", show::formula(&clause.formula));
    }
    if let Assigns::Places(items, _) = &contract.assigns {
        out += "assigns";
        for item in items {
            let place = match item.global {
                Some(g) => format!("{g:?}"),
                None => show::term(&item.addr),
            };
            let _ = write!(out, " [{place} +{}", item.bytes);
            if !item.binders.is_empty() {
                let _ = write!(out, " | {}", show::binders(&item.binders));
            }
            if let Some(filter) = &item.filter {
                let _ = write!(out, "; {}", show::formula(filter));
            }
            out += "]";
        }
        out += "\n";
    }
    Ok(out)
}

/// The line that a diagnostic points at, with carets.
pub(super) fn render(text: &str, d: &Diagnostic) -> String {
    let mut out = format!("{}: {}\n", d.severity, d.message);
    if let Some(span) = d.span {
        let (start, end) = (span.start as usize, span.end as usize);
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let carets = "^".repeat(end.min(line_end).saturating_sub(start).max(1));
        let indent = " ".repeat(start - line_start);
        let marks = format!("{indent}{carets} {}", d.label);
        let line = &text[line_start..line_end];
        let _ = writeln!(out, "  {line}\n  {}", marks.trim_end());
    }
    if let Some(help) = &d.help {
        let _ = writeln!(out, "  help: {help}");
    }
    out
}

/// Checks what an annotation resolves to, or the errors it gives.
fn check(text: &str, expected: Expect) {
    let shown = run(text, &mut World::new()).unwrap_or_else(|errors| {
        let shown: Vec<_> = errors.iter().map(|e| render(text, e)).collect();
        shown.concat()
    });
    expected.assert_eq(&shown);
}

/// Checks the meaning of several formulas, each in an `assert`, one a line.
fn check_each(formulas: &[&str], expected: Expect) {
    let shown: Vec<_> = formulas.iter().map(|f| shown_alone(f)).collect();
    expected.assert_eq(&shown.concat());
}

fn shown_alone(formula: &str) -> String {
    let text = format!("//@ assert {formula};");
    run(&text, &mut World::new()).unwrap_or_else(|errors| {
        let shown: Vec<_> = errors.iter().map(|e| render(formula, &shifted(e, 11))).collect();
        shown.concat()
    })
}

/// The diagnostic with its span moved back by so many bytes.
fn shifted(d: &Diagnostic, by: u32) -> Diagnostic {
    let span = d.span.map(|s| Span::new(s.file, s.start - by, s.end - by));
    Diagnostic { span, ..d.clone() }
}

#[test]
fn bound_variables_are_numbered_once_in_a_clause() {
    let text = "//@ assert \\forall int i; 0 <= (\\exists int j; j == i) <= 1;";
    let annotations = parse(text, &Plain).unwrap().expect("a contract");
    let Annotation::Assert(f) = &annotations[0] else {
        panic!("an assert was written");
    };
    let resolved = resolve_formula(f, &mut World::new()).unwrap();
    let mut ids = Vec::new();
    resolved.visit(
        &mut |f| {
            if let Formula::Forall(bs, _) | Formula::Exists(bs, _) = f {
                ids.extend(bs.iter().map(|b| b.id.0));
            }
        },
        &mut |_| {},
    );
    assert_eq!(ids, [0, 1, 2]);
}
