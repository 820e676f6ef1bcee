//! What no compiler knows, compiled in: contracts, annotations, cycles, and pointers to functions.

use std::fmt::Write;

use trellis_program::checks::Point;
use trellis_program::concrete::spec_eval::{SpecEnv, places_in};
use trellis_program::concrete::{Lifetime, Object, Value};
use trellis_program::spec::{Assigns, Formula};
use trellis_program::types::{Type, TypeId};
use trellis_program::{CheckKind, Cond, GlobalId, InstrKind, ProcId, Reg, Storage};

use crate::declare::{declare, is_name, quoted};
use crate::edit::{self, Edit};
use crate::formula::{Writer, old_name};
use crate::write::Sheet;

impl<'a> Sheet<'a> {
    /// A function under the name of the procedure that looks at its contract, and calls it.
    pub(crate) fn wrapper(&mut self, kind: CheckKind, clause: usize) -> Result<String, String> {
        let top = self.noted.last.top();
        let id = top.proc;
        let proc = self.program.proc(id);
        let body = format!("trellis_body_of_{}", proc.name);
        let mut writer = self.writer(id, &[]);
        let mut out = String::new();
        let has_result = !proc.ret_is_void(&self.program.types);
        let renamed = edit::renamed(self.program, &proc.name, proc.span, &body)?;
        let _ = writeln!(out, "{} {{", renamed.head);
        let _ = writeln!(out, "    static int trellis_calls;");
        let _ = writeln!(out, "    int trellis_now = ++trellis_calls == {};", self.noted.call);
        for global in self.plain_globals() {
            let _ = writeln!(out, "    __typeof__({global}) {} = {global};", old_name(&global));
        }
        let _ = writeln!(out, "    if (trellis_now) trellis_enter();");
        if kind == CheckKind::Precondition {
            for promise in &proc.contract.requires[..=clause.min(proc.contract.requires.len() - 1)]
            {
                writer = self.with_integers(writer, id, &promise.formula);
                let truth = writer.formula(&promise.formula)?;
                // What a callee requires fails at the call.
                let _ = writeln!(out, "    if (trellis_now && {truth} != TRELLIS_TRUE)");
                let _ = writeln!(out, "        {}", self.fail(self.case.line, kind));
            }
        }
        let args: Vec<&str> = proc.vars[..proc.params].iter().map(|v| v.name.as_str()).collect();
        let call = format!("{body}({})", args.join(", "));
        match has_result {
            true => {
                let result = declare(&self.program.types, proc.ret, "trellis_returned");
                let _ = writeln!(out, "    {result} = {call};");
            }
            false => {
                let _ = writeln!(out, "    {call};");
            }
        }
        if kind == CheckKind::Postcondition {
            for promise in &proc.contract.ensures[..=clause] {
                writer = self.with_integers(writer, id, &promise.formula);
                let truth = writer.formula(&promise.formula)?;
                let line = self.program.sources.line_col(promise.span).0;
                let _ = writeln!(out, "    if (trellis_now && {truth} != TRELLIS_TRUE)");
                let _ = writeln!(out, "        {}", self.fail(line, kind));
            }
        }
        if let (CheckKind::Assigns, Assigns::Places(items, _)) = (kind, &proc.contract.assigns) {
            let mut allowed = "0".to_owned();
            for item in items.iter().filter(|i| i.global.is_none()) {
                allowed = format!("{allowed} || {}", writer.lists(item, "trellis_here")?);
            }
            let fail = self.fail(self.case.line, kind);
            let _ = write!(
                out,
                "    for (int trellis_o = 0; trellis_now && trellis_o < trellis_count; trellis_o++) {{
        struct trellis_object *trellis_it = &trellis_objects[trellis_o];
        for (trellis_size trellis_b = 0; trellis_b < trellis_it->size; trellis_b++) {{
            if (!trellis_it->existed || !trellis_it->live) break;
            trellis_size trellis_here = ~trellis_it->hidden + trellis_b;
            if (*(char *)trellis_here == trellis_it->before[trellis_b]) continue;
            if (!({allowed}))
                {fail}
        }}
    }}
"
            );
            for (i, global) in self.program.globals.iter().enumerate() {
                let listed = |r: &Option<Reg>| *r == Some(Reg::Global(GlobalId(i as u32)));
                let plain = self.plain_globals().contains(&global.name);
                if plain && !items.iter().any(|item| listed(&item.global)) {
                    let (new, old) = (&global.name, old_name(&global.name));
                    let _ = writeln!(out, "    if (trellis_now && {new} != {old}) {fail}");
                }
            }
        }
        if has_result {
            let _ = writeln!(out, "    return trellis_returned;");
        }
        out.push_str("}\n");
        self.edits.push(renamed.edit);
        self.contracts = Some(writer.types.into_iter().collect());
        Ok(out)
    }

    /// A check in the text, where an annotation stands.
    pub(crate) fn inline_check(&mut self, kind: CheckKind, point: Point) -> Result<(), String> {
        let instr = self.program.instr_at(point).ok_or("the annotation has no instruction")?;
        let InstrKind::Assert { cond: Cond::Spec(formula), .. } = &instr.kind else {
            return Err("the annotation is no formula".to_owned());
        };
        let mut writer = self.writer(point.proc, &[]);
        writer.inside = true;
        writer = self.with_integers(writer, point.proc, formula);
        let truth = writer.formula(formula)?;
        let line = self.program.sources.line_col(instr.span).0;
        let check = format!("if ({truth} != TRELLIS_TRUE) {}", self.fail(line, kind));
        let sources = &self.program.sources;
        let edit = match kind {
            CheckKind::LoopInvariant => Edit {
                span: edit::loop_condition(sources, instr.span)?,
                text: format!("({{ {check} 0; }}), "),
            },
            _ => Edit {
                span: edit::before_annotation(sources, instr.span)?,
                text: format!("{{ {check} }} "),
            },
        };
        self.edits.push(edit);
        // What the annotation speaks of may exist for annotations only.
        if self.program.proc(point.proc).vars.iter().any(|v| v.is_ghost) {
            self.edits.extend(edit::ghosts(sources, instr.span.file));
        }
        self.contracts = Some(writer.types.into_iter().collect());
        Ok(())
    }

    /// A look at a pointer before a function is called through it: sanitizers see no line there.
    pub(crate) fn called_pointer(&mut self, kind: CheckKind, point: Point) {
        let Some(instr) = self.program.instr_at(point) else { return };
        if !matches!(instr.kind, InstrKind::Assert { .. }) {
            return;
        }
        let call = self.program.sources.snippet(instr.span);
        let Some(arguments) = edit::last_brackets(call) else { return };
        let (callee, arguments) = call.split_at(arguments);
        if call.contains('\n') || callee.trim().is_empty() {
            return;
        }
        let functions = self.program.globals.iter().filter(|g| {
            let known = self.program.find_proc(&g.name).is_some();
            known && self.program.types.is_function(g.ty)
        });
        let wrong = match kind {
            CheckKind::NullDeref => "!trellis_f".to_owned(),
            _ => functions.fold("1".to_owned(), |all, g| {
                let f = &g.name;
                format!(
                    "{all} && !(__builtin_types_compatible_p(__typeof__(*trellis_f), \
                     __typeof__({f})) && (void *)trellis_f == (void *){f})"
                )
            }),
        };
        let fail = self.fail(self.case.line, kind);
        let text = format!(
            "({{ __typeof__(&*({callee})) trellis_f = {callee}; if ({wrong}) {fail} trellis_f; \
             }}){arguments}"
        );
        self.edits.push(Edit { span: instr.span, text });
    }

    /// A look at all objects when the procedure has returned.
    pub(crate) fn acyclic(&mut self, point: Point) -> Result<String, String> {
        let block = &self.program.body(point.proc).ok_or("it has no body")?.block(point.block);
        if self.noted.last.frames.len() != 1 || (point.instr as usize) < block.instrs.len() {
            return Err("the cycle is there before the procedure returns".to_owned());
        }
        let types = &self.program.types;
        let mut writer = self.writer(point.proc, &[]);
        let mut out = "static void trellis_acyclic(void) {\n".to_owned();
        for (id, record) in types.records() {
            let Some(owner) = types.find(&Type::Record(id)) else { continue };
            for field in record.fields.iter().filter(|f| types.pointee(f.ty) == Some(owner)) {
                let (of, offset) = (writer.number(owner), field.offset);
                let fail = self.fail(self.case.line, CheckKind::Acyclic);
                let _ = writeln!(out, "    if (trellis_cyclic({of}, {offset})) {fail}");
            }
        }
        out.push_str("}\n");
        self.contracts = Some(writer.types.into_iter().collect());
        Ok(out)
    }

    fn writer(&self, proc: ProcId, integers: &[i128]) -> Writer<'a> {
        Writer::new(self.program, proc, integers.to_vec())
    }

    /// A writer that has the integers of another formula.
    fn with_integers(&self, writer: Writer<'a>, proc: ProcId, formula: &Formula) -> Writer<'a> {
        let state = &self.noted.last;
        let result = match writer.inside {
            true => None,
            false => Some(Value::Undef),
        };
        let env: SpecEnv<'_> = self.case.machine.env(state, result);
        debug_assert_eq!(env.proc, proc, "the innermost procedure is looked at");
        writer.over(env.integers(formula))
    }

    /// What ends the program.
    pub(crate) fn fail(&self, line: usize, kind: CheckKind) -> String {
        let (file, what) = (quoted(self.case.file), quoted(kind.failure()));
        format!("trellis_fail({file}, {line}, {what});")
    }

    /// The user's globals that are scalars without an address.
    fn plain_globals(&self) -> Vec<String> {
        let plain = self.program.globals.iter().filter(|g| {
            g.storage == Storage::Register
                && is_name(&g.name)
                && !g.is_ghost
                && !self.program.sources.is_model(g.span)
        });
        plain.map(|g| g.name.clone()).collect()
    }

    /// Where places of a type lie in objects of others.
    pub(crate) fn insides(&self, out: &mut String, types: &[(TypeId, usize)]) {
        let table = &self.program.types;
        let mut objects: Vec<TypeId> =
            self.noted.last.memory.objects.iter().filter_map(|o| o.ty).collect();
        objects.sort_unstable();
        objects.dedup();
        out.push_str(
            "static void trellis_inside(int of, int type, const int **row, int *rows, int *size) \
             {\n",
        );
        for (of, number) in types {
            if *table.get(*of) == Type::Void {
                let _ = writeln!(
                    out,
                    "    if (of == {number}) {{ static const int at[] = {{0}}; *row = at; *rows = \
                     1; *size = 1 << 30; }}"
                );
                continue;
            }
            for ty in &objects {
                let Some(size) = table.size_of(*ty).filter(|s| *s > 0) else { continue };
                let one = Object {
                    ty: Some(*ty),
                    size,
                    start: 0,
                    cells: 0,
                    lifetime: Lifetime::Heap,
                    live: true,
                    initial: true,
                    zeroed: true,
                    literal: false,
                    marks: 0,
                };
                let mut at = Vec::new();
                places_in(table, &one, *of, &mut |off| at.push(off.to_string()));
                if at.is_empty() {
                    continue;
                }
                let _ = writeln!(
                    out,
                    "    if (of == {number} && type == {}) {{ static const int at[] = {{{}}}; *row \
                     = at; *rows = {}; *size = {size}; }}",
                    ty.0,
                    at.join(", "),
                    at.len()
                );
            }
        }
        out.push_str("}\n");
    }
}
