//! Arguments to parameters: the variables of one activation of a callee.
//!
//! All arguments are evaluated before the first parameter that lives in memory is made, as the
//! interpreter does. A register of the callee has no value when its body begins, also when the same
//! copy of the body is entered again.

use std::collections::BTreeMap;

use super::{Call, Inliner, effects};
use crate::cfg;
use crate::ir::{BlockId, Expr, Instr, InstrKind, ProcId, Procedure, Reg, Storage, Var, VarId};
use crate::judgement::Refusal;
use crate::source::Span;
use crate::types::{IntKind, Scalar, Type, TypeId};

/// One activation of a callee.
pub(super) struct Activation {
    pub(super) proc: ProcId,
    /// What its variables are called, as in `f#2.x`.
    pub(super) prefix: String,
    /// The copies of its variables.
    pub(super) vars: Vec<VarId>,
    /// Parameters that are known functions, or null for want of one.
    pub(super) known: BTreeMap<VarId, Expr>,
    /// Registers that hold a value of the time of the call.
    pub(super) entry: BTreeMap<Entry, VarId>,
    /// The instructions that fill some of them, to be executed when the parameters are bound.
    pub(super) kept: Vec<Instr>,
    /// Where a return leaves the result.
    pub(super) target: Target,
    /// The call.
    pub(super) span: Span,
}

/// A value of the time of the call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Entry {
    /// What was passed for a parameter; for an aggregate, the address to copy from.
    Param(VarId),
    /// A scalar so many bytes into an aggregate parameter.
    Cell(VarId, i64),
    /// A global in a register.
    Global(Reg),
}

/// Where a return leaves the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// Nowhere: there is none, and nobody wants one.
    Nowhere,
    /// Where the caller wants it.
    Caller(Reg),
    /// In a register of its own, which the contract can mention.
    Register(VarId),
    /// In an object of the caller.
    Object(Reg),
}

impl Inliner<'_> {
    /// Makes the variables of an activation and binds its parameters at the end of `at`.
    pub(super) fn bind(&mut self, call: &Call, at: BlockId) -> Result<Activation, Refusal> {
        let callee = self.program.proc(call.proc);
        let count = self.copies.entry(call.proc).or_insert(0);
        *count += 1;
        let prefix = match *count {
            1 => callee.name.clone(),
            n => format!("{}#{n}", callee.name),
        };
        let copied = (0..).map(VarId).zip(&callee.vars).map(|(v, var)| {
            let name = format!("{prefix}.{}", var.name);
            (Var { name, ..var.clone() }, Some((call.proc, v)))
        });
        let vars =
            copied.collect::<Vec<_>>().into_iter().map(|(v, o)| self.new_var(v, o)).collect();
        let mut activation = Activation {
            proc: call.proc,
            prefix,
            vars,
            known: self.known_functions(call),
            entry: BTreeMap::new(),
            kept: Vec::new(),
            target: Target::Nowhere,
            span: call.span,
        };
        activation.target = self.target(&activation, call)?;
        self.evaluate_arguments(&mut activation, call, at);
        self.make_objects(&activation, callee, at);
        self.forget_registers(&activation, callee, at);
        Ok(activation)
    }

    fn evaluate_arguments(&mut self, activation: &mut Activation, call: &Call, at: BlockId) {
        let callee = self.program.proc(call.proc);
        for (v, arg) in callee.param_ids().zip(&call.args) {
            if activation.known.contains_key(&v) {
                continue;
            }
            let var = callee.var(v);
            let dst = match (var.storage, self.program.types.scalar(var.ty)) {
                (Storage::Register, _) => activation.vars[v.0 as usize],
                (Storage::Object, Some(_)) => self.entry_register(activation, v, var.ty),
                (Storage::Object, None) => {
                    let ty = self.type_id(Type::Ptr(var.ty));
                    self.entry_register(activation, v, ty)
                }
            };
            let dst = Reg::Local(dst);
            self.emit(at, InstrKind::Assign { dst, value: arg.clone() }, call.span);
        }
    }

    /// A register for what is passed for `v`.
    fn entry_register(&mut self, activation: &mut Activation, v: VarId, ty: TypeId) -> VarId {
        let name = &self.program.proc(activation.proc).var(v).name;
        let name = format!("{}.\\old({name})", activation.prefix);
        let var = self.register(name, ty, activation.span, Some((activation.proc, v)));
        activation.entry.insert(Entry::Param(v), var);
        var
    }

    /// Makes the parameters that live in memory.
    fn make_objects(&mut self, activation: &Activation, callee: &Procedure, at: BlockId) {
        for v in callee.param_ids().filter(|v| callee.var(*v).storage == Storage::Object) {
            let var = activation.vars[v.0 as usize];
            let ty = callee.var(v).ty;
            let passed = Expr::local(activation.entry[&Entry::Param(v)]);
            let object = Expr::Addr(Reg::Local(var));
            self.emit(at, InstrKind::BeginLocal { var }, activation.span);
            let kind = match self.program.types.scalar(ty) {
                Some(scalar) => InstrKind::Store { addr: object, scalar, value: passed },
                None => {
                    let size = self.program.types.size_of(ty).unwrap_or(0);
                    InstrKind::Copy {
                        dst: object,
                        src: passed,
                        size: Expr::Int(size.into()),
                        may_overlap: true,
                    }
                }
            };
            self.emit(at, kind, activation.span);
        }
    }

    /// Takes the value from registers that the body may read before it writes them.
    fn forget_registers(&mut self, activation: &Activation, callee: &Procedure, at: BlockId) {
        let Some(body) = &callee.body else { return };
        let live = cfg::live_in(body, callee.vars.len());
        for v in effects::written_locals(callee) {
            let var = callee.var(VarId(v));
            let is_read = live[body.entry.0 as usize][v as usize];
            if (v as usize) < callee.params || !is_read || var.storage == Storage::Object {
                continue;
            }
            let dst = Reg::Local(activation.vars[v as usize]);
            let value = self.undefined(var.ty, var.span);
            self.emit(at, InstrKind::Assign { dst, value }, activation.span);
        }
    }

    /// Where the returns of an activation leave the result.
    fn target(&mut self, activation: &Activation, call: &Call) -> Result<Target, Refusal> {
        let callee = self.program.proc(call.proc);
        let types = &self.program.types;
        let refuse = |what: &str| {
            Err(Refusal::at(call.span, format!("a call of `{}`, {what}", callee.name)))
        };
        let is_aggregate =
            types.scalar(callee.ret).is_none() && types.size_of(callee.ret).is_some();
        if is_aggregate && callee.body.is_some() {
            // The interpreter hands the result over after it has judged the contract, and by then
            // the locals that the result comes from are gone.
            return match call.dst {
                _ if !callee.contract.ensures.is_empty() => {
                    refuse("which returns a struct and has an `ensures` clause")
                }
                Some(dst) => Ok(Target::Object(dst)),
                None => refuse("whose struct result is not used"),
            };
        }
        let is_void = callee.ret_is_void(types);
        Ok(match call.dst {
            // The contract must not see the caller's variable change.
            Some(dst) if callee.body.is_some() && callee.contract.ensures.is_empty() => {
                Target::Caller(dst)
            }
            Some(dst) if is_void || is_aggregate => Target::Caller(dst),
            None if is_void || is_aggregate => Target::Nowhere,
            _ => {
                let name = format!("{}.\\result", activation.prefix);
                Target::Register(self.register(name, callee.ret, call.span, None))
            }
        })
    }

    /// Back in the caller: the result goes where it is wanted. Where the program may `exit`, the
    /// callee's registers let go of what they point to.
    pub(super) fn deliver(&mut self, target: Target, vars: &[VarId], call: &Call, next: BlockId) {
        let callee = self.program.proc(call.proc);
        let mut kinds = Vec::new();
        if let (Target::Register(result), Some(dst)) = (target, call.dst) {
            kinds.push(InstrKind::Assign { dst, value: Expr::local(result) });
        }
        if self.exits {
            let written = effects::written_locals(callee);
            for (i, var) in callee.vars.iter().enumerate() {
                let holds = i < callee.params || written.contains(&(i as u32));
                if var.storage == Storage::Object || var.is_ghost || !holds {
                    continue;
                }
                let value = match self.program.types.scalar(var.ty) {
                    Some(Scalar::Ptr(_)) => Expr::Null,
                    Some(Scalar::Int(IntKind { bits: 64, .. })) => Expr::Int(0),
                    _ => continue,
                };
                kinds.push(InstrKind::Assign { dst: Reg::Local(vars[i]), value });
            }
        }
        let instrs = kinds.into_iter().map(|kind| Instr { kind, span: call.span });
        self.blocks[next.0 as usize].instrs.splice(0..0, instrs);
    }

    /// A register that no user declared. It is a ghost: it keeps no object from being leaked.
    pub(super) fn register(
        &mut self,
        name: String,
        ty: TypeId,
        span: Span,
        origin: Option<(ProcId, VarId)>,
    ) -> VarId {
        let storage = Storage::Register;
        // Not a temporary: of those, the interpreter may choose fewer values.
        let (is_temp, is_ghost, is_const) = (false, true, false);
        self.new_var(Var { name, ty, storage, is_temp, is_ghost, is_const, span }, origin)
    }

    /// No value: a register that is never written.
    pub(super) fn undefined(&mut self, ty: TypeId, span: Span) -> Expr {
        if let Some(var) = self.undefined.get(&ty) {
            return Expr::local(*var);
        }
        let var = self.register("%undefined".into(), ty, span, None);
        self.undefined.insert(ty, var);
        Expr::local(var)
    }

    /// A type of the new program.
    pub(super) fn type_id(&mut self, ty: Type) -> TypeId {
        if let Some(id) = self.out.types.find(&ty) {
            return id;
        }
        let id = self.out.types.intern(ty);
        self.out.types.finish();
        id
    }
}
