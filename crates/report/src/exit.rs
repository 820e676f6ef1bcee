//! Exit codes, the same for all commands.

/// How a process ends that did one thing; every JSON document has its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything is verified; a run finished.
    Good = 0,
    /// Something is violated; a check failed.
    Bad = 1,
    /// The command line or the input is wrong.
    BadInput = 2,
    /// Anything else: unknown.
    Otherwise = 3,
}

impl Exit {
    /// The number that the process ends with.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The exit of a process with one answer.
    pub fn of_verdict(verdict: &str) -> Exit {
        match verdict {
            "verified" => Exit::Good,
            "violated" => Exit::Bad,
            _ => Exit::Otherwise,
        }
    }

    /// The exit of two things done in one process: a wrong input first, then a violation, then
    /// anything unknown.
    pub fn and(self, other: Exit) -> Exit {
        [Exit::BadInput, Exit::Bad, Exit::Otherwise]
            .into_iter()
            .find(|e| *e == self || *e == other)
            .unwrap_or(Exit::Good)
    }
}

#[cfg(test)]
mod tests {
    use super::Exit::{self, *};

    #[test]
    fn the_worse_exit_wins() {
        assert_eq!(Good.and(Good), Good);
        assert_eq!(Good.and(Otherwise), Otherwise);
        assert_eq!(Bad.and(Otherwise), Bad);
        assert_eq!(BadInput.and(Bad), BadInput);
        let all: [Exit; 4] = [Good, Bad, BadInput, Otherwise];
        for a in all {
            for b in all {
                assert_eq!(a.and(b), b.and(a));
            }
        }
    }
}
