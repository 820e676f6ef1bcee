//! What sequents speak of: the variables, fields and arrays of a procedure, now and at entry.
//!
//! A field is a function from objects, the elements of all arrays of one type are a function from
//! objects and integers, a class is the set of its objects and null. Where a procedure changes
//! something, it has two symbols, one for now and one for the entry; everything else has one, so what
//! was known of it at the entry stays known. Functions are total: where the program has no value,
//! they have null, or any number in range.
//!
//! **Invariant.** Symbols are made on demand and never change their meaning.

use std::collections::{BTreeMap, BTreeSet};

use trellis_hol::{Binder, Quantifier, Symbol, SymbolId, Term, Type};
use trellis_program::{
    BlockId, Expr, InstrKind, IntKind, ProcId, Program, Reg, Scalar, Type as CType, TypeId,
};

use crate::build::{
    Fresh, and, apply, bind, element, eq, implies, int, le, ne, null, or, replace_symbols, symbol,
    var,
};

/// A part of the state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Item {
    /// A variable.
    Reg(Reg),
    /// A field: its class, and where it is.
    Field(TypeId, u32),
    /// The elements of arrays: 0 of objects, 1 of integers, 2 of truth values.
    Elements(u8),
    /// The objects that exist.
    Allocated,
}

/// Which state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum View {
    /// Now.
    Now,
    /// At entry.
    Entry,
}

/// What a symbol is, as far as definedness depends on it.
#[derive(Clone, PartialEq, Debug)]
pub enum Role {
    /// Total.
    Plain,
    /// A field that has no value at objects of other classes: the class, and who exists.
    Partial(SymbolId, Option<SymbolId>),
    /// The length of arrays.
    Length,
    /// Elements of arrays of one of these classes, among those who exist.
    Elements(Vec<SymbolId>, Option<SymbolId>),
}

/// The symbols of a procedure.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The symbols.
    pub symbols: Vec<Symbol>,
    /// Numbers for bound variables.
    pub fresh: Fresh,
    roles: Vec<Role>,
    items: BTreeMap<Item, [SymbolId; 2]>,
    classes: BTreeMap<TypeId, SymbolId>,
    length: Option<SymbolId>,
    arrays: Option<SymbolId>,
    results: BTreeMap<u8, SymbolId>,
    /// Fields that are undefined at null, and the total ones they stand for.
    strict: BTreeMap<SymbolId, SymbolId>,
    modified: BTreeSet<Item>,
    allocates: bool,
}

/// The type of a scalar in the logic.
pub fn logical(scalar: Scalar) -> Option<Type> {
    Some(match scalar {
        Scalar::Int(IntKind { bits: 1, .. }) => Type::Bool,
        Scalar::Int(_) => Type::Int,
        Scalar::Ptr(_) => Type::Obj,
        Scalar::Float(_) | Scalar::Bits(_) => return None,
    })
}

/// The least and the largest integer of a kind.
pub fn range(kind: IntKind) -> (i128, i128) {
    let bits = u32::from(kind.bits);
    match kind.signed {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    }
}

/// Which array function elements of a type have.
pub fn elements_of(ty: &Type) -> u8 {
    match ty {
        Type::Obj => 0,
        Type::Int => 1,
        _ => 2,
    }
}

impl Signature {
    /// That of a procedure without calls.
    pub fn new(program: &Program, proc: ProcId) -> Signature {
        let mut signature = Signature {
            symbols: Vec::new(),
            fresh: Fresh::default(),
            roles: Vec::new(),
            items: BTreeMap::new(),
            classes: BTreeMap::new(),
            length: None,
            arrays: None,
            results: BTreeMap::new(),
            strict: BTreeMap::new(),
            modified: BTreeSet::new(),
            allocates: false,
        };
        if let Some(body) = &program.proc(proc).body {
            for b in 0..body.blocks.len() {
                for instr in &body.block(BlockId(b as u32)).instrs {
                    signature.modified.extend(written(program, proc, &instr.kind));
                }
            }
        }
        signature.allocates = signature.modified.contains(&Item::Allocated);
        signature
    }

    /// Whether the procedure makes objects.
    pub fn allocates(&self) -> bool {
        self.allocates
    }

    /// A symbol of its own.
    pub fn add(&mut self, name: &str, ty: Type, role: Role) -> SymbolId {
        let taken = |n: &str| self.symbols.iter().any(|s| s.name == n);
        let mut own = name.to_owned();
        let mut number = 2;
        while taken(&own) {
            own = format!("{name}_{number}");
            number += 1;
        }
        self.symbols.push(Symbol { name: own, ty, definition: None });
        self.roles.push(role);
        SymbolId(self.symbols.len() as u32 - 1)
    }

    /// A new constant.
    pub fn constant(&mut self, name: &str, ty: Type) -> Term {
        let id = self.add(name, ty.clone(), Role::Plain);
        symbol(id, ty)
    }

    /// The term of a symbol.
    pub fn term(&self, id: SymbolId) -> Term {
        symbol(id, self.symbols[id.0 as usize].ty.clone())
    }

    /// What a symbol is.
    pub fn role(&self, id: SymbolId) -> &Role {
        &self.roles[id.0 as usize]
    }

    /// The symbol of a part of the state; `None` for one that the logic does not have.
    pub fn item(
        &mut self,
        program: &Program,
        proc: ProcId,
        item: Item,
        view: View,
    ) -> Option<SymbolId> {
        if !self.items.contains_key(&item) {
            let (name, ty) = self.describe(program, proc, item)?;
            let now = self.add(&name, ty.clone(), Role::Plain);
            let entry = match self.modified.contains(&item) {
                true => self.add(&format!("old {name}"), ty, Role::Plain),
                false => now,
            };
            self.items.insert(item, [now, entry]);
            self.give_roles(program, proc, item, [now, entry]);
        }
        let ids = self.items.get(&item)?;
        Some(ids[usize::from(view == View::Entry)])
    }

    /// The parts of the state that have symbols.
    pub fn items(&self) -> Vec<(Item, [SymbolId; 2])> {
        self.items.iter().map(|(i, s)| (*i, *s)).collect()
    }

    fn describe(&mut self, program: &Program, proc: ProcId, item: Item) -> Option<(String, Type)> {
        Some(match item {
            Item::Reg(reg) => {
                let name = match reg {
                    Reg::Local(v) => program.proc(proc).var(v).name.clone(),
                    Reg::Global(g) => program.global(g).name.clone(),
                };
                (name, logical(program.types.scalar(program.reg_type(proc, reg))?)?)
            }
            Item::Field(owner, offset) => {
                let cells = &program.types.layout(owner)?.cells;
                let cell = cells.iter().find(|c| c.offset == offset)?;
                let name = format!("{}.{}", program.types.name(owner), cell.path);
                (name, Type::fun(Type::Obj, logical(cell.scalar)?))
            }
            Item::Elements(which) => {
                let (name, ty) = match which {
                    0 => ("Array.objects", Type::Obj),
                    1 => ("Array.ints", Type::Int),
                    _ => ("Array.truths", Type::Bool),
                };
                (name.to_owned(), Type::fun(Type::Obj, Type::fun(Type::Int, ty)))
            }
            Item::Allocated => ("alloc".to_owned(), Type::set(Type::Obj)),
        })
    }

    fn give_roles(&mut self, program: &Program, proc: ProcId, item: Item, ids: [SymbolId; 2]) {
        for (id, view) in ids.into_iter().zip([View::Now, View::Entry]) {
            let exists = match self.allocates && item != Item::Allocated {
                true => self.item(program, proc, Item::Allocated, view),
                false => None,
            };
            let role = match item {
                Item::Field(owner, _) if !self.is_pointer_field(id) => {
                    Role::Partial(self.class(program, owner), exists)
                }
                Item::Elements(which) => {
                    let kinds = array_types(program)
                        .into_iter()
                        .filter(|(_, ty)| elements_of(ty) == which)
                        .map(|(id, _)| self.class(program, id))
                        .collect();
                    Role::Elements(kinds, exists)
                }
                _ => Role::Plain,
            };
            self.roles[id.0 as usize] = role;
        }
    }

    fn is_pointer_field(&self, id: SymbolId) -> bool {
        matches!(&self.symbols[id.0 as usize].ty, Type::Fun(_, to) if **to == Type::Obj)
    }

    /// A field as the contract language reads it, undefined at null and at other classes.
    pub fn strict(
        &mut self,
        program: &Program,
        proc: ProcId,
        item: Item,
        view: View,
    ) -> Option<Term> {
        let id = self.item(program, proc, item, view)?;
        let Item::Field(owner, _) = item else { return Some(self.term(id)) };
        if *self.role(id) != Role::Plain {
            return Some(self.term(id));
        }
        let known = self.strict.iter().find(|(_, total)| **total == id).map(|(s, _)| *s);
        let strict = match known {
            Some(strict) => strict,
            None => {
                let exists = match self.allocates {
                    true => self.item(program, proc, Item::Allocated, view),
                    false => None,
                };
                let class = self.class(program, owner);
                let Symbol { name, ty, .. } = self.symbols[id.0 as usize].clone();
                let strict = self.add(&name, ty, Role::Partial(class, exists));
                self.strict.insert(strict, id);
                strict
            }
        };
        Some(self.term(strict))
    }

    /// The same term with total fields.
    pub fn without_strict(&self, t: &Term) -> Term {
        let total = self.strict.iter().map(|(s, total)| (*s, self.term(*total))).collect();
        replace_symbols(t, &total)
    }

    /// The set of the objects of a class, or of the arrays of a type of elements, and null.
    pub fn class(&mut self, program: &Program, ty: TypeId) -> SymbolId {
        if let Some(id) = self.classes.get(&ty) {
            return *id;
        }
        let name = match program.types.scalar(ty) {
            Some(Scalar::Ptr(to)) if *program.types.get(to) == CType::Void => "Object[]".into(),
            Some(Scalar::Ptr(to)) => format!("{}[]", program.types.name(to)),
            Some(_) => format!("{}[]", program.types.name(ty)),
            None => program.types.name(ty),
        };
        let id = self.add(&name, Type::set(Type::Obj), Role::Plain);
        self.classes.insert(ty, id);
        id
    }

    /// All arrays, and null.
    pub fn all_arrays(&mut self) -> SymbolId {
        if let Some(id) = self.arrays {
            return id;
        }
        let id = self.add("Array", Type::set(Type::Obj), Role::Plain);
        self.arrays = Some(id);
        id
    }

    /// The length of arrays.
    pub fn length(&mut self) -> SymbolId {
        if let Some(id) = self.length {
            return id;
        }
        let id = self.add("Array.length", Type::fun(Type::Obj, Type::Int), Role::Length);
        self.length = Some(id);
        id
    }

    /// What a procedure returns.
    pub fn result(&mut self, ty: &Type) -> SymbolId {
        let which = elements_of(ty);
        if let Some(id) = self.results.get(&which) {
            return *id;
        }
        let id = self.add("result", ty.clone(), Role::Plain);
        self.results.insert(which, id);
        id
    }

    /// The symbols of the result.
    pub fn results(&self) -> Vec<SymbolId> {
        self.results.values().copied().collect()
    }

    /// The set that objects are taken from; none if there are no others.
    pub fn domain(&mut self, program: &Program, proc: ProcId) -> Option<Term> {
        if !self.allocates {
            return None;
        }
        let id = self.item(program, proc, Item::Allocated, View::Now)?;
        Some(self.term(id))
    }

    /// That a value is one of a type that the program can keep there.
    pub fn typed(
        &mut self,
        program: &Program,
        proc: ProcId,
        value: &Term,
        scalar: Scalar,
        view: View,
    ) -> Term {
        match scalar {
            Scalar::Int(kind) if kind.bits > 1 => {
                let (least, most) = range(kind);
                and(vec![le(int(least), value.clone()), le(value.clone(), int(most))])
            }
            Scalar::Ptr(to) => {
                let mut all = Vec::new();
                if *program.types.get(to) != CType::Void {
                    let class = self.class(program, to);
                    all.push(element(value.clone(), self.term(class)));
                }
                if self.allocates
                    && let Some(exists) = self.item(program, proc, Item::Allocated, view)
                {
                    all.push(element(value.clone(), self.term(exists)));
                }
                and(all)
            }
            _ => crate::build::truth(true),
        }
    }

    /// What types promise of a part of the state: nothing of one that has no type.
    pub fn typing(
        &mut self,
        program: &Program,
        proc: ProcId,
        item: Item,
        view: View,
    ) -> Option<Term> {
        let id = self.item(program, proc, item, view)?;
        let value = self.term(id);
        match item {
            Item::Reg(reg) => {
                let scalar = program.types.scalar(program.reg_type(proc, reg))?;
                Some(self.typed(program, proc, &value, scalar, view))
            }
            Item::Field(owner, offset) => {
                let cells = &program.types.layout(owner)?.cells;
                let scalar = cells.iter().find(|c| c.offset == offset)?.scalar;
                let x = self.fresh.binder("x", Type::Obj);
                let at = apply(value, vec![var(&x)]);
                let mut all = vec![self.typed(program, proc, &at, scalar, view)];
                if scalar.is_ptr() {
                    let class = self.class(program, owner);
                    let mut nothing = vec![
                        eq(var(&x), null()),
                        crate::build::not(element(var(&x), self.term(class))),
                    ];
                    if self.allocates {
                        let exists = self.item(program, proc, Item::Allocated, view)?;
                        nothing.push(crate::build::not(element(var(&x), self.term(exists))));
                    }
                    all.push(implies(or(nothing), eq(at, null())));
                }
                Some(bind(Quantifier::Forall, vec![x], and(all)))
            }
            Item::Elements(which) => self.typed_elements(program, proc, which, &value, view),
            Item::Allocated => Some(element(null(), value)),
        }
    }

    fn typed_elements(
        &mut self,
        program: &Program,
        proc: ProcId,
        which: u8,
        value: &Term,
        view: View,
    ) -> Option<Term> {
        let mut all = Vec::new();
        for (id, ty) in array_types(program) {
            let (true, Some(scalar)) = (elements_of(&ty) == which, program.types.scalar(id)) else {
                continue;
            };
            let (a, i) = (self.fresh.binder("a", Type::Obj), self.fresh.binder("i", Type::Int));
            let at = apply(value.clone(), vec![var(&a), var(&i)]);
            let typed = self.typed(program, proc, &at, scalar, view);
            let class = self.class(program, id);
            let of_class = element(var(&a), self.term(class));
            all.push(bind(Quantifier::Forall, vec![a, i], implies(of_class, typed)));
        }
        Some(and(all))
    }

    /// What holds in every state: of classes, and of lengths.
    pub fn background(&mut self, program: &Program) -> Vec<Term> {
        // Lengths are of arrays, and whoever speaks of both sees that classes are none.
        let arrays: BTreeSet<TypeId> = array_types(program).into_iter().map(|(id, _)| id).collect();
        let known: Vec<(TypeId, SymbolId)> = self.classes.iter().map(|(t, s)| (*t, *s)).collect();
        let mut all: Vec<Term> =
            known.iter().map(|(_, s)| element(null(), self.term(*s))).collect();
        let x = |v: &mut Self| -> Binder { v.fresh.binder("x", Type::Obj) };
        for (i, (_, a)) in known.iter().enumerate() {
            for (_, b) in &known[i + 1..] {
                let v = x(self);
                let both =
                    and(vec![element(var(&v), self.term(*a)), element(var(&v), self.term(*b))]);
                all.push(bind(
                    Quantifier::Forall,
                    vec![v.clone()],
                    implies(both, eq(var(&v), null())),
                ));
            }
        }
        if let Some(whole) = self.arrays {
            let whole = self.term(whole);
            all.push(element(null(), whole.clone()));
            for (ty, class) in &known {
                let v = x(self);
                let (of_class, of_all) =
                    (element(var(&v), self.term(*class)), element(var(&v), whole.clone()));
                let body = match arrays.contains(ty) {
                    true => implies(of_class, of_all),
                    false => implies(and(vec![of_class, of_all]), eq(var(&v), null())),
                };
                all.push(bind(Quantifier::Forall, vec![v], body));
            }
        }
        if let Some(length) = self.length {
            let v = x(self);
            let value = apply(self.term(length), vec![var(&v)]);
            let (_, most) = range(IntKind::INT);
            let body = and(vec![le(int(0), value.clone()), le(value, int(most))]);
            all.push(bind(Quantifier::Forall, vec![v], body));
        }
        all
    }

    /// That an object is not null and of a class.
    pub fn of_class(&self, x: &Term, class: SymbolId) -> Term {
        and(vec![ne(x.clone(), null()), element(x.clone(), self.term(class))])
    }
}

/// The types of elements that arrays of a program can have, each with its type in the logic.
pub fn array_types(program: &Program) -> Vec<(TypeId, Type)> {
    let types = &program.types;
    let is_element = |id: &TypeId| types.find(&CType::Ptr(*id)).is_some();
    let scalars = types.ids().filter(is_element);
    scalars.filter_map(|id| Some((id, logical(types.scalar(id)?)?))).collect()
}

/// The parts of the state that an instruction writes.
pub fn written(program: &Program, proc: ProcId, kind: &InstrKind) -> Vec<Item> {
    let mut all: Vec<Item> = kind.dst().map(Item::Reg).into_iter().collect();
    match kind {
        InstrKind::Store { addr, scalar, .. } => {
            match (address(program, proc, addr), logical(*scalar)) {
                (Some(Address::Field(_, owner, offset)), _) => {
                    all.push(Item::Field(owner, offset));
                }
                (Some(Address::Element(..)), Some(ty)) => {
                    all.push(Item::Elements(elements_of(&ty)));
                }
                _ => {}
            }
        }
        InstrKind::Alloc { ty, .. } => {
            all.push(Item::Allocated);
            let Some(ty) = ty else { return all };
            match program.types.scalar(*ty).and_then(logical) {
                Some(element) => all.push(Item::Elements(elements_of(&element))),
                None => {
                    let cells = program.types.layout(*ty).map_or(&[][..], |l| &l.cells);
                    all.extend(cells.iter().map(|c| Item::Field(*ty, c.offset)));
                }
            }
        }
        _ => {}
    }
    all
}

/// What an address is.
pub enum Address<'e> {
    /// A field of an object.
    Field(&'e Expr, TypeId, u32),
    /// An element of an array.
    Element(&'e Expr, &'e Expr),
}

/// A field or an element, if an address is one.
pub fn address<'e>(program: &Program, proc: ProcId, addr: &'e Expr) -> Option<Address<'e>> {
    match addr {
        Expr::Index { base, index, .. } => Some(Address::Element(base, index)),
        Expr::Offset(base, by) => {
            let owner = pointee(program, proc, base)?;
            Some(Address::Field(base, owner, u32::try_from(*by).ok()?))
        }
        base => {
            let owner = pointee(program, proc, base)?;
            program.types.as_record(owner)?;
            Some(Address::Field(base, owner, 0))
        }
    }
}

fn pointee(program: &Program, proc: ProcId, e: &Expr) -> Option<TypeId> {
    match e {
        Expr::Reg(reg) => program.types.pointee(program.reg_type(proc, *reg)),
        _ => None,
    }
}
