//! `h->next`, `s.link.prev`, `a[i]` from an address and the types of variables.
//!
//! Addresses in code and in contracts have the same shape, so both are printed here. What has no
//! C name at its place falls back to a cast: `*(int *)((char *)p - 8)`.

use crate::ir::Reg;
use crate::types::{Scalar, Type, TypeId, TypeTable};

/// How tightly postfix operators bind: an operand is printed without parentheses only if it is
/// at least as tight.
pub(super) const POSTFIX: u8 = 12;
/// How tightly prefix operators bind.
pub(super) const PREFIX: u8 = 11;
/// How tightly `+` and `-` bind.
pub(super) const SUM: u8 = 9;

/// What an address expression looks like.
pub(super) enum Address<'a, E> {
    /// The address of a variable.
    Object(Reg),
    /// Moved by constant bytes.
    Moved(&'a E, i64),
    /// Moved by elements.
    Element(&'a E, &'a E, u32),
    /// Some pointer.
    Value,
}

/// Something that prints the expressions `E`.
pub(super) trait Writer<E> {
    fn types(&self) -> &TypeTable;
    fn address_of<'a>(&self, e: &'a E) -> Address<'a, E>;
    /// The type that the value of the expression points to.
    fn pointee(&self, e: &E) -> Option<TypeId>;
    fn name(&self, reg: Reg) -> String;
    fn reg_type(&self, reg: Reg) -> Option<TypeId>;
    fn write(&self, e: &E, tightness: u8) -> String;
}

/// A named thing in memory.
struct Thing {
    text: String,
    /// `text` is a pointer to the thing, not its name.
    behind_pointer: bool,
    ty: TypeId,
}

impl Thing {
    /// The part of the thing at a path such as `.link.next`.
    fn part(&self, path: &str) -> String {
        match (self.behind_pointer, path.strip_prefix('.')) {
            (false, _) => format!("{}{path}", self.text),
            (true, Some(member)) => format!("{}->{member}", self.text),
            (true, None) if path.is_empty() => format!("*{}", self.text),
            (true, None) => format!("(*{}){path}", self.text),
        }
    }
}

/// The scalar at an address.
pub(super) fn scalar_at<E>(w: &impl Writer<E>, addr: &E, scalar: Scalar) -> String {
    if let Some((thing, offset)) = thing_at(w, addr) {
        let types = w.types();
        let whole = types.size_of(thing.ty).unwrap_or(0);
        if let Scalar::Bits(b) = scalar {
            let cell = types.layout(thing.ty).and_then(|l| {
                let at = u32::try_from(offset).ok()?;
                Some(&l.cells[l.bits_at(at, b.shift, b.width)?])
            });
            if let Some(cell) = cell {
                return thing.part(&format!(".{}", cell.path));
            }
        }
        if let Some(path) = path_to(types, thing.ty, offset, &|ty| {
            let same = |s| types.bytes(s) == types.bytes(scalar) && s.is_ptr() == scalar.is_ptr();
            types.scalar(ty).is_some_and(same)
        }) {
            return thing.part(&path);
        }
        // `p[1].next`
        if thing.behind_pointer && whole > 0 && offset >= whole.into() {
            let index = offset / i64::from(whole);
            let element = Thing {
                text: format!("{}[{index}]", thing.text),
                behind_pointer: false,
                ty: thing.ty,
            };
            let inner = offset % i64::from(whole);
            if let Some(path) =
                path_to(w.types(), thing.ty, inner, &|ty| w.types().scalar(ty).is_some())
            {
                return element.part(&path);
            }
        }
    }
    let ty = scalar_name(w.types(), scalar);
    let star = if ty.ends_with('*') { "*" } else { " *" };
    match bytes_from(w, addr) {
        (base, 0) => format!("*({ty}{star}){}", w.write(base, PREFIX)),
        (base, k) => format!(
            "*({ty}{star})((char *){} {} {})",
            w.write(base, PREFIX),
            if k < 0 { '-' } else { '+' },
            k.unsigned_abs()
        ),
    }
}

/// A pointer moved by bytes or elements, as an expression.
pub(super) fn address<E>(w: &impl Writer<E>, addr: &E, tightness: u8) -> String {
    let wrap = |text: String, own: u8| {
        if own < tightness { format!("({text})") } else { text }
    };
    match w.address_of(addr) {
        Address::Object(r) => wrap(format!("&{}", w.name(r)), PREFIX),
        Address::Value => w.write(addr, tightness),
        Address::Element(base, index, size) => {
            if w.pointee(base).and_then(|t| w.types().size_of(t)) == Some(size) {
                let sum = format!("{} + {}", w.write(base, SUM), w.write(index, SUM + 1));
                return wrap(sum, SUM);
            }
            match thing_at(w, addr) {
                Some((thing, 0)) => wrap(format!("&{}", thing.part("")), PREFIX),
                _ => {
                    let base = w.write(base, PREFIX);
                    let index = w.write(index, SUM + 1);
                    wrap(format!("(char *){base} + {index} * {size}"), SUM)
                }
            }
        }
        Address::Moved(..) => {
            if let Some((thing, offset)) = thing_at(w, addr) {
                if let Some(path) = path_to(w.types(), thing.ty, offset, &|_| true)
                    && !path.is_empty()
                {
                    return wrap(format!("&{}", thing.part(&path)), PREFIX);
                }
                let whole = i64::from(w.types().size_of(thing.ty).unwrap_or(0));
                if thing.behind_pointer && whole > 0 && offset % whole == 0 && offset > 0 {
                    return wrap(format!("{} + {}", thing.text, offset / whole), SUM);
                }
            }
            let (base, k) = bytes_from(w, addr);
            let sign = if k < 0 { '-' } else { '+' };
            let base = w.write(base, PREFIX);
            wrap(format!("(char *){base} {sign} {}", k.unsigned_abs()), SUM)
        }
    }
}

/// The expression under all constant moves, and their sum.
fn bytes_from<'a, E>(w: &impl Writer<E>, mut addr: &'a E) -> (&'a E, i64) {
    let mut sum = 0;
    while let Address::Moved(inner, k) = w.address_of(addr) {
        sum += k;
        addr = inner;
    }
    (addr, sum)
}

/// The thing that an address lies in, and the bytes from its start.
fn thing_at<E>(w: &impl Writer<E>, addr: &E) -> Option<(Thing, i64)> {
    match w.address_of(addr) {
        Address::Object(r) => {
            let (text, ty) = (w.name(r), w.reg_type(r)?);
            let behind_pointer = false;
            let thing = Thing { text, behind_pointer, ty };
            Some((thing, 0))
        }
        Address::Moved(inner, k) => {
            let (thing, offset) = thing_at(w, inner)?;
            Some((thing, offset + k))
        }
        Address::Element(base, index, size) => {
            let index = w.write(index, 0);
            let (thing, offset) = thing_at(w, base)?;
            let of_size = |ty| w.types().size_of(ty) == Some(size);
            if thing.behind_pointer && offset == 0 && of_size(thing.ty) {
                let text = format!("{}[{index}]", thing.text);
                let behind_pointer = false;
                return Some((Thing { text, behind_pointer, ty: thing.ty }, 0));
            }
            // An array inside a thing: the path to its first element, with another index.
            let path = path_to(w.types(), thing.ty, offset, &of_size)?;
            let array = thing.part(path.strip_suffix("[0]")?);
            let ty = type_at(w.types(), thing.ty, offset, &of_size)?;
            Some((Thing { text: format!("{array}[{index}]"), behind_pointer: false, ty }, 0))
        }
        Address::Value => {
            let ty = w.pointee(addr)?;
            if *w.types().get(ty) == Type::Void {
                return None;
            }
            let text = w.write(addr, POSTFIX);
            let behind_pointer = true;
            let thing = Thing { text, behind_pointer, ty };
            Some((thing, 0))
        }
    }
}

/// The path to the outermost part at an offset that is `wanted`.
fn path_to(
    types: &TypeTable,
    ty: TypeId,
    offset: i64,
    wanted: &dyn Fn(TypeId) -> bool,
) -> Option<String> {
    find_part(types, ty, offset, wanted).map(|(path, _)| path)
}

fn type_at(
    types: &TypeTable,
    ty: TypeId,
    offset: i64,
    wanted: &dyn Fn(TypeId) -> bool,
) -> Option<TypeId> {
    find_part(types, ty, offset, wanted).map(|(_, ty)| ty)
}

fn find_part(
    types: &TypeTable,
    ty: TypeId,
    offset: i64,
    wanted: &dyn Fn(TypeId) -> bool,
) -> Option<(String, TypeId)> {
    if offset == 0 && wanted(ty) {
        return Some((String::new(), ty));
    }
    let offset = u32::try_from(offset).ok()?;
    match types.get(ty) {
        Type::Record(r) => types.record(*r).fields.iter().find_map(|f| {
            let inner = offset.checked_sub(f.offset)?;
            if inner > 0 && inner >= types.size_of(f.ty)? {
                return None;
            }
            let (rest, ty) = find_part(types, f.ty, inner.into(), wanted)?;
            let dot = if f.name.is_empty() { "" } else { "." };
            Some((format!("{dot}{}{rest}", f.name), ty))
        }),
        Type::Array(element, n) => {
            let size = types.size_of(*element).filter(|s| *s > 0)?;
            let index = offset / size;
            if u64::from(index) >= *n {
                return None;
            }
            let inner = i64::from(offset % size);
            let (rest, ty) = find_part(types, *element, inner, wanted)?;
            Some((format!("[{index}]{rest}"), ty))
        }
        _ => None,
    }
}

/// A scalar type as C writes it.
fn scalar_name(types: &TypeTable, scalar: Scalar) -> String {
    match scalar {
        Scalar::Int(kind) => super::int_name(types, kind),
        Scalar::Ptr(p) => match types.find(&Type::Ptr(p)) {
            Some(t) => types.name(t),
            None => format!("{} *", types.name(p)),
        },
        Scalar::Float(bits) => format!("float{bits}"),
        Scalar::Bits(b) => {
            let kind = super::int_name(types, b.kind);
            format!("{kind} bits {} to {}", b.shift, b.shift + b.width - 1)
        }
    }
}

/// The path, with its first dot, to the part of a `ty` at an offset that is a `wanted`.
pub(crate) fn part_at(
    types: &TypeTable,
    ty: TypeId,
    offset: u32,
    wanted: TypeId,
) -> Option<String> {
    path_to(types, ty, offset.into(), &|t| t == wanted)
}
