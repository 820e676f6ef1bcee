//! The unwinding: whoever has a new label, is covered or is cut off covers nobody.

use trellis_patterns::pattern::Label;
use trellis_proveit::unwinding::{Unwinding, VertexId};

fn always(_: &Label, _: &Label) -> bool {
    true
}

/// A labelled vertex at the same loop.
fn add(tree: &mut Unwinding, parent: VertexId) -> VertexId {
    let v = tree.add(Some(parent), 1);
    tree.vertices[v].label = Some(Label::default());
    tree.vertices[parent].children.get_or_insert_default().push(v);
    v
}

#[test]
fn a_vertex_with_a_new_label_covers_nobody() {
    let mut tree = Unwinding::new(0, Vec::new());
    let a = add(&mut tree, 0);
    let b = add(&mut tree, a);
    let c = add(&mut tree, b);
    assert!(tree.cover(b, a, always));
    assert!(tree.is_covered(b) && tree.is_covered(c));
    tree.relabel(a, Label::default());
    assert!(!tree.is_covered(b) && !tree.is_covered(c));
    assert_eq!(tree.open_leaf(), Some(c));
}

#[test]
fn a_covered_vertex_covers_nobody() {
    let mut tree = Unwinding::new(0, Vec::new());
    let a = add(&mut tree, 0);
    let b = add(&mut tree, 0);
    let below = add(&mut tree, b);
    let late = add(&mut tree, 0);
    assert!(tree.cover(late, below, always));
    assert!(tree.cover(b, a, always));
    assert_eq!(tree.vertices[late].covered_by, None);
    assert_eq!(tree.candidates(late), [a]);
    assert!(!tree.cover(late, below, |_, _| false));
}

#[test]
fn what_is_cut_off_covers_nobody() {
    let mut tree = Unwinding::new(0, Vec::new());
    let a = add(&mut tree, 0);
    let below = add(&mut tree, a);
    let late = add(&mut tree, 0);
    assert!(tree.cover(late, below, always));
    tree.prune(a);
    assert!(tree.vertices[below].is_gone && !tree.vertices[a].is_gone);
    assert_eq!(tree.vertices[late].covered_by, None);
    assert_eq!(tree.vertices[a].children, None);
    assert_eq!(tree.open_leaf(), Some(late));
}

#[test]
fn a_vertex_that_is_asked_again_is_open() {
    let mut tree = Unwinding::new(0, Vec::new());
    let a = add(&mut tree, 0);
    let b = add(&mut tree, 0);
    let below = add(&mut tree, b);
    assert!(tree.cover(b, a, always));
    tree.reopen(b);
    assert!(tree.vertices[below].is_gone && !tree.is_covered(b));
    assert_eq!((tree.open_leaf(), &tree.vertices[b].label), (Some(b), &None));
    assert!(!tree.cover(b, a, always), "there is no label that could be covered");
}
