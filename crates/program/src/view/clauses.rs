//! The contract of a procedure in the logic, clause by clause.

use trellis_logic::{Arena, FormulaId, Fragment, fragment};

use super::{ProgramVocabulary, Untranslatable, formula};
use crate::ir::{Cond, InstrKind, Program};
use crate::source::Span;
use crate::spec::Formula;

/// A clause in the logic.
#[derive(Clone, Debug)]
pub struct ClauseView {
    /// `requires`, `ensures`, or the kind of an assertion.
    pub keyword: &'static str,
    /// Where it stands.
    pub span: Span,
    /// The formula with its fragment, or why there is none.
    pub formula: Result<(FormulaId, Fragment), Untranslatable>,
}

/// The clauses of the vocabulary's procedure: the contract, then the assertions in its body.
pub fn clauses(
    program: &Program,
    vocabulary: &ProgramVocabulary,
    arena: &mut Arena,
) -> Vec<ClauseView> {
    let proc = program.proc(vocabulary.proc);
    let mut out = Vec::new();
    let mut add = |keyword, span, f: &Formula| {
        let formula =
            formula(vocabulary, arena, f).map(|id| (id, fragment(arena, &vocabulary.logic, id)));
        out.push(ClauseView { keyword, span, formula });
    };
    for clause in &proc.contract.requires {
        add("requires", clause.span, &clause.formula);
    }
    for clause in &proc.contract.ensures {
        add("ensures", clause.span, &clause.formula);
    }
    for instr in proc.instrs() {
        if let InstrKind::Assert { kind, cond: Cond::Spec(f) } = &instr.kind {
            add(kind.name(), instr.span, f);
        }
    }
    out
}

/// The name of a fragment for users.
pub fn fragment_name(fragment: &Fragment) -> String {
    match fragment {
        Fragment::QuantifierFree => "quantifier-free".into(),
        Fragment::Universal => "universal".into(),
        Fragment::Existential => "existential".into(),
        Fragment::AfR => "alternation-free".into(),
        Fragment::EaR => "exists-forall".into(),
        Fragment::Epr => "EPR".into(),
        Fragment::Beyond(obstacle) => format!("beyond EPR: {}", obstacle.text),
    }
}
