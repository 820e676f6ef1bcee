//! `dll(f, b, x, y)` as a formula; what it means is said in [`trellis_program::dll`].

use trellis_program::dll::doubly_linked;
use trellis_program::spec::{FieldRef, Formula, Term};
use trellis_program::types::TypeId;

use super::Resolver;

impl Resolver<'_> {
    pub(super) fn doubly_linked(
        &mut self,
        owner: TypeId,
        next: FieldRef,
        back: FieldRef,
        x: Term,
        y: Term,
    ) -> Formula {
        let bound = [(); 3].map(|()| self.fresh_bound());
        doubly_linked(owner, &next, &back, &x, &y, bound)
    }
}
