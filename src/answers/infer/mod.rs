//! The type of every expression of a script, worked out from what is provable.

mod tests;
mod asked;
mod annotations;
mod fits;
mod unify;
mod calls;
mod contexts;
mod own;
mod narrowing;
mod variables;
mod flow;
mod expressions;

pub use asked::{Inference, Meanings};
