//! A finished unwinding is well-labelled, complete and safe, whatever the oracles say.
//!
//! A wild oracle proposes labels of abstract interpretations that tell nodes apart by different keys,
//! some of their patterns left out, in random order; when it has nothing new, the automatic one
//! answers. So labels are too narrow first, children cover and are cut off again, and covers are
//! forced where nobody asked.

use std::collections::{BTreeMap, BTreeSet};

use trellis_logic::Budget;
use trellis_patterns::pattern::{Label, Pattern};
use trellis_patterns::words::Colour;
use trellis_proveit::analyse::analyse;
use trellis_proveit::impact::{Done, Ending, FEW};
use trellis_proveit::merge::Keys;
use trellis_proveit::oracle::automatic::Automatic;
use trellis_proveit::oracle::{Answer, Oracle, Question};
use trellis_proveit::prove::unwind;
use trellis_testkit::random::Random;

use crate::programs::{Subject, suite};
use crate::search::given;

struct Wild<'a> {
    random: Random,
    /// By loop head.
    labels: BTreeMap<usize, Vec<Label>>,
    tame: Automatic<'a>,
}

impl<'a> Wild<'a> {
    fn new(subject: &'a Subject, budget: &'a Budget, seed: u64) -> Wild<'a> {
        let starts = given(subject).starts(&subject.code).expect("few starts");
        let mut labels: BTreeMap<usize, Vec<Label>> = BTreeMap::new();
        for keys in Keys::LADDER {
            let found = analyse(&subject.code, subject.checks, &starts, keys, budget);
            found.labels.into_iter().for_each(|(head, l)| labels.entry(head).or_default().push(l));
        }
        let tame = Automatic::new(&subject.code, subject.checks, budget, BTreeMap::new());
        Wild { random: Random::new(seed), labels, tame }
    }
}

/// Every node may look like every other one.
fn widen(pattern: &mut Pattern) {
    let all: BTreeSet<Colour> = pattern.nodes.iter().flat_map(|n| n.colours.clone()).collect();
    pattern.nodes.iter_mut().for_each(|n| n.colours.clone_from(&all));
}

impl Oracle for Wild<'_> {
    fn answer(&mut self, question: &Question<'_>) -> Answer {
        let known = self.labels.get(&question.block).filter(|l| !l.is_empty());
        let (Some(known), true) = (known, question.round < 4) else {
            return self.tame.answer(question);
        };
        let label = &known[self.random.below(known.len() as u64) as usize];
        let mut kept: Vec<Pattern> =
            label.0.iter().filter(|_| self.random.below(8) > 0).cloned().collect();
        if !kept.is_empty() && self.random.below(2) == 0 {
            let one = self.random.below(kept.len() as u64) as usize;
            widen(&mut kept[one]);
        }
        Answer::Candidate(Label(kept))
    }

    fn accepted(&mut self, block: usize, label: &Label) {
        self.tame.accepted(block, label);
    }
}

#[test]
fn a_finished_unwinding_is_well_labelled() {
    let budget = Budget::default();
    let (mut proved, mut covered, mut asked_again) = (0, 0, 0);
    // Lists: labels of trees are many, and the wild oracle finds none that holds.
    let is_list = |s: &Subject| s.code.words.records.iter().all(|r| r.pointers.len() == 1);
    for subject in suite().iter().filter(|s| is_list(s) && !s.name.ends_with("-bug.c")) {
        for seed in 0..5 {
            let starts = given(subject).starts(&subject.code).expect("few starts");
            let mut oracle = Wild::new(subject, &budget, seed);
            let mut flaw = None;
            let (ending, counts) =
                unwind(&given(subject), &subject.code, starts, &mut oracle, &budget, FEW, |i| {
                    flaw = Some(i.flaw());
                    asked_again += i.log.iter().filter(|d| matches!(d, Done::NotKept(..))).count();
                });
            let Ending::Proved(labels) = ending else { continue };
            assert_eq!(flaw, Some(None), "{}, seed {seed}", subject.name);
            assert!(given(subject).confirms(&subject.code, &labels, &budget), "{}", subject.name);
            proved += 1;
            covered += counts.covers;
        }
    }
    // A wild oracle that proves nothing, or is always right at once, tests nothing.
    assert!(
        proved >= 20 && covered > proved && asked_again > 0,
        "{proved} {covered} {asked_again}"
    );
}
