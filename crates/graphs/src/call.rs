//! Calls: a callee sees the part of memory that it can reach, and nothing else changes.
//!
//! What a call begins with is a graph of that part (`Entering`): the arguments, the globals, and in
//! [`Graph::held`] the pointers into it from the rest, which only callers reach. Whatever the callee
//! does, these pointers stay where they are; so a graph at its return says, by them, how the rest hangs
//! together with what the part has become (`Entering::back`).
//!
//! **Invariant.** For every memory of the caller's graph: the part is one of the entry's memories; and
//! if what the callee makes of it is one of a graph at the return, the caller finds one of the graph
//! that comes back.

use trellis_program::concrete::Lifetime;
use trellis_program::{BlockId, CheckKind, Expr, ProcId, Reg, Storage, VarId};

use crate::code::Code;
use crate::eval::Stop;
use crate::graph::{Graph, Node, Object};
use crate::step::{begin, named};
use crate::value::{Place, Value};

/// A call that has begun.
pub(crate) struct Entering {
    /// What the callee starts with.
    pub(crate) entry: Graph,
    /// The caller's graph; of what the callee reaches, only the pointers to it.
    rest: Graph,
    /// The pointers into what the callee reaches, as the caller's graph has them.
    held: Vec<Place>,
}

impl Code<'_> {
    /// Divides a graph at a call, after which the caller goes on with a block.
    pub(crate) fn enter(
        &self,
        graph: &Graph,
        callee: ProcId,
        args: &[Value],
        dst: Option<Reg>,
        next: BlockId,
    ) -> Result<Entering, Stop> {
        let mut rest = graph.clone();
        match dst {
            Some(Reg::Local(v)) => rest.locals[v.0 as usize] = Value::Any,
            // The callee may read it.
            Some(Reg::Global(_)) | None => {}
        }
        let held_before = rest.held.len();
        self.forget(&mut rest, next);
        rest.held.extend_from_slice(args);
        rest.collect();
        rest.held.truncate(held_before);
        // What the caller has lost stays lost, should the callee never return.
        let mut entry = Graph { locals: Vec::new(), held: Vec::new(), ..rest.clone() };
        self.bind(&mut entry, callee, args)?;
        let starts: Vec<Value> = entry.roots().collect();
        let reached = entry.reach(&starts);
        let is_inside = |p: &Place| reached[p.node as usize];
        let outside = rest.ids().filter(|id| !reached[*id as usize]);
        let from_outside = outside.flat_map(|id| rest.node(id).values());
        let holders = rest.locals.iter().chain(&rest.held).copied().chain(from_outside);
        let mut held: Vec<Place> = Vec::new();
        for place in holders.filter_map(Value::place).filter(is_inside) {
            if !held.contains(&place) {
                held.push(place);
            }
        }
        if self.ending.contains(&callee) && self.checks.contains(CheckKind::Leak) {
            self.kept_at_exit(&rest, &reached, &held)?;
        }
        entry.held = held.iter().map(|p| Value::Ptr(*p)).collect();
        for (i, inside) in reached.iter().enumerate() {
            match (inside, i < rest.nodes.len()) {
                (true, true) => rest.nodes[i] = None,
                (false, _) => entry.nodes[i] = None,
                (true, false) => {}
            }
        }
        Ok(Entering { entry, rest, held })
    }

    /// Refuses a call, should the program end during it, if memory of the caller is then kept by
    /// nothing but temporaries: so whatever callers hold, a variable of the user keeps.
    fn kept_at_exit(&self, rest: &Graph, reached: &[bool], held: &[Place]) -> Result<(), Stop> {
        let vars = &self.program.proc(self.proc).vars;
        let of_user = rest.locals.iter().zip(vars).filter(|(_, var)| !var.is_temp && !var.is_ghost);
        let keepers: Vec<Value> = of_user.map(|(v, _)| *v).chain(rest.held.clone()).collect();
        let kept = rest.held_by(keepers, |id| !reached[id as usize]);
        let outside = rest.ids().filter(|id| !reached[*id as usize]);
        let mut on_heap = outside.filter(|id| Code::is_heap(rest.node(*id)));
        let keeps = on_heap.all(|id| kept.whole.contains(&id));
        match keeps && held.iter().all(|p| kept.places.contains(p)) {
            true => Ok(()),
            false => Err(Stop::outside("a recursive call that may end the program")),
        }
    }

    /// The variables of a callee at its start.
    fn bind(&self, entry: &mut Graph, callee: ProcId, args: &[Value]) -> Result<(), Stop> {
        let types = &self.program.types;
        let procedure = self.program.proc(callee);
        entry.locals = vec![Value::Undef; procedure.vars.len()];
        for (i, arg) in args.iter().enumerate() {
            let var = &procedure.vars[i];
            if var.storage == Storage::Register {
                entry.locals[i] = named(entry, *arg);
                continue;
            }
            let size = types.size_of(var.ty).unwrap_or(0);
            let object = Object::new(types, Some(var.ty), size, Lifetime::Local, false);
            begin(entry, VarId(i as u32), Node::Object(object));
            let (place, to) = (Expr::Addr(Reg::Local(VarId(i as u32))), entry.locals[i]);
            match types.scalar(var.ty) {
                Some(scalar) => self.store(entry, &place, to, scalar, *arg)?,
                None => self.copy(entry, &place, to, *arg, size, true)?,
            }
            if let (true, Value::Ptr(p)) = (var.is_const, to)
                && let Node::Object(o) = entry.node_mut(p.node)
            {
                o.constant = true;
            }
        }
        Ok(())
    }

    /// A callee's graph at its return: its variables are gone, but for the result.
    pub(crate) fn leave(&self, graph: &Graph, result: Value) -> Graph {
        let mut exit = graph.clone();
        let vars = &self.program.proc(self.proc).vars;
        exit.locals.push(result);
        for (i, var) in vars.iter().enumerate() {
            if let (Storage::Object, Value::Ptr(p)) = (var.storage, exit.locals[i]) {
                exit.free(p.node);
            }
        }
        exit.locals.drain(..vars.len());
        exit.forget_seen();
        exit.collect();
        exit
    }
}

impl Entering {
    /// The caller's graph after a return.
    pub(crate) fn back(&self, exit: &Graph, dst: Option<Reg>) -> Graph {
        let mut out = self.rest.clone();
        let (nodes, symbols) = (out.nodes.len() as u32, out.ranges.len() as u32);
        let moved = |v: Value| match v {
            Value::Ptr(p) => {
                let at = p.at.map(|s| s + symbols);
                Value::Ptr(Place { node: p.node + nodes, at, ..p })
            }
            Value::Sym(s) => Value::Sym(s + symbols),
            v => v,
        };
        out.map(|v| match v.place().and_then(|p| self.held.iter().position(|h| *h == p)) {
            Some(i) => moved(exit.held[i]),
            None => v,
        });
        for node in &exit.nodes {
            let mut node = node.clone();
            if let Some(node) = &mut node {
                std::sync::Arc::make_mut(node).map(&mut |v| moved(v));
            }
            out.nodes.push(node);
        }
        out.ranges.extend_from_slice(&exit.ranges);
        out.less.extend(exit.less.iter().map(|(a, b)| (a + symbols, b + symbols)));
        if let (Some(all), Some(more)) = (&mut out.relations, &exit.relations) {
            let more = more.renamed(|s| Some(s + symbols));
            more.rows.rows().for_each(|row| all.rows.add(row.clone()));
            all.slack.extend(more.slack);
        }
        out.globals = exit.globals.iter().map(|v| moved(*v)).collect();
        out.lost |= exit.lost;
        if let Some(dst) = dst {
            crate::step::set(&mut out, dst, moved(exit.locals[0]));
        }
        out
    }
}
