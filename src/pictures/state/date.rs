//! A calendar day some days on.

use crate::model::Date;

/// The day `days` after a date; `None` where the date has no such day any more.
pub(super) fn after(date: &Date, days: f64) -> Option<String> {
    let day = date.as_str().split('T').next()?;
    let mut parts = day.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !(0.0..3e6).contains(&days) {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, reason = "below three million")]
    let total = number(year, month, day) + days as i64;
    let (year, month, day) = calendar(total);
    (year <= 9999).then(|| format!("{year:04}-{month:02}-{day:02}"))
}

/// Days since 1 March of year 0; a year begins in March, so that the leap day is its last.
const fn number(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 + day - 1
}

/// The date of such a number.
const fn calendar(days: i64) -> (i64, i64, i64) {
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (year, month + 3) } else { (year + 1, month - 9) };
    (era * 400 + year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_on() {
        let on = |date: &str, days: f64| after(&Date::new(date).unwrap(), days);
        // December has 31 days, 2028 a leap day: 31 + 31 + 29 days from 1 December to 1 March.
        assert_eq!(on("2026-11-30", 1.0).as_deref(), Some("2026-12-01"));
        assert_eq!(on("2027-12-01", 91.0).as_deref(), Some("2028-03-01"));
        assert_eq!(on("2027-12-01T08:00Z", 90.0).as_deref(), Some("2028-02-29"));
        // 278 = 31 (December) + 31 + 28 + 31 + 30 + 31 + 30 + 31 + 31 = 274 to 31 August, and four more.
        assert_eq!(on("2026-11-30", 278.0).as_deref(), Some("2027-09-04"));
        assert_eq!(on("2026-11-30", f64::INFINITY), None);
    }
}
