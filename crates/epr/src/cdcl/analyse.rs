//! What a conflict teaches: a clause to learn, or the assumptions behind it.

use super::{Cdcl, ClauseRef, Lit, NO_CLAUSE, Outcome};

impl Cdcl {
    /// Learns from a clause that is false, and takes back the levels that it excludes.
    pub(super) fn learn(&mut self, conflict: ClauseRef) {
        let level_of = |cdcl: &Cdcl, l: &Lit| cdcl.level_of(*l);
        let top = self.literals(conflict).iter().map(|l| level_of(self, l)).max().unwrap_or(0);
        self.backtrack(top);
        if top == 0 {
            self.hopeless = true;
            return;
        }
        let (mut lits, mut met) = self.first_uip(conflict, top);
        self.shorten(&mut lits);
        for &var in &met {
            self.seen[var as usize] = false;
        }
        met.sort_unstable_by_key(|&var| self.queue.stamp(var));
        // The one with the highest level after the first is watched.
        if let Some(at) = (1..lits.len()).max_by_key(|&i| self.level_of(lits[i])) {
            lits.swap(1, at);
        }
        let level = lits.get(1).map_or(0, |&l| self.level_of(l));
        let mut levels: Vec<u32> = lits.iter().map(|&l| self.level_of(l)).collect();
        levels.sort_unstable();
        levels.dedup();
        self.backtrack(level);
        for var in met {
            self.queue.bump(var);
            if self.values[2 * var as usize] == 0 {
                self.queue.opened(var);
            }
        }
        let reason = match lits[..] {
            [_] => NO_CLAUSE,
            _ => self.attach(&lits, levels.len() as u32),
        };
        self.assign(lits[0], reason);
    }

    /// Resolves until one literal of the top level is left, which comes first. Also the variables
    /// that were met, which are marked.
    fn first_uip(&mut self, conflict: ClauseRef, top: u32) -> (Vec<Lit>, Vec<u32>) {
        let (mut lits, mut met, mut open) = (vec![0], Vec::new(), 0);
        let (mut clause, mut at) = (conflict, self.trail.len());
        loop {
            for index in 0..self.literals(clause).len() {
                let lit = self.literals(clause)[index];
                let (var, level) = (lit as usize / 2, self.level_of(lit));
                if self.seen[var] || level == 0 {
                    continue;
                }
                self.seen[var] = true;
                met.push(var as u32);
                match level == top {
                    true => open += 1,
                    false => lits.push(lit),
                }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at] as usize / 2] {
                    break;
                }
            }
            let lit = self.trail[at];
            open -= 1;
            if open == 0 {
                lits[0] = lit ^ 1;
                return (lits, met);
            }
            clause = self.reasons[lit as usize / 2];
        }
    }

    /// Drops literals that follow from the others.
    fn shorten(&self, lits: &mut Vec<Lit>) {
        let first = lits[0];
        lits.retain(|&lit| {
            let reason = self.reasons[lit as usize / 2];
            lit == first
                || reason == NO_CLAUSE
                || self.literals(reason).iter().any(|&other| {
                    other != lit ^ 1 && !self.seen[other as usize / 2] && self.level_of(other) > 0
                })
        });
    }

    /// The assumptions that cannot hold together, after one of them turned out false.
    pub(super) fn core(&mut self, assumption: Lit) -> Vec<Lit> {
        let mut core = vec![assumption];
        if self.level_of(assumption) == 0 {
            return core;
        }
        let mut met = vec![assumption / 2];
        self.seen[assumption as usize / 2] = true;
        let start = self.starts.first().copied().unwrap_or(self.trail.len());
        for at in (start..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !self.seen[lit as usize / 2] {
                continue;
            }
            let reason = self.reasons[lit as usize / 2];
            if reason == NO_CLAUSE {
                // Only assumptions were decided so far.
                core.push(lit);
                continue;
            }
            for index in 0..self.literals(reason).len() {
                let var = self.literals(reason)[index] / 2;
                if !self.seen[var as usize] && self.levels[var as usize] > 0 {
                    self.seen[var as usize] = true;
                    met.push(var);
                }
            }
        }
        met.into_iter().for_each(|var| self.seen[var as usize] = false);
        core
    }
}

impl Outcome {
    #[cfg(test)]
    pub(super) fn is_model(&self) -> bool {
        matches!(self, Outcome::Model)
    }
}
