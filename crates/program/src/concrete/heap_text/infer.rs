//! Names to variables and objects, and the types of objects.
//!
//! A pointer of type `T *` that is said to point to `a` makes `a` a `T`; a declared type comes
//! first. An object that no typed pointer leads to takes the only record type with all the fields
//! that are mentioned of it.

use super::syntax::{Operand, Ref, Statement, Step};
use super::{At, Trouble};
use crate::ir::{GlobalId, ProcId, Program, Reg, Storage, VarId};
use crate::source::suggest;
use crate::types::{Type, TypeId, TypeTable};

/// An object of the text.
pub(super) struct Thing {
    pub(super) name: String,
    pub(super) at: At,
    /// Element type and number of elements.
    pub(super) ty: Option<(TypeId, u64)>,
    pub(super) freed: bool,
    /// The global that it is.
    pub(super) global: Option<GlobalId>,
    pub(super) marks: u32,
}

/// A place in a thing.
#[derive(Clone)]
pub(super) struct Spot {
    pub(super) thing: usize,
    pub(super) path: Vec<Step>,
    pub(super) at: At,
}

/// What can be assigned.
#[derive(Clone)]
pub(super) enum Target {
    /// A parameter or a global in a register.
    Variable(Reg),
    /// A cell.
    Cell(Spot),
    /// The list field of what lies at the spot.
    ListField(Spot),
}

/// A value, names resolved.
#[derive(Clone)]
pub(super) enum Source {
    Null,
    Undef,
    Int(i128),
    /// The start of a thing, or, with a path or bytes, a place in it.
    To {
        spot: Spot,
        bytes: i64,
        /// Written as `&…`: does not tell the thing's type.
        explicit: bool,
    },
    /// The value of a variable.
    Copy(Reg),
    List(Vec<i128>),
}

/// One assignment.
pub(super) struct Put {
    pub(super) target: Target,
    pub(super) source: Source,
    /// Of the value.
    pub(super) at: At,
}

/// A heap described but not built.
pub(super) struct Sketch {
    pub(super) things: Vec<Thing>,
    pub(super) puts: Vec<Put>,
}

pub(super) fn infer(
    program: &Program,
    proc: ProcId,
    statements: Vec<Statement>,
) -> Result<Sketch, Trouble> {
    let mut names =
        Names { program, proc, sketch: Sketch { things: Vec::new(), puts: Vec::new() } };
    for (i, g) in program.globals.iter().enumerate() {
        if g.storage == Storage::Object {
            let at = At { line: 0, column: 0 };
            let thing = names.thing(&g.name, at);
            names.sketch.things[thing].ty = Some((g.ty, 1));
            names.sketch.things[thing].global = Some(GlobalId(i as u32));
        }
    }
    for statement in statements {
        names.statement(statement)?;
    }
    names.types()?;
    Ok(names.sketch)
}

/// The type of the part of an object at a path, and its offset.
pub(super) fn part(
    types: &TypeTable,
    (ty, count): (TypeId, u64),
    spot: &Spot,
) -> Result<(TypeId, u32), Trouble> {
    let (mut ty, mut offset, mut path) = (ty, 0u32, &spot.path[..]);
    if count != 1
        && let [Step::Element(i), rest @ ..] = path
    {
        if *i >= count {
            let message = format!("there are only {count} elements");
            return Err(Trouble::new(spot.at, message));
        }
        offset = *i as u32 * types.size_of(ty).unwrap_or(0);
        path = rest;
    }
    for step in path {
        match (step, types.get(ty)) {
            (Step::Member(name), Type::Record(r)) => {
                let Some((at, field)) = types.field(*r, name) else {
                    let record = types.record(*r);
                    let message = format!("`{}` has no field `{name}`", record.name);
                    let fields = record.fields.iter().map(|f| f.name.as_str());
                    let near = suggest(name, fields.clone());
                    let help = match near {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("it has {}", list(fields)),
                    };
                    return Err(Trouble::new(spot.at, message).help(help));
                };
                (offset, ty) = (offset + at, field);
            }
            (Step::Element(i), Type::Array(element, n)) if i < n => {
                offset += *i as u32 * types.size_of(*element).unwrap_or(0);
                ty = *element;
            }
            (Step::Element(_), Type::Array(_, n)) => {
                let message = format!("there are only {n} elements");
                return Err(Trouble::new(spot.at, message));
            }
            (Step::Member(name), _) => {
                let message = format!("`{}` has no field `{name}`", types.name(ty));
                return Err(Trouble::new(spot.at, message));
            }
            (Step::Element(_), _) => {
                let message = format!("`{}` is not an array", types.name(ty));
                return Err(Trouble::new(spot.at, message));
            }
        }
    }
    Ok((ty, offset))
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|n| format!("`{n}`")).collect();
    names.join(", ")
}

/// The pointer fields of a type that lead to the same type: path and offset.
pub(super) fn list_fields(types: &TypeTable, ty: TypeId) -> Vec<(&str, u32)> {
    let cells = types.layout(ty).map_or(&[][..], |l| &l.cells);
    let own = crate::types::Scalar::Ptr(ty);
    cells.iter().filter(|c| c.scalar == own).map(|c| (c.path.as_str(), c.offset)).collect()
}

struct Names<'a> {
    program: &'a Program,
    proc: ProcId,
    sketch: Sketch,
}

impl Names<'_> {
    /// The thing of that name; a new one if there is none.
    fn thing(&mut self, name: &str, at: At) -> usize {
        let things = &mut self.sketch.things;
        if let Some(i) = things.iter().position(|t| t.name == name) {
            return i;
        }
        things.push(Thing {
            name: name.into(),
            at,
            ty: None,
            freed: false,
            global: None,
            marks: 0,
        });
        things.len() - 1
    }

    /// The variable of that name.
    fn variable(&self, name: &str) -> Option<Reg> {
        let proc = self.program.proc(self.proc);
        let param = proc.vars[..proc.params].iter().position(|v| v.name == name);
        let global = || {
            let globals = &self.program.globals;
            globals.iter().position(|g| g.name == name && g.storage == Storage::Register)
        };
        param
            .map(|i| Reg::Local(VarId(i as u32)))
            .or_else(|| global().map(|i| Reg::Global(GlobalId(i as u32))))
    }

    fn spot(&mut self, r: &Ref) -> Result<Spot, Trouble> {
        if self.variable(&r.name).is_some() {
            let message = format!("`{}` is a variable, not an object", r.name);
            let help = format!("name the object: `{} -> a`, then `a`", r.name);
            return Err(Trouble::new(r.at, message).help(help));
        }
        Ok(Spot { thing: self.thing(&r.name, r.at), path: r.path.clone(), at: r.at })
    }

    fn source(&mut self, operand: &Operand) -> Result<Source, Trouble> {
        Ok(match operand {
            Operand::Null => Source::Null,
            Operand::Undef => Source::Undef,
            Operand::Int(i) => Source::Int(*i),
            Operand::List(values) => Source::List(values.clone()),
            Operand::Name(r) => match self.variable(&r.name) {
                Some(reg) if r.path.is_empty() => Source::Copy(reg),
                _ if !r.path.is_empty() => {
                    let message = "a pointer into an object is written with `&`";
                    return Err(Trouble::new(r.at, message));
                }
                _ => Source::To { spot: self.spot(r)?, bytes: 0, explicit: false },
            },
            Operand::Address(r, bytes) => {
                Source::To { spot: self.spot(r)?, bytes: *bytes, explicit: true }
            }
        })
    }

    fn put(&mut self, target: Target, source: Source, at: At) {
        self.sketch.puts.push(Put { target, source, at });
    }

    fn statement(&mut self, statement: Statement) -> Result<(), Trouble> {
        match statement {
            Statement::Declare { name, freed, ty, count } => self.declare(&name, freed, &ty, count),
            Statement::Assign(place, value, at) => {
                let target = match self.variable(&place.name) {
                    Some(reg) if place.path.is_empty() => Target::Variable(reg),
                    _ => Target::Cell(self.spot(&place)?),
                };
                let source = self.source(&value)?;
                self.put(target, source, at);
                Ok(())
            }
            Statement::Chain(first, links, at) => self.chain(&first, links, at),
            Statement::Mark(predicate, object) => self.mark(&predicate, &object),
        }
    }

    fn chain(
        &mut self,
        first: &Operand,
        links: Vec<(Option<Vec<Step>>, At, Operand, At)>,
        at: At,
    ) -> Result<(), Trouble> {
        let mut from = self.source(first)?;
        let mut from_at = at;
        for (field, arrow, operand, at) in links {
            let to = self.source(&operand)?;
            let target = match (&from, field) {
                (Source::Copy(reg), None) => Target::Variable(*reg),
                (Source::Copy(reg), Some(field)) => {
                    let mut spot = self.pointed_by(*reg, from_at);
                    spot.path.extend(field);
                    spot.at = arrow;
                    Target::Cell(spot)
                }
                (Source::To { spot, bytes: 0, .. }, field) => {
                    let mut spot = spot.clone();
                    spot.at = arrow;
                    match field {
                        None => Target::ListField(spot),
                        Some(field) => {
                            spot.path.extend(field);
                            Target::Cell(spot)
                        }
                    }
                }
                _ => {
                    let message = "an arrow starts at a variable or an object";
                    return Err(Trouble::new(from_at, message));
                }
            };
            self.put(target, to.clone(), at);
            (from, from_at) = (to, at);
        }
        Ok(())
    }

    /// What a variable was said to point to, or a fresh object that it points to from now on.
    fn pointed_by(&mut self, reg: Reg, at: At) -> Spot {
        let known = self.sketch.puts.iter().find_map(|p| match (&p.target, &p.source) {
            (Target::Variable(r), Source::To { spot, .. }) if *r == reg => Some(spot.clone()),
            _ => None,
        });
        known.unwrap_or_else(|| {
            let name = format!("*{}", self.program.reg_name(self.proc, reg));
            let spot = Spot { thing: self.thing(&name, at), path: Vec::new(), at };
            let source = Source::To { spot: spot.clone(), bytes: 0, explicit: false };
            self.put(Target::Variable(reg), source, at);
            spot
        })
    }

    fn declare(&mut self, name: &Ref, freed: bool, ty: &str, count: u64) -> Result<(), Trouble> {
        let types = &self.program.types;
        let sized = || types.ids().filter(|t| types.layout(*t).is_some_and(|l| l.size > 0));
        let Some(id) = sized().find(|t| types.name(*t) == ty) else {
            let names: Vec<String> = sized().map(|t| types.name(t)).collect();
            let trouble = Trouble::new(name.at, format!("there is no type `{ty}`"));
            let near = suggest(ty, names.iter().map(String::as_str));
            return Err(match near {
                Some(near) => trouble.help(format!("did you mean `{near}`?")),
                None => trouble,
            });
        };
        let spot = self.spot(name)?;
        let thing = &mut self.sketch.things[spot.thing];
        if !name.path.is_empty() || thing.ty.is_some() {
            let message = format!("`{}` has a type already", name.name);
            return Err(Trouble::new(name.at, message));
        }
        thing.ty = Some((id, count));
        thing.freed = freed;
        Ok(())
    }

    fn mark(&mut self, predicate: &Ref, object: &Ref) -> Result<(), Trouble> {
        let predicates = &self.program.predicates;
        let found = predicates
            .iter()
            .position(|p| p.name == predicate.name && p.body.is_none() && p.params.len() == 1);
        let Some(i) = found.filter(|i| *i < 32) else {
            let message =
                format!("`{}` is not an uninterpreted predicate of one place", predicate.name);
            let trouble = Trouble::new(predicate.at, message);
            let names = predicates.iter().map(|p| p.name.as_str());
            return Err(match suggest(&predicate.name, names) {
                Some(near) => trouble.help(format!("did you mean `{near}`?")),
                None => trouble,
            });
        };
        let spot = self.spot(object)?;
        self.sketch.things[spot.thing].marks |= 1 << i;
        Ok(())
    }

    fn types(&mut self) -> Result<(), Trouble> {
        loop {
            while self.follow_pointers() {}
            let untyped = self.sketch.things.iter().position(|t| t.ty.is_none());
            let Some(i) = untyped else { return Ok(()) };
            self.check_arrows()?;
            let Some(ty) = self.by_fields(i) else {
                return Err(self.unknown_type(i));
            };
            self.sketch.things[i].ty = Some((ty, 1));
        }
    }

    /// A bare arrow from a type with several list fields, or none, is why nothing follows.
    fn check_arrows(&self) -> Result<(), Trouble> {
        let types = &self.program.types;
        for put in &self.sketch.puts {
            if let Target::ListField(spot) = &put.target
                && let Some(whole) = self.sketch.things[spot.thing].ty
            {
                let (ty, _) = part(types, whole, spot)?;
                let fields = list_fields(types, ty);
                if fields.len() != 1 {
                    return Err(no_list_field(self.program, ty, &fields, spot.at));
                }
            }
        }
        Ok(())
    }

    /// Gives things the types of the pointers to them; whether one was found.
    fn follow_pointers(&mut self) -> bool {
        let types = &self.program.types;
        for put in &self.sketch.puts {
            let Source::To { spot, bytes: 0, explicit: false } = &put.source else {
                continue;
            };
            if self.sketch.things[spot.thing].ty.is_some() {
                continue;
            }
            let pointee = self
                .target_type(&put.target)
                .and_then(|ty| types.pointee(ty))
                .filter(|t| types.layout(*t).is_some());
            if let Some(ty) = pointee {
                self.sketch.things[spot.thing].ty = Some((ty, 1));
                return true;
            }
        }
        false
    }

    fn target_type(&self, target: &Target) -> Option<TypeId> {
        let types = &self.program.types;
        let at = |spot: &Spot| {
            let ty = self.sketch.things[spot.thing].ty?;
            part(types, ty, spot).ok().map(|(t, _)| t)
        };
        match target {
            Target::Variable(reg) => Some(self.program.reg_type(self.proc, *reg)),
            Target::Cell(spot) => at(spot),
            Target::ListField(spot) => {
                let ty = at(spot)?;
                (list_fields(types, ty).len() == 1).then(|| types.find(&Type::Ptr(ty)))?
            }
        }
    }

    /// The only record that has everything that is said of a thing.
    fn by_fields(&self, thing: usize) -> Option<TypeId> {
        let types = &self.program.types;
        let spots: Vec<&Spot> = self
            .sketch
            .puts
            .iter()
            .flat_map(|p| {
                let target = match &p.target {
                    Target::Cell(s) => Some(s),
                    _ => None,
                };
                let source = match &p.source {
                    Source::To { spot, .. } => Some(spot),
                    _ => None,
                };
                [target, source]
            })
            .flatten()
            .filter(|s| s.thing == thing && !s.path.is_empty())
            .collect();
        let fits = |ty: &TypeId| {
            types.as_record(*ty).is_some()
                && types.layout(*ty).is_some()
                && spots.iter().all(|s| part(types, (*ty, 1), s).is_ok())
        };
        let mut fitting = types.ids().filter(fits);
        match (spots.is_empty(), fitting.next(), fitting.next()) {
            (false, Some(only), None) => Some(only),
            _ => None,
        }
    }

    fn unknown_type(&self, index: usize) -> Trouble {
        let thing = &self.sketch.things[index];
        let name = &thing.name;
        for put in &self.sketch.puts {
            if let Source::To { spot, .. } = &put.source
                && spot.thing == index
                && let Some(ty) = self.target_type(&put.target)
                && self.program.types.pointee(ty).is_none()
            {
                let ty = self.program.types.name(ty);
                let message = format!("a pointer is given, but this is of type `{ty}`");
                return Trouble::new(put.at, message);
            }
        }
        let trouble = Trouble::new(thing.at, format!("the type of `{name}` is not known"));
        let proc = self.program.proc(self.proc);
        let variables = proc.vars[..proc.params].iter().map(|v| v.name.as_str());
        let globals = self.program.globals.iter().map(|g| g.name.as_str());
        // Names of one letter are all near each other.
        let near = suggest(name, variables.chain(globals)).filter(|_| name.len() > 1);
        match near {
            Some(near) => trouble.help(format!("did you mean the variable `{near}`?")),
            None => trouble.help(format!("write, for example, `{name} : struct node`")),
        }
    }
}

pub(super) fn no_list_field(
    program: &Program,
    ty: TypeId,
    fields: &[(&str, u32)],
    at: At,
) -> Trouble {
    let name = program.types.name(ty);
    match fields {
        [] => Trouble::new(at, format!("`{name}` has no field that points to a `{name}`"))
            .help("name the field: `a -f-> b`"),
        [(first, _), ..] => {
            let names = list(fields.iter().map(|(n, _)| *n));
            Trouble::new(at, format!("`{name}` has several list fields: {names}"))
                .help(format!("say which: `-{first}->`"))
        }
    }
}
