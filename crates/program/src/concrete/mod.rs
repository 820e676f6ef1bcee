//! The concrete meaning of heap programs.
