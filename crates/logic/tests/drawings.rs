//! Drawings as text and as SVG.
//!
//! The expected pictures are in `tests/svg`; `UPDATE_EXPECT=1 cargo test` draws them anew.

use std::sync::Arc;

use expect_test::{Expect, expect, expect_file};
use proptest::prelude::*;
use trellis_logic::drawing::{Drawing, Node, NodeIndex, Target, TextStyle};
use trellis_logic::generate::{functional_graphs, runner};
use trellis_logic::{SortId, Structure, Value, Vocabulary};

fn at(index: usize) -> Target {
    Target::Node(NodeIndex(index))
}

fn nodes(count: usize, field: &str) -> Drawing {
    let mut drawing = Drawing::new();
    for i in 0..count {
        let value = (i * 7 % 10).to_string();
        drawing.add_node(Node::new((i + 1).to_string()).with_value(field, value));
    }
    drawing
}

fn list(count: usize) -> Drawing {
    let mut drawing = nodes(count, "data");
    for i in 0..count {
        let to = if i + 1 < count { at(i + 1) } else { Target::Null };
        drawing.add_edge(NodeIndex(i), "next", to);
    }
    drawing.add_pointer("h", at(0));
    drawing
}

fn shared_tail() -> Drawing {
    let mut drawing = list(4);
    let (a, b) = (drawing.add_node(Node::new("5")), drawing.add_node(Node::new("6")));
    drawing.add_edge(a, "next", Target::Node(b));
    drawing.add_edge(b, "next", at(2));
    drawing.add_pointer("x", Target::Node(a));
    drawing
}

fn cyclic_list() -> Drawing {
    let mut drawing = list(5);
    drawing.edges[4].to = at(1);
    drawing
}

fn doubly_linked_list() -> Drawing {
    let mut drawing = list(4);
    for i in 0..4 {
        let to = if i > 0 { at(i - 1) } else { Target::Null };
        drawing.add_edge(NodeIndex(i), "prev", to);
    }
    drawing.add_pointer("t", at(3));
    drawing
}

fn tree() -> Drawing {
    let mut drawing = nodes(7, "key");
    for i in 0..7 {
        for (field, child) in [("left", 2 * i + 1), ("right", 2 * i + 2)] {
            let to = if child < 7 { at(child) } else { Target::Null };
            drawing.add_edge(NodeIndex(i), field, to);
        }
    }
    drawing.add_pointer("root", at(0));
    drawing
}

/// Every flag and every kind of target.
fn flags() -> Drawing {
    let mut drawing = list(3);
    drawing.nodes[1].summary = true;
    drawing.nodes[2].freed = true;
    drawing.edges[2].to = Target::Dangling;
    drawing.add_edge(NodeIndex(0), "self<&>", at(0));
    drawing.add_pointer("x", at(0));
    drawing.add_pointer("y", Target::Null);
    drawing.add_pointer("z", Target::Dangling);
    drawing.add_node(Node::new("leaked"));
    drawing
}

/// A struct with two pointers that nothing points to.
fn header() -> Drawing {
    let mut drawing = nodes(2, "data");
    drawing.nodes[0] = Node::new("queue");
    drawing.add_edge(NodeIndex(0), "head", at(1));
    drawing.add_edge(NodeIndex(0), "tail", Target::Null);
    drawing
}

fn check(drawing: &Drawing, expected: Expect) {
    expected.assert_eq(&drawing.to_text(TextStyle::Unicode));
}

#[test]
fn text() {
    // Its name is said once.
    check(&header(), expect!["queue -head→ 2{data=7}, -tail→ null"]);
    check(
        &list(5),
        expect!["h → 1{data=0} → 2{data=7} → 3{data=4} → 4{data=1} → 5{data=8} → null"],
    );
    check(
        &shared_tail(),
        expect![[r"
            h → 1{data=0} → 2{data=7} → 3{data=4} → 4{data=1} → null
            x → 5 → 6 → (3)"]],
    );
    check(
        &cyclic_list(),
        expect!["h → 1{data=0} → 2{data=7} → 3{data=4} → 4{data=1} → 5{data=8} → (2)"],
    );
    check(
        &doubly_linked_list(),
        expect![[r"
            h → 1{data=0} → 2{data=7} → 3{data=4} → 4{data=1} → null
            t → (4)
            1 -prev→ null
            2 -prev→ (1)
            3 -prev→ (2)
            4 -prev→ (3)"]],
    );
    check(
        &tree(),
        expect![[r"
            root → 1{key=0}
            1 -left→ 2{key=7}, -right→ 3{key=4}
            2 -left→ 4{key=1}, -right→ 5{key=8}
            3 -left→ 6{key=5}, -right→ 7{key=2}
            4 -left→ null, -right→ null
            5 -left→ null, -right→ null
            6 -left→ null, -right→ null
            7 -left→ null, -right→ null"]],
    );
    check(
        &flags(),
        expect![[r"
            h,x → 1{data=0} → 2*{data=7} → 3{data=4, freed} → dangling
            y → null
            z → dangling
            1 -self<&>→ (1)
            leaked"]],
    );
    check(&Drawing::new(), expect![""]);
}

#[test]
fn a_variable_inside_another_list_comes_later() {
    let mut drawing = list(3);
    drawing.pointers.clear();
    drawing.add_pointer("x", at(2));
    drawing.add_pointer("h", at(0));
    check(
        &drawing,
        expect![[r"
            h → 1{data=0} → 2{data=7} → 3{data=4} → null
            x → (3)"]],
    );
}

#[test]
fn ascii() {
    expect![[r"
        h -> 1{data=0} -> 2{data=7} -> 3{data=4} -> 4{data=1} -> null
        t -> (4)
        1 -prev-> null
        2 -prev-> (1)
        3 -prev-> (2)
        4 -prev-> (3)"]]
    .assert_eq(&doubly_linked_list().to_text(TextStyle::Ascii));
}

#[test]
fn a_structure_is_drawn() {
    let mut vocabulary = Vocabulary::new();
    let node = vocabulary.sort("struct node *");
    let null = vocabulary.null("NULL", node);
    let (h, x) = (vocabulary.variable("h", node), vocabulary.variable("x", node));
    let next = vocabulary.field("next", node, node);
    let data = vocabulary.field("data", node, SortId::INT);
    let reach = vocabulary.closure("reach", next);
    let marked = vocabulary.relation("marked", &[node]);
    vocabulary.order("le", node);
    let mut heap = Structure::new(Arc::new(vocabulary), &[0, 4]);
    heap.set_constant(null, 0);
    heap.set_constant(h, 3);
    heap.set_constant(x, 0);
    heap.set_rel(marked, &[1], true);
    heap.set_fun(data, &[1], Some(Value::Int(-3)));
    for (from, to) in [(3, 1), (1, 2), (2, 0)] {
        heap.set_fun(next, &[from], Some(Value::Elem(to)));
    }
    let text = |heap: &Structure| Drawing::from_structure(heap).to_text(TextStyle::Unicode);
    let expected = expect![[r"
        h → 3 → 1{data=-3, marked} → 2 → null
        x → null"]];
    expected.assert_eq(&text(&heap));
    // The same from the closure alone, as a solver would give it.
    let closure = heap.rel_table(reach).into_owned();
    heap.set_rel_table(reach, closure);
    for from in 0..4 {
        heap.set_fun(next, &[from], None);
    }
    expected.assert_eq(&text(&heap));
}

#[test]
fn svg() {
    expect_file!["svg/list.svg"].assert_eq(&list(5).to_svg());
    expect_file!["svg/shared_tail.svg"].assert_eq(&shared_tail().to_svg());
    expect_file!["svg/cyclic_list.svg"].assert_eq(&cyclic_list().to_svg());
    expect_file!["svg/doubly_linked_list.svg"].assert_eq(&doubly_linked_list().to_svg());
    expect_file!["svg/tree.svg"].assert_eq(&tree().to_svg());
    expect_file!["svg/flags.svg"].assert_eq(&flags().to_svg());
    assert!(Drawing::new().to_svg().starts_with("<svg "));
}

#[test]
fn svg_escapes_text_and_has_no_scripts() {
    let mut drawing = Drawing::new();
    let node = drawing.add_node(Node::new("<script>&\"'\u{1}").with_value("a<b", "]]>"));
    drawing.add_edge(node, "<f>", Target::Node(node));
    drawing.add_pointer("</svg>", Target::Node(node));
    let svg = drawing.to_svg();
    assert!(!svg.contains("<script") && !svg.contains("<f>") && !svg.contains("a<b"));
    assert_eq!(svg.matches("</svg>").count(), 1);
    assert!(!svg.contains('\u{1}'));
}

/// The numbers of an attribute such as `x="3"`.
fn attribute(line: &str, name: &str) -> f64 {
    let start = line.find(&format!(" {name}=\"")).expect("attribute") + name.len() + 3;
    let rest = &line[start..];
    rest[..rest.find('"').expect("quote")].parse().expect("number")
}

/// Points on a path of `M`, `L`, `Q` and `C` commands with absolute coordinates.
fn sample(path: &str) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut tokens = path.split(' ').peekable();
    while let Some(token) = tokens.next() {
        let (command, first) = token.split_at(1);
        let parse = |text: &str| {
            let (x, y) = text.split_once(',').expect("a point");
            (x.parse::<f64>().expect("number"), y.parse::<f64>().expect("number"))
        };
        let count = match command {
            "C" => 3,
            "Q" => 2,
            _ => 1,
        };
        let mut controls = vec![parse(first)];
        controls.extend((1..count).map(|_| parse(tokens.next().expect("a control point"))));
        let Some(&start) = points.last() else {
            points.extend(controls);
            continue;
        };
        controls.insert(0, start);
        for step in 1..=40 {
            let t = f64::from(step) / 40.0;
            // De Casteljau's construction.
            let mut level = controls.clone();
            while level.len() > 1 {
                let between = |pair: &[(f64, f64)]| {
                    let mix = |a: f64, b: f64| a + (b - a) * t;
                    (mix(pair[0].0, pair[1].0), mix(pair[0].1, pair[1].1))
                };
                level = level.windows(2).map(between).collect();
            }
            points.push(level[0]);
        }
    }
    points
}

/// No edge crosses a box, except for leaving its own.
fn check_routes(drawing: &Drawing) -> Result<(), TestCaseError> {
    let svg = drawing.to_svg();
    let boxes: Vec<[f64; 4]> = svg
        .lines()
        .filter(|l| l.starts_with("<rect") && l.contains("rx=\"5\"") && !l.contains("\"none\""))
        .map(|l| ["x", "y", "width", "height"].map(|name| attribute(l, name)))
        .collect();
    prop_assert_eq!(boxes.len(), drawing.nodes.len());
    let inside = |&(px, py): &(f64, f64), &[x, y, width, height]: &[f64; 4]| {
        px > x + 0.2 && px < x + width - 0.2 && py > y + 0.2 && py < y + height - 0.2
    };
    for (i, a) in boxes.iter().enumerate() {
        for b in &boxes[..i] {
            let apart = a[0] + a[2] <= b[0]
                || b[0] + b[2] <= a[0]
                || a[1] + a[3] <= b[1]
                || b[1] + b[3] <= a[1];
            prop_assert!(apart, "boxes overlap");
        }
    }
    for line in svg.lines().filter(|l| l.contains("stroke-width=\"1.6\"")) {
        let path = line.split('"').nth(1).expect("path data");
        let points = sample(path);
        let own = boxes.iter().position(|b| inside(&points[0], b));
        for (i, b) in boxes.iter().enumerate() {
            let crossed = points.iter().any(|p| inside(p, b));
            prop_assert!(!crossed || Some(i) == own, "{} crosses box {}", path, i + 1);
        }
    }
    Ok(())
}

#[test]
fn edges_do_not_cross_boxes() {
    for drawing in [list(5), shared_tail(), cyclic_list(), doubly_linked_list(), tree(), flags()] {
        check_routes(&drawing).unwrap();
    }
    let graphs = (functional_graphs(7), functional_graphs(7), any::<bool>());
    runner(300)
        .run(&graphs, |(next, other, named)| {
            let mut drawing = nodes(next.len(), "data");
            for (field, graph) in [("next", &next), ("other", &other)] {
                for (x, to) in graph.iter().enumerate().take(next.len()) {
                    let to = to.filter(|&y| (y as usize) < next.len());
                    let to = to.map_or(Target::Null, |y| at(y as usize));
                    drawing.add_edge(NodeIndex(x), field, to);
                }
            }
            if named {
                drawing.add_pointer("a_long_variable_name", at(0));
                drawing.add_pointer("x", at(next.len() / 2));
                drawing.nodes[next.len() - 1].values.push(("name".into(), "long".repeat(8)));
            }
            check_routes(&drawing)?;
            prop_assert_eq!(drawing.to_svg(), drawing.clone().to_svg());
            // Every node is introduced exactly once.
            let text = drawing.to_text(TextStyle::Unicode);
            for n in &drawing.nodes {
                prop_assert_eq!(text.matches(&format!("{}{{data=", n.label)).count(), 1);
            }
            Ok(())
        })
        .unwrap();
}
