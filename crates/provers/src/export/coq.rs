//! Coq: truth values are propositions, sets are predicates, conditional terms use classical logic.

use std::fmt::Write;

use trellis_hol::{Kind, Op, Quantifier, Term, Type};

use super::{binder_name, symbol_name, variable_name};
use crate::Question;

const PRELUDE: &str = "\
Require Import ZArith Relations ClassicalDescription List.
Import ListNotations.
Open Scope Z_scope.

Parameter Obj : Type.
Parameter null : Obj.
Parameter card : forall {A : Type}, (A -> Prop) -> Z.

Definition ite {A : Type} (P : Prop) (a b : A) : A :=
  if excluded_middle_informative P then a else b.
Definition update {A B : Type} (f : A -> B) (x : A) (v : B) : A -> B :=
  fun y => ite (y = x) v (f y).
Definition step (fs : list (Obj -> Obj)) (x y : Obj) : Prop :=
  x <> null /\\ y <> null /\\ exists f, In f fs /\\ f x = y.
Definition tree (fs : list (Obj -> Obj)) : Prop :=
  (forall x, ~ clos_trans Obj (step fs) x x) /\\
  (forall i j f g x y, nth_error fs i = Some f -> nth_error fs j = Some g ->
     x <> null -> y <> null -> f x <> null -> f x = g y -> i = j /\\ x = y).
Definition ptree (p : Obj -> Obj) (fs : list (Obj -> Obj)) : Prop :=
  tree fs /\\ (forall x y, x <> null -> (p x = y /\\ y <> null <-> step fs y x)).
";

pub(super) fn write(question: &Question<'_>, title: &str, comment: &str) -> String {
    // A comment must not end before its end.
    let comment = comment.replace("(*", "( *").replace("*)", "* )").replace('"', "'");
    let mut out = format!("(* {title}\n{comment} *)\n{PRELUDE}\n");
    for s in question.sequent.symbols() {
        let symbol = &question.symbols[s.0 as usize];
        let name = symbol_name(&symbol.name, s.0);
        let _ = writeln!(out, "(* {} *)\nParameter {name} : {}.", symbol.name, ty(&symbol.ty));
    }
    let _ = writeln!(out, "\nTheorem sequent :");
    for h in &question.sequent.hypotheses {
        let _ = writeln!(out, "  {} ->", show(question, h));
    }
    let _ = writeln!(
        out,
        "  {}.\nProof.\n  intros.\nAdmitted.",
        show(question, &question.sequent.goal)
    );
    out
}

fn ty(t: &Type) -> String {
    match t {
        Type::Bool => "Prop".into(),
        Type::Int => "Z".into(),
        Type::Obj => "Obj".into(),
        Type::Unit | Type::Var(_) => "unit".into(),
        Type::Set(of) => format!("({} -> Prop)", ty(of)),
        Type::List(of) => format!("(list {})", ty(of)),
        Type::Fun(a, b) => format!("({} -> {})", ty(a), ty(b)),
        Type::Prod(parts) => {
            format!("({})", parts.iter().map(ty).collect::<Vec<_>>().join(" * "))
        }
    }
}

fn show(q: &Question<'_>, t: &Term) -> String {
    let list =
        |args: &[Term], by: &str| args.iter().map(|a| show(q, a)).collect::<Vec<_>>().join(by);
    match &t.kind {
        Kind::Var(v) => variable_name(*v),
        Kind::Symbol(s) => symbol_name(&q.symbols[s.0 as usize].name, s.0),
        Kind::Int(i) => format!("({i})"),
        Kind::Comment(_, inner) => show(q, inner),
        Kind::Apply(head, args) => format!("({} {})", show(q, head), list(args, " ")),
        Kind::Bind(by, binders, body) => {
            let bound: Vec<String> =
                binders.iter().map(|b| format!("({} : {})", binder_name(b), ty(&b.ty))).collect();
            let (bound, body) = (bound.join(" "), show(q, body));
            match by {
                Quantifier::Forall => format!("(forall {bound}, {body})"),
                Quantifier::Exists => format!("(exists {bound}, {body})"),
                Quantifier::Comprehension if binders.len() > 1 => {
                    let names: Vec<String> = binders.iter().map(binder_name).collect();
                    let whole = match &t.ty {
                        Type::Set(of) => ty(of),
                        other => ty(other),
                    };
                    format!("(fun p : {whole} => let '({}) := p in {body})", names.join(", "))
                }
                _ => format!("(fun {bound} => {body})"),
            }
        }
        Kind::Op(o, args) => operation(q, *o, args, t, &list),
    }
}

fn operation(
    q: &Question<'_>,
    o: Op,
    args: &[Term],
    t: &Term,
    list: &dyn Fn(&[Term], &str) -> String,
) -> String {
    let infix = |by: &str| format!("({})", list(args, by));
    let pointwise = |f: &dyn Fn(String, String) -> String| {
        let inside = |a: &Term| format!("({} e)", show(q, a));
        format!("(fun e => {})", f(inside(&args[0]), inside(&args[1])))
    };
    match o {
        Op::True => "True".into(),
        Op::False => "False".into(),
        Op::Null => "null".into(),
        Op::EmptySet => "(fun _ => False)".into(),
        Op::Universe => "(fun _ => True)".into(),
        Op::Not => format!("(~ {})", show(q, &args[0])),
        Op::And => infix(" /\\ "),
        Op::Or => infix(" \\/ "),
        Op::Implies => infix(" -> "),
        Op::Iff => infix(" <-> "),
        Op::Eq => infix(" = "),
        Op::Less => infix(" < "),
        Op::LessEq => infix(" <= "),
        Op::Plus => infix(" + "),
        Op::Minus => infix(" - "),
        Op::Times => infix(" * "),
        Op::Div => infix(" / "),
        Op::Mod => infix(" mod "),
        Op::Negate => format!("(- {})", show(q, &args[0])),
        Op::Element => format!("({} {})", show(q, &args[1]), show(q, &args[0])),
        Op::SubsetEq => {
            format!("(forall e, {} e -> {} e)", show(q, &args[0]), show(q, &args[1]))
        }
        Op::Subset => {
            let (a, b) = (show(q, &args[0]), show(q, &args[1]));
            format!("((forall e, {a} e -> {b} e) /\\ ~ (forall e, {a} e <-> {b} e))")
        }
        Op::Union => pointwise(&|a, b| format!("{a} \\/ {b}")),
        Op::Inter => pointwise(&|a, b| format!("{a} /\\ {b}")),
        Op::Difference => pointwise(&|a, b| format!("{a} /\\ ~ {b}")),
        Op::Listed => {
            let parts: Vec<String> = args.iter().map(|a| format!("e = {}", show(q, a))).collect();
            format!("(fun e => {})", parts.join(" \\/ "))
        }
        Op::Card => format!("(card {})", show(q, &args[0])),
        Op::If if t.ty == Type::Bool => {
            let [c, a, b] = [0, 1, 2].map(|i| show(q, &args[i]));
            format!("(({c} -> {a}) /\\ (~ {c} -> {b}))")
        }
        Op::If => format!("(ite {})", list(args, " ")),
        Op::Tuple => format!("({})", list(args, ", ")),
        Op::List => format!("[{}]", list(args, "; ")),
        Op::Reaches => format!("(clos_refl_trans _ {})", list(args, " ")),
        Op::Closure => {
            format!(
                "(fun p => clos_refl_trans _ (fun x y => {} (x, y)) (fst p) (snd p))",
                show(q, &args[0])
            )
        }
        Op::Tree => format!("(tree [{}])", list(args, "; ")),
        Op::ParentTree => format!("(ptree {} [{}])", show(q, &args[0]), list(&args[1..], "; ")),
        Op::Update => format!("(update {})", list(args, " ")),
        Op::Old => show(q, &args[0]),
        // Elements of arrays have functions of their own.
        Op::Element1 => "null".into(),
    }
}
