//! What the files under `examples/` say of their procedures, as comments.
//!
//! * `// test: OPTIONS` adds options of `trellis verify`;
//! * `// expect: PROC safe` means that no violation is found;
//! * `// expect: PROC verified` means that a proof is found;
//! * `// expect: PROC no-invariant` means that the engine's language is proved too weak;
//! * `// expect: PROC violated KIND` means that this kind of check fails, at a line that carries
//!   `// BUG`;
//! * `// expect: PROC unsupported` means that a construct outside the subset is met;
//! * `// expect: PROC unknown KIND` means that there is no answer, for this kind of reason.
//!
//! These are about the engine of the options; without one about `explore`, and the default engine
//! must not contradict them. `// expect[ENGINE]: PROC …` is about that engine, with the same
//! options otherwise; a file can have such directives for several engines.

use std::collections::BTreeMap;

/// What a directive expects of a procedure.
#[derive(PartialEq, Eq, Debug)]
pub enum Expected {
    /// No violation is found.
    Safe,
    /// A proof is found.
    Verified,
    /// The engine's language is proved too weak.
    NoInvariant,
    /// A check of this kind fails.
    Violated(String),
    /// There is no answer, for this kind of reason.
    Unknown(String),
}

/// By procedure.
pub type Expectations = BTreeMap<String, Expected>;

/// What the directives of a file say.
#[derive(Default, Debug)]
pub struct Directives {
    /// Without the engine.
    pub options: Vec<String>,
    /// The engine of the options.
    pub engine: Option<String>,
    /// Of the engine of the options, or of every one.
    pub expected: Expectations,
    /// By engine.
    pub of_engines: BTreeMap<String, Expectations>,
    /// Lines with `// BUG`, from 1.
    pub bugs: Vec<usize>,
}

impl Directives {
    /// Reads them.
    ///
    /// # Errors
    /// If there are none, or one is odd.
    pub fn of(text: &str) -> Result<Directives, String> {
        let mut directives = Directives::default();
        for (i, line) in text.lines().enumerate() {
            if line.contains("// BUG") {
                directives.bugs.push(i + 1);
            }
            if let Some(options) = line.strip_prefix("// test: ") {
                directives.add_options(options);
            }
            if let Some(rest) = line.strip_prefix("// expect") {
                let added = directives.add_expectation(rest);
                added.ok_or_else(|| format!("line {}: odd directive: {line}", i + 1))?;
            }
        }
        if directives.expected.is_empty() && directives.of_engines.is_empty() {
            return Err("no `// expect:` directive".to_owned());
        }
        Ok(directives)
    }

    /// Of procedures, whoever looks at them, that they are safe, or not.
    pub fn truths(self) -> BTreeMap<String, bool> {
        let all = std::iter::once(self.expected).chain(self.of_engines.into_values());
        let said = all.flatten().filter_map(|(proc, expected)| match expected {
            Expected::Safe | Expected::Verified => Some((proc, true)),
            Expected::Violated(_) => Some((proc, false)),
            Expected::NoInvariant | Expected::Unknown(_) => None,
        });
        said.collect()
    }

    fn add_options(&mut self, options: &str) {
        let mut words = options.split_whitespace().map(str::to_owned);
        while let Some(word) = words.next() {
            match word.as_str() {
                "--engine" => self.engine = words.next(),
                _ => self.options.push(word),
            }
        }
    }

    /// `: PROC VERDICT`, or `[ENGINE]: PROC VERDICT`.
    fn add_expectation(&mut self, directive: &str) -> Option<()> {
        let (engine, rest) = directive.split_once(": ")?;
        let of = match engine.strip_prefix('[').map(|e| e.strip_suffix(']')) {
            None if engine.is_empty() => &mut self.expected,
            Some(Some(engine)) => self.of_engines.entry(engine.to_owned()).or_default(),
            _ => return None,
        };
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (proc, expected) = match words.as_slice() {
            [proc, "safe"] => (proc, Expected::Safe),
            [proc, "verified"] => (proc, Expected::Verified),
            [proc, "no-invariant"] => (proc, Expected::NoInvariant),
            [proc, "unsupported"] => (proc, Expected::Unknown("unsupported".to_owned())),
            [proc, "unknown", kind] => (proc, Expected::Unknown((*kind).to_owned())),
            [proc, "violated", kind] => (proc, Expected::Violated((*kind).to_owned())),
            _ => return None,
        };
        // What is said twice may be said differently.
        of.insert((*proc).to_owned(), expected).is_none().then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_can_name_engines() {
        let text = "// test: --objects 3 --engine sll\n// expect: f safe\n// expect[auto]: f verified\n\
                    // expect[explore]: f unknown bounded\n// expect[explore]: g violated leak // BUG\n";
        assert!(Directives::of(text).is_err(), "a comment behind a directive is part of it");
        let found = Directives::of(&text.replace(" // BUG", "")).expect("directives");
        assert_eq!(found.options, ["--objects", "3"]);
        assert_eq!(found.engine.as_deref(), Some("sll"));
        assert_eq!(found.expected["f"], Expected::Safe);
        assert_eq!(found.of_engines["auto"]["f"], Expected::Verified);
        assert_eq!(found.of_engines["explore"]["f"], Expected::Unknown("bounded".to_owned()));
        assert_eq!(found.of_engines["explore"]["g"], Expected::Violated("leak".to_owned()));
        for odd in [
            "",
            "// expect[sll] f safe",
            "// expect[sll: f safe",
            "// expects: f safe",
            "// expect: f fine",
            "// expect: f safe\n// expect: f verified",
        ] {
            assert!(Directives::of(odd).is_err(), "{odd}");
        }
    }
}
