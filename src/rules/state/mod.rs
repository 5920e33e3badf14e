//! Rules about state, checkpoints and recovery.

mod relief;

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

files! {
    chk_01 chk_02 chk_03 chk_04 chk_05 chk_07 chk_08 flk_03 flk_05 sta_01 sta_02 sta_03 sta_04 sta_05 sta_06 sta_07 sta_08 sta_09 sta_10
    sta_11 sta_12 sta_13 sta_14
}
