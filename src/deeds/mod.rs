//! What changes the world when asked, and what is shown to people.

