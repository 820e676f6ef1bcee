//! Programs for the tests of this crate, which knows no front end.

use trellis_program::ir::Body;
use trellis_program::spec::Contract;
use trellis_program::{
    Block, BlockId, FileId, Instr, InstrKind, Procedure, Program, Span, Terminator, Type,
};

/// A procedure `f` of one block.
pub fn one_block(code: Vec<InstrKind>) -> Program {
    let mut program = Program::default();
    program.sources.add("sample.c", "f");
    let span = Span::new(FileId(0), 0, 1);
    let ret = program.types.intern(Type::Void);
    let block = Block {
        instrs: code.into_iter().map(|kind| Instr { kind, span }).collect(),
        term: Terminator::Return(None),
        term_span: span,
    };
    program.procs.push(Procedure {
        name: "f".to_owned(),
        span,
        params: 0,
        vars: Vec::new(),
        ret,
        body: Some(Body { blocks: vec![block], entry: BlockId(0), end_span: span }),
        contract: Contract::default(),
        has_contract: false,
    });
    program
}
