//! The clock. The core never reads one: what depends on a date is given it as a value.

use crate::model::Date;

/// Milliseconds since 1970.
#[must_use]
pub fn now() -> f64 {
    js_sys::Date::now()
}

/// Today in the place where the person is.
#[must_use]
pub fn today() -> Option<Date> {
    let date = js_sys::Date::new_0();
    Date::new(&format!("{:04}-{:02}-{:02}", date.get_full_year(), date.get_month() + 1, date.get_date()))
}

/// How long ago a moment was, in words.
#[must_use]
pub fn ago(then: f64) -> String {
    let minutes = ((now() - then) / 60_000.0).max(0.0).floor();
    match minutes {
        m if m < 1.0 => "just now".to_owned(),
        m if m < 2.0 => "a minute ago".to_owned(),
        m if m < 60.0 => format!("{m} minutes ago"),
        m if m < 120.0 => "an hour ago".to_owned(),
        m if m < 1440.0 => format!("{} hours ago", (m / 60.0).floor()),
        m if m < 2880.0 => "yesterday".to_owned(),
        m => format!("{} days ago", (m / 1440.0).floor()),
    }
}

/// Tells who watches the page (a profiler, a test) that something begins. Nothing is kept.
pub fn mark(what: &str) {
    if let Some(performance) = super::window().and_then(|window| window.performance()) {
        // A browser that refuses leaves the watcher without this mark.
        let _ = performance.mark(what);
        performance.clear_marks_with_mark_name(what);
    }
}
