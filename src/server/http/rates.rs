//! How often one peer may try what costs others something: tokens that are wrong, and handshakes.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Peers that are remembered; the one not heard of for longest makes room.
const MAX_PEERS: usize = 4096;

/// At most so many tries in a burst, and so many a second after it.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    /// The burst.
    pub burst: f64,
    /// How many come back a second.
    pub a_second: f64,
}

/// Of tokens that are wrong, the twentieth within a minute is one too many.
pub const GUESSES: Rate = Rate { burst: 19.0, a_second: 19.0 / 60.0 };

/// A handshake costs little and is not repeated by those that mean it.
pub const HANDSHAKES: Rate = Rate { burst: 20_480.0, a_second: 50.0 };

/// The tries of all peers.
pub struct Rates {
    rate: Rate,
    peers: Mutex<BTreeMap<IpAddr, Left>>,
}

/// What a peer has left.
struct Left {
    tries: f64,
    at: Instant,
}

impl Rates {
    /// Nobody has tried yet.
    pub fn new(rate: Rate) -> Rates {
        Rates { rate, peers: Mutex::default() }
    }

    /// Counts a try of `peer` at `now`. The error says how long to wait for the next.
    pub fn tried(&self, peer: IpAddr, now: Instant) -> Result<(), Duration> {
        let mut peers = self.peers.lock().unwrap_or_else(PoisonError::into_inner);
        if peers.len() >= MAX_PEERS && !peers.contains_key(&peer) {
            let oldest = peers.iter().min_by_key(|(_, left)| left.at).map(|(ip, _)| *ip);
            oldest.map(|ip| peers.remove(&ip));
        }
        let Rate { burst, a_second } = self.rate;
        let left = peers.entry(peer).or_insert(Left { tries: burst, at: now });
        let since = now.saturating_duration_since(left.at).as_secs_f64();
        left.tries = burst.min(left.tries + since * a_second);
        left.at = now;
        if left.tries < 1.0 {
            return Err(Duration::from_secs_f64(((1.0 - left.tries) / a_second).max(1.0)));
        }
        left.tries -= 1.0;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[test]
    fn the_twentieth_guess_in_a_minute_is_one_too_many_and_they_come_back() {
        let (rates, now) = (Rates::new(GUESSES), Instant::now());
        for _ in 0..19 {
            assert_eq!(rates.tried(PEER, now), Ok(()));
        }
        let wait = rates.tried(PEER, now).unwrap_err();
        assert!(wait >= Duration::from_secs(1) && wait < Duration::from_secs(10), "{wait:?}");
        assert_eq!(rates.tried("10.0.0.1".parse().unwrap(), now), Ok(()));
        assert_eq!(rates.tried(PEER, now + wait), Ok(()));
    }

    #[test]
    fn few_peers_are_remembered() {
        let (rates, now) = (Rates::new(GUESSES), Instant::now());
        for n in 0..2 * MAX_PEERS as u32 {
            let peer = IpAddr::from(std::net::Ipv4Addr::from(n));
            assert_eq!(rates.tried(peer, now + Duration::from_millis(n.into())), Ok(()));
        }
        assert_eq!(rates.peers.lock().unwrap().len(), MAX_PEERS);
    }
}
