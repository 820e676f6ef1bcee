//! Formulas against brute force: what they say is computed once more, in Rust, on all small heaps.

use super::{Model, Truth, Value, View, truth};
use crate::syntax::Error;
use crate::{Formula, Meaning, Naming, Position, Symbol, SymbolId, Type, elaborate, parse};

/// The names that the tests use: two objects, an integer, fields, a set.
pub(crate) struct Toy {
    symbols: Vec<Symbol>,
    next: u32,
}

const NAMES: [&str; 8] = ["a", "b", "k", "next", "left", "right", "key", "S"];

impl Toy {
    pub(crate) fn new() -> Toy {
        let field = Type::fun(Type::Obj, Type::Obj);
        let types = [
            Type::Obj,
            Type::Obj,
            Type::Int,
            field.clone(),
            field.clone(),
            field,
            Type::fun(Type::Obj, Type::Int),
            Type::set(Type::Obj),
        ];
        let named = NAMES.into_iter().zip(types);
        let symbols =
            named.map(|(n, ty)| Symbol { name: n.to_owned(), ty, definition: None }).collect();
        Toy { symbols, next: 0 }
    }
}

impl Naming for Toy {
    fn resolve(&mut self, name: &str, _: Position) -> Result<Meaning, (String, Option<String>)> {
        match NAMES.iter().position(|n| *n == name) {
            Some(i) => Ok(Meaning::Symbol(SymbolId(i as u32))),
            None => Err((format!("no `{name}`"), None)),
        }
    }

    fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id.0 as usize]
    }

    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
}

pub(crate) fn formula(text: &str) -> Result<Formula, Error> {
    let mut toy = Toy::new();
    let term = elaborate(&parse(text)?, &Type::Bool, &mut toy)?;
    Ok(Formula::new(toy.symbols, term))
}

/// A heap: objects 0, 1, …; what is `None` is not chosen yet.
#[derive(Clone, Debug)]
struct Heap {
    objects: u32,
    partial: bool,
    ints: Vec<i128>,
    a: Option<u32>,
    b: Option<u32>,
    k: i128,
    next: Vec<Option<Option<u32>>>,
    left: Vec<Option<u32>>,
    right: Vec<Option<u32>>,
    keys: Vec<i128>,
    set: u32,
}

impl Heap {
    fn new(objects: u32) -> Heap {
        let n = objects as usize;
        Heap {
            objects,
            partial: false,
            ints: (-1..4).collect(),
            a: None,
            b: None,
            k: 0,
            next: vec![Some(None); n],
            left: vec![None; n],
            right: vec![None; n],
            keys: vec![0; n],
            set: 0,
        }
    }

    /// Where `next` leads from an object in any number of steps.
    fn reached(&self, from: Option<u32>) -> Vec<Option<u32>> {
        let mut seen = vec![from];
        while let Some(at) = seen.last().copied().flatten() {
            let next = self.next[at as usize].expect("a whole heap");
            if seen.contains(&next) {
                break;
            }
            seen.push(next);
        }
        seen
    }
}

impl Model for Heap {
    fn objects(&self) -> u32 {
        self.objects
    }

    fn is_partial(&self) -> bool {
        self.partial
    }

    fn ints(&self) -> &[i128] {
        &self.ints
    }

    fn constant(&self, symbol: SymbolId, _: View) -> Option<Value> {
        match symbol.0 {
            0 => Some(Value::Obj(self.a)),
            1 => Some(Value::Obj(self.b)),
            _ => Some(Value::Int(self.k)),
        }
    }

    fn contains(&self, _: SymbolId, _: View, object: Option<u32>) -> Truth {
        object.is_some_and(|o| self.set & 1 << o != 0).into()
    }

    fn field(&self, symbol: SymbolId, _: View, object: Option<u32>) -> Option<Value> {
        let Some(o) = object else { return (symbol.0 != 6).then_some(Value::Obj(None)) };
        match symbol.0 {
            3 => self.next[o as usize].map(Value::Obj),
            4 => Some(Value::Obj(self.left[o as usize])),
            5 => Some(Value::Obj(self.right[o as usize])),
            _ => Some(Value::Int(self.keys[o as usize])),
        }
    }

    fn element(&self, _: View, _: Option<u32>, _: i128) -> Option<Value> {
        None
    }
}

/// All objects of a heap, and null.
fn places(objects: u32) -> impl Iterator<Item = Option<u32>> + Clone {
    std::iter::once(None).chain((0..objects).map(Some))
}

/// Every heap of so many objects over `next`, with every `a` and `b`.
fn lists(objects: u32, f: &mut impl FnMut(&Heap)) {
    let places: Vec<_> = places(objects).collect();
    let count = places.len().pow(objects + 2);
    for n in 0..count {
        let mut rest = n;
        let mut digit = || {
            let d = rest % places.len();
            rest /= places.len();
            places[d]
        };
        let mut heap = Heap::new(objects);
        heap.a = digit();
        heap.b = digit();
        heap.next.iter_mut().for_each(|slot| *slot = Some(digit()));
        heap.set = n as u32 * 5 % (1 << objects);
        heap.keys.iter_mut().enumerate().for_each(|(i, key)| *key = (n as i128 >> i) % 3);
        f(&heap);
    }
}

fn on_all_lists(text: &str, means: impl Fn(&Heap) -> bool) {
    let formula = formula(text).expect(text);
    let mut both = [0; 2];
    for objects in 0..=3 {
        lists(objects, &mut |heap| {
            let expected = means(heap);
            both[usize::from(expected)] += 1;
            assert_eq!(truth(&formula, heap), expected.into(), "{text} on {heap:?}");
        });
    }
    assert!(both[0] > 0 && both[1] > 0, "{text} is always or never true");
}

#[test]
fn closures_follow_fields() {
    let reaches = |h: &Heap| h.reached(h.a).contains(&h.b);
    on_all_lists("(a, b) : {(x, y). x..next = y}^*", reaches);
    on_all_lists("(a, b) : {(x, y). y = next x}^*", reaches);
    on_all_lists("rtrancl_pt (% x y. x..next = y) a b", reaches);
    // The same relation, not recognised as a field.
    on_all_lists("(a, b) : {(x, y). x..next = y & True}^*", reaches);
    on_all_lists("(a, b) : ({(x, y). x..next = y} Un {(x, y). x = y})^*", reaches);
}

#[test]
fn sets_are_their_members() {
    let content = |h: &Heap| -> Vec<u32> { h.reached(h.a).into_iter().flatten().collect() };
    let list = "{x. x ~= null & (a, x) : {(u, v). u..next = v}^*}";
    on_all_lists(&format!("b : {list}"), |h| h.b.is_some_and(|b| content(h).contains(&b)));
    on_all_lists(&format!("{list} = S"), |h| {
        (0..h.objects).all(|o| content(h).contains(&o) == (h.set & 1 << o != 0))
    });
    on_all_lists(&format!("{list} <= S Un {{b}}"), |h| {
        content(h).iter().all(|o| h.set & 1 << o != 0 || h.b == Some(*o))
    });
    on_all_lists(&format!("{list} - {{b}} < {list}"), |h| {
        h.b.is_some_and(|b| content(h).contains(&b))
    });
    on_all_lists(&format!("card {list} = 2"), |h| content(h).len() == 2);
    on_all_lists(&format!("{list} Int S = {{}}"), |h| {
        content(h).iter().all(|o| h.set & 1 << o == 0)
    });
}

#[test]
fn quantifiers_range_over_objects_and_null() {
    on_all_lists("ALL x. x..next ~= a", |h| {
        h.a.is_some() && h.next.iter().all(|n| *n != Some(h.a))
    });
    on_all_lists("EX x. x ~= null & next x = x", |h| {
        (0..h.objects).any(|o| h.next[o as usize] == Some(Some(o)))
    });
    on_all_lists("ALL x y. x ~= null & next x = y & y ~= null --> key x <= key y", |h| {
        (0..h.objects as usize).all(|o| match h.next[o] {
            Some(Some(n)) => h.keys[o] <= h.keys[n as usize],
            _ => true,
        })
    });
    on_all_lists("EX i. i = k + 1 & (EX x. x ~= null & key x = i)", |h| h.keys.contains(&1));
}

#[test]
fn trees_have_no_sharing_and_no_cycle() {
    let formula = formula("tree [left, right]").expect("a formula");
    let mut both = [0; 2];
    for objects in 0..=3u32 {
        let places: Vec<_> = places(objects).collect();
        for n in 0..places.len().pow(2 * objects) {
            let mut rest = n;
            let mut heap = Heap::new(objects);
            let slots = heap.left.iter_mut().chain(&mut heap.right);
            for slot in slots {
                *slot = places[rest % places.len()];
                rest /= places.len();
            }
            let edges: Vec<(u32, u32)> = (0..objects)
                .flat_map(|o| {
                    let ends = [heap.left[o as usize], heap.right[o as usize]];
                    ends.into_iter().flatten().map(move |e| (o, e))
                })
                .collect();
            let shared = (0..objects).any(|o| edges.iter().filter(|(_, e)| *e == o).count() > 1);
            // Warshall's closure.
            let mut reach = vec![vec![false; objects as usize]; objects as usize];
            edges.iter().for_each(|(x, y)| reach[*x as usize][*y as usize] = true);
            for via in 0..objects as usize {
                for x in 0..objects as usize {
                    for y in 0..objects as usize {
                        reach[x][y] |= reach[x][via] && reach[via][y];
                    }
                }
            }
            let cyclic = (0..objects as usize).any(|o| reach[o][o]);
            let expected = !shared && !cyclic;
            both[usize::from(expected)] += 1;
            assert_eq!(truth(&formula, &heap), expected.into(), "{heap:?}");
        }
    }
    assert!(both[0] > 0 && both[1] > 0);
}

/// On a partial heap, true and false hold for every completion, also with further objects.
#[test]
fn what_partial_heaps_say_stays() {
    let texts = [
        "tree [next]",
        "(a, b) : {(x, y). x..next = y}^*",
        "a : {x. x ~= null & (b, x) : {(u, v). u..next = v}^*}",
        "ALL x. x..next ~= a",
        "EX x. x ~= null & next x = a",
        "{x. (a, x) : {(u, v). u..next = v}^*} = S",
        "card {x. x ~= null & next x = null} = 1",
        "a ~= null --> (ALL x. x ~: S --> x..next ~= a)",
        "(a, b) : {(x, y). x..next = y & x ~= b}^*",
    ];
    let mut decided = 0;
    for text in texts {
        let formula = formula(text).expect(text);
        // Two objects, one of whose fields is open; completed with up to one more object.
        lists(3, &mut |whole| {
            for open in 0..2usize {
                let mut partial = whole.clone();
                partial.objects = 2;
                partial.partial = true;
                partial.next.truncate(2);
                partial.next[open] = None;
                partial.keys.truncate(2);
                partial.left.truncate(2);
                partial.right.truncate(2);
                let points_to_new = |o: Option<u32>| o == Some(2);
                let other = partial.next[1 - open].flatten();
                if [whole.a, whole.b, other].into_iter().any(points_to_new) {
                    continue;
                }
                let told = truth(&formula, &partial);
                let then = truth(&formula, whole);
                // The set has no new members.
                if told != Truth::Undefined && whole.set & 4 == 0 {
                    decided += 1;
                    assert_eq!(told, then, "{text}: {partial:?} completed to {whole:?}");
                }
            }
        });
    }
    assert!(decided > 500, "only {decided} answers on partial heaps");
}

#[test]
fn arithmetic_rounds_down() {
    let cases = [
        ("(-7) div 2 = -4", true),
        ("(-7) mod 2 = 1", true),
        ("7 mod (-2) = -1", true),
        ("1 div 0 = 0", false),
        ("2 - 3 * 4 = -10", true),
        ("(let x = 3 in x + x) = 6", true),
        ("(if 1 < 2 then 5 else 6) = (5 :: int)", true),
        ("(% x y. x - y) 5 3 = (2 :: int)", true),
        ("fieldWrite next a b a = b", true),
        ("ALL (p :: bool) (q :: bool). (p --> q) = (~p | q)", true),
        ("ALL (X :: objset). {} <= X & X <= UNIV", true),
        ("[| 1 < 2; 2 < 3 |] ==> 1 < 3", true),
        ("comment ''why'' (True) & ~False", true),
    ];
    for (text, expected) in cases {
        let formula = formula(text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let known = truth(&formula, &Heap::new(2)) == Truth::True;
        assert_eq!(known, expected, "{text}");
    }
}
