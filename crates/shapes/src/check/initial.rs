//! Initial heaps, built from their interruptions: every graph of interruptions whose lists end in
//! null, with every combination of the length classes.

use trellis_program::concrete::spec_eval::Truth;
use trellis_program::concrete::{State, Value};
use trellis_program::spec::{Formula, Label};
use trellis_program::{Refusal, Rejected};

use super::{Checker, MOST_INPUTS};
use crate::concrete::{ListHeap, Target, each_length};
use crate::heap::{Heap, Lengths};

impl Checker<'_> {
    /// The abstractions of all initial heaps that satisfy `requires` are at the first block.
    pub(super) fn initial_heaps(&mut self) -> Result<(), Rejected> {
        let inputs = &self.list.inputs;
        if inputs.len() > MOST_INPUTS {
            let Some(starts) = self.options.starts else {
                let span = self.machine.program.proc(self.list.proc).span;
                return Err(Refusal::at(span, "more than three lists at entry").into());
            };
            return starts.iter().try_for_each(|h| self.initial_heap(h));
        }
        let mut graphs = Vec::new();
        let mut start = ListHeap { vars: vec![Target::Undef; self.list.vars.len()], next: vec![] };
        self.list.nulls.iter().for_each(|x| start.vars[*x] = Target::Null);
        fill(&start, inputs, 0, 2 * inputs.len(), &mut graphs);
        for graph in graphs {
            let mut heap = graph.abstraction();
            heap.nodes.iter_mut().for_each(|s| s.lengths = Lengths::ANY);
            heap.ints = Heap::empty(0, self.list.ints.len()).ints;
            heap.ints.fill(crate::program::UNDEF_INT);
            self.list.int_inputs.iter().for_each(|(i, code)| heap.ints[*i] = *code);
            self.list.copies.iter().for_each(|(copy, param)| heap.vars[*copy] = heap.vars[*param]);
            self.initial_heap(&heap)?;
        }
        Ok(())
    }

    fn initial_heap(&mut self, heap: &Heap) -> Result<(), Rejected> {
        let (mut wrong, mut unsure) = (None, None);
        let mut instances = Vec::new();
        each_length(heap, 3, &mut |lengths| instances.push(lengths.to_vec()));
        for lengths in instances {
            let concrete = ListHeap::instance(heap, &lengths);
            for state in self.states(0, heap, &concrete)? {
                self.done.initial += 1;
                let starts = self.satisfies_requires(&state);
                if starts != Truth::False
                    && let Err(why) = self.describes(0, &state)
                {
                    let which = if starts == Truth::True { &mut wrong } else { &mut unsure };
                    which.get_or_insert(why);
                }
            }
            self.go_on()?;
        }
        if let Some(why) = wrong {
            return Err(Rejected::Wrong(format!("at entry: {why}")));
        }
        let span = || self.machine.program.proc(self.list.proc).contract.requires[0].span;
        match unsure {
            Some(_) => Err(Refusal::at(span(), "a precondition about more than lists").into()),
            None => Ok(()),
        }
    }

    /// Whether `requires` holds. It is undefined where that is up to numbers, which are not known.
    fn satisfies_requires(&self, state: &State) -> Truth {
        let proc = self.machine.program.proc(self.list.proc);
        let mut closed = state.clone();
        let values = closed.regs.iter_mut().chain(&mut closed.globals);
        values.filter(|v| **v == Value::Open).for_each(|v| *v = Value::Undef);
        let truth = |formula: &Formula| {
            let formula = Formula::At(Label::Pre, Box::new(formula.clone()));
            let mut env = self.machine.env(&closed, None);
            // Parameters are read as passed, and not all entry values are kept.
            env.entry = &env.locals[..proc.params];
            env.truth(&formula)
        };
        // What is said of lists alone and has no value reads memory that is not there.
        if self.list.of_lists.iter().any(|part| truth(part) != Truth::True) {
            return Truth::False;
        }
        let clauses = proc.contract.requires.iter().map(|clause| truth(&clause.formula));
        clauses.min().unwrap_or(Truth::True)
    }
}

/// Fills the inputs and then the fields of the nodes that come up, each with null, a node that is
/// there, or the next new one; keeps the graphs in which every node is an interruption.
fn fill(heap: &ListHeap, inputs: &[usize], at: usize, most: usize, out: &mut Vec<ListHeap>) {
    let node = at.checked_sub(inputs.len());
    // A node that no input names needs two fields that lead to it, and so many must be left.
    if let Some(filled) = node {
        let entered = |i: usize| heap.next.iter().filter(|t| **t == Target::Node(i)).count();
        let named = |i: usize| inputs.iter().any(|x| heap.vars[*x] == Target::Node(i));
        let nameless = (0..heap.next.len()).filter(|&i| !named(i));
        let needed: usize = nameless.map(|i| 2usize.saturating_sub(entered(i))).sum();
        if needed > heap.next.len() - filled {
            return;
        }
    }
    if node == Some(heap.next.len()) {
        out.push(heap.clone());
        return;
    }
    let known = heap.next.len();
    let new = (known < most).then_some(known);
    let targets = (0..known).chain(new).map(Target::Node);
    for target in std::iter::once(Target::Null).chain(targets) {
        let mut next = heap.clone();
        if target == Target::Node(known) {
            next.next.push(Target::Undef);
        }
        match node {
            None => next.vars[inputs[at]] = target,
            Some(i) => next.next[i] = target,
        }
        fill(&next, inputs, at + 1, most, out);
    }
}
