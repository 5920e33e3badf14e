//! Maps and sets held as sorted vectors, and the one sort of the application.
//!
//! They take the place of the standard library's trees and sorts, which are written for speed and copied for every type
//! they are used with: several kilobytes a type in a module that has to be downloaded. Here only what depends on a type
//! depends on it. A lookup is a binary search, a new last key is appended, any other insertion or removal moves what
//! stands behind it; a map built from many entries at once is sorted once. Walking and copying is that of a vector.

mod map;
mod paired;
mod set;
mod sort;

pub use map::{Entry, SortedMap};
pub use paired::paired;
pub use set::SortedSet;
pub use sort::{sort, sort_by, sort_by_key, sort_by_number};
