//! One test binary: whole conversations with the program, and the laws of the house.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "the whole binary is a test, which clippy does not see in functions that are no test"
)]

mod program;
mod web;
mod source;
mod talks;
mod pages;
mod formats;
mod plain_names;
mod project_modules;
mod bad_input;
mod characters;
mod mutations;
mod find;
mod delete;
mod stdio;
mod http;
mod oauth;
mod state;
mod commands;
mod changed;
mod weighing;
mod fingerprint;
#[cfg(unix)]
mod fingerprint_faults;
#[cfg(unix)]
mod fingerprint_law;
#[cfg(unix)]
mod verify;
mod watching;
mod registration;
mod layers;
mod tidy;
