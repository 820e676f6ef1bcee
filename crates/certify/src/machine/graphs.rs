//! Memory graphs on the machine: from every small memory of a graph, reachable or not, every way to
//! the next loop head, or to the return of what was called, where a graph must fit.
//!
//! What a graph means is told by unfolding on both sides; what a statement does, by the interpreter
//! alone.

use trellis_graphs::check::{Case, Invariant, Loops, STEPS};
use trellis_graphs::embed::embeds;
use trellis_graphs::instances::{Found, each};
use trellis_graphs::{Code, Codes, Graph, text};
use trellis_logic::Budget;
use trellis_logic::drawing::TextStyle;
use trellis_program::concrete::drawing::draw;
use trellis_program::concrete::{Choices, Finish, Machine, State, Value};
use trellis_program::{BlockId, CheckKind, Inlined, Refusal, Rejected, Span};

use super::states::Flow;
use super::{Contradiction, Coverage, Extent, Objection, Work};

/// A graph has objects that are no elements of lists or trees; these come on top.
const MORE_OBJECTS: usize = 4;

/// How deep runs follow recursive calls, and after how many choices they give up in one: what these do
/// is seen from their own graphs.
const MOST_DEPTH: usize = 4;
const MOST_CHOICES: u16 = 8;

/// Runs the machine from all small memories of graphs. The program is the one that they are about:
/// recursive calls are the only ones.
///
/// # Errors
/// If the graphs are no invariant on the machine, or the machine cannot tell.
pub fn check_graphs_on_machine(
    inlined: &Inlined,
    invariant: &Invariant,
    extent: &Extent,
    budget: &Budget,
) -> Result<Coverage, Objection> {
    let options = &extent.machine;
    let codes = Codes::new(inlined, options.checks, options.malloc_may_fail)?;
    let mut options = options.clone();
    options.max_depth = MOST_DEPTH;
    let machine = Machine::new(&inlined.program, options.clone());
    // What a callee leaves behind is not lost while callers hold it.
    let mut inner = options;
    inner.checks.set(CheckKind::Leak, false);
    let inner = Machine::new(&inlined.program, inner);
    let main = Runs { code: &codes.main, machine: &machine, loops: &invariant.loops, case: None };
    let mut all = vec![main];
    for case in &invariant.cases {
        let code = codes.of(case.proc);
        all.push(Runs { code, machine: &inner, loops: &case.loops, case: Some(case) });
    }
    let mut work = Work { left: extent.work, budget, spent: 0, stopped: None };
    let mut coverage = Coverage::default();
    for objects in 0..=extent.objects + MORE_OBJECTS {
        let mut found = None;
        let flow =
            all.iter().try_for_each(|r| r.of_size(objects, &mut work, &mut coverage, &mut found));
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

/// One procedure, or a case of it.
struct Runs<'a> {
    code: &'a Code<'a>,
    machine: &'a Machine<'a>,
    loops: &'a Loops,
    case: Option<&'a Case>,
}

impl Runs<'_> {
    fn of_size(
        &self,
        objects: usize,
        work: &mut Work<'_>,
        coverage: &mut Coverage,
        found: &mut Option<Contradiction>,
    ) -> Flow {
        let loops = self.loops.iter().flat_map(|(b, graphs)| graphs.iter().map(|g| (*b, g)));
        let entry = self.case.map(|case| (self.code.body().entry, &case.entry));
        for (block, graph) in entry.into_iter().chain(loops) {
            each(self.code, block, graph, objects, &mut |step| match step {
                Found::Step => work.spend(1),
                Found::State(state, held) => {
                    coverage.states += 1;
                    self.from(block, state, held, work, found)
                }
            })?;
        }
        Flow::Continue(())
    }

    /// Every way from a state to the next loop head, or to the return.
    fn from(
        &self,
        block: BlockId,
        start: &State,
        held: &[Value],
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
                // What the procedure calls has ways of its own.
                let is_here = state.frames.len() == 1;
                if is_here && top.instr == 0 && self.code.heads.contains(&top.block) {
                    break Ok(top.block);
                }
                if !is_here && choices.real() > MOST_CHOICES {
                    break Err(Finish::TooDeep);
                }
            };
            let what = match end {
                Ok(head) => {
                    work.spend(20)?;
                    self.at_loop(head, &state, held)
                }
                Err(Finish::Returned(value)) => {
                    work.spend(20)?;
                    self.case.and_then(|case| self.at_return(case, &state, value, held))
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
                let from = self.code.body().block(block).span_at(0);
                *found = Some(Contradiction { from, state: self.draw(start), what });
                return Flow::Break(());
            }
            if !choices.advance() {
                return Flow::Continue(());
            }
        }
    }

    /// What is wrong with a state at a loop head.
    fn at_loop(&self, block: BlockId, state: &State, held: &[Value]) -> Option<String> {
        let span = self.code.body().block(block).span_at(0);
        let graph = self.code.of_state(state, held).map(|mut graph| {
            self.code.tidy(&mut graph, block);
            graph
        });
        self.misfit(graph, self.loops.get(&block).map_or(&[], |all| all), span, text::graph)
    }

    /// What is wrong with a state at the return.
    fn at_return(
        &self,
        case: &Case,
        state: &State,
        value: Value,
        held: &[Value],
    ) -> Option<String> {
        let graph = self.code.of_return(state, value, held);
        self.misfit(graph, &case.exits, self.code.program.proc(case.proc).span, text::exit)
    }

    fn misfit(
        &self,
        graph: Result<Graph, Refusal>,
        graphs: &[Graph],
        span: Span,
        said: fn(&Code<'_>, &Graph) -> String,
    ) -> Option<String> {
        let place = self.code.program.sources.locate(span);
        let graph = match graph {
            Ok(graph) => graph.normalised(),
            Err(why) => return Some(format!("it arrives at {place} with {}", why.reason)),
        };
        if graphs.iter().any(|g| embeds(&graph, g, &mut { STEPS })) {
            return None;
        }
        let there = said(self.code, &graph);
        Some(format!("it arrives at {place} in a memory that fits no graph: {there}"))
    }

    fn draw(&self, state: &State) -> String {
        draw(self.code.program, state).to_text(TextStyle::default())
    }
}
