//! Heap patterns against their definition, on all small heaps.

mod check;
mod labels;
mod meaning;
mod random;
