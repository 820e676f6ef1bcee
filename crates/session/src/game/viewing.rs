//! A game as the page shows it: program, question, unwinding, runs, and where a label fails in patterns.

use trellis_patterns::{Label, text};
use trellis_proveit::game::{How, Standing};
use trellis_report::game::{
    Function, Program as Shown, Question as Document, Record, TraceStep, Tree, Trouble, Variable,
    Vertex, VertexState, Wording,
};

use super::drawing::drawing;
use super::play::Play;
use super::question::Asked;
use super::running::{failing, reader_of, steps};
use super::saying::predicates;

impl Play {
    /// The run of a program that is wrong.
    pub(super) fn crash(&self) -> Vec<TraceStep> {
        let Standing::Violated(crash) = &self.engine.standing else { return Vec::new() };
        let Some(trace) = self.engine.run_of(crash) else { return Vec::new() };
        steps(&self.engine, &reader_of(&self.engine, &trace), &trace)
    }

    /// Where a label fails in patterns, as a drawing.
    pub(super) fn trouble(&self, asked: &Asked, label: &Label) -> Option<Box<Trouble>> {
        let found = self.engine.trouble(label)?;
        let line = self.line(found.span);
        let sentence = match found.how {
            How::Misses => format!(
                "This is what gets to line {line}, as the verifier sees it, and your pattern may not fit all of it."
            ),
            How::Fails(kind) => format!(
                "This is what your pattern has become at line {line}, as the verifier sees it: there it may be that {}.",
                failing(kind)
            ),
            How::Leaves => format!(
                "This is what your pattern has become at line {line}, as the verifier sees it, and the pattern there may not fit all of it."
            ),
        };
        let (drawing, variables) = drawing(&asked.reader, &found.pattern);
        Some(Box::new(Trouble { line, sentence, variables, drawing }))
    }

    /// The unwinding.
    pub(super) fn tree(&self) -> Tree {
        let tree = &self.engine.tree;
        let current = self.engine.question().map(|q| q.vertex);
        let mut vertices = Vec::new();
        for (i, v) in tree.vertices.iter().enumerate().filter(|(_, v)| !v.is_gone) {
            let line = self.line(self.engine.code.blocks[v.block].span);
            let again = v.parent.is_some_and(|p| tree.vertices[p].block == v.block);
            let state = match &v.label {
                _ if current == Some(i) => VertexState::Current,
                _ if v.covered_by.is_some() => VertexState::Covered,
                Some(label) if label.0.is_empty() => VertexState::Unreachable,
                Some(_) => VertexState::Settled,
                None => VertexState::Waiting,
            };
            let said = v.label.as_ref().map(|l| text::label(&self.engine.code.words, l));
            vertices.push(Vertex {
                id: i.to_string(),
                parent: v.parent.map(|p| p.to_string()),
                step: if again { "one more turn" } else { "" }.to_owned(),
                title: if v.parent.is_none() { "start".to_owned() } else { format!("line {line}") },
                line,
                state,
                covered_by: v.covered_by.map(|c| c.to_string()),
                label: said.iter().flat_map(|text| text.lines()).map(str::to_owned).collect(),
            });
        }
        Tree { vertices }
    }

    /// What is asked.
    pub(super) fn document(&self, asked: &Asked) -> Document {
        let line = self.line(asked.open.span);
        let mut checks: Vec<u32> =
            asked.open.checks.iter().map(|(_, span)| self.line(*span)).collect();
        checks.sort_unstable();
        checks.dedup();
        let words = &asked.reader.words;
        let record = |r: &trellis_patterns::words::Record| Record {
            name: r.name.clone(),
            fields: r.pointers.iter().map(|f| f.name.clone()).collect(),
        };
        let variable = |x: &usize| {
            let var = &words.pointers[*x];
            let to = var.to.map_or("place".to_owned(), |r| words.records[r].name.clone());
            let to = to.trim_start_matches("struct ");
            Variable { name: var.name.clone(), meaning: format!("a {to}, or null") }
        };
        let (positives, negatives, implications) = asked.examples();
        Document {
            id: format!(
                "v{}c{}",
                asked.open.vertex,
                self.order.iter().position(|c| *c == asked.case).unwrap_or(0) + 1
            ),
            number: self.accepted + 1,
            vertex: asked.open.vertex.to_string(),
            line,
            place: format!("each time it reaches line {line}"),
            checks,
            fixed: asked.fixed(),
            words: Wording {
                records: words.records.iter().map(record).collect(),
                variables: asked.reader.pointers.iter().map(variable).collect(),
                predicates: predicates(words, &asked.reader.sayings),
            },
            start: asked.start(),
            positives,
            negatives,
            implications,
        }
    }

    /// The lines of the source, and where functions are.
    pub(super) fn shown(&self) -> Shown {
        let proc = self.program.proc(self.proc);
        let text = &self.program.sources.file(proc.span.file).text;
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut functions = Vec::new();
        for p in
            self.program.procs.iter().filter(|p| p.body.is_some() && p.span.file == proc.span.file)
        {
            let from = self.line(p.span);
            let rest = lines.iter().enumerate().skip(from as usize);
            let to = rest
                .into_iter()
                .find(|(_, l)| l.starts_with('}'))
                .map_or(from, |(i, _)| i as u32 + 1);
            functions.push(Function { name: p.name.clone(), from, to });
        }
        functions.sort_by_key(|f| f.from);
        Shown { file: self.file.clone(), procedure: proc.name.clone(), lines, functions }
    }
}
