//! Heaps as users read and write them.

use std::collections::BTreeSet;

use trellis_program::concrete::drawing::{StateDrawing, draw, draw_with};
use trellis_program::concrete::heap_text::{self, HeapTextError};
use trellis_program::concrete::{InitialHeap, Lifetime, Memory, ObjId, State};
use trellis_program::{Diagnostic, ProcId, Program, SourceMap, Span};

/// Heaps with more objects are not drawn: nobody reads them, and they take long.
const MOST_DRAWN: usize = 500;

/// A state as lines of text; variables of the innermost procedure and globals are the roots.
pub fn drawing(program: &Program, state: &State) -> Vec<String> {
    text_of(picture(program, state, &BTreeSet::new()).as_ref(), state)
}

/// The picture of a state as lines of text.
pub fn text_of(picture: Option<&StateDrawing>, state: &State) -> Vec<String> {
    let Some(picture) = picture else {
        let objects = live_objects(state);
        return vec![format!("({objects} objects, too many to be drawn)")];
    };
    picture.to_text(Default::default()).lines().map(str::to_owned).collect()
}

/// A state as nodes and arrows, unless there are too many; with these integer fields, even where they
/// are 0.
pub fn picture(
    program: &Program,
    state: &State,
    fields: &BTreeSet<String>,
) -> Option<StateDrawing> {
    is_small(state).then(|| draw_with(program, state, fields))
}

/// Whether a state is drawn.
pub fn is_small(state: &State) -> bool {
    live_objects(state) <= MOST_DRAWN
}

fn live_objects(state: &State) -> usize {
    state.memory.objects.iter().filter(|o| o.live).count()
}

/// A state as an SVG document.
pub fn svg(program: &Program, state: &State) -> String {
    draw(program, state).drawing.to_svg()
}

/// What a drawing calls a heap object: its number, from 1, in the order of allocation. `None` for
/// variables, which it calls by name.
pub fn object_name(memory: &Memory, id: ObjId) -> Option<String> {
    let is_heap = |id: &ObjId| memory.object(*id).lifetime == Lifetime::Heap;
    let number = memory.ids().filter(|i| *i <= id).filter(is_heap).count();
    is_heap(&id).then(|| format!("object {number}"))
}

/// An initial heap in heap notation, on one line.
pub fn notation(program: &Program, proc: ProcId, heap: &InitialHeap) -> String {
    let text = heap_text::print(program, proc, heap);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    lines.join("; ")
}

/// What is wrong with a text in heap notation, as a diagnostic about that text under the name it
/// came from.
pub fn bad_notation(name: &str, text: &str, error: HeapTextError) -> (SourceMap, Diagnostic) {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let (start, end) =
        sources.file(file).line_range(error.line).unwrap_or((text.len() as u32, text.len() as u32));
    let line = &text[start as usize..end as usize];
    let column =
        line.char_indices().nth(error.column.saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    let at = start + column as u32;
    let mut diagnostic = Diagnostic::error(Span::new(file, at, at), error.message);
    diagnostic.help = error.help;
    (sources, diagnostic)
}
