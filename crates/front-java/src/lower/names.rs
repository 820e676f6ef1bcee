//! What names in formulas mean.
//!
//! A name is looked for among the variables of the method, the members of the class, and then the
//! members of all classes; `C.f` is member `f` of class `C`. A field is a function from objects; on
//! its own, in a class that has it, `f` stands for `this..f`. A class is the set of its objects and
//! null.
//!
//! **Invariant:** every symbol of the formula has a meaning with the same number.

use std::collections::BTreeMap;
use std::sync::Arc;

use trellis_hol::{
    Meaning, Naming, Node, Position, Symbol, SymbolId, Syntax, Type as HolType, elaborate,
};
use trellis_program::ir::Reg;
use trellis_program::source::suggest;
use trellis_program::spec::{FieldRef, HolMeaning, Term};

use super::first_order::Of;
use super::types::{ClassId, Classes, Ty};
use super::{Lower, SpecVar};

/// The variables that a formula may name.
#[derive(Clone, Default)]
pub(crate) struct Locals {
    /// Variables of the method: their values, and their types.
    pub vars: BTreeMap<String, (Term, Ty)>,
    /// Specification variables of the method.
    pub spec_vars: Vec<SpecVar>,
    /// What `this` is, where there is one.
    pub this: Option<Term>,
    /// The type of `result`, where there is one.
    pub result: Option<Ty>,
}

/// Names as a formula of a class sees them.
pub(crate) struct Names<'l> {
    lower: &'l Lower<'l>,
    class: ClassId,
    locals: Locals,
    pub symbols: Vec<Symbol>,
    pub meanings: Vec<HolMeaning>,
    pub args: Vec<Term>,
    /// What objects the arguments may be.
    pub kinds: Vec<Of>,
    known: BTreeMap<String, SymbolId>,
    next: u32,
    /// Definitions that are being looked at.
    open: Vec<String>,
    /// Why the formula is outside the subset.
    pub unsupported: Option<String>,
    /// Whether `this` was named, or something that it has.
    pub uses_this: bool,
}

type Found = Result<Meaning, (String, Option<String>)>;

impl<'l> Names<'l> {
    pub(crate) fn new(lower: &'l Lower<'l>, class: ClassId, locals: Locals) -> Names<'l> {
        Names {
            lower,
            class,
            locals,
            symbols: Vec::new(),
            meanings: Vec::new(),
            args: Vec::new(),
            kinds: Vec::new(),
            known: BTreeMap::new(),
            next: 0,
            open: Vec::new(),
            unsupported: None,
            uses_this: false,
        }
    }

    fn add(&mut self, key: String, symbol: Symbol, meaning: HolMeaning) -> SymbolId {
        let id = SymbolId(self.symbols.len() as u32);
        self.symbols.push(symbol);
        self.meanings.push(meaning);
        self.known.insert(key, id);
        id
    }

    /// The symbol of a key, or a new one.
    fn symbol_of(
        &mut self,
        key: String,
        name: &str,
        ty: HolType,
        meaning: impl FnOnce(&mut Self) -> HolMeaning,
    ) -> SymbolId {
        if let Some(id) = self.known.get(&key) {
            return *id;
        }
        let meaning = meaning(self);
        self.add(key, Symbol { name: name.to_owned(), ty, definition: None }, meaning)
    }

    fn argument(&mut self, key: String, name: &str, ty: &Ty, term: Term) -> SymbolId {
        let of = match ty {
            Ty::Class(class) => Of::Class(self.lower.classes.types[class.0]),
            Ty::Object | Ty::Array(_) | Ty::Unknown => Of::Any,
            Ty::Int(_) | Ty::Bool | Ty::Null | Ty::Void => Of::Nothing,
        };
        self.symbol_of(key, name, ty.in_logic(), |names| {
            names.args.push(term);
            names.kinds.push(of);
            HolMeaning::Argument(names.args.len() - 1)
        })
    }

    fn no(message: String) -> Found {
        Err((message, None))
    }

    fn refuse(&mut self, reason: String) -> Found {
        self.unsupported.get_or_insert(reason.clone());
        Self::no(reason)
    }

    fn local(&mut self, name: &str, position: Position) -> Option<Found> {
        if name == "this" {
            self.uses_this = true;
            let Some(this) = self.locals.this.clone() else {
                return Some(Self::no("there is no `this` here".to_owned()));
            };
            let ty = Ty::Class(self.class);
            return Some(Ok(Meaning::Symbol(self.argument("this".into(), "this", &ty, this))));
        }
        if name == "result"
            && let Some(ty) = self.locals.result.clone()
        {
            let result = self.argument("result".into(), "result", &ty, Term::Result);
            return Some(Ok(Meaning::Symbol(result)));
        }
        let spec_var = self.locals.spec_vars.iter().rev().find(|v| v.name == name).cloned();
        let as_function = position == Position::Function;
        if let Some(var) = spec_var
            && (!as_function || matches!(var.ty, HolType::Fun(..)))
        {
            return Some(self.spec_var(&var, None));
        }
        // A variable of the program is no function: in `x..f` a field is meant.
        if as_function {
            return None;
        }
        let (term, ty) = self.locals.vars.get(name)?.clone();
        let key = format!("local {name}");
        Some(Ok(Meaning::Symbol(self.argument(key, name, &ty, term))))
    }

    /// A member of a class; whether it belongs to objects.
    fn member(&mut self, class: ClassId, name: &str) -> Option<(Found, bool)> {
        let lower = self.lower;
        let info = lower.info(class);
        let shown = format!("{}.{name}", lower.classes.names[class.0]);
        if let Some(s) = info.statics.iter().find(|s| s.name == name) {
            let term = Term::Reg(Reg::Global(s.global));
            let id = self.argument(shown.clone(), &shown, &s.ty, term);
            return Some((Ok(Meaning::Symbol(id)), false));
        }
        if let Some(f) = info.fields.iter().find(|f| f.name == name) {
            let ty = HolType::fun(HolType::Obj, f.ty.in_logic());
            let field = FieldRef {
                owner: lower.classes.types[class.0],
                offset: f.offset,
                scalar: f.scalar,
                name: f.name.clone(),
            };
            let id = self.symbol_of(shown.clone(), &shown, ty, |_| HolMeaning::Field(field));
            return Some((Ok(Meaning::Symbol(id)), true));
        }
        let var = info.spec_vars.iter().find(|v| v.name == name)?;
        Some((self.spec_var(var, Some(class)), !var.is_static))
    }

    /// A specification variable: what it is defined as.
    fn spec_var(&mut self, var: &SpecVar, class: Option<ClassId>) -> Found {
        let shown = match class {
            Some(c) => format!("{}.{}", self.lower.classes.names[c.0], var.name),
            None => var.name.clone(),
        };
        let of_objects = class.is_some() && !var.is_static;
        let key = format!("spec {shown}");
        if let Some(id) = self.known.get(&key) {
            return Ok(Meaning::Symbol(*id));
        }
        let Some((node, _)) = &var.definition else {
            return self.refuse(format!(
                "`{}`, a specification variable of type `{}` without a definition",
                var.name, var.ty
            ));
        };
        if self.open.contains(&key) {
            return self.refuse(format!("`{}`, which is defined by itself", var.name));
        }
        self.open.push(key.clone());
        let (node, ty) = match of_objects {
            true => (of_this(node), HolType::fun(HolType::Obj, var.ty.clone())),
            false => (node.clone(), var.ty.clone()),
        };
        // A definition of a class sees no variable of a method, and `this` only if it is bound.
        let outer = class.map(|c| {
            let locals = std::mem::take(&mut self.locals);
            (locals, std::mem::replace(&mut self.class, c))
        });
        let term = elaborate(&node, &ty, self);
        if let Some((locals, class)) = outer {
            self.locals = locals;
            self.class = class;
        }
        self.open.pop();
        // It is complained about where it stands.
        let wrong = |_| (format!("the definition of `{}` is wrong", var.name), None);
        let term = term.map_err(wrong)?;
        let symbol = Symbol { name: shown, ty, definition: Some(Arc::new(term)) };
        Ok(Meaning::Symbol(self.add(key, symbol, HolMeaning::Defined)))
    }

    fn class_set(&mut self, name: &str) -> Option<SymbolId> {
        let ty = HolType::set(HolType::Obj);
        if name == "Object" {
            return Some(self.symbol_of(name.into(), name, ty, |_| HolMeaning::Objects));
        }
        let class = self.lower.classes.find(name)?;
        let id = self.lower.classes.types[class.0];
        Some(self.symbol_of(name.into(), name, ty, |_| HolMeaning::Class(id)))
    }

    /// Names that every program has.
    fn builtin(&mut self, name: &str) -> Option<Found> {
        let set = HolType::set(HolType::Obj);
        match name {
            "alloc" | "Object.alloc" | "alloc.Object" => {
                let id = self.symbol_of("alloc".into(), "alloc", set, |_| HolMeaning::Allocated);
                Some(Ok(Meaning::Symbol(id)))
            }
            "hidden" | "Object.hidden" => {
                let Some(mark) = self.lower.hidden else {
                    return Some(self.refuse("`hidden` in the code of a method".to_owned()));
                };
                let id = self.symbol_of("hidden".into(), "hidden", set, |_| HolMeaning::Mark(mark));
                Some(Ok(Meaning::Symbol(id)))
            }
            "length" | "Array.length" => {
                let ty = HolType::fun(HolType::Obj, HolType::Int);
                let id =
                    self.symbol_of("length".into(), "Array.length", ty, |_| HolMeaning::Length);
                Some(Ok(Meaning::Symbol(id)))
            }
            "arrayState" | "Array.arrayState" => {
                Some(self.refuse("the contents of all arrays as one value".to_owned()))
            }
            _ => None,
        }
    }

    fn qualified(&mut self, class: &str, name: &str) -> Found {
        let Some(id) = self.lower.classes.find(class) else {
            let near = suggest(class, self.lower.classes.names.iter().map(String::as_str));
            let help = near.map(|n| format!("did you mean `{n}.{name}`?"));
            return Err((format!("no class is called `{class}`"), help));
        };
        if let Some((found, _)) = self.member(id, name) {
            return found;
        }
        let members = self.members(id);
        let near = suggest(name, members.iter().map(String::as_str));
        let help = near.map(|n| format!("did you mean `{class}.{n}`?"));
        Err((format!("`{class}` has no member `{name}`"), help))
    }

    fn members(&self, class: ClassId) -> Vec<String> {
        let info = self.lower.info(class);
        let fields = info.fields.iter().map(|f| f.name.clone());
        let statics = info.statics.iter().map(|s| s.name.clone());
        fields.chain(statics).chain(info.spec_vars.iter().map(|v| v.name.clone())).collect()
    }

    /// A member of whichever class has one of that name.
    fn anywhere(&mut self, name: &str) -> Option<Found> {
        let has = |c: &ClassId| self.members(*c).iter().any(|m| m == name);
        let owners: Vec<ClassId> = self.lower.class_ids().filter(has).collect();
        match owners[..] {
            [] => None,
            [one] => self.member(one, name).map(|(found, _)| found),
            [first, second, ..] => {
                let names = &self.lower.classes.names;
                let (a, b) = (&names[first.0], &names[second.0]);
                let help = format!("write `{a}.{name}` or `{b}.{name}`");
                Some(Err((format!("several classes have a member `{name}`"), Some(help))))
            }
        }
    }

    fn unknown(&self, name: &str) -> Found {
        let mut all: Vec<String> = self.locals.vars.keys().cloned().collect();
        all.extend(self.locals.spec_vars.iter().map(|v| v.name.clone()));
        all.extend(self.lower.class_ids().flat_map(|c| self.members(c)));
        all.extend(self.lower.classes.names.iter().cloned());
        all.extend(["null", "True", "False", "this", "result", "alloc"].map(str::to_owned));
        let near = suggest(name, all.iter().map(String::as_str));
        let help = near.map(|n| format!("did you mean `{n}`?"));
        Err((format!("nothing is called `{name}` here"), help))
    }

    /// The invariant of a name: `theinv name`.
    pub(crate) fn invariant(&self, name: &str) -> Option<&'l super::contract::Invariant> {
        self.lower.invariants.iter().find(|i| i.name.as_deref() == Some(name))
    }
}

impl Naming for Names<'_> {
    fn resolve(&mut self, name: &str, position: Position) -> Found {
        if let Some(found) = self.local(name, position) {
            return found;
        }
        if let Some(found) = self.builtin(name) {
            return found;
        }
        if let Some((class, member)) = name.rsplit_once('.') {
            let class = class.rsplit('.').next().unwrap_or(class);
            return self.qualified(class, member);
        }
        if let Some((found, of_objects)) = self.member(self.class, name) {
            let Meaning::Symbol(id) = found? else { return self.unknown(name) };
            // In a static method there is no `this` to have it.
            self.uses_this |= of_objects && position == Position::Value;
            return Ok(match of_objects && position == Position::Value {
                true => Meaning::OfThis(id),
                false => Meaning::Symbol(id),
            });
        }
        if let Some(id) = self.class_set(name) {
            return Ok(Meaning::Symbol(id));
        }
        match self.anywhere(name) {
            Some(found) => found,
            None => self.unknown(name),
        }
    }

    fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }
}

/// `% this. F`.
fn of_this(node: &Node) -> Node {
    let bound = ("this".to_owned(), Some(HolType::Obj), node.at);
    Node { kind: Syntax::Binder("%", vec![bound], Box::new(node.clone())), at: node.at }
}

/// `ALL this. this ~= null & this : C --> F`.
pub(crate) fn for_all_this(node: &Node, class: &str) -> Node {
    let at = node.at;
    let make = |kind| Node { kind, at };
    let this = || make(Syntax::Name("this".to_owned()));
    let null = make(Syntax::Op("null", vec![]));
    let not_null = make(Syntax::Op("~=", vec![this(), null]));
    let of_class = make(Syntax::Op(":", vec![this(), make(Syntax::Name(class.to_owned()))]));
    let guard = make(Syntax::Op("&", vec![not_null, of_class]));
    let body = make(Syntax::Op("-->", vec![guard, node.clone()]));
    let bound = ("this".to_owned(), Some(HolType::Obj), at);
    make(Syntax::Binder("ALL", vec![bound], Box::new(body)))
}

/// Whether ghost state of this type can be kept.
pub(crate) fn fits_a_cell(ty: &HolType) -> bool {
    Classes::of_logic(ty).is_some()
}
