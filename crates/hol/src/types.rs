//! Types of terms.

use std::fmt;

/// A type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Type {
    /// A truth value.
    Bool,
    /// A mathematical integer.
    Int,
    /// An object, or null.
    Obj,
    /// `unit`, which has one value.
    Unit,
    /// A set.
    Set(Box<Type>),
    /// A finite sequence.
    List(Box<Type>),
    /// A function.
    Fun(Box<Type>, Box<Type>),
    /// A tuple of at least two.
    Prod(Vec<Type>),
    /// Not known yet; never in a finished [`crate::Formula`].
    Var(u32),
}

impl Type {
    /// The sets of a type.
    pub fn set(of: Type) -> Type {
        Type::Set(Box::new(of))
    }

    /// The functions between two types.
    pub fn fun(from: Type, to: Type) -> Type {
        Type::Fun(Box::new(from), Box::new(to))
    }

    /// How loosely it binds when it is written: 0 a function, 1 a product, 2 the rest.
    fn level(&self) -> u8 {
        match self {
            Type::Fun(..) => 0,
            Type::Prod(_) => 1,
            _ => 2,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, level: u8) -> fmt::Result {
        if self.level() < level {
            write!(f, "(")?;
            self.write(f, 0)?;
            return write!(f, ")");
        }
        match self {
            Type::Bool => write!(f, "bool"),
            Type::Int => write!(f, "int"),
            Type::Obj => write!(f, "obj"),
            Type::Unit => write!(f, "unit"),
            Type::Set(of) => {
                of.write(f, 2)?;
                write!(f, " set")
            }
            Type::List(of) => {
                of.write(f, 2)?;
                write!(f, " list")
            }
            Type::Fun(a, b) => {
                a.write(f, 1)?;
                write!(f, " => ")?;
                b.write(f, 0)
            }
            Type::Prod(parts) => {
                for (i, part) in parts.iter().enumerate() {
                    if i > 0 {
                        write!(f, " * ")?;
                    }
                    part.write(f, 2)?;
                }
                Ok(())
            }
            Type::Var(n) => write!(f, "'t{n}"),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}
