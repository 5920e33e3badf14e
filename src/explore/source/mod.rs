//! Where events begin, each as a transition system that leaves the first log behind.

pub(super) mod application;
pub(super) mod bridge;
pub(super) mod webhook;
