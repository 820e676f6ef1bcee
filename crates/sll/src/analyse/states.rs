//! The abstract heaps that were reached, each with the one it came from.
//!
//! **Invariant:** of one block and shape no heap that is kept is included in another one.

use std::collections::VecDeque;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::heap::{Heap, Segment};

/// A heap that was reached.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StateId(pub u32);

/// A reached heap and where.
#[derive(Clone, Debug)]
pub struct State {
    /// The block at whose start it was reached.
    pub block: usize,
    /// The heap.
    pub heap: Heap,
    /// The heap it came from; `None` at the start.
    pub from: Option<StateId>,
    /// A larger heap has taken its place.
    pub included: bool,
}

type ByShape = HashMap<Box<[u8]>, SmallVec<[StateId; 2]>, FxBuildHasher>;

/// All reached heaps.
#[derive(Clone, Debug)]
pub struct States {
    all: Vec<State>,
    blocks: Vec<ByShape>,
    queue: VecDeque<StateId>,
    key: Vec<u8>,
    bytes: u64,
}

impl States {
    /// None, for so many blocks.
    pub fn new(blocks: usize) -> States {
        States {
            all: Vec::new(),
            blocks: vec![ByShape::default(); blocks],
            queue: VecDeque::new(),
            key: Vec::new(),
            bytes: 0,
        }
    }

    /// A state.
    pub fn get(&self, id: StateId) -> &State {
        &self.all[id.0 as usize]
    }

    /// The next state whose successors have not been looked at.
    pub(super) fn next(&mut self) -> Option<(StateId, usize)> {
        loop {
            let id = self.queue.pop_front()?;
            let state = &self.all[id.0 as usize];
            if !state.included {
                return Some((id, state.block));
            }
        }
    }

    /// Adds a heap to a block unless it is there. Heaps that differ in one length only become one.
    pub(super) fn insert(&mut self, block: usize, mut heap: Heap, from: Option<StateId>) {
        heap.shape_key(&mut self.key);
        let ids = match self.blocks[block].get_mut(&self.key[..]) {
            Some(ids) => ids,
            None => {
                self.bytes += self.key.len() as u64 + 48;
                self.blocks[block].entry_ref(&self.key[..]).or_default()
            }
        };
        let lengths = heap.lengths();
        if ids.iter().any(|id| self.all[id.0 as usize].heap.includes(&lengths)) {
            return;
        }
        // What the new heap includes goes, and what differs in one length joins it, which may make
        // it include or join more.
        loop {
            let before = ids.len();
            let mut joined = None;
            ids.retain(|id| {
                let state = &mut self.all[id.0 as usize];
                if joined.is_some() {
                    return true;
                }
                let Some(i) = one_difference(&heap, &state.heap) else {
                    return true;
                };
                state.included = true;
                joined = Some((i, state.heap.nodes.get(i).map(|s| s.lengths)));
                false
            });
            if let Some((i, Some(lengths))) = joined
                && let Some(Segment { lengths: mine, .. }) = heap.nodes.get_mut(i)
            {
                *mine = mine.or(lengths);
            }
            if ids.len() == before {
                break;
            }
        }
        let id = StateId(self.all.len() as u32);
        ids.push(id);
        self.bytes += size_of::<State>() as u64 + 4;
        self.all.push(State { block, heap, from, included: false });
        self.queue.push_back(id);
    }

    /// The heaps at the start of a block, in a fixed order.
    pub fn of_block(&self, block: usize) -> Vec<&Heap> {
        let ids = self.blocks[block].values().flatten();
        let mut heaps: Vec<&Heap> = ids.map(|id| &self.get(*id).heap).collect();
        heaps.sort_unstable();
        heaps
    }

    /// All but one of the heaps at the start of a block, by its position in [`States::of_block`]:
    /// for tests of who checks them.
    #[must_use]
    pub fn without(&self, block: usize, position: usize) -> States {
        let mut rest = States::new(self.blocks.len());
        for b in 0..self.blocks.len() {
            let heaps = self.of_block(b).into_iter().enumerate();
            let kept = heaps.filter(|(i, _)| (b, *i) != (block, position));
            kept.for_each(|(_, h)| rest.insert(b, h.clone(), None));
        }
        rest
    }

    /// The states from the start to one, in order.
    pub fn path(&self, to: StateId) -> Vec<StateId> {
        let mut path = vec![to];
        let mut at = to;
        while let Some(from) = self.get(at).from {
            path.push(from);
            at = from;
        }
        path.reverse();
        path
    }

    /// About how much memory they take.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many abstract heaps of the paper were reached, over all blocks. Heaps that overlap in
    /// their lengths are counted once.
    pub fn count(&self) -> u64 {
        self.blocks.iter().flat_map(|shapes| shapes.values()).map(|ids| self.singles(ids)).sum()
    }

    fn singles(&self, ids: &[StateId]) -> u64 {
        let classes =
            |h: &Heap| h.nodes.iter().map(|s| u64::from(s.lengths.0.count_ones())).product::<u64>();
        match ids {
            [one] => classes(&self.get(*one).heap),
            many => {
                let mut all = hashbrown::HashSet::<_, FxBuildHasher>::default();
                for id in many {
                    all.extend(self.get(*id).heap.singles().iter().map(Heap::lengths));
                }
                all.len() as u64
            }
        }
    }
}

/// The one segment in which two heaps of a shape differ so that one of both stands for all, or
/// any segment if the first includes the second.
fn one_difference(heap: &Heap, other: &Heap) -> Option<usize> {
    let mut different =
        (0..heap.nodes.len()).filter(|&i| !heap.nodes[i].lengths.includes(other.nodes[i].lengths));
    let Some(i) = different.next() else {
        return Some(0);
    };
    let rest_equal =
        (0..heap.nodes.len()).all(|j| j == i || heap.nodes[j].lengths == other.nodes[j].lengths);
    (different.next().is_none() && rest_equal).then_some(i)
}
