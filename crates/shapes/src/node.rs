//! The one kind of list node: which record, which field is followed, what points to it.

use trellis_program::spec::FieldRef;
use trellis_program::{Scalar, Type, TypeId, TypeTable};

/// Why an engine of lists refuses what `trellis_program::embedding` finds: such a node is not freed
/// and not lost alone.
pub const EMBEDDED: &str = "a list node that is a global, a member or an element";

/// The one kind of list node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodeType {
    /// The record.
    pub record: TypeId,
    /// Its size in bytes.
    pub size: u32,
    /// Byte offset of the field to follow.
    pub offset: u32,
    /// The field's name.
    pub field: String,
}

impl NodeType {
    /// A record whose cell at an offset is followed; none if its cells overlap, as those of a union.
    pub fn new(types: &TypeTable, record: TypeId, offset: u32) -> Option<NodeType> {
        let layout = types.layout(record)?;
        let cell = layout.cells.iter().find(|c| c.offset == offset)?;
        let field = cell.path.clone();
        (!layout.overlaps).then_some(NodeType { record, size: layout.size, offset, field })
    }

    /// The type of the field to follow.
    pub fn scalar(&self) -> Scalar {
        Scalar::Ptr(self.record)
    }

    /// Whether a field of a contract is the one to follow.
    pub fn is_followed(&self, field: &FieldRef) -> bool {
        field.owner == self.record && field.offset == self.offset && field.scalar == self.scalar()
    }

    /// Whether a value of a type may point to a node: a pointer to it, or a `void *` that may become
    /// one.
    pub fn is_pointer(&self, types: &TypeTable, ty: TypeId) -> bool {
        is_opaque(types, ty) || types.pointee(ty) == Some(self.record)
    }
}

/// Whether a type is `void *`: what a value of it points to is not known.
pub fn is_opaque(types: &TypeTable, ty: TypeId) -> bool {
    types.pointee(ty).is_some_and(|to| *types.get(to) == Type::Void)
}
