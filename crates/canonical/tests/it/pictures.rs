//! The state of *Predicate and Canonical Abstraction*, Fig. 3(a), in both abstractions: Fig. 4(b)
//! and Fig. 7(a).

use std::sync::Arc;

use expect_test::{expect, expect_file};
use trellis_canonical::core::Core;
use trellis_canonical::initial::ListHeap;
use trellis_canonical::predicates::{Instrumentation, Table3, Table7};
use trellis_logic::drawing::{Drawing, TextStyle};
use trellis_logic::kleene::Predicates;

/// x, y and z on a cycle, with lists of two, three and two edges between them.
fn picture(mut instrumentation: impl Instrumentation) -> Drawing {
    let mut predicates = Predicates::new();
    let names = ["x", "y", "z"].map(String::from);
    let core = Core::declare(&mut predicates, &names, "n", &[]);
    instrumentation.declare(&core, &mut predicates);
    let heap = ListHeap {
        next: (0..7).map(|u| Some((u + 1) % 7)).collect(),
        args: vec![Some(0), Some(2), Some(5)],
    };
    let structure = heap.structure(&Arc::new(predicates), &core, &[vec![0], vec![1], vec![2]]);
    let mut drawing = structure.blur().drawing();
    // Auxiliary variables that are null say nothing in a picture.
    drawing.pointers.retain(|p| !p.name.contains('.'));
    drawing
}

#[test]
fn table_3_loses_the_order_of_the_variables() {
    let drawing = picture(Table3::default());
    expect![[r#"
        x → 4{c, r[x], r[y], r[z]}
        y → 3{c, r[x], r[y], r[z]}
        z → 2{c, r[x], r[y], r[z]}
        4 ⇢ 1*{c, r[x], r[y], r[z]}
        3 ⇢ (1*)
        2 ⇢ (1*)
        1* ⇢ (1*), ⇢ (2), ⇢ (3), ⇢ (4)"#]]
    .assert_eq(&drawing.to_text(TextStyle::Unicode));
    expect_file!["../svg/fig_4b.svg"].assert_eq(&drawing.to_svg());
}

#[test]
fn table_7_keeps_the_order_of_the_variables() {
    let drawing = picture(Table7::default());
    expect![[r#"
        z → 4{cul[y]} → 1{cul[z]} → 6{cul[z]} → 3{cul[x]} → 5{cul[x]}
        x → (6)
        y → (5)
        5 ⇢ 2*{cul[y]}
        2* ⇢ (2*), ⇢ (4)"#]]
    .assert_eq(&drawing.to_text(TextStyle::Unicode));
    expect_file!["../svg/fig_7a.svg"].assert_eq(&drawing.to_svg());
}
