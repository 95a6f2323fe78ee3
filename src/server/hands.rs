//! The threads on which calls are worked at: one for each call, kept for the next.
//!
//! Work that takes long can be made to step back, so that the processor goes first to whoever asks for a moment of it. What
//! the work is, and whose, is not known here.

use super::places::Standing;
use std::any::Any;
use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

/// Deep code is walked by recursion; address space costs nothing.
const STACK: usize = 16 << 20;

/// A thread without work is kept for so long.
const KEPT: Duration = Duration::from_secs(10);

/// What the threads share.
#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    more: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    n_idle: usize,
}

struct Job {
    work: Box<dyn FnOnce() + Send>,
    pace: Pace,
}

/// Threads that work.
#[derive(Default)]
pub struct Hands(Arc<Shared>);

/// What work came to, or what it said when it broke off.
pub type Done<T> = Result<T, Box<dyn Any + Send>>;

/// How a piece of work goes.
#[derive(Clone, Default)]
pub struct Pace(Arc<Mutex<Stage>>);

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Stage {
    #[default]
    Waiting,
    Working(thread::Id),
    SteppedBack,
}

impl Hands {
    /// Has `work` done. Nothing is sent where the system gives no thread for it.
    /// A thread that works [`Standing::Behind`] is that work's own.
    pub fn put<T: Send + 'static>(
        &self,
        standing: Standing,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> (oneshot::Receiver<Done<T>>, Pace) {
        let (done, receiver) = oneshot::channel();
        let pace = Pace::default();
        let work = move || {
            // What was shared with work that broke off is not looked at again.
            let _ = done.send(catch_unwind(AssertUnwindSafe(work)));
        };
        let job = Job { work: Box::new(work), pace: pace.clone() };
        match standing {
            Standing::Beside => self.hand_out(job),
            // A thread that cannot be had drops the work, and whoever waits for it is told.
            Standing::Behind => drop(begin(move || {
                job.pace.enter(Stage::Working(thread::own()));
                job.pace.step_back();
                (job.work)();
                job.pace.leave();
            })),
        }
        (receiver, pace)
    }

    fn hand_out(&self, job: Job) {
        let mut state = self.0.locked();
        state.jobs.push_back(job);
        if state.n_idle >= state.jobs.len() {
            self.0.more.notify_one();
            return;
        }
        let shared = Arc::clone(&self.0);
        if begin(move || shared.work()).is_err() {
            state.jobs.pop_back();
        }
    }
}

/// From now on this thread has the processor only where nobody else wants it.
pub fn step_back() {
    thread::step_back(thread::own());
}

fn begin(work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name("call".to_owned()).stack_size(STACK).spawn(work)
}

impl Shared {
    /// Works until there has been nothing to do for a while. A thread that stepped back cannot come forward again, so it
    /// ends with its work.
    fn work(&self) {
        while let Some(Job { work, pace }) = self.next() {
            pace.enter(Stage::Working(thread::own()));
            work();
            if pace.leave() == Stage::SteppedBack {
                return;
            }
        }
    }

    fn next(&self) -> Option<Job> {
        let mut state = self.locked();
        state.n_idle += 1;
        let waited = self.more.wait_timeout_while(state, KEPT, |state| state.jobs.is_empty());
        let (mut state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.n_idle -= 1;
        state.jobs.pop_front()
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pace {
    /// From now on the work has the processor only where nobody else wants it.
    pub fn step_back(&self) {
        // Held meanwhile, so that the thread does not go on to other work.
        let mut stage = self.locked();
        if let Stage::Working(id) = *stage
            && thread::step_back(id)
        {
            *stage = Stage::SteppedBack;
        }
    }

    fn enter(&self, stage: Stage) {
        *self.locked() = stage;
    }

    fn leave(&self) -> Stage {
        std::mem::take(&mut self.locked())
    }

    fn locked(&self) -> MutexGuard<'_, Stage> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(target_os = "linux")]
mod thread {
    //! A thread as Linux knows it: each has a priority of its own.

    use rustix::process::{Pid, getpriority_process, setpriority_process};

    /// So many steps back are a tenth of the share that the thread had where there is somebody to share with.
    const STEPS: i32 = 10;

    /// There is nothing behind this.
    const LAST: i32 = 19;

    pub type Id = Pid;

    pub fn own() -> Id {
        rustix::thread::gettid()
    }

    pub fn step_back(id: Id) -> bool {
        let stepped_back = getpriority_process(Some(id))
            .and_then(|own| setpriority_process(Some(id), (own + STEPS).min(LAST)));
        stepped_back.is_ok()
    }
}

#[cfg(not(target_os = "linux"))]
mod thread {
    //! Elsewhere a priority is the whole process's, and stays what it is.

    pub type Id = ();

    pub fn own() -> Id {}

    pub fn step_back((): Id) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_is_done_and_its_thread_kept() {
        let hands = Hands::default();
        let mut names = Vec::new();
        for _ in 0..3 {
            let (done, _) = hands.put(Standing::Beside, || std::thread::current().id());
            names.push(done.await.unwrap().unwrap());
            while hands.0.locked().n_idle == 0 {
                tokio::task::yield_now().await;
            }
        }
        assert!(names.iter().all(|name| *name == names[0]));
    }

    #[tokio::test]
    async fn much_work_at_once_is_done_at_once() {
        let hands = Hands::default();
        let together = Arc::new(std::sync::Barrier::new(8));
        let works: Vec<_> = (0..8)
            .map(|_| {
                let together = Arc::clone(&together);
                hands.put(Standing::Beside, move || together.wait()).0
            })
            .collect();
        for work in works {
            assert!(work.await.unwrap().is_ok());
        }
    }

    #[tokio::test]
    async fn work_that_breaks_off_says_so_and_the_thread_goes_on() {
        let hands = Hands::default();
        let (done, _) = hands.put(Standing::Beside, || panic!("it broke"));
        let words = done.await.unwrap().map(|(): ()| ()).unwrap_err();
        assert_eq!(words.downcast_ref::<&str>(), Some(&"it broke"));
        assert_eq!(hands.put(Standing::Beside, || 7).0.await.unwrap().unwrap(), 7);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn work_that_stepped_back_leaves_the_next_work_its_priority() {
        let nice = || rustix::process::getpriority_process(Some(rustix::thread::gettid())).unwrap();
        let hands = Hands::default();
        let (go, gone) = std::sync::mpsc::channel::<()>();
        let (ready, is_ready) = oneshot::channel();
        let (done, pace) = hands.put(Standing::Beside, move || {
            ready.send(()).unwrap();
            gone.recv().unwrap();
            nice()
        });
        is_ready.await.unwrap();
        pace.step_back();
        go.send(()).unwrap();
        let usual = nice();
        assert_eq!(done.await.unwrap().unwrap(), (usual + 10).min(19));
        for _ in 0..3 {
            assert_eq!(hands.put(Standing::Beside, nice).0.await.unwrap().unwrap(), usual);
        }
        // Work that is over is left alone.
        pace.step_back();
        assert_eq!(hands.put(Standing::Beside, nice).0.await.unwrap().unwrap(), usual);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn work_behind_the_others_never_has_their_priority() {
        let nice = || rustix::process::getpriority_process(Some(rustix::thread::gettid())).unwrap();
        let (hands, usual) = (Hands::default(), nice());
        assert_eq!(
            hands.put(Standing::Behind, nice).0.await.unwrap().unwrap(),
            (usual + 10).min(19)
        );
        assert_eq!(hands.put(Standing::Beside, nice).0.await.unwrap().unwrap(), usual);
    }
}
