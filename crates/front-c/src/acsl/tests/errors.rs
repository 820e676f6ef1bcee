//! Every error, and where its caret points: a file a construct.

mod clauses;
mod names;
mod predicates;
mod syntax;
mod terms;
