//! `trellis bench explore`.

use std::io;

use trellis_driver::{Budget, Options, Task, explore, select, verdict};
use trellis_program::Input;
use trellis_report::Exit;
use trellis_session::FrontEnds;

use crate::cli::BenchExplore;
use crate::output::Output;
use crate::verify::threads;

/// How often the exploration is measured.
const RUNS: usize = 5;

/// List reversal whose contract looks at the data, so that nodes with different data are different.
const REVERSE: &str = "\
struct node { struct node *next; int data; };
/*@ requires ls(next, h, NULL);
    ensures  ls(next, \\result, NULL);
    ensures  \\forall struct node *v; reach(next, \\result, v) <==> \\old(reach(next, h, v));
    ensures  \\forall struct node *v; v != NULL ==> v->data == \\old(v->data); */
struct node *reverse(struct node *h) {
    struct node *r = (void *) 0;
    while (h) {
        struct node *t = h->next;
        h->next = r;
        r = h;
        h = t;
    }
    return r;
}
";

/// Measures the exploration.
pub fn bench(options: &BenchExplore, output: &mut Output) -> io::Result<Exit> {
    let BenchExplore { nodes, threads: asked, memory } = options;
    let input = Input::Text { name: "reverse.c", text: REVERSE };
    let unit = FrontEnds::default().read(input).map_err(|_| io::Error::other("reverse.c"))?;
    let proc = select::find(&unit.program, "reverse").map_err(|e| io::Error::other(e.message))?;
    let options = Options { objects: *nodes, threads: threads(*asked), ..Options::default() };
    let task = Task::new(&unit.program, proc, &options);
    let budget = Budget { memory: *memory, ..Budget::default() };
    // The best of a few: what disturbs a measurement only ever makes it slower.
    let runs = (0..RUNS).map(|_| explore::measure(&task, &budget));
    let best = runs.max_by(|a, b| a.states_per_second.total_cmp(&b.states_per_second));
    let found = best.expect("there is at least one run");
    let cost = &found.statistics;
    let out = output.out();
    writeln!(out, "explore, list reversal up to {nodes} nodes, best of {RUNS} runs")?;
    writeln!(out, "  threads          {}", options.threads)?;
    writeln!(out, "  initial heaps    {}", cost.heaps)?;
    writeln!(out, "  states           {}", cost.states)?;
    writeln!(out, "  instructions     {}", cost.instructions)?;
    writeln!(out, "  seconds          {:.3}", cost.seconds)?;
    writeln!(out, "  states a second  {:.0}", found.states_per_second)?;
    writeln!(out, "  bytes a state    {:.1}", found.bytes_per_state)?;
    writeln!(out, "  peak memory      {}", verdict::bytes(cost.peak_bytes))?;
    if found.complete {
        return Ok(Exit::Good);
    }
    writeln!(out, "  incomplete: a budget ran out, or a check failed")?;
    Ok(Exit::Otherwise)
}
