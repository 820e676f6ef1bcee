//! Large heaps in few lines: what leads back along a list is said once.
//!
//! `2 -prev→ (1)`, a line a node, repeats what `1 → 2 → 3` says. It works on the lines of a drawing, so
//! that a saved report is shortened like a new one.

use std::collections::BTreeSet;

/// Fewer lines are left as they are.
const LEAST: usize = 3;

/// The lines with those of fields that lead back along a list united, a line a field.
pub(super) fn united(lines: &[String]) -> Vec<String> {
    let steps: BTreeSet<(&str, &str)> = lines.iter().flat_map(|l| list_steps(l)).collect();
    let leads_back = |(x, _, y): &(&str, &str, &str)| steps.contains(&(*y, *x));
    let edges: Vec<Option<(&str, &str, &str)>> =
        lines.iter().map(|line| back_edge(line).filter(leads_back)).collect();
    let mut out: Vec<String> = Vec::new();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for (line, edge) in lines.iter().zip(&edges) {
        let Some((first, field, _)) = *edge else {
            out.push(line.clone());
            continue;
        };
        let of_field = edges.iter().flatten().filter(|(_, f, _)| *f == field);
        let nodes: Vec<&str> = of_field.map(|(node, _, _)| *node).collect();
        if nodes.len() < LEAST {
            out.push(line.clone());
        } else if told.insert(field) {
            let last = nodes.last().copied().unwrap_or(first);
            let n = nodes.len();
            out.push(format!("{first} … {last} -{field}→ back along the list ({n} nodes)"));
        }
    }
    out
}

/// `h → 1{data=5} → 2 → (3)`: the steps from node to node.
fn list_steps(line: &str) -> Vec<(&str, &str)> {
    if line.contains(" -") {
        return Vec::new();
    }
    let label = |part: &str| part.find('{').unwrap_or(part.len());
    let parts = line.split(" → ").map(|part| part[..label(part)].trim_matches(['(', ')']));
    let parts: Vec<&str> = parts.collect();
    parts.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// `2 -prev→ (1)`: a node, its only field beside lists, and where that leads.
fn back_edge(line: &str) -> Option<(&str, &str, &str)> {
    let (node, rest) = line.split_once(" -")?;
    let (field, to) = rest.split_once("→ (")?;
    let to = to.strip_suffix(')')?;
    let plain = |s: &str| !s.is_empty() && !s.contains([' ', '(', ',', '→']);
    (plain(node) && plain(field) && plain(to)).then_some((node, field, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_doubly_linked_list_is_two_lines() {
        let text = "h → 1{data=5} → 2 → 3 → 4 → null\n1 -prev→ null\n2 -prev→ (1)\n3 -prev→ (2)\n4 -prev→ (3)";
        let expected = "h → 1{data=5} → 2 → 3 → 4 → null\n1 -prev→ null\n2 … 4 -prev→ back along the list (3 nodes)";
        assert_eq!(united(&lines(text)), lines(expected));
    }

    #[test]
    fn what_leads_elsewhere_stays() {
        let text = "h → 1 → 2 → 3 → 4 → null\n2 -prev→ (1)\n3 -prev→ (1)\n4 -prev→ (3)\n4 -up→ (1), -down→ (2)";
        assert_eq!(united(&lines(text)), lines(text), "only two lead back");
    }
}
