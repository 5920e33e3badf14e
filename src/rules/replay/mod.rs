//! Rules about what a replay can still reach.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

pub mod procedure;
mod steps;

files! {
    chk_06 det_01 rep_l1 rep_l2 rep_l3 rep_l4 rep_l5 ret_01 ret_02 ret_03 ret_04 ret_05 ret_06 ret_07 ret_08 ret_09 ret_10 ret_11 ret_12 ret_13
    ret_14 ret_15 ret_16 ret_17
}

use super::Context;
use procedure::Procedure;

/// The procedures of all planned steps that read something again, in id order.
pub(super) fn procedures(context: &Context<'_>) -> Vec<Procedure> {
    context.design.records.actions.iter().filter_map(|(id, action)| Procedure::of(context, id, action)).collect()
}
