//! The structs of a random program.
//!
//! `S0` is a list node and may have anything else; `S1` points to nodes and to its own kind.
//! `Inner` is embedded in some `S0`.

use super::Tape;

/// What `struct S0` has; `S1` is always the same.
pub struct Structs {
    /// `struct S0 *other`.
    pub other: bool,
    /// `struct Inner in`.
    pub inner: bool,
    /// `int arr[n]`, if not 0.
    pub array: usize,
    /// The type of a second number, `m`.
    pub small: Option<&'static str>,
    /// The members of `S0`, in order.
    members: Vec<String>,
}

impl Structs {
    pub fn random(tape: &mut Tape<'_>) -> Structs {
        let mut structs = Structs {
            other: tape.percent(50),
            inner: tape.percent(40),
            array: if tape.percent(40) { 2 + tape.below(2) } else { 0 },
            small: tape
                .percent(60)
                .then(|| tape.pick(&["char", "unsigned char", "short", "unsigned", "long"])),
            members: Vec::new(),
        };
        let mut members = vec!["struct S0 *next;".to_owned(), "int k;".to_owned()];
        if structs.other {
            members.push("struct S0 *other;".to_owned());
        }
        if structs.inner {
            members.push("struct Inner in;".to_owned());
        }
        if let Some(small) = structs.small {
            members.push(format!("{small} m;"));
        }
        // A shuffle: offsets should differ from program to program.
        for i in (1..members.len()).rev() {
            members.swap(i, tape.below(i + 1));
        }
        // The array goes last, so that one past its end is outside the object or in padding.
        if structs.array > 0 {
            members.push(format!("int arr[{}];", structs.array));
        }
        structs.members = members;
        structs
    }

    /// The pointer fields of `S0` to `S0`.
    pub fn links(&self) -> Vec<&'static str> {
        if self.other { vec!["next", "other"] } else { vec!["next"] }
    }

    /// The number fields of `S0`, as paths.
    pub fn numbers(&self) -> Vec<&'static str> {
        let mut all = vec!["k"];
        all.extend(self.inner.then_some("in.u"));
        all.extend(self.small.is_some().then_some("m"));
        all
    }

    /// The declarations of all structs.
    pub fn declare(&self) -> Vec<String> {
        let mut lines =
            vec!["struct Inner { int u; struct S0 *w; };".to_owned(), "struct S0 {".to_owned()];
        lines.extend(self.members.iter().map(|m| format!("    {m}")));
        lines.push("};".to_owned());
        lines.push("struct S1 { struct S0 *item; int k; struct S1 *link; };".to_owned());
        lines
    }

    /// Statements that write every member of `*x`.
    pub fn initialise(&self, x: &str, k: &str) -> Vec<String> {
        let mut lines = vec![format!("{x}->next = NULL;"), format!("{x}->k = {k};")];
        if self.other {
            lines.push(format!("{x}->other = NULL;"));
        }
        if self.inner {
            lines.push(format!("{x}->in.u = {k} + 1;"));
            lines.push(format!("{x}->in.w = {x};"));
        }
        if self.small.is_some() {
            lines.push(format!("{x}->m = 2;"));
        }
        lines.extend((0..self.array).map(|i| format!("{x}->arr[{i}] = {i};")));
        lines
    }
}
