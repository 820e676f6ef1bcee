//! The types of objects.
//!
//! A pointer of type `T *` that is said to point to `a` makes `a` a `T`; a declared type comes
//! first. An object that no typed pointer leads to takes the only record type with all the fields
//! that are mentioned of it.

use super::names::{Names, Source, Spot, Target};
use super::syntax::Step;
use super::{At, Trouble};
use crate::ir::Program;
use crate::source::suggest;
use crate::types::{BitField, Type, TypeId, TypeTable};

/// The type of the part of an object at a path, and its offset; which bits, of a bit-field.
pub(super) fn part(
    types: &TypeTable,
    (ty, count): (TypeId, u64),
    spot: &Spot,
) -> Result<(TypeId, u32, Option<BitField>), Trouble> {
    let (mut ty, mut offset, mut path, mut bits) = (ty, 0u32, &spot.path[..], None);
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
                if let Some((at, field, which)) = types.bit_field(*r, name) {
                    (offset, ty, bits) = (offset + at, field, Some(which));
                    continue;
                }
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
    Ok((ty, offset, bits))
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

impl Names<'_> {
    /// Gives every thing its type.
    pub(super) fn infer_types(&mut self) -> Result<(), Trouble> {
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
                let (ty, ..) = part(types, whole, spot)?;
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
            part(types, ty, spot).ok().map(|(t, ..)| t)
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
