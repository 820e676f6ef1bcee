//! The states seen from one initial heap.
//!
//! **Invariant:** entry `i` owns `bytes[starts[i]..starts[i + 1]]`, the canonical encoding of its
//! state; no two entries have the same bytes.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

/// How a state was first reached.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// End of its bytes.
    end: u32,
    /// The state it was reached from; itself for the first.
    pub parent: u32,
    /// End of the choices made on the way from the parent, in [`Visited::choices`].
    choices_end: u32,
    /// Fewest choices on any way here so far.
    pub choices_made: u16,
    /// Blocks executed on the way here.
    pub depth: u32,
}

/// A set of encoded states with the way to each.
#[derive(Default)]
pub struct Visited {
    table: HashTable<u32>,
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    choices: Vec<u32>,
    /// Choices of entries that were reached again in a cheaper way.
    rerouted: Vec<(u32, Vec<u32>)>,
}

/// What [`Visited::insert`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// A new state.
    New(u32),
    /// Known, but reached with fewer choices than before: worth exploring again.
    Cheaper(u32),
    /// Known.
    Known,
}

impl Visited {
    /// Forgets everything but keeps the memory.
    pub fn clear(&mut self) {
        self.table.clear();
        self.entries.clear();
        self.bytes.clear();
        self.choices.clear();
        self.rerouted.clear();
    }

    /// How many states.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Bytes in use for states and their index.
    pub fn used_bytes(&self) -> u64 {
        let index = self.entries.len() * (size_of::<Entry>() + 5);
        (self.bytes.len() + index + self.choices.len() * size_of::<u32>()) as u64
    }

    /// Bytes reserved from the system.
    pub fn reserved_bytes(&self) -> u64 {
        (self.bytes.capacity()
            + self.entries.capacity() * size_of::<Entry>()
            + self.table.capacity() * 5
            + self.choices.capacity() * size_of::<u32>()) as u64
    }

    /// An entry.
    pub fn entry(&self, id: u32) -> &Entry {
        &self.entries[id as usize]
    }

    /// Adds a state reached from `parent` by `choices`.
    pub fn insert(&mut self, key: &[u8], parent: u32, choices: &[u32], made: u16) -> Seen {
        let hash = hash(key);
        let Visited { table, entries, bytes, .. } = self;
        let stored = |i: u32| key_of(entries, bytes, i);
        if let Some(&id) = table.find(hash, |&i| stored(i) == key) {
            let entry = &mut self.entries[id as usize];
            if made >= entry.choices_made {
                return Seen::Known;
            }
            entry.choices_made = made;
            entry.parent = parent;
            self.rerouted.retain(|(i, _)| *i != id);
            self.rerouted.push((id, choices.to_vec()));
            return Seen::Cheaper(id);
        }
        let id = self.entries.len() as u32;
        let depth = self.entries.get(parent as usize).map_or(0, |p| p.depth + 1);
        self.bytes.extend_from_slice(key);
        self.choices.extend_from_slice(choices);
        self.entries.push(Entry {
            end: self.bytes.len() as u32,
            parent,
            choices_end: self.choices.len() as u32,
            choices_made: made,
            depth,
        });
        let Visited { table, entries, bytes, .. } = self;
        table.insert_unique(hash, id, |&i| self::hash(key_of(entries, bytes, i)));
        Seen::New(id)
    }

    /// Whether the offsets of the arena are about to run out.
    pub fn is_full(&self) -> bool {
        self.bytes.len() > (u32::MAX - (1 << 20)) as usize
    }

    /// All choices on the way from the first state to `id`.
    pub fn path_choices(&self, id: u32) -> Vec<u32> {
        let mut parts = Vec::new();
        let mut at = id;
        while self.entries[at as usize].parent != at {
            parts.push(self.choices_of(at));
            at = self.entries[at as usize].parent;
        }
        parts.into_iter().rev().flatten().copied().collect()
    }

    fn choices_of(&self, id: u32) -> &[u32] {
        if let Some((_, choices)) = self.rerouted.iter().find(|(i, _)| *i == id) {
            return choices;
        }
        let start = match id {
            0 => 0,
            i => self.entries[i as usize - 1].choices_end,
        };
        &self.choices[start as usize..self.entries[id as usize].choices_end as usize]
    }
}

fn key_of<'a>(entries: &[Entry], bytes: &'a [u8], id: u32) -> &'a [u8] {
    let start = match id {
        0 => 0,
        i => entries[i as usize - 1].end,
    };
    &bytes[start as usize..entries[id as usize].end as usize]
}

fn hash(key: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(key);
    hasher.finish()
}
