//! The data model: how wide `long` and pointers are, and how scalars are aligned.
//!
//! **Invariant.** Everything else that depends on the choice asks here, most of it through the
//! [`super::TypeTable`].

use std::fmt;
use std::str::FromStr;

use super::IntKind;

/// The widths of types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum DataModel {
    /// `long` and pointers have 64 bits: x86-64 and AArch64 Linux.
    #[default]
    Lp64,
    /// `int`, `long` and pointers have 32 bits: i386 Linux.
    Ilp32,
}

impl DataModel {
    /// Bytes of a pointer, of `long` and of `size_t`.
    pub fn pointer_bytes(self) -> u32 {
        u32::from(self.long_bits()) / 8
    }

    fn long_bits(self) -> u8 {
        match self {
            DataModel::Lp64 => 64,
            DataModel::Ilp32 => 32,
        }
    }

    /// `long`; also `ptrdiff_t` and `intptr_t`.
    pub fn long(self) -> IntKind {
        IntKind { bits: self.long_bits(), signed: true }
    }

    /// `unsigned long`; also `size_t` and `uintptr_t`, which may be called `unsigned int`.
    pub fn size(self) -> IntKind {
        IntKind { bits: self.long_bits(), signed: false }
    }

    /// Bytes of a floating-point type of so many bits. `long double` counts as 128.
    pub(super) fn float_bytes(self, bits: u16) -> u32 {
        match (self, bits) {
            (DataModel::Ilp32, 128) => 12,
            _ => u32::from(bits) / 8,
        }
    }

    /// What a scalar of so many bytes is aligned to inside a struct.
    pub fn align(self, bytes: u32) -> u32 {
        match self {
            DataModel::Lp64 => bytes.clamp(1, 16),
            DataModel::Ilp32 => bytes.clamp(1, 4),
        }
    }

    /// Its name on the command line and in certificates.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Lp64 => "lp64",
            DataModel::Ilp32 => "ilp32",
        }
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DataModel {
    type Err = String;

    fn from_str(text: &str) -> Result<DataModel, String> {
        [DataModel::Lp64, DataModel::Ilp32]
            .into_iter()
            .find(|m| m.name() == text)
            .ok_or_else(|| format!("`{text}` is no data model; there are `lp64` and `ilp32`"))
    }
}
