//! Every failure that the machine can report has a row in the check table: all instructions and
//! terminators, over all forms of expressions, from states in which they fail in every way.

use std::collections::BTreeSet;

use crate::concrete::{
    Chooser, Failure, Finish, InitialHeap, Lifetime, Machine, MachineOptions, Memory, ObjId,
    Pointer, Value,
};
use crate::ir::{
    BinOp, Block, BlockId, Body, CmpOp, Cond, Expr, Instr, InstrKind, ProcId, Program, Reg,
    Terminator, UnOp, VarId,
};
use crate::samples::{Lists, lists, nowhere};
use crate::types::{IntKind, Scalar};
use crate::{CheckKind, CheckSet, CheckTable};

const X: Reg = Reg::Local(VarId(0));
const Y: Reg = Reg::Local(VarId(1));
const K: Reg = Reg::Local(VarId(2));

struct First;

impl Chooser for First {
    fn choose(&mut self, _: u32) -> u32 {
        0
    }
}

fn pointers() -> Vec<Expr> {
    let x = || Box::new(Expr::Reg(X));
    vec![
        Expr::Reg(X),
        Expr::Reg(Y),
        Expr::Null,
        Expr::Offset(x(), 8),
        Expr::Offset(x(), 16),
        Expr::Index { base: x(), index: Box::new(Expr::Reg(K)), size: 8 },
        Expr::ToPtr(Box::new(Expr::Convert(IntKind::SIZE, x()))),
    ]
}

fn integers() -> Vec<Expr> {
    let k = || Box::new(Expr::Reg(K));
    let int = IntKind::INT;
    let mut all = vec![
        Expr::Int(16),
        Expr::Reg(K),
        Expr::Unary(UnOp::Neg, int, k()),
        Expr::Unary(UnOp::BitNot, int, k()),
        Expr::Not(k()),
        Expr::Convert(IntKind::CHAR, k()),
        Expr::Cmp(CmpOp::Lt, Some(int), k(), Box::new(Expr::Int(3))),
        Expr::Cmp(CmpOp::Eq, None, Box::new(Expr::Offset(Box::new(Expr::Reg(X)), 8)), k()),
        Expr::Diff(Box::new(Expr::Reg(X)), Box::new(Expr::Offset(Box::new(Expr::Reg(Y)), 8)), 8),
        Expr::Extent(Box::new(Expr::Reg(X)), 8),
    ];
    use BinOp::*;
    for op in [Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr] {
        all.push(Expr::Binary(op, int, Box::new(Expr::Int(1 << 30)), k()));
        all.push(Expr::Binary(op, int, k(), Box::new(Expr::Int(-1))));
    }
    all
}

/// Every kind of instruction. A kind that is missing here does not compile in [`is_listed`].
fn instructions(l: &Lists) -> Vec<InstrKind> {
    let data = Scalar::Int(IntKind::INT);
    let mut all = vec![
        InstrKind::Havoc { dst: K, scalar: data },
        InstrKind::BeginLocal { var: VarId(3) },
        InstrKind::EndLocal { var: VarId(3) },
        InstrKind::Unsupported { reason: "a test".into() },
    ];
    for p in pointers() {
        all.push(InstrKind::Assign { dst: Y, value: p.clone() });
        all.push(InstrKind::Load { dst: K, addr: p.clone(), scalar: data });
        all.push(InstrKind::Free { ptr: p.clone() });
        all.push(InstrKind::Retype { ptr: p.clone(), ty: l.node });
        for i in integers() {
            let value = i.clone();
            all.push(InstrKind::Store { addr: p.clone(), scalar: data, value });
            let (dst, byte, size) = (p.clone(), Expr::Reg(K), i.clone());
            all.push(InstrKind::Fill { dst, byte, size });
        }
        for src in pointers() {
            for may_overlap in [false, true] {
                let (dst, src, size) = (p.clone(), src.clone(), Expr::Int(16));
                all.push(InstrKind::Copy { dst, src, size, may_overlap });
            }
        }
        let args = vec![p.clone(), p, Expr::Reg(K), Expr::Null];
        all.push(InstrKind::Call { dst: None, proc: ProcId(0), args });
    }
    for i in integers() {
        all.push(InstrKind::Assign { dst: K, value: i.clone() });
        all.push(InstrKind::Alloc { dst: X, size: i.clone(), ty: None, zeroed: false });
        all.push(InstrKind::BeginArray { var: VarId(3), element: l.node, count: i.clone() });
        all.push(InstrKind::Assume { cond: Cond::Expr(i.clone()) });
        let cond = Cond::Expr(i);
        all.push(InstrKind::Assert { kind: CheckKind::Assertion, cond });
    }
    assert!(all.iter().all(is_listed));
    all
}

fn is_listed(kind: &InstrKind) -> bool {
    match kind {
        InstrKind::Assign { .. }
        | InstrKind::Load { .. }
        | InstrKind::Store { .. }
        | InstrKind::Copy { .. }
        | InstrKind::Fill { .. }
        | InstrKind::Alloc { .. }
        | InstrKind::Retype { .. }
        | InstrKind::Free { .. }
        | InstrKind::BeginLocal { .. }
        | InstrKind::BeginArray { .. }
        | InstrKind::EndLocal { .. }
        | InstrKind::Call { .. }
        | InstrKind::Havoc { .. }
        | InstrKind::Assume { .. }
        | InstrKind::Assert { .. }
        | InstrKind::Unsupported { .. } => true,
    }
}

fn terminators() -> Vec<Terminator> {
    let mut all =
        vec![Terminator::Exit, Terminator::ExitFreed, Terminator::Abort, Terminator::Return(None)];
    for e in integers().into_iter().chain(pointers()) {
        let (then, els) = (BlockId(1), BlockId(1));
        all.push(Terminator::Branch { cond: e.clone(), then, els });
        all.push(Terminator::Return(Some(e)));
    }
    all
}

/// A live node, a dead one, and memory without a type.
fn heaps(l: &Lists) -> Vec<InitialHeap> {
    let mut memory = Memory::default();
    for (ty, live) in [(Some(l.node), true), (Some(l.node), false), (None, true)] {
        let fill = |_| Value::Undef;
        let id = memory.allocate(&l.program.types, ty, 24, Lifetime::Heap, fill);
        memory.objects[id.0 as usize].live = live;
    }
    let at = |obj, off| Value::Ptr(Pointer { obj: ObjId(obj), off });
    let places =
        [Value::Null, Value::Undef, at(0, 0), at(0, 16), at(0, 24), at(0, -8), at(1, 0), at(2, 0)];
    let numbers = [0, -1, 1, 40, i64::from(i32::MIN)].map(Value::Int);
    let mut all = Vec::new();
    for x in places {
        for y in [Value::Null, at(0, 8), at(1, 0)] {
            for k in numbers.into_iter().chain([Value::Undef]) {
                let args = vec![x, y, k, Value::Null];
                let globals = vec![Value::Null, Value::Int(0), Value::Null];
                all.push(InitialHeap { memory: memory.clone(), globals, args });
            }
        }
    }
    all
}

fn with_body(l: &Lists, instrs: Vec<InstrKind>, term: Terminator) -> Program {
    let mut program = l.program.clone();
    // The callee of calls is the same without a body.
    let mut caller = program.procs[0].clone();
    let instrs = instrs.into_iter().map(|kind| Instr { kind, span: nowhere() }).collect();
    let block = |instrs, term| Block { instrs, term, term_span: nowhere() };
    let blocks = vec![block(instrs, term), block(vec![], Terminator::Abort)];
    caller.body = Some(Body { blocks, entry: BlockId(0), end_span: nowhere() });
    program.procs.push(caller);
    program
}

fn failures(program: &Program, heaps: &[InitialHeap]) -> Vec<Failure> {
    let mut checks = CheckSet::none();
    CheckKind::ALL.into_iter().for_each(|k| checks.set(k, true));
    let machine = Machine::new(program, MachineOptions { checks, ..MachineOptions::default() });
    let mut all = Vec::new();
    for heap in heaps {
        let mut state = machine.start(ProcId(1), heap);
        for _ in 0..4 {
            if let Some(finish) = machine.step(&mut state, &mut First) {
                all.extend(match finish {
                    Finish::Failed(failure) => Some(failure),
                    _ => None,
                });
                break;
            }
        }
    }
    all
}

#[test]
fn every_failure_has_a_row() {
    let l = lists();
    let heaps = heaps(&l);
    let instrs = instructions(&l).into_iter().map(|i| (vec![i], Terminator::Abort));
    let terms = terminators().into_iter().map(|t| (vec![], t));
    let mut seen = BTreeSet::new();
    for (instrs, term) in instrs.chain(terms) {
        let what = format!("{instrs:?} {term:?}");
        let program = with_body(&l, instrs, term);
        let table = CheckTable::of(&program);
        for f in failures(&program, &heaps) {
            assert!(table.find(f.point, f.kind, f.clause).is_some(), "{}: {what}", f.kind);
            seen.insert(f.kind);
        }
    }
    use CheckKind::*;
    let memory = [NullDeref, UseAfterFree, Uninit, Bounds, Overlap, InvalidFree, DoubleFree, Leak];
    let expected = memory.into_iter().chain([Assertion, DivByZero, Overflow]);
    assert_eq!(seen, expected.collect(), "the states make everything fail");
}
