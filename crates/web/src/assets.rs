//! The page, inside the binary: nothing is loaded from elsewhere, nothing is built.

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its name in the address.
    pub name: &'static str,
    /// Its media type.
    pub media: &'static str,
    /// Its content.
    pub text: &'static str,
}

macro_rules! assets {
    ($media:literal: $($name:literal),* $(,)?) => {
        [$(Asset { name: $name, media: $media, text: include_str!(concat!("../page/", $name)) }),*]
    };
}

/// The document.
pub const INDEX: &str = include_str!("../page/index.html");

const SCRIPTS: &[Asset] = &assets!["text/javascript; charset=utf-8":
    "astext.js",
    "canvas.js",
    "caption.js",
    "dialogs.js",
    "dock.js",
    "dom.js",
    "edit.js",
    "galleries.js",
    "highlight.js",
    "inspector.js",
    "keyboard.js",
    "layout.js",
    "live.js",
    "main.js",
    "mini.js",
    "minimap.js",
    "net.js",
    "peek.js",
    "pointer.js",
    "popover.js",
    "program.js",
    "route.js",
    "rules.js",
    "run.js",
    "state.js",
    "toolbar.js",
    "tour.js",
    "tree.js",
    "types.js",
    "viewport.js",
];
const STYLES: &[Asset] = &assets!["text/css; charset=utf-8": "panels.css", "style.css"];
const IMAGES: &[Asset] = &assets!["image/svg+xml": "icon.svg"];

/// The file of a name.
pub fn asset(name: &str) -> Option<&'static Asset> {
    SCRIPTS.iter().chain(STYLES).chain(IMAGES).find(|a| a.name == name)
}
