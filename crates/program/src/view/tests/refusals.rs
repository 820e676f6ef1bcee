//! What the logic cannot say is refused, with the reason.

use super::samples::{F, heads, nodes, procedure, record};
use crate::concrete::initial::InitialHeap;
use crate::concrete::memory::{Lifetime, Memory, ObjId, Pointer, Value};
use crate::ir::{Block, BlockId, Body, Expr, Instr, InstrKind, Program, Reg, Terminator, VarId};
use crate::samples::nowhere;
use crate::spec::{ArithOp, Formula, Term};
use crate::types::{IntKind, Type};
use crate::view::{self, ProgramVocabulary, Spot};
use trellis_logic::Arena;

const X: Reg = Reg::Local(VarId(0));
const Y: Reg = Reg::Local(VarId(1));

fn reason(vocabulary: &ProgramVocabulary, formula: Formula) -> String {
    view::formula(vocabulary, &mut Arena::new(), &formula).unwrap_err().reason
}

fn not_null(t: Term) -> Formula {
    Formula::Cmp(crate::ir::CmpOp::Ne, t, Term::Null)
}

fn with_code(mut program: Program, code: Vec<InstrKind>) -> Program {
    let instrs = code.into_iter().map(|kind| Instr { kind, span: nowhere() }).collect();
    let block = Block { instrs, term: Terminator::Return(None), term_span: nowhere() };
    program.procs[0].body =
        Some(Body { blocks: vec![block], entry: BlockId(0), end_span: nowhere() });
    program
}

fn moved(reg: Reg, by: i64) -> Expr {
    Expr::Offset(Box::new(Expr::Reg(reg)), by)
}

#[test]
fn moved_variables_have_no_symbol() {
    // y = x; x = x + 1: only x leaves its place.
    let code = vec![
        InstrKind::Assign { dst: Y, value: Expr::Reg(X) },
        InstrKind::Assign { dst: X, value: moved(X, 24) },
    ];
    let vocabulary = view::vocabulary(&with_code(nodes(), code), F);
    assert_eq!(
        reason(&vocabulary, not_null(Term::Reg(X))),
        "`x`: it may point to different places of an object"
    );
    // What was copied from it may have left as well.
    assert!(vocabulary.reg(Y).is_err());
}

#[test]
fn members_and_containers_stay_in_place() {
    // p = &it->link; it = container_of(p): both are where their types say.
    let code = vec![
        InstrKind::Assign { dst: X, value: moved(Y, 8) },
        InstrKind::Assign { dst: Y, value: moved(X, -8) },
    ];
    let vocabulary = view::vocabulary(&with_code(heads(), code), F);
    assert!(vocabulary.reg(X).is_ok() && vocabulary.reg(Y).is_ok());
    // it = (struct item *)p: 8 bytes too far.
    let code = vec![InstrKind::Assign { dst: Y, value: Expr::Reg(X) }];
    let vocabulary = view::vocabulary(&with_code(heads(), code), F);
    assert!(vocabulary.reg(X).is_ok() && vocabulary.reg(Y).is_err());
}

#[test]
fn moved_fields_have_no_symbol() {
    let program = nodes();
    let node = program.types.pointee(program.procs[0].vars[0].ty).unwrap();
    let scalar = crate::types::Scalar::Ptr(node);
    // x->prev = x + 1
    let code = vec![InstrKind::Store { addr: moved(X, 8), scalar, value: moved(X, 24) }];
    let vocabulary = view::vocabulary(&with_code(program, code), F);
    assert!(vocabulary.field(node, 0, scalar).is_ok());
    let refused = vocabulary.field(node, 8, scalar).unwrap_err();
    assert_eq!(refused.reason, "`prev`: it may point to different places of an object");
}

#[test]
fn arrays_of_records_have_no_places() {
    let program = nodes();
    let node = program.types.pointee(program.procs[0].vars[0].ty);
    let alloc = |size| InstrKind::Alloc { dst: X, size, ty: node, zeroed: false };
    let one = view::vocabulary(&with_code(nodes(), vec![alloc(Expr::Int(24))]), F);
    assert!(one.reg(X).is_ok());
    let many = view::vocabulary(&with_code(nodes(), vec![alloc(Expr::Int(48))]), F);
    assert_eq!(reason(&many, not_null(Term::Reg(X))), "arrays of `struct node` are allocated");
}

#[test]
fn two_heads_in_one_item_are_not_told_apart() {
    let mut program = Program::default();
    let void = program.types.intern(Type::Void);
    let (head, _) = record(&mut program, "struct list_head", &[("next", None)]);
    let members = [("a", Some(head)), ("b", Some(head))];
    let (_, item_ptr) = record(&mut program, "struct item", &members);
    program.types.finish();
    program.procs.push(procedure(&[("it", item_ptr)], &[], void));
    let vocabulary = view::vocabulary(&program, F);
    assert_eq!(
        reason(&vocabulary, not_null(Term::Reg(X))),
        "`struct list_head` lies at several places of `struct item`"
    );
}

#[test]
fn a_pointer_may_lead_into_structs_that_the_procedure_does_not_name() {
    let mut program = heads();
    program.procs[0].vars.truncate(1);
    program.procs[0].params = 1;
    let vocabulary = view::vocabulary(&program, F);
    let names: Vec<String> = vocabulary.object_types().map(|t| program.types.name(t)).collect();
    assert_eq!(names, ["struct list_head", "struct item"]);
}

#[test]
fn terms_outside_the_logic() {
    let vocabulary = view::vocabulary(&nodes(), F);
    let k = Term::Reg(Reg::Local(VarId(2)));
    let zero = |t| Formula::Cmp(crate::ir::CmpOp::Eq, t, Term::Int(0));
    let half = Term::Arith(ArithOp::Div, Box::new(k.clone()), Box::new(Term::Int(2)));
    assert_eq!(reason(&vocabulary, zero(half)), "a division");
    let element = Term::Index { base: Box::new(Term::Reg(X)), index: Box::new(k), size: 24 };
    assert_eq!(
        reason(&vocabulary, not_null(element)),
        "an array element whose number is not a constant"
    );
    let int = crate::types::Scalar::Int(IntKind::INT);
    let load = |addr| Term::Load { addr: Box::new(addr), scalar: int };
    assert_eq!(
        reason(&vocabulary, zero(load(Term::Reg(X)))),
        "memory read as another type than it has"
    );
    assert_eq!(reason(&vocabulary, zero(load(Term::Null))), "memory read through the null literal");
    let part = Term::Offset(Box::new(Term::Reg(X)), 8);
    let whole = Formula::Cmp(crate::ir::CmpOp::Eq, part, Term::Reg(Y));
    assert_eq!(reason(&vocabulary, whole), "pointers to different places of an object compared");
}

#[test]
fn pointers_out_of_place_have_no_structure() {
    let program = nodes();
    let vocabulary = view::vocabulary(&program, F);
    let node = program.types.pointee(program.procs[0].vars[0].ty).unwrap();
    assert_eq!(vocabulary.pointee(node), Ok(Spot::At { family: 0, at: 0 }));
    let mut memory = Memory::default();
    memory.allocate(&program.types, Some(node), 24, Lifetime::Heap, Value::zero);
    let start = Value::to_start(ObjId(0));
    let view = |memory: &Memory, x: Value| {
        let heap = InitialHeap {
            memory: memory.clone(),
            globals: vec![Value::Null],
            args: vec![x, Value::Null, Value::Int(0)],
        };
        view::of_heap(&vocabulary, &program, &heap).map_err(|e| e.reason)
    };
    assert!(view(&memory, start).is_ok());
    let out_of_place = Value::Ptr(Pointer { obj: ObjId(0), off: 24 });
    assert_eq!(
        view(&memory, out_of_place).unwrap_err(),
        "x: a pointer to another place than its type says"
    );
    assert_eq!(view(&memory, Value::Undef).unwrap_err(), "x: a value that is not defined");
    assert_eq!(view(&memory, Value::Open).unwrap_err(), "x: a value that is not chosen yet");
    memory.objects[0].live = false;
    assert_eq!(
        view(&memory, start).unwrap_err(),
        "x: a pointer to memory that is gone, or of a type not in use"
    );
    let mut pair = Memory::default();
    pair.allocate(&program.types, Some(node), 48, Lifetime::Heap, Value::zero);
    assert_eq!(view(&pair, Value::Null).unwrap_err(), "an object that is not one `struct node`");
}
