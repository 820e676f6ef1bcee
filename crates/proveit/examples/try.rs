//! Scratch: what the analysis says of files.
use trellis_patterns::{Settings, lower};
use trellis_program::{CheckKind, CheckSet, InlineLimits, inline};
fn main() {
    let verbose = std::env::var("V").is_ok();
    for arg in std::env::args().skip(1) {
        let path = std::path::Path::new(&arg);
        let unit =
            trellis_front_c::load(path, &trellis_front_c::Options::default()).expect("a C file");
        let proc = unit
            .program
            .find_proc("main")
            .or_else(|| {
                (0..unit.program.procs.len())
                    .map(|i| trellis_program::ProcId(i as u32))
                    .find(|p| unit.program.proc(*p).body.is_some())
            })
            .unwrap();
        let inlined = inline(&unit.program, proc, InlineLimits::default()).expect("inlined");
        let mut checks = CheckSet::default();
        if std::env::var("GC").is_ok()
            || ["alt-list.c", "alt-list-bug.c"].iter().any(|n| arg.ends_with(n))
            || arg.contains("tree")
            || arg.contains("leaves")
        {
            checks.set(CheckKind::Leak, false);
        }
        let low = match lower(
            &inlined.program,
            inlined.proc,
            &Settings { checks, malloc_may_fail: false },
        ) {
            Ok(l) => l,
            Err(e) => {
                println!("{arg}: refused {}", e.reason);
                continue;
            }
        };
        if verbose {
            for (i, b) in low.blocks.iter().enumerate() {
                println!("block {i} head {} ", low.heads.contains(&i));
                for s in &b.steps {
                    println!("   {:?}", s.op);
                }
                println!("   -> {:?}", b.exit);
            }
            println!("{:?}", low.words.partition);
        }
        for low in trellis_proveit::vocabulary::stages(&low) {
            let starts = match trellis_patterns::initial::starts(
                &low,
                inlined.program.proc(inlined.proc).span,
            ) {
                Ok(s) => s,
                Err(e) => {
                    println!("{arg}: {}", e.reason);
                    continue;
                }
            };
            if !low.left_out.is_empty() {
                println!(
                    "   left out {:?}",
                    low.left_out.iter().map(|r| r.reason.clone()).collect::<Vec<_>>()
                );
            }
            let t = std::time::Instant::now();
            let confirm = |l: &std::collections::BTreeMap<usize, trellis_patterns::Label>| {
                trellis_patterns::check::check(
                    &inlined.program,
                    &low,
                    l,
                    &trellis_patterns::check::Options { checks, ..Default::default() },
                )
                .is_ok()
            };
            let a = trellis_proveit::analyse::refine(
                &low,
                checks,
                &starts,
                &Default::default(),
                &confirm,
            );
            println!(
                "{arg}: {:?} proof={} keys={:?} heads={:?} steps={} {:?}",
                a.outcome,
                a.is_proof(),
                a.keys,
                a.labels
                    .iter()
                    .map(|(h, l)| (*h, l.0.len(), l.0.iter().map(|p| p.nodes.len()).sum::<usize>()))
                    .collect::<Vec<_>>(),
                a.steps,
                t.elapsed()
            );
            for e in &a.events {
                println!("   {:?} line {}", e.what, inlined.program.sources.line_col(e.span).0);
                if verbose {
                    show(&low, &e.pattern);
                }
            }
            let done = a.is_confirmed;
            if a.is_proof() {
                let t = std::time::Instant::now();
                println!(
                    "   check: {:?} {:?}",
                    trellis_patterns::check::check(
                        &inlined.program,
                        &low,
                        &a.labels,
                        &trellis_patterns::check::Options { checks, ..Default::default() }
                    ),
                    t.elapsed()
                );
            }
            if verbose {
                for (h, l) in &a.labels {
                    println!(" head {h}");
                    for p in &l.0 {
                        show(&low, p);
                    }
                }
            }
            if let Ok(mode) = std::env::var("IMPACT") {
                use trellis_proveit::{
                    examples::Runner, impact::*, oracle::automatic::Automatic, post::Post,
                };
                let options = trellis_program::concrete::MachineOptions {
                    checks,
                    ints: vec![-1, 0, 1, 2, 3, 4, 5, 7],
                    ..Default::default()
                };
                let machine = trellis_program::concrete::Machine::new(&inlined.program, options);
                let budget: trellis_logic::Budget = Default::default();
                let first = if mode == "c" { a.labels.clone() } else { Default::default() };
                let mut oracle = Automatic::new(&low, checks, &budget, first);
                let runner = Runner {
                    program: &inlined.program,
                    proc: inlined.proc,
                    patterns: &low,
                    checks,
                    machine: &machine,
                    work: &budget.work,
                };
                let t = std::time::Instant::now();
                let mut impact = Impact::new(
                    Post { program: &low, checks },
                    runner,
                    &mut oracle,
                    &budget,
                    starts.clone(),
                    MANY,
                );
                let v = impact.unwind();
                let text = match &v {
                    Verdict::Proved(l) => {
                        format!("proved {} patterns", l.values().map(|l| l.0.len()).sum::<usize>())
                    }
                    Verdict::Violated(c) => format!("violated {:?}", c.failure.kind),
                    Verdict::Unknown(s) => {
                        format!("unknown {} {:?}", s.reason, s.event.as_ref().map(|e| &e.what))
                    }
                    other => format!("{other:?}"),
                };
                println!("   impact: {text} {:?} {:?}", impact.counts(), t.elapsed());
                if verbose {
                    println!("{:?}", impact.log);
                }
            }
            if done {
                break;
            }
        }
    }
}
fn show(low: &trellis_patterns::PatternProgram, p: &trellis_patterns::Pattern) {
    println!("   --");
    for (v, t) in low.words.pointers.iter().zip(&p.vars) {
        if *t != trellis_patterns::Target::Dead {
            print!("   {}={:?}", v.name, t);
        }
    }
    for (v, t) in low.words.scalars.iter().zip(&p.scalars) {
        print!("   {}={:b}", v.name, t.0);
    }
    println!();
    for (i, n) in p.nodes.iter().enumerate() {
        println!(
            "     {i}: {} sh={:b} col={:x?} {:?}",
            if n.summary { "*" } else { "1" },
            n.sharing.0,
            n.colours.iter().map(|c| c.0).collect::<Vec<_>>(),
            n.fields.iter().map(|t| t.iter().collect::<Vec<_>>()).collect::<Vec<_>>()
        );
    }
}
