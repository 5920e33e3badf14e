//! Reading an explanation: which term binds, which look-backs were taken off, which input is the rate.

use crate::analysis::explain::{Explained, Origin};
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

/// The id of the formula that a number was computed by.
pub(super) fn formula(of: &Explained) -> &'static str {
    match &of.origin {
        Origin::Formula { formula, .. } => formula.id,
        _ => "",
    }
}

/// The look-backs that were taken off between a log and its results, the first of them last; and the reach of that log.
pub(super) fn look_backs(reach: &Arc<Explained>) -> (Vec<Arc<Explained>>, Arc<Explained>) {
    let (mut taken, mut at) = (Vec::new(), reach);
    loop {
        let next = match (formula(at), at.inputs()) {
            ("E5.lookback", [before, look_back]) => {
                taken.push(Arc::clone(look_back));
                before
            }
            ("E5.and", _) => match binding(at) {
                Some(least) => least,
                None => break,
            },
            _ => break,
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
        "by size" | "retention size, per partition" => "bytes bind".to_owned(),
        "by time" | "log reach" => "time binds".to_owned(),
        "age of the oldest record" => "the log begins there".to_owned(),
        "compaction lag" => "the compaction lag binds".to_owned(),
        _ => String::new(),
    }
}
