//! The file of a harness.

use std::fmt::Write;

use trellis_program::concrete::spec_eval::{SpecEnv, places_in};
use trellis_program::concrete::{
    Finish, InitialHeap, Lifetime, Machine, ObjId, Object, Scripted, Value,
};
use trellis_program::source::Role;
use trellis_program::spec::{Assigns, Formula};
use trellis_program::types::{Type, TypeId};
use trellis_program::{
    CheckKind, Cond, FileId, InstrKind, ProcId, Procedure, Program, Reg, Storage,
};

use crate::declare::{declare, is_name, number, quoted};
use crate::edit::{self, Edit};
use crate::formula::{Writer, old_name};
use crate::heap::{Heap, object_name};
use crate::record::{Recording, record};

/// A counterexample to write down.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    /// The machine that ran it, and its program.
    pub machine: &'a Machine<'a>,
    /// The procedure.
    pub proc: ProcId,
    /// Where it starts.
    pub initial: &'a InitialHeap,
    /// How nondeterminism was resolved.
    pub choices: &'a [u32],
    /// At least as many steps as it has.
    pub steps: usize,
    /// The file of the violated check, as it is reported.
    pub file: &'a str,
    /// The line of the violated check, as it is reported.
    pub line: usize,
    /// What the harness is called.
    pub name: &'a str,
    /// What it says on top.
    pub comment: &'a dyn Fn(Judge) -> String,
}

/// Who finds the failure when a harness is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judge {
    /// The sanitizers that it is compiled with, or a check that was compiled in.
    Sanitizers,
    /// Valgrind's memcheck: no sanitizer of gcc sees the use of a value that was never written.
    Memcheck,
}

impl Judge {
    /// What the compiler is told.
    pub fn flags(self) -> &'static [&'static str] {
        const COMMON: [&str; 5] = ["-std=gnu11", "-g", "-O0", "-w", "-fno-omit-frame-pointer"];
        const SANITIZERS: [&str; 7] = [
            COMMON[0],
            COMMON[1],
            COMMON[2],
            COMMON[3],
            COMMON[4],
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all",
        ];
        match self {
            Judge::Sanitizers => &SANITIZERS,
            Judge::Memcheck => &COMMON,
        }
    }

    /// What the program is run under.
    pub fn runner(self) -> &'static [&'static str] {
        match self {
            Judge::Sanitizers => &[],
            Judge::Memcheck => &["valgrind", "-q", "--error-exitcode=1"],
        }
    }
}

/// A harness.
#[derive(Clone, Debug)]
pub struct Harness {
    /// The file.
    pub text: String,
    /// Who finds the failure.
    pub judge: Judge,
}

/// Writes a counterexample down.
///
/// # Errors
/// Why that is not possible, as a sentence.
pub fn harness(case: &Case<'_>) -> Result<Harness, String> {
    let noted = record(
        case.machine,
        case.proc,
        case.initial,
        &mut Scripted::new(case.choices),
        case.steps.saturating_add(1),
    );
    let Some(Finish::Failed(failure)) = &noted.finish else {
        return Err("the counterexample does not fail when it is run again".to_owned());
    };
    let kind = failure.kind;
    if let Some(model) = noted.model_chose {
        let name = &case.machine.program.proc(model).name;
        return Err(format!("a value was chosen inside of `{name}`, which is the library's"));
    }
    let mut sheet = Sheet::new(case, &noted);
    let checks = match kind {
        CheckKind::Postcondition | CheckKind::Assigns | CheckKind::Precondition => {
            sheet.wrapper(kind, failure.clause as usize)?
        }
        CheckKind::SpecAssert | CheckKind::LoopInvariant => {
            sheet.inline_check(kind, failure.point)?;
            String::new()
        }
        CheckKind::Acyclic => sheet.acyclic(failure.point)?,
        _ => String::new(),
    };
    let judge = if kind == CheckKind::Uninit { Judge::Memcheck } else { Judge::Sanitizers };
    let text = sheet.file(kind, &checks, (case.comment)(judge))?;
    Ok(Harness { text, judge })
}

/// A file in the making.
struct Sheet<'a> {
    case: &'a Case<'a>,
    program: &'a Program,
    noted: &'a Recording,
    heap: Heap<'a>,
    edits: Vec<Edit>,
    /// The types that quantifiers range over, if contracts are evaluated.
    contracts: Option<Vec<(TypeId, usize)>>,
}

impl<'a> Sheet<'a> {
    fn new(case: &'a Case<'a>, noted: &'a Recording) -> Sheet<'a> {
        let program = case.machine.program;
        let heap = Heap::new(program, case.proc, case.initial);
        Sheet { case, program, noted, heap, edits: Vec::new(), contracts: None }
    }

    /// A function under the name of the procedure that looks at its contract, and calls it.
    fn wrapper(&mut self, kind: CheckKind, clause: usize) -> Result<String, String> {
        let top = self.noted.last.top();
        let id = top.proc;
        let proc = self.program.proc(id);
        let body = format!("trellis_body_of_{}", proc.name);
        let mut writer = self.writer(id, &[]);
        let mut out = String::new();
        let params = self.parameters(proc);
        let has_result = !proc.ret_is_void(&self.program.types);
        let head = format!("{}({params})", proc.name);
        let _ = writeln!(out, "{} {{", declare(&self.program.types, proc.ret, &head));
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
                let listed = |r: &Option<Reg>| {
                    *r == Some(Reg::Global(trellis_program::GlobalId(i as u32)))
                };
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
        self.edits.push(edit::renamed(self.program, &proc.name, proc.span, &body)?);
        self.contracts = Some(writer.types.into_iter().collect());
        Ok(out)
    }

    /// A check in the text, where an annotation stands.
    fn inline_check(
        &mut self,
        kind: CheckKind,
        point: trellis_program::checks::Point,
    ) -> Result<(), String> {
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
        self.contracts = Some(writer.types.into_iter().collect());
        Ok(())
    }

    /// A look at all objects when the procedure has returned.
    fn acyclic(&mut self, point: trellis_program::checks::Point) -> Result<String, String> {
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
    fn fail(&self, line: usize, kind: CheckKind) -> String {
        let (file, what) = (quoted(self.case.file), quoted(kind.failure()));
        format!("trellis_fail({file}, {line}, {what});")
    }

    fn parameters(&self, proc: &Procedure) -> String {
        let params = proc.vars[..proc.params].iter();
        let params: Vec<String> =
            params.map(|v| declare(&self.program.types, v.ty, &v.name)).collect();
        if params.is_empty() { "void".to_owned() } else { params.join(", ") }
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

    /// The whole file.
    fn file(&self, kind: CheckKind, checks: &str, comment: String) -> Result<String, String> {
        let mut out = comment;
        self.tables(&mut out);
        out.push_str(include_str!("runtime.c"));
        let free = match &self.contracts {
            Some(_) => {
                out.push_str(
                    "static void trellis_inside(int of, int type, const int **row, int *rows, \
                     int *size);\n",
                );
                out.push_str(include_str!("contracts.c"));
                out.push_str("#define TRELLIS_NEW(at, size, as, zeroed) trellis_new(at, size, as, zeroed)\n");
                true
            }
            None => {
                out.push_str("#define TRELLIS_NEW(at, size, as, zeroed) (at)\n");
                false
            }
        };
        out.push_str(include_str!("memory.c"));
        let own = self.own_files();
        self.verifier_functions(&mut out, &own);
        out.push_str("#define main trellis_main_of_program\n#define malloc trellis_malloc\n");
        out.push_str("#define calloc trellis_calloc\n");
        if free {
            out.push_str("#define free trellis_free\n");
        }
        for file in own {
            let name = &self.program.sources.file(file).name;
            let _ = writeln!(out, "#line 1 {}", quoted(name));
            out.push_str(&edit::edited(&self.program.sources, file, &self.edits));
            out.push('\n');
        }
        out.push_str("#undef main\n#undef malloc\n#undef calloc\n#undef free\n");
        let line = out.lines().count() + 2;
        let _ = writeln!(out, "#line {line} {}", quoted(self.case.name));
        out.push_str(checks);
        if let Some(types) = &self.contracts {
            self.insides(&mut out, types);
        }
        self.start(&mut out, kind)?;
        Ok(out)
    }

    /// The user's files, in order.
    fn own_files(&self) -> Vec<FileId> {
        let sources = &self.program.sources;
        sources.ids().filter(|f| sources.file(*f).role == Role::Own).collect()
    }

    /// What the program asks for, in order.
    fn tables(&self, out: &mut String) {
        let input = |v: Value| match v {
            Value::Int(i) => number(i),
            _ => "0".to_owned(),
        };
        let inputs: Vec<String> = self.noted.inputs.iter().map(|i| input(i.value)).collect();
        let inputs: String = inputs.iter().map(|i| format!("{i}, ")).collect();
        let _ = writeln!(out, "static const long long trellis_inputs[] = {{{inputs}0}};");
        let rows = self.noted.allocations.iter().map(|a| {
            let object = a.object.map(|o| self.noted.last.memory.object(o));
            let ty = object.and_then(|o| o.ty).map_or(-1, |t| i64::from(t.0));
            let marks = object.map_or(0, |o| o.marks);
            format!("{{{}, {ty}, {marks}}}, ", u8::from(object.is_none()))
        });
        let rows: String = rows.collect();
        let _ = writeln!(out, "static const int trellis_allocations[][3] = {{{rows}{{0}}}};");
    }

    /// The functions of verifiers that the program uses and does not define.
    fn verifier_functions(&self, out: &mut String, own: &[FileId]) {
        let texts: Vec<&str> =
            own.iter().map(|f| self.program.sources.file(*f).text.as_str()).collect();
        let used = |name: &str| {
            texts.iter().any(|t| t.contains(name)) && !texts.iter().any(|t| edit::defines(t, name))
        };
        let mut nondet: Vec<&str> = Vec::new();
        for text in &texts {
            for (i, _) in text.match_indices("__VERIFIER_nondet_") {
                let end = text[i..].find(|c: char| !c.is_alphanumeric() && c != '_');
                nondet.push(&text[i..end.map_or(text.len(), |e| i + e)]);
            }
        }
        nondet.sort_unstable();
        nondet.dedup();
        for name in nondet.into_iter().filter(|n| used(n)) {
            let ty = match name.strip_prefix("__VERIFIER_nondet_").unwrap_or("") {
                "bool" | "_Bool" => "_Bool",
                "char" => "char",
                "schar" => "signed char",
                "uchar" => "unsigned char",
                "short" => "short",
                "ushort" => "unsigned short",
                "uint" | "unsigned" => "unsigned",
                "long" => "long",
                "ulong" | "size_t" => "unsigned long",
                "longlong" | "loff_t" => "long long",
                "ulonglong" => "unsigned long long",
                "pointer" | "ptr" => "void *",
                "pchar" => "char *",
                _ => "int",
            };
            let _ = writeln!(out, "{ty} {name}(void) {{ return ({ty})trellis_input(); }}");
        }
        if used("__VERIFIER_assume") {
            out.push_str(
                "void __VERIFIER_assume(int holds) { if (!holds) __builtin_exit(99); }\n",
            );
        }
        for name in ["reach_error", "__VERIFIER_error"].into_iter().filter(|n| used(n)) {
            let _ = writeln!(out, "void {name}(void) {{ __builtin_abort(); }}");
        }
    }

    /// Where places of a type lie in objects of others.
    fn insides(&self, out: &mut String, types: &[(TypeId, usize)]) {
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

    /// The heap, the call and `main`.
    fn start(&self, out: &mut String, kind: CheckKind) -> Result<(), String> {
        let proc = self.program.proc(self.case.proc);
        let arguments = self.heap.arguments();
        for argument in &arguments {
            let _ = writeln!(out, "static {};", argument.declaration);
        }
        let register = |id: ObjId| match &self.contracts {
            Some(_) => self.registration(id, &object_name(id)),
            None => String::new(),
        };
        out.push_str("__attribute__((noinline)) static void trellis_build(void) {\n");
        out.push_str(&self.heap.build(&register)?);
        if self.contracts.is_some() {
            for (global, object) in self.heap.global_objects() {
                let global = &self.program.globals[global.0 as usize];
                if !self.program.sources.is_model(global.span) {
                    let place = format!("(void *)&{}", global.name);
                    let _ = writeln!(out, "   {}", self.registration(object, &place));
                }
            }
        }
        out.push_str("}\n");
        let args: Vec<&str> = arguments.iter().map(|a| a.name.as_str()).collect();
        let name = if proc.name == "main" { "trellis_main_of_program" } else { &proc.name };
        let call = format!("{name}({})", args.join(", "));
        let result = match proc.ret_is_void(&self.program.types) {
            true => String::new(),
            false => {
                let declared = declare(&self.program.types, proc.ret, "trellis_result");
                let _ = writeln!(out, "static {declared};");
                "trellis_result = ".to_owned()
            }
        };
        let _ = writeln!(
            out,
            "__attribute__((noinline)) static void trellis_call(void) {{ {result}{call}; }}"
        );
        if kind == CheckKind::Leak {
            let _ = writeln!(
                out,
                "extern int __lsan_do_recoverable_leak_check(void);\nstatic void \
                 trellis_leaks(void) {{\n    trellis_scrub();\n    if \
                 (__lsan_do_recoverable_leak_check())\n        {}\n}}",
                self.fail(self.case.line, kind)
            );
        }
        out.push_str("int main(void) {\n");
        if kind == CheckKind::Leak {
            out.push_str("    extern int atexit(void (*)(void));\n    atexit(trellis_leaks);\n");
        }
        out.push_str("    trellis_build();\n    trellis_scrub();\n");
        if self.contracts.is_some() && !matches!(kind, CheckKind::Postcondition) {
            out.push_str("    trellis_enter();\n");
        }
        out.push_str("    trellis_call();\n    trellis_scrub();\n");
        if kind == CheckKind::Acyclic {
            out.push_str("    trellis_acyclic();\n");
        }
        out.push_str("    return 0;\n}\n");
        Ok(())
    }

    /// A statement that makes an object known to contracts.
    fn registration(&self, id: ObjId, place: &str) -> String {
        let object = self.case.initial.memory.object(id);
        let ty = object.ty.map_or(-1, |t| i64::from(t.0));
        let (size, marks) = (object.size.max(1), object.marks);
        format!(" trellis_known({place}, {size}, {ty}, 1, {marks});")
    }
}
