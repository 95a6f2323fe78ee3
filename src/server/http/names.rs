//! Under which names the server may be asked for, and from which pages.
//!
//! A page in a browser can have any name lead to this machine (DNS rebinding), so a request must name a host that the
//! server knows, and a page must come from an origin that it knows (MCP, Streamable HTTP, security).

use http::header::{HOST, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, StatusCode, Uri};
use std::net::{IpAddr, SocketAddr};

/// The names of this machine for itself.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The hosts and origins that are known.
#[derive(Debug, Clone)]
pub struct Names {
    hosts: Vec<String>,
    own_origins: Vec<String>,
    guests: Vec<String>,
}

/// What a request's `Origin` is.
#[derive(Debug, PartialEq, Eq)]
pub enum From {
    /// It has none, or that of the server itself.
    Own,
    /// A page of this origin, which was let in by name.
    Guest(String),
}

impl Names {
    /// For a server at `address`, with more hosts and origins that were let in by name.
    ///
    /// The error names what is no host or no origin.
    pub fn new(address: SocketAddr, hosts: &[String], origins: &[String]) -> Result<Names, String> {
        let mut known: Vec<String> = Vec::new();
        let ip = address.ip();
        if is_own(ip) {
            known.extend(LOOPBACK.map(str::to_owned));
        }
        if !ip.is_unspecified() {
            known.push(shown(ip));
        }
        for host in hosts {
            let read: Authority = Some(host.as_str())
                .filter(|host| !host.contains(['*', '@']))
                .unwrap_or_default()
                .parse()
                .map_err(|_| format!("`{host}` is no host name, such as tools.example.org"))?;
            known.push(read.as_str().to_ascii_lowercase());
        }
        let own = known.iter().map(|host| format!("http://{host}:{}", address.port())).collect();
        let guests = origins.iter().map(|o| origin(o).ok_or_else(|| no_origin(o)));
        Ok(Names { hosts: known, own_origins: own, guests: guests.collect::<Result<_, _>>()? })
    }

    /// Whether a request asks for a host that is known: by its one `Host`, and by its address where that is absolute.
    pub fn host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), StatusCode> {
        let mut named = headers.get_all(HOST).iter();
        let (Some(host), None) = (named.next(), named.next()) else {
            return Err(StatusCode::BAD_REQUEST);
        };
        let host: Authority = host
            .to_str()
            .ok()
            .filter(|host| !host.contains('@'))
            .and_then(|host| host.parse().ok())
            .ok_or(StatusCode::BAD_REQUEST)?;
        let absolute = uri.authority();
        match self.knows(&host) && absolute.is_none_or(|authority| self.knows(authority)) {
            true => Ok(()),
            false => Err(StatusCode::FORBIDDEN),
        }
    }

    /// Where a request comes from, if that is known.
    pub fn from(&self, headers: &HeaderMap) -> Result<From, StatusCode> {
        let mut named = headers.get_all(ORIGIN).iter();
        let Some(first) = named.next() else { return Ok(From::Own) };
        let read = first.to_str().ok().filter(|_| named.next().is_none()).and_then(origin);
        let origin = read.ok_or(StatusCode::FORBIDDEN)?;
        if self.guests.contains(&origin) {
            return Ok(From::Guest(origin));
        }
        self.own_origins.contains(&origin).then_some(From::Own).ok_or(StatusCode::FORBIDDEN)
    }

    /// With or without a port, as it was let in; a name of this machine goes with any port, since doors may be forwarded.
    fn knows(&self, asked: &Authority) -> bool {
        let whole = asked.as_str().to_ascii_lowercase();
        let host = asked.host().to_ascii_lowercase();
        self.hosts.contains(&whole) || self.hosts.contains(&host)
    }
}

/// Whether only this machine reaches an address.
pub fn is_own(ip: IpAddr) -> bool {
    ip.to_canonical().is_loopback()
}

fn shown(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// An origin in one spelling: scheme, host and port (RFC 6454).
fn origin(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    let scheme = scheme.to_ascii_lowercase();
    let usual = match scheme.as_str() {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    let authority: Authority = rest.parse().ok()?;
    if authority.as_str().contains('@') {
        return None;
    }
    let port = match authority.port_u16() {
        Some(port) => port,
        None if authority.as_str().ends_with(':') => return None,
        None => usual,
    };
    Some(format!("{scheme}://{}:{port}", authority.host().to_ascii_lowercase()))
}

fn no_origin(text: &str) -> String {
    format!("`{text}` is no origin, such as https://app.example.org")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names {
        let guests = ["https://app.example.org".to_owned()];
        let hosts = ["tools.example.org".to_owned()];
        Names::new("127.0.0.1:8765".parse().unwrap(), &hosts, &guests).unwrap()
    }

    fn headers(name: http::HeaderName, values: &[&str]) -> HeaderMap {
        values.iter().map(|v| (name.clone(), v.parse().unwrap())).collect()
    }

    fn host(values: &[&str]) -> Result<(), u16> {
        let asked = names().host(&Uri::from_static("/mcp"), &headers(HOST, values));
        asked.map_err(|status| status.as_u16())
    }

    fn from(values: &[&str]) -> Result<From, u16> {
        names().from(&headers(ORIGIN, values)).map_err(|status| status.as_u16())
    }

    #[test]
    fn a_request_names_one_known_host() {
        for known in
            ["localhost", "LOCALHOST:8765", "127.0.0.1:9", "[::1]:8765", "tools.example.org"]
        {
            assert_eq!(host(&[known]), Ok(()), "{known}");
        }
        for foreign in [
            "evil.example",
            "evil.example:8765",
            "localhost.evil.example",
            "0.0.0.0",
            "127.0.0.1.evil.example",
        ] {
            assert_eq!(host(&[foreign]), Err(403), "{foreign}");
        }
        for odd in ["", "a b", "localhost/x", "user@localhost", "localhost:x y"] {
            assert_eq!(host(&[odd]), Err(400), "{odd}");
        }
        assert_eq!(host(&[]), Err(400));
        assert_eq!(host(&["localhost", "localhost"]), Err(400));
    }

    #[test]
    fn an_absolute_address_names_a_known_host_too() {
        let uri = Uri::from_static("http://evil.example/mcp");
        let asked = names().host(&uri, &headers(HOST, &["localhost"]));
        assert_eq!(asked, Err(StatusCode::FORBIDDEN));
        let uri = Uri::from_static("http://localhost:8765/mcp");
        assert_eq!(names().host(&uri, &headers(HOST, &["localhost"])), Ok(()));
    }

    #[test]
    fn a_page_comes_from_a_known_origin() {
        assert_eq!(from(&[]), Ok(From::Own));
        assert_eq!(from(&["http://localhost:8765"]), Ok(From::Own));
        assert_eq!(from(&["HTTP://LocalHost:8765"]), Ok(From::Own));
        let guest = From::Guest("https://app.example.org:443".to_owned());
        assert_eq!(from(&["https://app.example.org"]), Ok(guest));
        for foreign in [
            "http://evil.example",
            "null",
            "http://localhost:5173",
            "https://localhost:8765",
            "http://app.example.org",
            "https://app.example.org:8443",
            "vscode-webview://x",
            "http://localhost:8765@evil.example",
            "http://localhost:8765/",
            "",
        ] {
            assert_eq!(from(&[foreign]), Err(403), "{foreign}");
        }
        assert_eq!(from(&["http://localhost:8765", "http://localhost:8765"]), Err(403));
    }

    #[test]
    fn what_is_no_name_is_told() {
        let address = "127.0.0.1:1".parse().unwrap();
        assert!(Names::new(address, &["a b".to_owned()], &[]).unwrap_err().contains("`a b`"));
        assert!(
            Names::new(address, &[], &["example.org".to_owned()])
                .unwrap_err()
                .contains("example.org")
        );
    }
}
