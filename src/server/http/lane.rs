//! A thread behind the others for long messages: reading a megabyte of JSON keeps a thread for a while, and the threads
//! that answer everybody are not kept.

use crate::server::hands;
use std::sync::OnceLock;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// Deep code is walked by recursion; address space costs nothing.
const STACK: usize = 16 << 20;

/// The thread, from the first message on that goes there until this is dropped.
#[derive(Default)]
pub struct Lane(OnceLock<Option<Running>>);

struct Running {
    handle: Handle,
    /// Ends the thread when it is dropped.
    _until: oneshot::Sender<()>,
}

impl Lane {
    /// Does `work` on that thread, and stops it where nobody waits for it any more; in place where the system gives no
    /// thread.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let Some(running) = self.0.get_or_init(begin) else { return Some(work.await) };
        // A set of tasks stops them when it is dropped.
        let mut tasks = JoinSet::new();
        tasks.spawn_on(work, &running.handle);
        tasks.join_next().await?.ok()
    }
}

fn begin() -> Option<Running> {
    let runtime = Builder::new_current_thread().enable_all().build().ok()?;
    let handle = runtime.handle().clone();
    let (until, ended) = oneshot::channel::<()>();
    let thread = std::thread::Builder::new().name("lane".to_owned()).stack_size(STACK);
    let begun = thread.spawn(move || {
        hands::step_back();
        let _ = runtime.block_on(ended);
    });
    begun.ok()?;
    Some(Running { handle, _until: until })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn work_is_done_on_a_thread_of_its_own_that_stays() {
        let lane = Lane::default();
        let mut threads = Vec::new();
        for _ in 0..2 {
            threads.push(lane.run(async { std::thread::current().id() }).await.unwrap());
        }
        assert_eq!(threads[0], threads[1]);
        assert_ne!(threads[0], std::thread::current().id());
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_is_stopped() {
        let lane = Lane::default();
        let (held, dropped) = oneshot::channel::<()>();
        let work = lane.run(async move {
            let _held = held;
            std::future::pending::<()>().await;
        });
        assert!(tokio::time::timeout(Duration::from_millis(20), work).await.is_err());
        assert!(dropped.await.is_err());
    }
}
