//! Rules about capacity, lag, latency, and the comparison with a batch path.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

files! { cap_l1 cap_l2 cap_l3 cap_l4 cap_l5 lag_l1 lag_l2 lag_l3 lag_l4 lag_l5 lag_l6 lag_l7 lat_l1 lat_l2 lat_l3 lat_l4 lat_l5 mem_l1 reb_l1 reb_l2 reb_l3 reb_l4 reb_l5 rec_l1 rec_l2 rec_l3 rec_l4 }
