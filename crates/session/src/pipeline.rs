//! Programs that are opened and worked on by many threads, with the results in order.
//!
//! A program has so many tasks, which nobody knows before it was opened. A thread that looks for work
//! takes the first task of the first open program, and opens the next program only if there is none;
//! so small programs keep all threads busy, and so does a single large one.
//!
//! **Invariants.**
//! * Results are handed over one after the other, in the order of the programs and of the tasks of
//!   each, each as soon as all before it were: what is printed does not depend on the number of threads.
//! * No more than [`AHEAD`] programs are open beyond those that were handed over, so memory does not
//!   grow with the number of programs.

use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::side_by_side::STACK;

/// So many programs may be open before the first of them has all its results.
const AHEAD: usize = 64;

/// What is done with programs.
pub trait Stages: Sync {
    /// A program that was opened.
    type Program: Send + Sync;
    /// What comes of a task.
    type Answer: Send;

    /// Opens a program.
    fn open(&self, number: usize) -> Self::Program;
    /// How many tasks it has.
    fn tasks(&self, program: &Self::Program) -> usize;
    /// Does a task.
    fn work(&self, program: &Self::Program, task: usize) -> Self::Answer;
}

/// What is handed over.
pub enum Step<'p, S: Stages> {
    /// A program was opened; what follows is about it.
    Opened(&'p S::Program),
    /// A task was done.
    Answered(&'p S::Program, S::Answer),
    /// All tasks of the program were.
    Closed(&'p S::Program),
}

/// Opens so many programs and does their tasks on so many threads.
///
/// # Errors
/// The first that `done` gives; what is in work then is not waited for longer than it takes.
pub fn in_order<S: Stages, E>(
    stages: &S,
    programs: usize,
    threads: usize,
    done: impl FnMut(Step<'_, S>) -> Result<(), E>,
) -> Result<(), E> {
    let desk = Desk { state: Mutex::default(), changed: Condvar::new(), programs };
    let mut counter = Counter { stages, desk: &desk, first: BTreeMap::new(), at: 0, done };
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let mut begun = 0;
        for _ in 0..threads {
            let (sender, desk) = (sender.clone(), &desk);
            let run = move || serve(stages, desk, &sender);
            // What one thread cannot do the others will.
            if thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).is_err() {
                break;
            }
            begun += 1;
        }
        drop(sender);
        let _end = End(&desk);
        if begun == 0 {
            while let Some(job) = desk.job() {
                counter.take(perform(stages, &desk, job))?;
            }
        }
        receiver.into_iter().try_for_each(|message| counter.take(message))
    })
}

/// What threads do next.
enum Job<P> {
    Open(usize),
    Task { number: usize, program: Arc<P>, task: usize },
}

/// What they have done.
enum Message<P, A> {
    Opened { number: usize, program: Arc<P> },
    Answered { number: usize, task: usize, answer: A },
}

/// Where threads look for work.
struct Desk<P> {
    state: Mutex<State<P>>,
    changed: Condvar,
    programs: usize,
}

struct State<P> {
    /// Open programs with tasks that nobody has begun.
    waiting: BTreeMap<usize, Tasks<P>>,
    /// The next program to open.
    next: usize,
    /// Programs that are being opened.
    opening: usize,
    /// Programs that were handed over whole.
    closed: usize,
    /// Nobody wants the rest.
    ended: bool,
}

impl<P> Default for State<P> {
    fn default() -> State<P> {
        State { waiting: BTreeMap::new(), next: 0, opening: 0, closed: 0, ended: false }
    }
}

struct Tasks<P> {
    program: Arc<P>,
    next: usize,
    of: usize,
}

impl<P> Desk<P> {
    fn state(&self) -> MutexGuard<'_, State<P>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, how: impl FnOnce(&mut State<P>)) {
        how(&mut self.state());
        self.changed.notify_all();
    }

    /// Something to do; nothing if there will be nothing more.
    fn job(&self) -> Option<Job<P>> {
        let mut state = self.state();
        loop {
            if state.ended {
                return None;
            }
            if let Some(mut first) = state.waiting.first_entry() {
                let number = *first.key();
                let Tasks { program, next, of } = first.get_mut();
                let job = Job::Task { number, program: Arc::clone(program), task: *next };
                *next += 1;
                if next == of {
                    first.remove();
                }
                return Some(job);
            }
            let number = state.next;
            if number < self.programs && number < state.closed + AHEAD {
                state.next += 1;
                state.opening += 1;
                return Some(Job::Open(number));
            }
            if number == self.programs && state.opening == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Sends everybody home: when the results were taken, nobody wants them, or a thread has panicked.
struct End<'d, P>(&'d Desk<P>);

impl<P> Drop for End<'_, P> {
    fn drop(&mut self) {
        self.0.change(|state| state.ended = true);
    }
}

/// What a thread does.
fn serve<S: Stages>(
    stages: &S,
    desk: &Desk<S::Program>,
    sender: &Sender<Message<S::Program, S::Answer>>,
) {
    // A panic must not let the others wait for ever.
    let panicked = End(desk);
    while let Some(job) = desk.job() {
        if sender.send(perform(stages, desk, job)).is_err() {
            break;
        }
    }
    std::mem::forget(panicked);
}

/// Does what is next.
fn perform<S: Stages>(
    stages: &S,
    desk: &Desk<S::Program>,
    job: Job<S::Program>,
) -> Message<S::Program, S::Answer> {
    match job {
        Job::Open(number) => {
            let program = Arc::new(stages.open(number));
            let of = stages.tasks(&program);
            desk.change(|state| {
                state.opening -= 1;
                if of > 0 {
                    let tasks = Tasks { program: Arc::clone(&program), next: 0, of };
                    state.waiting.insert(number, tasks);
                }
            });
            Message::Opened { number, program }
        }
        Job::Task { number, program, task } => {
            Message::Answered { number, task, answer: stages.work(&program, task) }
        }
    }
}

/// Where results wait for those before them.
struct Counter<'a, S: Stages, F> {
    stages: &'a S,
    desk: &'a Desk<S::Program>,
    /// From the number of a program to what there is of it.
    first: BTreeMap<usize, Results<S>>,
    /// The program that is handed over.
    at: usize,
    done: F,
}

struct Results<S: Stages> {
    program: Option<Arc<S::Program>>,
    answers: BTreeMap<usize, S::Answer>,
    /// The task whose answer is next; none if not even the program was handed over.
    next: Option<usize>,
}

impl<S: Stages, F> Counter<'_, S, F> {
    /// Takes a result, and hands over all that can be.
    fn take<E>(&mut self, message: Message<S::Program, S::Answer>) -> Result<(), E>
    where
        F: FnMut(Step<'_, S>) -> Result<(), E>,
    {
        let empty = || Results { program: None, answers: BTreeMap::new(), next: None };
        match message {
            Message::Opened { number, program } => {
                self.first.entry(number).or_insert_with(empty).program = Some(program);
            }
            Message::Answered { number, task, answer } => {
                let results = self.first.entry(number).or_insert_with(empty);
                results.answers.insert(task, answer);
            }
        }
        while let Some(results) = self.first.get_mut(&self.at)
            && let Some(program) = &results.program
        {
            let next = match &mut results.next {
                Some(next) => next,
                unopened => {
                    (self.done)(Step::Opened(program.as_ref()))?;
                    unopened.insert(0)
                }
            };
            while let Some(answer) = results.answers.remove(next) {
                (self.done)(Step::Answered(program.as_ref(), answer))?;
                *next += 1;
            }
            if *next < self.stages.tasks(program) {
                break;
            }
            (self.done)(Step::Closed(program.as_ref()))?;
            self.first.remove(&self.at);
            self.at += 1;
            let closed = self.at;
            self.desk.change(|state| state.closed = closed);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Program n has n % 4 tasks; the more a thread has done, the slower it is.
    struct Counting {
        open: AtomicUsize,
        most: AtomicUsize,
        begun: AtomicUsize,
    }

    /// A program that tells when nobody has it any more.
    struct Program<'c>(usize, &'c AtomicUsize);

    impl Drop for Program<'_> {
        fn drop(&mut self) {
            self.1.fetch_sub(1, Ordering::Relaxed);
        }
    }

    impl Counting {
        fn new() -> Counting {
            let zero = || AtomicUsize::new(0);
            Counting { open: zero(), most: zero(), begun: zero() }
        }
    }

    impl<'c> Stages for &'c Counting {
        type Program = Program<'c>;
        type Answer = (usize, usize);

        fn open(&self, number: usize) -> Program<'c> {
            let open = self.open.fetch_add(1, Ordering::Relaxed) + 1;
            self.most.fetch_max(open, Ordering::Relaxed);
            Program(number, &self.open)
        }

        fn tasks(&self, program: &Program<'c>) -> usize {
            program.0 % 4
        }

        fn work(&self, program: &Program<'c>, task: usize) -> (usize, usize) {
            self.begun.fetch_add(1, Ordering::Relaxed);
            let micros = (program.0 * 37 + task * 11) % 13 * 20;
            thread::sleep(std::time::Duration::from_micros(micros as u64));
            (program.0, task)
        }
    }

    #[test]
    fn results_come_in_order_and_few_programs_are_open() {
        let mut expected = Vec::new();
        for number in 0..500 {
            expected.push(format!("{number} opened"));
            expected.extend((0..number % 4).map(|task| format!("{number} {task}")));
            expected.push(format!("{number} closed"));
        }
        for threads in [1, 2, 8] {
            let counting = Counting::new();
            let mut seen = Vec::new();
            let done = |step: Step<'_, &Counting>| -> Result<(), ()> {
                seen.push(match step {
                    Step::Opened(program) => format!("{} opened", program.0),
                    Step::Answered(_, (number, task)) => format!("{number} {task}"),
                    Step::Closed(program) => format!("{} closed", program.0),
                });
                Ok(())
            };
            in_order(&&counting, 500, threads, done).expect("nothing fails");
            assert_eq!(seen, expected);
            // Those that threads have just finished may not be forgotten yet.
            let most = counting.most.load(Ordering::Relaxed);
            assert!(most <= AHEAD + threads, "{most}");
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let counting = Counting::new();
        let mut steps = 0;
        let done = |_: Step<'_, &Counting>| {
            steps += 1;
            if steps > 20 { Err("full") } else { Ok(()) }
        };
        assert_eq!(in_order(&&counting, 100_000, 2, done), Err("full"));
        assert!(counting.begun.load(Ordering::Relaxed) < 1000);
    }

    #[test]
    fn a_panic_is_passed_on() {
        struct Bad;
        impl Stages for Bad {
            type Program = usize;
            type Answer = ();

            fn open(&self, number: usize) -> usize {
                assert!(number != 7, "an unlucky program");
                number
            }

            fn tasks(&self, _: &usize) -> usize {
                1
            }

            fn work(&self, _: &usize, _: usize) {}
        }
        let ran = std::panic::catch_unwind(|| in_order(&Bad, 1000, 3, |_| Ok::<(), ()>(())));
        assert!(ran.is_err());
    }
}
