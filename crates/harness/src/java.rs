//! Counterexamples of Java programs: a class that builds the heap by reflection, calls the method, and
//! ends with the exception that the machine throws for real.
//!
//! Contracts are comments to Java, so a violated one throws nothing and has no such class.

use std::fmt::Write;

use trellis_program::concrete::{Finish, ObjId, Scripted, Value};
use trellis_program::types::{IntKind, Type, TypeId};
use trellis_program::{CheckKind, Storage};

use crate::declare::quoted;
use crate::heap::object_name;
use crate::record::record;
use crate::write::Case;

/// What Java throws where a check is violated.
fn exception(kind: CheckKind) -> Option<&'static str> {
    Some(match kind {
        CheckKind::NullDeref => "NullPointerException",
        CheckKind::Bounds => "ArrayIndexOutOfBoundsException",
        CheckKind::NegativeSize => "NegativeArraySizeException",
        CheckKind::ClassCast => "ClassCastException",
        CheckKind::DivByZero => "ArithmeticException",
        CheckKind::Assertion => "AssertionError",
        _ => return None,
    })
}

/// Writes a counterexample down, as a class of the given name.
///
/// # Errors
/// Why that is not possible, as a sentence.
pub fn class(case: &Case<'_>, name: &str, comment: &str) -> Result<String, String> {
    let steps = case.steps.saturating_add(1);
    let mut chooser = Scripted::new(case.choices);
    let noted = record(case.machine, case.proc, case.initial, &mut chooser, steps);
    let Some(Finish::Failed(failure)) = &noted.finish else {
        return Err("the counterexample does not fail when it is run again".to_owned());
    };
    let Some(thrown) = exception(failure.kind) else {
        return Err(format!("Java throws nothing for {}", failure.kind));
    };
    if !noted.inputs.is_empty() {
        return Err("what annotations chose cannot be told to it".to_owned());
    }
    let program = case.machine.program;
    let class = Class { case };
    let mut out = comment.to_owned();
    let _ = writeln!(out, "class {name} {{");
    let _ = writeln!(out, "    /* What is thrown in the end. */");
    let _ = writeln!(out, "    static final String THROWN = \"java.lang.{thrown}\";\n");
    let classes = program.types.records().map(|(_, r)| quoted(&r.name));
    let classes: Vec<String> = classes.collect();
    let _ = writeln!(out, "    static final String[] CLASSES = {{{}}};\n", classes.join(", "));
    out.push_str("    public static void main(String[] arguments) throws Throwable {\n");
    class.heap(&mut out)?;
    let proc = program.proc(case.proc);
    let (of, method) = proc.name.rsplit_once('.').ok_or("the method is in no class")?;
    let args = case.initial.args.iter().map(|a| class.value(*a)).collect::<Result<Vec<_>, _>>()?;
    // A method of objects has `this` first, whatever else it has.
    let has_this = proc.vars.first().is_some_and(|v| v.name == "this" && proc.params > 0);
    let (this, args) = match has_this {
        true => (args.first().cloned().unwrap_or_else(|| "null".to_owned()), &args[1..]),
        false => ("null".to_owned(), &args[..]),
    };
    let (of, method, args) = (quoted(of), quoted(method), args.join(", "));
    let _ =
        writeln!(out, "        call({of}, {method}, {this}, new Object[] {{{args}}});\n    }}\n");
    out.push_str(include_str!("runtime.java"));
    out.push_str("}\n");
    Ok(out)
}

struct Class<'a> {
    case: &'a Case<'a>,
}

impl Class<'_> {
    /// Statements that build the heap.
    fn heap(&self, out: &mut String) -> Result<(), String> {
        let (program, initial) = (self.case.machine.program, self.case.initial);
        let (types, memory) = (&program.types, &initial.memory);
        for id in memory.ids() {
            let object = memory.object(id);
            let made = match object.ty.map(|ty| (ty, types.get(ty))) {
                None => "new Object()".to_owned(),
                Some((_, Type::Record(r))) => format!("make({})", quoted(&types.record(*r).name)),
                Some((ty, _)) => {
                    let size =
                        types.size_of(ty).filter(|s| *s > 0).ok_or("elements have no size")?;
                    format!("array({}, {})", quoted(&self.element(ty)?), object.size / size)
                }
            };
            let _ = writeln!(out, "        Object {} = {made};", object_name(id));
        }
        for id in memory.ids() {
            self.contents(out, id)?;
        }
        for (global, value) in program.globals.iter().zip(&initial.globals) {
            if global.is_ghost || global.is_literal() || global.storage != Storage::Register {
                continue;
            }
            let value = self.value(*value)?;
            let _ = writeln!(out, "        setStatic({}, {value});", quoted(&global.name));
        }
        Ok(())
    }

    fn contents(&self, out: &mut String, id: ObjId) -> Result<(), String> {
        let program = self.case.machine.program;
        let (types, memory) = (&program.types, &self.case.initial.memory);
        let object = memory.object(id);
        let layout = object.ty.and_then(|t| types.layout(t));
        let is_record = object.ty.is_some_and(|t| matches!(types.get(t), Type::Record(_)));
        for (i, (_, scalar, value)) in memory.contents(types, id).enumerate() {
            if value == Value::zero(scalar) || value == Value::Undef {
                continue;
            }
            let (name, value) = (object_name(id), self.value(value)?);
            let _ = match is_record {
                true => {
                    let cell = layout.and_then(|l| l.cells.get(i)).ok_or("a field has no name")?;
                    writeln!(out, "        set({name}, {}, {value});", quoted(&cell.path))
                }
                false => writeln!(out, "        setElement({name}, {i}, {value});"),
            };
        }
        Ok(())
    }

    /// The type of the elements of an array.
    fn element(&self, ty: TypeId) -> Result<String, String> {
        let types = &self.case.machine.program.types;
        Ok(match types.get(ty) {
            Type::Int(kind) => match *kind {
                IntKind::BOOL => "boolean",
                IntKind { bits: 8, .. } => "byte",
                IntKind { bits: 16, signed: true } => "short",
                IntKind { bits: 16, signed: false } => "char",
                IntKind { bits: 32, .. } => "int",
                _ => "long",
            }
            .to_owned(),
            Type::Ptr(to) => match types.get(*to) {
                Type::Record(r) => types.record(*r).name.clone(),
                Type::Void => "java.lang.Object".to_owned(),
                _ => return Err("arrays of arrays".to_owned()),
            },
            _ => return Err("elements of an unknown type".to_owned()),
        })
    }

    /// A value as an expression.
    fn value(&self, value: Value) -> Result<String, String> {
        Ok(match value {
            Value::Int(i) => format!("{i}L"),
            Value::Null | Value::Undef | Value::Open => "null".to_owned(),
            Value::Ptr(p) if p.off == 0 => object_name(p.obj),
            _ => return Err("a reference leads into the middle of an object".to_owned()),
        })
    }
}
