//! Layered layout: which column a node goes to, in which order, at which height.
//!
//! Columns follow reachability from the variables: after removing the edges that close a cycle, a
//! node stands right of everything that points at it. An edge over several columns gets a free
//! slot in each column it passes, so that it never crosses a box.
//!
//! **Invariant**: boxes and slots of one column do not overlap, and the gaps between columns are
//! free of boxes; the routes rely on both.

use crate::drawing::{Drawing, NodeIndex, Target};

pub(super) const ROW: f64 = 20.0;
pub(super) const POINTER: f64 = 34.0;
const CHAR: f64 = 7.3;
const GAP: f64 = 54.0;
const MARGIN: f64 = 34.0;
const SPACE: f64 = 18.0;

/// How an edge between nodes is routed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// To a column further right.
    Forward,
    /// To the column just left.
    Back,
    /// Further back: below everything.
    LongBack,
    /// To the node itself.
    Loop,
}

/// Something that occupies a place in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    Node(usize),
    /// The passage of an edge, by its index in the drawing.
    Passage(usize),
}

/// The box of a node, without the variables above it.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

pub(super) struct Layout {
    pub(super) boxes: Vec<Rect>,
    /// By node, the variables that point at it.
    pub(super) pointers: Vec<Vec<String>>,
    /// By edge of the drawing; `None` if it does not lead to a node.
    pub(super) kinds: Vec<Option<Kind>>,
    /// By edge, the places where it passes columns: left, right and height.
    pub(super) passages: Vec<Vec<(f64, f64, f64)>>,
    pub(super) layer_of: Vec<usize>,
    /// By column, its left and right border.
    pub(super) columns: Vec<(f64, f64)>,
    pub(super) width: f64,
    /// The height of boxes alone; the routes below them come on top of it.
    pub(super) height: f64,
}

pub(super) fn text_width(text: &str) -> f64 {
    CHAR * text.chars().count() as f64
}

impl Layout {
    pub(super) fn new(drawing: &Drawing) -> Layout {
        let (kinds, layer_of) = assign_layers(drawing);
        let pointers = pointers_by_node(drawing);
        let mut columns = fill_columns(drawing, &kinds, &layer_of);
        let neighbours = |slot: Slot, right: bool| slot_neighbours(drawing, &kinds, slot, right);
        order_columns(&mut columns, &layer_of, &neighbours);
        let sizes: Vec<(f64, f64)> =
            (0..drawing.nodes.len()).map(|n| box_size(drawing, n, &pointers[n])).collect();
        let heights = place_vertically(&columns, &sizes, &pointers, &layer_of, &neighbours);

        let mut layout = Layout {
            boxes: vec![Rect::default(); drawing.nodes.len()],
            pointers,
            kinds,
            passages: vec![Vec::new(); drawing.edges.len()],
            layer_of,
            columns: Vec::new(),
            width: MARGIN,
            height: 0.0,
        };
        for (column, heights) in columns.iter().zip(&heights) {
            let inner = column.iter().map(|slot| match slot {
                Slot::Node(n) => sizes[*n].0,
                Slot::Passage(_) => 0.0,
            });
            let (left, width) = (layout.width, inner.fold(0.0, f64::max));
            layout.columns.push((left, left + width));
            layout.width = left + width + GAP;
            for (&slot, &y) in column.iter().zip(heights) {
                match slot {
                    Slot::Node(n) => {
                        let (own, height) = sizes[n];
                        let x = left + (width - own) / 2.0;
                        layout.boxes[n] = Rect { x, y, width: own, height };
                        layout.height = layout.height.max(y + height);
                    }
                    Slot::Passage(e) => {
                        layout.passages[e].push((left, left + width, y));
                        layout.height = layout.height.max(y);
                    }
                }
            }
        }
        layout.width += MARGIN - GAP;
        layout
    }
}

fn pointers_by_node(drawing: &Drawing) -> Vec<Vec<String>> {
    let mut pointers = vec![Vec::new(); drawing.nodes.len()];
    for pointer in &drawing.pointers {
        if let Target::Node(n) = pointer.to {
            pointers[n.0].push(pointer.name.clone());
        }
    }
    pointers
}

fn box_size(drawing: &Drawing, node: usize, pointers: &[String]) -> (f64, f64) {
    let index = NodeIndex(node);
    let node = &drawing.nodes[node];
    let mut width = text_width(&super::svg::title_of(node)) + 20.0;
    for (field, value) in &node.values {
        width = width.max(text_width(field) + text_width(value) + 34.0);
    }
    let edges = drawing.edges_of(index);
    for edge in &edges {
        width = width.max(text_width(&edge.field) + 46.0);
    }
    width = width.max(text_width(&pointers.join(", ")) + 16.0).max(48.0);
    (width, ROW * (1 + node.values.len() + edges.len()) as f64)
}

/// The kind of every edge, and the column of every node.
fn assign_layers(drawing: &Drawing) -> (Vec<Option<Kind>>, Vec<usize>) {
    let count = drawing.nodes.len();
    let mut closes_cycle = vec![false; drawing.edges.len()];
    let mut postorder = Vec::with_capacity(count);
    let mut state = vec![0u8; count];
    for root in drawing.roots() {
        depth_first(drawing, root.0, &mut state, &mut closes_cycle, &mut postorder);
    }
    let inner = |e: usize| match drawing.edges[e].to {
        Target::Node(to) if !closes_cycle[e] => Some((drawing.edges[e].from.0, to.0)),
        _ => None,
    };
    let dag: Vec<(usize, usize)> = (0..drawing.edges.len()).filter_map(inner).collect();
    let mut layer_of = vec![0; count];
    for &n in postorder.iter().rev() {
        for &(_, to) in dag.iter().filter(|(from, _)| *from == n) {
            layer_of[to] = layer_of[to].max(layer_of[n] + 1);
        }
    }
    // A node that nothing points at stands next to what it points at.
    for n in 0..count {
        if !dag.iter().any(|&(_, to)| to == n) {
            let targets = dag.iter().filter(|(from, _)| *from == n).map(|&(_, to)| layer_of[to]);
            layer_of[n] = targets.min().map_or(0, |l| l - 1);
        }
    }
    let kind = |e: usize| match drawing.edges[e].to {
        Target::Node(to) => {
            let (from, to) = (drawing.edges[e].from.0, to.0);
            Some(if from == to {
                Kind::Loop
            } else if layer_of[from] < layer_of[to] {
                Kind::Forward
            } else if layer_of[from] == layer_of[to] + 1 {
                Kind::Back
            } else {
                Kind::LongBack
            })
        }
        Target::Null | Target::Dangling => None,
    };
    ((0..drawing.edges.len()).map(kind).collect(), layer_of)
}

/// Marks the edges that close a cycle, and lists nodes after what they point at.
fn depth_first(
    drawing: &Drawing,
    node: usize,
    state: &mut [u8],
    closes_cycle: &mut [bool],
    postorder: &mut Vec<usize>,
) {
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    if state[node] != 0 {
        return;
    }
    state[node] = OPEN;
    // An explicit stack, because lists may be long: a node and its next edge to follow.
    let mut stack = vec![(node, edges_in_order(drawing, node), 0)];
    while let Some((at, edges, next)) = stack.last_mut() {
        let Some(&e) = edges.get(*next) else {
            state[*at] = DONE;
            postorder.push(*at);
            stack.pop();
            continue;
        };
        *next += 1;
        if let Target::Node(to) = drawing.edges[e].to {
            match state[to.0] {
                OPEN => closes_cycle[e] = true,
                DONE => {}
                _ => {
                    state[to.0] = OPEN;
                    stack.push((to.0, edges_in_order(drawing, to.0), 0));
                }
            }
        }
    }
}

/// The indices of a node's edges, the list field first.
fn edges_in_order(drawing: &Drawing, node: usize) -> Vec<usize> {
    let of_node = |e: &usize| drawing.edges[*e].from.0 == node;
    let mut edges: Vec<usize> = (0..drawing.edges.len()).filter(of_node).collect();
    edges.sort_by_key(|&e| Some(drawing.edges[e].field.as_str()) != drawing.main_field());
    edges
}

fn fill_columns(drawing: &Drawing, kinds: &[Option<Kind>], layer_of: &[usize]) -> Vec<Vec<Slot>> {
    let mut columns = vec![Vec::new(); layer_of.iter().max().map_or(0, |l| l + 1)];
    let mut seen = vec![false; drawing.nodes.len()];
    for root in drawing.roots() {
        let mut stack = vec![root.0];
        while let Some(n) = stack.pop() {
            if std::mem::replace(&mut seen[n], true) {
                continue;
            }
            columns[layer_of[n]].push(Slot::Node(n));
            for &e in edges_in_order(drawing, n).iter().rev() {
                let Target::Node(to) = drawing.edges[e].to else {
                    continue;
                };
                stack.push(to.0);
                if kinds[e] == Some(Kind::Forward) {
                    for column in &mut columns[layer_of[n] + 1..layer_of[to.0]] {
                        column.push(Slot::Passage(e));
                    }
                }
            }
        }
    }
    columns
}

/// The nodes and passages joined to a slot on one side. Passages stand for themselves in every
/// column, so a passage is its own neighbour.
fn slot_neighbours(
    drawing: &Drawing,
    kinds: &[Option<Kind>],
    slot: Slot,
    right: bool,
) -> Vec<Slot> {
    let ends = |e: usize| match drawing.edges[e].to {
        Target::Node(to) => [drawing.edges[e].from.0, to.0],
        Target::Null | Target::Dangling => [usize::MAX; 2],
    };
    match slot {
        Slot::Passage(e) => vec![slot, Slot::Node(ends(e)[usize::from(right)])],
        Slot::Node(n) => (0..drawing.edges.len())
            .filter(|&e| kinds[e] == Some(Kind::Forward) && ends(e)[usize::from(!right)] == n)
            .flat_map(|e| [Slot::Passage(e), Slot::Node(ends(e)[usize::from(right)])])
            .collect(),
    }
}

/// Sorts every column by the average position of the neighbours in the column before, and after.
fn order_columns(
    columns: &mut [Vec<Slot>],
    layer_of: &[usize],
    neighbours: &impl Fn(Slot, bool) -> Vec<Slot>,
) {
    for sweep in 0..4 {
        let right = sweep % 2 == 1;
        let count = columns.len();
        for step in 1..count {
            let (l, beside) = match right {
                false => (step, step - 1),
                true => (count - 1 - step, count - step),
            };
            let position = |slot: Slot, own: usize| {
                let found: Vec<usize> = neighbours(slot, right)
                    .into_iter()
                    .filter(|s| !matches!(s, Slot::Node(n) if layer_of[*n] != beside))
                    .filter_map(|s| columns[beside].iter().position(|&other| other == s))
                    .collect();
                match found.len() {
                    0 => own as f64,
                    n => found.iter().sum::<usize>() as f64 / n as f64,
                }
            };
            let mut keyed: Vec<(f64, Slot)> = columns[l]
                .iter()
                .enumerate()
                .map(|(own, &slot)| (position(slot, own), slot))
                .collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            columns[l] = keyed.into_iter().map(|(_, slot)| slot).collect();
        }
    }
}

/// The height of every slot: near its neighbours, without overlap. For a node this is the top of
/// its box.
fn place_vertically(
    columns: &[Vec<Slot>],
    sizes: &[(f64, f64)],
    pointers: &[Vec<String>],
    layer_of: &[usize],
    neighbours: &impl Fn(Slot, bool) -> Vec<Slot>,
) -> Vec<Vec<f64>> {
    let above = |slot: Slot| match slot {
        Slot::Node(n) if !pointers[n].is_empty() => POINTER,
        Slot::Node(_) | Slot::Passage(_) => 0.0,
    };
    let below = |slot: Slot| match slot {
        Slot::Node(n) => sizes[n].1,
        Slot::Passage(_) => 0.0,
    };
    let middle = |slot: Slot| below(slot) / 2.0;
    // The least distance from the top of one slot to the top of the next.
    let distances = |column: &[Slot]| -> Vec<f64> {
        let pairs = column.windows(2);
        pairs.map(|pair| below(pair[0]) + SPACE + above(pair[1])).collect()
    };
    let mut heights: Vec<Vec<f64>> =
        columns.iter().map(|column| spread(&vec![0.0; column.len()], &distances(column))).collect();
    for sweep in 0..10 {
        let right = sweep % 2 == 1;
        let order: Vec<usize> = match right {
            false => (0..columns.len()).collect(),
            true => (0..columns.len()).rev().collect(),
        };
        for l in order {
            let beside = if right { l + 1 } else { l.wrapping_sub(1) };
            let Some(other) = columns.get(beside) else {
                continue;
            };
            let wish = |(i, &slot): (usize, &Slot)| {
                let found: Vec<f64> = neighbours(slot, right)
                    .into_iter()
                    .filter(|s| !matches!(s, Slot::Node(n) if layer_of[*n] != beside))
                    .filter_map(|s| other.iter().position(|&o| o == s).map(|at| (s, at)))
                    .map(|(s, at)| heights[beside][at] + middle(s))
                    .collect();
                match found.len() {
                    0 => heights[l][i],
                    n => found.iter().sum::<f64>() / n as f64 - middle(slot),
                }
            };
            let wishes: Vec<f64> = columns[l].iter().enumerate().map(wish).collect();
            heights[l] = spread(&wishes, &distances(&columns[l]));
        }
    }
    let tops = columns.iter().zip(&heights).flat_map(|(column, heights)| {
        column.iter().zip(heights).map(|(&slot, &y)| y - above(slot))
    });
    let top = tops.fold(f64::INFINITY, f64::min);
    for y in heights.iter_mut().flatten() {
        *y += 12.0 - top;
    }
    heights
}

/// Positions as near as possible to the wishes (least squares) that keep the distances. Neighbours
/// that come too close are pooled and placed as one.
fn spread(wishes: &[f64], distances: &[f64]) -> Vec<f64> {
    let mut offset = 0.0;
    let mut pools: Vec<(f64, usize)> = Vec::new();
    let mut offsets = Vec::with_capacity(wishes.len());
    for (i, &wish) in wishes.iter().enumerate() {
        if i > 0 {
            offset += distances[i - 1];
        }
        offsets.push(offset);
        pools.push((wish - offset, 1));
        while let [.., (a, n), (b, m)] = pools[..]
            && a >= b
        {
            pools.truncate(pools.len() - 2);
            pools.push(((a * n as f64 + b * m as f64) / (n + m) as f64, n + m));
        }
    }
    let bases = pools.iter().flat_map(|&(base, n)| std::iter::repeat_n(base, n));
    bases.zip(offsets).map(|(base, offset)| base + offset).collect()
}
