//! Random conditions and integer expressions, free of memory accesses that could fail.

use super::{Generator, Weakness};

impl Generator<'_> {
    /// Whether numbers may be large here.
    pub fn wild(&self) -> bool {
        self.weakness == Weakness::Overflow
    }

    /// An integer variable.
    pub fn int_var(&mut self) -> String {
        match self.tape.below(10) {
            0 => "gi".to_owned(),
            n => format!("i{}", n % 3),
        }
    }

    /// A pointer variable to `S0`.
    pub fn node_var(&mut self) -> String {
        match self.tape.below(10) {
            0 => "g0".to_owned(),
            1 => "g1".to_owned(),
            n => format!("p{}", n % 3),
        }
    }

    /// A pointer variable to `S1`.
    pub fn holder_var(&mut self) -> String {
        self.tape.pick(&["q0", "q1", "gq"]).to_owned()
    }

    /// A number that is no variable.
    fn constant(&mut self) -> String {
        if self.wild() && self.tape.percent(50) {
            // Variables: gcc folds arithmetic on constants, and then nobody sees it overflow.
            return self.tape.pick(&["big", "low", "65536", "-1", "255u"]).to_owned();
        }
        match self.tape.below(12) {
            0 => "RED".to_owned(),
            1 => "GREEN".to_owned(),
            2 => "'a'".to_owned(),
            3 => "(int)sizeof(struct S0)".to_owned(),
            n => (n - 3).to_string(),
        }
    }

    /// An integer expression; its value is small unless the program is wild.
    ///
    /// A wild expression has one operator: gcc computes what is narrowed, negated or compared in
    /// other types, or not at all, and then nobody sees it overflow.
    pub fn int(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.tape.below(4) {
                0 => self.constant(),
                1 if self.wild() => self.constant(),
                1 => self.tape.pick(&["n0", "u0", "c0", "w0"]).to_owned(),
                _ => self.int_var(),
            };
        }
        if self.wild() {
            let (a, b) = (self.int(0), self.int(0));
            return format!("({a} {} {b})", self.tape.pick(&["+", "-", "*", "<<", ">>", "&"]));
        }
        let (a, b) = (self.int(depth - 1), self.int(depth - 1));
        match self.tape.below(16) {
            0 | 1 => format!("({a} + {b})"),
            2 | 3 => format!("({a} - {b})"),
            4 => format!("({a} * {b})"),
            5 => self.division(&a, &b),
            6 => format!("({a} {} {b})", self.tape.pick(&["&", "|", "^"])),

            7 => format!("((unsigned)({a}) << (({b}) & 7))"),
            8 => format!("({a} >> 1)"),
            9 => format!("({a} {} {b})", self.tape.pick(&["<", "<=", ">", ">=", "==", "!="])),
            10 => {
                let types = ["char", "unsigned char", "short", "unsigned", "long", "int", "_Bool"];
                format!("({})({a})", self.tape.pick(&types))
            }
            11 => format!("{}({a})", self.tape.pick(&["-", "~", "!"])),
            12 => format!("(({a}) ? ({b}) : {})", self.int(0)),
            13 => format!("(({a}) {} ({b}))", self.tape.pick(&["&&", "||"])),
            14 => format!("({a}, {b})"),
            _ => a,
        }
    }

    fn division(&mut self, a: &str, b: &str) -> String {
        let op = self.tape.pick(&["/", "%"]);
        if self.careful(Weakness::Division) {
            // One operand may be unsigned; what is below 1 is not divided by.
            format!("(({b}) > 0 ? ({a}) {op} ({b}) : 1)")
        } else {
            format!("(({a}) {op} ({b}))")
        }
    }

    /// An integer expression that is brought back to small numbers, most of the time.
    pub fn small_int(&mut self) -> String {
        let depth = self.tape.below(3);
        let value = self.int(depth);
        if self.wild() {
            return value;
        }
        // Converted first: `%` of an unsigned number would not be what it looks like.
        format!("(int)({value}) % 97")
    }

    /// A condition without side effects or memory accesses, in parentheses where it needs them.
    pub fn condition(&mut self) -> String {
        match self.tape.below(6) {
            0 => {
                let (a, b) = (self.node_var(), self.node_var());
                format!("{a} {} {b}", self.tape.pick(&["==", "!="]))
            }
            1 => self.node_var(),
            2 => format!("!{}", self.holder_var()),
            3 => {
                let (a, b) = (self.node_var(), self.int_var());
                format!("({a} {} {b} > 3)", self.tape.pick(&["&&", "||"]))
            }
            _ => {
                let depth = usize::from(!self.wild());
                let (a, b) = (self.int(depth), self.int(0));
                format!("{a} {} {b}", self.tape.pick(&["<", "<=", ">", ">=", "==", "!="]))
            }
        }
    }
}
