//! Repeats the comparison of paper 002: every row of Table 9 and the program of Fig. 1, with the
//! standard predicates of TVLA (Table 3) and with those of uninterrupted lists (Table 7).
//!
//! Run `cargo run --release -p trellis-canonical --example table9` in the root of the repository;
//! a name as argument selects one row, `--states` prints its structures.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use serde::Deserialize;
use trellis_canonical::core::Garbage;
use trellis_canonical::{Analysis, Options, Table3, Table7, Unsupported, analyse};
use trellis_logic::drawing::TextStyle;

#[derive(Deserialize)]
struct Manifest {
    row: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    name: String,
    file: String,
    proc: String,
    gc: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let selected: Vec<String> = std::env::args().skip(1).collect();
    let show_states = selected.iter().any(|a| a == "--states");
    let selected = selected.iter().find(|a| !a.starts_with("--"));
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/sll");
    let manifest: Manifest =
        toml::from_str(&std::fs::read_to_string(suite.join("manifest.toml"))?)?;
    println!(
        "{:18} {:7} {:>9} {:>10} {:>10} {:>6}  alarms",
        "row", "table", "ms", "structures", "steps", "preds"
    );
    for row in &manifest.row {
        if selected.is_some_and(|name| *name != row.name) {
            continue;
        }
        let config = trellis_front_c::Options::default();
        let Ok(unit) = trellis_front_c::load(&suite.join(&row.file), &config) else {
            return Err(format!("{} does not parse", row.file).into());
        };
        let program = unit.program;
        let proc = program.find_proc(&row.proc).ok_or("no such procedure")?;
        let garbage = if row.gc { Garbage::IsCollected } else { Garbage::Leaks };
        let options = Options { garbage, ..Options::default() };
        for table in ["3", "7"] {
            let start = Instant::now();
            let result = match table {
                "3" => analyse(&program, proc, Table3::default(), &options),
                _ => analyse(&program, proc, Table7::default(), &options),
            };
            report(&row.name, table, start.elapsed().as_secs_f64() * 1e3, &result);
            if let (true, Ok(analysis)) = (show_states, &result) {
                print_states(analysis);
            }
        }
    }
    Ok(())
}

fn report(name: &str, table: &str, ms: f64, result: &Result<Analysis, Unsupported>) {
    match result {
        Err(unsupported) => println!("{name:18} Table {table} {}", unsupported.reason),
        Ok(analysis) => {
            let mut alarms: Vec<String> = analysis
                .alarms
                .iter()
                .map(|a| format!("{}{}", a.kind.name(), if a.definite { "!" } else { "" }))
                .collect();
            alarms.extend(analysis.untranslated.iter().map(|(_, why)| format!("({why})")));
            println!(
                "{name:18} Table {table} {ms:9.1} {:10} {:10} {:6}  {}",
                analysis.structures,
                analysis.steps,
                analysis.predicates,
                alarms.join(", ")
            );
        }
    }
}

fn print_states(analysis: &Analysis) {
    for (point, structures) in &analysis.states {
        println!("block {} instruction {}: {}", point.block.0, point.instr, structures.len());
        for structure in structures {
            println!("{}\n", structure.drawing().to_text(TextStyle::Unicode));
        }
    }
    for alarm in &analysis.alarms {
        println!("ALARM {}", alarm.kind.name());
        println!("{}\n", alarm.structure.drawing().to_text(TextStyle::Unicode));
    }
}
