//! The clauses of an invariant in the contract language, so that they can stand in the source.
//!
//! The logic is total: null has a key, though none that anybody knows. A contract that reads it is
//! undefined, and so does not hold. So a clause that reads fields is written twice: of objects that
//! are there only, which is weaker; and saying that they are there wherever it reads one, which is
//! mostly stronger. Quantifiers of contracts do not range over memory that nobody has allocated yet,
//! so what pointers lead to is said by `stable` as well. What of this is an invariant is for whoever
//! reads it again to find out ([`crate::stated`]); nothing here has to be believed.
//!
//! What has no words in a contract (a temporary, a variable of a called procedure, betweenness, that
//! a field was never written) is left out with its clause.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::{Formula, FormulaId, FunId, RelId, RelKind, Term, TermId, VarId};
use trellis_program::view::Twin;
use trellis_program::{Program, Reg, TypeId};
use trellis_transys::{Flag, Location, LocationId, RegSymbol, TransitionSystem};

/// Clauses with more parts than this help nobody.
const MOST_LITERALS: usize = 8;
/// A clause about objects of any type is written for each of them, but not more often than this.
const MOST_TYPINGS: usize = 9;

/// The clauses of a location as contract formulas, as far as there are words for them, and what is
/// worth trying besides because it is shorter.
pub(crate) fn formulas(
    program: &Program,
    system: &TransitionSystem,
    at: LocationId,
    clauses: &[FormulaId],
) -> Vec<String> {
    let words = Wording::new(program, system);
    let mut out: Vec<String> = Vec::new();
    let outside = clauses.iter().flat_map(|&clause| words.clause(clause, Guard::Outside));
    let inside = clauses.iter().flat_map(|&clause| words.clause(clause, Guard::Inside));
    let not_null = clauses.iter().flat_map(|&clause| words.clause(clause, Guard::NotNull));
    for text in outside.chain(inside).chain(not_null).chain(words.shapes(at, clauses)) {
        if !out.contains(&text) {
            out.push(text);
        }
    }
    out
}

/// Which state a text is read in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    Now,
    Entry,
}

/// Where it is said that an object is there whose field is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    /// Before the whole clause.
    Outside,
    /// In each literal.
    Inside,
    /// Before the whole clause, and nothing is said of null: in the logic it is reached from
    /// everywhere, in contracts only over memory that is there.
    NotNull,
}

/// What a relation says of its arguments.
enum Meaning {
    /// One object is reached from another over a field.
    Reach(String, At),
    /// One lies below a field of another, over a set of fields.
    Below(String, String, At),
    /// A field holds it.
    Step(String, At),
    Alloc(At),
    AtMost,
    /// An integer field is not zero.
    Truth(String, At),
    /// A field was never written.
    Undefined(String),
    /// A variable is not zero, or a fact about places.
    Fact(String, At),
    /// A variable has no value.
    Unset(String),
    /// A predicate of the user.
    Mark(String),
    Type(TypeId),
}

/// What a constant or function stands for.
enum Named {
    Null,
    Number(i128),
    Variable { name: String, at: At, stays: bool },
    Address(String),
    Field(String, At),
}

struct Wording<'a> {
    program: &'a Program,
    system: &'a TransitionSystem,
    rels: BTreeMap<RelId, Meaning>,
    funs: BTreeMap<FunId, Named>,
    /// The types of objects that have a symbol.
    roots: BTreeMap<String, Vec<TypeId>>,
    /// Names that bound variables must not have.
    taken: BTreeSet<String>,
}

impl<'a> Wording<'a> {
    fn new(program: &'a Program, system: &'a TransitionSystem) -> Wording<'a> {
        let taken = program.proc(system.proc).vars.iter().map(|v| v.name.clone());
        let taken = taken.chain(program.globals.iter().map(|g| g.name.clone())).collect();
        let (rels, funs, roots) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut words = Wording { program, system, rels, funs, roots, taken };
        words.heap();
        words.variables();
        words
    }

    fn relation(&mut self, twin: Twin<RelId>, meaning: impl Fn(At) -> Meaning) {
        self.rels.insert(twin.entry, meaning(At::Entry));
        // One symbol for both states is about now.
        self.rels.insert(twin.now, meaning(At::Now));
    }

    fn heap(&mut self) {
        let symbols = &self.system.symbols;
        self.funs.insert(symbols.null, Named::Null);
        for (value, fun) in &symbols.constants {
            self.funs.insert(*fun, Named::Number(*value));
        }
        self.rels.insert(symbols.at_most, Meaning::AtMost);
        self.relation(symbols.alloc, Meaning::Alloc);
        for field in &symbols.pointers {
            let name = field.name.clone();
            let symbol = self.system.vocabulary.rel(field.relation.now);
            match symbol.kind {
                RelKind::Closure { .. } => {
                    self.relation(field.relation, |at| Meaning::Reach(name.clone(), at));
                }
                RelKind::Below { .. } => {
                    let set = symbol.name.clone();
                    let below = |at| Meaning::Below(set.clone(), name.clone(), at);
                    self.relation(field.relation, below);
                }
                RelKind::Plain if symbol.args.len() == 2 => {
                    self.relation(field.relation, |at| Meaning::Step(name.clone(), at));
                }
                RelKind::Plain | RelKind::Order | RelKind::Between { .. } => {}
            }
            if let Some(edge) = field.edge {
                self.relation(edge, |at| Meaning::Step(name.clone(), at));
            }
            self.rels.insert(field.undefined, Meaning::Undefined(name.clone()));
            self.roots.entry(name).or_default().extend(&field.roots);
        }
        for field in &symbols.integers {
            let name = field.name.clone();
            for (flag, at) in [(field.entry, At::Entry), (field.now, At::Now)] {
                match flag {
                    Flag::Truth(rel) => {
                        drop(self.rels.insert(rel, Meaning::Truth(name.clone(), at)));
                    }
                    Flag::Data(fun) => drop(self.funs.insert(fun, Named::Field(name.clone(), at))),
                }
            }
            self.rels.insert(field.undefined, Meaning::Undefined(name.clone()));
            self.roots.entry(name).or_default().extend(&field.roots);
        }
        for (ty, rel) in &symbols.types {
            self.rels.insert(*rel, Meaning::Type(*ty));
        }
        for rel in symbols.marks.values() {
            let name = self.system.vocabulary.rel(*rel).name.clone();
            self.rels.insert(*rel, Meaning::Mark(name));
        }
    }

    fn variables(&mut self) {
        let proc = self.program.proc(self.system.proc);
        let words = |reg: Reg| match reg {
            Reg::Local(v) if proc.var(v).is_temp => None,
            reg => Some(self.program.reg_name(self.system.proc, reg).to_owned())
                .filter(|name| is_word(name)),
        };
        let mut rels = Vec::new();
        let mut funs = Vec::new();
        for (reg, twin) in &self.system.symbols.regs {
            let Some(name) = words(*reg) else { continue };
            let given = match reg {
                Reg::Local(v) => (v.0 as usize) < proc.params,
                Reg::Global(_) => true,
            };
            let stays = given && twin.now == twin.entry;
            for (symbol, at) in [(twin.entry, At::Entry), (twin.now, At::Now)] {
                match symbol {
                    RegSymbol::Ptr(fun) | RegSymbol::Int(Flag::Data(fun)) => {
                        funs.push((fun, Named::Variable { name: name.clone(), at, stays }));
                    }
                    RegSymbol::Int(Flag::Truth(rel)) => {
                        rels.push((rel, Meaning::Fact(name.clone(), at)));
                    }
                }
            }
        }
        for (reg, rel) in &self.system.symbols.unset {
            if let Some(name) = words(*reg) {
                rels.push((*rel, Meaning::Unset(name)));
            }
        }
        for (reg, (fun, _)) in &self.system.symbols.addresses {
            if let Some(name) = words(*reg) {
                funs.push((*fun, Named::Address(name)));
            }
        }
        self.rels.extend(rels);
        self.funs.extend(funs);
    }

    /// A clause, once for each way to give its variables types; nothing if there are no words for it.
    fn clause(&self, clause: FormulaId, guard: Guard) -> Vec<String> {
        let arena = &self.system.arena;
        let (vars, body) = match arena.formula(clause) {
            Formula::Quant(trellis_logic::Quantifier::Forall, vars, body) => (&vars[..], *body),
            _ => (&[][..], clause),
        };
        let literals = match arena.formula(body) {
            Formula::Or(parts) => parts.to_vec(),
            _ => vec![body],
        };
        if literals.len() > MOST_LITERALS {
            return Vec::new();
        }
        let mut typed: Vec<Vec<(VarId, (String, String))>> = vec![Vec::new()];
        for &var in vars {
            let names = typed[0].iter().map(|(_, (_, name))| name.as_str()).collect();
            let Some(name) = self.fresh(&names) else { return Vec::new() };
            let types = self.types(var, &literals);
            let with = |binders: &Vec<_>, ty: &String| {
                let mut binders = binders.clone();
                binders.push((var, (ty.clone(), name.to_owned())));
                binders
            };
            typed = typed.iter().flat_map(|b| types.iter().map(|ty| with(b, ty))).collect();
            if typed.is_empty() || typed.len() > MOST_TYPINGS {
                return Vec::new();
            }
        }
        typed.into_iter().filter_map(|binders| self.typed(&literals, binders, guard)).collect()
    }

    /// A clause whose variables have types.
    fn typed(
        &self,
        literals: &[FormulaId],
        binders: Vec<(VarId, (String, String))>,
        guard: Guard,
    ) -> Option<String> {
        let names = binders.iter().map(|(var, (_, name))| (*var, name.clone())).collect();
        let mut said = Sentence { words: self, names, there: Vec::new(), reached: Vec::new() };
        let (mut premises, mut conclusions) = (Vec::new(), Vec::new());
        for &literal in literals {
            let part = said.literal(literal)?;
            let part = match guard {
                Guard::Outside | Guard::NotNull => part,
                Guard::Inside => part.guarded(std::mem::take(&mut said.there)),
            };
            match part {
                // Bound variables have their types.
                Part::Nothing => {}
                Part::If(text) => premises.push(text),
                Part::Then(text) => conclusions.push(text),
            }
        }
        let mut all: Vec<String> = said.there;
        if guard == Guard::NotNull {
            all.extend(binders.iter().map(|(_, (_, name))| format!("{name} != NULL")));
            all.extend(said.reached.into_iter().map(|x| format!("{x} != NULL")));
        }
        all.extend(premises);
        let mut seen = BTreeSet::new();
        all.retain(|premise| seen.insert(premise.clone()));
        let text = implication(all, conclusions);
        Some(match binders.is_empty() {
            true => text,
            false => format!("\\forall {}; {text}", declared(binders)),
        })
    }

    /// A name for a bound variable.
    fn fresh(&self, names: &Vec<&str>) -> Option<&'static str> {
        let taken = |n: &&str| self.taken.contains(*n) || names.contains(n);
        ["v", "w", "u", "v1", "v2", "v3", "v4"].into_iter().find(|n| !taken(n))
    }

    /// The types that a bound variable can have: those of the objects that a literal reads, else all.
    fn types(&self, var: VarId, literals: &[FormulaId]) -> Vec<String> {
        let mut types: BTreeSet<TypeId> =
            literals.iter().flat_map(|&l| self.types_of(var, l)).collect();
        if types.is_empty() {
            types.extend(self.roots.values().flatten());
        }
        if types.is_empty() {
            return vec![self.system.vocabulary.sort_of(self.system.symbols.obj).name.clone()];
        }
        types.into_iter().map(|ty| format!("{} *", self.program.types.name(ty))).collect()
    }

    /// The types of objects that a literal is about, as far as a variable is concerned.
    fn types_of(&self, var: VarId, literal: FormulaId) -> Vec<TypeId> {
        let arena = &self.system.arena;
        let atom = match arena.formula(literal) {
            Formula::Not(inner) => *inner,
            _ => literal,
        };
        let is_var = |t: &TermId| matches!(arena.term(*t), Term::Var(v) if *v == var);
        let mut types = Vec::new();
        let fields = |name: &String| self.roots.get(name).cloned().unwrap_or_default();
        if let Formula::Rel(rel, args) = arena.formula(atom) {
            match self.rels.get(rel) {
                Some(Meaning::Reach(field, _)) if args.iter().any(is_var) => {
                    types.extend(fields(field));
                }
                Some(
                    Meaning::Below(_, field, _)
                    | Meaning::Step(field, _)
                    | Meaning::Truth(field, _)
                    | Meaning::Undefined(field),
                ) if args.first().is_some_and(is_var) => types.extend(fields(field)),
                Some(Meaning::Type(ty)) if args.iter().any(is_var) => types.push(*ty),
                _ => {}
            }
        }
        let terms = match arena.formula(atom) {
            Formula::Rel(_, args) => args.to_vec(),
            Formula::Eq(a, b) => vec![*a, *b],
            _ => Vec::new(),
        };
        for term in terms {
            if let Term::App(fun, args) = arena.term(term)
                && args.iter().any(is_var)
                && let Some(Named::Field(field, _)) = self.funs.get(fun)
            {
                types.extend(fields(field));
            }
        }
        types
    }

    /// What is often true at a loop over lists and is shorter than what was found: a field that leads
    /// from one variable to another, variables that are equal, lists that end.
    fn shapes(&self, at: LocationId, clauses: &[FormulaId]) -> Vec<String> {
        let symbols = &self.system.symbols;
        let location = &self.system.locations[at.0];
        let mut used = BTreeSet::new();
        for &clause in clauses {
            used.extend(self.system.arena.symbols_in_use(clause).funs);
        }
        let pointers: Vec<&String> = location
            .constants
            .iter()
            .filter(|f| used.contains(f) && self.system.vocabulary.fun(**f).result == symbols.obj)
            .filter_map(|f| match self.funs.get(f)? {
                Named::Variable { name, at: At::Now, .. } => Some(name),
                _ => None,
            })
            .collect();
        let mut out = Vec::new();
        let lists = symbols.pointers.iter().filter(|f| f.recursive && f.set.is_none());
        for field in lists {
            let name = &field.name;
            for x in &pointers {
                out.push(format!("ls({name}, {x}, NULL)"));
                out.push(format!("stable({name}, {x})"));
                for y in pointers.iter().filter(|y| *y != x) {
                    out.push(format!("ls({name}, {x}, {y})"));
                    out.push(format!("{x} != NULL ==> {x}->{name} == {y}"));
                }
            }
        }
        if !never_allocates(self.system) {
            out.extend(self.memory(location));
        }
        for (i, x) in pointers.iter().enumerate() {
            out.extend(pointers[i + 1..].iter().map(|y| format!("{x} == {y}")));
        }
        out
    }
}

impl Wording<'_> {
    /// What programs that allocate keep to: fields of objects lead to objects, now and at the entry,
    /// and were written.
    fn memory(&self, location: &Location) -> Vec<String> {
        let mut out = Vec::new();
        let roots: BTreeSet<TypeId> = self.roots.values().flatten().copied().collect();
        for ty in roots {
            let of_all = format!("\\forall {} *v;", self.program.types.name(ty));
            out.push(format!("{of_all} \\old(alloc(v)) ==> alloc(v)"));
            out.push(format!("{of_all} alloc(v) ==> \\old(alloc(v))"));
        }
        for field in &self.system.symbols.pointers {
            let (name, [ty]) = (&field.name, &field.roots[..]) else { continue };
            let of_all = format!("\\forall {} *v; alloc(v) ==>", self.program.types.name(*ty));
            let before =
                format!("\\forall {} *v; \\old(alloc(v)) ==>", self.program.types.name(*ty));
            let leads = match field.recursive {
                true if field.set.is_some() => None,
                true => Some(format!("stable({name}, v)")),
                false => Some(format!("v->{name} == NULL || alloc(v->{name})")),
            };
            if let Some(leads) = leads {
                out.push(format!("{of_all} {leads}"));
                out.push(format!("{before} \\old({leads})"));
            }
            if location.relations.contains(&field.undefined) {
                out.push(format!("{of_all} v->{name} == v->{name}"));
            }
        }
        for field in &self.system.symbols.integers {
            let (name, [ty]) = (&field.name, &field.roots[..]) else { continue };
            if location.relations.contains(&field.undefined) {
                let ty = self.program.types.name(*ty);
                out.push(format!("\\forall {ty} *v; alloc(v) ==> v->{name} == v->{name}"));
            }
        }
        out
    }
}

/// One side of an implication.
enum Part {
    Nothing,
    If(String),
    Then(String),
}

impl Part {
    /// The same, where what it reads is there.
    fn guarded(self, there: Vec<String>) -> Part {
        let all =
            |text: String| there.iter().cloned().chain([text]).collect::<Vec<_>>().join(" && ");
        match self {
            Part::Then(text) if !there.is_empty() => Part::Then(format!("({})", all(text))),
            Part::If(text) => Part::If(all(text)),
            other => other,
        }
    }
}

/// A clause that is being written.
struct Sentence<'w, 'a> {
    words: &'w Wording<'a>,
    names: BTreeMap<VarId, String>,
    /// That the objects are there whose fields are read.
    there: Vec<String>,
    /// The variables of the program that are said to be reached.
    reached: Vec<String>,
}

impl Sentence<'_, '_> {
    fn literal(&mut self, literal: FormulaId) -> Option<Part> {
        let arena = &self.words.system.arena;
        let (positive, atom) = match arena.formula(literal) {
            Formula::Not(inner) => (false, *inner),
            _ => (true, literal),
        };
        let text = match arena.formula(atom) {
            Formula::True => "\\true".to_owned(),
            Formula::False => "\\false".to_owned(),
            Formula::Eq(a, b) => {
                let (a, b) = (*a, *b);
                let null = [a, b].iter().any(|t| self.is_null(*t));
                let (a, b) = (self.term(a, At::Now)?, self.term(b, At::Now)?);
                return Some(match (positive, null) {
                    // `x == NULL || F` reads better as `x != NULL ==> F`.
                    (true, true) => Part::If(format!("{a} != {b}")),
                    (true, false) => Part::Then(format!("{a} == {b}")),
                    (false, _) => Part::If(format!("{a} == {b}")),
                });
            }
            Formula::Rel(rel, args) => {
                let (rel, args) = (*rel, args.to_vec());
                match self.words.rels.get(&rel)? {
                    Meaning::Type(_) => {
                        let bound = matches!(arena.term(args[0]), Term::Var(_));
                        return (bound && !positive).then_some(Part::Nothing);
                    }
                    // Only that it was written can be said.
                    Meaning::Undefined(field) if !positive => {
                        let read = self.field(args[0], field, At::Now, At::Now)?;
                        return Some(Part::Then(format!("{read} == {read}")));
                    }
                    Meaning::Unset(name) if !positive => {
                        return Some(Part::Then(format!("{name} == {name}")));
                    }
                    _ => self.relation(rel, &args)?,
                }
            }
            _ => return None,
        };
        Some(if positive { Part::Then(text) } else { Part::If(text) })
    }

    fn relation(&mut self, rel: RelId, args: &[TermId]) -> Option<String> {
        let inside = |at: At, text: String| match at {
            At::Now => text,
            At::Entry => format!("\\old({text})"),
        };
        Some(match self.words.rels.get(&rel)? {
            Meaning::Reach(field, at) => {
                let (x, y) = (self.term(args[0], *at)?, self.term(args[1], *at)?);
                let is_bound = matches!(self.words.system.arena.term(args[1]), Term::Var(_));
                if !is_bound && !self.is_null(args[1]) {
                    let target = self.term(args[1], At::Now)?;
                    self.reached.push(target);
                }
                inside(*at, format!("reach({field}, {x}, {y})"))
            }
            Meaning::Below(set, field, at) => {
                let read = self.field(args[0], field, *at, *at)?;
                let y = self.term(args[1], *at)?;
                inside(*at, format!("reach({set}, {read}, {y})"))
            }
            Meaning::Step(field, at) => {
                let read = self.field(args[0], field, *at, At::Now)?;
                let y = self.term(args[1], At::Now)?;
                format!("{read} == {y}")
            }
            Meaning::Alloc(_) if self.never_changes() => {
                format!("{} != NULL", self.term(args[0], At::Now)?)
            }
            Meaning::Alloc(at) => {
                let x = self.term(args[0], *at)?;
                inside(*at, format!("alloc({x})"))
            }
            Meaning::AtMost => {
                let (a, b) = (self.term(args[0], At::Now)?, self.term(args[1], At::Now)?);
                format!("{a} <= {b}")
            }
            Meaning::Truth(field, at) => {
                format!("{} != 0", self.field(args[0], field, *at, At::Now)?)
            }
            Meaning::Fact(name, At::Now) => format!("{name} != 0"),
            Meaning::Fact(name, At::Entry) => format!("\\old({name}) != 0"),
            Meaning::Mark(name) => format!("{name}({})", self.term(args[0], At::Now)?),
            Meaning::Undefined(_) | Meaning::Unset(_) | Meaning::Type(_) => return None,
        })
    }

    /// Whether what is allocated stays so, and nothing else ever is: then what is there is not null.
    fn never_changes(&self) -> bool {
        never_allocates(self.words.system)
    }

    fn is_null(&self, term: TermId) -> bool {
        matches!(self.words.system.arena.term(term), Term::App(f, _)
            if matches!(self.words.funs.get(f), Some(Named::Null)))
    }

    /// A field of an object as it is in one state, in a text that is read in one.
    fn field(&mut self, object: TermId, field: &str, of: At, read_in: At) -> Option<String> {
        let read = format!("{}->{field}", self.term(object, of)?);
        let x = self.term(object, At::Now)?;
        let there = match of {
            _ if self.never_changes() => format!("{x} != NULL"),
            At::Now => format!("alloc({x})"),
            At::Entry => format!("\\old(alloc({}))", self.term(object, At::Entry)?),
        };
        if !self.there.contains(&there) {
            self.there.push(there);
        }
        Some(match (of, read_in) {
            (At::Entry, At::Now) => format!("\\old({read})"),
            (At::Now, At::Entry) => format!("\\at({read}, Here)"),
            _ => read,
        })
    }

    fn term(&mut self, term: TermId, read_in: At) -> Option<String> {
        let arena = &self.words.system.arena;
        let (fun, args) = match arena.term(term) {
            Term::Var(var) => return self.names.get(var).cloned(),
            Term::Num(n) => return Some(n.to_string()),
            Term::App(fun, args) => (*fun, args.to_vec()),
            Term::Arith(..) | Term::Ite(..) => return None,
        };
        Some(match self.words.funs.get(&fun)? {
            Named::Null => "NULL".to_owned(),
            Named::Number(n) => n.to_string(),
            Named::Address(name) => format!("&{name}"),
            Named::Variable { name, stays: true, .. } => name.clone(),
            Named::Variable { name, at, .. } => match (at, read_in) {
                (At::Now, At::Entry) => format!("\\at({name}, Here)"),
                (At::Entry, At::Now) => format!("\\old({name})"),
                _ => name.clone(),
            },
            Named::Field(field, of) => self.field(args[0], field, *of, read_in)?,
        })
    }
}

/// Whether what is allocated never changes.
fn never_allocates(system: &TransitionSystem) -> bool {
    system.symbols.alloc.now == system.symbols.alloc.entry
}

/// Whether a name is one of a variable of the procedure itself.
fn is_word(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// `A && B ==> C || D`.
fn implication(mut premises: Vec<String>, mut conclusions: Vec<String>) -> String {
    if conclusions.is_empty() {
        let last = premises.pop().unwrap_or_else(|| "\\true".to_owned());
        conclusions.push(denied(&last));
    }
    let conclusion = conclusions.join(" || ");
    match premises.is_empty() {
        true => conclusion,
        false => format!("{} ==> {conclusion}", premises.join(" && ")),
    }
}

/// The opposite of an atom.
fn denied(atom: &str) -> String {
    let sides = |sign: &str| atom.split_once(sign).filter(|(_, right)| !right.contains(sign));
    match (sides(" == "), sides(" != "), sides(" <= ")) {
        (Some((a, b)), None, None) => format!("{a} != {b}"),
        (None, Some((a, b)), None) => format!("{a} == {b}"),
        (None, None, Some((a, b))) => format!("{b} < {a}"),
        _ => format!("!{atom}"),
    }
}

/// `struct node *v, *w, struct item *u`.
fn declared(binders: Vec<(VarId, (String, String))>) -> String {
    let mut out = String::new();
    let mut previous: Option<String> = None;
    for (_, (ty, name)) in binders {
        let base = ty.trim_end_matches('*');
        let stars = &ty[base.len()..];
        out.push_str(&match &previous {
            Some(same) if *same == ty => format!(", {stars}{name}"),
            Some(_) => format!(", {} {stars}{name}", base.trim_end()),
            None => format!("{} {stars}{name}", base.trim_end()),
        });
        previous = Some(ty);
    }
    out
}
