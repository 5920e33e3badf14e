//! A stream against its batch twin.

use super::{design, id};

/// 1 % late, 2 % repeated, 0.5 % for a reason that neither side knows, 0.25 % that both know: below by 1.75 %, above by 2.75 %.
#[test]
fn a_cause_that_neither_side_knows_counts_on_both() {
    let elements = r#""stream":{"kind":"sink","system":"postgres"},"batch":{"kind":"sink","system":"postgres"}"#;
    let compared = |shares: &str| {
        let link = format!(
            r#""r":{{"from":"stream","to":"batch","port":"reconcile","proposed":{{"divergence":{{{shares}}}}}}}"#
        );
        let report = design(elements, &link).comparisons[&id("r")].clone();
        (report.below.unwrap().value, report.above.unwrap().value)
    };
    let near = |(below, above): (f64, f64), expected: (f64, f64)| {
        assert!((below - expected.0).abs() < 1e-12 && (above - expected.1).abs() < 1e-12, "{below} {above}");
    };
    let two = r#""late events":0.01,"duplicates":0.02"#;
    near(compared(two), (0.01, 0.02));
    near(compared(&format!(r#"{two},"clock":0.005"#)), (0.015, 0.025));
    near(compared(&format!(r#"{two},"clock":0.005,"late duplicates":0.0025"#)), (0.017_5, 0.027_5));
}
