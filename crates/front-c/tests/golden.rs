//! Golden tests: `tests/golden/*.c` against the heap program beside them.
//!
//! `UPDATE_EXPECT=1 cargo test -p trellis-front-c` rewrites the `.ir` files; read the difference.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use trellis_front_c::{Options, Unit, load};
use trellis_program::print::print_procedure;
use trellis_program::{ProcId, Program};

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|e| e.expect("a folder entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    files
}

/// Everything but the types, which system headers flood.
fn dump(unit: &Unit) -> String {
    let program: &Program = &unit.program;
    let mut out = String::new();
    for global in &program.globals {
        let ty = program.types.name(global.ty);
        let ghost = if global.is_ghost { "ghost " } else { "" };
        let constant = if global.is_const { "const " } else { "" };
        let storage = global.storage;
        writeln!(out, "{ghost}{constant}{ty} {} // {storage:?}", global.name).expect("a string");
        for (offset, scalar, init) in &global.init {
            let bytes = program.types.bytes(*scalar);
            writeln!(out, "    at {offset}: {init:?} ({bytes} bytes)").expect("a string");
        }
    }
    for i in 0..program.procs.len() {
        out.push('\n');
        out.push_str(&print_procedure(program, ProcId(i as u32)));
    }
    for d in &unit.diagnostics {
        let place = d.span.map(|s| program.sources.line_col(s));
        let (line, col) = place.unwrap_or_default();
        writeln!(out, "{line}:{col}: {}: {}", d.severity, d.message).expect("a string");
    }
    out
}

#[test]
fn golden() {
    let files = programs();
    assert!(files.len() > 10, "the golden programs are missing");
    for file in files {
        let unit = load(&file, &Options::default())
            .unwrap_or_else(|f| panic!("{}: {:#?}", file.display(), f.diagnostics));
        expect_file![file.with_extension("ir")].assert_eq(&dump(&unit));
    }
}

#[test]
fn lowering_repeats_to_the_letter() {
    for file in programs() {
        let once = load(&file, &Options::default()).map(|u| dump(&u)).ok();
        let twice = load(&file, &Options::default()).map(|u| dump(&u)).ok();
        assert_eq!(once, twice, "{}", file.display());
    }
}
