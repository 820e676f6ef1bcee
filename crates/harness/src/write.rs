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

use crate::declare::{declare, is_name, number, plain, quoted};
use crate::edit::{self, Edit};
use crate::formula::{Writer, old_name};
use crate::heap::{Heap, object_name};
use crate::record::{Recording, Returned, record};

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
        // Functions that the procedure does not call may be missing.
        const ALL: [&str; 9] = [
            "-std=gnu11",
            "-g",
            "-O0",
            "-w",
            "-fno-omit-frame-pointer",
            "-no-pie",
            "-Wl,--unresolved-symbols=ignore-all",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all",
        ];
        match self {
            Judge::Sanitizers => &ALL,
            Judge::Memcheck => &ALL[..7],
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
    sheet.can_be_given()?;
    let checks = match kind {
        CheckKind::Postcondition | CheckKind::Assigns | CheckKind::Precondition => {
            sheet.wrapper(kind, failure.clause as usize)?
        }
        CheckKind::SpecAssert | CheckKind::LoopInvariant => {
            sheet.inline_check(kind, failure.point)?;
            String::new()
        }
        CheckKind::Acyclic => sheet.acyclic(failure.point)?,
        CheckKind::NullDeref | CheckKind::BadCall => {
            sheet.called_pointer(kind, failure.point);
            String::new()
        }
        _ => String::new(),
    };
    let judge = if kind == CheckKind::Uninit { Judge::Memcheck } else { Judge::Sanitizers };
    let text = sheet.file(kind, &checks, (case.comment)(judge))?;
    Ok(Harness { text, judge })
}

/// Functions of the library that return any number, and its type.
const GIVEN: &[(&str, &str)] = &[("rand", "int"), ("random", "long")];

/// The name that a text begins with.
fn leading_name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
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

    /// That the values which were chosen can be given to the compiled program.
    fn can_be_given(&self) -> Result<(), String> {
        for input in &self.noted.inputs {
            let name = leading_name(self.program.sources.snippet(input.span));
            let given = name.starts_with("__VERIFIER_nondet")
                || GIVEN.iter().any(|(n, _)| *n == name)
                || self.own_texts().any(|t| t.contains(&format!("#define {name}")));
            if !given {
                return Err(format!("what `{name}` returns cannot be told to it"));
            }
            if !matches!(input.value, Value::Int(_) | Value::Null) {
                return Err(format!("`{name}` returns a pointer to an object"));
            }
        }
        Ok(())
    }

    /// A function under the name of the procedure that looks at its contract, and calls it.
    fn wrapper(&mut self, kind: CheckKind, clause: usize) -> Result<String, String> {
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
        self.edits.push(renamed.edit);
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

    /// A look at a pointer before a function is called through it: sanitizers see no line there.
    fn called_pointer(&mut self, kind: CheckKind, point: trellis_program::checks::Point) {
        let Some(instr) = self.program.instr_at(point) else { return };
        if !matches!(instr.kind, InstrKind::Assert { .. }) {
            return;
        }
        let call = self.program.sources.snippet(instr.span);
        let Some(callee) = call.split('(').next().filter(|c| !c.trim().is_empty()) else { return };
        if call.contains('\n') || callee.contains(['=', '+']) {
            return;
        }
        let functions = self.program.globals.iter().filter(|g| {
            let known = self.program.find_proc(&g.name).is_some();
            known && self.program.types.is_function(g.ty)
        });
        let wrong = match kind {
            CheckKind::NullDeref => format!("!({callee})"),
            _ => functions.fold("1".to_owned(), |all, g| {
                let f = &g.name;
                format!(
                    "{all} && !(__builtin_types_compatible_p(__typeof__(*({callee})), \
                     __typeof__({f})) && (void *)({callee}) == (void *){f})"
                )
            }),
        };
        let fail = self.fail(self.case.line, kind);
        let text = format!("(({{ if ({wrong}) {fail} }}), {call})");
        self.edits.push(Edit { span: instr.span, text });
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

    /// Definitions of procedures without a body, which return what they did.
    fn stubs(&self, out: &mut String) -> Result<(), String> {
        let mut called: Vec<ProcId> = self.noted.returned.iter().map(|r| r.proc).collect();
        called.sort_unstable();
        called.dedup();
        for id in called {
            let proc = self.program.proc(id);
            let params = proc.vars[..proc.params].iter().enumerate();
            let params: Vec<String> = params
                .map(|(i, v)| declare(&self.program.types, v.ty, &format!("trellis_p{i}")))
                .collect();
            let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
            let head = format!("{}({params})", proc.name);
            let head = declare(&self.program.types, proc.ret, &head);
            let _ = writeln!(out, "{head} {{\n    static int calls;\n    switch (calls++) {{");
            let mine = self.noted.returned.iter().filter(|r| r.proc == id);
            for (i, returned) in mine.enumerate() {
                let _ = writeln!(out, "    case {i}: {{ {} }}", self.returns(proc, returned)?);
            }
            let nothing = match proc.ret_is_void(&self.program.types) {
                true => "return",
                false => "return 0",
            };
            let _ = writeln!(out, "    }}\n    {nothing};\n}}");
        }
        Ok(())
    }

    /// Statements that return what a procedure without a body returned.
    fn returns(&self, proc: &Procedure, returned: &Returned) -> Result<String, String> {
        let odd = || format!("`{}` has no body, and returned a pointer to an object", proc.name);
        Ok(match (returned.value, &returned.fresh) {
            (Value::Int(i), _) => format!("return {};", number(i)),
            (Value::Null, _) => "return 0;".to_owned(),
            (Value::Undef, _) => match proc.ret_is_void(&self.program.types) {
                true => "return;".to_owned(),
                false => "return 0;".to_owned(),
            },
            (Value::Ptr(_), Some(cells)) => {
                let size = self.program.types.pointee(proc.ret).and_then(|t| {
                    self.program.types.size_of(t)
                });
                let mut text =
                    format!("char *o = __builtin_calloc(1, {}); ", size.ok_or_else(odd)?);
                for (offset, scalar, value) in cells {
                    let value = match value {
                        Value::Int(i) => number(*i),
                        Value::Null => "0".to_owned(),
                        _ => return Err(odd()),
                    };
                    let ty = plain(*scalar).ok_or_else(odd)?;
                    text.push_str(&format!("*({ty} *)(o + {offset}) = {value}; "));
                }
                format!("{text}return (void *)o;")
            }
            _ => return Err(odd()),
        })
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
        self.verifier_functions(&mut out);
        for (name, ty) in GIVEN {
            if self.own_texts().any(|t| t.contains(name)) {
                let _ = writeln!(
                    out,
                    "static {ty} trellis_{name}(void) {{ return ({ty})trellis_input(); }}\n\
                     #define {name} trellis_{name}"
                );
            }
        }
        out.push_str("#define main trellis_main_of_program\n#define malloc trellis_malloc\n");
        out.push_str("#define calloc trellis_calloc\n");
        if free {
            out.push_str("#define free trellis_free\n");
        }
        for file in self.own_files() {
            let name = &self.program.sources.file(file).name;
            let _ = writeln!(out, "#line 1 {}", quoted(name));
            out.push_str(&edit::edited(&self.program.sources, file, &self.edits));
            out.push('\n');
        }
        // The others stay: members of structs may be called like them.
        out.push_str("#undef main\n");
        let line = out.lines().count() + 2;
        let _ = writeln!(out, "#line {line} {}", quoted(self.case.name));
        self.stubs(&mut out)?;
        for global in self.program.globals.iter().filter(|g| is_name(&g.name)) {
            let is_function = self.program.types.is_function(global.ty);
            // What only callers know needs an address and no more.
            if is_function && !self.own_texts().any(|t| t.contains(&global.name)) {
                let _ = writeln!(out, "static void {}(void) {{}}", global.name);
            }
        }
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

    /// The texts of the user's files.
    fn own_texts(&self) -> impl Iterator<Item = &'a str> {
        let sources = &self.program.sources;
        self.own_files().into_iter().map(|f| sources.file(f).text.as_str())
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
    fn verifier_functions(&self, out: &mut String) {
        let texts: Vec<&str> = self.own_texts().collect();
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
        let call = match proc.name.as_str() {
            // Arguments that it never reads are none to Trellis.
            "main" if args.is_empty() => "((int (*)())trellis_main_of_program)(0, 0)".to_owned(),
            "main" => format!("trellis_main_of_program({})", args.join(", ")),
            name => format!("{name}({})", args.join(", ")),
        };
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
