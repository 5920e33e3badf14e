//! Reading an explanation: which term binds, which look-backs were taken off, which input is the rate.

use crate::{
    analysis::{
        explain::{Explained, Origin},
        made_by, names,
    },
    model::{Design, Id, View, key, words::CleanupPolicy},
};
use std::sync::Arc;

/// The term that decides, where one does.
pub(super) fn binding(of: &Explained) -> Option<&Arc<Explained>> {
    let Origin::Formula { inputs, binding: Some(at), .. } = &of.origin else { return None };
    inputs.get(*at)
}

/// The first input, at any depth, that is what is looked for; inputs before their own inputs.
pub(super) fn input<'e>(of: &'e Arc<Explained>, is: &dyn Fn(&Explained) -> bool) -> Option<&'e Arc<Explained>> {
    if is(of) {
        return Some(of);
    }
    of.inputs().iter().find_map(|one| input(one, is))
}

/// The look-backs that were taken off between a log and its results, the first of them last; and the reach of that log.
pub(super) fn look_backs(reach: &Arc<Explained>) -> (Vec<Arc<Explained>>, Arc<Explained>) {
    let (mut taken, mut at) = (Vec::new(), reach);
    loop {
        let next = match at.inputs() {
            [before, look_back] if at.made_by(&made_by::LESS_LOOK_BACK) => {
                taken.push(Arc::clone(look_back));
                before
            }
            _ => match binding(at).filter(|_| at.made_by(&made_by::ALL_NEEDED)) {
                Some(least) => least,
                None => break,
            },
        };
        at = next;
    }
    (taken, Arc::clone(at))
}

/// What binds, in a few words: `bytes bind`.
pub(super) fn binds(of: &Explained) -> String {
    if of.unbounded() {
        return String::new();
    }
    match binding(of).map_or(of.what, |term| term.what) {
        names::BY_SIZE | names::RETENTION_SIZE => "bytes bind".to_owned(),
        names::BY_TIME | names::FROM_APPEND | names::LOG_REACH => "time binds".to_owned(),
        names::OLDEST => "the log begins there".to_owned(),
        names::COMPACTION_LAG => "the compaction lag binds".to_owned(),
        _ => String::new(),
    }
}

/// Does a log keep of each key what is newest, whatever its age?
pub(super) fn compacts(design: &Design, view: View, channel: &Id) -> bool {
    let policy = design.get(view, channel, key::channel::CLEANUP_POLICY).value();
    matches!(policy, Some(CleanupPolicy::Compact | CleanupPolicy::CompactDelete))
}
