//! What cells, values and places are called in a drawing.

use crate::concrete::memory::{Object, Pointer, Value};
use crate::concrete::spec_eval::places_in;
use crate::print::part_at;
use crate::types::{Scalar, TypeId, TypeTable};

/// The byte offsets in an object at which a `ty` lies.
fn places(types: &TypeTable, object: &Object, ty: TypeId) -> Vec<u32> {
    let mut out = Vec::new();
    places_in(types, object, ty, &mut |off| out.push(off as u32));
    out
}

/// A cell's path. A link in a member, `link.next`, is called `next` like the link that it points
/// to, if the object has only one such member: then lists through members read like other lists.
pub(super) fn cell_name(types: &TypeTable, object: &Object, offset: u32, scalar: Scalar) -> String {
    let Some((ty, layout)) = object.ty.and_then(|t| Some((t, types.layout(t)?))) else {
        return format!("+{offset}");
    };
    let (element, inner) = (offset / layout.size.max(1), offset % layout.size.max(1));
    if let Scalar::Ptr(pointee) = scalar
        && pointee != ty
        && let [only] = places(types, object, pointee)[..]
        && let Some(link) = types.layout(pointee)
        && let Some(cell) =
            offset.checked_sub(only).and_then(|o| link.cell_at(o, types.bytes(scalar)))
    {
        return link.cells[cell].path.clone();
    }
    let cell = match scalar {
        Scalar::Bits(b) => layout.bits_at(inner, b.shift, b.width),
        _ => layout.cell_at(inner, types.bytes(scalar)),
    };
    let path = cell.map_or(String::new(), |c| layout.cells[c].path.clone());
    match (object.size > layout.size, path.is_empty()) {
        (true, true) => format!("[{element}]"),
        (true, false) => format!("[{element}].{path}"),
        (false, true) => "*".to_owned(),
        (false, false) => path,
    }
}

/// A value that is not an arrow.
pub(super) fn value_text(scalar: Scalar, value: Value) -> String {
    match (value, scalar) {
        (Value::Undef, _) => "?".into(),
        (Value::Open, _) => "…".into(),
        (Value::Null, _) => "null".into(),
        (Value::Int(i), Scalar::Int(kind)) => kind.value(i).to_string(),
        (Value::Int(i), _) => i.to_string(),
        (Value::Ptr(p), _) => format!("&{}", p.obj.0),
        (Value::Piece(p, ..), _) => format!("a part of &{}", p.obj.0),
        (Value::Bytes, _) => "bytes".into(),
    }
}

/// Where in the object a pointer points, unless that goes without saying: to its start, or to the
/// only place of the pointer's type.
pub(super) fn place_note(types: &TypeTable, object: &Object, p: Pointer, scalar: Scalar) -> String {
    let raw = || match p.off {
        0 => String::new(),
        off => format!(" (at {off:+})"),
    };
    let (Scalar::Ptr(pointee), Some(ty)) = (scalar, object.ty) else {
        return raw();
    };
    let Some(size) = types.size_of(ty).filter(|s| *s > 0) else {
        return raw();
    };
    let here = places(types, object, pointee);
    if here.len() == 1 && i64::from(here[0]) == i64::from(p.off) {
        return String::new();
    }
    // The first of several elements is the start.
    if p.off == 0 && pointee == ty {
        return String::new();
    }
    if p.off < 0 || p.off as u32 >= object.size {
        return raw();
    }
    let (element, inner) = (p.off as u32 / size, p.off as u32 % size);
    let Some(path) = part_at(types, ty, inner, pointee) else {
        return raw();
    };
    let element = match object.size > size {
        true => format!("[{element}]"),
        false => String::new(),
    };
    let place = format!("{element}{path}");
    match place.trim_start_matches('.') {
        "" => String::new(),
        place => format!(" (at {place})"),
    }
}
