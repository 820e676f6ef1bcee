//! The fixed point: graphs at loop heads, and at calls and returns of what is recursive, until nothing
//! new arrives.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use trellis_graphs::check::{Case, Invariant, Loops, STEPS};
use trellis_graphs::embed::embeds;
use trellis_graphs::step::{Arrival, Halt, Trouble, World};
use trellis_graphs::{Code, Codes, Graph, Value};
use trellis_program::{BlockId, Budget, ProcId, StopReason};

use crate::Precision;
use crate::fold::Folder;
use crate::join::union;
use crate::widen::{Thresholds, join_numbers, skeleton};

/// Most graphs that are followed from loop to loop with one precision that has no more at one place.
const MOST_BLOCKS: u64 = 2_000;

/// Most nodes on the heap that are kept apart; a list that is not summarised has ever more.
const MOST_NODES: usize = 30;

/// Most pointers that callers hold; where every call adds one, there is no end.
const MOST_HELD: usize = 12;

/// Why no invariant was found.
#[derive(Debug)]
pub enum Failed {
    /// A check is not excluded, or the code goes beyond graphs: the graph before that.
    Trouble(Box<(Trouble, Graph)>),
    /// The budget is over.
    Stopped(StopReason),
    /// There are more graphs at a place, or larger ones, than are looked at: one of them.
    TooMany(Arrival, Box<Graph>),
    /// More graphs were followed than one precision is worth.
    TooLong,
}

/// How a search ended without an invariant.
#[derive(Debug)]
pub struct Failure {
    /// Why.
    pub why: Failed,
    /// How many loops it came to: the more, the nearer it was to the end.
    pub reached: usize,
}

impl From<Halt> for Failed {
    fn from(halt: Halt) -> Failed {
        match halt {
            Halt::Trouble(trouble) => Failed::Trouble(trouble),
            Halt::Stopped(reason) => Failed::Stopped(reason),
            Halt::Unexpected(at, graph) => Failed::TooMany(at, graph),
        }
    }
}

/// Finds graphs that are an invariant of a whole program.
///
/// # Errors
/// If none was found.
pub fn search(
    codes: &Codes<'_>,
    precision: Precision,
    budget: &Budget,
) -> Result<Invariant, Failure> {
    let start = codes.main.start(precision.relates()).map_err(|refusal| {
        let trouble = Trouble::Outside { span: refusal.span, reason: refusal.reason };
        let why = Failed::Trouble(Box::new((trouble, Graph::default())));
        Failure { why, reached: 0 }
    })?;
    let mut search = Search::new(codes, precision, start);
    let used = search.run(budget).and_then(|()| search.confirm(budget));
    match used {
        Ok(used) => Ok(search.invariant(&used)),
        Err(why) => Err(Failure { why, reached: search.reached() }),
    }
}

/// The same, but what objects on the heap hold is not known to be equal to anything.
fn without_sharing(graph: &Graph) -> Graph {
    let mut out = graph.clone();
    for node in out.nodes.iter_mut().flatten().filter(|n| Code::is_heap(n)) {
        Arc::make_mut(node).map(&mut |v| match v {
            Value::Sym(s) => Value::Range(graph.ranges[s as usize]),
            v => v,
        });
    }
    out.normalised()
}

/// What is known of one procedure, called in memories of one graph; the first is the program itself.
struct Known {
    case: Case,
    /// Whether a later one has all its memories.
    covered: bool,
    /// What was followed with the returns that were known then.
    callers: BTreeSet<Task>,
}

/// Something to follow: in which case, from where.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Task {
    case: usize,
    /// A graph at a loop head; else the start of the procedure.
    from: Option<(BlockId, Graph)>,
}

struct Search<'p> {
    codes: &'p Codes<'p>,
    folder: Folder<'p>,
    thresholds: BTreeMap<ProcId, Thresholds>,
    precision: Precision,
    cases: Vec<Known>,
    /// For every case, place and graph without integers, how many differ in integers only, and their
    /// join once there are many.
    variants: BTreeMap<(usize, Arrival, Graph), (usize, Option<Graph>)>,
    todo: VecDeque<Task>,
    /// What is being followed.
    task: Task,
    /// How many graphs were followed from loop to loop.
    blocks: u64,
    /// Whether all that arrives has to be known as it is, and not only once it is summarised.
    confirming: bool,
}

impl<'p> Search<'p> {
    fn new(codes: &'p Codes<'p>, precision: Precision, start: Graph) -> Search<'p> {
        let task = Task { case: 0, from: None };
        let mut search = Search {
            codes,
            folder: Folder::new(&codes.main.program.types, precision),
            thresholds: BTreeMap::new(),
            precision,
            cases: Vec::new(),
            variants: BTreeMap::new(),
            todo: VecDeque::new(),
            task,
            blocks: 0,
            confirming: false,
        };
        search.begin(codes.main.proc, start);
        search
    }

    /// Follows what there is to follow.
    fn run(&mut self, budget: &Budget) -> Result<(), Failed> {
        while let Some(task) = self.todo.pop_front() {
            if self.blocks > MOST_BLOCKS.max(6 * self.precision.most as u64) {
                return Err(Failed::TooLong);
            }
            let Known { case, covered, .. } = &self.cases[task.case];
            // What was covered meanwhile needs no more steps.
            let is_there = |(block, graph): &(BlockId, Graph)| {
                case.loops.get(block).is_some_and(|all| all.contains(graph))
            };
            if *covered || !task.from.as_ref().is_none_or(is_there) {
                continue;
            }
            self.follow(task, budget)?;
        }
        Ok(())
    }

    fn follow(&mut self, task: Task, budget: &Budget) -> Result<(), Halt> {
        let case = &self.cases[task.case].case;
        let code = self.codes.of(case.proc);
        let start = case.entry.clone();
        self.task = task.clone();
        self.blocks += 1;
        match task.from {
            None => code.run_from_start(start, budget, self),
            Some((block, graph)) => code.run_to_heads(block, graph, budget, self),
        }
    }

    /// Looks at a procedure that is called in memories of a graph.
    fn begin(&mut self, proc: ProcId, entry: Graph) -> usize {
        let case = Case { proc, entry, loops: Loops::new(), exits: Vec::new() };
        self.thresholds
            .entry(proc)
            .or_insert_with(|| Thresholds::of(self.codes.main.program.proc(proc)));
        self.cases.push(Known { case, covered: false, callers: BTreeSet::new() });
        self.todo.push_back(Task { case: self.cases.len() - 1, from: None });
        self.cases.len() - 1
    }

    /// What arrived somewhere, if it is new there: summarised, and with what it covers taken out of
    /// what is known.
    fn settle(
        &mut self,
        case: usize,
        at: Arrival,
        graph: &Graph,
        known: &mut Vec<Graph>,
    ) -> Result<Option<Graph>, Halt> {
        let is_known = |graph: &Graph, known: &[Graph]| {
            known.iter().any(|old| embeds(graph, old, &mut { STEPS }))
        };
        let arrived = graph.normalised();
        if is_known(&arrived, known) {
            return Ok(None);
        }
        let mut graph = Graph { less: Vec::new(), ..arrived };
        if !self.precision.constants && !self.precision.relates() {
            graph = without_sharing(&graph);
        }
        if !self.confirming && is_known(&graph, known) {
            return Ok(None);
        }
        let mut graph = self.folder.fold(&graph);
        graph.refine();
        let mut graph = graph.normalised();
        if is_known(&graph, known) {
            // Whoever checks the invariant sees what arrived, and may need the step between.
            return Ok(self.confirming.then(|| {
                known.push(graph.clone());
                graph
            }));
        }
        let on_heap = |id: &u32| Code::is_heap(graph.node(*id));
        if graph.ids().filter(on_heap).count() > MOST_NODES || graph.held.len() > MOST_HELD {
            return Err(Halt::Unexpected(at, Box::new(graph)));
        }
        let (Arrival::Entry(proc) | Arrival::Loop(proc, _) | Arrival::Exit(proc)) = at;
        let key = (case, at, skeleton(&graph));
        let (count, joined) = self.variants.entry(key).or_default();
        *count += 1;
        if let Some(old) = joined {
            if let Some(thresholds) = self.thresholds.get(&proc) {
                graph = join_numbers(old, &graph, thresholds);
            }
            *joined = Some(graph.clone());
        } else if *count > self.precision.patience {
            *joined = Some(graph.clone());
        }
        known.retain(|old| !embeds(old, &graph, &mut { STEPS }));
        while let Some(both) = known.iter().find_map(|old| union(&graph, old, self.precision)) {
            let before = known.len();
            known.retain(|old| !embeds(old, &both, &mut { STEPS }));
            graph = both;
            // One that is not seen to be in the union stays beside it.
            if known.len() == before {
                break;
            }
        }
        if known.len() >= self.precision.most {
            return Err(Halt::Unexpected(at, Box::new(graph)));
        }
        known.push(graph.clone());
        Ok(Some(graph))
    }

    /// The case that is asked when a procedure is called; a new one if there is none.
    fn case_for(&mut self, callee: ProcId, entry: &Graph) -> Result<usize, Halt> {
        let asked = |(_, k): &(usize, &Known)| {
            !k.covered && k.case.proc == callee && embeds(entry, &k.case.entry, &mut { STEPS })
        };
        if let Some((i, _)) = self.cases.iter().enumerate().skip(1).find(asked) {
            return Ok(i);
        }
        let open = |k: &&Known| !k.covered && k.case.proc == callee;
        let mut entries: Vec<Graph> =
            self.cases.iter().skip(1).filter(open).map(|k| k.case.entry.clone()).collect();
        let new = self.settle(usize::MAX, Arrival::Entry(callee), entry, &mut entries)?;
        let Some(new) = new else {
            return Err(Halt::Unexpected(Arrival::Entry(callee), Box::new(entry.clone())));
        };
        // Whoever asked a case that is covered now asks again.
        for known in self.cases.iter_mut().skip(1).filter(|k| !k.covered) {
            if known.case.proc == callee && !entries.contains(&known.case.entry) {
                known.covered = true;
                self.todo.extend(std::mem::take(&mut known.callers));
            }
        }
        Ok(self.begin(callee, new))
    }

    /// How many loops were come to.
    fn reached(&self) -> usize {
        let heads = |k: &Known| k.case.loops.keys().map(|b| (k.case.proc, *b)).collect::<Vec<_>>();
        self.cases.iter().flat_map(heads).collect::<BTreeSet<_>>().len()
    }

    /// Follows all once more: a graph that was taken for covered may not be seen to be. Gives the
    /// cases that somebody asks.
    fn confirm(&mut self, budget: &Budget) -> Result<BTreeSet<usize>, Failed> {
        self.confirming = true;
        loop {
            let used = self.follow_all(budget)?;
            if self.todo.is_empty() {
                return Ok(used);
            }
            self.run(budget)?;
        }
    }

    /// The invariant: what is known, without cases that nobody asks any more.
    fn invariant(self, used: &BTreeSet<usize>) -> Invariant {
        let cases = self.cases.into_iter().enumerate().filter(|(i, _)| used.contains(i));
        let mut cases = cases.map(|(_, known)| known.case);
        let loops = cases.next().map(|main| main.loops).unwrap_or_default();
        Invariant { loops, cases: cases.collect() }
    }

    /// Follows everything that the program may come to; gives the cases.
    fn follow_all(&mut self, budget: &Budget) -> Result<BTreeSet<usize>, Failed> {
        let mut used = BTreeSet::from([0]);
        let mut todo = vec![0];
        while let Some(case) = todo.pop() {
            let loops = self.cases[case].case.loops.clone();
            let heads = loops.into_iter().flat_map(|(b, all)| all.into_iter().map(move |g| (b, g)));
            for from in std::iter::once(None).chain(heads.map(Some)) {
                let task = Task { case, from };
                self.follow(task.clone(), budget)?;
                let asked =
                    self.cases.iter().enumerate().filter(|(_, k)| k.callers.contains(&task));
                todo.extend(asked.map(|(i, _)| i).filter(|i| used.insert(*i)));
            }
        }
        Ok(used)
    }
}

impl World for Search<'_> {
    fn arrive(&mut self, block: BlockId, graph: Graph) -> Result<(), Halt> {
        let case = self.task.case;
        let proc = self.cases[case].case.proc;
        let mut known = self.cases[case].case.loops.remove(&block).unwrap_or_default();
        let new = self.settle(case, Arrival::Loop(proc, block), &graph, &mut known);
        self.cases[case].case.loops.insert(block, known);
        if let Some(graph) = new? {
            self.todo.push_back(Task { case, from: Some((block, graph)) });
        }
        Ok(())
    }

    fn call(&mut self, callee: ProcId, entry: Graph) -> Result<Vec<Graph>, Halt> {
        let entry = self.codes.entry(callee, entry)?;
        let asked = self.case_for(callee, &entry)?;
        let known = &mut self.cases[asked];
        known.callers.insert(self.task.clone());
        Ok(known.case.exits.clone())
    }

    fn leave(&mut self, exit: Graph) -> Result<(), Halt> {
        let case = self.task.case;
        let proc = self.cases[case].case.proc;
        let mut known = std::mem::take(&mut self.cases[case].case.exits);
        let new = self.settle(case, Arrival::Exit(proc), &exit, &mut known);
        self.cases[case].case.exits = known;
        if new?.is_some() {
            self.todo.extend(self.cases[case].callers.iter().cloned());
        }
        Ok(())
    }
}
