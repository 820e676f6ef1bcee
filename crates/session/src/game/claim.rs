//! The labels of a won game as an engine that claims them: whatever the driver does with claims is
//! done with these.

use std::collections::BTreeMap;

use trellis_certify::Evidence;
use trellis_driver::{
    Answer, Budget, Claim, Engine, LoopInvariant, Options, Progress, Statistics, Task,
};
use trellis_patterns::evidence::write;
use trellis_patterns::{Label, PatternProgram, text};

/// An engine that claims labels.
pub(super) struct Labelled {
    pub code: PatternProgram,
    pub labels: BTreeMap<usize, Label>,
}

impl Engine for Labelled {
    fn name(&self) -> &'static str {
        "oracle"
    }

    fn run(&self, task: &Task<'_>, _: &Budget, _: &Progress) -> Answer {
        let Options { checks, malloc_may_fail, .. } = *task.options;
        let procedure = &task.program.proc(task.proc).name;
        let evidence = Evidence::of_patterns(
            procedure,
            checks,
            malloc_may_fail,
            write(&self.code, &self.labels),
        );
        let invariant = |(block, label): (&usize, &Label)| LoopInvariant {
            place: self.code.blocks[*block].span,
            formulas: vec![text::label(&self.code.words, label)],
            short: Vec::new(),
            contract: Vec::new(),
        };
        let mut invariants: Vec<LoopInvariant> = self.labels.iter().map(invariant).collect();
        invariants.sort_by_key(|i| i.place);
        let claim = Claim::Verified { invariants, evidence: Box::new(evidence), states: None };
        Answer { claim, statistics: Statistics::default(), warnings: Vec::new() }
    }
}
