//! The meaning of a model's definitions.
//!
//! A solver prints a function as a term over its parameters and the names of elements; here that
//! term is evaluated at a tuple of elements. Only what solvers print in models is understood.
//!
//! **Invariant**: evaluation ends, whatever the definitions: steps and depth are bounded.

use std::collections::BTreeMap;

use crate::sexpr::SExpr;

/// A value in a model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Datum {
    Bool(bool),
    Int(i128),
    /// An element of some sort.
    Elem(u32),
}

/// A `define-fun` of a model.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) parameters: Vec<String>,
    pub(crate) body: SExpr,
}

/// Evaluates terms of a model.
pub(crate) struct Interpreter<'a> {
    pub(crate) definitions: &'a BTreeMap<String, Definition>,
    /// The number of each element within its sort.
    pub(crate) elements: &'a BTreeMap<String, u32>,
    steps: u64,
    depth: u32,
}

const MAX_STEPS: u64 = 100_000_000;
/// Chains of `ite` do not count, however long.
const MAX_DEPTH: u32 = 500;

/// What parameters and bound names stand for, the innermost last.
type Bindings<'a> = Vec<(&'a str, Datum)>;

impl<'a> Interpreter<'a> {
    pub(crate) fn new(
        definitions: &'a BTreeMap<String, Definition>,
        elements: &'a BTreeMap<String, u32>,
    ) -> Self {
        Interpreter { definitions, elements, steps: 0, depth: 0 }
    }

    /// The value of a defined symbol at some arguments.
    pub(crate) fn apply(&mut self, name: &str, args: &[Datum]) -> Result<Datum, String> {
        let definition =
            self.definitions.get(name).ok_or_else(|| format!("`{name}` is not defined"))?;
        if definition.parameters.len() != args.len() {
            return Err(format!("`{name}` has the wrong number of parameters"));
        }
        let parameters = definition.parameters.iter().map(String::as_str);
        let mut scope: Bindings<'a> = parameters.zip(args.iter().copied()).collect();
        self.value(&definition.body, &mut scope)
    }

    fn value(&mut self, expr: &'a SExpr, scope: &mut Bindings<'a>) -> Result<Datum, String> {
        if self.depth >= MAX_DEPTH {
            return Err("a definition is nested too deeply".into());
        }
        self.depth += 1;
        let value = self.value_here(expr, scope);
        self.depth -= 1;
        value
    }

    fn value_here(
        &mut self,
        mut expr: &'a SExpr,
        scope: &mut Bindings<'a>,
    ) -> Result<Datum, String> {
        loop {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err("a definition is too long to evaluate".into());
            }
            let parts = match expr {
                SExpr::Atom(name) => return self.symbol(name, scope),
                SExpr::Text(_) => return Err("a string has no place here".into()),
                SExpr::List(parts) => parts,
            };
            let Some((SExpr::Atom(head), args)) = parts.split_first() else {
                return Err("an operator is missing".into());
            };
            match (head.as_str(), args) {
                ("as", [SExpr::Atom(element), _]) => return self.symbol(element, scope),
                ("ite", [condition, yes, no]) => {
                    expr = if self.truth(condition, scope)? { yes } else { no };
                }
                ("let", [SExpr::List(bindings), body]) => {
                    let mut bound = Vec::with_capacity(bindings.len());
                    for binding in bindings {
                        let Some([SExpr::Atom(name), term]) = binding.list() else {
                            return Err("a binding is malformed".into());
                        };
                        bound.push((name.as_str(), self.value(term, scope)?));
                    }
                    let outer = scope.len();
                    scope.extend(bound);
                    let value = self.value(body, scope);
                    scope.truncate(outer);
                    return value;
                }
                (head, args) => return self.operation(head, args, scope),
            }
        }
    }

    fn symbol(&mut self, name: &str, scope: &Bindings<'a>) -> Result<Datum, String> {
        if let Some((_, value)) = scope.iter().rev().find(|(bound, _)| *bound == name) {
            return Ok(*value);
        }
        match name {
            "true" => return Ok(Datum::Bool(true)),
            "false" => return Ok(Datum::Bool(false)),
            _ => {}
        }
        if let Some(&element) = self.elements.get(name) {
            return Ok(Datum::Elem(element));
        }
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            return name.parse().map(Datum::Int).map_err(|_| format!("`{name}` is too large"));
        }
        self.apply(name, &[])
    }

    fn truth(&mut self, expr: &'a SExpr, scope: &mut Bindings<'a>) -> Result<bool, String> {
        match self.value(expr, scope)? {
            Datum::Bool(value) => Ok(value),
            Datum::Int(_) | Datum::Elem(_) => Err("a truth value is expected".into()),
        }
    }

    fn operation(
        &mut self,
        head: &str,
        args: &'a [SExpr],
        scope: &mut Bindings<'a>,
    ) -> Result<Datum, String> {
        // The connectives that need not look at all operands.
        if let "and" | "or" = head {
            for arg in args {
                if self.truth(arg, scope)? == (head == "or") {
                    return Ok(Datum::Bool(head == "or"));
                }
            }
            return Ok(Datum::Bool(head == "and"));
        }
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            values.push(self.value(arg, scope)?);
        }
        match (head, &values[..]) {
            ("not", [Datum::Bool(a)]) => Ok(Datum::Bool(!a)),
            ("=>", [Datum::Bool(a), Datum::Bool(b)]) => Ok(Datum::Bool(!a || *b)),
            ("xor", [Datum::Bool(a), Datum::Bool(b)]) => Ok(Datum::Bool(a != b)),
            ("=", [first, rest @ ..]) => Ok(Datum::Bool(rest.iter().all(|v| v == first))),
            ("distinct", all) => {
                let distinct = all.iter().enumerate().all(|(i, v)| !all[..i].contains(v));
                Ok(Datum::Bool(distinct))
            }
            ("<=" | "<" | ">=" | ">" | "+" | "-" | "*", _) => arithmetic(head, &values),
            _ => self.apply(head, &values),
        }
    }
}

fn arithmetic(head: &str, values: &[Datum]) -> Result<Datum, String> {
    let numbers = values.iter().map(|value| match value {
        Datum::Int(n) => Ok(*n),
        Datum::Bool(_) | Datum::Elem(_) => Err("a number is expected".to_string()),
    });
    let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
    let sorted = |ordered: fn(&i128, &i128) -> bool| {
        Ok(Datum::Bool(numbers.windows(2).all(|pair| ordered(&pair[0], &pair[1]))))
    };
    let folded = |apply: fn(i128, i128) -> Option<i128>| {
        let mut rest = numbers.iter();
        let first = rest.next().copied();
        rest.fold(first, |sum, &n| sum.and_then(|sum| apply(sum, n)))
            .map(Datum::Int)
            .ok_or_else(|| "a number is too large".to_string())
    };
    match head {
        "<=" => sorted(i128::le),
        "<" => sorted(i128::lt),
        ">=" => sorted(i128::ge),
        ">" => sorted(i128::gt),
        "+" => folded(i128::checked_add),
        "*" => folded(i128::checked_mul),
        _ => match numbers[..] {
            [n] => n.checked_neg().map(Datum::Int).ok_or_else(|| "a number is too large".into()),
            _ => folded(i128::checked_sub),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sexpr::parse;

    fn definitions(text: &str) -> BTreeMap<String, Definition> {
        let one = |expr: SExpr| {
            let parts = expr.list()?.to_vec();
            let parameters = parts[1].list()?.iter().filter_map(|p| Some(p.atom()?.to_string()));
            let body = parts.last()?.clone();
            let name = parts[0].atom()?.to_string();
            Some((name, Definition { parameters: parameters.collect(), body }))
        };
        parse(text).into_iter().flatten().filter_map(one).collect()
    }

    #[test]
    fn evaluates() {
        let definitions = definitions(
            "(f (x) (let ((y (+ x 1))) (ite (and (< y 5) (distinct x y)) (g y) (- x))))
             (g (x) (* 10 x)) (loop () (not loop)) (big () 99999999999999999999999999999999999999999)",
        );
        let elements = BTreeMap::new();
        let mut run = Interpreter::new(&definitions, &elements);
        assert_eq!(run.apply("f", &[Datum::Int(2)]), Ok(Datum::Int(30)));
        assert_eq!(run.apply("f", &[Datum::Int(7)]), Ok(Datum::Int(-7)));
        assert!(run.apply("f", &[Datum::Bool(true)]).is_err());
        assert!(run.apply("loop", &[]).is_err());
        assert!(run.apply("big", &[]).is_err());
        assert!(run.apply("absent", &[]).is_err());
    }
}
