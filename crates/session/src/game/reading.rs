//! From a drawing to patterns.
//!
//! A pattern has every variable at one place and every variable of a cell at a plain node, so a
//! drawing with variables at *maybe*, or at a summary, is several patterns: one for every way to
//! place the variables as the case of the question has them, where a variable at a summary makes one
//! cell of it plain. Values of other variables are those of the case: nobody draws them.

use trellis_patterns::heap::{Heap, Place};
use trellis_patterns::{Node, Orders, Pattern, PatternWords, Target, Targets, Values};
use trellis_report::game::{Drawing, Kind, Truth};

use super::case::data;
use super::saying::{Saying, colours, sharing};

/// Most patterns of a drawing.
const MOST: usize = 400;

/// What a drawing is read with.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    /// The words of the patterns.
    pub words: PatternWords,
    /// What is said of cells.
    pub sayings: Vec<Saying>,
    /// The pointer variables that matter here; the others may be anything.
    pub pointers: Vec<usize>,
    /// The integer variables that matter here.
    pub scalars: Vec<usize>,
    /// A heap of the case that is asked about.
    pub like: Heap,
}

/// A pattern, with the drawn node that each of its nodes comes from.
#[derive(Clone, Debug)]
pub(super) struct Meant {
    /// The pattern.
    pub pattern: Pattern,
    /// The drawn nodes.
    pub nodes: Vec<String>,
}

impl Reader {
    /// The patterns of a drawing.
    ///
    /// # Errors
    /// A sentence, if there are too many.
    pub fn read(&self, drawing: &Drawing) -> Result<Vec<Meant>, String> {
        let mut placed: Vec<Vec<(usize, &str)>> = vec![Vec::new()];
        for &x in &self.pointers {
            let name = &self.words.pointers[x].name;
            let places = drawing.nodes.iter().filter(|n| n.variable(name) != Truth::False);
            let places: Vec<&str> = places.map(|n| n.id.as_str()).collect();
            placed = placed
                .iter()
                .flat_map(|p| places.iter().map(|at| [p.as_slice(), &[(x, *at)]].concat()))
                .collect();
            if placed.len() > MOST {
                return Err("Too many variables are maybe: there are too many ways to place them."
                    .to_owned());
            }
        }
        let mut out = Vec::new();
        for places in placed {
            for together in self.together(drawing, &places) {
                let meant = self.pattern(drawing, &places, &together);
                let possible =
                    meant.pattern.nodes.iter().all(|n| n.summary || !n.colours.is_empty());
                if possible && self.alike(&meant.pattern.vars, &self.like) {
                    out.push(meant);
                }
                if out.len() > MOST {
                    return Err("The pattern stands for too many cases.".to_owned());
                }
            }
        }
        Ok(out)
    }

    /// The ways in which variables at one summary point to the same cell: for every variable at a
    /// summary the number of its cell there.
    fn together(&self, drawing: &Drawing, places: &[(usize, &str)]) -> Vec<Vec<Option<usize>>> {
        let mut out: Vec<Vec<Option<usize>>> = vec![Vec::new()];
        for (i, (_, at)) in places.iter().enumerate() {
            let summary = drawing.node(at).is_some_and(|n| n.summary);
            let extend = |way: &Vec<Option<usize>>| {
                if !summary {
                    return vec![[way.as_slice(), &[None]].concat()];
                }
                let there = (0..i).filter(|j| places[*j].1 == *at).filter_map(|j| way[j]);
                let most = there.max().map_or(0, |m| m + 1);
                (0..=most).map(|c| [way.as_slice(), &[Some(c)]].concat()).collect()
            };
            out = out.iter().flat_map(extend).collect();
        }
        out
    }

    fn pattern(
        &self,
        drawing: &Drawing,
        places: &[(usize, &str)],
        together: &[Option<usize>],
    ) -> Meant {
        let drawn = drawing.nodes.iter().filter(|n| n.kind == Kind::Cells);
        let mut made: Vec<(&str, Option<usize>)> = drawn.map(|n| (n.id.as_str(), None)).collect();
        for ((_, at), cell) in places.iter().zip(together) {
            if cell.is_some() && !made.contains(&(*at, *cell)) {
                made.push((*at, *cell));
            }
        }
        let number = |at: &str, cell: Option<usize>| made.iter().position(|m| *m == (at, cell));
        let targets = |from: &str, field: &str| {
            let mut out = Targets::NONE;
            for edge in drawing.edges.iter().filter(|e| e.from == from && e.field == field) {
                out = out.or(match drawing.node(&edge.to).map(|n| n.kind) {
                    Some(Kind::Null) => Targets::NULL,
                    Some(Kind::Freed) => Targets::FREED,
                    Some(Kind::Unset) => Targets::UNDEFINED,
                    _ => {
                        let all = made.iter().enumerate().filter(|(_, m)| m.0 == edge.to);
                        all.fold(Targets::NONE, |t, (i, _)| t.or(Targets::node(i)))
                    }
                });
            }
            out
        };
        let node = |(id, cell): &(&str, Option<usize>)| {
            let node = drawing.node(id);
            let record = node.map_or("", |n| n.record.as_str());
            let record = self.words.records.iter().position(|r| r.name == record).unwrap_or(0);
            let said = |word: &str| node.map_or(Truth::Maybe, |n| n.word(word));
            let fields = self.words.records[record].pointers.iter().map(|f| targets(id, &f.name));
            Node {
                record,
                summary: cell.is_none() && node.is_some_and(|n| n.summary),
                sharing: sharing(record, &self.sayings, &said),
                colours: colours(&self.words, record, &self.sayings, &said),
                fields: fields.collect(),
            }
        };
        let mut nodes: Vec<Node> = made.iter().map(node).collect();
        let mut vars = vec![Target::Dead; self.words.pointers.len()];
        for ((x, at), cell) in places.iter().zip(together) {
            vars[*x] = match drawing.node(at).map(|n| n.kind) {
                Some(Kind::Freed) => Target::Freed,
                Some(Kind::Unset) => Target::Undefined,
                Some(Kind::Cells) => number(at, *cell).map_or(Target::Null, Target::Node),
                _ => Target::Null,
            };
        }
        // The data under variables is that of the case.
        for (target, place) in vars.iter().zip(&self.like.vars) {
            if let (Target::Node(n), Place::Cell(c)) = (target, place) {
                let fixed = data(&self.words, &self.like, *c);
                nodes[*n].colours.retain(|colour| fixed.iter().all(|(i, v)| colour.get(*i) == *v));
            }
        }
        let scalars = self.scalars();
        let orders = vec![Orders::ANY; self.words.pairs.len()];
        let names = made.iter().map(|m| m.0.to_owned()).collect();
        Meant { pattern: Pattern { scalars, orders, vars, nodes }, nodes: names }
    }

    /// The values of integer variables: the classes of the case, and anything for those that nobody
    /// reads any more.
    fn scalars(&self) -> Vec<Values> {
        let anything = Values((2u64 << self.words.partition.len()) - 1);
        let value = |s: usize| match (self.scalars.contains(&s), self.like.scalars[s]) {
            (false, _) => anything,
            (true, None) => Values::UNDEFINED,
            (true, Some(v)) => Values::class(self.words.partition.class(v)),
        };
        (0..self.words.scalars.len()).map(value).collect()
    }

    /// Are variables null together, and at one cell together?
    pub fn alike(&self, vars: &[Target], heap: &Heap) -> bool {
        let end = |x: usize| match (vars[x], heap.vars[x]) {
            (Target::Null, Place::Null)
            | (Target::Freed, Place::Freed)
            | (Target::Undefined, Place::Undefined)
            | (Target::Node(_), Place::Cell(_)) => true,
            (target, _) => target == Target::Dead,
        };
        let pair = |x: usize, y: usize| match (vars[x], vars[y]) {
            (Target::Node(a), Target::Node(b)) => (a == b) == (heap.vars[x] == heap.vars[y]),
            _ => true,
        };
        self.pointers.iter().all(|x| end(*x) && self.pointers.iter().all(|y| pair(*x, *y)))
    }
}
