//! Contract formulas of the view, in which fields are partial functions, as relational formulas.
//!
//! A contract formula is true, false or undefined (see `trellis_program::view`); two formulas say
//! when it is true and when it is false. A field `x->f` is replaced by what it equals: `x->f == y`
//! becomes the successor formula of *Property-Directed Shape Analysis*, equation 2; elsewhere a
//! variable stands for it.
//!
//! **Invariant.** In every state, the result of [`Relational::holds`] is true exactly if the
//! contract formula is; quantifiers of users range over null and the objects that are allocated or
//! were at the entry, those of definitions over all that pointers lead to.

mod terms;
mod trees;

use trellis_logic::{
    Arena, Formula, FormulaId, FunId, Quantifier, RelId, RelKind, SortId, Subst, Term, TermId,
    VarId, Vocabulary,
};
use trellis_program::spec::Label;
use trellis_program::view::ranges_over_all;

use crate::execute::state::IntValue;
use crate::symbols::Symbols;
use crate::theory::{FieldAt, HeapLogic};

/// Which quantifier stands for a field where a variable must: what is assumed is to be ∃*∀*, what
/// is checked will be negated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// The formula will be assumed.
    Assume,
    /// The formula will be negated.
    Check,
}

/// One translation.
pub(crate) struct Relational<'a> {
    pub(crate) symbols: &'a mut Symbols,
    pub(crate) logic: &'a mut Vocabulary,
    pub(crate) arena: &'a mut Arena,
    pub(crate) view: &'a Arena,
    pub(crate) mode: Mode,
    /// Whether paths can end in freed or undefined memory.
    pub(crate) may_dangle: bool,
    /// Whether there can be elements that are not and were not allocated.
    pub(crate) may_allocate: bool,
    /// That an object, the variable, is not one of those that are allocated at the entry although
    /// nothing leads there; nothing where there are no such objects. What is checked is not about
    /// them.
    pub(crate) own: Option<(VarId, FormulaId)>,
    /// How many variables were made.
    pub(crate) fresh: u32,
    /// How many universal quantifiers stand around the place.
    pub(crate) universal: u32,
    /// How many existential ones.
    pub(crate) existential: u32,
}

/// A term, where some conditions hold.
#[derive(Clone)]
struct Case {
    /// All of these hold if this case applies.
    when: Vec<FormulaId>,
    /// How the term is read, from the inside out.
    steps: Vec<Reading>,
    value: Resolved,
}

/// One step on the way to the value of a term. The order matters: what is null has no successor, so
/// a variable for one says something only where the conditions before it hold.
#[derive(Clone, Copy)]
enum Reading {
    /// The term is defined only if this holds.
    Defined(FormulaId),
    /// A variable stands for a field, and what makes it so.
    Field(VarId, FormulaId),
}

/// A term without fields of pointers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Resolved {
    Obj(TermId),
    Int(IntValue),
    /// A field of an object, not yet replaced.
    Field {
        field: usize,
        label: Label,
        of: TermId,
    },
    Undefined,
}

type Result<T> = std::result::Result<T, String>;

impl Relational<'_> {
    /// When a formula is true.
    pub(crate) fn holds(&mut self, id: FormulaId) -> Result<FormulaId> {
        self.truth(id, true)
    }

    /// When a formula has this truth value.
    fn truth(&mut self, id: FormulaId, value: bool) -> Result<FormulaId> {
        match self.view.formula(id).clone() {
            Formula::True => Ok(if value { FormulaId::TRUE } else { FormulaId::FALSE }),
            Formula::False => Ok(if value { FormulaId::FALSE } else { FormulaId::TRUE }),
            Formula::Not(a) => self.truth(a, !value),
            Formula::And(parts) | Formula::Or(parts) => {
                let all = matches!(self.view.formula(id), Formula::And(_)) == value;
                let parts: Vec<FormulaId> =
                    parts.iter().map(|&p| self.truth(p, value)).collect::<Result<_>>()?;
                Ok(if all { self.arena.and(parts) } else { self.arena.or(parts) })
            }
            Formula::Implies(a, b) => {
                let (a, b) = (self.truth(a, !value)?, self.truth(b, value)?);
                Ok(if value { self.arena.or([a, b]) } else { self.arena.and([a, b]) })
            }
            Formula::Iff(a, b) => self.iff(a, b, value),
            Formula::Quant(q, vars, body) => self.quantified(q, &vars, body, value),
            Formula::Rel(rel, args) => self.relation(rel, &args, value),
            Formula::Eq(a, b) => self.equality(a, b, value),
            Formula::Le(a, b) => self.ordered(a, b, value),
            // a < b is !(b <= a), and as undefined.
            Formula::Lt(a, b) => self.ordered(b, a, !value),
        }
    }

    fn iff(&mut self, a: FormulaId, b: FormulaId, value: bool) -> Result<FormulaId> {
        let (at, af) = (self.truth(a, true)?, self.truth(a, false)?);
        let (bt, bf) = (self.truth(b, true)?, self.truth(b, false)?);
        // Total sides need no case for what is undefined.
        if self.arena.not(at) == af && self.arena.not(bt) == bf {
            return Ok(if value { self.arena.iff(at, bt) } else { self.arena.iff(at, bf) });
        }
        let (first, second) = match value {
            true => (self.arena.and([at, bt]), self.arena.and([af, bf])),
            false => (self.arena.and([at, bf]), self.arena.and([af, bt])),
        };
        Ok(self.arena.or([first, second]))
    }

    fn quantified(
        &mut self,
        q: Quantifier,
        vars: &[VarId],
        body: FormulaId,
        value: bool,
    ) -> Result<FormulaId> {
        let universal = (q == Quantifier::Forall) == value;
        let mut bound = Vec::new();
        for &var in vars {
            if self.view.var(var).sort == SortId::INT {
                return Err("a quantifier over integers".into());
            }
            bound.push(self.variable(var));
        }
        self.universal += u32::from(universal);
        self.existential += u32::from(!universal);
        let body = self.truth(body, value);
        self.universal -= u32::from(universal);
        self.existential -= u32::from(!universal);
        let body = body?;
        let mut guards: Vec<FormulaId> = bound.iter().filter_map(|&v| self.in_range(v)).collect();
        if let Some((var, own)) = self.own.filter(|_| universal && self.mode == Mode::Check) {
            for &v in &bound {
                let term = self.arena.var_term(v);
                guards.push(self.arena.subst(own, &Subst::single(var, term)));
            }
        }
        let guard = self.arena.and(guards);
        Ok(if universal {
            let body = self.arena.implies(guard, body);
            self.arena.forall(&bound, body)
        } else {
            let body = self.arena.and([guard, body]);
            self.arena.exists(&bound, body)
        })
    }

    fn variable(&mut self, var: VarId) -> VarId {
        let name = self.view.var(var).name.clone();
        self.arena.variable(name, self.symbols.obj)
    }

    /// That a variable of a user denotes null or an object that is or was allocated.
    fn in_range(&mut self, var: VarId) -> Option<FormulaId> {
        if !self.may_allocate || ranges_over_all(&self.arena.var(var).name) {
            return None;
        }
        let x = self.arena.var_term(var);
        let null = self.arena.constant(self.symbols.null);
        let alloc = self.symbols.alloc;
        let parts = [
            self.arena.eq(x, null),
            self.arena.rel(alloc.now, &[x]),
            self.arena.rel(alloc.entry, &[x]),
        ];
        Some(self.arena.or(parts))
    }

    fn relation(&mut self, rel: RelId, args: &[TermId], value: bool) -> Result<FormulaId> {
        let view = self.symbols.view.logic.clone();
        if let RelKind::Closure { field } = view.rel(rel).kind {
            return self.reach(field, args[0], args[1], value);
        }
        if let Some((set, label, is_tree)) = self.symbols.view.field_set_of(rel) {
            let set = set.cells.clone();
            return match is_tree {
                true => self.tree(&set, label, args[0], value),
                false => self.reach_over(&set, label, args[0], args[1], value),
            };
        }
        let target = self.unary(rel)?;
        self.on_objects(&[args[0]], value, |s, x| Ok(s.arena.rel(target, &[x[0]])))
    }

    /// The relation of the system for a unary relation of the view.
    fn unary(&self, rel: RelId) -> Result<RelId> {
        let symbols = &self.symbols;
        let view = &symbols.view;
        if rel == view.alloc.now {
            return Ok(symbols.alloc.now);
        }
        if rel == view.alloc.entry {
            return Ok(symbols.alloc.entry);
        }
        if let Some(mark) = symbols.marks.get(&rel) {
            return Ok(*mark);
        }
        let of_type = view.object_types().find(|t| view.type_relation(*t) == Some(rel));
        of_type
            .and_then(|t| symbols.types.get(&t).copied())
            .ok_or_else(|| "a relation that the logic does not have".to_string())
    }

    fn followed(&self, field: FunId) -> Result<(usize, Label)> {
        self.symbols
            .pointer_of_view(field)
            .ok_or_else(|| "a field that the logic does not have".to_string())
    }

    fn reach(&mut self, field: FunId, from: TermId, to: TermId, value: bool) -> Result<FormulaId> {
        let (index, label) = self.followed(field)?;
        // The view's way to say that a term is defined.
        if from == to && matches!(self.view.term(from), Term::App(_, args) if !args.is_empty()) {
            return self.defined(from, value);
        }
        let cases = self.resolve(from)?;
        let mut out = Vec::new();
        for case in cases {
            // From the successor over the same field: one or more steps.
            if let Resolved::Field { field, label: at, of } = case.value
                && field == index
                && at == label
                && !self.symbols.pointers[index].theory.has_cycles()
            {
                let formula = self.on_objects(&[to], value, |s, t| {
                    let (reach, apart) =
                        (s.reach_atom(index, label, of, t[0])?, s.arena.ne(of, t[0]));
                    Ok(s.arena.and([reach, apart]))
                })?;
                out.push(self.close(&case, formula));
                continue;
            }
            let case = self.settle(case);
            if let Resolved::Obj(x) = case.value {
                let formula =
                    self.on_objects(&[to], value, |s, t| s.reach_atom(index, label, x, t[0]))?;
                out.push(self.close(&case, formula));
            }
        }
        Ok(self.arena.or(out))
    }

    /// `reach(f, x, y)`; null is reached only over memory that is there and has the field.
    fn reach_atom(
        &mut self,
        field: usize,
        label: Label,
        x: TermId,
        y: TermId,
    ) -> Result<FormulaId> {
        let at = FieldAt { field, label };
        let reach = self.heap().path(at, x, y)?;
        let null = self.arena.constant(self.symbols.null);
        let not_null = self.arena.ne(y, null);
        if not_null == FormulaId::TRUE {
            return Ok(reach);
        }
        let var = self.fresh_var();
        let z = self.arena.var_term(var);
        let there = self.leads_on(field, label, z);
        if there.is_empty() {
            return Ok(reach);
        }
        let there = self.arena.and(there);
        let passed = self.heap().path(at, x, z)?;
        if !self.arena.is_quantifier_free(passed) {
            let name = &self.symbols.pointers[field].name;
            return Err(format!("`reach` over `{name}` of a tree, where memory may be freed"));
        }
        let is_null = self.arena.eq(z, null);
        let fine = self.arena.or([is_null, there]);
        let body = self.arena.implies(passed, fine);
        let stable = self.arena.forall(&[var], body);
        let end = self.arena.or([not_null, stable]);
        Ok(self.arena.and([reach, end]))
    }

    /// What an object must satisfy so that its field holds something.
    fn leads_on(&mut self, field: usize, label: Label, z: TermId) -> Vec<FormulaId> {
        let pointer = &self.symbols.pointers[field];
        let (cell, undefined) = (pointer.cell, pointer.undefined);
        let mut parts = Vec::new();
        if self.may_dangle && label != Label::Pre {
            parts.push(self.arena.rel(self.symbols.alloc.now, &[z]));
            let undefined = self.arena.rel(undefined, &[z]);
            parts.push(self.arena.not(undefined));
        }
        parts.extend(self.has_cell(cell, z));
        parts
    }

    fn fresh_var(&mut self) -> VarId {
        self.fresh += 1;
        self.arena.variable(format!("${}", self.fresh), self.symbols.obj)
    }

    fn equality(&mut self, a: TermId, b: TermId, value: bool) -> Result<FormulaId> {
        if self.is_int(a) {
            return self.compare(a, b, value, |s, x, y| s.equal_ints(x, y));
        }
        let mut out = Vec::new();
        for left in self.resolve(a)? {
            for right in self.resolve(b)? {
                let (left, right) = match (left.value, right.value) {
                    (_, Resolved::Field { .. })
                        if !matches!(left.value, Resolved::Field { .. }) =>
                    {
                        (right, left.clone())
                    }
                    _ => (left.clone(), right),
                };
                let right = self.settle(right);
                let (formula, left) = match (left.value, right.value) {
                    (Resolved::Field { field, label, of }, Resolved::Obj(y)) => {
                        (self.edge(field, label, of, y), left)
                    }
                    (Resolved::Obj(x), Resolved::Obj(y)) => (self.arena.eq(x, y), left),
                    _ => continue,
                };
                let formula = if value { formula } else { self.arena.not(formula) };
                let inner = self.close(&right, formula);
                out.push(self.close(&left, inner));
            }
        }
        Ok(self.arena.or(out))
    }

    /// `x->f == y`.
    fn edge(&mut self, field: usize, label: Label, x: TermId, y: TermId) -> FormulaId {
        self.heap().load(FieldAt { field, label }, x, y)
    }

    fn heap(&mut self) -> HeapLogic<'_> {
        HeapLogic { arena: self.arena, vocabulary: self.logic, fields: self.symbols.fields() }
    }

    fn ordered(&mut self, a: TermId, b: TermId, value: bool) -> Result<FormulaId> {
        self.compare(a, b, value, |s, x, y| {
            let (x, y) = (s.data(x)?, s.data(y)?);
            Ok(s.arena.rel(s.symbols.at_most, &[x, y]))
        })
    }

    fn compare(
        &mut self,
        a: TermId,
        b: TermId,
        value: bool,
        atom: impl Fn(&mut Self, IntValue, IntValue) -> Result<FormulaId>,
    ) -> Result<FormulaId> {
        let mut out = Vec::new();
        for left in self.resolve(a)? {
            for right in self.resolve(b)? {
                let (Resolved::Int(x), Resolved::Int(y)) = (left.value, right.value) else {
                    continue;
                };
                let formula = atom(self, x, y)?;
                let formula = if value { formula } else { self.arena.not(formula) };
                let inner = self.close(&right, formula);
                out.push(self.close(&left, inner));
            }
        }
        Ok(self.arena.or(out))
    }

    fn equal_ints(&mut self, a: IntValue, b: IntValue) -> Result<FormulaId> {
        match (a, b) {
            (IntValue::Truth(f), IntValue::Const(0)) | (IntValue::Const(0), IntValue::Truth(f)) => {
                Ok(self.arena.not(f))
            }
            _ if a == b => Ok(FormulaId::TRUE),
            _ => {
                let (a, b) = (self.data(a)?, self.data(b)?);
                Ok(self.arena.eq(a, b))
            }
        }
    }

    fn data(&mut self, value: IntValue) -> Result<TermId> {
        match value {
            IntValue::Data(term) => Ok(term),
            IntValue::Const(i) => {
                let fun = self.symbols.constant(self.logic, i.into());
                Ok(self.arena.constant(fun))
            }
            _ => Err("a truth value compared as a number".into()),
        }
    }

    /// A formula about objects, in all cases.
    fn on_objects(
        &mut self,
        terms: &[TermId],
        value: bool,
        atom: impl Fn(&mut Self, &[TermId]) -> Result<FormulaId>,
    ) -> Result<FormulaId> {
        let [term] = terms else { return Err("a relation of several objects".into()) };
        let mut out = Vec::new();
        for case in self.resolve(*term)? {
            let case = self.settle(case);
            let Resolved::Obj(x) = case.value else { continue };
            let formula = atom(self, &[x])?;
            let formula = if value { formula } else { self.arena.not(formula) };
            out.push(self.close(&case, formula));
        }
        Ok(self.arena.or(out))
    }

    /// A variable for a field.
    fn settle(&mut self, mut case: Case) -> Case {
        if let Resolved::Field { field, label, of } = case.value {
            let var = self.fresh_var();
            let y = self.arena.var_term(var);
            let link = self.edge(field, label, of, y);
            case.steps.push(Reading::Field(var, link));
            case.value = Resolved::Obj(y);
        }
        case
    }

    /// A formula under the conditions and variables of a case.
    fn close(&mut self, case: &Case, formula: FormulaId) -> FormulaId {
        // With edges, every cell has one in every state, so both quantifiers say the same; the one
        // that can stand under others is that of the others.
        let edges = self.symbols.pointers.iter().any(|f| f.edge.is_some());
        let universal = match self.mode {
            Mode::Assume => edges && self.universal > 0,
            Mode::Check => !(edges && self.existential > 0),
        };
        let mut inner = formula;
        for step in case.steps.iter().rev() {
            inner = match *step {
                Reading::Defined(condition) => self.arena.and([condition, inner]),
                Reading::Field(var, link) if universal => {
                    let body = self.arena.implies(link, inner);
                    self.arena.forall(&[var], body)
                }
                Reading::Field(var, link) => {
                    let body = self.arena.and([link, inner]);
                    self.arena.exists(&[var], body)
                }
            };
        }
        let mut parts = case.when.clone();
        parts.push(inner);
        self.arena.and(parts)
    }
}
