//! Readers of the XML and the YAML that Trellis writes. They know no more than that, and refuse what is
//! malformed.

use serde_json::{Map, Value};

/// An element of XML.
#[derive(Debug)]
pub struct Element {
    /// Its name.
    pub name: String,
    attributes: Vec<(String, String)>,
    /// The elements in it.
    pub children: Vec<Element>,
}

impl Element {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// The root of a document.
pub fn xml(text: &str) -> Result<Element, String> {
    let mut rest =
        text.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").ok_or("no head")?;
    let mut open: Vec<Element> = Vec::new();
    loop {
        let (before, tag) = rest.split_once('<').ok_or("an element is not closed")?;
        checked(before)?;
        let (tag, after) = tag.split_once('>').ok_or("a tag is not closed")?;
        rest = after;
        let closed = match tag.strip_prefix('/') {
            Some(name) => {
                let element = open.pop().ok_or("nothing is open")?;
                if element.name != name {
                    return Err(format!("{} is closed by {name}", element.name));
                }
                Some(element)
            }
            None => {
                let alone = tag.strip_suffix('/');
                let element = start(alone.unwrap_or(tag))?;
                match alone {
                    Some(_) => Some(element),
                    None => {
                        open.push(element);
                        None
                    }
                }
            }
        };
        match (closed, open.last_mut()) {
            (Some(element), Some(parent)) => parent.children.push(element),
            (Some(root), None) if rest.trim().is_empty() => return Ok(root),
            (Some(_), None) => return Err("there is something behind the root".to_owned()),
            (None, _) => {}
        }
    }
}

fn start(tag: &str) -> Result<Element, String> {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut attributes = Vec::new();
    while !rest.trim().is_empty() {
        let (name, value) = rest.split_once("=\"").ok_or("an attribute has no value")?;
        let (value, after) = value.split_once('"').ok_or("a value is not closed")?;
        checked(value)?;
        attributes.push((name.trim().to_owned(), value.to_owned()));
        rest = after;
    }
    Ok(Element { name: name.to_owned(), attributes, children: Vec::new() })
}

/// Text has no bare special characters.
fn checked(text: &str) -> Result<(), String> {
    let known = ["amp;", "lt;", "gt;", "quot;", "#10;"];
    let bare = text.split('&').skip(1).any(|rest| !known.iter().any(|k| rest.starts_with(k)));
    match bare || text.contains('>') || text.chars().any(|c| c.is_control() && c != '\n') {
        true => Err(format!("{text:?} is not escaped")),
        false => Ok(()),
    }
}

/// Lines of block style with scalars as JSON writes them.
pub fn yaml(text: &str) -> Result<Value, String> {
    let lines: Vec<(usize, &str)> = text
        .lines()
        .filter(|l| !l.trim_start().starts_with('#'))
        .map(|l| (l.len() - l.trim_start().len(), l.trim()))
        .collect();
    let mut at = 0;
    let value = block(&lines, &mut at, 0)?;
    match lines.get(at) {
        None => Ok(value),
        Some((_, line)) => Err(format!("{line}: not indented as it should be")),
    }
}

fn block(lines: &[(usize, &str)], at: &mut usize, indent: usize) -> Result<Value, String> {
    let is_list = lines.get(*at).is_some_and(|(_, l)| l.starts_with("- "));
    let (mut list, mut map) = (Vec::new(), Map::new());
    while let Some(&(here, line)) = lines.get(*at).filter(|(i, _)| *i == indent) {
        match (is_list, line.strip_prefix("- ")) {
            (true, Some(rest)) if rest.starts_with('"') => {
                list.push(scalar(rest)?);
                *at += 1;
            }
            (true, Some(rest)) => {
                // The first key of a map stands beside the dash.
                let mut inner = lines.to_vec();
                inner[*at] = (here + 2, rest);
                list.push(block(&inner, at, here + 2)?);
            }
            (false, None) => {
                let (key, rest) = line.split_once(':').ok_or(format!("{line}: no key"))?;
                // A quoted key may have a colon in it.
                let (key, rest) = match key.starts_with('"') {
                    true => line.rsplit_once("\": ").ok_or(format!("{line}: no key"))?,
                    false => (key, rest),
                };
                *at += 1;
                let value = match rest.trim() {
                    "" => {
                        let inner = lines.get(*at).map_or(0, |(i, _)| *i);
                        if inner <= indent {
                            return Err(format!("{line}: nothing follows"));
                        }
                        block(lines, at, inner)?
                    }
                    rest => scalar(rest)?,
                };
                if map.insert(key.trim_matches('"').to_owned(), value).is_some() {
                    return Err(format!("{key}: twice"));
                }
            }
            _ => return Err(format!("{line}: a list and a map at once")),
        }
    }
    Ok(if is_list { Value::Array(list) } else { Value::Object(map) })
}

/// A string in quotes, a number or an empty list; or a plain word that is nothing else in YAML.
fn scalar(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|e| format!("{text}: {e}"))
}
