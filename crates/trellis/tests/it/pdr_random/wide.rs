//! What procedures have besides lists: unsigned 64-bit numbers, pointers without a struct type,
//! whole objects set and copied, memory that gets its type late, structs and arrays inside nodes,
//! unions, addresses of fields, functions that are only declared.
//!
//! A procedure has a few of these [`Feature`]s; each brings fields, locals and helpers, and the
//! statements and conditions in the tables below. In a statement `X` is assigned, `Y` and `Z` are
//! pointers to nodes that have to be there, `N` is a new name.

use super::generate::Generator;
use trellis_testkit::generate::Tape;

/// Something that not every procedure has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// Unsigned 64-bit numbers.
    Words,
    /// `void *` fields and locals.
    Any,
    /// `int *` fields and locals.
    Spots,
    /// `memset`, `memcpy` and assignment of whole structs.
    Blocks,
    /// Memory that gets its type after `malloc`, or is cleared.
    Late,
    /// A struct inside the node.
    Inner,
    /// An array inside the node.
    Cells,
    /// A union inside the node.
    Either,
    /// Addresses of pointer fields.
    Addresses,
    /// Functions without a body.
    Declared,
    /// `exit`, `abort` and promises to the compiler.
    Ends,
}

use Feature::{Addresses, Any, Blocks, Cells, Declared, Either, Ends, Inner, Late, Spots, Words};

/// How many procedures of a hundred have each.
const SHARES: &[(Feature, usize)] = &[
    (Words, 30),
    (Any, 14),
    (Spots, 8),
    (Blocks, 22),
    (Late, 25),
    (Inner, 12),
    (Cells, 10),
    (Either, 3),
    (Addresses, 5),
    (Declared, 8),
    (Ends, 5),
];

/// The features of one procedure.
pub fn choose(tape: &mut Tape<'_>) -> Vec<Feature> {
    // Some are about lists alone.
    if tape.percent(20) {
        return Vec::new();
    }
    SHARES.iter().filter(|(_, share)| tape.percent(*share)).map(|(feature, _)| *feature).collect()
}

/// A feature, the pointers among `X`, `Y` and `Z` that have to be there, and a statement.
type Template = (Feature, &'static str, &'static str);

/// What is right as long as the pointers are.
const STEPS: &[Template] = &[
    (Words, "Y", "w = Y->word;"),
    (Words, "Y", "Y->word = w;"),
    (Words, "YZ", "Y->word = Z->word;"),
    (Words, "Y", "Y->word = 0xfffffffffffffff0ul;"),
    (Words, "Y", "if (w < Y->word) w = Y->word;"),
    (Words, "Y", "w = larger(w, Y->word);"),
    (Words, "Y", "w = Y->key;"),
    (Words, "Y", "i = Y->word > 0x8000000000000000ul;"),
    (Words, "", "w = ~0ul;"),
    (Words, "", "w = 5;"),
    (Words, "", "w = u;"),
    (Words, "", "w = w + 1;"),
    (Words, "", "w = w > u ? w : u;"),
    (Words, "", "i = (int)w;"),
    (Any, "Y", "Y->any = Z;"),
    (Any, "Y", "Y->any = v;"),
    (Any, "Y", "Y->any = 0;"),
    (Any, "Y", "v = Y->any;"),
    (Any, "YZ", "Y->any = Z->any;"),
    (Any, "YZ", "Y->any = &Z->key;"),
    (Any, "", "v = Y;"),
    (Any, "", "X = (struct node *)(void *)Y;"),
    (Any, "", "{ void *m = Y; X = m; }"),
    (Spots, "YZ", "Y->spot = &Z->key;"),
    (Spots, "YZ", "Y->spot = Z->spot;"),
    (Spots, "Y", "k = &Y->key;"),
    (Spots, "Y", "k = Y->spot;"),
    (Spots, "", "k = &i;"),
    (Spots, "", "if (k) *k = 3;"),
    (Spots, "", "if (k) i = *k;"),
    (Blocks, "Y", "memset(Y, 0, sizeof *Y);"),
    (Blocks, "Y", "memset(Y, 0, sizeof(struct node));"),
    (Blocks, "Y", "memset(&Y->key, 255, sizeof Y->key);"),
    (Blocks, "YZ", "*Y = *Z;"),
    (Blocks, "YZ", "memcpy(Y, Z, sizeof *Y);"),
    (Blocks, "YZ", "memmove(Y, Z, sizeof *Y);"),
    (Blocks, "YZ", "memcpy(&Y->key, &Z->key, sizeof Y->key);"),
    (Blocks, "YZ", "{ struct node N = *Y; *Y = *Z; *Z = N; }"),
    (Blocks, "Y", "{ struct node N = *Y; X = N.next; }"),
    (Blocks, "Y", "{ struct node N; memset(&N, 0, sizeof N); *Y = N; }"),
    (
        Late,
        "",
        "{ void *m = malloc(sizeof(struct node)); struct node *N = m; N->next = Y; X = N; }",
    ),
    (Late, "", "{ struct node *N = xmalloc(sizeof *N); N->next = Y; N->key = 1; X = N; }"),
    (Late, "", "{ struct node *N = xmalloc(sizeof(struct node)); N->next = 0; X = N; }"),
    (Late, "", "X = calloc(1, sizeof *X);"),
    (Late, "", "X = zeroed(sizeof *X);"),
    (Late, "", "{ struct node *N = zeroed(sizeof *N); N->next = Y; X = N; }"),
    (Late, "", "{ void *m = xmalloc(sizeof(struct node)); free(m); }"),
    (Inner, "Y", "Y->in.x = 3;"),
    (Inner, "Y", "i = Y->in.x;"),
    (Inner, "YZ", "Y->in = Z->in;"),
    (Inner, "Y", "c = Y->in;"),
    (Inner, "Y", "Y->in = c;"),
    (Inner, "Y", "e = &Y->in;"),
    (Inner, "", "if (e) e->x = i;"),
    (Inner, "", "if (e) X = (struct node *)((char *)e - __builtin_offsetof(struct node, in));"),
    (Inner, "", "e = &c;"),
    (Inner, "", "c.y = 7;"),
    (Cells, "Y", "Y->cells[0] = 1;"),
    (Cells, "Y", "i = Y->cells[1];"),
    (Cells, "YZ", "Y->cells[1] = Z->cells[0];"),
    (Cells, "Y", "if (i >= 0 && i < 2) Y->cells[i] = 3;"),
    (Either, "Y", "Y->u.number = 3;"),
    (Either, "Y", "Y->u.number = 3; i = (int)Y->u.number;"),
    (Either, "Y", "Y->u.link = Z;"),
    (Either, "Y", "Y->u.link = Z; X = Y->u.link;"),
    (Addresses, "Y", "{ struct node **at = &Y->next; *at = Z; }"),
    (Addresses, "Y", "{ struct node **at = &Y->next; X = *at; }"),
    (Addresses, "", "{ struct node **at = &r; while (*at) at = &(*at)->next; *at = Y; }"),
    (Declared, "", "X = maybe(Y);"),
    (Declared, "", "i = (int)above(4);"),
    (Declared, "", "i = above(4) > 4;"),
    (Ends, "", "if (!Y && Z) abort();"),
    (Ends, "", "if (Y && !Y) __builtin_unreachable();"),
];

/// What is wrong, mostly.
const FAULTS: &[Template] = &[
    (Words, "Y", "if (Y->word > 5) Y = 0; Y->word = 1;"),
    (Words, "", "if (w > 0x8000000000000000ul) X = X->next;"),
    (Any, "Y", "X = Y->any; X->key = 1;"),
    (Any, "", "free(v);"),
    (Any, "", "X = v;"),
    (Spots, "", "*k = 1;"),
    (Spots, "Y", "*Y->spot = 3;"),
    (Blocks, "Y", "memset(Y, 0, sizeof *Y + 8);"),
    (Blocks, "Y", "memset(Y, 0, sizeof Y);"),
    (Blocks, "YZ", "memcpy(Y, Z, 2 * sizeof *Y);"),
    (Blocks, "YZ", "memcpy(&Y->key, &Z->key, sizeof *Y);"),
    (Late, "", "{ void *m = malloc(4); struct node *N = m; N->next = Y; X = N; }"),
    (Late, "", "{ struct node *N = xmalloc(sizeof N); N->next = Y; N->key = 1; X = N; }"),
    (Late, "", "X = malloc(sizeof X);"),
    (Late, "", "{ void *m = malloc(16); int *o = m; *o = 1; struct node *N = m; X = N; }"),
    (Inner, "", "e->x = 1;"),
    (Inner, "", "X = (struct node *)((char *)e - __builtin_offsetof(struct node, in));"),
    (Cells, "Y", "Y->cells[2] = 1;"),
    (Cells, "Y", "i = Y->cells[i];"),
    (Either, "Y", "Y->u.number = 3; X = Y->u.link;"),
    (Addresses, "", "{ struct node **at = &Y->next; *at = Z; }"),
    (Declared, "", "X = maybe(Y)->next;"),
    (Ends, "", "if (Y) __builtin_unreachable();"),
    (Ends, "", "exit(0);"),
];

/// Conditions that follow no pointer without a test.
const CONDITIONS: &[(Feature, &str)] = &[
    (Words, "w > 0x8000000000000000ul"),
    (Words, "w < u"),
    (Words, "w == ~0ul"),
    (Words, "(long)w < 0"),
    (Words, "Y && Y->word >= w"),
    (Words, "Y && Y->word < 5"),
    (Any, "v == Y"),
    (Any, "v"),
    (Any, "Y && Y->any == Z"),
    (Spots, "k == &i"),
    (Spots, "Y && k == &Y->key"),
    (Spots, "Y && Y->spot"),
    (Inner, "e"),
    (Inner, "Y && Y->in.x == 3"),
    (Cells, "Y && Y->cells[0] == Y->cells[1]"),
    (Either, "Y && Y->u.link == Z"),
    (Declared, "above(3) > 8"),
];

impl Generator {
    pub fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    /// The fields of a node that features bring.
    pub fn wide_fields(&self) -> String {
        let fields = [
            (Words, " unsigned long word;"),
            (Any, " void *any;"),
            (Spots, " int *spot;"),
            (Inner, " struct pair in;"),
            (Cells, " int cells[2];"),
            (Either, " union either u;"),
        ];
        fields.iter().filter(|(f, _)| self.has(*f)).map(|(_, text)| *text).collect()
    }

    /// The types and functions that do not need a node.
    pub fn wide_prelude(&self) -> Vec<String> {
        let lines = [
            (Late, "void *calloc(unsigned long, unsigned long);"),
            (Ends, "void exit(int);"),
            (Blocks, "void *memcpy(void *, const void *, unsigned long);"),
            (Blocks, "void *memmove(void *, const void *, unsigned long);"),
            (Inner, "struct pair { int x; unsigned long y; };"),
            (Either, "union either { unsigned long number; struct node *link; };"),
            (
                Words,
                "static unsigned long larger(unsigned long x, unsigned long y) \
                 { return x < y ? y : x; }",
            ),
            (
                Late,
                "static void *xmalloc(unsigned long n) \
                 { void *p = malloc(n); if (!p) abort(); return p; }",
            ),
            (Late, "static void *zeroed(unsigned long n) { return memset(xmalloc(n), 0, n); }"),
        ];
        let mut out = Vec::new();
        if self.has(Late) || self.has(Blocks) {
            out.push("void *memset(void *, int, unsigned long);".to_owned());
        }
        out.extend(lines.iter().filter(|(f, _)| self.has(*f)).map(|(_, text)| (*text).to_owned()));
        out
    }

    /// Functions that are only declared; the harness for the compiled code defines them.
    pub fn wide_declarations(&self) -> Vec<String> {
        if !self.has(Declared) {
            return Vec::new();
        }
        let maybe = "/*@ assigns \\nothing; ensures \\result == NULL || \\result == x; */\n\
                     struct node *maybe(struct node *x);";
        let above = "/*@ assigns \\nothing; ensures \\result > x; */\n\
                     unsigned long above(unsigned long x);";
        vec![maybe.to_owned(), above.to_owned()]
    }

    /// The parameters that features bring.
    pub fn wide_params(&self) -> Vec<&'static str> {
        self.has(Words).then_some("unsigned long u").into_iter().collect()
    }

    /// The locals that features bring.
    pub fn wide_locals(&mut self) -> Vec<String> {
        let mut out = Vec::new();
        if self.has(Words) {
            let value = self.tape.pick(&["0", "u", "~0ul", "5"]);
            out.push(format!("unsigned long w = {value};"));
        }
        if self.has(Any) {
            let value = self.tape.pick(&["0", "0", "a", "p"]);
            out.push(format!("void *v = {value};"));
        }
        if self.has(Spots) {
            out.push("int *k = 0;".to_owned());
        }
        if self.has(Inner) {
            out.push("struct pair *e = 0;".to_owned());
            out.push("struct pair c = { 1, 2 };".to_owned());
        }
        out
    }

    /// A step of one of the features, if there is one.
    pub fn wide_step(&mut self) -> Option<String> {
        if self.features.is_empty() || !self.tape.percent(45) {
            return None;
        }
        let wrong = self.tape.percent(if self.careful { 3 } else { 18 });
        let feature = self.a_feature();
        let table = if wrong { FAULTS } else { STEPS };
        let fitting: Vec<&Template> = table.iter().filter(|(f, ..)| *f == feature).collect();
        let (_, there, text) = *fitting[self.tape.below(fitting.len())];
        let names = [self.target(), self.target(), self.target()];
        let text = self.filled(text, names);
        let guards: Vec<&str> = there.chars().map(|c| names[index(c)]).collect();
        if guards.is_empty() || !(self.careful || self.tape.percent(40)) {
            return Some(text);
        }
        Some(format!("if ({}) {{ {text} }}", guards.join(" && ")))
    }

    /// A condition of one of the features, if there is one.
    pub fn wide_condition(&mut self) -> Option<String> {
        if self.features.is_empty() || !self.tape.percent(35) {
            return None;
        }
        let feature = self.a_feature();
        let fitting: Vec<&str> =
            CONDITIONS.iter().filter(|(f, _)| *f == feature).map(|(_, text)| *text).collect();
        if fitting.is_empty() {
            return None;
        }
        let text = self.tape.pick(&fitting);
        let names = [self.target(), self.target(), self.target()];
        Some(self.filled(text, names))
    }

    fn a_feature(&mut self) -> Feature {
        self.features[self.tape.below(self.features.len())]
    }

    /// A template with names for its letters.
    fn filled(&mut self, text: &str, names: [&str; 3]) -> String {
        let new = if text.contains('N') { self.name() } else { String::new() };
        let mut out = String::new();
        for c in text.chars() {
            match c {
                'X'..='Z' => out.push_str(names[index(c)]),
                'N' => out.push_str(&new),
                other => out.push(other),
            }
        }
        out
    }
}

/// The place of a letter among the names.
fn index(letter: char) -> usize {
    match letter {
        'X' => 0,
        'Y' => 1,
        _ => 2,
    }
}
