//! Checks abstract heaps with the concrete machine, without any transformer of them.
//!
//! The abstract heaps at the starts of blocks are an invariant if
//! 1. the abstraction of every initial heap that satisfies `requires` is at the first block;
//! 2. from every concrete state that a heap of a block stands for, the machine gets to the start
//!    of another block only in states whose abstraction is there, and never fails a check.
//!
//! For 2 a segment of length *3 or more* is tried with the lengths 3 to 3 + n, where n is how many
//! fields the block follows: of a longer one the block sees no more, and what is left of it is
//! again 3 or more. Where at most one field is followed, all such segments may have the same
//! length, because at most one is cut. For 1 the heaps are built from their interruptions.
//!
//! Integers whose value is not known are open: where the machine branches on one, both ways are
//! taken, and arithmetic with one fails if it does so for some value. Data that is read is any value,
//! and where [`crate::initialised`] does not exclude that it was never written, also undefined.
//!
//! * `arithmetic`: what open integers may fail
//! * `state`: machine states of abstract heaps, and back
//! * `run`: the machine, from one block to the next
//! * `initial`: initial heaps
//! * `outside`: what cannot be judged

mod arithmetic;
mod initial;
mod outside;
mod run;
mod state;

use std::collections::BTreeMap;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use trellis_program::checks::Point;
use trellis_program::concrete::{Machine, MachineOptions, State};
use trellis_program::{BlockId, Budget, CheckSet, ProcId, Program, Refusal, Rejected};

use crate::concrete::{ListHeap, each_length};
use crate::heap::{Heap, Lengths};
use crate::program::{ANY_INT, ListProgram, Op, Term, UNDEF_INT};
use state::Mapping;

/// The stack of a state: where every active procedure is.
type Stack = Vec<(ProcId, BlockId, u32)>;

/// How to check, and for how long.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// The checks that are on.
    pub checks: CheckSet,
    /// Whether `malloc` may also return null.
    pub malloc_may_fail: bool,
    /// When to stop.
    pub budget: Budget,
    /// The heaps that the procedure can start from, where they are too many to be found here; see
    /// [`MOST_INPUTS`].
    pub starts: Option<&'a [Heap]>,
}

/// Of more inputs than this the initial heaps are not enumerated here.
pub const MOST_INPUTS: usize = 3;

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Initial heaps.
    pub initial: u64,
    /// Concrete states that were run from.
    pub states: u64,
}

/// Checks that the heaps at the starts of blocks are an invariant under which no check fails.
///
/// # Errors
/// If they are not, or time is over.
pub fn check(
    program: &Program,
    list: &ListProgram,
    heaps: &[Vec<Heap>],
    options: &Options<'_>,
) -> Result<Checked, Rejected> {
    outside::refuse(program, list, heaps)?;
    let machine = Machine::new(
        program,
        MachineOptions {
            checks: options.checks,
            malloc_may_fail: options.malloc_may_fail,
            ..MachineOptions::default()
        },
    );
    let mut checker = Checker {
        machine: &machine,
        list,
        mapping: Mapping::new(program, list),
        options,
        blocks: stacks(list),
        reads: reads(list),
        invariant: Vec::new(),
        done: Checked::default(),
        key: Vec::new(),
    };
    for block in 0..list.blocks.len() {
        let mut shapes = ByShape::default();
        for heap in heaps.get(block).into_iter().flatten() {
            checker.shape_key(heap);
            shapes.entry_ref(&checker.key[..]).or_default().push(heap.clone());
        }
        checker.invariant.push(shapes);
    }
    checker.initial_heaps()?;
    for block in 0..list.blocks.len() {
        for heap in heaps.get(block).into_iter().flatten() {
            checker.heap(block, heap)?;
        }
    }
    Ok(checker.done)
}

/// Where data is read that may be unwritten: the numbers of the steps of a block, by their points.
fn reads(list: &ListProgram) -> BTreeMap<(usize, Point), Vec<usize>> {
    let mut all: BTreeMap<(usize, Point), Vec<usize>> = BTreeMap::new();
    for (b, block) in list.blocks.iter().enumerate() {
        for (i, step) in block.steps.iter().enumerate() {
            if let Op::Data { read: Some(_), unwritten: Some(_), .. } = &step.op {
                all.entry((b, step.point)).or_default().push(i);
            }
        }
    }
    all
}

type ByShape = HashMap<Box<[u8]>, Vec<Heap>, FxBuildHasher>;

struct Checker<'a> {
    machine: &'a Machine<'a>,
    list: &'a ListProgram,
    mapping: Mapping<'a>,
    options: &'a Options<'a>,
    /// The block that begins at a stack.
    blocks: BTreeMap<Stack, usize>,
    /// By block and point, the steps that read data which may be unwritten.
    reads: BTreeMap<(usize, Point), Vec<usize>>,
    /// By block and shape.
    invariant: Vec<ByShape>,
    done: Checked,
    key: Vec<u8>,
}

/// The stack at the start of every block.
fn stacks(list: &ListProgram) -> BTreeMap<Stack, usize> {
    let mut blocks = BTreeMap::new();
    for (i, block) in list.blocks.iter().enumerate() {
        let at = block.at;
        let mut stack = vec![(list.contexts[at.context].proc, at.block, at.instr)];
        let mut context = at.context;
        while let Some((caller, block, instr)) = list.contexts[context].caller {
            stack.push((list.contexts[caller].proc, block, instr));
            context = caller;
        }
        stack.reverse();
        blocks.insert(stack, i);
    }
    blocks
}

impl Checker<'_> {
    fn go_on(&self) -> Result<(), Rejected> {
        Ok(self.options.budget.check()?)
    }

    /// Runs a block from the concrete states that a heap stands for.
    fn heap(&mut self, block: usize, heap: &Heap) -> Result<(), Rejected> {
        self.go_on()?;
        let follows = self.follows(block);
        let mut failed = None;
        let mut instances = Vec::new();
        if follows <= 1 {
            // All long segments alike.
            for longest in 3..=3 + follows {
                each_length(heap, 3, &mut |lengths| {
                    let has_long = lengths.contains(&3);
                    if longest == 3 || has_long {
                        let stretch = |l: &usize| if *l == 3 { longest } else { *l };
                        instances.push(lengths.iter().map(stretch).collect::<Vec<_>>());
                    }
                });
            }
        } else {
            each_length(heap, 3 + follows, &mut |lengths| instances.push(lengths.to_vec()));
        }
        for lengths in instances {
            let concrete = ListHeap::instance(heap, &lengths);
            let states = self.states(block, heap, &concrete)?;
            let (ways, mut objections) = (states.len(), Vec::new());
            for state in states {
                self.done.states += 1;
                match self.run(block, state) {
                    Ok(()) => {}
                    Err(Rejected::Wrong(why)) => objections.push(why),
                    Err(unjudged) => return Err(unjudged),
                }
            }
            // A heap does not say which pointers to freed memory are the same.
            if !objections.is_empty() && objections.len() < ways {
                return Err(self.beyond(block, "pointers to freed memory that are told apart"));
            }
            if let Some(why) = objections.into_iter().next() {
                failed.get_or_insert((lengths, why));
            }
        }
        match failed {
            None => Ok(()),
            Some((lengths, why)) => Err(Rejected::Wrong(format!(
                "block {block} from {} with lengths {lengths:?}: {why}",
                crate::text::shape(self.list, heap)
            ))),
        }
    }

    /// The machine states that a concrete heap of lists may be.
    fn states(
        &self,
        block: usize,
        heap: &Heap,
        concrete: &ListHeap,
    ) -> Result<Vec<State>, Rejected> {
        let states = self.mapping.states(block, heap, concrete);
        states.ok_or_else(|| self.beyond(block, "many pointers to freed memory"))
    }

    fn beyond(&self, block: usize, what: &str) -> Rejected {
        let at = self.list.blocks[block].at;
        let body = self.machine.program.proc(self.list.contexts[at.context].proc);
        let code = body.body.as_ref().map(|b| b.block(at.block));
        Refusal::at(code.map_or(body.span, |c| c.span_at(at.instr)), what).into()
    }

    /// How many fields a block follows at most.
    fn follows(&self, block: usize) -> usize {
        let steps = self.list.blocks[block].steps.iter();
        steps
            .map(|s| match &s.op {
                Op::Load { .. } => 1,
                Op::Assert { fact, .. } | Op::AssumeFact(fact) => fields(fact),
                _ => 0,
            })
            .sum()
    }

    /// The shape of a heap without its integers, as the key to look it up.
    fn shape_key(&mut self, heap: &Heap) {
        let bare = Heap { ints: smallvec::SmallVec::new(), ..heap.clone() };
        bare.shape_key(&mut self.key);
    }

    /// Whether the invariant of a block describes a state.
    fn describes(&mut self, block: usize, state: &State) -> Result<(), String> {
        let heap = self.mapping.abstraction(block, state)?;
        let lengths: Vec<Lengths> = heap.nodes.iter().map(|s| s.lengths).collect();
        let ints = self.mapping.int_codes(block, state);
        self.shape_key(&heap);
        let same = self.invariant[block].get(&self.key[..]);
        let describes = |h: &Heap| {
            let known = h.ints.iter().zip(&ints);
            // A number that is known may be described as any; one that is undefined may not.
            h.includes(&lengths)
                && known.into_iter().all(|(h, i)| h == i || *h == ANY_INT && *i != UNDEF_INT)
        };
        if same.is_some_and(|heaps| heaps.iter().any(describes)) {
            return Ok(());
        }
        let shape = crate::text::shape(self.list, &heap);
        Err(format!("the machine gets to block {block} in {shape}, which is not there"))
    }
}

/// How often a formula follows the field.
fn fields(fact: &crate::program::Fact) -> usize {
    use crate::program::{Fact, SetTerm};
    fn term(t: &Term) -> usize {
        match t {
            Term::Null | Term::Var(_) => 0,
            Term::Next(t) => 1 + term(t),
            Term::Ite(c, a, b) => fields(c) + term(a) + term(b),
        }
    }
    fn set(s: &SetTerm) -> usize {
        match s {
            SetTerm::Empty => 0,
            SetTerm::Singleton(t) | SetTerm::Content(t) => term(t),
            SetTerm::Op(_, a, b) => set(a) + set(b),
        }
    }
    match fact {
        Fact::Const(_) | Fact::Cmp(..) => 0,
        Fact::Not(f) => fields(f),
        Fact::And(fs) | Fact::Or(fs) => fs.iter().map(fields).sum(),
        Fact::Iff(a, b) => fields(a) + fields(b),
        Fact::Same(a, b) | Fact::Reach { from: a, to: b, .. } | Fact::ListSegment(a, b) => {
            term(a) + term(b)
        }
        Fact::SameSet(a, b) | Fact::Subset(a, b) => set(a) + set(b),
        Fact::In(x, s) => term(x) + set(s),
        Fact::Stable(t) | Fact::Cyclic(t) | Fact::Alloc(t) => term(t),
        Fact::Separated(ts) => ts.iter().map(term).sum(),
    }
}
