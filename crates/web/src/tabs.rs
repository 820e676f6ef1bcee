//! Which tab may edit.
//!
//! The first one may; a later one watches until it takes over. A tab is alive while it listens to
//! events; one that has just said hello has a moment to begin.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long a tab may take to listen after it said hello.
const GRACE: Duration = Duration::from_secs(4);
/// Most tabs that are kept track of.
const MOST: usize = 64;

/// The tabs of a session.
#[derive(Debug, Default)]
pub struct Tabs {
    editor: Option<(String, Instant)>,
    listening: BTreeMap<String, usize>,
}

impl Tabs {
    /// A tab says hello: may it edit?
    pub fn hello(&mut self, tab: &str, now: Instant) -> bool {
        let free = match &self.editor {
            None => true,
            Some((editor, since)) => {
                editor == tab
                    || (!self.listening.contains_key(editor) && now.duration_since(*since) > GRACE)
            }
        };
        if free {
            self.take(tab, now);
        }
        free
    }

    /// A tab takes over.
    pub fn take(&mut self, tab: &str, now: Instant) {
        self.editor = Some((tab.to_owned(), now));
    }

    /// May a tab edit?
    pub fn edits(&self, tab: &str) -> bool {
        self.editor.as_ref().is_some_and(|(editor, _)| editor == tab)
    }

    /// A tab begins to listen. `false`: there are too many.
    pub fn listen(&mut self, tab: &str) -> bool {
        if self.listening.values().sum::<usize>() >= MOST {
            return false;
        }
        *self.listening.entry(tab.to_owned()).or_default() += 1;
        true
    }

    /// A tab listens no more.
    pub fn leave(&mut self, tab: &str, now: Instant) {
        if let Some(count) = self.listening.get_mut(tab) {
            *count -= 1;
            if *count == 0 {
                self.listening.remove(tab);
            }
        }
        // A tab that reloads comes back under its name; until then nobody else slips in.
        if let Some((editor, since)) = &mut self.editor
            && editor == tab
        {
            *since = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_tab_edits_until_another_takes_over() {
        let (mut tabs, start) = (Tabs::default(), Instant::now());
        assert!(tabs.hello("a", start));
        assert!(tabs.listen("a"));
        let later = start + GRACE * 3;
        assert!(!tabs.hello("b", later));
        tabs.take("b", later);
        assert!(tabs.edits("b") && !tabs.edits("a"));
        assert!(!tabs.hello("a", later));
    }

    #[test]
    fn a_tab_that_is_gone_does_not_keep_others_out() {
        let (mut tabs, start) = (Tabs::default(), Instant::now());
        assert!(tabs.hello("a", start) && tabs.listen("a"));
        tabs.leave("a", start);
        assert!(!tabs.hello("b", start), "it may be reloading");
        assert!(tabs.hello("a", start));
        assert!(tabs.hello("b", start + GRACE * 2));
    }
}
