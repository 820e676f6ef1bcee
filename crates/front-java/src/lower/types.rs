//! Types of Java, and the classes of a program.

use std::collections::BTreeMap;

use trellis_hol::Type as HolType;
use trellis_program::source::{Diagnostic, Span, suggest};
use trellis_program::{IntKind, RecordId, Scalar, Type, TypeId, TypeTable};

use crate::ast::{Class, TypeName};

/// A class of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ClassId(pub usize);

/// A type of Java.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ty {
    Int(IntKind),
    Bool,
    Class(ClassId),
    /// `Object`, and classes of the library.
    Object,
    Array(Box<Ty>),
    /// Of the literal.
    Null,
    Void,
    /// Of something that has been complained about.
    Unknown,
}

impl Ty {
    pub(crate) fn is_reference(&self) -> bool {
        matches!(self, Ty::Class(_) | Ty::Object | Ty::Array(_) | Ty::Null)
    }

    /// The type of its values in formulas.
    pub(crate) fn in_logic(&self) -> HolType {
        match self {
            Ty::Int(_) => HolType::Int,
            Ty::Bool => HolType::Bool,
            _ => HolType::Obj,
        }
    }
}

/// Classes of the library that programs mention; nobody looks into them.
const LIBRARY: &[&str] = &[
    "String",
    "System",
    "Integer",
    "Boolean",
    "Math",
    "Random",
    "Exception",
    "RuntimeException",
    "Thread",
    "Comparable",
];

pub(crate) fn is_library(name: &str) -> bool {
    LIBRARY.contains(&name)
}

/// The classes by name, and the types of the heap program.
pub(crate) struct Classes {
    pub names: Vec<String>,
    by_name: BTreeMap<String, ClassId>,
    pub records: Vec<RecordId>,
    /// The record types.
    pub types: Vec<TypeId>,
    pub table: TypeTable,
}

impl Classes {
    pub(crate) fn new(classes: &[Class]) -> Classes {
        let mut table = TypeTable::default();
        let (mut records, mut types) = (Vec::new(), Vec::new());
        for class in classes {
            let record = table.declare_record(class.name.clone(), false);
            records.push(record);
            types.push(table.intern(Type::Record(record)));
        }
        let names: Vec<String> = classes.iter().map(|c| c.name.clone()).collect();
        let numbered = names.iter().cloned().enumerate();
        let by_name = numbered.map(|(i, n)| (n, ClassId(i))).collect();
        Classes { names, by_name, records, types, table }
    }

    pub(crate) fn find(&self, name: &str) -> Option<ClassId> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Int(k) => match (k.bits, k.signed) {
                (8, _) => "byte",
                (16, true) => "short",
                (16, false) => "char",
                (64, _) => "long",
                _ => "int",
            }
            .into(),
            Ty::Bool => "boolean".into(),
            Ty::Class(c) => self.names[c.0].clone(),
            Ty::Object => "Object".into(),
            Ty::Array(t) => format!("{}[]", self.name(t)),
            Ty::Null => "null".into(),
            Ty::Void => "void".into(),
            Ty::Unknown => "unknown".into(),
        }
    }

    /// What a written type means.
    pub(crate) fn resolve(&self, written: &TypeName) -> Result<Ty, Diagnostic> {
        let int = |bits, signed| Ty::Int(IntKind { bits, signed });
        let mut ty = match written.name.as_str() {
            "int" => int(32, true),
            "long" => int(64, true),
            "short" => int(16, true),
            "char" => int(16, false),
            "byte" => int(8, true),
            "boolean" => Ty::Bool,
            "void" => Ty::Void,
            "Object" => Ty::Object,
            "float" | "double" => {
                let message = "floating-point numbers are not supported";
                return Err(Diagnostic::error(written.span, message));
            }
            name => match self.find(name) {
                Some(class) => Ty::Class(class),
                None if is_library(name) || name.ends_with("<>") => Ty::Object,
                None => return Err(self.unknown(name, written.span)),
            },
        };
        for _ in 0..written.dims {
            ty = Ty::Array(Box::new(ty));
        }
        Ok(ty)
    }

    pub(crate) fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let error = Diagnostic::error(span, format!("no class is called `{name}`"));
        match suggest(name, self.names.iter().map(String::as_str)) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => {
                let help = format!(
                    "classes of other files are looked for in `{name}.java` \
                     beside this one"
                );
                error.with_help(help)
            }
        }
    }

    /// The type of values in the heap program.
    pub(crate) fn type_id(&mut self, ty: &Ty) -> TypeId {
        let inner = match ty {
            Ty::Int(k) => Type::Int(*k),
            Ty::Bool => Type::Int(IntKind::BOOL),
            Ty::Class(c) => Type::Ptr(self.types[c.0]),
            Ty::Object | Ty::Null | Ty::Unknown => {
                let void = self.table.intern(Type::Void);
                Type::Ptr(void)
            }
            Ty::Array(t) => {
                let element = self.type_id(t);
                Type::Ptr(element)
            }
            Ty::Void => Type::Void,
        };
        self.table.intern(inner)
    }

    pub(crate) fn scalar(&mut self, ty: &Ty) -> Scalar {
        let id = self.type_id(ty);
        self.table.scalar(id).unwrap_or(Scalar::Int(IntKind::INT))
    }

    /// The bytes of a value.
    pub(crate) fn bytes(&mut self, ty: &Ty) -> u32 {
        let scalar = self.scalar(ty);
        self.table.bytes(scalar)
    }

    /// The types of Java that values of a logical type are kept in.
    pub(crate) fn of_logic(ty: &HolType) -> Option<Ty> {
        match ty {
            HolType::Bool => Some(Ty::Bool),
            HolType::Int => Some(Ty::Int(IntKind::LONG)),
            HolType::Obj => Some(Ty::Object),
            _ => None,
        }
    }

    /// Whether a value of one type may be kept where another one is declared.
    pub(crate) fn assignable(&self, from: &Ty, to: &Ty) -> bool {
        match (from, to) {
            (Ty::Unknown, _) | (_, Ty::Unknown) => true,
            (Ty::Null, to) => to.is_reference(),
            (from, Ty::Object) => from.is_reference(),
            (Ty::Int(a), Ty::Int(b)) => a.bits <= b.bits || b.bits >= 32,
            (a, b) => a == b,
        }
    }
}
