//! The text of a question.

use std::collections::BTreeMap;
use std::fmt::Write;

use trellis_hol::{Binder, Kind, Op, Quantifier, SymbolId, Term, Type, VarId};
use trellis_sequents::build::{
    and, apply, bind, eq, implies, ne, not, null, op, or, rename, replace_symbols, var,
};
use trellis_sequents::sequent::write_key;

use crate::Question;

/// Something that this logic cannot say, and that depends on several bound objects.
struct CannotSay;

/// The object that something is said of, where it is no bound one.
const HOLE: VarId = VarId(u32::MAX);

type Said = Result<String, CannotSay>;
type Names = BTreeMap<VarId, String>;

/// `x` and `y`, and what holds of them if a field leads from one to the other.
type Constraint = (Binder, Binder, Term);

struct Writer {
    backbone: Vec<SymbolId>,
    /// Fields that are predicates.
    determined: BTreeMap<SymbolId, Constraint>,
    /// What is known of other fields.
    constrained: BTreeMap<SymbolId, Vec<Constraint>>,
    /// Derived fields at terms: the field, the term, the name of the value.
    values: Vec<(SymbolId, String, String)>,
    /// Truth values and sets in place of what cannot be said.
    replaced: BTreeMap<String, String>,
    objects: BTreeMap<SymbolId, String>,
    sets: BTreeMap<SymbolId, String>,
    numbers: usize,
    fresh: trellis_sequents::build::Fresh,
}

pub(super) fn write(question: &Question<'_>, backbone: Vec<SymbolId>) -> Option<String> {
    let mut writer = Writer {
        backbone,
        determined: BTreeMap::new(),
        constrained: BTreeMap::new(),
        values: Vec::new(),
        replaced: BTreeMap::new(),
        objects: BTreeMap::new(),
        sets: BTreeMap::new(),
        numbers: 0,
        fresh: trellis_sequents::build::Fresh::starting_at(3_000_000),
    };
    let mut facts = Vec::new();
    let rest: Vec<&Term> =
        question.sequent.hypotheses.iter().filter(|h| !writer.is_structure(h)).collect();
    let goal = writer.formula(&question.sequent.goal, &Names::new()).ok()?;
    for h in rest {
        // A hypothesis that cannot be said may be left out.
        facts.extend(writer.formula(h, &Names::new()));
    }
    facts.extend(writer.of_values());
    Some(writer.file(&facts, &goal))
}

impl Writer {
    fn is_forest(&self) -> bool {
        self.backbone.len() > 1
    }

    /// Takes what says which heaps there are, and how derived fields lead.
    fn is_structure(&mut self, h: &Term) -> bool {
        match &h.kind {
            Kind::Op(Op::Tree, args) => super::symbols(args).as_ref() == Some(&self.backbone),
            Kind::Op(Op::ParentTree, args) => {
                let (Some(fields), Kind::Symbol(parent)) =
                    (super::symbols(&args[1..]), &args[0].kind)
                else {
                    return false;
                };
                if fields != self.backbone {
                    return false;
                }
                let constraint = self.parent(&args[1..]);
                self.determined.insert(*parent, constraint);
                true
            }
            Kind::Bind(Quantifier::Forall, binders, body) => self.takes_constraint(binders, body),
            _ => false,
        }
    }

    /// `y` is the parent of `x`, or null if `x` has none.
    fn parent(&mut self, fields: &[Term]) -> Constraint {
        let mut binder = |name: &str| self.fresh.binder(name, Type::Obj);
        let (x, y, z) = (binder("x"), binder("y"), binder("z"));
        let leads = |from: &Binder| {
            or(fields.iter().map(|f| eq(apply(f.clone(), vec![var(from)]), var(&x))).collect())
        };
        let real = ne(var(&x), null());
        let is = and(vec![real.clone(), ne(var(&y), null()), leads(&y)]);
        let has = and(vec![ne(var(&z), null()), leads(&z)]);
        let orphan = or(vec![not(real), not(bind(Quantifier::Exists, vec![z], has))]);
        let none = and(vec![eq(var(&y), null()), orphan]);
        (x, y, or(vec![is, none]))
    }

    /// `ALL x y. f x = y --> D`, or with an equivalence.
    fn takes_constraint(&mut self, binders: &[Binder], body: &Term) -> bool {
        let ([x, y], Kind::Op(by @ (Op::Implies | Op::Iff), sides)) = (binders, &body.kind) else {
            return false;
        };
        let Kind::Op(Op::Eq, ends) = &sides[0].kind else { return false };
        let Kind::Apply(head, args) = &ends[0].kind else { return false };
        let is = |t: &Term, b: &Binder| t.kind == Kind::Var(b.id);
        let (Kind::Symbol(field), [arg]) = (&head.kind, &args[..]) else { return false };
        if !is(arg, x) || !is(&ends[1], y) || self.backbone.contains(field) {
            return false;
        }
        let mut itself = false;
        sides[1].visit(&mut |t| itself |= t.kind == Kind::Symbol(*field));
        if itself || y.ty != Type::Obj {
            return false;
        }
        let constraint = (x.clone(), y.clone(), sides[1].clone());
        if *by == Op::Iff && !self.determined.contains_key(field) {
            self.determined.insert(*field, constraint);
        } else {
            self.constrained.entry(*field).or_default().push(constraint);
        }
        true
    }

    fn name(&mut self, prefix: &str) -> String {
        self.numbers += 1;
        format!("{prefix}{}", self.numbers)
    }

    /// A quantifier over objects.
    fn some(&self, all: bool, name: &str, body: &str) -> String {
        let (word, by) = if all { ("all1", "=>") } else { ("ex1", "&") };
        match self.is_forest() {
            true => format!("({word} [U] {name}: isnode({name}) {by} ({body}))"),
            false => format!("({word} {name}: ({body}))"),
        }
    }

    fn some_set(&self, all: bool, name: &str, body: &str) -> String {
        let word = if all { "all2" } else { "ex2" };
        let universe = if self.is_forest() { "[U] " } else { "" };
        format!("({word} {universe}{name}: ({body}))")
    }

    fn formula(&mut self, t: &Term, names: &Names) -> Said {
        let joined = |w: &mut Self, args: &[Term], by: &str| -> Said {
            let parts: Result<Vec<String>, _> = args.iter().map(|a| w.formula(a, names)).collect();
            Ok(format!("({})", parts?.join(by)))
        };
        match &t.kind {
            Kind::Comment(_, inner) => self.formula(inner, names),
            Kind::Op(Op::True, _) => Ok("true".into()),
            Kind::Op(Op::False, _) => Ok("false".into()),
            Kind::Op(Op::Not, args) => Ok(format!("(~{})", self.formula(&args[0], names)?)),
            Kind::Op(Op::And, args) => joined(self, args, " & "),
            Kind::Op(Op::Or, args) => joined(self, args, " | "),
            Kind::Op(Op::Implies, args) => joined(self, args, " => "),
            Kind::Op(Op::Iff, args) => joined(self, args, " <=> "),
            Kind::Op(Op::If, args) if t.ty == Type::Bool => {
                let [c, a, b] = [0, 1, 2].map(|i| self.formula(&args[i], names));
                let (c, a, b) = (c?, a?, b?);
                Ok(format!("(({c} & {a}) | (~{c} & {b}))"))
            }
            Kind::Op(Op::Eq, args) if args[0].ty == Type::Obj => {
                let (a, b) = (args[0].clone(), args[1].clone());
                let said = self.with(&a, names, &mut |w, x| {
                    w.with(&b, names, &mut |_, y| Ok(format!("eq({x},{y})")))
                });
                said.or_else(|_| self.replace(t, names))
            }
            Kind::Op(Op::Element, args) if args[0].ty == Type::Obj => {
                let set = match &args[1].kind {
                    Kind::Symbol(s) => self.set(*s),
                    Kind::Var(v) => names.get(v).cloned().ok_or(CannotSay)?,
                    _ => return self.replace(t, names),
                };
                let said =
                    self.with(&args[0].clone(), names, &mut |_, x| Ok(format!("mem({x},{set})")));
                said.or_else(|_| self.replace(t, names))
            }
            Kind::Op(Op::Reaches, args) if args[1].ty == Type::Obj => {
                self.closure(args, names).or_else(|_| self.replace(t, names))
            }
            Kind::Op(Op::Tree, fields) => {
                let tree = self.tree(fields);
                self.formula(&tree, names).or_else(|_| self.replace(t, names))
            }
            Kind::Bind(q @ (Quantifier::Forall | Quantifier::Exists), binders, body) => self
                .quantified(*q == Quantifier::Forall, binders, body, names)
                .or_else(|_| self.replace(t, names)),
            _ => self.replace(t, names),
        }
    }

    fn quantified(&mut self, all: bool, binders: &[Binder], body: &Term, names: &Names) -> Said {
        let mut inner = names.clone();
        let mut new = Vec::new();
        for b in binders {
            let prefix = match &b.ty {
                Type::Obj => "x",
                Type::Set(of) if **of == Type::Obj => "S",
                _ => return Err(CannotSay),
            };
            let name = self.name(prefix);
            inner.insert(b.id, name.clone());
            new.push((name, b.ty == Type::Obj));
        }
        let mut said = self.formula(body, &inner)?;
        for (name, object) in new.iter().rev() {
            said = match object {
                true => self.some(all, name, &said),
                false => self.some_set(all, name, &said),
            };
        }
        Ok(said)
    }

    /// Gives the name of a term to somebody who makes a formula with it.
    fn with(
        &mut self,
        t: &Term,
        names: &Names,
        then: &mut dyn FnMut(&mut Self, &str) -> Said,
    ) -> Said {
        match &t.kind {
            Kind::Var(v) => match names.get(v).cloned() {
                Some(name) => then(self, &name),
                None => Err(CannotSay),
            },
            Kind::Symbol(s) => {
                let name = format!("o{}", s.0);
                self.objects.insert(*s, name.clone());
                then(self, &name)
            }
            Kind::Op(Op::Null, _) => {
                let n = self.name("n");
                let said = then(self, &n)?;
                Ok(self.some(false, &n, &format!("null({n}) & {said}")))
            }
            Kind::Op(Op::If, args) => {
                let c = self.formula(&args[0], names)?;
                let a = self.with(&args[1], names, then)?;
                let b = self.with(&args[2], names, then)?;
                Ok(format!("(({c} & {a}) | (~{c} & {b}))"))
            }
            Kind::Apply(head, args) => {
                let (Kind::Symbol(field), [arg], Type::Obj) = (&head.kind, &args[..], &t.ty) else {
                    return Err(CannotSay);
                };
                let (field, arg) = (*field, arg.clone());
                let bound = !names.is_empty() && mentions(&arg, names);
                self.with(&arg, names, &mut |w, x| w.read(field, x, bound, names, then))
            }
            _ => Err(CannotSay),
        }
    }

    /// The value of a field.
    fn read(
        &mut self,
        field: SymbolId,
        x: &str,
        bound: bool,
        names: &Names,
        then: &mut dyn FnMut(&mut Self, &str) -> Said,
    ) -> Said {
        if let Some(i) = self.backbone.iter().position(|f| *f == field) {
            let z = self.name("z");
            let said = then(self, &z)?;
            return Ok(self.some(false, &z, &format!("field{i}({x},{z}) & {said}")));
        }
        if let Some((a, b, body)) = self.determined.get(&field).cloned() {
            let z = self.name("z");
            let said = then(self, &z)?;
            let leads = self.holds((a, b, body), x, &z, names)?;
            return Ok(self.some(false, &z, &format!("{leads} & {said}")));
        }
        if bound {
            return Err(CannotSay);
        }
        let known = self.values.iter().find(|(f, at, _)| *f == field && at == x);
        let value = match known {
            Some((_, _, value)) => value.clone(),
            None if x.starts_with('o') || x.starts_with('c') => {
                let value = self.name("c");
                self.values.push((field, x.to_owned(), value.clone()));
                value
            }
            // The value of a term that has no name outside.
            None => return Err(CannotSay),
        };
        then(self, &value)
    }

    fn holds(&mut self, constraint: Constraint, x: &str, y: &str, names: &Names) -> Said {
        let (a, b, body) = constraint;
        let lambda = bind(Quantifier::Lambda, vec![a, b], body);
        let Kind::Bind(_, binders, body) = rename(&lambda, &mut self.fresh).kind else {
            return Err(CannotSay);
        };
        let mut inner = names.clone();
        inner.insert(binders[0].id, x.to_owned());
        inner.insert(binders[1].id, y.to_owned());
        self.formula(&body, &inner)
    }

    /// What is known of the values of derived fields: constraints, and that equal arguments have
    /// equal values.
    fn of_values(&mut self) -> Vec<String> {
        let mut all = Vec::new();
        let mut done = 0;
        while done < self.values.len() {
            let (field, at, value) = self.values[done].clone();
            for constraint in self.constrained.get(&field).cloned().unwrap_or_default() {
                all.extend(self.holds(constraint, &at, &value, &Names::new()));
            }
            for (other, x, y) in &self.values[..done] {
                if *other == field {
                    all.push(format!("(eq({at},{x}) => eq({value},{y}))"));
                }
            }
            all.push(format!("(null({at}) => null({value}))"));
            done += 1;
        }
        all
    }

    fn set(&mut self, s: SymbolId) -> String {
        let name = format!("P{}", s.0);
        self.sets.insert(s, name.clone());
        name
    }

    /// Every set that has `a` and is closed under the relation has `b`.
    fn closure(&mut self, args: &[Term], names: &Names) -> Said {
        let Kind::Bind(Quantifier::Lambda, binders, body) = &args[0].kind else {
            return Err(CannotSay);
        };
        let [x, y] = &binders[..] else { return Err(CannotSay) };
        let (u, v, set) = (self.name("u"), self.name("v"), self.name("S"));
        let mut inner = names.clone();
        inner.insert(x.id, u.clone());
        inner.insert(y.id, v.clone());
        let step = self.formula(body, &inner)?;
        let step = format!("mem({u},{set}) & {step} => mem({v},{set})");
        let closed = self.some(true, &v, &step);
        let closed = self.some(true, &u, &closed);
        let (a, b) = (args[1].clone(), args[2].clone());
        self.with(&a, names, &mut |w, from| {
            w.with(&b, names, &mut |w, to| {
                let body = format!("mem({from},{set}) & {closed} => mem({to},{set})");
                Ok(w.some_set(true, &set, &body))
            })
        })
    }

    /// The definition of a tree.
    fn tree(&mut self, fields: &[Term]) -> Term {
        let mut binder = |name: &str| self.fresh.binder(name, Type::Obj);
        let (u, v) = (binder("u"), binder("v"));
        let at = |f: &Term, x: &Binder| apply(f.clone(), vec![var(x)]);
        let mut all = Vec::new();
        for (i, f) in fields.iter().enumerate() {
            for (j, g) in fields.iter().enumerate().skip(i) {
                let meet = and(vec![eq(at(f, &u), at(g, &v)), ne(at(f, &u), null())]);
                let same =
                    if i == j { eq(var(&u), var(&v)) } else { op(Op::False, vec![], Type::Bool) };
                all.push(bind(Quantifier::Forall, vec![u.clone(), v.clone()], implies(meet, same)));
            }
        }
        let (a, b) = (binder("a"), binder("b"));
        let step = or(fields.iter().map(|f| eq(at(f, &a), var(&b))).collect());
        let real = and(vec![ne(var(&a), null()), step]);
        let relation = bind(Quantifier::Lambda, vec![a, b], real);
        let x = binder("x");
        let down = fields.iter().map(|f| {
            let next = at(f, &x);
            and(vec![
                ne(next.clone(), null()),
                op(Op::Reaches, vec![relation.clone(), next, var(&x)], Type::Bool),
            ])
        });
        let back = or(down.collect());
        all.push(bind(
            Quantifier::Forall,
            vec![x.clone()],
            implies(ne(var(&x), null()), not(back)),
        ));
        let tree = rename(&and(all), &mut self.fresh);
        // Written fields at variables become case splits.
        trellis_sequents::reduce::Reducer { fresh: &mut self.fresh, domain: None }.reduce(&tree)
    }

    /// A truth value, or a set of objects, in place of something that cannot be said. What is said of
    /// one object, bound or not, is one set.
    fn replace(&mut self, t: &Term, names: &Names) -> Said {
        let (mut bound, mut free) = (Vec::new(), Vec::new());
        t.visit(&mut |part| match part.kind {
            Kind::Var(v) if names.contains_key(&v) && !bound.contains(&v) => bound.push(v),
            Kind::Symbol(s) if part.ty == Type::Obj && !free.contains(&s) => free.push(s),
            _ => {}
        });
        if t.ty != Type::Bool || bound.len() > 1 {
            return Err(CannotSay);
        }
        let about = match (&bound[..], &free[..]) {
            // A bound set is no object.
            ([v], _) => {
                Some((*v, names.get(v).cloned().filter(|x| !x.starts_with('S')).ok_or(CannotSay)?))
            }
            ([], [s]) => {
                let object = format!("o{}", s.0);
                self.objects.insert(*s, object.clone());
                Some((HOLE, object))
            }
            _ => None,
        };
        let t = match (&about, &free[..]) {
            (Some((HOLE, _)), [s]) => {
                let hole = trellis_sequents::build::term(Kind::Var(HOLE), Type::Obj);
                replace_symbols(t, &BTreeMap::from([(*s, hole)]))
            }
            _ => t.clone(),
        };
        let mut scope: Vec<VarId> = about.iter().map(|(v, _)| *v).collect();
        let mut text = String::new();
        let name = &mut |s: SymbolId, out: &mut String| out.push_str(&format!("s{}", s.0));
        write_key(&t, &mut scope, name, &mut text);
        // Of no object it is a truth value, so texts with and without one are kept apart.
        let letter = if about.is_some() { 'Q' } else { 'B' };
        let own = format!("{letter}{}", self.replaced.len());
        let own = self.replaced.entry(format!("{letter} {text}")).or_insert(own).clone();
        match about {
            Some((_, x)) => Ok(format!("mem({x},{own})")),
            None => Ok(own),
        }
    }

    fn file(&self, facts: &[String], goal: &str) -> String {
        let mut out = String::new();
        let universe = if self.is_forest() { "[U] " } else { "" };
        if self.is_forest() {
            let fields: Vec<String> =
                (0..self.backbone.len()).map(|i| format!("to{i}: Bb")).collect();
            let _ = writeln!(
                out,
                "ws2s;\ntype Bb = Bb_null, Bb_node({});\ntype HEAP = Empty, BbTree(bbroot: Bb, nxt: HEAP);\n\
                 universe U: HEAP;\ntree [U] Heap where (root(Heap) = root(U));\n\
                 pred null(var1 v) = variant(v, Heap, Bb, Bb_null);\n\
                 pred isnode(var1 v) = type(v, Bb) & v in Heap;",
                fields.join(", ")
            );
        } else {
            out.push_str(
                "m2l-str;\nvar2 NullSet where ex1 v: v in NullSet & (all1 w: ~(w = v + 1));\n\
                 pred null(var1 v) = v in NullSet;\npred isnode(var1 v) = true;\n",
            );
        }
        out.push_str("pred eq(var1 x, var1 y) = x = y | (null(x) & null(y));\n");
        let _ = writeln!(
            out,
            "pred mem(var1 x, var2 S) = ex1 {universe}z: isnode(z) & z in S & eq(x,z);"
        );
        for i in 0..self.backbone.len() {
            let next = match self.is_forest() {
                true => format!("succ(x, Bb, Bb_node, to{i})"),
                false => "x + 1".to_owned(),
            };
            let _ = writeln!(
                out,
                "pred field{i}(var1 x, var1 y) = (null(x) & null(y)) | (~null(x) & y = {next});"
            );
        }
        let values = self.values.iter().map(|(_, _, c)| c);
        for name in self.objects.values().chain(values) {
            let _ = writeln!(out, "var1 {universe}{name} where isnode({name});");
        }
        for name in self.sets.values() {
            let _ = writeln!(out, "var2 {universe}{name};");
        }
        for name in self.replaced.values() {
            let _ = match name.starts_with('B') {
                true => writeln!(out, "var0 {name};"),
                false => writeln!(out, "var2 {universe}{name};"),
            };
        }
        let _ = match facts.is_empty() {
            true => writeln!(out, "{goal};"),
            false => writeln!(out, "({}) => {goal};", facts.join("\n & ")),
        };
        out
    }
}

fn mentions(t: &Term, names: &Names) -> bool {
    let mut found = false;
    t.visit(&mut |part| found |= matches!(part.kind, Kind::Var(v) if names.contains_key(&v)));
    found
}
