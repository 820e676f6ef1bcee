//! The examples of the manual are contracts that resolve.

use super::{World, render, run};

const MANUAL: &str = include_str!("../../../../../docs/src/contracts.md");

/// The annotations in C code, comment markers included.
fn annotations(code: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = ["/*@", "//@"].iter().filter_map(|m| rest.find(m)).min() {
        rest = &rest[at..];
        let end =
            if rest.starts_with("/*") { rest.find("*/").map(|i| i + 2) } else { rest.find('\n') };
        let (annotation, after) = rest.split_at(end.unwrap_or(rest.len()));
        found.push(annotation);
        rest = after;
    }
    found
}

#[test]
fn examples_of_the_manual_resolve() {
    let mut world = World::new();
    let node = world.vars["h"];
    let int = world.vars["n"];
    let link = world.records["list_head"];
    let link = world.types.intern(trellis_program::types::Type::Ptr(link));
    world.vars.extend([
        ("n", node),
        ("v", node),
        ("x", int),
        ("head", super::VarRef { ty: link, ..node }),
    ]);
    let mut count = 0;
    for block in MANUAL.split("```c\n").skip(1) {
        let code = block.split("```").next().unwrap_or("");
        for text in annotations(code) {
            count += 1;
            if let Err(errors) = run(text, &mut world) {
                panic!("{text}\n{}", render(text, &errors[0]));
            }
        }
    }
    assert!(count >= 12, "{count} examples");
}
