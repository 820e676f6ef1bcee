//! Random formulas with given quantifiers over a given vocabulary.

use crate::arena::Arena;
use crate::generate::tape::Tape;
use crate::ids::{FormulaId, SortId, TermId, VarId};
use crate::vocabulary::{FunKind, Vocabulary};

/// Which quantifiers a formula may have.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Quantifiers {
    /// None.
    QuantifierFree,
    /// ∀*.
    Universal,
    /// ∃*.
    Existential,
    /// A Boolean combination of ∀* and ∃*.
    AlternationFree,
    /// ∃*∀*.
    ExistsForall,
    /// Any, anywhere.
    #[default]
    Any,
}

/// Bounds on a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormulaOptions {
    /// Which quantifiers it has.
    pub quantifiers: Quantifiers,
    /// How deeply connectives may be nested.
    pub depth: u32,
    /// At most so many variables in a block.
    pub variables: u32,
    /// Whether functions and fields may be applied.
    pub functions: bool,
    /// Whether terms may be conditional.
    pub ites: bool,
}

impl Default for FormulaOptions {
    fn default() -> Self {
        FormulaOptions {
            quantifiers: Quantifiers::Any,
            depth: 4,
            variables: 2,
            functions: false,
            ites: false,
        }
    }
}

/// A closed formula.
pub fn formula(
    tape: &mut Tape,
    arena: &mut Arena,
    vocabulary: &Vocabulary,
    options: &FormulaOptions,
) -> FormulaId {
    open_formula(tape, arena, vocabulary, options, &[])
}

/// A formula in which the given variables may be free.
pub fn open_formula(
    tape: &mut Tape,
    arena: &mut Arena,
    vocabulary: &Vocabulary,
    options: &FormulaOptions,
    free: &[VarId],
) -> FormulaId {
    let mut builder = Builder { tape, arena, vocabulary, options, scope: free.to_vec() };
    let depth = options.depth;
    match options.quantifiers {
        Quantifiers::QuantifierFree => builder.boolean(depth, Inner::Atoms),
        Quantifiers::Universal => builder
            .block(|arena, vars, f| arena.forall(vars, f), |b| b.boolean(depth, Inner::Atoms)),
        Quantifiers::Existential => builder
            .block(|arena, vars, f| arena.exists(vars, f), |b| b.boolean(depth, Inner::Atoms)),
        Quantifiers::AlternationFree => builder.boolean(depth / 2, Inner::Blocks),
        Quantifiers::ExistsForall => builder.block(
            |arena, vars, f| arena.exists(vars, f),
            |b| b.block(|arena, vars, f| arena.forall(vars, f), |b| b.boolean(depth, Inner::Atoms)),
        ),
        Quantifiers::Any => builder.boolean(depth, Inner::Anything),
    }
}

/// A term of a sort, in which the given variables may be free.
pub fn open_term(
    tape: &mut Tape,
    arena: &mut Arena,
    vocabulary: &Vocabulary,
    options: &FormulaOptions,
    free: &[VarId],
    sort: SortId,
) -> TermId {
    let mut builder = Builder { tape, arena, vocabulary, options, scope: free.to_vec() };
    builder.term(sort, 2)
}

/// What connectives may combine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inner {
    Atoms,
    /// Atoms, and blocks of one quantifier over atoms.
    Blocks,
    Anything,
}

struct Builder<'a> {
    tape: &'a mut Tape,
    arena: &'a mut Arena,
    vocabulary: &'a Vocabulary,
    options: &'a FormulaOptions,
    scope: Vec<VarId>,
}

impl Builder<'_> {
    fn boolean(&mut self, depth: u32, inner: Inner) -> FormulaId {
        if depth == 0 {
            return self.leaf(inner);
        }
        match self.tape.below(13) {
            0 => self.leaf(inner),
            1 | 2 => {
                let f = self.boolean(depth - 1, inner);
                self.arena.not(f)
            }
            3 | 4 => {
                let parts: Vec<_> =
                    (0..2 + self.tape.below(2)).map(|_| self.boolean(depth - 1, inner)).collect();
                self.arena.and(parts)
            }
            5 | 6 => {
                let parts: Vec<_> =
                    (0..2 + self.tape.below(2)).map(|_| self.boolean(depth - 1, inner)).collect();
                self.arena.or(parts)
            }
            7 => {
                let (a, b) = (self.boolean(depth - 1, inner), self.boolean(depth - 1, inner));
                self.arena.implies(a, b)
            }
            8 => {
                let (a, b) = (self.boolean(depth - 1, inner), self.boolean(depth - 1, inner));
                self.arena.iff(a, b)
            }
            _ if inner == Inner::Atoms => self.leaf(inner),
            _ => self.quantified(depth - 1, inner),
        }
    }

    fn leaf(&mut self, inner: Inner) -> FormulaId {
        match inner {
            Inner::Blocks if self.tape.chance(60) => self.quantified(1, inner),
            Inner::Atoms | Inner::Blocks | Inner::Anything => self.atom(),
        }
    }

    fn quantified(&mut self, depth: u32, inner: Inner) -> FormulaId {
        let inner = match inner {
            Inner::Anything => Inner::Anything,
            Inner::Atoms | Inner::Blocks => Inner::Atoms,
        };
        match self.tape.chance(50) {
            true => self.block(|a, vars, f| a.exists(vars, f), |b| b.boolean(depth, inner)),
            false => self.block(|a, vars, f| a.forall(vars, f), |b| b.boolean(depth, inner)),
        }
    }

    fn block(
        &mut self,
        quantify: impl Fn(&mut Arena, &[VarId], FormulaId) -> FormulaId,
        body: impl FnOnce(&mut Self) -> FormulaId,
    ) -> FormulaId {
        let sorts: Vec<SortId> = self.vocabulary.sorts().filter(|&s| s != SortId::INT).collect();
        let outer = self.scope.len();
        for _ in 0..=self.tape.below(self.options.variables.max(1)) {
            let Some(&sort) = self.tape.pick(&sorts) else {
                break;
            };
            // Few names, so that binders shadow one another.
            let name = ["u", "v", "w", "v_1"][self.tape.below(4) as usize];
            let var = self.arena.variable(name, sort);
            self.scope.push(var);
        }
        let body = body(self);
        let vars = self.scope.split_off(outer);
        quantify(self.arena, &vars, body)
    }

    fn atom(&mut self) -> FormulaId {
        let rels: Vec<_> = self.vocabulary.rels().collect();
        match self.tape.pick(&rels) {
            Some(&rel) if !self.tape.chance(35) => {
                let sorts = &self.vocabulary.rel(rel).args;
                let args: Vec<_> = sorts.iter().map(|&s| self.term(s, 2)).collect();
                self.arena.rel(rel, &args)
            }
            _ => {
                let sorts: Vec<SortId> =
                    self.vocabulary.sorts().filter(|&s| s != SortId::INT).collect();
                let Some(&sort) = self.tape.pick(&sorts) else {
                    return FormulaId::TRUE;
                };
                let (a, b) = (self.term(sort, 2), self.term(sort, 2));
                self.arena.eq(a, b)
            }
        }
    }

    /// A variable in scope, a constant, or an application. A sort without any of these gets a
    /// variable that nothing binds.
    fn term(&mut self, sort: SortId, depth: u32) -> TermId {
        if depth > 0 && self.options.ites && self.tape.chance(10) {
            let condition = self.boolean(1, Inner::Atoms);
            let (a, b) = (self.term(sort, depth - 1), self.term(sort, depth - 1));
            return self.arena.ite(condition, a, b);
        }
        let vocabulary = self.vocabulary;
        if depth > 0 && self.options.functions && self.tape.chance(35) {
            let funs: Vec<_> = vocabulary
                .funs()
                .filter(|&f| vocabulary.fun(f).result == sort && !vocabulary.fun(f).args.is_empty())
                .collect();
            if let Some(&f) = self.tape.pick(&funs) {
                let sorts = &vocabulary.fun(f).args;
                let args: Vec<_> = sorts.iter().map(|&s| self.term(s, depth - 1)).collect();
                return self.arena.app(f, &args);
            }
        }
        let vars: Vec<VarId> =
            self.scope.iter().copied().filter(|&v| self.arena.var(v).sort == sort).collect();
        if self.tape.chance(70)
            && let Some(&v) = self.tape.pick(&vars)
        {
            return self.arena.var_term(v);
        }
        let constant = |f: &_| {
            let fun = vocabulary.fun(*f);
            fun.result == sort && fun.args.is_empty() && fun.kind != FunKind::Skolem
        };
        let constants: Vec<_> = vocabulary.funs().filter(constant).collect();
        match (self.tape.pick(&constants), vars.first()) {
            (Some(&c), _) => self.arena.constant(c),
            (None, Some(&v)) => self.arena.var_term(v),
            (None, None) => {
                let unbound = self.arena.variable("unbound", sort);
                self.arena.var_term(unbound)
            }
        }
    }
}
