//! Rules about clocks, windows, watermarks, late events.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

files! { tim_01 tim_03 tim_04 tim_06 tim_07 tim_08 }
