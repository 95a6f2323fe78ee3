//! Who works, who waits and who is turned away, so that no caller takes what belongs to the others.
//!
//! Connections that ask for little, one by one and all together for at most half of what there is, come first, and find
//! places of their own: a call that takes a moment never waits for another's that takes long. Whoever asks for more is
//! let in in turn, the caller first for whom the least was done lately, and works behind the others. What somebody asks
//! for is known from what was done lately, so a single call may take more than that.

use super::accounts::{Accounts, Asker};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// How many more calls may work at once for those who ask for little.
const N_SPARED: usize = 2;

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
    /// Behind the others, since it asks for more than they do.
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
    /// When it was let in.
    since: Instant,
    expected: f64,
}

/// What a connection asks for beside the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Share {
    /// It and all that ask for no more ask for half of the processors at most.
    Little,
    /// More than that.
    Much,
}

struct Waiting {
    number: u64,
    asker: Asker,
    /// How many seconds the work is expected to take, going by its size.
    expected: f64,
    /// When it came.
    since: Instant,
    given: oneshot::Sender<Place>,
}

/// Whoever asks for little comes first, then whoever had the least done and waits the longest.
struct Rank {
    share: Share,
    weight: f64,
    number: u64,
}

impl Ord for Rank {
    fn cmp(&self, other: &Rank) -> Ordering {
        let by_weight = self.weight.total_cmp(&other.weight);
        self.share.cmp(&other.share).then(by_weight).then(self.number.cmp(&other.number))
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
    /// The work is `expected` to take so many seconds.
    pub async fn take(self: &Arc<Places>, asker: Asker, expected: f64) -> Result<Place, Full> {
        let (mut given, line) = self.line_up(asker, expected);
        match tokio::time::timeout(PATIENCE, &mut given).await {
            Ok(place) => return place.map_err(|_| Full),
            // A place that is given at this moment goes back with `given`.
            Err(_) if self.is_beyond(line.number) => return Err(Full),
            Err(_) => {}
        }
        given.await.map_err(|_| Full)
    }

    fn line_up(
        self: &Arc<Places>,
        asker: Asker,
        expected: f64,
    ) -> (oneshot::Receiver<Place>, InLine<'_>) {
        let now = Instant::now();
        let mut state = self.locked();
        let number = state.next_number;
        state.next_number += 1;
        let (given, receiver) = oneshot::channel();
        if !state.askers().any(|other| *other == asker) {
            state.accounts.greet(&asker, now);
        }
        state.waiting.push(Waiting { number, asker, expected, since: now, given });
        self.let_in(&mut state, now);
        if state.running.len() + state.waiting.len() > 2 * self.n_calls
            && let Some(last) = state.ranks(self.n_usual, now).into_iter().max()
        {
            // Dropping it tells its call.
            state.waiting.retain(|w| w.number != last.number);
        }
        drop(state);
        (receiver, InLine { places: self, number })
    }

    /// Whether a call waits behind all that may wait.
    fn is_beyond(&self, number: u64) -> bool {
        let state = self.locked();
        let ranks = state.ranks(self.n_usual, Instant::now());
        let Some(own) = ranks.iter().find(|rank| rank.number == number) else { return false };
        let n_before = ranks.iter().filter(|rank| *rank < own).count();
        state.running.len() + n_before >= self.n_calls
    }

    /// Lets in whoever may work now.
    fn let_in(self: &Arc<Places>, state: &mut State, now: Instant) {
        while !state.waiting.is_empty() {
            let first = state.ranks(self.n_usual, now).into_iter().min();
            let Some(rank) = first.filter(|r| state.running.len() < self.n_places(r.share)) else {
                return;
            };
            self.begin(state, &rank, now);
        }
    }

    /// A waiting call begins to work.
    fn begin(self: &Arc<Places>, state: &mut State, rank: &Rank, now: Instant) {
        let Rank { share, number, .. } = *rank;
        let Some(at) = state.waiting.iter().position(|w| w.number == number) else { return };
        let Waiting { asker, expected, given, .. } = state.waiting.swap_remove(at);
        let standing = match share {
            Share::Much if state.others_are_here(&asker, now) => Standing::Behind,
            Share::Much | Share::Little => Standing::Beside,
        };
        let place = Place { places: Some(Arc::clone(self)), number, standing };
        match given.send(place) {
            Ok(()) => state.running.push(Running { number, asker, since: now, expected }),
            // Nobody waits for it any more; it never ran.
            Err(mut unwanted) => unwanted.places = None,
        }
    }

    /// How many calls may work at once, this one among them.
    fn n_places(&self, share: Share) -> usize {
        match share {
            Share::Little => self.n_calls.min(self.n_usual + N_SPARED),
            Share::Much => self.n_calls.min(self.n_usual),
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

    /// Whose calls run or wait.
    fn askers(&self) -> impl Iterator<Item = &Asker> {
        self.running.iter().map(|r| &r.asker).chain(self.waiting.iter().map(|w| &w.asker))
    }

    /// Where the waiting calls stand, of which so many may work at once as a rule.
    fn ranks(&self, n_usual: usize, now: Instant) -> Vec<Rank> {
        let asked = self.asked(now);
        let most = most_of_little(asked.values().copied().collect(), n_usual);
        let rank = |waiting: &Waiting| {
            let Waiting { number, asker, since, .. } = waiting;
            let asked = asked.get(asker).copied().unwrap_or(1.0);
            // A second of waiting is worth a second of work, so that nobody is passed over for long.
            let much = || self.worked_by(&asker.who, now) - seconds(*since, now);
            let (share, weight) = match asked <= most {
                true => (Share::Little, asked),
                false => (Share::Much, much()),
            };
            Rank { share, weight, number: *number }
        };
        self.waiting.iter().map(rank).collect()
    }

    /// What each connection that has calls here asks for, as [`Accounts::asked`], times its calls.
    fn asked(&self, now: Instant) -> BTreeMap<&Asker, f64> {
        let mut here: BTreeMap<&Asker, (f64, f64)> = BTreeMap::new();
        let running = self.running.iter().map(|r| (&r.asker, r.counts(now)));
        for (asker, seconds) in running.chain(self.waiting.iter().map(|w| (&w.asker, w.expected))) {
            let (n_calls, more) = here.entry(asker).or_default();
            *n_calls += 1.0;
            *more += seconds;
        }
        let asked =
            |(asker, (n_calls, more))| (asker, n_calls * self.accounts.asked(asker, more, now));
        here.into_iter().map(asked).collect()
    }

    /// What was done for a caller lately over all of its connections, work that still runs included.
    fn worked_by(&self, who: &str, now: Instant) -> f64 {
        let before = self.accounts.of_caller(who, now);
        let running = self.running.iter().filter(|r| &*r.asker.who == who);
        before + running.map(|r| r.counts(now)).sum::<f64>()
    }
}

/// The most that one may ask for so that it asks for little: no more than half of what they ask for on average, and
/// together with all that ask for no more, half of `n_usual` at most. Where all together ask for no more, all do.
fn most_of_little(mut asked: Vec<f64>, n_usual: usize) -> f64 {
    let number = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    let half = number(n_usual) / 2.0;
    let all: f64 = asked.iter().sum();
    if all <= half {
        return half;
    }
    let average = all / number(asked.len());
    asked.sort_by(f64::total_cmp);
    let (mut most, mut together) = (0.0, 0.0);
    for alike in asked.chunk_by(|a, b| a == b) {
        together += alike.iter().sum::<f64>();
        if together > half || alike[0] * 2.0 > average {
            break;
        }
        most = alike[0];
    }
    most
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

    /// An asker whose connection was used a while ago, and not since.
    fn quiet(places: &Places, who: &str, connection: u64) -> Asker {
        let before = Instant::now().checked_sub(Duration::from_secs(60)).unwrap();
        let quiet = asker(who, connection);
        places.locked().accounts.charge(quiet.clone(), 0.001, before);
        quiet
    }

    async fn soon<T>(future: impl Future<Output = T>) -> Option<T> {
        tokio::time::timeout(Duration::from_millis(20), future).await.ok()
    }

    #[tokio::test]
    async fn one_caller_has_the_usual_places_and_the_next_call_waits_for_one() {
        let places = Places::new(64, 2);
        let first = places.take(asker("a", 1), 0.0).await.unwrap();
        let _second = places.take(asker("a", 1), 0.0).await.unwrap();
        assert!(soon(places.take(asker("a", 1), 60.0)).await.is_none());
        let waits = places.take(asker("a", 1), 60.0);
        drop(first);
        assert!(soon(waits).await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn whoever_asks_for_little_finds_a_place_though_others_work_long() {
        let places = Places::new(64, 2);
        // The name does not matter: the connection tells them apart.
        let (first, second) = (quiet(&places, "flood", 100), quiet(&places, "other", 0));
        let mut long = Vec::new();
        for connection in 0..2 {
            long.push(places.take(asker("flood", connection), 60.0).await.unwrap());
        }
        let _waiting: Vec<_> =
            (2..60).map(|connection| places.line_up(asker("flood", connection), 60.0)).collect();
        assert!(soon(places.take(first, 0.0)).await.unwrap().is_ok());
        assert!(soon(places.take(second, 0.0)).await.unwrap().is_ok());
        assert!(soon(places.take(asker("other", 1), 0.0)).await.is_none());
    }

    #[tokio::test]
    async fn whoever_asks_for_little_is_let_in_first() {
        let places = Places::new(64, 1);
        let mut held = vec![places.take(asker("busy", 0), 60.0).await.unwrap()];
        for connection in 10..12 {
            let little = quiet(&places, "others", connection);
            held.push(places.take(little, 0.0).await.unwrap());
        }
        let little = quiet(&places, "busy", 2);
        let (mut busy, _first) = places.line_up(asker("busy", 1), 60.0);
        let (mut quiet, _second) = places.line_up(little, 0.0);
        drop(held.pop());
        assert!(quiet.try_recv().is_ok());
        assert!(busy.try_recv().is_err());
        drop(held);
        assert!(busy.try_recv().is_ok());
    }

    #[test]
    fn little_is_much_less_than_others_ask_for_and_half_of_the_processors_together() {
        let most = |asked: &[f64]| most_of_little(asked.to_vec(), 2);
        assert_eq!(most(&[1.0; 64]), 0.0);
        assert_eq!(most(&[vec![1.0; 64], vec![0.03; 6]].concat()), 0.03);
        assert_eq!(most(&[0.2, 0.5, 0.9]), 0.2);
        // Many ask for little one by one, and for much together.
        assert_eq!(most(&[vec![1.0; 64], vec![0.3; 6]].concat()), 0.0);
        // Where there is enough, nobody stands back.
        assert!(most(&[0.3, 0.3, 0.3]) >= 0.3);
        assert!(most(&[]) > 0.0);
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
        let quiet = quiet(&places, "quiet", 0);
        let _held = places.take(asker("flood", 0), 60.0).await.unwrap();
        let flood: Vec<_> =
            (1..=8).map(|connection| places.line_up(asker("flood", connection), 60.0)).collect();
        assert_eq!(places.taken(), (1, 3));
        assert!(soon(places.take(quiet, 0.0)).await.unwrap().is_ok());
        drop(flood);
        assert_eq!(places.taken(), (1, 0));
    }

    #[tokio::test]
    async fn who_leaves_the_line_is_not_waited_for() {
        let places = Places::new(64, 1);
        let held = places.take(asker("a", 0), 60.0).await.unwrap();
        let left = places.line_up(asker("a", 0), 60.0);
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
    async fn whoever_waits_is_not_passed_over_for_long() {
        let places = Places::new(64, 1);
        places.locked().accounts.charge(asker("much", 1), 0.02, Instant::now());
        let held = places.take(asker("a", 0), 60.0).await.unwrap();
        let (mut much, _first) = places.line_up(asker("much", 1), 60.0);
        std::thread::sleep(Duration::from_millis(30));
        let (mut none, _second) = places.line_up(asker("none", 2), 60.0);
        drop(held);
        let first = much.try_recv();
        assert!(first.is_ok());
        assert!(none.try_recv().is_err());
    }

    #[tokio::test]
    async fn a_wait_for_others_does_not_count_against_who_waits() {
        let places = Places::new(64, 1);
        let quiet = quiet(&places, "a", 1);
        let held = places.take(asker("a", 0), 60.0).await.unwrap();
        let asked = || places.locked().accounts.asked(&quiet, 0.0, Instant::now());
        let before = asked();
        let (waits, _line) = places.line_up(quiet.clone(), 60.0);
        std::thread::sleep(Duration::from_millis(50));
        drop((held, waits));
        assert!(asked() <= before);
    }

    #[tokio::test]
    async fn of_two_callers_the_one_for_whom_less_was_done_comes_first() {
        let places = Places::new(64, 1);
        let held = places.take(asker("a", 0), 0.0).await.unwrap();
        places.locked().accounts.charge(asker("flood", 1), 5.0, Instant::now());
        let (mut flood, _first) = places.line_up(asker("flood", 2), 0.0);
        let (mut other, _second) = places.line_up(asker("other", 3), 0.0);
        drop(held);
        assert!(other.try_recv().is_ok());
        assert!(flood.try_recv().is_ok());
    }

    #[tokio::test]
    async fn whoever_asks_for_much_works_behind_the_others_and_not_behind_nobody() {
        let places = Places::new(64, 2);
        let quiet = quiet(&places, "a", 1);
        let alone = places.take(asker("a", 0), 60.0).await.unwrap();
        assert_eq!(alone.standing(), Standing::Beside);
        let little = places.take(quiet, 0.0).await.unwrap();
        assert_eq!(little.standing(), Standing::Beside);
        drop(little);
        let much = places.take(asker("b", 2), 60.0).await.unwrap();
        assert_eq!(much.standing(), Standing::Behind);
    }
}
