//! Rules about who looks after what is set aside, what must be erased, and settings that do not exist.

macro_rules! files {
    ($($file:ident)*) => {$(
        mod $file;
        pub(super) use $file::*;
    )*};
}

files! { cfg_01 dlq_01 dlq_03 doc_01 prv_01 prv_02 prv_03 prv_04 prv_05 }
