//! Work on many things at once, with the results in order.
//!
//! **Invariant.** Results are handed over one after the other, in the order of the things, each as
//! soon as all before it were: what is printed does not depend on the number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// As much stack as deep formulas and programs need.
pub const STACK: usize = 64 << 20;

/// Works on every item on so many threads, and hands the results over in order.
///
/// # Errors
/// The first that `done` gives; what is in work then is not waited for longer than it takes.
pub fn in_order<T: Sync, R: Send, E>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
    mut done: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.min(items.len());
    if threads <= 1 {
        return items.iter().try_for_each(|item| done(work(item)));
    }
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (sender, next, work) = (sender.clone(), &next, &work);
            let run = move || {
                while let Some(item) = {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    items.get(i).map(|item| (i, item))
                } {
                    // If nobody wants the rest, nothing more is begun.
                    if sender.send((item.0, work(item.1))).is_err() {
                        return;
                    }
                }
            };
            // What one thread cannot do the others will.
            if thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        drop(sender);
        let mut waiting: Vec<Option<R>> = items.iter().map(|_| None).collect();
        let mut at = 0;
        for (i, result) in receiver {
            waiting[i] = Some(result);
            while let Some(result) = waiting.get_mut(at).and_then(Option::take) {
                done(result)?;
                at += 1;
            }
        }
        // Not even one thread could be had.
        items[at..].iter().try_for_each(|item| done(work(item)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        let items: Vec<usize> = (0..200).collect();
        for threads in [1, 2, 8] {
            let mut seen = Vec::new();
            let slow = |i: &usize| {
                thread::sleep(std::time::Duration::from_micros((i * 37 % 11) as u64 * 20));
                *i
            };
            let done = |i| -> Result<(), ()> {
                seen.push(i);
                Ok(())
            };
            in_order(&items, threads, slow, done).expect("nothing fails");
            assert_eq!(seen, items);
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let items: Vec<usize> = (0..100_000).collect();
        let begun = AtomicUsize::new(0);
        let work = |i: &usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            thread::sleep(std::time::Duration::from_micros(50));
            *i
        };
        let failed = in_order(&items, 2, work, |_| Err("full"));
        assert_eq!(failed, Err("full"));
        assert!(begun.load(Ordering::Relaxed) < items.len());
    }
}
