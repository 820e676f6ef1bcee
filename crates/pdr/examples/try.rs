use std::path::Path;
use trellis_pdr::*;
fn main() {
    for file in std::env::args().skip(1) {
        let (file, only) = match file.split_once(':') {
            Some((a, b)) => (a.to_string(), Some(b.to_string())),
            None => (file, None),
        };
        let unit = match trellis_front_c::load(Path::new(&file), &Default::default()) {
            Ok(u) => u,
            Err(e) => {
                println!("{file}: {:?}", e.diagnostics.first());
                continue;
            }
        };
        for (i, p) in unit.program.procs.iter().enumerate() {
            if p.body.is_none() {
                continue;
            }
            if only.as_ref().is_some_and(|o| *o != p.name) {
                continue;
            }
            let mut checks = trellis_program::CheckSet::default();
            for k in std::env::var("OFF").unwrap_or_default().split(',').filter(|s| !s.is_empty()) {
                checks.set(k.parse().unwrap(), false);
            }
            let inlined = match trellis_program::inline::inline(
                &unit.program,
                trellis_program::ProcId(i as u32),
                Default::default(),
            ) {
                Ok(x) => x,
                Err(e) => {
                    println!("{file}:{}: {:?}", p.name, e[0].message);
                    continue;
                }
            };
            let opts = trellis_transys::Options {
                checks,
                words: if std::env::var("EDGES").is_ok() {
                    trellis_transys::Words::Edges
                } else {
                    Default::default()
                },
                leak_turns: std::env::var("TURNS").ok().and_then(|s| s.parse().ok()).unwrap_or(1),
                ..Default::default()
            };
            let sys = match trellis_transys::build(&inlined.program, inlined.proc, &opts, &|| {
                Box::new(trellis_epr::EprSolver::default())
            }) {
                Ok(s) => s,
                Err(e) => {
                    println!("{file}:{}: unsupported {} at {:?}", p.name, e.reason, e.span);
                    continue;
                }
            };
            if std::env::var("SHOW").is_ok() {
                for a in &sys.axioms {
                    println!("axiom {}", sys.arena.print(&sys.vocabulary, *a));
                }
                for a in &sys.initial {
                    println!("init {}", sys.arena.print(&sys.vocabulary, *a));
                }
                for p in &sys.paths {
                    println!("path {:?} -> {:?} blocks {:?}", p.from, p.to, p.blocks);
                    for g in &p.guards {
                        println!("   {}", sys.arena.print(&sys.vocabulary, *g));
                    }
                }
            }
            let seed = std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
            let factory = move || -> Box<dyn trellis_solver::Solver> {
                Box::new(trellis_epr::EprSolver::new(trellis_epr::Options {
                    seed,
                    ..Default::default()
                }))
            };
            let mut config = Config::default();
            config.limits = trellis_solver::Limits::within(std::time::Duration::from_secs(
                std::env::var("T").ok().and_then(|s| s.parse().ok()).unwrap_or(60),
            ));
            config.minimise_models = std::env::var("NOMIN").is_err();
            let (out, stats, sys) = run(sys, &factory, &config);
            let what = match &out {
                Outcome::Verified(inv) => {
                    if std::env::var("INV").is_ok() {
                        for c in inv.clauses.iter().flatten() {
                            println!("  {}", sys.arena.print(&sys.vocabulary, *c));
                        }
                    }
                    format!("verified with {} clauses", inv.len())
                }
                Outcome::Violated(t) => {
                    if std::env::var("INV").is_ok() {
                        for p in &t.paths {
                            println!(
                                "path {:?} blocks {:?}",
                                sys.paths[*p].from, sys.paths[*p].blocks
                            );
                        }
                        println!(
                            "{}",
                            trellis_logic::Drawing::from_structure(&t.initial)
                                .to_text(trellis_logic::drawing::TextStyle::Unicode)
                        );
                        println!(
                            "alloc {:?} reach {:?}",
                            t.initial.tuples(sys.symbols.alloc.entry),
                            sys.symbols
                                .pointers
                                .iter()
                                .map(|f| t.initial.tuples(f.closure.entry))
                                .collect::<Vec<_>>()
                        );
                        for f in sys.vocabulary.funs() {
                            if sys.vocabulary.fun(f).args.is_empty() {
                                println!(
                                    "{} = {:?}",
                                    sys.vocabulary.fun(f).name,
                                    t.initial.constant(f)
                                );
                            }
                        }
                    }
                    format!("violated {:?} in {} steps", t.error.kind, t.paths.len())
                }
                Outcome::NoInvariant(t) => {
                    if std::env::var("INV").is_ok() {
                        for s in t {
                            println!(
                                "--- {:?} path {:?}\n{}",
                                s.state.at,
                                sys.paths[s.path].blocks,
                                trellis_logic::Drawing::from_structure(&s.state.structure)
                                    .to_text(trellis_logic::drawing::TextStyle::Unicode)
                            );
                        }
                    }
                    format!(
                        "no invariant, trace {} ending in {:?}",
                        t.len(),
                        t.last().unwrap().error(&sys)
                    )
                }
                Outcome::Unknown(u) => format!("unknown {u}"),
            };
            println!(
                "{file}:{}: {what}  N={} q={} block={} push={} lemmas={} {:.3}s solver {:.3}s paths {}",
                p.name,
                stats.frames,
                stats.queries,
                stats.blocking,
                stats.pushing,
                stats.lemmas,
                stats.seconds,
                stats.solver_seconds,
                sys.paths.len()
            );
        }
    }
}
