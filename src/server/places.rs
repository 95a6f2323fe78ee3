//! Who works, who waits and who is turned away, so that no caller takes what belongs to the others.
//!
//! Whoever worked least lately is let in first. A few places are kept for callers that ask for little, so that a call
//! that takes a moment never waits for another's that takes long.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// Places beside the usual ones, for callers that worked less than half of what is usual.
const N_SPARED: usize = 2;

/// How long a call may wait that is one too many; nobody waits long for nothing, and a short rush passes.
const PATIENCE: Duration = Duration::from_millis(250);

/// Work of so long ago counts half.
const HALF_LIFE: f64 = 5.0;

/// Whoever worked within this time is still here.
const LATELY: Duration = Duration::from_secs(2);

/// Callers whose work is remembered.
const MAX_ACCOUNTS: usize = 1024;

/// Whose call it is. Callers are told apart first, then the connections of one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asker {
    /// The caller.
    pub who: Arc<str>,
    /// The connection.
    pub connection: u64,
}

/// Too many calls are there already.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

/// The places of all callers.
pub struct Places {
    n_calls: usize,
    n_usual: usize,
    state: Mutex<State>,
}

/// A place, given back when it is dropped.
pub struct Place {
    places: Option<Arc<Places>>,
    number: u64,
}

#[derive(Default)]
struct State {
    next_number: u64,
    running: Vec<Running>,
    waiting: Vec<Waiting>,
    accounts: BTreeMap<Asker, Account>,
}

struct Running {
    number: u64,
    asker: Asker,
    since: Instant,
}

struct Waiting {
    number: u64,
    asker: Asker,
    given: oneshot::Sender<Place>,
}

/// What a caller has worked lately, in seconds.
#[derive(Clone, Copy)]
struct Account {
    worked: f64,
    at: Instant,
}

impl Account {
    fn at(self, now: Instant) -> f64 {
        let age = now.saturating_duration_since(self.at).as_secs_f64();
        self.worked * (-age / HALF_LIFE * std::f64::consts::LN_2).exp()
    }
}

impl Places {
    /// For `n_calls` calls, running or waiting, of which `n_usual` run as a rule.
    pub fn new(n_calls: usize, n_usual: usize) -> Arc<Places> {
        Arc::new(Places { n_calls, n_usual: n_usual.max(1), state: Mutex::default() })
    }

    /// How many calls run, and how many wait.
    pub fn taken(&self) -> (usize, usize) {
        let state = self.locked();
        (state.running.len(), state.waiting.len())
    }

    /// Whether somebody else than `asker` is here, or was a moment ago.
    pub fn others_are_here(&self, asker: &Asker, now: Instant) -> bool {
        let state = self.locked();
        let running = state.running.iter().map(|r| &r.asker);
        let waiting = state.waiting.iter().map(|w| &w.asker);
        let lately = state.accounts.iter().filter(|(_, account)| account.at + LATELY > now);
        running.chain(waiting).chain(lately.map(|(other, _)| other)).any(|other| other != asker)
    }

    /// Waits for a place. A call beyond the number that may be there is turned away soon, and at once where many are.
    pub async fn take(self: &Arc<Places>, asker: Asker) -> Result<Place, Full> {
        let (mut given, line) = self.line_up(asker).ok_or(Full)?;
        tokio::select! {
            place = &mut given => return place.map_err(|_| Full),
            () = tokio::time::sleep(PATIENCE) => {}
        }
        if self.is_beyond(line.number) {
            // A place that is given at this moment goes back with `given`.
            return Err(Full);
        }
        given.await.map_err(|_| Full)
    }

    fn line_up(self: &Arc<Places>, asker: Asker) -> Option<(oneshot::Receiver<Place>, InLine<'_>)> {
        let now = Instant::now();
        let mut state = self.locked();
        let number = state.next_number;
        state.next_number += 1;
        let (given, receiver) = oneshot::channel();
        state.waiting.push(Waiting { number, asker, given });
        self.let_in(&mut state, now);
        if state.running.len() + state.waiting.len() > 2 * self.n_calls
            && let Some(last) = state.in_order(now).last().copied()
        {
            // Dropping it tells its call.
            state.waiting.retain(|w| w.number != last);
        }
        drop(state);
        Some((receiver, InLine { places: self, number }))
    }

    /// Whether a call waits behind all that may wait.
    fn is_beyond(&self, number: u64) -> bool {
        let state = self.locked();
        let place = state.in_order(Instant::now()).iter().position(|n| *n == number);
        place.is_some_and(|at| state.running.len() + at >= self.n_calls)
    }

    /// Lets in whoever may work now.
    fn let_in(self: &Arc<Places>, state: &mut State, now: Instant) {
        while let Some(first) = state.in_order(now).first().copied() {
            let Some(at) = state.waiting.iter().position(|w| w.number == first) else { return };
            let n_running = state.running.len();
            let may = n_running < self.n_usual.min(self.n_calls)
                || (n_running < (self.n_usual + N_SPARED).min(self.n_calls)
                    && state.asks_little(&state.waiting[at].asker, now));
            if !may {
                return;
            }
            let Waiting { number, asker, given } = state.waiting.swap_remove(at);
            let place = Place { places: Some(Arc::clone(self)), number };
            match given.send(place) {
                Ok(()) => state.running.push(Running { number, asker, since: now }),
                // Nobody waits for it any more; it never ran.
                Err(mut unwanted) => unwanted.places = None,
            }
        }
    }

    fn give_back(self: &Arc<Places>, number: u64) {
        let now = Instant::now();
        let mut state = self.locked();
        if let Some(at) = state.running.iter().position(|r| r.number == number) {
            let done = state.running.swap_remove(at);
            state.charge(done, now);
        }
        self.let_in(&mut state, now);
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(places) = self.places.take() {
            places.give_back(self.number);
        }
    }
}

/// A call in line; it leaves the line when it is dropped.
struct InLine<'p> {
    places: &'p Places,
    number: u64,
}

impl Drop for InLine<'_> {
    fn drop(&mut self) {
        self.places.locked().waiting.retain(|w| w.number != self.number);
    }
}

impl State {
    /// The numbers of the waiting calls, whose caller worked least first.
    fn in_order(&self, now: Instant) -> Vec<u64> {
        let mut order: Vec<(f64, f64, u64)> = self
            .waiting
            .iter()
            .map(|w| (self.worked_by(&w.asker.who, now), self.worked_over(&w.asker, now), w.number))
            .collect();
        order.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
        order.into_iter().map(|(_, _, number)| number).collect()
    }

    /// What a caller has worked lately over all of its connections, work that still runs included.
    fn worked_by(&self, who: &str, now: Instant) -> f64 {
        let first = Asker { who: Arc::from(who), connection: 0 };
        let accounts = self.accounts.range(first..).take_while(|(asker, _)| &*asker.who == who);
        let before: f64 = accounts.map(|(_, account)| account.at(now)).sum();
        let running = self.running.iter().filter(|r| &*r.asker.who == who);
        before + running.map(|r| seconds(r.since, now)).sum::<f64>()
    }

    /// The same, over one connection.
    fn worked_over(&self, asker: &Asker, now: Instant) -> f64 {
        let before = self.accounts.get(asker).map_or(0.0, |account| account.at(now));
        let running = self.running.iter().filter(|r| r.asker == *asker);
        before + running.map(|r| seconds(r.since, now)).sum::<f64>()
    }

    /// Whether a caller worked at most half of what those who are here worked lately; where all are one caller, the
    /// connection counts.
    fn asks_little(&self, asker: &Asker, now: Instant) -> bool {
        let here =
            self.running.iter().map(|r| &r.asker).chain(self.waiting.iter().map(|w| &w.asker));
        let mut here: Vec<&Asker> = here.collect();
        here.sort();
        here.dedup();
        let mut callers: Vec<&str> = here.iter().map(|a| &*a.who).collect();
        callers.dedup();
        let (own, all): (f64, Vec<f64>) = if callers.len() > 1 {
            let all = callers.iter().map(|who| self.worked_by(who, now));
            (self.worked_by(&asker.who, now), all.collect())
        } else {
            let all = here.iter().map(|a| self.worked_over(a, now));
            (self.worked_over(asker, now), all.collect())
        };
        let n = f64::from(u32::try_from(all.len()).unwrap_or(u32::MAX));
        all.len() > 1 && own * n * 2.0 <= all.iter().sum::<f64>()
    }

    fn charge(&mut self, done: Running, now: Instant) {
        let spent = seconds(done.since, now);
        let account = self.accounts.entry(done.asker).or_insert(Account { worked: 0.0, at: now });
        *account = Account { worked: account.at(now) + spent, at: now };
        if self.accounts.len() > MAX_ACCOUNTS {
            // Whoever worked least is forgotten first; that one gains nothing by it.
            let mut all: Vec<f64> = self.accounts.values().map(|a| a.at(now)).collect();
            all.sort_by(f64::total_cmp);
            let middle = all[all.len() / 2];
            self.accounts.retain(|_, account| account.at(now) > middle);
        }
    }
}

fn seconds(since: Instant, now: Instant) -> f64 {
    now.saturating_duration_since(since).as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asker(who: &str, connection: u64) -> Asker {
        Asker { who: who.into(), connection }
    }

    async fn soon<T>(future: impl Future<Output = T>) -> Option<T> {
        tokio::time::timeout(Duration::from_millis(20), future).await.ok()
    }

    #[tokio::test]
    async fn one_caller_has_the_usual_places_and_the_next_call_waits_for_one() {
        let places = Places::new(64, 2);
        let first = places.take(asker("a", 1)).await.unwrap();
        let _second = places.take(asker("a", 1)).await.unwrap();
        assert!(soon(places.take(asker("a", 1))).await.is_none());
        let waits = places.take(asker("a", 1));
        drop(first);
        assert!(soon(waits).await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn a_caller_that_asks_for_little_finds_a_place_though_others_work_long() {
        let places = Places::new(64, 2);
        let mut long = Vec::new();
        for connection in 0..2 {
            long.push(places.take(asker("flood", connection)).await.unwrap());
        }
        let _waits = tokio::spawn({
            let places = Arc::clone(&places);
            async move { places.take(asker("flood", 9)).await.map(|_| ()) }
        });
        std::thread::sleep(Duration::from_millis(5));
        assert!(soon(places.take(asker("other", 0))).await.unwrap().is_ok());
        // Where all give the same name, the connection tells them apart.
        assert!(soon(places.take(asker("flood", 10))).await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn whoever_worked_least_is_let_in_first() {
        let places = Places::new(64, 1);
        let place = places.take(asker("busy", 0)).await.unwrap();
        std::thread::sleep(Duration::from_millis(10));
        drop(place);
        let held = places.take(asker("busy", 1)).await.unwrap();
        let (mut busy, _first) = places.line_up(asker("busy", 0)).unwrap();
        let (mut quiet, _second) = places.line_up(asker("busy", 2)).unwrap();
        // The place that is spared is taken by the quiet one already; the busy one waits for the usual place.
        assert!(quiet.try_recv().is_ok());
        assert!(busy.try_recv().is_err());
        drop(held);
        assert!(busy.try_recv().is_ok());
    }

    #[tokio::test]
    async fn one_call_too_many_is_turned_away_soon() {
        let places = Places::new(3, 1);
        let _held = places.take(asker("a", 0)).await.unwrap();
        let waiting: Vec<_> = (1..=2)
            .map(|_| {
                let places = Arc::clone(&places);
                tokio::spawn(async move { places.take(asker("a", 0)).await.map(|_| ()) })
            })
            .collect();
        tokio::task::yield_now().await;
        let begun = tokio::time::Instant::now();
        assert_eq!(places.take(asker("a", 0)).await.err(), Some(Full));
        assert!(begun.elapsed() <= PATIENCE + Duration::from_millis(50));
        assert_eq!(places.taken(), (1, 2));
        assert!(waiting.iter().all(|w| !w.is_finished()));
    }

    #[tokio::test]
    async fn a_flood_is_turned_away_at_once_and_at_the_cost_of_its_own_calls() {
        let places = Places::new(2, 1);
        let held = places.take(asker("flood", 0)).await.unwrap();
        std::thread::sleep(Duration::from_millis(5));
        let flood: Vec<_> =
            (1..=4).filter_map(|connection| places.line_up(asker("flood", connection))).collect();
        // Connections that never worked come before the one that did, and one of them had the place that is spared.
        assert_eq!(places.taken().0 + places.taken().1, 4);
        drop(flood);
        drop(held);
        assert_eq!(places.taken(), (0, 0));
    }

    #[tokio::test]
    async fn who_leaves_the_line_is_not_waited_for() {
        let places = Places::new(64, 1);
        let held = places.take(asker("a", 0)).await.unwrap();
        let left = places.line_up(asker("a", 0));
        drop(left);
        assert_eq!(places.taken(), (1, 0));
        drop(held);
        assert_eq!(places.taken(), (0, 0));
        assert!(soon(places.take(asker("a", 0))).await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn whoever_worked_a_moment_ago_is_still_here() {
        let places = Places::new(64, 1);
        let (own, other, now) = (asker("a", 0), asker("a", 1), Instant::now());
        assert!(!places.others_are_here(&own, now));
        let place = places.take(own.clone()).await.unwrap();
        assert!(!places.others_are_here(&own, now));
        assert!(places.others_are_here(&other, now));
        drop(place);
        assert!(!places.others_are_here(&own, now));
        assert!(places.others_are_here(&other, now));
        assert!(!places.others_are_here(&other, Instant::now() + LATELY));
    }
}
