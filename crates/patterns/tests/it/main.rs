//! Heap patterns against their definition, on all small heaps.

mod check;
mod contracts;
mod labels;
mod meaning;
mod numbers;
mod programs;
mod random;
mod shown;
