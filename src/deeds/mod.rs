//! What changes the world when asked, or shows people what Groundline does.

pub mod build;
pub mod sample;
pub mod tour;
