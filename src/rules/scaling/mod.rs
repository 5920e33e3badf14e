//! Rules about scaling and capacity.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

files! { cap_l2 reb_l1 reb_l2 reb_l3 reb_l4 }
