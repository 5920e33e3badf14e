//! Rules about who looks after what is set aside.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

files! { dlq_01 }
