use std::cmp::Ordering;

use super::*;
use crate::checks::Point;
use crate::samples::{lists, nowhere};
use crate::source::FileId;

const X: Reg = Reg::Local(VarId(0));
const G: Reg = Reg::Global(GlobalId(1));
const OPS: [CmpOp; 6] = [CmpOp::Eq, CmpOp::Ne, CmpOp::Lt, CmpOp::Le, CmpOp::Gt, CmpOp::Ge];

fn int(i: i64) -> Box<Expr> {
    Box::new(Expr::Int(i))
}

fn span(at: u32) -> Span {
    Span::new(FileId(0), at, at + 1)
}

/// One of every kind of instruction, with the register it writes and the constants it evaluates.
fn all() -> Vec<(InstrKind, Option<Reg>, Vec<i64>)> {
    let (scalar, ty) = (Scalar::Int(IntKind::INT), TypeId(0));
    let e = |i| Expr::Int(i);
    let (cond, spec) = (|| Cond::Expr(Expr::Int(1)), || Cond::Spec(Formula::Const(true)));
    let kind = CheckKind::Assertion;
    let args = || vec![e(1), e(2), e(3), e(4)];
    vec![
        (InstrKind::Assign { dst: X, value: e(1) }, Some(X), vec![1]),
        (InstrKind::Load { dst: G, addr: e(1), scalar }, Some(G), vec![1]),
        (InstrKind::Store { addr: e(1), scalar, value: e(2) }, None, vec![1, 2]),
        (
            InstrKind::Copy { dst: e(1), src: e(2), size: e(3), may_overlap: true },
            None,
            vec![1, 2, 3],
        ),
        (InstrKind::Fill { dst: e(1), byte: e(2), size: e(3) }, None, vec![1, 2, 3]),
        (InstrKind::Alloc { dst: X, size: e(1), ty: None, zeroed: true }, Some(X), vec![1]),
        (InstrKind::Retype { ptr: e(1), ty }, None, vec![1]),
        (InstrKind::Free { ptr: e(1) }, None, vec![1]),
        (InstrKind::BeginLocal { var: VarId(0) }, None, vec![]),
        (InstrKind::BeginArray { var: VarId(0), element: ty, count: e(1) }, None, vec![1]),
        (InstrKind::EndLocal { var: VarId(0) }, None, vec![]),
        (
            InstrKind::Call { dst: Some(G), proc: ProcId(7), args: args() },
            Some(G),
            vec![1, 2, 3, 4],
        ),
        (InstrKind::Call { dst: None, proc: ProcId(7), args: vec![] }, None, vec![]),
        (InstrKind::Havoc { dst: X, scalar }, Some(X), vec![]),
        (InstrKind::Assume { cond: cond() }, None, vec![1]),
        (InstrKind::Assume { cond: spec() }, None, vec![]),
        (InstrKind::Assert { kind, cond: cond() }, None, vec![1]),
        (InstrKind::Assert { kind, cond: spec() }, None, vec![]),
        (InstrKind::Unsupported { reason: "a test".into() }, None, vec![]),
    ]
}

#[test]
fn instructions_tell_what_they_write_and_evaluate() {
    for (kind, dst, constants) in all() {
        assert_eq!(kind.dst(), dst, "{kind:?}");
        let exprs: Vec<Expr> = constants.into_iter().map(Expr::Int).collect();
        assert!(kind.exprs().eq(&exprs), "{kind:?}");
    }
}

#[test]
fn instructions_tell_their_condition_and_callee() {
    for (kind, ..) in all() {
        let stated = matches!(kind, InstrKind::Assume { .. } | InstrKind::Assert { .. });
        assert_eq!(kind.cond().is_some(), stated, "{kind:?}");
        // A condition is either an expression or a formula.
        assert_eq!(kind.formula().is_some(), stated && kind.exprs().count() == 0, "{kind:?}");
        let called = matches!(kind, InstrKind::Call { .. }).then_some(ProcId(7));
        assert_eq!(kind.callee(), called, "{kind:?}");
    }
}

#[test]
fn terminators_tell_what_they_evaluate() {
    let (then, els) = (BlockId(0), BlockId(0));
    assert_eq!(Terminator::Branch { cond: *int(1), then, els }.expr(), Some(&*int(1)));
    assert_eq!(Terminator::Return(Some(*int(2))).expr(), Some(&*int(2)));
    for term in [
        Terminator::Return(None),
        Terminator::Goto(then),
        Terminator::Exit,
        Terminator::ExitFreed,
        Terminator::Abort,
    ] {
        assert_eq!(term.expr(), None, "{term:?}");
    }
}

#[test]
fn operands_come_from_left_to_right() {
    let kind = IntKind::INT;
    let two = [
        Expr::Binary(BinOp::Add, kind, int(1), int(2)),
        Expr::Cmp(CmpOp::Lt, Some(kind), int(1), int(2)),
        Expr::Index { base: int(1), index: int(2), size: 8 },
        Expr::Diff(int(1), int(2), 8),
    ];
    for e in two {
        assert!(e.operands().eq([&*int(1), &*int(2)]), "{e:?}");
    }
    let one = [
        Expr::Unary(UnOp::Neg, kind, int(1)),
        Expr::Not(int(1)),
        Expr::Convert(kind, int(1)),
        Expr::ToPtr(int(1)),
        Expr::Offset(int(1), 8),
    ];
    for e in one {
        assert!(e.operands().eq([&*int(1)]), "{e:?}");
    }
    for e in [Expr::Int(1), Expr::Null, Expr::Reg(X), Expr::Addr(X)] {
        assert_eq!(e.operands().count(), 0, "{e:?}");
    }
}

#[test]
fn visits_reach_everything_and_only_reads_are_registers() {
    let (read, addr) = (|| Box::new(Expr::Reg(G)), Box::new(Expr::Addr(X)));
    let e = Expr::Diff(Box::new(Expr::Offset(read(), 8)), Box::new(Expr::Not(addr)), 8);
    let (mut nodes, mut regs) = (0, Vec::new());
    e.visit(&mut |_| nodes += 1);
    e.visit_regs(&mut |r| regs.push(r));
    assert_eq!((nodes, regs), (5, vec![G]));
}

#[test]
fn comparisons_agree_with_those_of_rust() {
    for (a, b) in [(1, 1), (1, 2), (2, 1)] {
        let expected = [a == b, a != b, a < b, a <= b, a > b, a >= b];
        assert_eq!(OPS.map(|op| op.apply(a, b)), expected, "{a} {b}");
        for op in OPS {
            assert_ne!(op.apply(a, b), op.negated().apply(a, b), "{op:?}");
            assert_eq!(op.negated().negated(), op);
            if let Some(answer) = op.apply_equality(a == b) {
                assert_eq!(answer, op.apply(a, b), "{op:?}");
            }
        }
    }
    assert_eq!(OPS.map(CmpOp::is_equality), [true, true, false, false, false, false]);
    assert_eq!(OPS.map(CmpOp::symbol), ["==", "!=", "<", "<=", ">", ">="]);
    assert!(CmpOp::Ge.holds(Ordering::Equal));
}

/// A program whose first procedure has two blocks: three instructions and a branch, a return.
fn with_code() -> Program {
    let mut program = lists().program;
    let spec = Cond::Spec(Formula::Const(true));
    let kinds = [
        InstrKind::Assume { cond: spec },
        InstrKind::Call { dst: None, proc: ProcId(0), args: vec![Expr::Int(1)] },
        InstrKind::Free { ptr: Expr::Int(2) },
    ];
    let instrs = (0..).zip(kinds).map(|(i, kind)| Instr { kind, span: span(i) }).collect();
    let (then, els) = (BlockId(1), BlockId(1));
    let term = Terminator::Branch { cond: Expr::Int(3), then, els };
    let blocks = vec![
        Block { instrs, term, term_span: span(3) },
        Block { instrs: vec![], term: Terminator::Return(None), term_span: span(4) },
    ];
    program.procs[0].span = span(9);
    program.procs[0].body = Some(Body { blocks, entry: BlockId(0), end_span: nowhere() });
    program
}

#[test]
fn bodies_list_their_parts_in_order() {
    let program = with_code();
    let (proc, body) = (program.proc(ProcId(0)), program.body(ProcId(0)).unwrap());
    let spans: Vec<Span> = body.instrs().map(|i| i.span).collect();
    assert_eq!(spans, [0, 1, 2].map(span));
    assert_eq!((proc.instrs().count(), proc.blocks().count()), (3, 2));
    assert_eq!(proc.callees().collect::<Vec<_>>(), [ProcId(0)]);
    assert!(proc.formulas().eq([&Formula::Const(true)]));
    assert!(body.block(BlockId(0)).exprs().eq([1, 2, 3].map(Expr::Int).iter()));
    let declared = lists().program;
    assert!(declared.body(ProcId(0)).is_none());
    assert_eq!(declared.proc(ProcId(0)).instrs().count(), 0);
}

#[test]
fn points_have_a_place_in_the_source() {
    let program = with_code();
    let at = |block, instr| Point { proc: ProcId(0), block: BlockId(block), instr };
    assert_eq!(program.span_at(at(0, 1)), span(1));
    assert_eq!(program.instr_at(at(0, 1)).map(|i| i.span), Some(span(1)));
    // The end of a block, and the start of an empty one.
    assert_eq!(program.span_at(at(0, 3)), span(3));
    assert_eq!(program.span_at(at(1, 0)), span(4));
    assert!(program.instr_at(at(0, 3)).is_none());
    let declared = lists().program;
    assert_eq!(declared.span_at(at(0, 0)), declared.proc(ProcId(0)).span);
}

#[test]
fn a_whole_program_is_a_main_without_a_contract() {
    let mut program = with_code();
    assert!(!program.is_whole_program(ProcId(0)));
    program.procs[0].name = "main".into();
    assert!(program.is_whole_program(ProcId(0)));
    program.procs[0].has_contract = true;
    assert!(!program.is_whole_program(ProcId(0)));
}
