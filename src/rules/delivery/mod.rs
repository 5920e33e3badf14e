//! Rules about loss and repeats: producers, readers, engines, de-duplication, keys.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

files! {
    con_l1 con_l3 con_l5 del_01 del_02 del_03 del_04 del_05 del_06 del_10 del_11 del_12 del_13 del_14 del_15
    del_16 del_18 del_19 del_20 del_22 dup_01 dup_02 dup_03 dup_04 dup_06 dup_07 dup_09 dup_10 dup_11 flk_01
    flk_02 flk_04 off_01 off_02 off_03 que_01 spk_l2 src_l1 src_l2
}
