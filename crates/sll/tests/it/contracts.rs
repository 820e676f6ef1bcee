//! Which constructs of the contract language the engine has been seen to follow. The matches are
//! exhaustive: a new construct must get a name here and a place in the table.

use std::collections::BTreeSet;

use trellis_program::Procedure;
use trellis_program::spec::{Derived, Formula, Label, Term};

/// Constructs in clauses of procedures that were found safe, confirmed by the checker and not
/// refuted by exploration. Whatever is neither here nor in [`COMPARED`], `lower` refuses: its
/// matches are exhaustive.
pub const FOLLOWED: &[&str] = &[
    "Alloc",
    "And",
    "Cmp",
    "Const",
    "Cyclic",
    "ListSegment",
    "Not",
    "Or",
    "Reach",
    "Separated",
    "Stable",
    "term Content",
    "term EmptySet",
    "term Load",
    "term Null",
    "term Old",
    "term Reg",
    "term Result",
    "term SetOp",
];

/// Constructs that the random programs have seldom or never: `formulas` compares the evaluation of
/// those about pointers with the interpreter's; numbers are constants, or any value.
pub const COMPARED: &[&str] = &[
    "At",
    "Iff",
    "Implies",
    "In",
    "Subset",
    "Valid",
    "Pred",
    "term Bound",
    "term Here",
    "term Int",
    "term Ite",
    "term Arith",
    "term Neg",
    "term Offset",
    "term Singleton",
];

/// Adds the constructs of the clauses of a procedure.
pub fn note(procedure: &Procedure, seen: &mut BTreeSet<&'static str>) {
    let contract = &procedure.contract;
    for clause in contract.requires.iter().chain(&contract.ensures) {
        note_formula(&clause.formula, seen);
    }
}

fn note_formula(formula: &Formula, seen: &mut BTreeSet<&'static str>) {
    let (mut formulas, mut terms) = (Vec::new(), Vec::new());
    formula.visit(&mut |f| formulas.push(formula_name(f)), &mut |t| terms.push(term_name(t)));
    seen.extend(formulas);
    seen.extend(terms);
}

fn formula_name(formula: &Formula) -> &'static str {
    match formula {
        Formula::Const(_) => "Const",
        Formula::Not(_) => "Not",
        Formula::And(_) => "And",
        Formula::Or(_) => "Or",
        Formula::Implies(..) => "Implies",
        Formula::Iff(..) => "Iff",
        Formula::Cmp(..) => "Cmp",
        Formula::In(..) => "In",
        Formula::Subset(..) => "Subset",
        Formula::Forall(..) => "Forall",
        Formula::Exists(..) => "Exists",
        Formula::Reach { .. } => "Reach",
        Formula::Derived(derived) => match **derived {
            Derived::ListSegment(..) => "ListSegment",
            Derived::Stable(..) => "Stable",
            Derived::Reverse(..) => "Reverse",
            Derived::Sorted(..) => "Sorted",
            Derived::Cyclic(..) => "Cyclic",
        },
        Formula::Alloc(_) => "Alloc",
        Formula::Valid(..) => "Valid",
        Formula::Separated(_) => "Separated",
        Formula::Pred(..) => "Pred",
        Formula::At(..) => "At",
    }
}

fn term_name(term: &Term) -> &'static str {
    match term {
        Term::Int(_) => "term Int",
        Term::Null => "term Null",
        Term::Reg(_) => "term Reg",
        Term::Addr(_) => "term Addr",
        Term::Bound(_) => "term Bound",
        Term::Result => "term Result",
        Term::Load { .. } => "term Load",
        Term::Offset(..) => "term Offset",
        Term::Index { .. } => "term Index",
        Term::Neg(_) => "term Neg",
        Term::Arith(..) => "term Arith",
        Term::Ite(..) => "term Ite",
        Term::At(Label::Pre, _) => "term Old",
        Term::At(Label::Here, _) => "term Here",
        Term::Content(..) => "term Content",
        Term::EmptySet => "term EmptySet",
        Term::Singleton(_) => "term Singleton",
        Term::SetOp(..) => "term SetOp",
    }
}
