//! What a consumer observes: the walk along every path, with instances of copies.

pub mod verdict;
