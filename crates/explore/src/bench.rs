//! Exploration speed, as `trellis bench explore` prints it.

use trellis_program::{ProcId, Program};

use crate::{Config, Exploration, Progress, explore};

/// One measured exploration.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// What was found and what it took.
    pub exploration: Exploration,
    /// Distinct states a second.
    pub states_per_second: f64,
    /// Average bytes of a stored state, its index entry included.
    pub bytes_per_state: f64,
}

/// Explores once and measures.
pub fn measure(program: &Program, proc: ProcId, config: &Config) -> Measurement {
    let exploration = explore(program, proc, config, &Progress::default());
    let stats = &exploration.stats;
    Measurement {
        states_per_second: stats.states as f64 / stats.seconds.max(1e-9),
        bytes_per_state: stats.stored_bytes as f64 / (stats.states.max(1)) as f64,
        exploration,
    }
}
