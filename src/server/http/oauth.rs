//! Tokens of an authorization server: which of them are for this server, from whom, and what they allow.
//!
//! Nothing is asked of the network: the issuer's keys are a file.
