//! The paths of edges, as SVG path data.
//!
//! **Invariant**: a path stays in the gaps between columns, in the passages the layout left free,
//! or below everything, so it crosses no box.

use crate::drawing::layout::{Kind, Layout, ROW, Rect};
use crate::drawing::{Drawing, NodeIndex, Target};

/// The path of one edge.
pub(super) struct Route {
    /// The edge's index in the drawing.
    pub(super) edge: usize,
    /// Path data up to the arrowhead.
    pub(super) path: String,
    /// The point of the arrowhead.
    pub(super) tip: (f64, f64),
    /// Whether the arrowhead points to the right.
    pub(super) rightwards: bool,
    /// Where the dot of the field is.
    pub(super) port: (f64, f64),
}

/// The height of the row of the i-th pointer field of a node, at its middle.
pub(super) fn field_height(drawing: &Drawing, rect: Rect, node: usize, field: usize) -> f64 {
    rect.y + ROW * (1 + drawing.nodes[node].values.len() + field) as f64 + ROW / 2.0
}

/// All routes, and the height below which there is nothing.
pub(super) fn routes(drawing: &Drawing, layout: &Layout) -> (Vec<Route>, f64) {
    let mut routes = Vec::new();
    let ports = ports(drawing, layout);
    let mut lanes = 0;
    for (e, edge) in drawing.edges.iter().enumerate() {
        let (Target::Node(to), Some(kind)) = (edge.to, layout.kinds[e]) else {
            continue;
        };
        let (from, target) = (layout.boxes[edge.from.0], layout.boxes[to.0]);
        let port = ports[e];
        let right_dots = |node: usize| right_ports(drawing, layout, &ports, node);
        let route = match kind {
            Kind::Forward => {
                let y = entry(target, port.1, &left_ports(drawing, layout, &ports, to.0));
                let mut path = format!("M{}", point(port));
                // Leave the column before bending, because it may have wider boxes.
                let mut at = (layout.columns[layout.layer_of[edge.from.0]].1, port.1);
                path.push_str(&format!(" L{}", point(at)));
                for &(left, right, height) in &layout.passages[e] {
                    path.push_str(&curve(at, (left, height)));
                    path.push_str(&format!(" L{}", point((right, height))));
                    at = (right, height);
                }
                let tip = (target.x, y);
                let left = layout.columns[layout.layer_of[to.0]].0;
                path.push_str(&curve(at, (left - 5.0, y)));
                path.push_str(&format!(" L{}", point((tip.0 - 5.0, y))));
                Route { edge: e, path, tip, rightwards: true, port }
            }
            Kind::Back => {
                let y = entry(target, port.1, &right_dots(to.0));
                let tip = (target.x + target.width, y);
                let start = (layout.columns[layout.layer_of[edge.from.0]].0, port.1);
                let end = (layout.columns[layout.layer_of[to.0]].1 + 5.0, y);
                let path = format!(
                    "M{} L{}{} L{}",
                    point(port),
                    point(start),
                    curve(start, end),
                    point((tip.0 + 5.0, y))
                );
                Route { edge: e, path, tip, rightwards: false, port }
            }
            Kind::Loop => {
                let y = target.y + ROW / 2.0;
                let right = from.x + from.width;
                let tip = (right, y);
                let out = right + 26.0;
                let path = format!(
                    "M{} L{} C{} {} {}",
                    point(port),
                    point((right, port.1)),
                    point((out, port.1)),
                    point((out, y)),
                    point((right + 5.0, y))
                );
                Route { edge: e, path, tip, rightwards: false, port }
            }
            Kind::LongBack => {
                let lane = layout.height + 18.0 + 9.0 * f64::from(lanes);
                let bend = 14.0 + 5.0 * f64::from(lanes % 4);
                lanes += 1;
                let y = entry(target, target.y + ROW / 2.0, &[]);
                let right = layout.columns[layout.layer_of[edge.from.0]].1 + bend;
                let left = layout.columns[layout.layer_of[to.0]].0 - bend;
                let tip = (target.x, y);
                let corners = [
                    port,
                    (right, port.1),
                    (right, lane),
                    (left, lane),
                    (left, y),
                    (tip.0 - 5.0, y),
                ];
                Route { edge: e, path: rounded(&corners), tip, rightwards: true, port }
            }
        };
        routes.push(route);
    }
    let below = match lanes {
        0 => layout.height,
        n => layout.height + 18.0 + 9.0 * f64::from(n - 1),
    };
    (routes, below)
}

/// The dot of every edge: at the left end of its row if the edge leads one column back.
fn ports(drawing: &Drawing, layout: &Layout) -> Vec<(f64, f64)> {
    let mut ports = Vec::with_capacity(drawing.edges.len());
    for (e, edge) in drawing.edges.iter().enumerate() {
        let rect = layout.boxes[edge.from.0];
        let of_node = drawing.edges_of(NodeIndex(edge.from.0));
        let row = of_node.iter().position(|other| std::ptr::eq(*other, edge)).unwrap_or(0);
        let x = match layout.kinds[e] {
            Some(Kind::Back) => rect.x + 9.0,
            _ => rect.x + rect.width - 11.0,
        };
        ports.push((x, field_height(drawing, rect, edge.from.0, row)));
    }
    ports
}

/// The heights at which edges leave a node on the right.
fn right_ports(drawing: &Drawing, layout: &Layout, ports: &[(f64, f64)], node: usize) -> Vec<f64> {
    let leaves = |e: &usize| {
        drawing.edges[*e].from.0 == node
            && matches!(layout.kinds[*e], Some(Kind::Forward | Kind::LongBack | Kind::Loop))
    };
    (0..drawing.edges.len()).filter(leaves).map(|e| ports[e].1).collect()
}

/// The heights at which edges leave a node on the left.
fn left_ports(drawing: &Drawing, layout: &Layout, ports: &[(f64, f64)], node: usize) -> Vec<f64> {
    let leaves =
        |e: &usize| drawing.edges[*e].from.0 == node && layout.kinds[*e] == Some(Kind::Back);
    (0..drawing.edges.len()).filter(leaves).map(|e| ports[e].1).collect()
}

/// Where to enter a box: as near as possible to `wish`, but not where an edge leaves it.
fn entry(target: Rect, wish: f64, leaving: &[f64]) -> f64 {
    let (top, bottom) = (target.y + 8.0, target.y + target.height - 8.0);
    let free = |y: f64| leaving.iter().all(|p| (p - y).abs() >= 8.0);
    let wish = wish.clamp(top, bottom);
    let tries = [0.0, -10.0, 10.0, -20.0, 20.0, -30.0, 30.0];
    tries.iter().map(|d| wish + d).find(|&y| y >= top && y <= bottom && free(y)).unwrap_or(wish)
}

/// A number with at most one decimal.
pub(super) fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    match rounded == 0.0 {
        true => "0".to_string(),
        false => rounded.to_string(),
    }
}

fn point((x, y): (f64, f64)) -> String {
    format!("{},{}", number(x), number(y))
}

/// A curve that leaves and arrives horizontally.
fn curve(from: (f64, f64), to: (f64, f64)) -> String {
    let middle = (from.0 + to.0) / 2.0;
    format!(" C{} {} {}", point((middle, from.1)), point((middle, to.1)), point(to))
}

/// Horizontal and vertical lines with rounded corners.
fn rounded(corners: &[(f64, f64)]) -> String {
    let mut path = format!("M{}", point(corners[0]));
    for window in corners.windows(3) {
        let [before, corner, after] = [window[0], window[1], window[2]];
        let towards = |other: (f64, f64)| {
            let (dx, dy) = (other.0 - corner.0, other.1 - corner.1);
            let length = dx.abs() + dy.abs();
            let radius = (length / 2.0).min(10.0) / length.max(1.0);
            (corner.0 + dx * radius, corner.1 + dy * radius)
        };
        let (start, end) = (towards(before), towards(after));
        path.push_str(&format!(" L{} Q{} {}", point(start), point(corner), point(end)));
    }
    path.push_str(&format!(" L{}", point(corners[corners.len() - 1])));
    path
}
