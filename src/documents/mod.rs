//! Design and reports to documents.
pub mod blocks;
pub mod markdown;
