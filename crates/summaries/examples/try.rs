use std::path::Path;
use std::time::Instant;
use trellis_graphs::check::check;
use trellis_graphs::{Code, text};
use trellis_program::slice::slice;
use trellis_program::{Budget, CheckSet, InlineLimits, inline};
use trellis_summaries::Precision;
use trellis_summaries::search::{Failed, search};

fn main() {
    let verbose = std::env::var("V").is_ok();
    for file in std::env::args().skip(1) {
        let unit = match trellis_front_c::load(Path::new(&file), &Default::default()) {
            Ok(u) => u,
            Err(e) => {
                println!("{file}: error {e:?}");
                continue;
            }
        };
        let Some(proc) = unit.program.find_proc("main") else { continue };
        let (program, proc) = slice(&unit.program, proc);
        let inlined = match inline(&program, proc, InlineLimits::default()) {
            Ok(i) => i,
            Err(r) => {
                println!("{file}: refused {}", r[0].reason);
                continue;
            }
        };
        let code = match Code::new(&inlined.program, inlined.proc, CheckSet::default(), false) {
            Ok(c) => c,
            Err(r) => {
                println!("{file}: refused {}", r.reason);
                continue;
            }
        };
        let budget =
            Budget { timeout: Some(std::time::Duration::from_secs(10)), ..Budget::default() };
        for (i, precision) in Precision::LADDER.into_iter().enumerate() {
            let t = Instant::now();
            let found = search(&code, precision, &budget);
            let ms = t.elapsed().as_millis();
            match found {
                Ok(inv) => {
                    let n: usize = inv.values().map(Vec::len).sum();
                    if verbose {
                        for (b, gs) in &inv {
                            println!("block {}", b.0);
                            for g in gs {
                                println!("  {}", text::graph(&code, g));
                            }
                        }
                    }
                    println!(
                        "{file}: [{i}] ok, {n} graphs, {ms} ms; check {:?}",
                        check(&code, &inv, &budget)
                    );
                    break;
                }
                Err(Failed::Trouble(t, way)) => {
                    println!(
                        "{file}: [{i}] {ms} ms {:?}",
                        match &t.0 {
                            trellis_graphs::step::Trouble::Alarm { kind, span, .. } =>
                                format!("{kind} line {}", code.program.sources.line_col(*span).0),
                            trellis_graphs::step::Trouble::Outside { span, reason } =>
                                format!("{reason} line {}", code.program.sources.line_col(*span).0),
                        }
                    );
                    if verbose {
                        for (b, g) in &way {
                            println!(
                                "   via {} {}",
                                code.program.sources.line_col(code.body().block(*b).span_at(0)).0,
                                text::graph(&code, g)
                            );
                        }
                        println!("   in {}", text::graph(&code, &t.1));
                    }
                }
                Err(Failed::TooMany(b, gs)) => {
                    println!(
                        "{file}: [{i}] {ms} ms too many at line {}",
                        code.program.sources.line_col(code.body().block(b).span_at(0)).0
                    );
                    if verbose {
                        for g in gs.iter().rev().take(30) {
                            println!("    {}", text::graph(&code, g));
                        }
                    }
                }
                Err(f) => println!("{file}: [{i}] {ms} ms {f:?}"),
            }
        }
    }
}
