//! The constructs of the contract language, by name. The matches are exhaustive: a new construct
//! must get a name here, and its place in the table of every engine.

use std::collections::BTreeSet;

use trellis_program::spec::{
    ArithOp, Assigns, AssignsItem, Binder, BoundId, Derived, Formula, Label, SetOp, Sort, Term,
};
use trellis_program::{CmpOp, Cond, InstrKind, ProcId, Program, Reg, Scalar};

/// A set of constructs.
pub type Names = BTreeSet<&'static str>;

/// All of them.
pub const ALL: &[&str] = &[
    "\\true",
    "\\false",
    "!",
    "&&",
    "||",
    "==>",
    "<==>",
    "pointers ==",
    "pointers !=",
    "sets ==",
    "sets !=",
    "signed ==",
    "signed !=",
    "signed <",
    "signed <=",
    "signed >",
    "signed >=",
    "unsigned ==",
    "unsigned !=",
    "unsigned <",
    "unsigned <=",
    "unsigned >",
    "unsigned >=",
    "\\in",
    "\\subset",
    "\\forall over pointers",
    "\\forall over integers",
    "\\exists over pointers",
    "\\exists over integers",
    "reach",
    "reach1",
    "ls",
    "stable",
    "rev",
    "sorted",
    "cyclic",
    "tree",
    "reach over several fields",
    "alloc",
    "\\valid",
    "\\separated",
    "predicate with a definition",
    "predicate without a definition",
    "\\old of a formula",
    "\\at(Here) of a formula",
    "integer",
    "null",
    "variable",
    "address",
    "bound variable",
    "\\result",
    "load of a pointer",
    "load of a signed integer",
    "load of an unsigned integer",
    "offset",
    "index",
    "negation",
    "addition",
    "subtraction",
    "multiplication",
    "division",
    "remainder",
    "?: of pointers",
    "?: of integers",
    "?: of sets",
    "\\old of a term",
    "\\at(Here) of a term",
    "content",
    "\\empty",
    "\\set",
    "\\union",
    "\\inter",
    "\\diff",
    "assigns \\nothing",
    "assigns a place",
    "assigns a set of places",
    "assigns a global",
];

/// What a term denotes, as far as comparisons differ.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Ptr,
    Set,
    Signed,
    Unsigned,
}

/// Notes the constructs of the clauses of one procedure.
struct Constructs<'a> {
    program: &'a Program,
    proc: ProcId,
    bound: Vec<(BoundId, Kind)>,
    names: Names,
}

/// The constructs of a formula, those of the definitions of its predicates included.
pub fn of_formula(program: &Program, proc: ProcId, formula: &Formula) -> Names {
    let mut found = Constructs::new(program, proc);
    found.formula(formula);
    found.names
}

/// The constructs of an `assigns` clause.
pub fn of_assigns(program: &Program, proc: ProcId) -> Names {
    let mut found = Constructs::new(program, proc);
    if let Assigns::Places(items, _) = &program.proc(proc).contract.assigns {
        if items.is_empty() {
            found.names.insert("assigns \\nothing");
        }
        items.iter().for_each(|item| found.item(item));
    }
    found.names
}

/// The constructs of everything that a procedure says in contracts, in its body as well.
pub fn of_procedure(program: &Program, proc: ProcId) -> Names {
    let procedure = program.proc(proc);
    let contract = &procedure.contract;
    let mut names = of_assigns(program, proc);
    let clauses = contract.requires.iter().chain(&contract.ensures).map(|c| &c.formula);
    let blocks = procedure.body.iter().flat_map(|b| &b.blocks);
    let inside = blocks.flat_map(|b| &b.instrs).filter_map(|i| match &i.kind {
        InstrKind::Assume { cond: Cond::Spec(f) }
        | InstrKind::Assert { cond: Cond::Spec(f), .. } => Some(f),
        _ => None,
    });
    for formula in clauses.chain(inside) {
        names.extend(of_formula(program, proc, formula));
    }
    names
}

impl<'a> Constructs<'a> {
    fn new(program: &'a Program, proc: ProcId) -> Constructs<'a> {
        Constructs { program, proc, bound: Vec::new(), names: Names::new() }
    }

    fn bind(&mut self, binders: &[Binder]) {
        let kind = |sort| match sort {
            Sort::Int => Kind::Signed,
            Sort::Ptr(_) => Kind::Ptr,
            Sort::Set(_) => Kind::Set,
        };
        self.bound.extend(binders.iter().map(|b| (b.id, kind(b.sort))));
    }

    fn item(&mut self, item: &AssignsItem) {
        if item.global.is_some() {
            self.names.insert("assigns a global");
            return;
        }
        let several = !item.binders.is_empty();
        self.names.insert(if several { "assigns a set of places" } else { "assigns a place" });
        let outer = self.bound.len();
        self.bind(&item.binders);
        item.filter.iter().for_each(|f| self.formula(f));
        self.term(&item.addr);
        self.bound.truncate(outer);
    }

    fn formulas<'f>(&mut self, formulas: impl IntoIterator<Item = &'f Formula>) {
        formulas.into_iter().for_each(|f| self.formula(f));
    }

    fn terms<'t>(&mut self, terms: impl IntoIterator<Item = &'t Term>) {
        terms.into_iter().for_each(|t| self.term(t));
    }

    fn formula(&mut self, formula: &Formula) {
        let name = self.name(formula);
        self.names.insert(name);
        match formula {
            Formula::Const(_) => {}
            Formula::Not(a) | Formula::At(_, a) => self.formula(a),
            Formula::And(parts) | Formula::Or(parts) => self.formulas(parts),
            Formula::Implies(a, b) | Formula::Iff(a, b) => self.formulas([&**a, &**b]),
            Formula::Cmp(_, a, b)
            | Formula::In(a, b)
            | Formula::Subset(a, b)
            | Formula::Reach { from: a, to: b, .. } => self.terms([a, b]),
            Formula::Forall(binders, body) | Formula::Exists(binders, body) => {
                let outer = self.bound.len();
                self.bind(binders);
                self.formula(body);
                self.bound.truncate(outer);
            }
            Formula::Derived(derived) => self.terms(derived.terms()),
            Formula::Alloc(t) | Formula::Valid(t, _) => self.term(t),
            Formula::Separated(terms) | Formula::Hol(_, terms) => self.terms(terms),
            Formula::Pred(id, args) => {
                self.terms(args);
                let predicate = &self.program.predicates[id.0 as usize];
                // A recursive one is followed by nobody, so it has no constructs of its own.
                if !predicate.is_recursive {
                    let outer = std::mem::take(&mut self.bound);
                    self.bind(&predicate.params);
                    self.formulas(&predicate.body);
                    self.bound = outer;
                }
            }
        }
    }

    fn name(&self, formula: &Formula) -> &'static str {
        let over_integers =
            |binders: &[Binder]| binders.iter().any(|b| matches!(b.sort, Sort::Int));
        match formula {
            Formula::Const(true) => "\\true",
            Formula::Const(false) => "\\false",
            Formula::Not(_) => "!",
            Formula::And(_) => "&&",
            Formula::Or(_) => "||",
            Formula::Implies(..) => "==>",
            Formula::Iff(..) => "<==>",
            Formula::Cmp(op, a, b) => comparison(*op, self.common_kind(a, b)),
            Formula::In(..) => "\\in",
            Formula::Subset(..) => "\\subset",
            Formula::Forall(binders, _) if over_integers(binders) => "\\forall over integers",
            Formula::Forall(..) => "\\forall over pointers",
            Formula::Exists(binders, _) if over_integers(binders) => "\\exists over integers",
            Formula::Exists(..) => "\\exists over pointers",
            Formula::Reach { strict: false, .. } => "reach",
            Formula::Reach { strict: true, .. } => "reach1",
            Formula::Derived(derived) => match **derived {
                Derived::ListSegment(..) => "ls",
                Derived::Stable(..) => "stable",
                Derived::Reverse(..) => "rev",
                Derived::Sorted(..) => "sorted",
                Derived::Cyclic(..) => "cyclic",
                Derived::Tree(..) => "tree",
                Derived::ReachOver(..) => "reach over several fields",
            },
            Formula::Alloc(_) => "alloc",
            Formula::Valid(..) => "\\valid",
            Formula::Separated(_) => "\\separated",
            Formula::Pred(id, _) if self.program.predicates[id.0 as usize].is_recursive => {
                "recursive predicate"
            }
            Formula::Pred(id, _) => match self.program.predicates[id.0 as usize].body {
                Some(_) => "predicate with a definition",
                None => "predicate without a definition",
            },
            Formula::Hol(..) => "higher-order logic",
            Formula::At(Label::Pre, _) => "\\old of a formula",
            Formula::At(Label::Here, _) => "\\at(Here) of a formula",
        }
    }

    fn term(&mut self, term: &Term) {
        let name = self.term_name(term);
        self.names.insert(name);
        match term {
            Term::Int(_)
            | Term::Null
            | Term::Reg(_)
            | Term::Addr(_)
            | Term::Bound(_)
            | Term::Result
            | Term::EmptySet => {}
            Term::Load { addr: a, .. }
            | Term::Offset(a, _)
            | Term::Neg(a)
            | Term::At(_, a)
            | Term::Content(_, a)
            | Term::Singleton(a) => self.term(a),
            Term::Index { base: a, index: b, .. } | Term::Arith(_, a, b) | Term::SetOp(_, a, b) => {
                self.terms([&**a, &**b]);
            }
            Term::Ite(c, a, b) => {
                self.formula(c);
                self.terms([&**a, &**b]);
            }
        }
    }

    fn term_name(&self, term: &Term) -> &'static str {
        match term {
            Term::Int(_) => "integer",
            Term::Null => "null",
            Term::Reg(_) => "variable",
            Term::Addr(_) => "address",
            Term::Bound(_) => "bound variable",
            Term::Result => "\\result",
            Term::Load { scalar, .. } => match scalar_kind(Some(*scalar)) {
                Kind::Unsigned => "load of an unsigned integer",
                Kind::Ptr => "load of a pointer",
                Kind::Signed | Kind::Set => "load of a signed integer",
            },
            Term::Offset(..) => "offset",
            Term::Index { .. } => "index",
            Term::Neg(_) => "negation",
            Term::Arith(ArithOp::Add, ..) => "addition",
            Term::Arith(ArithOp::Sub, ..) => "subtraction",
            Term::Arith(ArithOp::Mul, ..) => "multiplication",
            Term::Arith(ArithOp::Div, ..) => "division",
            Term::Arith(ArithOp::Rem, ..) => "remainder",
            Term::Ite(_, a, b) => match self.common_kind(a, b) {
                Kind::Ptr => "?: of pointers",
                Kind::Set => "?: of sets",
                Kind::Signed | Kind::Unsigned => "?: of integers",
            },
            Term::At(Label::Pre, _) => "\\old of a term",
            Term::At(Label::Here, _) => "\\at(Here) of a term",
            Term::Content(..) => "content",
            Term::EmptySet => "\\empty",
            Term::Singleton(_) => "\\set",
            Term::SetOp(SetOp::Union, ..) => "\\union",
            Term::SetOp(SetOp::Inter, ..) => "\\inter",
            Term::SetOp(SetOp::Diff, ..) => "\\diff",
        }
    }

    /// The kind of two terms that are compared: one of them may be a constant.
    fn common_kind(&self, a: &Term, b: &Term) -> Kind {
        match (self.kind(a), self.kind(b)) {
            (Kind::Signed, other) => other,
            (own, _) => own,
        }
    }

    fn kind(&self, term: &Term) -> Kind {
        let types = &self.program.types;
        match term {
            Term::Int(_) | Term::Neg(_) | Term::Arith(..) => Kind::Signed,
            Term::Null | Term::Addr(_) | Term::Offset(..) | Term::Index { .. } => Kind::Ptr,
            Term::Reg(reg) => self.register_kind(*reg),
            Term::Bound(id) => {
                let bound = self.bound.iter().rev().find(|(b, _)| b == id);
                bound.map_or(Kind::Signed, |(_, kind)| *kind)
            }
            Term::Result => scalar_kind(types.scalar(self.program.proc(self.proc).ret)),
            Term::Load { scalar, .. } => scalar_kind(Some(*scalar)),
            Term::Ite(_, a, b) => self.common_kind(a, b),
            Term::At(_, inner) => self.kind(inner),
            Term::Content(..) | Term::EmptySet | Term::Singleton(_) | Term::SetOp(..) => Kind::Set,
        }
    }

    fn register_kind(&self, reg: Reg) -> Kind {
        scalar_kind(self.program.types.scalar(self.program.reg_type(self.proc, reg)))
    }
}

fn scalar_kind(scalar: Option<Scalar>) -> Kind {
    match scalar {
        Some(Scalar::Ptr(_)) => Kind::Ptr,
        Some(Scalar::Int(kind)) if !kind.signed => Kind::Unsigned,
        Some(Scalar::Int(_) | Scalar::Float(_) | Scalar::Bits(_)) | None => Kind::Signed,
    }
}

/// Pointers and sets have no order; front ends refuse it.
fn comparison(op: CmpOp, kind: Kind) -> &'static str {
    match (kind, op) {
        (Kind::Ptr, CmpOp::Eq) => "pointers ==",
        (Kind::Ptr, _) => "pointers !=",
        (Kind::Set, CmpOp::Eq) => "sets ==",
        (Kind::Set, _) => "sets !=",
        (Kind::Signed, CmpOp::Eq) => "signed ==",
        (Kind::Signed, CmpOp::Ne) => "signed !=",
        (Kind::Signed, CmpOp::Lt) => "signed <",
        (Kind::Signed, CmpOp::Le) => "signed <=",
        (Kind::Signed, CmpOp::Gt) => "signed >",
        (Kind::Signed, CmpOp::Ge) => "signed >=",
        (Kind::Unsigned, CmpOp::Eq) => "unsigned ==",
        (Kind::Unsigned, CmpOp::Ne) => "unsigned !=",
        (Kind::Unsigned, CmpOp::Lt) => "unsigned <",
        (Kind::Unsigned, CmpOp::Le) => "unsigned <=",
        (Kind::Unsigned, CmpOp::Gt) => "unsigned >",
        (Kind::Unsigned, CmpOp::Ge) => "unsigned >=",
    }
}
