//! The corpora that come with Trellis: what engines asked about list programs.
//!
//! They are part of the binary, so `trellis bench solver` works wherever it is installed.

/// Every file of `benchmarks/queries`, with its name.
pub const SHIPPED: &[(&str, &str)] = &[
    ("delete", include_str!("../../../../benchmarks/queries/delete.queries")),
    ("delete-errors", include_str!("../../../../benchmarks/queries/delete-errors.queries")),
    ("dll-delete", include_str!("../../../../benchmarks/queries/dll-delete.queries")),
    ("dll-delete-errors", include_str!("../../../../benchmarks/queries/dll-delete-errors.queries")),
    ("filter", include_str!("../../../../benchmarks/queries/filter.queries")),
    ("insertion-sort", include_str!("../../../../benchmarks/queries/insertion-sort.queries")),
    ("merge", include_str!("../../../../benchmarks/queries/merge.queries")),
    ("nested-flatten", include_str!("../../../../benchmarks/queries/nested-flatten.queries")),
    ("overlaid-delete", include_str!("../../../../benchmarks/queries/overlaid-delete.queries")),
    ("reverse", include_str!("../../../../benchmarks/queries/reverse.queries")),
    ("reverse-errors", include_str!("../../../../benchmarks/queries/reverse-errors.queries")),
    (
        "reverse-predicates",
        include_str!("../../../../benchmarks/queries/reverse-predicates.queries"),
    ),
    ("sorted-insert", include_str!("../../../../benchmarks/queries/sorted-insert.queries")),
    ("sorted-merge", include_str!("../../../../benchmarks/queries/sorted-merge.queries")),
    ("uf-find", include_str!("../../../../benchmarks/queries/uf-find.queries")),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_file_is_listed_and_small() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/queries");
        let mut names: Vec<String> = std::fs::read_dir(directory)
            .expect("the corpora are there")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|e| e == "queries"))
            .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
            .collect();
        names.sort_unstable();
        assert_eq!(names, SHIPPED.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        for (name, text) in SHIPPED {
            assert!(text.len() < 300_000, "{name} is large");
        }
        assert!(SHIPPED.iter().map(|(_, text)| text.len()).sum::<usize>() < 2_000_000);
    }
}
