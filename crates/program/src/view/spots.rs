//! Where in its object a pointer points: the offset that the logic does not show.
//!
//! A `struct list_head *` points to the start of a bare list head, but 8 bytes into a `struct
//! item` that embeds one. What does not change is the distance between the two types. So the types
//! that embed one another form a *family*, and every type of it has a *position*: an object of
//! type `R` has its `T` at offset `position(T) - position(R)`. A pointer to `T` is in its *place*
//! if it is at that offset (also where no `T` lies there: `container_of` of a bare head), and then
//! the object alone tells the pointer.
//!
//! **Invariant.** A family in which some type would need two positions (two heads in one item, an
//! array of records) is refused as a whole, with the reason.

use std::collections::BTreeMap;

use super::in_use::InUse;
use crate::types::{Type, TypeId, TypeTable};

/// Where in its object a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Spot {
    /// Nowhere: the null literal, which agrees with every other spot.
    Null,
    /// At the start of whatever it is: `void *`, `int *`.
    Start,
    /// At a position of a family.
    At {
        /// Which family.
        family: usize,
        /// Bytes from the position 0 of the family.
        at: i64,
    },
}

/// Types that embed one another.
#[derive(Clone, Debug)]
pub(super) struct Family {
    /// The types of objects, each with its position and size.
    pub(super) roots: Vec<Root>,
    /// Why nothing can be said about these types.
    pub(super) refused: Option<String>,
}

/// A type that an object can have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Root {
    pub(super) ty: TypeId,
    pub(super) position: i64,
    pub(super) size: u32,
}

/// The families of a procedure.
#[derive(Clone, Debug)]
pub(super) struct Spots {
    pub(super) families: Vec<Family>,
    /// Family and position of every type of an object.
    of_root: BTreeMap<TypeId, (usize, i64)>,
}

impl Spots {
    pub(super) fn new(types: &TypeTable, used: &InUse) -> Spots {
        let mut edges = Vec::new();
        for &outer in &used.roots {
            for &inner in used.targets.iter().filter(|t| **t != outer) {
                places(types, outer, inner, 0, &mut |at| edges.push((outer, inner, at)));
            }
        }
        let mut spots = Spots { families: Vec::new(), of_root: BTreeMap::new() };
        for &ty in &used.roots {
            if !spots.of_root.contains_key(&ty) {
                spots.grow(types, ty, &edges);
            }
        }
        for &ty in &used.repeated {
            let Some(&(family, _)) = spots.of_root.get(&ty) else { continue };
            let reason = format!("arrays of `{}` are allocated", types.name(ty));
            spots.families[family].refused.get_or_insert(reason);
        }
        spots
    }

    /// The family of `first`, which gets position 0.
    fn grow(&mut self, types: &TypeTable, first: TypeId, edges: &[(TypeId, TypeId, i64)]) {
        let family = self.families.len();
        let (mut todo, mut roots, mut refused) = (vec![(first, 0)], Vec::new(), None);
        while let Some((ty, position)) = todo.pop() {
            if let Some(&(_, known)) = self.of_root.get(&ty) {
                if known != position {
                    refused = Some(conflict(types, edges));
                }
                continue;
            }
            self.of_root.insert(ty, (family, position));
            roots.push(Root { ty, position, size: types.size_of(ty).unwrap_or(0) });
            for &(outer, inner, at) in edges {
                if outer == ty {
                    todo.push((inner, position + at));
                } else if inner == ty {
                    todo.push((outer, position - at));
                }
            }
        }
        roots.sort_by_key(|r| r.ty);
        self.families.push(Family { roots, refused });
    }

    /// Where an object of type `ty` starts, if the vocabulary knows such objects.
    pub(super) fn of_object(&self, ty: TypeId) -> Option<Spot> {
        self.of_root.get(&ty).map(|&(family, at)| Spot::At { family, at })
    }

    /// Where a pointer to `ty` points.
    pub(super) fn of_pointer(&self, used: &InUse, ty: TypeId) -> Result<Spot, String> {
        let Some(&(family, at)) = self.of_root.get(&ty).filter(|_| used.targets.contains(&ty))
        else {
            return Ok(Spot::Start);
        };
        match &self.families[family].refused {
            Some(reason) => Err(reason.clone()),
            None => Ok(Spot::At { family, at }),
        }
    }

    /// The offset in an object of type `ty` (`None`: untyped) at which `spot` is.
    pub(super) fn offset_in(&self, spot: Spot, ty: Option<TypeId>) -> Option<i64> {
        let Spot::At { family, at } = spot else {
            return (spot == Spot::Start).then_some(0);
        };
        let &(of_object, start) = self.of_root.get(&ty?)?;
        (of_object == family).then_some(at - start)
    }
}

/// Why two types have no fixed distance.
fn conflict(types: &TypeTable, edges: &[(TypeId, TypeId, i64)]) -> String {
    let twice = edges.iter().find(|(outer, inner, at)| {
        edges.iter().any(|(o, i, a)| o == outer && i == inner && a != at)
    });
    match twice {
        Some((outer, inner, _)) => {
            let (outer, inner) = (types.name(*outer), types.name(*inner));
            format!("`{inner}` lies at several places of `{outer}`")
        }
        None => "structs embed one another at different distances".into(),
    }
}

/// Calls `f` with every offset in an `outer` at which an `inner` lies.
pub(crate) fn places(
    types: &TypeTable,
    outer: TypeId,
    inner: TypeId,
    at: i64,
    f: &mut impl FnMut(i64),
) {
    if outer == inner {
        return f(at);
    }
    match types.get(outer) {
        Type::Record(r) => {
            for field in &types.record(*r).fields {
                places(types, field.ty, inner, at + i64::from(field.offset), f);
            }
        }
        Type::Array(element, n) => {
            // Two elements are enough to see that there are several places.
            for i in 0..(*n).min(2) as i64 {
                let size = types.size_of(*element).unwrap_or(0);
                places(types, *element, inner, at + i * i64::from(size), f);
            }
        }
        _ => {}
    }
}
