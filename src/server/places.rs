//! Who works, who waits and who is turned away, so that no caller takes what belongs to the others.
//!
//! Whoever was here least lately, working or waiting, is let in first: who asks for much at once is always here, and who
//! asks now and then is not. A few places are kept for callers that ask for little, so that a call that takes a moment
//! never waits for another's that takes long; and whoever asks for more than there are places works behind the others.

use super::accounts::{Accounts, Asker};
use std::cmp::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// Places beside the usual ones, for callers that worked less than half of what is usual.
const N_SPARED: usize = 2;

/// Work of so many seconds is more than a little.
const MOMENT: f64 = 0.02;

/// A caller with more calls here than so many times the usual places asks for much, whatever it did before.
const MANY: usize = 4;

/// While nobody comes or goes, those who wait look so often whether their turn has come: time alone can bring it.
const LOOK: Duration = Duration::from_millis(25);

/// How long a call may wait that is one too many; nobody waits long for nothing, and a short rush passes.
const PATIENCE: Duration = Duration::from_millis(250);

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
    standing: Standing,
}

/// How the work at a place stands to that at others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// As all.
    Beside,
    /// Behind the others: its caller asks for more than there is.
    Behind,
}

/// A place that goes with a request, and may be given back before the request is answered.
#[derive(Clone)]
pub struct Turn(Arc<Mutex<Option<Place>>>);

impl Turn {
    /// With this place.
    pub fn at(place: Place) -> Turn {
        Turn(Arc::new(Mutex::new(Some(place))))
    }

    /// Gives the place back.
    pub fn end(&self) {
        drop(self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
    }
}

#[derive(Default)]
struct State {
    next_number: u64,
    running: Vec<Running>,
    waiting: Vec<Waiting>,
    accounts: Accounts,
}

struct Running {
    number: u64,
    asker: Asker,
    /// When it came, so that who waits much counts as one who asks for much.
    since: Instant,
    expected: f64,
}

struct Waiting {
    number: u64,
    asker: Asker,
    /// How many seconds the work is expected to take, going by its size.
    expected: f64,
    since: Instant,
    given: oneshot::Sender<Place>,
}

/// Whoever has the least comes first: of work as a caller, then of work over a connection, then of the line.
struct Rank {
    caller: f64,
    connection: f64,
    number: u64,
}

impl Ord for Rank {
    fn cmp(&self, other: &Rank) -> Ordering {
        let by_caller = self.caller.total_cmp(&other.caller);
        let by_connection = self.connection.total_cmp(&other.connection);
        by_caller.then(by_connection).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Rank) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank {
    fn eq(&self, other: &Rank) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Rank {}

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
        self.locked().others_are_here(asker, now)
    }

    /// Waits for a place. A call beyond the number that may be there is turned away soon, and at once where many are.
    /// Of those that are equal, whoever is `expected` to take the fewest seconds comes first.
    pub async fn take(self: &Arc<Places>, asker: Asker, expected: f64) -> Result<Place, Full> {
        let (mut given, line) = self.line_up(asker, expected).ok_or(Full)?;
        let came = Instant::now();
        let mut is_new = true;
        loop {
            tokio::select! {
                place = &mut given => return place.map_err(|_| Full),
                () = tokio::time::sleep(LOOK) => {}
            }
            if is_new && came.elapsed() >= PATIENCE {
                is_new = false;
                if self.is_beyond(line.number) {
                    // A place that is given at this moment goes back with `given`.
                    return Err(Full);
                }
            }
            self.look();
        }
    }

    /// Lets in whoever may work by now.
    fn look(self: &Arc<Places>) {
        let mut state = self.locked();
        if state.running.len() < self.n_usual + N_SPARED {
            self.let_in(&mut state, Instant::now());
        }
    }

    fn line_up(
        self: &Arc<Places>,
        asker: Asker,
        expected: f64,
    ) -> Option<(oneshot::Receiver<Place>, InLine<'_>)> {
        let now = Instant::now();
        let mut state = self.locked();
        let number = state.next_number;
        state.next_number += 1;
        let (given, receiver) = oneshot::channel();
        state.accounts.greet(&asker, now);
        state.waiting.push(Waiting { number, asker, expected, since: now, given });
        self.let_in(&mut state, now);
        if state.running.len() + state.waiting.len() > 2 * self.n_calls
            && let Some(last) = state.last(now)
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
        let n_before = state.n_before(number, Instant::now());
        n_before.is_some_and(|n_before| state.running.len() + n_before >= self.n_calls)
    }

    /// Lets in whoever may work now.
    fn let_in(self: &Arc<Places>, state: &mut State, now: Instant) {
        while let Some(at) = state.first(now) {
            let n_running = state.running.len();
            let may = n_running < self.n_usual.min(self.n_calls)
                || (n_running < (self.n_usual + N_SPARED).min(self.n_calls)
                    && state.asks_little(&state.waiting[at], now));
            if !may {
                return;
            }
            let standing = self.standing(state, &state.waiting[at], now);
            let Waiting { number, asker, expected, since, given } = state.waiting.swap_remove(at);
            let place = Place { places: Some(Arc::clone(self)), number, standing };
            match given.send(place) {
                Ok(()) => state.running.push(Running { number, asker, since, expected }),
                // Nobody waits for it any more; it never ran.
                Err(mut unwanted) => unwanted.places = None,
            }
        }
    }

    fn standing(&self, state: &State, waiting: &Waiting, now: Instant) -> Standing {
        let Waiting { asker, expected, .. } = waiting;
        let n_usual = f64::from(u32::try_from(self.n_usual).unwrap_or(u32::MAX));
        let is_much = state.accounts.rate_of_caller(&asker.who, now) > n_usual
            || state.n_here(&asker.who) > MANY * self.n_usual;
        let is_long = *expected > MOMENT && state.others_are_here(asker, now);
        match (is_much || is_long) && !state.asks_little(waiting, now) {
            true => Standing::Behind,
            false => Standing::Beside,
        }
    }

    fn give_back(self: &Arc<Places>, number: u64) {
        let now = Instant::now();
        let mut state = self.locked();
        if let Some(at) = state.running.iter().position(|r| r.number == number) {
            let done = state.running.swap_remove(at);
            state.accounts.charge(done.asker, seconds(done.since, now), now);
        }
        self.let_in(&mut state, now);
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// How the work stands to that of others.
    pub fn standing(&self) -> Standing {
        self.standing
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
    /// See [`Places::others_are_here`].
    fn others_are_here(&self, asker: &Asker, now: Instant) -> bool {
        self.askers().chain(self.accounts.lately(now)).any(|other| other != asker)
    }

    /// How many calls of a caller are here.
    fn n_here(&self, who: &str) -> usize {
        self.askers().filter(|asker| &*asker.who == who).count()
    }

    /// Whose calls run or wait.
    fn askers(&self) -> impl Iterator<Item = &Asker> {
        self.running.iter().map(|r| &r.asker).chain(self.waiting.iter().map(|w| &w.asker))
    }

    /// The place in line of the waiting call whose caller worked least.
    fn first(&self, now: Instant) -> Option<usize> {
        let ranks = self.waiting.iter().map(|w| self.rank(w, now)).enumerate();
        ranks.min_by(|(_, a), (_, b)| a.cmp(b)).map(|(at, _)| at)
    }

    /// The number of the waiting call whose caller worked most.
    fn last(&self, now: Instant) -> Option<u64> {
        self.waiting.iter().map(|w| self.rank(w, now)).max().map(|rank| rank.number)
    }

    /// How many waiting calls come before the one of this number, if that one waits.
    fn n_before(&self, number: u64, now: Instant) -> Option<usize> {
        let own = self.waiting.iter().find(|w| w.number == number)?;
        let own = self.rank(own, now);
        Some(self.waiting.iter().filter(|w| self.rank(w, now) < own).count())
    }

    /// Where a waiting call stands beside others.
    fn rank(&self, waiting: &Waiting, now: Instant) -> Rank {
        let Waiting { number, asker, expected, .. } = waiting;
        let caller = self.worked_by(&asker.who, now);
        let connection = self.worked_over(asker, now) + expected;
        Rank { caller, connection, number: *number }
    }

    /// What a caller has worked lately over all of its connections, work that still runs included.
    fn worked_by(&self, who: &str, now: Instant) -> f64 {
        let before = self.accounts.of_caller(who, now);
        let running = self.running.iter().filter(|r| &*r.asker.who == who);
        before + running.map(|r| r.counts(now)).sum::<f64>()
    }

    /// The same, over one connection.
    fn worked_over(&self, asker: &Asker, now: Instant) -> f64 {
        let before = self.accounts.of_connection(asker, now);
        let running = self.running.iter().filter(|r| r.asker == *asker);
        before + running.map(|r| r.counts(now)).sum::<f64>()
    }

    /// Whether a caller worked at most half of what those who are here worked lately; where all are one caller, the
    /// connection counts. Work that takes long is not little.
    fn asks_little(&self, waiting: &Waiting, now: Instant) -> bool {
        let Waiting { asker, expected, .. } = waiting;
        if *expected > MOMENT {
            return false;
        }
        let mut here: Vec<&Asker> = self.askers().collect();
        here.sort();
        here.dedup();
        let mut callers: Vec<&str> = here.iter().map(|a| &*a.who).collect();
        callers.dedup();
        let (own, all): (f64, Vec<f64>) = if callers.len() > 1 {
            let all = callers.iter().map(|who| self.worked_by(who, now));
            (self.worked_by(&asker.who, now) + expected, all.collect())
        } else {
            let all = here.iter().map(|a| self.worked_over(a, now));
            (self.worked_over(asker, now) + expected, all.collect())
        };
        let n = f64::from(u32::try_from(all.len()).unwrap_or(u32::MAX));
        all.len() > 1 && own * n * 2.0 <= all.iter().sum::<f64>()
    }
}

impl Running {
    /// What counts of it already: as much as is expected of it, and more when it takes longer.
    fn counts(&self, now: Instant) -> f64 {
        seconds(self.since, now).max(self.expected)
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

    /// An asker whose connection was opened a while ago.
    fn known(places: &Places, who: &str, connection: u64) -> Asker {
        let before = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
        let known = asker(who, connection);
        places.locked().accounts.greet(&known, before);
        known
    }

    async fn soon<T>(future: impl Future<Output = T>) -> Option<T> {
        tokio::time::timeout(Duration::from_millis(20), future).await.ok()
    }

    #[tokio::test]
    async fn one_caller_has_the_usual_places_and_the_next_call_waits_for_one() {
        let places = Places::new(64, 2);
        let first = places.take(asker("a", 1), 0.0).await.unwrap();
        let _second = places.take(asker("a", 1), 0.0).await.unwrap();
        assert!(soon(places.take(asker("a", 1), 0.0)).await.is_none());
        let waits = places.take(asker("a", 1), 0.0);
        drop(first);
        assert!(soon(waits).await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn a_caller_that_asks_for_little_finds_a_place_though_others_work_long() {
        let places = Places::new(64, 2);
        let quiet = known(&places, "flood", 10);
        let mut long = Vec::new();
        for connection in 0..2 {
            long.push(places.take(asker("flood", connection), 0.0).await.unwrap());
        }
        let _waits = tokio::spawn({
            let places = Arc::clone(&places);
            async move { places.take(asker("flood", 9), 0.0).await.map(|_| ()) }
        });
        std::thread::sleep(Duration::from_millis(5));
        assert!(soon(places.take(asker("other", 0), 0.0)).await.unwrap().is_ok());
        // Where all give the same name, the connection tells them apart.
        assert!(soon(places.take(quiet, 0.0)).await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn whoever_worked_least_is_let_in_first() {
        let places = Places::new(64, 1);
        let quiet = known(&places, "busy", 2);
        let place = places.take(asker("busy", 0), 0.0).await.unwrap();
        std::thread::sleep(Duration::from_millis(10));
        drop(place);
        let held = places.take(asker("busy", 1), 0.0).await.unwrap();
        let (mut busy, _first) = places.line_up(asker("busy", 0), 0.0).unwrap();
        let (mut quiet, _second) = places.line_up(quiet, 0.0).unwrap();
        // The place that is spared is taken by the quiet one already; the busy one waits for the usual place.
        assert!(quiet.try_recv().is_ok());
        assert!(busy.try_recv().is_err());
        drop(held);
        assert!(busy.try_recv().is_ok());
    }

    #[tokio::test]
    async fn one_call_too_many_is_turned_away_soon() {
        let places = Places::new(3, 1);
        let _held = places.take(asker("a", 0), 0.0).await.unwrap();
        let waiting: Vec<_> = (1..=2)
            .map(|_| {
                let places = Arc::clone(&places);
                tokio::spawn(async move { places.take(asker("a", 0), 0.0).await.map(|_| ()) })
            })
            .collect();
        tokio::task::yield_now().await;
        let begun = tokio::time::Instant::now();
        assert_eq!(places.take(asker("a", 0), 0.0).await.err(), Some(Full));
        assert!(begun.elapsed() <= PATIENCE + Duration::from_millis(50));
        assert_eq!(places.taken(), (1, 2));
        assert!(waiting.iter().all(|w| !w.is_finished()));
    }

    #[tokio::test]
    async fn a_flood_is_turned_away_at_once_and_at_the_cost_of_its_own_calls() {
        let places = Places::new(2, 1);
        let held = places.take(asker("flood", 0), 0.0).await.unwrap();
        std::thread::sleep(Duration::from_millis(5));
        let flood: Vec<_> = (1..=4)
            .filter_map(|connection| places.line_up(asker("flood", connection), 0.0))
            .collect();
        // Connections that never worked come before the one that did, and one of them had the place that is spared.
        assert_eq!(places.taken().0 + places.taken().1, 4);
        drop(flood);
        drop(held);
        assert_eq!(places.taken(), (0, 0));
    }

    #[tokio::test]
    async fn who_leaves_the_line_is_not_waited_for() {
        let places = Places::new(64, 1);
        let held = places.take(asker("a", 0), 0.0).await.unwrap();
        let left = places.line_up(asker("a", 0), 0.0);
        drop(left);
        assert_eq!(places.taken(), (1, 0));
        drop(held);
        assert_eq!(places.taken(), (0, 0));
        assert!(soon(places.take(asker("a", 0), 0.0)).await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn one_that_is_alone_is_told_from_one_that_is_not() {
        let places = Places::new(64, 1);
        let (own, other, now) = (asker("a", 0), asker("a", 1), Instant::now());
        assert!(!places.others_are_here(&own, now));
        let place = places.take(own.clone(), 0.0).await.unwrap();
        assert!(!places.others_are_here(&own, now));
        assert!(places.others_are_here(&other, now));
        drop(place);
        assert!(!places.others_are_here(&own, now));
        assert!(places.others_are_here(&other, now));
    }

    #[tokio::test]
    async fn of_those_that_are_equal_the_one_with_less_to_do_comes_first() {
        let places = Places::new(64, 1);
        let held = places.take(asker("a", 0), 0.0).await.unwrap();
        let (mut long, _first) = places.line_up(asker("a", 1), 5.0).unwrap();
        let (mut short, _second) = places.line_up(asker("a", 2), 0.0).unwrap();
        drop(held);
        assert!(short.try_recv().is_ok());
        drop(short);
        assert!(long.try_recv().is_ok());
    }

    #[tokio::test]
    async fn whoever_waits_all_the_time_asks_for_much() {
        let places = Places::new(64, 1);
        let held = places.take(asker("a", 0), 0.0).await.unwrap();
        let (mut waits, _line) = places.line_up(asker("a", 1), 0.0).unwrap();
        std::thread::sleep(Duration::from_millis(10));
        drop(held);
        drop(waits.try_recv().unwrap());
        let state = places.locked();
        assert!(state.worked_over(&asker("a", 1), Instant::now()) > 0.009);
    }

    #[tokio::test]
    async fn whoever_asks_for_more_than_there_is_works_behind_the_others() {
        let places = Places::new(64, 1);
        let usual = places.take(asker("flood", 0), 0.0).await.unwrap();
        assert_eq!(usual.standing(), Standing::Beside);
        drop(usual);
        places.locked().accounts.charge(asker("flood", 1), 100.0, Instant::now());
        let flood = places.take(asker("flood", 1), 0.0).await.unwrap();
        assert_eq!(flood.standing(), Standing::Behind);
        let other = places.take(asker("other", 2), 0.0).await.unwrap();
        assert_eq!(other.standing(), Standing::Beside);
        // The flood's name does not make a connection that asks for little one that floods.
        let same_name = Places::new(64, 1);
        same_name.locked().accounts.charge(asker("flood", 1), 100.0, Instant::now());
        let _flood = same_name.take(asker("flood", 1), 0.0).await.unwrap();
        let quiet = known(&same_name, "flood", 2);
        let quiet = same_name.take(quiet, 0.0).await.unwrap();
        assert_eq!(quiet.standing(), Standing::Beside);
    }

    #[tokio::test]
    async fn a_turn_comes_with_time_though_nobody_comes_or_goes() {
        let places = Places::new(64, 1);
        places.locked().accounts.charge(asker("quiet", 0), 0.01, Instant::now());
        let _flood = places.take(asker("flood", 1), 0.0).await.unwrap();
        let mut quiet = std::pin::pin!(places.take(asker("quiet", 0), 0.0));
        assert!(tokio::time::timeout(Duration::ZERO, quiet.as_mut()).await.is_err());
        assert!(tokio::time::timeout(Duration::from_secs(5), quiet).await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn long_work_counts_from_the_start() {
        let places = Places::new(64, 1);
        places.locked().accounts.charge(asker("quiet", 0), 0.1, Instant::now());
        let _long = places.take(asker("flood", 1), 60.0).await.unwrap();
        assert!(soon(places.take(asker("quiet", 0), 0.0)).await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn a_connection_that_is_known_comes_before_new_ones() {
        let places = Places::new(64, 1);
        let first = known(&places, "a", 0);
        let held = places.take(asker("a", 1), 0.0).await.unwrap();
        let (mut new, _first) = places.line_up(asker("a", 2), 0.5).unwrap();
        let (mut known, _second) = places.line_up(first, 0.0).unwrap();
        assert!(known.try_recv().is_ok());
        assert!(new.try_recv().is_err());
        drop(held);
    }

    #[tokio::test]
    async fn a_place_that_is_spared_is_not_taken_by_long_work() {
        let places = Places::new(64, 1);
        let quiet = known(&places, "a", 1);
        let _held = places.take(asker("flood", 0), 60.0).await.unwrap();
        assert!(soon(places.take(quiet.clone(), 0.5)).await.is_none());
        assert!(soon(places.take(quiet, 0.0)).await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn long_work_is_done_behind_others_and_not_behind_nobody() {
        let places = Places::new(64, 2);
        let alone = places.take(asker("a", 0), 60.0).await.unwrap();
        assert_eq!(alone.standing(), Standing::Beside);
        drop(alone);
        let _other = places.take(asker("b", 1), 0.0).await.unwrap();
        let beside = places.take(asker("a", 0), 60.0).await.unwrap();
        assert_eq!(beside.standing(), Standing::Behind);
    }
}
