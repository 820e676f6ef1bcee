//! Statements to assignments: which names are variables and which are objects.

use super::syntax::{Operand, Ref, Statement, Step};
use super::{At, Trouble};
use crate::ir::{GlobalId, ProcId, Program, Reg, Storage, VarId};
use crate::source::suggest;
use crate::types::{Type, TypeId};

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

pub(super) fn resolve(
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
    names.infer_types()?;
    Ok(names.sketch)
}

/// A text being resolved.
pub(super) struct Names<'a> {
    pub(super) program: &'a Program,
    pub(super) proc: ProcId,
    pub(super) sketch: Sketch,
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
        // Memory into which nobody can look is `void`.
        let sized = |t: &TypeId| types.layout(*t).is_some_and(|l| l.size > 0);
        let known = || types.ids().filter(|t| sized(t) || *types.get(*t) == Type::Void);
        let Some(id) = known().find(|t| types.name(*t) == ty) else {
            let names: Vec<String> = known().map(|t| types.name(t)).collect();
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
}
