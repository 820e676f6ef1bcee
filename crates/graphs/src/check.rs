//! Graphs at the loop heads of a program, and at the calls and returns of what is recursive, are an
//! invariant: every memory that the program starts from, and every memory of a graph, leads to
//! memories of graphs where it arrives next, and no check fails on the way.
//!
//! A call is answered by the returns of a [`Case`] whose entry has all its memories. That the returns
//! are right is shown as for loops: by induction on the length of a run, a call that returns does so
//! in a memory of one of them.

use std::collections::{BTreeMap, BTreeSet};

use trellis_program::{BlockId, Budget, NoResult, ProcId, Refusal, Rejected};

use crate::code::{Code, Codes};
use crate::embed::embeds;
use crate::graph::Graph;
use crate::step::{Arrival, Halt, Trouble, World};
use crate::text;

/// Graphs at loop heads.
pub type Loops = BTreeMap<BlockId, Vec<Graph>>;

/// Graphs wherever they are needed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Invariant {
    /// At the loop heads of what the program begins with.
    pub loops: Loops,
    /// Of what is called.
    pub cases: Vec<Case>,
}

impl Invariant {
    /// Whether a graph says how integers are related: then that is followed from the start.
    fn relates(&self) -> bool {
        let of_case = |c: &Case| c.entry.relations.is_some() || related(&c.loops);
        related(&self.loops) || self.cases.iter().any(of_case)
    }

    /// The graphs at loop heads, of all procedures.
    pub fn all_loops(&self, main: ProcId) -> impl Iterator<Item = (ProcId, BlockId, &Vec<Graph>)> {
        let of = |(proc, loops): (ProcId, _)| {
            let loops: &Loops = loops;
            loops.iter().map(move |(b, graphs)| (proc, *b, graphs))
        };
        let cases = self.cases.iter().map(|c| (c.proc, &c.loops));
        std::iter::once((main, &self.loops)).chain(cases).flat_map(of)
    }
}

fn related(loops: &Loops) -> bool {
    loops.values().flatten().any(|g| g.relations.is_some())
}

/// What a procedure does when it is called in a memory of one graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The procedure.
    pub proc: ProcId,
    /// The graph at the call.
    pub entry: Graph,
    /// Graphs at its loop heads.
    pub loops: Loops,
    /// Graphs at its returns; their only local is the result.
    pub exits: Vec<Graph>,
}

/// Steps for one comparison of two graphs.
pub const STEPS: u64 = 20_000;

/// So many nodes, once an instruction, are another unit of work.
const LARGE: u64 = 512;

impl Code<'_> {
    /// Follows a graph from the start of the procedure.
    ///
    /// # Errors
    /// If it cannot be followed, or the budget is over.
    pub fn run_from_start(
        &self,
        mut graph: Graph,
        budget: &Budget,
        world: &mut dyn World,
    ) -> Result<(), Halt> {
        let entry = self.body().entry;
        self.tidy(&mut graph, entry);
        match self.heads.contains(&entry) {
            true => world.arrive(entry, graph),
            false => self.run_to_heads(entry, graph, budget, world),
        }
    }

    /// What a block costs beyond a unit of work: each of its instructions copies the graph.
    fn effort(&self, block: BlockId, graph: &Graph) -> u64 {
        (self.body().block(block).instrs.len() as u64 + 1) * graph.nodes.len() as u64 / LARGE
    }

    /// Follows a graph from the start of a block to the next loop heads.
    ///
    /// # Errors
    /// If it cannot be followed, or the budget is over.
    pub fn run_to_heads(
        &self,
        from: BlockId,
        graph: Graph,
        budget: &Budget,
        world: &mut dyn World,
    ) -> Result<(), Halt> {
        let mut todo = vec![(from, graph)];
        // Where ways meet, what is the same is followed once.
        let mut seen: BTreeMap<BlockId, BTreeSet<Graph>> = BTreeMap::new();
        while let Some((at, graph)) = todo.pop() {
            budget.check().map_err(Halt::Stopped)?;
            budget.work.spend(1 + self.effort(at, &graph));
            for (block, mut graph) in self.run_block(at, graph, world)? {
                self.tidy(&mut graph, block);
                if self.heads.contains(&block) {
                    world.arrive(block, graph)?;
                } else if self.joins.contains(&block) {
                    let graph = graph.normalised();
                    if seen.entry(block).or_default().insert(graph.clone()) {
                        todo.push((block, graph));
                    }
                } else {
                    todo.push((block, graph));
                }
            }
        }
        Ok(())
    }
}

/// Checks an invariant; gives how many graphs were followed.
///
/// # Errors
/// If it is none, or cannot be judged.
pub fn check(codes: &Codes<'_>, invariant: &Invariant, budget: &Budget) -> Result<usize, Rejected> {
    let start = codes.main.start(invariant.relates()).map_err(Rejected::from)?;
    let main = Expected { codes, invariant, proc: codes.main.proc, case: None };
    let mut count = main.follow(&codes.main, start, budget)?;
    for case in &invariant.cases {
        let Some(code) = codes.callee(case.proc) else {
            return Err(Rejected::Wrong("a case of a procedure that nobody calls".to_owned()));
        };
        let expected = Expected { codes, invariant, proc: case.proc, case: Some(case) };
        count += expected.follow(code, case.entry.clone(), budget)?;
    }
    Ok(count)
}

/// What an invariant says of one procedure, or one case of it.
struct Expected<'a> {
    codes: &'a Codes<'a>,
    invariant: &'a Invariant,
    proc: ProcId,
    case: Option<&'a Case>,
}

impl<'a> Expected<'a> {
    fn loops(&self) -> &'a Loops {
        self.case.map_or(&self.invariant.loops, |c| &c.loops)
    }

    /// Follows a graph at the start, and all graphs at loop heads; gives how many these are.
    fn follow(mut self, code: &Code<'_>, start: Graph, budget: &Budget) -> Result<usize, Rejected> {
        let codes = self.codes;
        let wrong = |halt| rejected(codes, halt);
        code.run_from_start(start, budget, &mut self).map_err(wrong)?;
        let mut count = 1;
        for (block, graphs) in self.loops() {
            for graph in graphs {
                code.run_to_heads(*block, graph.clone(), budget, &mut self).map_err(wrong)?;
                count += 1;
            }
        }
        Ok(count)
    }

    fn fits(&self, at: Arrival, graph: &Graph, known: &[Graph]) -> Result<(), Halt> {
        let graph = graph.normalised();
        match known.iter().any(|g| embeds(&graph, g, &mut { STEPS })) {
            true => Ok(()),
            false => Err(Halt::Unexpected(at, Box::new(graph))),
        }
    }
}

impl World for Expected<'_> {
    fn arrive(&mut self, block: BlockId, graph: Graph) -> Result<(), Halt> {
        let known = self.loops().get(&block).map_or(&[][..], |all| all);
        self.fits(Arrival::Loop(self.proc, block), &graph, known)
    }

    fn call(&mut self, callee: ProcId, entry: Graph) -> Result<Vec<Graph>, Halt> {
        let entry = self.codes.entry(callee, entry)?;
        let cases = self.invariant.cases.iter().filter(|c| c.proc == callee);
        let mut fitting = cases.filter(|c| embeds(&entry, &c.entry, &mut { STEPS }));
        match fitting.next() {
            Some(case) => Ok(case.exits.clone()),
            None => Err(Halt::Unexpected(Arrival::Entry(callee), Box::new(entry))),
        }
    }

    fn leave(&mut self, exit: Graph) -> Result<(), Halt> {
        let known = self.case.map_or(&[][..], |c| &c.exits);
        self.fits(Arrival::Exit(self.proc), &exit, known)
    }
}

impl Codes<'_> {
    /// The graph at a call, as cases have it.
    ///
    /// # Errors
    /// If the callee cannot be followed.
    pub fn entry(&self, callee: ProcId, mut entry: Graph) -> Result<Graph, Halt> {
        let Some(code) = self.callee(callee) else {
            let span = self.main.program.proc(callee).span;
            let trouble = Trouble::Outside { span, reason: "a call that was not replaced".into() };
            return Err(Halt::Trouble(Box::new((trouble, entry))));
        };
        code.tidy(&mut entry, code.body().entry);
        Ok(entry.normalised())
    }
}

fn rejected(codes: &Codes<'_>, halt: Halt) -> Rejected {
    let program = codes.main.program;
    let line = |span| program.sources.line_col(span).0;
    match halt {
        Halt::Stopped(reason) => Rejected::Unjudged(NoResult::Stopped(reason)),
        Halt::Trouble(trouble) => match trouble.0 {
            Trouble::Outside { span, reason } => {
                Rejected::Unjudged(Refusal::at(span, reason).into())
            }
            Trouble::Alarm { kind, span, .. } => {
                Rejected::Wrong(format!("{kind} is not excluded in line {}", line(span)))
            }
        },
        Halt::Unexpected(at, graph) => {
            let (proc, place) = match at {
                Arrival::Entry(p) => (p, format!("a call of `{}`", program.proc(p).name)),
                Arrival::Exit(p) => (p, format!("a return of `{}`", program.proc(p).name)),
                Arrival::Loop(p, block) => {
                    let span = codes.of(p).body().block(block).span_at(0);
                    (p, format!("the loop in line {}", line(span)))
                }
            };
            let there = match at {
                Arrival::Exit(_) => text::exit(codes.of(proc), &graph),
                Arrival::Entry(_) | Arrival::Loop(..) => text::graph(codes.of(proc), &graph),
            };
            Rejected::Wrong(format!("a memory arrives at {place} that fits no graph: {there}"))
        }
    }
}
