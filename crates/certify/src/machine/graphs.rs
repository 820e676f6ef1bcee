//! Memory graphs on the machine: from every small memory of a graph, reachable or not, every way to
//! the next loop head, where a graph must fit.
//!
//! What a graph means is told by unfolding on both sides; what a statement does, by the interpreter
//! alone.

use trellis_graphs::check::{Invariant, STEPS};
use trellis_graphs::embed::embeds;
use trellis_graphs::instances::{Found, each};
use trellis_graphs::{Code, text};
use trellis_logic::Budget;
use trellis_logic::drawing::TextStyle;
use trellis_program::concrete::drawing::draw;
use trellis_program::concrete::{Choices, Finish, Machine, State};
use trellis_program::{BlockId, Inlined, Rejected};

use super::states::Flow;
use super::{Contradiction, Coverage, Extent, Objection, Work};

/// A graph has objects that are no elements of lists or trees; these come on top.
const MORE_OBJECTS: usize = 4;

/// Runs the machine from all small memories of graphs. The program is the one that they are about,
/// calls replaced.
///
/// # Errors
/// If the graphs are no invariant on the machine, or the machine cannot tell.
pub fn check_graphs_on_machine(
    inlined: &Inlined,
    invariant: &Invariant,
    extent: &Extent,
    budget: &Budget,
) -> Result<Coverage, Objection> {
    let machine = Machine::new(&inlined.program, extent.machine.clone());
    let options = &extent.machine;
    let code = Code::new(&inlined.program, inlined.proc, options.checks, options.malloc_may_fail)?;
    let mut work = Work { left: extent.work, budget, spent: 0, stopped: None };
    let mut coverage = Coverage::default();
    let runs = Runs { code: &code, machine: &machine, invariant };
    for objects in 0..=extent.objects + MORE_OBJECTS {
        let mut found = None;
        let flow = runs.of_size(objects, &mut work, &mut coverage, &mut found);
        if let Some(contradiction) = found {
            return Err(Rejected::Wrong(Box::new(contradiction)));
        }
        if let Some(why) = work.stopped {
            return Err(why.into());
        }
        if flow.is_break() {
            break;
        }
        coverage.objects = Some(objects);
    }
    Ok(coverage)
}

struct Runs<'a> {
    code: &'a Code<'a>,
    machine: &'a Machine<'a>,
    invariant: &'a Invariant,
}

impl Runs<'_> {
    fn of_size(
        &self,
        objects: usize,
        work: &mut Work<'_>,
        coverage: &mut Coverage,
        found: &mut Option<Contradiction>,
    ) -> Flow {
        for (head, graphs) in self.invariant {
            for graph in graphs {
                each(self.code, *head, graph, objects, &mut |step| match step {
                    Found::Step => work.spend(1),
                    Found::State(state) => {
                        coverage.states += 1;
                        self.from(*head, state, work, found)
                    }
                })?;
            }
        }
        Flow::Continue(())
    }

    /// Every way from a state at a loop head to the next one.
    fn from(
        &self,
        head: BlockId,
        start: &State,
        work: &mut Work<'_>,
        found: &mut Option<Contradiction>,
    ) -> Flow {
        let mut choices = Choices::default();
        loop {
            choices.rewind();
            let mut state = start.clone();
            let end = loop {
                work.spend(1)?;
                if let Some(finish) = self.machine.step(&mut state, &mut choices) {
                    break Err(finish);
                }
                let top = state.top();
                if top.instr == 0 && self.code.heads.contains(&top.block) {
                    break Ok(top.block);
                }
            };
            let what = match end {
                Ok(block) => {
                    work.spend(20)?;
                    self.fails(block, &state)
                }
                Err(Finish::Failed(failure)) => {
                    let span = self.code.program.span_at(failure.point);
                    let place = self.code.program.sources.locate(span);
                    Some(format!("it fails the check `{}` at {place}", failure.kind))
                }
                Err(Finish::Unsupported { reason, .. }) => Some(format!("it ends in {reason}")),
                Err(_) => None,
            };
            if let Some(what) = what {
                let from = self.code.body().block(head).span_at(0);
                *found = Some(Contradiction { from, state: self.draw(start), what });
                return Flow::Break(());
            }
            if !choices.advance() {
                return Flow::Continue(());
            }
        }
    }

    /// What is wrong with a state at a loop head.
    fn fails(&self, block: BlockId, state: &State) -> Option<String> {
        let span = self.code.body().block(block).span_at(0);
        let place = self.code.program.sources.locate(span);
        let mut graph = match self.code.of_state(state) {
            Ok(graph) => graph,
            Err(why) => return Some(format!("it arrives at {place} with {}", why.reason)),
        };
        self.code.tidy(&mut graph, block);
        let graph = graph.normalised();
        let graphs = self.invariant.get(&block).into_iter().flatten();
        if graphs.into_iter().any(|g| embeds(&graph, g, &mut { STEPS })) {
            return None;
        }
        let there = text::graph(self.code, &graph);
        Some(format!("it arrives at {place} in a memory that fits no graph: {there}"))
    }

    fn draw(&self, state: &State) -> String {
        draw(self.code.program, state).to_text(TextStyle::default())
    }
}
