//! Rules about loss and repeats: producers, readers, engines, de-duplication, keys.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

files! {
    con_l1 con_l10 con_l2 con_l3 con_l4 con_l5 con_l6 con_l7 con_l8 con_l9 del_01 del_02 del_03 del_04 del_05 del_06
    del_07 del_08 del_09 del_10 del_11 del_12 del_13 del_14 del_15 del_16 del_17 del_18 del_19 del_20 del_21 del_22
    del_23 del_24 del_25 del_26 del_27 del_28 del_29 dup_01 dup_02 dup_03 dup_04 dup_05 dup_06 dup_07 dup_08 dup_09 dup_10
    dup_11 dup_12 dup_13 dup_14 flk_01 flk_02 flk_04 flk_06 off_01 off_02 off_03 off_04 que_01 que_02 sfx_01 spk_l1 spk_l2 spk_l3
    spk_l4 src_l1 src_l2 src_l3
}
