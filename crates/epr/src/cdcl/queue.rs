//! The order in which variables are decided: those that conflicts met last come first.
//!
//! **Invariant**: every variable that stands before `search` has a value.

/// A doubly linked list of variables; the last one is decided first.
#[derive(Default)]
pub(super) struct Queue {
    links: Vec<Link>,
    first: u32,
    last: u32,
    search: u32,
    clock: u64,
    /// Counts down for variables that go to the front.
    early: i64,
}

#[derive(Clone, Copy)]
struct Link {
    before: u32,
    after: u32,
    /// Larger for those that stand further back.
    stamp: i64,
}

const NONE: u32 = u32::MAX;

impl Queue {
    /// A new variable: decided after all others, or before them.
    pub(super) fn push(&mut self, early: bool) {
        let var = self.links.len() as u32;
        if var == 0 {
            (self.first, self.last, self.search) = (0, 0, 0);
            self.links.push(Link { before: NONE, after: NONE, stamp: 0 });
        } else if early {
            self.clock += 1;
            let stamp = self.clock as i64;
            self.links.push(Link { before: self.last, after: NONE, stamp });
            self.links[self.last as usize].after = var;
            self.last = var;
            self.search = var;
        } else {
            self.early -= 1;
            self.links.push(Link { before: NONE, after: self.first, stamp: self.early });
            self.links[self.first as usize].before = var;
            self.first = var;
            // It may be the only one that is open.
            self.opened(var);
        }
    }

    /// The next variable that is open.
    pub(super) fn next(&mut self, is_open: impl Fn(u32) -> bool) -> Option<u32> {
        if self.links.is_empty() {
            return None;
        }
        let mut at = self.search;
        while !is_open(at) {
            let before = self.links[at as usize].before;
            if before == NONE {
                self.search = at;
                return None;
            }
            at = before;
        }
        self.search = at;
        Some(at)
    }

    /// The variable lost its value.
    pub(super) fn opened(&mut self, var: u32) {
        if self.links[var as usize].stamp > self.links[self.search as usize].stamp {
            self.search = var;
        }
    }

    pub(super) fn stamp(&self, var: u32) -> i64 {
        self.links[var as usize].stamp
    }

    /// A conflict met the variable: it is decided before the others.
    pub(super) fn bump(&mut self, var: u32) {
        if self.last == var {
            return;
        }
        let Link { before, after, .. } = self.links[var as usize];
        if self.search == var {
            // Those after it have values; the one before it is the next to look at.
            self.search = if before == NONE { after } else { before };
        }
        match before {
            NONE => self.first = after,
            before => self.links[before as usize].after = after,
        }
        self.links[after as usize].before = before;
        self.clock += 1;
        let last = std::mem::replace(&mut self.last, var);
        self.links[last as usize].after = var;
        self.links[var as usize] = Link { before: last, after: NONE, stamp: self.clock as i64 };
    }
}
