//! The manual as HTML: every page that `docs/src/SUMMARY.md` lists, with drawings, in one folder that
//! needs no network. `docs/build` runs it.
//!
//! **Invariant.** Headings have the names that links use, as in mdbook, so both can build it.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// A page as the summary lists it.
struct Page {
    title: String,
    file: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1).map(PathBuf::from);
    let (Some(from), Some(to)) = (args.next(), args.next()) else {
        return Err("usage: manual FROM TO".into());
    };
    let pages = listed(&fs::read_to_string(from.join("SUMMARY.md"))?);
    fs::create_dir_all(&to)?;
    for (i, page) in pages.iter().enumerate() {
        let text = fs::read_to_string(from.join(&page.file))?;
        let near = [i.checked_sub(1), Some(i + 1)].map(|n| n.and_then(|n| pages.get(n)));
        fs::write(to.join(html_name(&page.file)), whole(&pages, page, near, &body(&text)))?;
    }
    fs::write(to.join("manual.css"), include_str!("manual.css"))?;
    if let Some(first) = pages.first() {
        fs::copy(to.join(html_name(&first.file)), to.join("index.html"))?;
    }
    for folder in ["drawings", "schema"] {
        copy(&from.join(folder), &to.join(folder))?;
    }
    println!("{}", to.join("index.html").display());
    Ok(())
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(())
}

/// The links of the summary, in order.
fn listed(summary: &str) -> Vec<Page> {
    let one = |line: &str| {
        let (title, rest) =
            line.trim().trim_start_matches("- ").strip_prefix('[')?.split_once("](")?;
        let file = rest.strip_suffix(')')?;
        Some(Page { title: title.to_owned(), file: file.to_owned() })
    };
    summary.lines().filter_map(one).collect()
}

fn html_name(file: &str) -> String {
    file.replace(".md", ".html")
}

/// The name that links have for a heading.
fn slug(text: &str) -> String {
    let kept = text.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// The body of a page: links lead to pages, headings have names, wide tables scroll.
fn body(text: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut heading: Option<(usize, HeadingLevel, String)> = None;
    let mut tables = 0;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                heading = Some((events.len(), level, String::new()));
                continue;
            }
            Event::End(TagEnd::Heading(level)) => {
                if let Some((at, _, said)) = heading.take() {
                    let open = format!("<{level} id=\"{}\">", slug(&said));
                    events.insert(at, Event::Html(open.into()));
                }
                events.push(Event::Html(format!("</{level}>\n").into()));
                continue;
            }
            Event::Start(Tag::Table(_)) => {
                tables += 1;
                let open = format!(
                    "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table {tables}\">"
                );
                events.push(Event::Html(open.into()));
                events.push(event);
            }
            Event::End(TagEnd::Table) => {
                events.push(event);
                events.push(Event::Html("</div>\n".into()));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = match dest_url.contains("://") {
                    true => dest_url,
                    false => CowStr::from(dest_url.replace(".md", ".html")),
                };
                events.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
            }
            event => {
                if let (Some((_, _, said)), Event::Text(t) | Event::Code(t)) =
                    (&mut heading, &event)
                {
                    said.push_str(t);
                }
                events.push(event);
            }
        }
    }
    let mut out = String::new();
    html::push_html(&mut out, events.into_iter());
    // What does not fit the screen scrolls, by keyboard, too; a head that says nothing is none.
    out.replace("<pre>", "<pre tabindex=\"0\">").replace("<th></th>", "<td></td>")
}

fn whole(pages: &[Page], page: &Page, [before, after]: [Option<&Page>; 2], body: &str) -> String {
    let item = |p: &Page| {
        let here = if p.file == page.file { " aria-current=\"page\"" } else { "" };
        format!("<li><a href=\"{}\"{here}>{}</a></li>\n", html_name(&p.file), p.title)
    };
    let list: String = pages.iter().map(item).collect();
    let link = |p: Option<&Page>, word: &str| {
        p.map_or(String::new(), |p| {
            format!("<a href=\"{}\">{word}: {}</a>", html_name(&p.file), p.title)
        })
    };
    let title = &page.title;
    let (before, after) = (link(before, "Before"), link(after, "Next"));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} – Trellis</title>\n<link rel=\"stylesheet\" href=\"manual.css\">\n</head>\n\
         <body>\n<a class=\"skip\" href=\"#text\">To the text</a>\n\
         <nav aria-label=\"Chapters\">\n<p class=\"name\">Trellis</p>\n<ul>\n{list}</ul>\n</nav>\n\
         <main id=\"text\">\n{body}\n<p class=\"near\">{before} {after}</p>\n</main>\n</body>\n</html>\n"
    )
}
