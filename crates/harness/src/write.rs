//! The file of a harness.

use std::fmt::Write;

use trellis_program::concrete::{Finish, InitialHeap, Machine, ObjId, Scripted, Value};
use trellis_program::source::Role;
use trellis_program::types::TypeId;
use trellis_program::{CheckKind, FileId, ProcId, Program};

use crate::declare::{declare, is_name, number, quoted};
use crate::edit::{self, Edit};
use crate::heap::{Heap, object_name};
use crate::record::{Allocation, Asker, Recording, record};
use crate::stubs::GIVEN;

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
    let mut sheet = Sheet::new(case, &noted);
    sheet.tell(failure)?;
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

/// A file in the making.
pub(crate) struct Sheet<'a> {
    pub(crate) case: &'a Case<'a>,
    pub(crate) program: &'a Program,
    pub(crate) noted: &'a Recording,
    heap: Heap<'a>,
    pub(crate) edits: Vec<Edit>,
    /// Whether memory that was never written is zero.
    pub(crate) zeroed: bool,
    /// The types that quantifiers range over, if contracts are evaluated.
    pub(crate) contracts: Option<Vec<(TypeId, usize)>>,
}

impl<'a> Sheet<'a> {
    fn new(case: &'a Case<'a>, noted: &'a Recording) -> Sheet<'a> {
        let program = case.machine.program;
        let heap = Heap::new(program, case.proc, case.initial);
        Sheet { case, program, noted, heap, edits: Vec::new(), zeroed: false, contracts: None }
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
                out.push_str(
                    "#define TRELLIS_NEW(at, size, as, zeroed) trellis_new(at, size, as, zeroed)\n",
                );
                true
            }
            None => {
                let new = match self.zeroed {
                    true => "__builtin_memset(at, 0, size)",
                    false => "(at)",
                };
                let _ = writeln!(out, "#define TRELLIS_NEW(at, size, as, zeroed) {new}");
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
        self.model_names(&mut out);
        if kind == CheckKind::Bounds {
            self.limits(&mut out);
        }
        for file in self.own_files() {
            let name = &self.program.sources.file(file).name;
            let _ = writeln!(out, "#line 1 {}", quoted(name));
            out.push_str(&edit::edited(&self.program.sources, file, &self.edits));
            out.push('\n');
        }
        for file in self.models() {
            let file = self.program.sources.file(file);
            let _ = writeln!(out, "#line 1 {}\n{}", quoted(&file.name), file.text);
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
    pub(crate) fn own_texts(&self) -> impl Iterator<Item = &'a str> {
        let sources = &self.program.sources;
        self.own_files().into_iter().map(|f| sources.file(f).text.as_str())
    }

    /// What the program asks for, in order.
    fn tables(&self, out: &mut String) {
        let input = |v: Value| match v {
            Value::Int(i) => number(i),
            _ => "0".to_owned(),
        };
        let asked = self.noted.inputs.iter().filter(|i| i.asker != Asker::Order);
        let inputs: Vec<String> = asked.map(|i| input(i.value)).collect();
        let inputs: String = inputs.iter().map(|i| format!("{i}, ")).collect();
        let _ = writeln!(out, "static const long long trellis_inputs[] = {{{inputs}0}};");
        // What the library's own code asks for, nobody else is given.
        let mine = |a: &&Allocation| !a.in_model || !self.models().is_empty();
        let rows = self.noted.allocations.iter().filter(mine).map(|a| {
            let object = a.object.map(|o| self.noted.last.memory.object(o));
            let ty = object.and_then(|o| o.ty).map_or(-1, |t| i64::from(t.0));
            let marks = object.map_or(0, |o| o.marks);
            format!("{{{}, {ty}, {marks}}}, ", u8::from(object.is_none()))
        });
        let rows: String = rows.collect();
        let _ = writeln!(out, "static const int trellis_allocations[][3] = {{{rows}{{0}}}};");
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
