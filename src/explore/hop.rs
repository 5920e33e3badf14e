//! What each node does alike: it takes one record after the other through its operators.

use super::{
    budget::Bounds,
    item::Item,
    operator::{self, Memory},
    path::Node,
    sink::Feed,
    step::{Act, Step},
};

/// A node with what it reads and what may go wrong in it.
#[derive(Clone, Debug)]
pub(super) struct Hop<'p> {
    pub node: &'p Node,
    pub feed: Feed,
    pub left: Bounds,
}

/// One record that was taken, or the end of the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken {
    pub offset: u8,
    /// What came out of the operators.
    pub out: Option<Item>,
    read: Option<Item>,
}

impl Hop<'_> {
    /// Takes what stands at a position; `fresh` ids were made anew before. `keeps` closed windows?
    pub fn take(&self, position: u8, memory: &mut Memory, fresh: u8, keeps: bool) -> Taken {
        let (offset, read) = self.feed.at(position);
        let out = operator::run(&self.node.operators, memory, fresh, keeps, (offset, read));
        Taken { offset, out, read }
    }

    /// Is everything read that is there?
    pub const fn ended(&self, position: u8) -> bool {
        position == self.feed.end()
    }
}

impl Taken {
    /// The step of reading it.
    pub fn processed(self) -> Step {
        about(Act::Process, self.read)
    }
}

/// A step with its object, where it has one.
pub(super) fn about(act: Act, item: Option<Item>) -> Step {
    item.map_or_else(|| Step::of(act), |item| Step::on(act, item.what))
}
