//! Types, names and numbers as C writes them.

use trellis_program::types::{IntKind, Scalar, Type, TypeId, TypeTable};

/// A declaration of something of a type: `struct node *x`, `int (*f)(void)`.
pub fn declare(types: &TypeTable, ty: TypeId, name: &str) -> String {
    match types.get(ty) {
        Type::Ptr(p) => match types.get(*p) {
            Type::Func(_) | Type::Array(..) => declare(types, *p, &format!("(*{name})")),
            _ => declare(types, *p, &format!("*{name}")),
        },
        Type::Array(element, n) => declare(types, *element, &format!("{name}[{n}]")),
        Type::Func(f) => {
            let mut params: Vec<String> =
                f.params.iter().map(|p| declare(types, *p, "").trim_end().to_owned()).collect();
            params.extend(f.is_variadic.then(|| "...".to_owned()));
            if params.is_empty() && f.has_prototype {
                params.push("void".to_owned());
            }
            declare(types, f.ret, &format!("{name}({})", params.join(", ")))
        }
        _ => format!("{} {name}", types.name(ty)),
    }
}

/// A type that needs no name of the program: what a cell is written as where its member has no name.
pub fn plain(scalar: Scalar) -> Option<String> {
    Some(match scalar {
        Scalar::Int(kind) => integer(kind).to_owned(),
        Scalar::Ptr(_) => "void *".to_owned(),
        Scalar::Float(_) | Scalar::Bits(_) => return None,
    })
}

/// An integer type.
pub fn integer(kind: IntKind) -> &'static str {
    match (kind.bits, kind.signed) {
        (1, _) => "_Bool",
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned",
        (_, true) => "long long",
        (_, false) => "unsigned long long",
    }
}

/// A number that fits 64 bits; an unsigned one is given by the signed one with the same bits.
pub fn number(value: i64) -> String {
    match i32::try_from(value) {
        Ok(small) => small.to_string(),
        Err(_) if value == i64::MIN => "(-9223372036854775807LL - 1)".to_owned(),
        Err(_) => format!("{value}LL"),
    }
}

/// A text as a literal.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            // A `?` might begin a trigraph.
            '?' => out.push_str("\\?"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Whether a name can be written in C.
pub fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
