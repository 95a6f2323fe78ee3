//! What changes the world when asked, or shows people what Groundline does.

pub mod opened;
pub mod signals;
pub mod verify;
pub mod token;
pub mod init;
pub mod build;
pub mod listing;
pub mod reports;
pub mod watching;
pub mod doctor;
pub mod sample;
pub mod tour;
