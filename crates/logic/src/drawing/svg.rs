//! Drawings as SVG: one self-contained element without scripts, style sheets, or ids, so that
//! several can stand on one page.
//!
//! Boxes bring their own light background, and lines have a middle tone, so the picture can be read
//! on a light page and on a dark one.

use std::fmt::Write;

use crate::drawing::layout::{Layout, POINTER, ROW, Rect, text_width};
use crate::drawing::routes::{Route, field_height, number, routes};
use crate::drawing::{Drawing, Node, NodeIndex, Target, TextStyle};

const TEXT: &str = "#1d2733";
const LINE: &str = "#61748c";
const BOX: &str = "#f4f6fa";
const HEADER: &str = "#dde5f0";
const FREED: &str = "#e3e3e3";
const POINTER_BOX: &str = "#fff3cf";
const POINTER_LINE: &str = "#b08d2a";
const WRONG: &str = "#cf4a3c";
/// By field, in order of first use.
const FIELDS: [&str; 5] = ["#3b7dd8", "#cc7a29", "#379a63", "#a35ab8", "#7f8c3a"];

/// What stands in the header of a node.
pub(super) fn title_of(node: &Node) -> String {
    match node.freed {
        true => format!("{} (freed)", node.label),
        false => node.label.clone(),
    }
}

impl Drawing {
    /// The drawing as an `<svg>` element.
    pub fn to_svg(&self) -> String {
        let layout = Layout::new(self);
        let (routes, below) = routes(self, &layout);
        let loose: Vec<_> =
            self.pointer_groups().into_iter().filter(|(_, to)| !is_node(*to)).collect();
        let mut loose_width = 0.0;
        for (names, _) in &loose {
            loose_width += text_width(&names.join(", ")) + 76.0;
        }
        let width = layout.width.max(loose_width + 40.0);
        let height = below + 14.0 + if loose.is_empty() { 0.0 } else { 36.0 };

        let mut svg = Svg { out: String::new(), drawing: self };
        let (w, h) = (number(width), number(height));
        svg.line(&format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" \
             viewBox=\"0 0 {w} {h}\" role=\"img\" \
             font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" \
             font-size=\"12\">"
        ));
        let title = escape(&self.to_text(TextStyle::Unicode));
        svg.line(&format!("<title>{title}</title>"));
        for n in 0..self.nodes.len() {
            svg.node(n, &layout);
            svg.pointers(&layout.pointers[n], layout.boxes[n]);
        }
        for route in &routes {
            svg.route(route);
        }
        let mut x = 20.0;
        for (names, to) in &loose {
            svg.loose_pointer(&names.join(", "), *to, &mut x, below + 30.0);
        }
        svg.line("</svg>");
        svg.out
    }

    fn colour_of(&self, field: &str) -> &'static str {
        let mut fields: Vec<&str> = Vec::new();
        for name in self.main_field().into_iter().chain(self.edges.iter().map(|e| &*e.field)) {
            if !fields.contains(&name) {
                fields.push(name);
            }
        }
        let position = fields.iter().position(|&f| f == field).unwrap_or(0);
        FIELDS[position % FIELDS.len()]
    }
}

fn is_node(target: Target) -> bool {
    matches!(target, Target::Node(_))
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Control characters are not allowed in XML at all.
            c if c.is_control() && c != '\n' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

struct Svg<'a> {
    out: String,
    drawing: &'a Drawing,
}

impl Svg<'_> {
    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn rect(&mut self, rect: Rect, attributes: &str) {
        let Rect { x, y, width, height } = rect;
        self.line(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {attributes}/>",
            number(x),
            number(y),
            number(width),
            number(height)
        ));
    }

    fn text(&mut self, x: f64, y: f64, attributes: &str, text: &str) {
        self.line(&format!(
            "<text x=\"{}\" y=\"{}\" {attributes}>{}</text>",
            number(x),
            number(y + 4.0),
            escape(text)
        ));
    }

    fn node(&mut self, n: usize, layout: &Layout) {
        let (node, rect) = (&self.drawing.nodes[n], layout.boxes[n]);
        let Rect { x, y, width, .. } = rect;
        let (fill, dash) = match node.freed {
            true => (FREED, " stroke-dasharray=\"5 3\""),
            false => (BOX, ""),
        };
        if node.summary {
            let Rect { x, y, width, height } = rect;
            let outer = Rect { x: x - 4.0, y: y - 4.0, width: width + 8.0, height: height + 8.0 };
            self.rect(outer, &format!("rx=\"8\" fill=\"none\" stroke=\"{LINE}\""));
        }
        self.rect(rect, &format!("rx=\"5\" fill=\"{fill}\""));
        if !node.freed {
            let path = format!(
                "<path d=\"M{} {} v{} a5 5 0 0 1 5 -5 h{} a5 5 0 0 1 5 5 v{} z\" fill=\"{HEADER}\"/>",
                number(x),
                number(y + ROW),
                number(5.0 - ROW),
                number(width - 10.0),
                number(ROW - 5.0)
            );
            self.line(&path);
        }
        let centred = format!("text-anchor=\"middle\" font-weight=\"bold\" fill=\"{TEXT}\"");
        self.text(x + width / 2.0, y + ROW / 2.0, &centred, &title_of(node));
        for (i, (field, value)) in node.values.iter().enumerate() {
            let middle = y + ROW * (i + 1) as f64 + ROW / 2.0;
            self.divider(rect, middle - ROW / 2.0);
            self.text(x + 18.0, middle, &format!("fill=\"{TEXT}\""), field);
            let right = format!("text-anchor=\"end\" fill=\"{TEXT}\" font-weight=\"bold\"");
            self.text(x + width - 8.0, middle, &right, value);
        }
        for (i, edge) in self.drawing.edges_of(NodeIndex(n)).into_iter().enumerate() {
            let middle = field_height(self.drawing, rect, n, i);
            self.divider(rect, middle - ROW / 2.0);
            self.text(x + 18.0, middle, &format!("fill=\"{TEXT}\""), &edge.field);
            match edge.to {
                Target::Node(_) => {}
                Target::Null => self.ground(x + width - 13.0, middle),
                Target::Dangling => self.cross(x + width - 13.0, middle),
            }
        }
        self.rect(rect, &format!("rx=\"5\" fill=\"none\" stroke=\"{LINE}\"{dash}"));
    }

    fn divider(&mut self, rect: Rect, y: f64) {
        self.line(&format!(
            "<path d=\"M{} {} h{}\" stroke=\"{LINE}\" stroke-opacity=\"0.45\"/>",
            number(rect.x),
            number(y),
            number(rect.width)
        ));
    }

    /// The symbol of null.
    fn ground(&mut self, x: f64, y: f64) {
        self.line(&format!(
            "<path d=\"M{} {} v6 m-6 0 h12 m-10 3 h8 m-6 3 h4\" fill=\"none\" stroke=\"{LINE}\" \
             stroke-width=\"1.4\"/>",
            number(x),
            number(y - 6.0)
        ));
    }

    /// The symbol of a pointer that must not be followed.
    fn cross(&mut self, x: f64, y: f64) {
        self.line(&format!(
            "<path d=\"M{} {} l8 8 m0 -8 l-8 8\" fill=\"none\" stroke=\"{WRONG}\" \
             stroke-width=\"2\"/>",
            number(x - 4.0),
            number(y - 4.0)
        ));
    }

    fn pill(&mut self, x: f64, y: f64, names: &str) -> f64 {
        let width = text_width(names) + 14.0;
        let rect = Rect { x, y, width, height: 18.0 };
        let attributes = format!("rx=\"9\" fill=\"{POINTER_BOX}\" stroke=\"{POINTER_LINE}\"");
        self.rect(rect, &attributes);
        let style = format!("text-anchor=\"middle\" fill=\"{TEXT}\"");
        self.text(x + width / 2.0, y + 9.0, &style, names);
        width
    }

    /// The variables above a box, with an arrow down to it.
    fn pointers(&mut self, names: &[String], rect: Rect) {
        if names.is_empty() {
            return;
        }
        let names = names.join(", ");
        let middle = rect.x + rect.width / 2.0;
        let y = rect.y - POINTER;
        self.pill(middle - (text_width(&names) + 14.0) / 2.0, y, &names);
        let (x, tip) = (number(middle), number(rect.y - 0.5));
        self.line(&format!(
            "<path d=\"M{x} {} V{}\" stroke=\"{POINTER_LINE}\" stroke-width=\"1.4\"/>",
            number(y + 18.0),
            number(rect.y - 6.0)
        ));
        let arrow = format!("<path d=\"M{x} {tip} l-4 -7 h8 z\" fill=\"{POINTER_LINE}\"/>");
        self.line(&arrow);
    }

    /// Variables that point at no node, in a row of their own.
    fn loose_pointer(&mut self, names: &str, to: Target, x: &mut f64, y: f64) {
        let width = self.pill(*x, y - 9.0, names);
        let start = *x + width;
        self.line(&format!(
            "<path d=\"M{} {} h22\" stroke=\"{POINTER_LINE}\" stroke-width=\"1.4\"/>",
            number(start),
            number(y)
        ));
        match to {
            Target::Dangling => self.cross(start + 28.0, y),
            Target::Null | Target::Node(_) => self.ground(start + 22.0, y + 6.0),
        }
        *x = start + 56.0;
    }

    fn route(&mut self, route: &Route) {
        let edge = &self.drawing.edges[route.edge];
        let colour = self.drawing.colour_of(&edge.field);
        let dash = if edge.maybe { " stroke-dasharray=\"5 4\"" } else { "" };
        let mut out = String::new();
        let _ = writeln!(
            out,
            "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"{dash}/>",
            route.path
        );
        let (x, y) = (number(route.port.0), number(route.port.1));
        let _ = writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{colour}\"/>");
        let (x, y) = (number(route.tip.0), number(route.tip.1));
        let back = if route.rightwards { -8 } else { 8 };
        let _ = writeln!(out, "<path d=\"M{x} {y} l{back} -4 v8 z\" fill=\"{colour}\"/>");
        self.out.push_str(&out);
    }
}
