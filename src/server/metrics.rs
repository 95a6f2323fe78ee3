//! What the server counts, for whoever watches it: how many calls, how long they took, what they found, how old the
//! indices are, who is connected and who was turned away.
//!
//! Names of tools and apis are all that it shows; nothing that a caller wrote is counted under its own name.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::time::Duration;

/// Of what [`Metrics::text`] is a document.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the calls' times, in seconds.
const BOUNDS: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ByTool {
    tool: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ByOutcome {
    tool: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ByStatus {
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ByApi {
    api: String,
}

/// Of what there is only one.
type Alone = [(&'static str, &'static str); 0];

/// How the keys are by which an issuer's tokens are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySet {
    /// As their file says.
    Read,
    /// As their file said before; now it cannot be read.
    Unreadable,
}

/// The counters of one server.
pub struct Metrics {
    registry: Registry,
    calls: Family<ByOutcome, Counter>,
    times: Family<ByTool, Histogram, fn() -> Histogram>,
    findings: Family<ByTool, Counter>,
    refused: Family<ByStatus, Counter>,
    ages: Family<ByApi, Gauge>,
    running: Gauge,
    waiting: Gauge,
    open: Gauge,
    accepted: Counter,
    unreadable: Family<Alone, Gauge>,
}

fn times() -> Histogram {
    Histogram::new(BOUNDS)
}

impl Default for Metrics {
    fn default() -> Metrics {
        let mut metrics = Metrics {
            registry: Registry::with_prefix("groundline"),
            calls: Family::default(),
            times: Family::new_with_constructor(times),
            findings: Family::default(),
            refused: Family::default(),
            ages: Family::default(),
            running: Gauge::default(),
            waiting: Gauge::default(),
            open: Gauge::default(),
            accepted: Counter::default(),
            unreadable: Family::default(),
        };
        metrics.register();
        metrics
    }
}

impl Metrics {
    fn register(&mut self) {
        let all = &mut self.registry;
        all.register("calls", "Calls by tool and how they went", self.calls.clone());
        all.register_with_unit(
            "call",
            "Time from a call's arrival to its answer",
            Unit::Seconds,
            self.times.clone(),
        );
        all.register("findings", "What calls found, by tool", self.findings.clone());
        all.register("refused_requests", "Requests that were no calls", self.refused.clone());
        all.register_with_unit(
            "index_age",
            "Time since an api's index was last taken in",
            Unit::Seconds,
            self.ages.clone(),
        );
        all.register("calls_running", "Calls that run now", self.running.clone());
        all.register("calls_waiting", "Calls that wait for a place now", self.waiting.clone());
        all.register("connections", "Connections that are open now", self.open.clone());
        all.register("accepted_connections", "Connections so far", self.accepted.clone());
        all.register(
            "key_set_unreadable",
            "Whether the issuer's keys are old ones because their file cannot be read any more",
            self.unreadable.clone(),
        );
    }

    /// A call of `tool` went so, took so long and found so much.
    pub fn called(&self, tool: &'static str, outcome: &'static str, took: Duration, found: usize) {
        self.calls.get_or_create(&ByOutcome { tool, outcome }).inc();
        self.times.get_or_create(&ByTool { tool }).observe(took.as_secs_f64());
        if found > 0 {
            self.findings.get_or_create(&ByTool { tool }).inc_by(found as u64);
        }
    }

    /// A request was turned away with this status.
    pub fn refused(&self, status: u16) {
        self.refused.get_or_create(&ByStatus { status }).inc();
    }

    /// A connection was opened.
    pub fn connected(&self) {
        self.open.inc();
        self.accepted.inc();
    }

    /// A connection was closed.
    pub fn disconnected(&self) {
        self.open.dec();
    }

    /// How the issuer's keys are; nothing is shown where there is no issuer.
    pub fn key_set(&self, found: Option<KeySet>) {
        if let Some(found) = found {
            self.unreadable.get_or_create(&[]).set(i64::from(found == KeySet::Unreadable));
        }
    }

    /// Everything as it is now, with what is not counted but looked at: the calls that run and wait, and the ages of
    /// the indices.
    pub fn text(&self, calls: (usize, usize), ages: Vec<(String, Duration)>) -> String {
        self.running.set(i64::try_from(calls.0).unwrap_or(i64::MAX));
        self.waiting.set(i64::try_from(calls.1).unwrap_or(i64::MAX));
        self.ages.clear();
        for (api, age) in ages {
            let seconds = i64::try_from(age.as_secs()).unwrap_or(i64::MAX);
            self.ages.get_or_create(&ByApi { api }).set(seconds);
        }
        let mut text = String::new();
        // Writing to a text does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whether_keys_can_be_read_is_shown_where_there_are_any() {
        let metrics = Metrics::default();
        let shown = |found: Option<KeySet>| {
            metrics.key_set(found);
            let text = metrics.text((0, 0), Vec::new());
            let lines = text.lines().filter(|line| line.starts_with("groundline_key_set"));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(shown(None), [""; 0]);
        assert_eq!(shown(Some(KeySet::Unreadable)), ["groundline_key_set_unreadable 1"]);
        assert_eq!(shown(Some(KeySet::Read)), ["groundline_key_set_unreadable 0"]);
    }

    #[test]
    fn what_happened_is_counted_under_its_name() {
        let metrics = Metrics::default();
        metrics.called("check_symbols", "findings", Duration::from_millis(3), 2);
        metrics.called("check_symbols", "clean", Duration::from_millis(1), 0);
        metrics.refused(401);
        metrics.connected();
        let text = metrics.text((1, 2), vec![("web 6.0".to_owned(), Duration::from_secs(7))]);
        for line in [
            r#"groundline_calls_total{tool="check_symbols",outcome="findings"} 1"#,
            r#"groundline_call_seconds_count{tool="check_symbols"} 2"#,
            r#"groundline_findings_total{tool="check_symbols"} 2"#,
            r#"groundline_refused_requests_total{status="401"} 1"#,
            r#"groundline_index_age_seconds{api="web 6.0"} 7"#,
            "groundline_calls_running 1",
            "groundline_calls_waiting 2",
            "groundline_connections 1",
            "groundline_accepted_connections_total 1",
            "# EOF",
        ] {
            assert!(text.lines().any(|l| l == line), "{line}:\n{text}");
        }
    }
}
