//! Explores every method of Java files; a scratch tool.
use std::path::Path;
use trellis_explore::{Config, Progress, explore};
use trellis_program::ProcId;

fn main() {
    let mut args = std::env::args().skip(1);
    let objects: usize = args.next().unwrap().parse().unwrap();
    for path in args {
        println!("== {path}");
        match trellis_front_java::load(Path::new(&path)) {
            Err(f) => {
                for d in &f.diagnostics {
                    let at = d.span.map(|s| f.sources.locate(s)).unwrap_or_default();
                    println!("  {at}: {:?}: {} {:?}", d.severity, d.message, d.help);
                }
            }
            Ok(unit) => {
                for d in &unit.diagnostics {
                    let at = d.span.map(|s| unit.program.sources.locate(s)).unwrap_or_default();
                    println!("  {at}: {:?}: {}", d.severity, d.message);
                }
                for i in 0..unit.program.procs.len() {
                    let id = ProcId(i as u32);
                    if unit.program.proc(id).body.is_none() {
                        continue;
                    }
                    let config = Config { objects, ..Config::default() };
                    let e = explore(&unit.program, id, &config, &Progress::default());
                    println!(
                        "  {}: {:?} heaps {} states {} {:.2}s",
                        unit.program.proc(id).name,
                        Summary(&e.outcome, &unit.program),
                        e.stats.heaps,
                        e.stats.states,
                        e.stats.seconds
                    );
                }
            }
        }
    }
}

struct Summary<'a>(&'a trellis_explore::Outcome, &'a trellis_program::Program);
impl std::fmt::Debug for Summary<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            trellis_explore::Outcome::Violated(v) => {
                let table = trellis_program::CheckTable::of(self.1);
                let check = table
                    .find(v.failure.point, v.failure.kind, v.failure.clause)
                    .map(|c| table.get(c));
                let span = check.map(|c| {
                    (
                        c.name.clone(),
                        self.1.sources.locate(c.span),
                        self.1.sources.snippet(c.span).to_owned(),
                    )
                });
                let heap = trellis_program::concrete::heap_text::print(
                    self.1,
                    v.failure.point.proc,
                    &v.initial,
                );
                write!(
                    f,
                    "VIOLATED {span:?} undefined={} heap: {}",
                    v.failure.undefined,
                    heap.replace('\n', "; ")
                )
            }
            other => write!(f, "{}", format!("{other:?}").chars().take(300).collect::<String>()),
        }
    }
}
