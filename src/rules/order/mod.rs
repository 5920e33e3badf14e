//! Rules about order and skew: what ends the order of a key, and which key keeps one partition busy.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

files! { dlq_02 ord_l1 ord_l2 ord_l3 ord_l4 ord_l5 ord_l6 ord_l7 skw_01 skw_02 skw_03 skw_04 }

use super::Context;
use crate::{
    analysis::order::{Hashing, hashing},
    model::{Id, key},
};

/// By which hash a write finds the partition of a key, as far as that is known.
fn hashed_by(context: &Context<'_>, write: &Id, writer: &Id) -> Option<Hashing> {
    let job = context.job_of(writer).unwrap_or(writer);
    let client = context.get(job, key::source::CLIENT).or_else(|| context.get(job, key::job::CLIENT));
    hashing(context.get(write, key::produce::PARTITIONER), client)
}

/// By which hash the one writer of a channel finds the partition of a key.
fn hash_of(context: &Context<'_>, channel: &Id) -> Option<Hashing> {
    let mut writers = context.into(channel);
    let (write, link) = writers.next().filter(|_| writers.next().is_none())?;
    hashed_by(context, write, &link.from)
}
