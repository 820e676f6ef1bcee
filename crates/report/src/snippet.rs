//! Source lines with carets.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use trellis_program::{Diagnostic, Severity, SourceMap, Span};

/// A message with the source line it is about, styled for a terminal.
pub fn render(sources: &SourceMap, diagnostic: &Diagnostic) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Unsupported | Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message);
    let mut group = Group::with_title(title);
    if let Some(span) = diagnostic.span {
        let place = (span, AnnotationKind::Primary, diagnostic.label.as_str());
        let related: Vec<_> = diagnostic.related.iter().map(|(s, t)| (*s, t.as_str())).collect();
        group = group.elements(snippets(sources, place, &related));
    }
    let renderer = Renderer::styled();
    let Some(help) = &diagnostic.help else {
        return renderer.render(&[group]);
    };
    let help = Group::with_title(Level::HELP.secondary_title(help));
    if diagnostic.span.is_some() {
        return renderer.render(&[group, help]);
    }
    // Without source lines in between the gutter would stand alone.
    format!("{}\n{}", renderer.render(&[group]), renderer.render(&[help]))
}

/// The headline and place of a violated check, with the places that explain it.
pub fn violation(
    sources: &SourceMap,
    headline: &str,
    span: Span,
    label: &str,
    related: &[(Span, &str)],
) -> String {
    let level = Level::ERROR.with_name("violated");
    let mut group = Group::with_title(level.primary_title(headline));
    let place = (span, AnnotationKind::Primary, label);
    group = group.elements(snippets(sources, place, related));
    Renderer::styled().render(&[group])
}

/// A place and those that explain it. Places of one file share a snippet, so that they read from top
/// to bottom.
fn snippets<'a>(
    sources: &'a SourceMap,
    first: (Span, AnnotationKind, &'a str),
    related: &[(Span, &'a str)],
) -> Vec<Element<'a>> {
    let (same, other): (Vec<_>, Vec<_>) =
        related.iter().copied().partition(|(at, _)| at.file == first.0.file);
    let context = |(at, text)| (at, AnnotationKind::Context, text);
    let places: Vec<_> = std::iter::once(first).chain(same.into_iter().map(context)).collect();
    let mut all = vec![snippet(sources, &places)];
    all.extend(other.into_iter().map(|one| snippet(sources, &[context(one)])));
    all
}

/// Places in one file, each with the text beside it.
fn snippet<'a>(sources: &'a SourceMap, places: &[(Span, AnnotationKind, &'a str)]) -> Element<'a> {
    let file = sources.file(places[0].0.file);
    if file.text.is_empty() {
        // A header that could not be read back, or an empty file: the name is all there is.
        return Origin::path(&file.name).into();
    }
    let ranges: Vec<Range<usize>> = places.iter().map(|p| range(&file.text, p.0)).collect();
    // The lines around the places are enough: the renderer reads all that it gets.
    let first = ranges.iter().map(|r| r.start).min().unwrap_or(0);
    let last = ranges.iter().map(|r| r.end).max().unwrap_or(first);
    let from = file.text[..first].rfind('\n').map_or(0, |n| n + 1);
    let to = file.text[last..].find('\n').map_or(file.text.len(), |n| last + n + 1);
    let (line, _) = file.line_col(from as u32);
    let annotations = places.iter().zip(&ranges).map(|((_, kind, label), range)| {
        let annotation = kind.span(range.start - from..range.end - from);
        if label.is_empty() { annotation } else { annotation.label(*label) }
    });
    let text = &file.text[from..to];
    Snippet::source(text).line_start(line).path(&file.name).annotations(annotations).into()
}

/// The span as a range of whole characters inside the text, at least one character if possible,
/// and at most to the end of its first line: a caret under ten lines points at nothing.
fn range(text: &str, span: Span) -> Range<usize> {
    let mut start = (span.start as usize).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let line_end = text[start..].find('\n').map_or(text.len(), |n| start + n);
    let mut end = (span.end as usize).clamp(start, line_end);
    while !text.is_char_boundary(end) {
        end += 1;
    }
    if start == end {
        end = text[start..line_end].chars().next().map_or(end, |c| start + c.len_utf8());
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, span: (u32, u32), expected: &Expect) {
        let mut sources = SourceMap::default();
        let file = sources.add("list.c", text);
        let d = Diagnostic::error(Span::new(file, span.0, span.1), "no field is called `nxet`")
            .with_label("not a field of `struct node`")
            .with_help("did you mean `next`?");
        let plain = anstream::adapter::strip_str(&render(&sources, &d)).to_string();
        expected.assert_eq(&plain);
    }

    #[test]
    fn points_at_the_name() {
        check(
            "int x;\nint y = h->nxet;\n",
            (18, 22),
            &expect![[r#"
                error: no field is called `nxet`
                 --> list.c:2:12
                  |
                2 | int y = h->nxet;
                  |            ^^^^ not a field of `struct node`
                  |
                help: did you mean `next`?"#]],
        );
    }

    #[test]
    fn survives_odd_spans() {
        let whole = "a\nb\nc";
        for text in ["é", "", whole, "\r\n\tx"] {
            let mut sources = SourceMap::default();
            let file = sources.add("list.c", text);
            for start in 0..8 {
                for end in start..9 {
                    let d = Diagnostic::error(Span::new(file, start, end), "odd");
                    assert!(render(&sources, &d).contains("odd"));
                }
            }
        }
    }
}
