//! Isabelle/HOL: the notation that these formulas come from.

use std::fmt::Write;

use trellis_hol::{Kind, Op, Quantifier, Term, Type};

use super::{binder_name, symbol_name, variable_name};
use crate::Question;

const PRELUDE: &str = "\
typedecl obj
consts null :: obj

definition step :: \"(obj => obj) list => (obj * obj) set\" where
  \"step fs = {(x, y). x ~= null & y ~= null & (EX f : set fs. f x = y)}\"
definition tree :: \"(obj => obj) list => bool\" where
  \"tree fs = ((ALL x. (x, x) ~: (step fs)^+) &
    (ALL i j x y. i < length fs & j < length fs & x ~= null & y ~= null &
       (fs ! i) x ~= null & (fs ! i) x = (fs ! j) y --> i = j & x = y))\"
definition ptree :: \"(obj => obj) => (obj => obj) list => bool\" where
  \"ptree p fs = (tree fs & (ALL x y. x ~= null --> (p x = y & y ~= null) = ((y, x) : step fs)))\"
definition rtrancl_pt :: \"('a => 'a => bool) => 'a => 'a => bool\" where
  \"rtrancl_pt r a b = ((a, b) : {(x, y). r x y}^*)\"
";

pub(super) fn write(question: &Question<'_>, title: &str, comment: &str) -> String {
    let comment = comment.replace("(*", "( *").replace("*)", "* )");
    let mut out = format!("(* {comment} *)\ntheory {title}\n  imports Main\nbegin\n\n{PRELUDE}\n");
    for s in question.sequent.symbols() {
        let symbol = &question.symbols[s.0 as usize];
        let name = symbol_name(&symbol.name, s.0);
        let _ = writeln!(out, "consts {name} :: \"{}\" (* {} *)", ty(&symbol.ty), symbol.name);
    }
    out.push_str("\ntheorem sequent:\n");
    for (i, h) in question.sequent.hypotheses.iter().enumerate() {
        let word = if i == 0 { "assumes" } else { "and" };
        let _ = writeln!(out, "  {word} h{i}: \"{}\"", show(question, h));
    }
    let _ = writeln!(out, "  shows \"{}\"\n  sorry\n\nend", show(question, &question.sequent.goal));
    out
}

fn ty(t: &Type) -> String {
    match t {
        Type::Unit | Type::Var(_) => "unit".into(),
        Type::Set(of) => format!("({} set)", ty(of)),
        Type::List(of) => format!("({} list)", ty(of)),
        Type::Fun(a, b) => format!("({} => {})", ty(a), ty(b)),
        Type::Prod(parts) => {
            format!("({})", parts.iter().map(ty).collect::<Vec<_>>().join(" * "))
        }
        Type::Bool | Type::Int | Type::Obj => t.to_string(),
    }
}

fn show(q: &Question<'_>, t: &Term) -> String {
    let list =
        |args: &[Term], by: &str| args.iter().map(|a| show(q, a)).collect::<Vec<_>>().join(by);
    match &t.kind {
        Kind::Var(v) => variable_name(*v),
        Kind::Symbol(s) => symbol_name(&q.symbols[s.0 as usize].name, s.0),
        Kind::Int(i) => format!("({i}::int)"),
        Kind::Comment(_, inner) => show(q, inner),
        Kind::Apply(head, args) => format!("({} {})", show(q, head), list(args, " ")),
        Kind::Bind(by, binders, body) => {
            let bound: Vec<String> =
                binders.iter().map(|b| format!("({}::{})", binder_name(b), ty(&b.ty))).collect();
            let body = show(q, body);
            match by {
                Quantifier::Forall => format!("(ALL {}. {body})", bound.join(" ")),
                Quantifier::Exists => format!("(EX {}. {body})", bound.join(" ")),
                Quantifier::Lambda => format!("(%{}. {body})", bound.join(" ")),
                Quantifier::Comprehension if binders.len() > 1 => {
                    let names: Vec<String> = binders.iter().map(binder_name).collect();
                    format!("{{({}). {body}}}", names.join(", "))
                }
                Quantifier::Comprehension => format!("{{{}. {body}}}", binder_name(&binders[0])),
            }
        }
        Kind::Op(o, args) => operation(q, *o, args, &list),
    }
}

fn operation(
    q: &Question<'_>,
    o: Op,
    args: &[Term],
    list: &dyn Fn(&[Term], &str) -> String,
) -> String {
    let infix = |by: &str| format!("({})", list(args, by));
    match o {
        Op::True => "True".into(),
        Op::False => "False".into(),
        Op::Null => "null".into(),
        Op::EmptySet => "{}".into(),
        Op::Universe => "UNIV".into(),
        Op::Not => format!("(~ {})", show(q, &args[0])),
        Op::And => infix(" & "),
        Op::Or => infix(" | "),
        Op::Implies => infix(" --> "),
        Op::Iff | Op::Eq => infix(" = "),
        Op::Less => infix(" < "),
        Op::LessEq | Op::SubsetEq => infix(" <= "),
        Op::Subset => infix(" < "),
        Op::Element => infix(" : "),
        Op::Union => infix(" Un "),
        Op::Inter => infix(" Int "),
        Op::Difference | Op::Minus => infix(" - "),
        Op::Plus => infix(" + "),
        Op::Times => infix(" * "),
        Op::Div => infix(" div "),
        Op::Mod => infix(" mod "),
        Op::Negate => format!("(- {})", show(q, &args[0])),
        Op::Card => format!("(int (card {}))", show(q, &args[0])),
        Op::If => {
            let [c, a, b] = [0, 1, 2].map(|i| show(q, &args[i]));
            format!("(if {c} then {a} else {b})")
        }
        Op::Listed => format!("{{{}}}", list(args, ", ")),
        Op::Tuple => format!("({})", list(args, ", ")),
        Op::List => format!("[{}]", list(args, ", ")),
        Op::Closure => format!("({}^*)", show(q, &args[0])),
        Op::Reaches => format!("(rtrancl_pt {})", list(args, " ")),
        Op::Tree => format!("(tree [{}])", list(args, ", ")),
        Op::ParentTree => format!("(ptree {} [{}])", show(q, &args[0]), list(&args[1..], ", ")),
        Op::Update => {
            let [f, x, v] = [0, 1, 2].map(|i| show(q, &args[i]));
            format!("({f}({x} := {v}))")
        }
        Op::Old => show(q, &args[0]),
        Op::Element1 => "null".into(),
    }
}
