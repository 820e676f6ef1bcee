//! Statements beyond lists: unsigned 64-bit numbers, arrays inside structs, unions, untyped
//! pointers, whole objects set and copied, places that overlap, promises to the compiler.

use super::{Generator, Weakness};

impl Generator<'_> {
    /// The types and variables that these statements use.
    pub fn wide_declarations(&mut self) {
        self.line("union U { unsigned long w; struct S0 *p; int i; };");
        self.line("struct Box { int cells[3]; int after; unsigned long key; union U u; };");
        self.line("static struct Box bx = { { 1, 2, 3 }, 4, 5 };");
        self.line("static long brick[4] = { -1, -1, -1, -1 };");
        self.line("static struct Box by;");
        self.line("static unsigned long gu = 18446744073709551615ul;");
        // Not constants: gcc makes moves of copies whose size it knows, and nobody looks at those.
        self.line("static size_t two = 2 * sizeof(int), whole = sizeof(struct Box);");
    }

    pub fn wide(&mut self) {
        match self.tape.below(7) {
            0 | 1 => self.unsigned_number(),
            2 => self.cells(),
            3 => self.member_of_union(),
            4 => self.untyped(),
            5 => self.whole_object(),
            _ => self.promise(),
        }
    }

    fn unsigned_number(&mut self) {
        let i = self.int_var();
        match self.tape.below(8) {
            0 => self.line("gu = ~gu;"),
            1 => self.line("gu = gu * 3 + 1;"),
            2 => self.line(format!("gu = gu - (unsigned long)({i} & 7);")),
            3 => self.line("emit(gu > 5);"),
            4 => self.line("emit((int)(gu % 97));"),
            5 => self.line(format!("emit(gu < (unsigned long)({i} - 1));")),
            6 => self.line("bx.key = gu >> 1; emit((long)bx.key < 0);"),
            _ => self.line("emit((int)((gu / 3) & 63) + (gu >= 0x8000000000000000ul));"),
        }
    }

    /// An index outside its own array, though inside the struct.
    pub fn cells(&mut self) {
        let i = self.int_var();
        let index = if self.careful(Weakness::Bounds) {
            match self.tape.below(2) {
                0 => self.tape.below(3).to_string(),
                _ => format!("(unsigned){i} % 3"),
            }
        } else {
            self.tape.pick(&["3", "gi - gi + 3", "-1"]).to_owned()
        };
        match self.tape.below(3) {
            0 => self.line(format!("bx.cells[{index}] = 6;")),
            1 => self.line(format!("emit(bx.cells[{index}] % 50);")),
            _ => self.line(format!("{i} = (&bx)->cells[{index}] % 30;")),
        }
    }

    fn member_of_union(&mut self) {
        let p = self.node_var();
        match self.tape.below(3) {
            0 => {
                self.line(format!("bx.u.p = {p};"));
                self.line(format!("emit(bx.u.p == {p});"));
            }
            1 => self.line("bx.u.w = gu; emit((int)(bx.u.w % 31));"),
            _ => self.line("bx.u.i = 9; by.u = bx.u; emit(by.u.i);"),
        }
    }

    fn untyped(&mut self) {
        let p = self.node_var();
        self.open("");
        self.line(format!("void *any = {p};"));
        match self.tape.below(3) {
            0 => {
                self.line("struct S0 *back = any;");
                self.guard("back", "emit(back->k % 50);".to_owned());
            }
            1 => self.guard("any", "((struct S0 *)any)->k = 3;".to_owned()),
            _ => self.line(format!("emit((struct S0 *)(char *)any == {p});")),
        }
        self.close("");
    }

    /// `memset` and `memcpy` of whole objects, and of a few bytes too many.
    pub fn whole_object(&mut self) {
        let more = if self.careful(Weakness::Bounds) { "" } else { " + 8" };
        match self.tape.below(4) {
            0 => self.line(format!("memset(&bx, 0, whole{more});")),
            1 => self.line("by = bx;"),
            2 => self.line(format!("memcpy(&by, &bx, whole{more});")),
            _ => self.overlap(),
        }
    }

    pub fn overlap(&mut self) {
        let function = if self.careful(Weakness::Overlap) { "memmove" } else { "memcpy" };
        self.line_of(
            &format!("{function}(@, two);"),
            &["bx.cells, bx.cells + 1", "bx.cells + 1, bx.cells", "&bx.cells[1], &bx.cells[2]"],
        );
        self.line("memcpy(bx.cells, bx.cells, two);");
    }

    pub fn promise(&mut self) {
        let condition = if self.careful(Weakness::Promise) {
            "gu != gu + 0".to_owned()
        } else {
            self.condition()
        };
        self.line(format!("if ({condition})"));
        self.line("    __builtin_unreachable();");
    }
}
