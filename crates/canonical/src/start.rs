//! The heaps that satisfy the precondition, or may do so because it depends on integers.
//!
//! **Invariant**: a clause that could tell long lists apart in a way that the enumeration of
//! [`crate::initial`] does not know is left out, which allows more heaps. A clause with `x->n->n`
//! looks two edges far, and does not tell lists apart that have more; so lists are enumerated that
//! are longer by the number of fields in a row. Quantifiers can count: clauses with them are left
//! out, and so are those with predicates that have no definition, which may be true of any heap. A
//! conjunct without a value may hold if it is about more than lists; one that is about lists alone
//! reads a field of null, and does not hold.

use trellis_program::concrete::spec_eval::{SpecEnv, Truth};
use trellis_program::concrete::{Lifetime, Memory, ObjId, Value};
use trellis_program::spec::{Formula, Label, Term};
use trellis_program::{ProcId, Program, Refusal, Reg, Scalar};

use crate::compile::Variables;
use crate::initial::{ListHeap, list_heaps};

/// What the arguments satisfy.
#[derive(Clone, Debug)]
pub(crate) struct Precondition {
    /// The conjuncts that are looked at, and whether they are about more than lists.
    conjuncts: Vec<(Formula, bool)>,
    /// How many edges they look far.
    pub(crate) fields: usize,
    /// The others, and why.
    pub(crate) left_out: Vec<Refusal>,
}

impl Precondition {
    pub(crate) fn of(program: &Program, proc: ProcId, variables: &Variables) -> Self {
        let mut found = Precondition { conjuncts: Vec::new(), fields: 0, left_out: Vec::new() };
        for clause in &program.proc(proc).contract.requires {
            let mut look = Look::default();
            look.at(program, variables, &clause.formula);
            if look.uninterpreted {
                let reason = "a predicate without a definition in a precondition";
                found.left_out.push(Refusal::at(clause.span, reason));
                continue;
            }
            if look.quantifiers {
                let reason = "a quantifier in a precondition";
                found.left_out.push(Refusal::at(clause.span, reason));
                continue;
            }
            found.fields = found.fields.max(look.fields);
            for part in clause.formula.conjuncts() {
                let mut look = Look::default();
                look.at(program, variables, part);
                let part = Formula::At(Label::Pre, Box::new(part.clone()));
                found.conjuncts.push((part, look.more));
            }
        }
        found
    }
}

/// What a formula is made of, definitions of predicates included.
#[derive(Default)]
struct Look {
    quantifiers: bool,
    uninterpreted: bool,
    /// Integers, or pointers to other things.
    more: bool,
    fields: usize,
}

impl Look {
    fn at(&mut self, program: &Program, variables: &Variables, formula: &Formula) {
        let mut used = Vec::new();
        let (mut quantifiers, mut fields) = (false, 0);
        let (mut of_data, mut other) = (false, false);
        let is_list = |r: Reg| match r {
            Reg::Local(v) => variables.locals[v.0 as usize].is_some(),
            Reg::Global(_) => false,
        };
        formula.visit(
            &mut |f| match f {
                Formula::Forall(..) | Formula::Exists(..) => quantifiers = true,
                Formula::Pred(id, _) => used.push(*id),
                // These look at whole objects, data included.
                Formula::Hol(..) | Formula::Derived(_) => of_data = true,
                _ => {}
            },
            &mut |t| {
                fields = fields.max(fields_in_a_row(t));
                other |= match t {
                    Term::Reg(r) => !is_list(*r),
                    Term::Load { scalar, .. } => !scalar.is_ptr(),
                    Term::Int(_) | Term::Addr(_) | Term::Result | Term::Index { .. } => true,
                    _ => false,
                };
            },
        );
        self.quantifiers |= quantifiers;
        self.more |= of_data || other;
        // A field may be what a predicate is asked about.
        self.fields += fields;
        for id in used {
            let predicate = program.predicates.get(id.0 as usize);
            let body = predicate.filter(|p| !p.is_recursive).and_then(|p| p.body.as_ref());
            match body {
                Some(body) => self.at(program, variables, body),
                None => self.uninterpreted = true,
            }
        }
    }
}

fn fields_in_a_row(term: &Term) -> usize {
    match term {
        Term::Load { addr, scalar } => fields_in_a_row(addr) + usize::from(scalar.is_ptr()),
        Term::Offset(base, _) | Term::At(_, base) | Term::Content(_, base) => fields_in_a_row(base),
        Term::Ite(_, a, b) => fields_in_a_row(a).max(fields_in_a_row(b)),
        _ => 0,
    }
}

/// Where a procedure starts.
pub(crate) struct Start<'a> {
    pub(crate) program: &'a Program,
    pub(crate) proc: ProcId,
    pub(crate) variables: &'a Variables,
    pub(crate) requires: &'a Precondition,
}

/// There are hundreds of thousands of heaps for four arguments.
const MOST_ARGUMENTS: usize = 3;
/// And too many for long lists.
const LONGEST: usize = 8;

impl Start<'_> {
    /// The arguments that are lists, by their positions.
    fn pointers(&self) -> Vec<usize> {
        let params = self.program.proc(self.proc).params;
        (0..params).filter(|&p| self.variables.locals[p].is_some()).collect()
    }

    /// By list argument, the variables that hold it.
    pub(crate) fn holders(&self) -> Vec<Vec<usize>> {
        let of = |p: usize| {
            let mut holders: Vec<usize> = self.variables.locals[p].into_iter().collect();
            holders.extend(self.variables.entries[p].filter(|e| !holders.contains(e)));
            holders
        };
        self.pointers().into_iter().map(of).collect()
    }

    /// The heaps; lists have up to `longest` edges between interruptions, and more if the
    /// precondition looks further.
    pub(crate) fn heaps(&self, longest: usize) -> Result<Vec<ListHeap>, Refusal> {
        let span = self.program.proc(self.proc).span;
        let pointers = self.pointers();
        if pointers.len() > MOST_ARGUMENTS {
            return Err(Refusal::at(span, "more than three pointer arguments"));
        }
        let longest = longest + self.requires.fields;
        if longest > LONGEST || (longest > 3 && pointers.len() == MOST_ARGUMENTS) {
            return Err(Refusal::at(span, "a precondition with so many fields"));
        }
        let heaps = list_heaps(pointers.len(), longest).into_iter();
        Ok(heaps.filter(|heap| self.may_satisfy(&pointers, heap)).collect())
    }

    fn may_satisfy(&self, pointers: &[usize], heap: &ListHeap) -> bool {
        let &Start { program, proc, variables, requires } = self;
        let types = &program.types;
        let mut memory = Memory::default();
        let (offset, scalar) = (variables.node.offset, variables.node.scalar());
        let fill = |s: Scalar| if s.is_ptr() { Value::Null } else { Value::Open };
        let objects: Vec<ObjId> = heap
            .next
            .iter()
            .map(|_| {
                let (node, size) = (Some(variables.node.record), variables.node.size);
                let id = memory.allocate(types, node, size, Lifetime::Heap, fill);
                memory.objects[id.0 as usize].initial = true;
                id
            })
            .collect();
        let pointer = |u: usize| Value::to_start(objects[u]);
        for (u, next) in heap.next.iter().enumerate() {
            if let (Some(v), Some(mut at)) = (next, pointer(u).pointer()) {
                at.off += offset as i32;
                let stored = memory.store(types, Value::Ptr(at), scalar, pointer(*v));
                debug_assert!(stored.is_ok(), "a node has its list field");
            }
        }
        let procedure = program.proc(proc);
        let mut args = vec![Value::Open; procedure.params];
        for (&p, target) in pointers.iter().zip(&heap.args) {
            args[p] = target.map_or(Value::Null, pointer);
        }
        let globals = vec![Value::Open; program.globals.len()];
        let mut locals = vec![Value::Undef; procedure.vars.len()];
        locals[..args.len()].copy_from_slice(&args);
        let env = SpecEnv {
            program,
            proc,
            memory: &memory,
            globals: &globals,
            locals: &locals,
            entry: &args,
            pre: None,
            result: None,
        };
        requires.conjuncts.iter().all(|(formula, more)| match env.truth(formula) {
            Truth::True => true,
            Truth::False => false,
            Truth::Undefined => *more,
        })
    }
}
