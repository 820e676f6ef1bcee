//! Patterns as people see them.

use expect_test::{Expect, expect};
use trellis_front_c::load_str;
use trellis_logic::drawing::TextStyle;
use trellis_patterns::drawing::draw_pattern;
use trellis_patterns::words::Predicate;
use trellis_patterns::{PatternProgram, Settings, lower, text};

use crate::labels::pattern;

fn code() -> PatternProgram {
    let text = "struct node { int data; struct node *next; struct node *prev; };\n\
        int __VERIFIER_nondet_int(void);\n\
        int f(struct node *l, struct node *x, int d) {\n\
        while (__VERIFIER_nondet_int()) { if (l && l->data > 5 && d == 3) l = x; }\n\
        return d; }\n";
    let unit = load_str("shown.c", text).expect("a program");
    let proc = unit.program.find_proc("f").expect("f");
    let mut code = lower(&unit.program, proc, &Settings::default()).expect("has words");
    code.words.add_predicate(0, Predicate::Inverse { over: 0, back: 1 });
    code
}

fn check(patterns: &[&str], expected: Expect) {
    let code = code();
    let head = *code.heads.first().expect("a loop");
    let mut shown = String::new();
    for p in patterns {
        let pattern = pattern(&code, head, p);
        shown += &text::pattern(&code.words, &pattern);
        shown += "\n";
        shown += &draw_pattern(&code.words, &pattern).to_text(TextStyle::default());
        shown += "\n";
        let svg = draw_pattern(&code.words, &pattern).to_svg();
        assert_eq!(svg, draw_pattern(&code.words, &pattern).to_svg());
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    }
    expected.assert_eq(&shown);
}

#[test]
fn patterns_are_read_from_variables_on() {
    check(
        &[
            "l=null x=null \\old(l)=null d=3",
            "l=a x=freed \\old(l)=a d=other; a data=3 next=b,null prev=null back=0,2; \
             b* data=0,1,3 next=b,null prev=a,b back=0,2 both",
            "l=a x=b \\old(l)=undefined; a next=b prev=undefined back=1; \
             b data=undefined,other next=null prev=a,freed back=0 shared",
        ],
        expect![[r#"
            l = null; \old(l) = null; x = null; d = 3
            l,\old(l),x → null
            x = freed; d > 5; l, \old(l) → a(data = 3, next->prev is back) next ⇢ b* | null prev → null; b*(data = 0 or 1 or 3, next->prev is back) next ⇢ b* | null prev ⇢ a | b* [shared by next+prev]
            l,\old(l) → a{data = 3, next->prev is back}
            x → dangling
            a ⇢ null, ⇢ b*{data = 0 or 1 or 3, next->prev is back, shared by next+prev}, -prev→ null
            b* ⇢ null, ⇢ (b*), -prev⇢ (a), -prev⇢ (b*)
            \old(l) = undefined; l → a(next->prev is not back) next → b prev → undefined; x → b(data > 5 or undefined) next → null prev ⇢ a | freed [shared]
            l → a{next->prev is not back} → b{data > 5 or undefined, shared} → null
            x → (b)
            \old(l) → dangling
            a -prev→ dangling
            b -prev⇢ dangling, -prev⇢ (a)
        "#]],
    );
}
