//! GNU attributes that change what a declaration means. All others are ignored.

use lang_c::span::Span as CSpan;
use trellis_program::types::{IntKind, Type, TypeId};

use super::Lower;

impl Lower<'_> {
    /// The words of the attributes that begin in a range.
    fn attribute_words(&self, from: usize, to: usize) -> impl Iterator<Item = &str> {
        let list = &self.scan.attributes;
        let first = list.partition_point(|r| r.start < from);
        let last = list.partition_point(|r| r.start < to);
        list[first..last.max(first)]
            .iter()
            .filter_map(|r| self.positions_text(r.start, r.end))
            .flat_map(|t| t.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()))
            .map(|w| w.trim_matches('_'))
    }

    fn positions_text(&self, start: usize, end: usize) -> Option<&str> {
        self.scan.text.get(start..end)
    }

    /// Whether an attribute of that name stands in a range, or directly before or behind it.
    pub fn has_attribute(&self, span: CSpan, names: &[&str]) -> bool {
        self.words_at(span).any(|w| names.contains(&w))
    }

    fn words_at(&self, span: CSpan) -> impl Iterator<Item = &str> {
        self.attribute_words(self.attributes_start(span.start), self.attributes_end(span.end))
    }

    /// Attributes precede what they belong to, too: from the last code on.
    fn attributes_start(&self, start: usize) -> usize {
        self.scan.code.get(..start).unwrap_or("").trim_end().len()
    }

    /// Attributes follow what they belong to, up to the next code.
    fn attributes_end(&self, end: usize) -> usize {
        let rest = self.scan.code.get(end..).unwrap_or("");
        end + (rest.len() - rest.trim_start().len()) + 1
    }

    /// The words of the attributes of a struct or union: those behind its keyword or its members, and
    /// those before.
    pub fn record_attributes(&self, span: CSpan) -> (Vec<&str>, Vec<&str>) {
        let code = self.scan.code.get(span.start..span.end).unwrap_or("");
        let open = span.start + code.find('{').unwrap_or(code.len());
        let own = self.attribute_words(span.start, open);
        let behind = self.attribute_words(span.end, self.attributes_end(span.end));
        let before = self.attribute_words(self.attributes_start(span.start), span.start);
        (own.chain(behind).collect(), before.collect())
    }

    /// The words of the attributes of a member, without those of a struct that it defines.
    pub fn member_attributes(&self, span: CSpan) -> Vec<&str> {
        let code = self.scan.code.get(span.start..span.end).unwrap_or("");
        let from = match code.rfind('}') {
            Some(close) => self.attributes_end(span.start + close + 1) - 1,
            None => self.attributes_start(span.start),
        };
        self.attribute_words(from, self.attributes_end(span.end)).collect()
    }

    /// The type that `__attribute__((mode(DI)))` makes of an integer type.
    pub fn apply_mode(&mut self, ty: TypeId, span: CSpan) -> TypeId {
        let words: Vec<&str> = self.words_at(span).collect();
        if words.contains(&"vector_size") || words.contains(&"address_space") {
            return self.ty.unknown;
        }
        let Some(i) = words.iter().position(|w| *w == "mode") else {
            return ty;
        };
        let bits = match words[i + 1..].iter().find(|w| !w.is_empty()) {
            Some(&"QI" | &"byte") => 8,
            Some(&"HI") => 16,
            Some(&"SI") => 32,
            Some(&"DI") => 64,
            Some(&"word" | &"pointer") => self.types.model().size().bits,
            _ => return self.ty.unknown,
        };
        match *self.types.get(ty) {
            Type::Int(IntKind { signed, .. }) => {
                self.types.intern(Type::Int(IntKind { bits, signed }))
            }
            _ => self.ty.unknown,
        }
    }
}
