//! Cycles over one pointer field, for `--check acyclic`.

use crate::concrete::memory::{Memory, ObjId, Pointer, Value};
use crate::ir::Program;
use crate::types::{Scalar, Type};

/// An object on a cycle over one field (a field whose type points to its own record). Going there
/// and back over two different fields, as in a doubly linked list, is no such cycle.
pub fn find_cycle(program: &Program, memory: &Memory) -> Option<ObjId> {
    let types = &program.types;
    for (id, record) in types.records() {
        let Some(owner) = types.find(&Type::Record(id)) else {
            continue;
        };
        for field in record.fields.iter().filter(|f| types.pointee(f.ty) == Some(owner)) {
            for start in memory.ids() {
                let mut at = Pointer { obj: start, off: 0 };
                for _ in 0..memory.objects.len() {
                    let place =
                        Value::Ptr(Pointer { obj: at.obj, off: at.off + field.offset as i32 });
                    let Ok(Value::Ptr(next)) = memory.load(types, place, Scalar::Ptr(owner)) else {
                        break;
                    };
                    if next.obj == start && next.off == 0 {
                        return Some(start);
                    }
                    at = next;
                }
            }
        }
    }
    None
}
