//! Reading the output of Kafka's commands, line by line, and what an import changes in a design.

mod import {
    mod accepting;
    mod catalogue;
    mod clusters;
    mod laws;
    mod reading;
    mod rpk;
    mod support;
}
