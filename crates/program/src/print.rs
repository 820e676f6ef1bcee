//! The text of heap programs.
