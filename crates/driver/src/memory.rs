//! The memory of the process, as the system counts it; only Linux tells.

/// Resident bytes now.
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// The most bytes that were resident at once.
pub fn peak() -> Option<u64> {
    status("VmHWM:")
}

fn status(name: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
