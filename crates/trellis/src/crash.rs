//! What a panic says. A panic is our bug, and the user should not have to guess that.

use std::panic;

/// Replaces the message of panics.
pub fn install() {
    let standard = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // Not `eprintln!`, which panics when standard error is closed.
        let mut err = std::io::stderr();
        let text = format!(
            "\ninternal error: Trellis {} has a bug; your program is not to blame.\n\
             Please report it with the command line, the input file, and the lines below.\n\
             No verdict of this run counts.\n\n",
            env!("CARGO_PKG_VERSION")
        );
        let _ = std::io::Write::write_all(&mut err, text.as_bytes());
        standard(info);
    }));
}
