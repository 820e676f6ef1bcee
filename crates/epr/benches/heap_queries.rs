//! Heap queries.

fn main() {}
