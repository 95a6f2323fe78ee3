//! How the process is asked to end.

/// Is done when the process is asked to end. It listens from the moment of this call, which must be made in a runtime.
pub fn signalled() -> impl Future<Output = ()> {
    #[cfg(unix)]
    let (mut terminate, mut interrupt, mut hangup) = {
        use tokio::signal::unix::{SignalKind, signal};
        let [terminate, interrupt, hangup] =
            [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()].map(signal);
        (terminate, interrupt, hangup)
    };
    async move {
        #[cfg(unix)]
        if let (Ok(terminate), Ok(interrupt), Ok(hangup)) =
            (&mut terminate, &mut interrupt, &mut hangup)
        {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = interrupt.recv() => return,
                _ = hangup.recv() => return,
            }
        }
        #[cfg(not(unix))]
        if tokio::signal::ctrl_c().await.is_ok() {
            return;
        }
        std::future::pending().await
    }
}
