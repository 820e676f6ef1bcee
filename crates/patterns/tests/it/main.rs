//! Heap patterns against their definition, on all small heaps.

mod meaning;
mod random;
