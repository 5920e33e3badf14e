//! Rules about state, checkpoints and recovery.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

files! { chk_01 chk_02 chk_03 chk_04 flk_03 flk_05 sta_01 sta_02 sta_03 }
