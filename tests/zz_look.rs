use pipeline_desk::{codec, model::View, rules};
#[test]
fn look() {
    let text = std::env::var("LOOK").ok().map(|f| std::fs::read_to_string(f).unwrap()).unwrap_or_else(|| include_str!("../src/catalog/examples/checkout_revenue.json").to_owned());
    let design = codec::decode(&text).unwrap();
    for view in [View::AsIs, View::ToBe] {
        let r = rules::review(&design, view);
        println!("=== {view:?}");
        for (id, c) in &r.consumers {
            let d = &c.delivery;
            println!("\n# {id} {} {:?}\n{}\n{:?}\nmust: {}\nscope: {}\nweakest {:?}\ndup {:?} taint {:?} trans {:?} value {:?}\nunknown {:?}", d.badge.text(), d.label, d.sentence, d.why, d.consumer_must, d.scope, d.weakest, d.duplicates, d.taints, d.transient, d.value, d.unknown.iter().map(|m| format!("{} {}", m.subject, m.words())).collect::<Vec<_>>());
            for l in &d.lossy_hops { println!("  loses {:?}: {} {:?}", l.hop, l.cause, match &l.kind { pipeline_desk::analysis::delivery::verdict::LossKind::Conditional(c) => format!("while {} inside {:?}", c.text, c.inside), k => format!("{k:?}") }); }
            for h in &d.hops { println!("  | {} | lose: {} | adds: {} | removes: {} | {} | {} | {:?}", h.at, h.can_lose, h.adds, h.removes, h.mechanism, h.leaves.text(), h.basis); }
            println!("latency {:?}", c.latency.as_ref().map(|e| e.text()));
            for s in &c.replay { println!("  replay from {} recompute {} {:?} {:?}", s.from, s.recompute, s.reach.as_ref().map(|e| e.text()).map_err(|u| u.missing.iter().map(|m| m.words()).collect::<Vec<_>>()), s.remarks); }
        }
        for (id, l) in &r.links { println!("link {id} {} {:?}", l.badge.text(), l.captions); }
        for (id, c) in &r.channels { println!("channel {id} {:?} typical {:?} longest {:?}", c.reach.as_ref().map(|e| e.text()).ok(), c.typical.as_ref().map(|e| e.text()).ok(), c.longest.as_ref().map(|e| e.text()).ok()); }
        for (id, c) in &r.operators { println!("op {id} {:?}", c.state.as_ref().map(|s| s.as_ref().map(|e| e.text()).map_err(|u| u.missing.iter().map(|m| m.words()).collect::<Vec<_>>()))); }
        for (id, c) in &r.jobs { println!("job {id} rec {:?} bound {:?}", c.recovery.as_ref().map(|e| e.text()).map_err(|u| u.missing.iter().map(|m| m.words()).collect::<Vec<_>>()), c.outage_bound.as_ref().map(|s| s.as_ref().map(|e| e.text()).ok())); }
        for f in &r.findings { println!("finding {} {:?} {:?} {}\n    why {}\n    remedy {} fix {:?}", f.rule, f.severity, f.about, f.message, f.why, f.remedy, f.fix.as_ref().map(|f| &f.label)); }
        for h in &r.halts { println!("halt {:?} {} {} {}", h.class, h.action, h.consequence, h.lifted_by); }
    }
}
