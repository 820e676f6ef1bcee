//! Linear equations between integers of 64 bits, as machines add them: modulo 2^64.
//!
//! The integers modulo 2^64 have zero divisors, and that is what makes them fit: an equation times
//! 2^32 says that both sides agree in their last 32 bits, which is what is left of an addition that
//! may wrap around in a smaller type. So one kind of equation serves all integer types. (Müller-Olm
//! and Seidl, *Analysis of modular arithmetic*, TOPLAS 2007.)
//!
//! **Invariant.** The rows of a [`System`] are in Howell form: at most one of them begins with each
//! symbol (the one with the largest number comes first), and every consequence of the system that
//! begins with a symbol is a consequence of the rows from there on. So what is left of a system after
//! some symbols are forgotten can be read off ([`System::renamed`]), and equal systems have equal rows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::value::Symbol;

/// A sum of multiples of symbols and a number, modulo 2^64.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// Symbols with their factors, none of which is 0; the largest number first.
    pub terms: Vec<(Symbol, i64)>,
    /// The number.
    pub constant: i64,
}

impl Form {
    /// A number.
    pub fn number(constant: i64) -> Form {
        Form { terms: Vec::new(), constant }
    }

    /// A symbol.
    pub fn symbol(s: Symbol) -> Form {
        Form { terms: vec![(s, 1)], constant: 0 }
    }

    /// The number, if there is no symbol in it.
    pub fn as_number(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The sum with a multiple of another one.
    #[must_use]
    pub fn plus(&self, factor: i64, other: &Form) -> Form {
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(l), Some(r)) if l.0 == r.0 => {
                    let both = (l.0, l.1.wrapping_add(r.1.wrapping_mul(factor)));
                    left.next();
                    right.next();
                    both
                }
                (Some(l), r) if r.is_none_or(|r| r.0 < l.0) => {
                    let only = **l;
                    left.next();
                    only
                }
                (_, Some(r)) => {
                    let only = (r.0, r.1.wrapping_mul(factor));
                    right.next();
                    only
                }
                (Some(_), None) => break,
            };
            if next.1 != 0 {
                terms.push(next);
            }
        }
        let constant = self.constant.wrapping_add(other.constant.wrapping_mul(factor));
        Form { terms, constant }
    }

    /// A multiple.
    #[must_use]
    pub fn times(&self, factor: i64) -> Form {
        Form::default().plus(factor, self)
    }

    /// The difference.
    #[must_use]
    pub fn minus(&self, other: &Form) -> Form {
        self.plus(-1, other)
    }

    /// The same with forms in the place of symbols; `None` if one has none.
    pub fn mapped(&self, with: impl Fn(Symbol) -> Option<Form>) -> Option<Form> {
        let number = Form::number(self.constant);
        self.terms.iter().try_fold(number, |sum, (s, a)| Some(sum.plus(*a, &with(*s)?)))
    }

    /// By which power of two its terms and its number can be divided.
    pub fn twos(&self) -> u32 {
        let all = self.terms.iter().map(|(_, a)| a).chain([&self.constant]);
        all.map(|a| a.trailing_zeros()).min().unwrap_or(64).min(63)
    }

    /// The factor of a symbol.
    pub fn factor(&self, symbol: Symbol) -> i64 {
        self.terms.iter().find(|(s, _)| *s == symbol).map_or(0, |(_, a)| *a)
    }
}

/// Forms that are all 0.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct System {
    /// In Howell form, the largest leading symbol last; a number only if there is a contradiction.
    rows: BTreeMap<Option<Symbol>, Form>,
}

/// The first symbol of a form; the number comes after all symbols.
fn lead(form: &Form) -> Option<(Option<Symbol>, i64)> {
    match form.terms.first() {
        Some((s, a)) => Some((Some(*s), *a)),
        None => (form.constant != 0).then_some((None, form.constant)),
    }
}

/// What an odd number has to be multiplied with to be 1.
fn inverse(odd: i64) -> i64 {
    // Every step doubles the number of bits that are right, of which there are three at first.
    (0..5).fold(odd, |x, _| x.wrapping_mul(2i64.wrapping_sub(odd.wrapping_mul(x))))
}

impl System {
    /// The one that says nothing.
    pub const NONE: System = System { rows: BTreeMap::new() };

    /// The system of some forms.
    pub fn of(rows: impl IntoIterator<Item = Form>) -> System {
        let mut system = System::default();
        rows.into_iter().for_each(|row| system.insert(row));
        system.reduce_rows();
        system
    }

    /// Its rows.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &Form> {
        self.rows.values()
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Whether no numbers fulfil it.
    pub fn is_contradictory(&self) -> bool {
        self.rows.contains_key(&None)
    }

    /// Says that one more form is 0.
    pub fn add(&mut self, row: Form) {
        let row = self.reduced(&row);
        if lead(&row).is_some() {
            self.insert(row);
            self.reduce_rows();
        }
    }

    /// Whether a form is 0.
    pub fn entails(&self, form: &Form) -> bool {
        lead(&self.reduced(form)).is_none()
    }

    /// The same form, in as few and as old symbols as there can be.
    pub fn reduced(&self, form: &Form) -> Form {
        let mut form = form.clone();
        let leads: Vec<Symbol> = self.rows.keys().rev().filter_map(|k| *k).collect();
        for s in leads {
            let a = form.factor(s);
            if a == 0 {
                continue;
            }
            if let Some(row) = self.rows.get(&Some(s)) {
                let by = row.factor(s).trailing_zeros();
                let times = ((a as u64) >> by) as i64;
                form = form.plus(times.wrapping_neg(), row);
            }
        }
        match self.rows.get(&None) {
            Some(_) if form.terms.is_empty() => Form::default(),
            _ => form,
        }
    }

    /// Brings all rows into the one form that they have.
    fn reduce_rows(&mut self) {
        let leads: Vec<Option<Symbol>> = self.rows.keys().copied().collect();
        for key in leads {
            let Some(row) = self.rows.remove(&key) else { continue };
            let first = row.terms.first().copied();
            let tail = Form { terms: row.terms.get(1..).unwrap_or(&[]).to_vec(), ..row };
            let mut reduced = match key {
                Some(_) => self.reduced(&tail),
                None => Form::number(1 << tail.constant.trailing_zeros()),
            };
            if let Some(first) = first {
                reduced.terms.insert(0, first);
            }
            self.rows.insert(key, reduced);
        }
    }

    fn insert(&mut self, row: Form) {
        let mut todo = vec![row];
        while let Some(row) = todo.pop() {
            let Some((key, a)) = lead(&row) else { continue };
            let twos = a.trailing_zeros();
            let row = row.times(inverse(a >> twos));
            let new_lead = match self.rows.get(&key).and_then(lead) {
                None => true,
                Some((_, b)) => twos < b.trailing_zeros(),
            };
            if !new_lead {
                let old = &self.rows[&key];
                let by = lead(old).map_or(0, |(_, b)| b.trailing_zeros());
                todo.push(row.plus((1i64 << (twos - by)).wrapping_neg(), old));
                continue;
            }
            if let Some(old) = self.rows.remove(&key) {
                todo.push(old);
            }
            if twos > 0 && key.is_some() {
                // The multiple of it that does not begin with the symbol any more.
                todo.push(row.times(1i64.wrapping_shl(64 - twos)));
            }
            self.rows.insert(key, row);
        }
    }

    /// What is said of the symbols that get a name: `None` for a symbol that is forgotten.
    #[must_use]
    pub fn renamed(&self, name: impl Fn(Symbol) -> Option<Symbol>) -> System {
        // What is forgotten comes first; then the rows that begin later do not speak of it.
        const GONE: Symbol = 1 << 30;
        let new = |s: Symbol| name(s).unwrap_or(s | GONE);
        let rename = |row: &Form| row.mapped(|s| Some(Form::symbol(new(s)))).unwrap_or_default();
        let mut all = System::of(self.rows().map(rename));
        all.rows.retain(|key, _| key.is_none_or(|s| s & GONE == 0));
        all
    }

    /// What both say.
    #[must_use]
    pub fn common(&self, other: &System) -> System {
        // Pairs of forms: (r, r) for the rows of one, (r, 0) for the rows of the other; a pair that
        // begins with 0 ends with what is said by both.
        const FIRST: Symbol = 1 << 30;
        const NUMBER: Symbol = FIRST - 1;
        let first = |row: &Form| {
            let number = Form::symbol(NUMBER).times(row.constant);
            let terms = row.terms.iter().map(|(s, a)| (s | FIRST, *a)).collect();
            Form { terms, constant: 0 }.plus(1, &number)
        };
        let ours = self.rows().map(|row| first(row).plus(1, row));
        let mut all = System::of(ours.chain(other.rows().map(first)));
        all.rows.retain(|key, _| key.is_none_or(|s| s < NUMBER));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(terms: &[(Symbol, i64)], constant: i64) -> Form {
        let number = Form::number(constant);
        terms.iter().fold(number, |sum, (s, a)| sum.plus(*a, &Form::symbol(*s)))
    }

    /// A small generator of numbers: forms of all kinds, with factors that are often even.
    fn random(seed: &mut u64) -> i64 {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = (*seed >> 33) as i64;
        match bits % 5 {
            0 => 0,
            1 => 1,
            2 => (bits % 7) - 3,
            3 => (bits % 9) << 32,
            _ => (bits % 5) << 62,
        }
    }

    /// Forms that are 0 for some numbers.
    fn forms_about(values: &[i64], count: usize, seed: &mut u64) -> Vec<Form> {
        let one = |seed: &mut u64| {
            let terms: Vec<(Symbol, i64)> =
                (0..values.len()).map(|s| (s as u32, random(seed))).collect();
            let open = form(&terms, 0);
            let value = |s: Symbol| Some(Form::number(values[s as usize]));
            let sum = open.mapped(value).expect("all have values").constant;
            open.minus(&Form::number(sum))
        };
        (0..count).map(|_| one(seed)).collect()
    }

    #[test]
    fn inverses_are_inverses() {
        for odd in [1, 3, -1, 5, i64::MAX, 0x1234_5679, i64::MIN + 1] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1, "{odd}");
        }
    }

    #[test]
    fn what_holds_for_some_numbers_is_never_contradicted() {
        let mut seed = 1;
        for round in 0..400 {
            let values: Vec<i64> = (0..4).map(|_| random(&mut seed)).collect();
            let rows = forms_about(&values, 1 + round % 5, &mut seed);
            let system = System::of(rows.clone());
            assert!(!system.is_contradictory(), "{rows:?}");
            assert!(rows.iter().all(|row| system.entails(row)), "{rows:?}: {system:?}");
            let value = |s: Symbol| Some(Form::number(values[s as usize]));
            for row in system.rows() {
                assert_eq!(row.mapped(value), Some(Form::default()), "{rows:?}: {system:?}");
            }
            let mut turned = rows.clone();
            turned.reverse();
            assert_eq!(System::of(turned), system, "{rows:?}");
        }
    }

    #[test]
    fn what_is_common_holds_in_both() {
        let mut seed = 7;
        for _ in 0..300 {
            let one: Vec<i64> = (0..3).map(|_| random(&mut seed)).collect();
            let two: Vec<i64> = (0..3).map(|_| random(&mut seed)).collect();
            let (a, b) = (forms_about(&one, 3, &mut seed), forms_about(&two, 3, &mut seed));
            let (a, b) = (System::of(a), System::of(b));
            let both = a.common(&b);
            assert!(both.rows().all(|row| a.entails(row) && b.entails(row)));
            assert_eq!(both, b.common(&a));
            assert_eq!(a.common(&a), a);
        }
    }

    #[test]
    fn forgetting_keeps_what_follows() {
        let mut seed = 3;
        for _ in 0..300 {
            let values: Vec<i64> = (0..4).map(|_| random(&mut seed)).collect();
            let system = System::of(forms_about(&values, 3, &mut seed));
            let left = system.renamed(|s| (s != 3 && s != 1).then_some(s));
            assert!(left.rows().all(|row| system.entails(row) && row.factor(3) == 0));
            // Sums of rows in which the symbols cancel out are among what is left.
            for (x, y) in system.rows().zip(system.rows().skip(1)) {
                let sum = x.times(y.factor(3)).minus(&y.times(x.factor(3)));
                if sum.factor(1) == 0 && sum.factor(3) == 0 {
                    assert!(left.entails(&sum), "{system:?}: {sum:?}");
                }
            }
        }
    }

    #[test]
    fn points_on_a_line_have_its_equation_in_common() {
        let at = |x: i64, y: i64| System::of([form(&[(0, 1)], -x), form(&[(1, 1)], -y)]);
        let line = at(0, 3).common(&at(1, 5));
        assert_eq!(line, System::of([form(&[(1, 1), (0, -2)], -3)]));
        assert!(line.common(&at(4, 4)).is_empty() || !line.entails(&form(&[(0, 1)], 0)));
    }

    #[test]
    fn the_last_bits_are_an_equation_too() {
        let low = 1i64 << 32;
        let mut system = System::of([form(&[(0, low), (1, -low)], 0)]);
        assert!(!system.entails(&form(&[(0, 1), (1, -1)], 0)));
        assert!(system.entails(&form(&[(0, low), (1, -low)], 0)));
        system.add(form(&[(0, 1)], -7));
        assert!(system.entails(&form(&[(1, low)], -7 * low)));
        system.add(form(&[(1, 1)], -8));
        assert!(system.is_contradictory());
    }
}
