//! Random contracts: mostly what such procedures promise, now and then something else.

use super::generate::{Generator, Returned};
use super::wide::Feature;

/// What a procedure may assume.
pub fn requires(g: &mut Generator) -> Vec<String> {
    let mut out = Vec::new();
    let mut lists = vec!["a"];
    lists.extend((g.params > 1).then_some("b"));
    lists.extend(g.global.then_some("g"));
    lists.extend(g.header.then_some("h->first"));
    if g.header {
        out.push("h != NULL".to_owned());
    }
    let everywhere = g.tape.percent(if g.features.contains(&Feature::Any) { 90 } else { 15 });
    if everywhere {
        out.push("\\forall struct node *v; reach(next, v, NULL)".to_owned());
    }
    for list in &lists {
        if !everywhere && g.tape.percent(96) {
            out.push(format!("reach(next, {list}, NULL)"));
        }
        if g.other && g.tape.percent(25) {
            out.push(format!("dll(next, other, {list}, NULL)"));
            out.push(format!("{list} == NULL || {list}->other == NULL"));
        } else if g.other && g.tape.percent(92) {
            out.push(format!(
                "\\forall struct node *v, *w; reach(next, {list}, v) && reach(other, v, w) ==> \
                 reach(other, w, NULL) && (w == NULL || reach(next, {list}, w))"
            ));
        }
    }
    if lists.len() > 1 && g.tape.percent(60) {
        let (x, y) = (lists[0], lists[1]);
        out.push(format!(
            "\\forall struct node *v; reach(next, {x}, v) && reach(next, {y}, v) ==> v == NULL"
        ));
    }
    if g.tape.percent(15) {
        out.push(sorted("a"));
    }
    if g.tape.percent(20) {
        out.push(g.tape.pick(&["a != NULL", "\\valid(a)"]).to_owned());
    }
    if g.params > 1 && g.tape.percent(10) {
        let rest = ["\\separated(a, b)", "\\inter(content(next, a), content(next, b)) == \\empty"];
        out.push(g.tape.pick(&rest).to_owned());
    }
    out.extend(wide_requires(g));
    out
}

/// What is assumed of the fields beyond lists.
fn wide_requires(g: &mut Generator) -> Option<String> {
    if g.features.is_empty() || !g.tape.percent(35) {
        return None;
    }
    let every =
        |what: &str| format!("\\forall struct node *v; v != NULL && reach(next, a, v) ==> {what}");
    let feature = g.features[g.tape.below(g.features.len())];
    Some(match feature {
        Feature::Words => match g.tape.below(4) {
            0 => "u > 0x8000000000000000".to_owned(),
            1 => "u < 5".to_owned(),
            2 => every("v->word >= 5"),
            _ => "sorted(next, word, a, NULL)".to_owned(),
        },
        Feature::Any => every("v->any == NULL"),
        Feature::Spots => every("v->spot == &v->key"),
        Feature::Inner => every("v->in.x == 3"),
        Feature::Cells => every("v->cells[0] <= v->cells[1]"),
        _ => "sorted(next, key, a, NULL)".to_owned(),
    })
}

fn sorted(list: &str) -> String {
    format!(
        "\\forall struct node *u, *v; u != NULL && v != NULL && reach(next, {list}, u) && \
         reach(next, u, v) ==> u->key <= v->key"
    )
}

/// What a procedure promises.
pub fn ensures(g: &mut Generator) -> Vec<String> {
    let mut out = Vec::new();
    for _ in 0..[0, 0, 0, 1, 1, 2][g.tape.below(6)] {
        if g.tape.percent(30)
            && let Some(promise) = wide_promise(g)
        {
            out.push(promise);
            continue;
        }
        let node = g.result == Returned::Node;
        let x = if node && g.tape.percent(50) { "\\result" } else { "a" };
        let y = if g.params > 1 && g.tape.percent(30) { "b" } else { "a" };
        let y = if g.global && g.tape.percent(20) { "g" } else { y };
        let y = if g.header && g.tape.percent(30) { "h->first" } else { y };
        let now = format!("reach(next, {x}, v)");
        let then = format!("\\old(reach(next, {y}, v))");
        out.push(match g.tape.below(28) {
            0..=3 => format!("reach(next, {x}, NULL)"),
            4 => format!("!reach(next, {x}, {y}) || {x} == {y}"),
            5 => format!("{x} != NULL"),
            6 => format!("{x} == NULL"),
            7 | 8 => format!("\\forall struct node *v; v != NULL && {now} ==> {then}"),
            9 => format!("\\forall struct node *v; v != NULL && {then} ==> {now}"),
            10 | 11 => format!("\\forall struct node *v; v != NULL ==> ({now} <==> {then})"),
            12 => sorted(x),
            13 => format!("\\forall struct node *v; v != NULL && {then} ==> alloc(v)"),
            14 => format!("\\forall struct node *v; v != NULL && {now} ==> alloc(v)"),
            15 => format!("\\forall struct node *v; v != NULL && {now} ==> v->flag"),
            16 => format!(
                "\\forall struct node *v; v != NULL && {then} && alloc(v) ==> v->key == \\old(v->key)"
            ),
            17 => format!(
                "\\forall struct node *v; v != NULL && {then} && alloc(v) ==> v->flag == \\old(v->flag)"
            ),
            18 => format!("\\forall struct node *v; v != NULL && {now} ==> v->key == 3"),
            19 => "\\forall struct node *v, *w; \\old(reach(next, v, w)) && alloc(v) ==> reach(next, v, w)".to_owned(),
            20 => "\\forall struct node *v; alloc(v) ==> \\old(alloc(v))".to_owned(),
            21 => format!("\\subset(content(next, {x}), \\old(content(next, {y})))"),
            22 => format!("content(next, {x}) == \\old(content(next, {y}))"),
            23 => format!("content(next, {x}) == \\union(\\old(content(next, a)), {{{y}}})"),
            24 => format!("ls(next, {x}, NULL)"),
            25 => format!("stable(next, {x})"),
            26 => format!("sorted(next, key, {x}, NULL)"),
            _ => format!("\\exists struct node *v; {now} && v != NULL && v->next == NULL"),
        });
    }
    out
}

/// A promise about the result if it is no list, or about a field beyond lists.
fn wide_promise(g: &mut Generator) -> Option<String> {
    let number = ["\\result > 5", "\\result >= 0", "\\result < 5", "\\result != 3"];
    match g.result {
        Returned::Int if g.tape.percent(70) => {
            return Some(g.tape.pick(&number).to_owned());
        }
        Returned::Word if g.tape.percent(75) => {
            let more = [
                "\\result >= u",
                "\\result <= u",
                "\\result == u",
                "\\result > 0x8000000000000000",
                "\\result <= 0xffffffffffffffff",
                "\\forall struct node *v; v != NULL && reach(next, a, v) ==> v->word <= \\result",
            ];
            return Some(
                if g.tape.percent(30) { g.tape.pick(&number) } else { g.tape.pick(&more) }
                    .to_owned(),
            );
        }
        Returned::Any if g.tape.percent(60) => {
            return Some(
                g.tape.pick(&["\\result == NULL", "\\result != NULL", "\\result == a"]).to_owned(),
            );
        }
        _ => {}
    }
    if g.features.is_empty() {
        return None;
    }
    let feature = g.features[g.tape.below(g.features.len())];
    let what = match feature {
        Feature::Words => {
            g.tape.pick(&["v->word >= 5", "v->word == \\old(v->word)", "v->word >= 0"])
        }
        Feature::Any => g.tape.pick(&["v->any == NULL", "v->any == \\old(v->any)", "v->any != a"]),
        Feature::Spots => g.tape.pick(&["v->spot == &v->key", "v->spot == \\old(v->spot)"]),
        Feature::Inner => g.tape.pick(&["v->in.x == 3", "v->in.x == \\old(v->in.x)"]),
        Feature::Cells => g.tape.pick(&["v->cells[0] == 1", "v->cells[1] == \\old(v->cells[1])"]),
        Feature::Blocks => g.tape.pick(&["v->key <= 0", "v->key == -1", "v->next == NULL"]),
        _ => return None,
    };
    let then = "\\old(reach(next, a, v)) && alloc(v)";
    Some(format!("\\forall struct node *v; v != NULL && {then} ==> {what}"))
}

/// What a procedure may write; nothing if it has no such clause.
pub fn assigns(g: &mut Generator) -> Option<String> {
    if g.tape.percent(75) {
        return None;
    }
    let mut places = Vec::new();
    for _ in 0..=g.tape.below(3) {
        let x = if g.params > 1 && g.tape.percent(30) { "b" } else { "a" };
        let set = |field: &str, filter: &str| {
            format!("{{ v->{field} | struct node *v; reach(next, {x}, v){filter} }}")
        };
        places.push(match g.tape.below(10) {
            0..=2 => set("next", ""),
            3 => set("key", ""),
            4 => set("flag", " && v->flag == 0"),
            5 => format!("{x}->next"),
            6 => format!("{x}->next->next"),
            7 => format!("*{x}"),
            _ if g.global => "g".to_owned(),
            _ if g.header => "h->first".to_owned(),
            _ if g.other => set("other", ""),
            _ => "\\nothing".to_owned(),
        });
    }
    if places.iter().any(|p| p == "\\nothing") {
        places = vec!["\\nothing".to_owned()];
    }
    Some(places.join(", "))
}

/// What is asserted in the middle.
pub fn assertion(g: &mut Generator) -> String {
    let (x, y) = (g.local(), g.local());
    if g.features.contains(&Feature::Words) && g.tape.percent(30) {
        return g.tape.pick(&["w >= 0", "w <= u", "w > 5", "w <= 0xffffffffffffffff"]).to_owned();
    }
    match g.tape.below(6) {
        0 => format!("reach(next, {x}, NULL)"),
        1 => format!("reach(next, a, {x})"),
        2 => format!("{x} != {y}"),
        3 => format!("{x} == NULL || alloc({x})"),
        4 => format!("\\forall struct node *v; v != NULL && reach(next, {x}, v) ==> alloc(v)"),
        _ => format!("{x} != NULL ==> {x}->next != {x}"),
    }
}
