//! The protocol over HTTP: one stateless endpoint, `/mcp`, for both eras, behind checks that come before it.

pub mod oauth;
