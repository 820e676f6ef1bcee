//! What was made of a procedure is shared by those who look at it, if it would be the same again.

mod common;

use std::sync::Arc;
use std::time::Duration;

use common::one_block;
use trellis_driver::pdr::embedded;
use trellis_driver::{Budget, Options, Task};
use trellis_program::{InstrKind, NoResult, ProcId, StopReason};
use trellis_transys::Words;

fn ways() -> [trellis_transys::Options; 2] {
    [Words::Basic, Words::Edges]
        .map(|words| trellis_transys::Options { words, ..trellis_transys::Options::default() })
}

#[test]
fn everything_is_made_once() {
    let (program, options) = (one_block(Vec::new()), Options::default());
    let task = Task::new(&program, ProcId(0), &options);
    let other_options = Options { threads: 2, ..Options::default() };
    let other = task.with_options(&other_options);
    let (inlined, again) = (task.inlined().expect("no calls"), other.inlined().expect("no calls"));
    assert!(Arc::ptr_eq(&inlined, &again));
    let (placed, again) = (task.placed().expect("no calls"), other.placed().expect("no calls"));
    assert!(Arc::ptr_eq(&placed, &again));
    let solver = embedded();
    let made = ways().map(|way| {
        let build = |task: &Task<'_>| task.system(&placed, &way, &Budget::default(), &*solver);
        let (first, second) =
            (build(&task).expect("nothing odd"), build(&other).expect("the same"));
        assert!(Arc::ptr_eq(&first, &second));
        first
    });
    assert!(!Arc::ptr_eq(&made[0], &made[1]), "other words make another system");
}

#[test]
fn a_refusal_is_kept_and_a_lack_of_time_is_not() {
    let reason = "something odd".to_owned();
    let codes = [vec![], vec![InstrKind::Unsupported { reason }]];
    let [fine, odd] = codes.map(|code| {
        let (program, options) = (one_block(code), Options::default());
        let task = Task::new(&program, ProcId(0), &options);
        let placed = task.placed().expect("no calls");
        let over = Budget { timeout: Some(Duration::ZERO), ..Budget::default() };
        let solver = embedded();
        let build = |budget| task.system(&placed, &ways()[0], budget, &*solver).map(drop);
        [build(&over), build(&Budget::default()), build(&over)]
    });
    let stopped = Err(NoResult::Stopped(StopReason::Time));
    // Whether so little is done before anyone looks at the clock does not matter.
    assert!([Ok(()), stopped.clone()].contains(&fine[0]));
    assert_eq!(fine[1..], [Ok(()), Ok(())]);
    assert_eq!(odd[0], stopped);
    assert!(matches!(odd[1], Err(NoResult::Refused(_))), "{:?}", odd[1]);
    assert_eq!(odd[2], odd[1], "what was found is there without any time");
}
