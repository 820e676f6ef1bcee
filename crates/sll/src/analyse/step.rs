//! What one block does to one heap.

use trellis_program::{Alarm, CheckKind, Refusal};

use super::states::StateId;
use super::{Engine, Way};
use crate::evaluate::{Evaluator, IntValue, int};
use crate::heap::{Heap, Ref};
use crate::program::{ANY_INT, Exit, Fact, IntExpr, Op, Step, UNDEF_INT};
use crate::transform::{Fault, Source};

impl Engine<'_> {
    /// Runs a block from a state and hands the results on.
    pub(super) fn block(&mut self, id: StateId, block: usize) {
        let program = self.program;
        let code = &program.blocks[block];
        let mut heaps = vec![self.states.get(id).heap.clone()];
        let mut next = Vec::new();
        for step in &code.steps {
            for heap in heaps.drain(..) {
                self.steps += 1;
                self.step(id, step, heap, &mut next);
            }
            if self.sharing.is_limited() {
                next = next.into_iter().flat_map(|h| self.sharing.close(h)).collect();
            }
            std::mem::swap(&mut heaps, &mut next);
        }
        for heap in heaps {
            match &code.exit {
                Exit::Stop => {}
                Exit::Goto(to) => self.arrive(*to, heap, Some(id)),
                Exit::Branch { cond, then, els, point, span } => {
                    let value = int(program, &heap, cond);
                    if value == IntValue::Undef && self.is_on(CheckKind::Uninit) {
                        let (point, span) = (*point, *span);
                        let kind = CheckKind::Uninit;
                        let way = Way { heap, from: id };
                        self.alarm(Alarm { kind, point, clause: 0, span, way });
                        continue;
                    }
                    if value != IntValue::Known(0) {
                        self.arrive(*then, heap.clone(), Some(id));
                    }
                    if !matches!(value, IntValue::Known(v) if v != 0) {
                        self.arrive(*els, heap, Some(id));
                    }
                }
            }
        }
    }

    fn is_on(&self, kind: CheckKind) -> bool {
        self.options.checks.contains(kind)
    }

    /// A check fails; if it is off, the execution just ends.
    fn alarm(&mut self, alarm: Alarm<Way>) {
        if self.is_on(alarm.kind) {
            self.alarms.entry(alarm.check()).or_insert(alarm);
        }
    }

    fn fail(&mut self, from: StateId, step: &Step, kind: CheckKind, heap: &Heap) {
        let (point, span) = (step.point, step.span);
        let way = Way { heap: heap.clone(), from };
        self.alarm(Alarm { kind, point, clause: 0, span, way });
    }

    fn fault(&mut self, from: StateId, step: &Step, fault: Fault, heap: &Heap) {
        let kind = match fault {
            Fault::Null => CheckKind::NullDeref,
            Fault::Undef => CheckKind::Uninit,
            Fault::Dangling => CheckKind::UseAfterFree,
        };
        self.fail(from, step, kind, heap);
    }

    fn step(&mut self, from: StateId, step: &Step, heap: Heap, out: &mut Vec<Heap>) {
        let transformer = self.transformer;
        match &step.op {
            Op::Assign { dst, value } => out.push(transformer.assign(heap, *dst, *value)),
            Op::Reset { vars, ints } => out.push(self.reset(heap, vars, ints)),
            Op::Load { dst, src } => {
                if let Err(fault) = transformer.node(&heap, *src) {
                    return self.fault(from, step, fault, &heap);
                }
                let _ = transformer.load(heap, *dst, *src, out);
            }
            Op::Store { dst, value } => {
                if let Err(fault) = transformer.node(&heap, *dst) {
                    return self.fault(from, step, fault, &heap);
                }
                let _ = transformer.store(heap, *dst, *value, out);
            }
            Op::Allocate { dst, size, zeroed, may_fail } => {
                if !self.is_whole_node(&heap, size) {
                    return self.refuse(step, "allocation of memory that may be no list node");
                }
                if *may_fail {
                    let null = Source::End(Ref::NULL);
                    out.push(transformer.assign(heap.clone(), *dst, null));
                }
                let field = if *zeroed { Ref::NULL } else { Ref::UNDEF };
                out.push(transformer.allocate(heap, *dst, field));
            }
            Op::Free { var } => match transformer.node(&heap, *var) {
                Ok(_) | Err(Fault::Null) => {
                    let _ = transformer.free(heap, *var, out);
                }
                Err(Fault::Undef) => self.fail(from, step, CheckKind::Uninit, &heap),
                Err(Fault::Dangling) => self.fail(from, step, CheckKind::DoubleFree, &heap),
            },
            Op::Data { var, read, unwritten, .. } => {
                if let Err(fault) = transformer.node(&heap, *var) {
                    return self.fault(from, step, fault, &heap);
                }
                let Some(dst) = *read else {
                    out.push(heap);
                    return;
                };
                let elsewhere =
                    |v: &usize| heap.vars[*v].index().is_some() && heap.vars[*v] != heap.vars[*var];
                if unwritten.as_ref().is_some_and(|all| !all.iter().any(elsewhere)) {
                    out.push(with_int(heap.clone(), dst, UNDEF_INT));
                }
                out.push(with_int(heap, dst, ANY_INT));
            }
            Op::WholeNode { size } => {
                if !self.is_whole_node(&heap, size) {
                    return self.refuse(step, "memset or memcpy of what may be no whole node");
                }
                out.push(heap);
            }
            Op::DefinedData { values } => {
                let undefined = |v| int(self.program, &heap, v) == IntValue::Undef;
                if values.iter().any(undefined) {
                    self.refuse(step, "an undefined value stored in a node");
                    return;
                }
                out.push(heap);
            }
            Op::Int { dst, value } => {
                let code = match int(self.program, &heap, value) {
                    IntValue::Known(v) => self.program.code(v),
                    IntValue::Any => ANY_INT,
                    IntValue::Undef => UNDEF_INT,
                };
                out.push(with_int(heap, *dst, code));
            }
            Op::Assert { kind, clause, fact } => {
                self.assert(from, step, *kind, *clause, fact, &heap, out);
            }
            Op::AssumeFact(fact) => {
                let cases = Evaluator::new(self.program).truth(&heap, fact);
                out.extend(cases.into_iter().filter(|(_, t)| t.may_hold()).map(|(h, _)| h));
            }
            Op::Test { kind, cond } => self.test(from, step, Some(*kind), cond, heap, out),
            Op::Assume(cond) => self.test(from, step, None, cond, heap, out),
            Op::MayFail(kind) => {
                self.fail(from, step, *kind, &heap);
                out.push(heap);
            }
            Op::Acyclic => {
                let cyclic = (0..heap.nodes.len()).any(|i| heap.on_cycle(i));
                if cyclic || heap.garbage.cyclic() {
                    return self.fail(from, step, CheckKind::Acyclic, &heap);
                }
                out.push(heap);
            }
            Op::Leak { roots } => self.leak(from, step, roots, heap, out),
            Op::Keep { .. } => out.push(heap),
            Op::Unsupported(reason) => self.refuse(step, reason),
        }
    }

    /// Whether so many bytes are known to be those of a node.
    fn is_whole_node(&self, heap: &Heap, size: &IntExpr) -> bool {
        let node = self.program.node.as_ref().map(|n| i64::from(n.size));
        matches!(int(self.program, heap, size), IntValue::Known(n) if Some(n) == node)
    }

    fn refuse(&mut self, step: &Step, reason: &str) {
        let refusal = || Refusal::at(step.span, reason);
        self.unsupported.entry(step.span).or_insert_with(refusal);
    }

    fn reset(&self, mut heap: Heap, vars: &[usize], ints: &[usize]) -> Heap {
        vars.iter().for_each(|v| heap.vars[*v] = Ref::UNDEF);
        ints.iter().for_each(|i| heap.ints[*i] = UNDEF_INT);
        self.transformer.finish(&mut heap);
        heap
    }

    #[allow(clippy::too_many_arguments)]
    fn assert(
        &mut self,
        from: StateId,
        step: &Step,
        kind: CheckKind,
        clause: u32,
        fact: &Fact,
        heap: &Heap,
        out: &mut Vec<Heap>,
    ) {
        for (h, truth) in Evaluator::new(self.program).truth(heap, fact) {
            if !truth.must_hold() {
                let (point, span) = (step.point, step.span);
                let way = Way { heap: h.clone(), from };
                self.alarm(Alarm { kind, point, clause, span, way });
            }
            if truth.may_hold() {
                out.push(h);
            }
        }
    }

    /// A C condition that must hold (if it is a check) or else ends the execution.
    fn test(
        &mut self,
        from: StateId,
        step: &Step,
        kind: Option<CheckKind>,
        cond: &IntExpr,
        heap: Heap,
        out: &mut Vec<Heap>,
    ) {
        let value = int(self.program, &heap, cond);
        if value == IntValue::Undef && self.is_on(CheckKind::Uninit) {
            return self.fail(from, step, CheckKind::Uninit, &heap);
        }
        let holds = matches!(value, IntValue::Known(v) if v != 0);
        if let (false, Some(kind)) = (holds, kind) {
            self.fail(from, step, kind, &heap);
        }
        if value != IntValue::Known(0) {
            out.push(heap);
        }
    }

    fn leak(
        &mut self,
        from: StateId,
        step: &Step,
        roots: &[usize],
        mut heap: Heap,
        out: &mut Vec<Heap>,
    ) {
        let before = heap.clone();
        for (v, r) in heap.vars.iter_mut().enumerate() {
            if !roots.contains(&v) {
                *r = Ref::UNDEF;
            }
        }
        self.transformer.finish(&mut heap);
        if heap.garbage.any() {
            return self.fail(from, step, CheckKind::Leak, &before);
        }
        out.push(heap);
    }
}

fn with_int(mut heap: Heap, dst: usize, code: u8) -> Heap {
    heap.ints[dst] = code;
    heap
}
