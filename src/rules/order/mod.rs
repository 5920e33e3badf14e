//! Rules about order and skew: what ends the order of a key, and which key keeps one partition busy.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

files! { ord_l1 ord_l3 ord_l7 skw_02 }
