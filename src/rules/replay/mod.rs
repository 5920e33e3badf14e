//! Rules about what a replay can still reach.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

files! { chk_06 det_01 ret_01 ret_02 ret_04 ret_05 ret_16 ret_17 }
