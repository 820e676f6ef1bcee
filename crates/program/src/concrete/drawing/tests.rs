use expect_test::{Expect, expect};

use super::*;
use crate::concrete::{Frame, heap_text};
use crate::ir::{BlockId, ProcId};
use crate::samples::lists;

/// Draws the state in which the sample procedure starts from a heap, called by itself.
fn check(text: &str, callers: usize, expected: Expect) {
    let l = lists();
    let proc = ProcId(0);
    let heap = heap_text::parse(&l.program, proc, text).unwrap();
    let mut state = heap.to_state();
    for _ in 0..=callers {
        state.frames.push(Frame {
            proc,
            block: BlockId(0),
            instr: 0,
            base: state.regs.len() as u32,
            result: None,
            pre: None,
        });
        state.regs.extend(&heap.args);
        state.regs.extend(&heap.args);
    }
    let once = draw(&l.program, &state);
    assert_eq!(once, draw(&l.program, &state), "drawing repeats to the letter");
    expected.assert_eq(&once.to_text(TextStyle::Unicode));
}

/// An integer that is not 0 in some state of a run is shown in all of them.
#[test]
fn fields_of_a_run_are_shown_where_they_are_zero() {
    let l = lists();
    let state = |text: &str| {
        let heap = heap_text::parse(&l.program, ProcId(0), text).unwrap();
        heap.to_state()
    };
    let (zero, five) = (state("x -> a"), state("x = [5]"));
    assert_eq!(integers(&l.program, &zero), BTreeSet::new());
    let fields = integers(&l.program, &five);
    assert_eq!(fields, BTreeSet::from(["data".to_owned()]));
    let shows = |drawn: &StateDrawing| drawn.drawing.nodes.iter().any(|n| !n.values.is_empty());
    assert!(!shows(&draw(&l.program, &zero)));
    assert!(shows(&draw_with(&l.program, &zero, &fields)));
}

#[test]
fn states_are_drawn() {
    check(
        "x = [5, 7]; k = 3",
        0,
        expect![[r#"
        x → 1{data=5} → 2{data=7} → null
        y,it,head → null
        1 -prev→ null
        2 -prev→ (1)
        anchor → null
        k = 3   count = 0"#]],
    );
    check(
        "x -> d; d : freed struct node; y = ?",
        0,
        expect!["x → 1{freed}   it,head → null   anchor → null   y = ?   k = 0   count = 0"],
    );
    check(
        "x -next-> a; a -next-> ?; a.data = ?",
        0,
        expect![[r#"
        x → 2{data=0} → 1{next=?, data=?}
        y,it,head → null
        2 -prev→ null
        1 -prev→ null
        anchor → null
        k = 0   count = 0"#]],
    );
    check(
        "it -> i; i.key = 4; i -link.next-> &anchor -> &i.link",
        0,
        expect!["it → 1{key=4} → anchor → (1)   x,y,head → null   k = 0   count = 0"],
    );
    check(
        "p : struct node[2]; x = &p[1]; y = &p -8",
        0,
        expect![[r#"
        x (at [1]),y (at -8) → 1
        it,head → null
        1 -[0].next→ null, -[0].prev→ null, -[1].next→ null, -[1].prev→ null
        anchor → null
        k = 0   count = 0"#]],
    );
    check(
        "x -> a; k = 1",
        1,
        expect![[r#"
        x,f.x → 1 → null
        y,it,f.y,f.it,head → null
        1 -prev→ null
        anchor → null
        k = 1   f.k = 1   count = 0"#]],
    );
    check("", 0, expect!["x,y,it,head → null   anchor → null   k = 0   count = 0"]);
}
