//! Random contracts: mostly what such procedures promise, now and then something else.

use super::generate::Generator;

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
    for list in &lists {
        if g.tape.percent(96) {
            out.push(format!("reach(next, {list}, NULL)"));
        }
        if g.other && g.tape.percent(92) {
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
        out.push("a != NULL".to_owned());
    }
    out
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
    for _ in 0..[0, 1, 1, 1, 2, 2][g.tape.below(6)] {
        let x = g.tape.pick(&["\\result", "\\result", "a", "a"]);
        let y = if g.params > 1 && g.tape.percent(30) { "b" } else { "a" };
        let y = if g.global && g.tape.percent(20) { "g" } else { y };
        let y = if g.header && g.tape.percent(30) { "h->first" } else { y };
        let now = format!("reach(next, {x}, v)");
        let then = format!("\\old(reach(next, {y}, v))");
        out.push(match g.tape.below(22) {
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
            _ => format!("\\exists struct node *v; {now} && v != NULL && v->next == NULL"),
        });
    }
    out
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
    match g.tape.below(6) {
        0 => format!("reach(next, {x}, NULL)"),
        1 => format!("reach(next, a, {x})"),
        2 => format!("{x} != {y}"),
        3 => format!("{x} == NULL || alloc({x})"),
        4 => format!("\\forall struct node *v; v != NULL && reach(next, {x}, v) ==> alloc(v)"),
        _ => format!("{x} != NULL ==> {x}->next != {x}"),
    }
}
