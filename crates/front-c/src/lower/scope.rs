//! Names and what they mean: one map per block for ordinary names, one for tags.

use std::collections::BTreeMap;

use trellis_program::ir::{GlobalId, VarId};
use trellis_program::source::Span;
use trellis_program::types::{IntKind, RecordId, TypeId};

/// What an ordinary name means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// A type, and whether it is `const`.
    Typedef(TypeId, bool),
    Constant(i64, IntKind),
    Local(VarId),
    Global(GlobalId),
    /// An index into the functions of the unit.
    Function(usize),
}

/// What a tag means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    Record(RecordId),
    Enum(TypeId),
}

#[derive(Debug, Default, Clone)]
struct Block {
    names: BTreeMap<String, Symbol>,
    tags: BTreeMap<String, Tag>,
}

/// The blocks around the current place, file scope first.
#[derive(Debug, Clone)]
pub struct Scopes {
    file: Block,
    blocks: Vec<Block>,
    /// Variables that system headers declare; they become globals when they are used.
    pub header_variables: BTreeMap<String, (TypeId, Span)>,
}

impl Scopes {
    pub fn new() -> Scopes {
        Scopes { file: Block::default(), blocks: Vec::new(), header_variables: BTreeMap::new() }
    }

    pub fn enter(&mut self) {
        self.blocks.push(Block::default());
    }

    pub fn leave(&mut self) {
        self.blocks.pop();
    }

    /// How many blocks are open; 0 at file scope.
    pub fn depth(&self) -> usize {
        self.blocks.len()
    }

    fn innermost_first(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter().rev().chain(std::iter::once(&self.file))
    }

    fn current(&mut self) -> &mut Block {
        self.blocks.last_mut().unwrap_or(&mut self.file)
    }

    pub fn declare(&mut self, name: &str, symbol: Symbol) {
        self.current().names.insert(name.to_owned(), symbol);
    }

    /// Declares at file scope, whatever block is open.
    pub fn declare_in_file(&mut self, name: &str, symbol: Symbol) {
        self.file.names.insert(name.to_owned(), symbol);
    }

    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        self.innermost_first().find_map(|b| b.names.get(name).copied())
    }

    pub fn lookup_in_file(&self, name: &str) -> Option<Symbol> {
        self.file.names.get(name).copied()
    }

    pub fn declare_tag(&mut self, name: &str, tag: Tag) {
        self.current().tags.insert(name.to_owned(), tag);
    }

    pub fn tag(&self, name: &str) -> Option<Tag> {
        self.innermost_first().find_map(|b| b.tags.get(name).copied())
    }

    pub fn tag_here(&mut self, name: &str) -> Option<Tag> {
        self.current().tags.get(name).copied()
    }

    /// All visible ordinary names.
    pub fn names(&self) -> impl Iterator<Item = (&str, Symbol)> {
        self.innermost_first().flat_map(|b| b.names.iter().map(|(n, s)| (n.as_str(), *s)))
    }
}
