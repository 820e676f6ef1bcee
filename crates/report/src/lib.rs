//! What users and machines read: verdicts, traces and diagnostics as text, JSON and SVG.
//!
//! * [`model`]: the report as plain data; its serialised form is the JSON schema
//! * [`build`]: from results of the driver to the model; [`run`]: from a concrete execution
//! * [`certify`], [`show`], [`bench_pdr`], [`bench_proveit`], [`bench_solver`]: the documents of these
//!   commands
//! * [`mod@game`]: the documents of the pattern game
//! * [`exit`]: exit codes, which every document has
//! * [`steps`]: which states of a run are shown
//! * [`heap`]: heaps as drawings and in heap notation
//! * [`saved`]: a report that was saved
//! * [`snippet`]: source lines with carets
//! * [`word`]: names in reports
//! * [`text`]: for a terminal
//! * [`json`]: for machines
//! * [`findings`]: what is wrong, in words that outlive lines
//! * [`page`]: one page for a browser
//! * [`programs`]: the programs of a report one by one, for those that are larger than memory
//! * [`mod@formats`]: for the tools of others
//!
//! **Invariants.** Text and JSON are made from the same model. Everything but
//! [`model::Statistics`] is a function of the input: a run repeats to the letter. This crate never
//! decides anything; a verdict is only ever copied.

pub mod bench_pdr;
pub mod bench_proveit;
pub mod bench_solver;
pub mod build;
pub mod certify;
pub mod exit;
pub mod findings;
pub mod formats;
pub mod game;
pub mod heap;
pub mod json;
pub mod model;
pub mod page;
pub mod programs;
pub mod run;
pub mod saved;
pub mod show;
pub mod snippet;
pub mod steps;
pub mod text;
pub mod word;

pub use exit::Exit;
