//! The patterns that a procedure without inputs starts from.

use trellis_patterns::PatternProgram;
use trellis_patterns::pattern::{Pattern, Target};
use trellis_patterns::values::Orders;
use trellis_patterns::words::PointerStart;

/// The start of a procedure that nobody gives cells.
pub fn closed(program: &PatternProgram) -> Option<Pattern> {
    let words = &program.words;
    let mut vars = Vec::new();
    for pointer in &words.pointers {
        vars.push(match pointer.start {
            PointerStart::Undefined => Target::Undefined,
            PointerStart::Null => Target::Null,
            PointerStart::Input | PointerStart::Same(_) => return None,
        });
    }
    let any = |s: &trellis_patterns::words::ScalarVar| words.partition.all(s.kind);
    let scalars = words.scalars.iter().map(|s| s.start.unwrap_or_else(|| any(s))).collect();
    let orders = vec![Orders::ANY; words.pairs.len()];
    Some(Pattern { scalars, orders, vars, nodes: Vec::new() })
}
