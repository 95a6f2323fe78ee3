//! Who had how much work done lately, and who let how much time pass between its calls.
//!
//! The two together say what a connection asks for: of the time that was its own to fill, the part that it filled with
//! work. Time that it waited for its turn counts as neither, so nobody comes to ask for much because others do.
//!
//! What is long ago counts less. Nothing is counted down for that: what is new weighs more instead, so that accounts stay
//! comparable and cost nothing while nobody looks.

use crate::session::Principal;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// What was so many seconds ago counts half.
const HALF_LIFE: f64 = 5.0;

/// No call takes less, in seconds.
const LEAST: f64 = 1e-4;

/// Accounts that are kept.
const MAX_ACCOUNTS: usize = 1024;

/// Weights grow up to this before all accounts are brought down again.
const MAX_WEIGHT: f64 = 1e12;

/// So many characters of a client's name tell it from others.
const MAX_CLIENT_NAME: usize = 100;

/// Whoever worked within this time is still here.
const LATELY: Duration = Duration::from_secs(2);

/// Whose call it is. Callers are told apart first, then the connections of one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asker {
    /// The caller.
    pub who: Arc<str>,
    /// The connection.
    pub connection: u64,
}

impl Asker {
    /// A principal's clients are told apart by the names that they give themselves.
    pub fn new(principal: &Principal, client: &str, connection: u64) -> Asker {
        let client: String = client.chars().take(MAX_CLIENT_NAME).collect();
        let who = match principal {
            Principal::Own => format!("\n{client}"),
            Principal::Subject(subject) => format!("{subject}\n{client}"),
        };
        Asker { who: who.into(), connection }
    }
}

/// What was done for a caller or a connection lately, in seconds of the time at which weights were 1.
#[derive(Debug, Clone, Copy)]
struct Account {
    worked: f64,
    /// How long nothing was asked for between two calls.
    idle: f64,
    /// When the last call ended.
    at: Instant,
}

/// The accounts of callers and of their connections.
#[derive(Debug, Default)]
pub struct Accounts {
    /// When weights were 1.
    since: Option<Instant>,
    callers: BTreeMap<Arc<str>, Account>,
    connections: BTreeMap<Asker, Account>,
}

impl Accounts {
    /// A connection asks again that has no other call here: it let the time pass since its last one. One that is not
    /// known has still to show that it asks for little.
    pub fn greet(&mut self, asker: &Asker, now: Instant) {
        let weight = self.weight(now);
        if let Some(account) = self.connections.get_mut(asker) {
            account.idle += now.saturating_duration_since(account.at).as_secs_f64() * weight;
            account.at = now;
        }
    }

    /// Charges `seconds` of work that ended `now`.
    pub fn charge(&mut self, asker: Asker, seconds: f64, now: Instant) {
        if self.weight(now) > MAX_WEIGHT {
            self.bring_down(now);
        }
        self.since.get_or_insert(now);
        let worked = seconds * self.weight(now);
        add(&mut self.callers, Arc::clone(&asker.who), worked, now);
        add(&mut self.connections, asker, worked, now);
    }

    /// The part of its own time that a connection fills with work: nearly 0 for one that asks now and then, 1 for one
    /// that always asks again at once, and for one that is new. `more` seconds of work are still to come.
    pub fn asked(&self, asker: &Asker, more: f64, now: Instant) -> f64 {
        let weight = self.weight(now);
        let known = self.connections.get(asker);
        let (worked, idle) = known.map_or((0.0, 0.0), |a| (a.worked / weight, a.idle / weight));
        let work = worked + more.max(LEAST);
        work / (work + idle)
    }

    /// What a caller has worked over all of its connections, in seconds of `now`.
    pub fn of_caller(&self, who: &str, now: Instant) -> f64 {
        self.callers.get(who).map_or(0.0, |account| account.worked) / self.weight(now)
    }

    /// Whoever worked a moment ago.
    pub fn lately(&self, now: Instant) -> impl Iterator<Item = &Asker> {
        let is_here = move |account: &Account| account.at + LATELY > now;
        self.connections.iter().filter(move |(_, account)| is_here(account)).map(|(asker, _)| asker)
    }

    /// What work of `now` weighs.
    fn weight(&self, now: Instant) -> f64 {
        let age = self.since.map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
        (age.as_secs_f64() / HALF_LIFE).exp2()
    }

    fn bring_down(&mut self, now: Instant) {
        let weight = self.weight(now);
        for account in self.callers.values_mut().chain(self.connections.values_mut()) {
            account.worked /= weight;
            account.idle /= weight;
        }
        self.since = Some(now);
    }
}

fn add<K: Ord>(accounts: &mut BTreeMap<K, Account>, key: K, worked: f64, now: Instant) {
    let account = accounts.entry(key).or_insert(Account { worked: 0.0, idle: 0.0, at: now });
    *account = Account { worked: account.worked + worked, at: now, ..*account };
    if accounts.len() > MAX_ACCOUNTS {
        // Whoever worked least is forgotten first; that one gains nothing by it.
        let mut all: Vec<f64> = accounts.values().map(|account| account.worked).collect();
        all.sort_by(f64::total_cmp);
        let middle = all[all.len() / 2];
        accounts.retain(|_, account| account.worked > middle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asker(who: &str, connection: u64) -> Asker {
        Asker { who: who.into(), connection }
    }

    fn is_near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-6 * a.abs().max(b.abs()).max(1e-6)
    }

    #[test]
    fn work_counts_half_after_a_while_for_ever() {
        let (mut accounts, start) = (Accounts::default(), Instant::now());
        let after = |n: f64| start + Duration::from_secs_f64(HALF_LIFE * n);
        accounts.charge(asker("a", 0), 8.0, start);
        assert!(is_near(accounts.of_caller("a", start), 8.0));
        assert!(is_near(accounts.of_caller("a", after(1.0)), 4.0));
        accounts.charge(asker("a", 1), 1.0, after(3.0));
        assert!(is_near(accounts.of_caller("a", after(3.0)), 2.0));
        // A year later weights were brought down more than once, and nothing of it is seen.
        for n in 0..2_000 {
            accounts.charge(asker("b", 0), 8.0, after(10.0 + f64::from(n) * 30.0));
        }
        let last = after(10.0 + 1_999.0 * 30.0);
        assert!(is_near(accounts.of_caller("b", last), 8.0));
        assert!(accounts.of_caller("a", last) < 1e-9);
    }

    #[test]
    fn a_connection_asks_for_the_part_of_its_time_that_it_fills_with_work() {
        let (mut accounts, start) = (Accounts::default(), Instant::now());
        let (quiet, flood, new) = (asker("a", 0), asker("a", 1), asker("a", 2));
        let mut now = start;
        for _ in 0..100 {
            accounts.greet(&quiet, now);
            accounts.charge(quiet.clone(), 0.01, now);
            accounts.greet(&flood, now);
            accounts.charge(flood.clone(), 0.01, now);
            now += Duration::from_millis(90);
            // The flood was let in only now: it waited, and let no time pass.
            accounts.charge(flood.clone(), 0.01, now);
        }
        assert!((0.08..0.15).contains(&accounts.asked(&quiet, 0.0, now)));
        assert!(accounts.asked(&flood, 0.0, now) > 0.99);
        assert!(is_near(accounts.asked(&new, 0.0, now), 1.0));
        // What is still to come counts at once.
        assert!(accounts.asked(&quiet, 60.0, now) > 0.85);
        // Time passes: what was long ago counts less against new work, and so does the time that passed.
        let later = now + Duration::from_secs(3600);
        accounts.greet(&quiet, later);
        assert!(accounts.asked(&quiet, 0.01, later) < 0.01);
    }

    #[test]
    fn a_caller_that_opens_connection_after_connection_is_not_forgotten() {
        let (mut accounts, now) = (Accounts::default(), Instant::now());
        for connection in 0..3 * MAX_ACCOUNTS as u64 {
            accounts.charge(asker("flood", connection), 1.0, now);
        }
        assert!(accounts.connections.len() <= MAX_ACCOUNTS);
        assert!(is_near(accounts.of_caller("flood", now), 3.0 * MAX_ACCOUNTS as f64));
    }

    #[test]
    fn few_accounts_are_kept_and_those_that_worked_least_go_first() {
        let (mut accounts, now) = (Accounts::default(), Instant::now());
        for n in 0..2 * MAX_ACCOUNTS as u64 {
            accounts.charge(asker(&format!("caller {n}"), 0), n as f64, now);
        }
        assert!(accounts.callers.len() <= MAX_ACCOUNTS);
        let last = 2 * MAX_ACCOUNTS as u64 - 1;
        assert!(accounts.of_caller(&format!("caller {last}"), now) > 0.0);
    }

    #[test]
    fn whoever_worked_a_moment_ago_is_still_here() {
        let (mut accounts, now) = (Accounts::default(), Instant::now());
        accounts.charge(asker("a", 0), 1.0, now);
        assert_eq!(accounts.lately(now).collect::<Vec<_>>(), [&asker("a", 0)]);
        assert_eq!(accounts.lately(now + LATELY).count(), 0);
    }
}
