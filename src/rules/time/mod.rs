//! Rules about clocks, windows, watermarks, late events.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

mod emission;
pub(in crate::rules) mod told;
use emission::{aside, fires_late, lateness, updates};

files! {
    tim_01 tim_02 tim_03 tim_04 tim_05 tim_06 tim_07 tim_08 tim_09 tim_10 tim_11 tim_12 tim_13 tim_14 tim_15 tim_16 tim_17
    tim_18 tim_19 tim_20 tim_21 tim_22 tim_23 tim_24 tim_25 tim_26
}
