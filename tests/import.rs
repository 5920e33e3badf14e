//! Reading the output of Kafka's commands and of engines, line by line, and what an import changes in a design.

mod import {
    mod accepting;
    mod catalogue;
    mod clusters;
    mod engine_commands;
    mod engines;
    mod laws;
    mod reading;
    mod rpk;
    mod support;
}
