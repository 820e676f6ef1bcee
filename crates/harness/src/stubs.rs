//! What the program asks others for: functions of verifiers and of the library that return any value,
//! and procedures without a body.

use std::fmt::Write;

use trellis_program::concrete::Value;
use trellis_program::{ProcId, Procedure};

use crate::declare::{declare, number, plain};
use crate::edit;
use crate::record::Returned;
use crate::write::Sheet;

/// Functions of the library that return any number, and its type.
pub(crate) const GIVEN: &[(&str, &str)] = &[("rand", "int"), ("random", "long")];

/// The name that a text begins with.
pub(crate) fn leading_name(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

impl Sheet<'_> {
    /// Definitions of procedures without a body, which return what they did.
    pub(crate) fn stubs(&self, out: &mut String) -> Result<(), String> {
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
                let size = self
                    .program
                    .types
                    .pointee(proc.ret)
                    .and_then(|t| self.program.types.size_of(t));
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

    /// The functions of verifiers that the program uses and does not define.
    pub(crate) fn verifier_functions(&self, out: &mut String) {
        let sources = &self.program.sources;
        let models = self.models();
        let models = models.iter().map(|f| sources.file(*f).text.as_str());
        let texts: Vec<&str> = self.own_texts().chain(models).collect();
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
            out.push_str("void __VERIFIER_assume(int holds) { if (!holds) __builtin_exit(99); }\n");
        }
        for name in ["reach_error", "__VERIFIER_error"].into_iter().filter(|n| used(n)) {
            let _ = writeln!(out, "void {name}(void) {{ __builtin_abort(); }}");
        }
    }
}
