//! Why an answer does not do, for people: the run from a heap into the failed check, and where a
//! label fails in patterns although no heap shows it.

use trellis_logic::Work;
use trellis_patterns::entail::entails;
use trellis_patterns::heap::Heap;
use trellis_patterns::machine::{heap_of, state_of};
use trellis_patterns::pattern::{Label, Pattern};
use trellis_program::concrete::step::Failure;
use trellis_program::concrete::{Finish, Machine, Scripted, State, Trace};
use trellis_program::{BlockId, CheckKind, ProcId, Program, Span};

use super::{Game, Question};
use crate::examples::{Crash, Negative};
use crate::flow::flow;
use crate::post::coerce::coerce;
use crate::post::{Post, What};
use crate::unwinding::VertexId;

/// Most instructions of a run that is shown.
const MOST_STEPS: usize = 4000;

/// Where a label fails in patterns.
#[derive(Clone, Debug)]
pub struct Trouble {
    /// How.
    pub how: How,
    /// The place.
    pub span: Span,
    /// What the label has become there.
    pub pattern: Pattern,
}

/// How a label fails in patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// What arrives at its own place is not in it.
    Misses,
    /// A check may fail.
    Fails(CheckKind),
    /// What arrives at the next loop is not in the label there.
    Leaves,
}

impl Game {
    /// What runs are runs of: the program without calls, and the procedure.
    pub fn running(&self) -> (&Program, ProcId) {
        (&self.program, self.proc)
    }

    /// The run from a heap that must not fit into the check that fails.
    pub fn run_into(&self, question: &Question, negative: &Negative) -> Option<Trace> {
        self.replay(question.block, &negative.heap, &negative.choices, &negative.failure)
    }

    /// The run from the beginning into the check that fails.
    pub fn run_of(&self, crash: &Crash) -> Option<Trace> {
        self.replay(self.code.entry, &crash.start, &crash.choices, &crash.failure)
    }

    /// The run, if it ends as it is said to.
    fn replay(
        &self,
        block: usize,
        heap: &Heap,
        choices: &[u32],
        failure: &Failure,
    ) -> Option<Trace> {
        let machine = Machine::new(&self.program, self.machine.clone());
        let at = BlockId(block as u32);
        let state = state_of(&self.program, self.proc, &self.code.words, at, heap);
        let trace = machine.run_from(state, &mut Scripted::new(choices), MOST_STEPS);
        let ends = matches!(&trace.finish, Some(Finish::Failed(f)) if f.same_check(failure));
        ends.then_some(trace)
    }

    /// The heap of a state of a run; cells keep their order while none is freed.
    pub fn heap_in(&self, state: &State) -> Option<Heap> {
        heap_of(&self.program, self.proc, &self.code.words, state).ok()
    }

    /// Where a label for the open question fails in patterns; `None` if it does not.
    pub fn trouble(&self, label: &Label) -> Option<Trouble> {
        let question = self.question()?;
        let words = &self.code.words;
        let post = Post { program: &self.code, checks: self.machine.checks };
        let label = Label(label.0.iter().filter_map(|p| coerce(words, p.clone())).collect());
        let missed = |p: &Pattern| entails(words, p, &label).err();
        if let Some(pattern) = self.arriving(question.vertex).0.iter().find_map(missed) {
            return Some(Trouble { how: How::Misses, span: question.span, pattern: *pattern });
        }
        let found = flow(&post, question.block, &label, &Work::default()).ok()?;
        for event in found.events {
            if let What::Failed(kind, _) = event.what {
                let (span, pattern) = (event.span, event.pattern);
                return Some(Trouble { how: How::Fails(kind), span, pattern });
            }
        }
        let children = self.tree.vertices[question.vertex].children.iter().flatten();
        for child in children.map(|c| &self.tree.vertices[*c]) {
            let (Some(allowed), Some(arrives)) = (&child.label, found.to.get(&child.block)) else {
                continue;
            };
            let leaves = |p: &Pattern| entails(words, p, allowed).err();
            if let Some(pattern) = arrives.0.iter().find_map(leaves) {
                let span = self.code.blocks[child.block].span;
                return Some(Trouble { how: How::Leaves, span, pattern: *pattern });
            }
        }
        None
    }

    /// What arrives at a vertex from the root, along its path.
    fn arriving(&self, vertex: VertexId) -> Label {
        let mut path = vec![vertex];
        while let Some(parent) = self.tree.vertices[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        let post = Post { program: &self.code, checks: self.machine.checks };
        let mut label = self.tree.vertices[path[0]].label.clone().unwrap_or_default();
        for pair in path.windows(2) {
            let block = self.tree.vertices[pair[0]].block;
            let Ok(mut found) = flow(&post, block, &label, &Work::default()) else {
                return Label::default();
            };
            label = found.to.remove(&self.tree.vertices[pair[1]].block).unwrap_or_default();
        }
        label
    }
}
