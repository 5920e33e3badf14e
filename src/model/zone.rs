//! Time zones as far as they can be told without a table of all their rules.

const MINUTE: i64 = 60_000;

/// Zones of the IANA time zone database (2025b) that keep one offset all year, in minutes ahead of UTC.
const STEADY: &[(&str, i64)] = &[
    ("Africa/Abidjan", 0),
    ("Africa/Accra", 0),
    ("Africa/Johannesburg", 120),
    ("Africa/Lagos", 60),
    ("Africa/Nairobi", 180),
    ("America/Argentina/Buenos_Aires", -180),
    ("America/Bogota", -300),
    ("America/Lima", -300),
    ("America/Phoenix", -420),
    ("America/Sao_Paulo", -180),
    ("Asia/Bangkok", 420),
    ("Asia/Calcutta", 330),
    ("Asia/Colombo", 330),
    ("Asia/Dhaka", 360),
    ("Asia/Dubai", 240),
    ("Asia/Ho_Chi_Minh", 420),
    ("Asia/Hong_Kong", 480),
    ("Asia/Jakarta", 420),
    ("Asia/Karachi", 300),
    ("Asia/Kathmandu", 345),
    ("Asia/Kolkata", 330),
    ("Asia/Manila", 480),
    ("Asia/Riyadh", 180),
    ("Asia/Seoul", 540),
    ("Asia/Shanghai", 480),
    ("Asia/Singapore", 480),
    ("Asia/Taipei", 480),
    ("Asia/Tokyo", 540),
    ("Atlantic/Reykjavik", 0),
    ("Australia/Brisbane", 600),
    ("Europe/Istanbul", 180),
    ("Europe/Moscow", 180),
];

/// The offset of `UTC`, `Z`, `+08:00`, `UTC+8`, `GMT-05:30` in ms ahead of UTC; none for zones by the name of a place.
#[must_use]
pub fn fixed_offset(zone: &str) -> Option<i64> {
    let rest = zone.strip_prefix("UTC").or_else(|| zone.strip_prefix("GMT")).unwrap_or(zone);
    if rest.is_empty() && !zone.is_empty() || ["Z", "Etc/UTC"].contains(&zone) {
        return Some(0);
    }
    let (sign, rest) = match (rest.strip_prefix('+'), rest.strip_prefix('-')) {
        (Some(rest), _) => (1, rest),
        (_, Some(rest)) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':').unwrap_or((rest, "0"));
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    ((0..=18).contains(&hours) && (0..60).contains(&minutes)).then_some(sign * (hours * 60 + minutes) * MINUTE)
}

/// As [`fixed_offset`], also for places that are known to keep one offset all year.
#[must_use]
pub fn steady_offset(zone: &str) -> Option<i64> {
    let place = || STEADY.iter().find(|(name, _)| *name == zone).map(|(_, minutes)| minutes * MINUTE);
    fixed_offset(zone).or_else(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_offsets_are_read() {
        let hour = 3_600_000;
        let zones = [("UTC", 0), ("Z", 0), ("+08:00", 8 * hour), ("UTC+8", 8 * hour), ("GMT-05:30", -11 * hour / 2)];
        for (zone, offset) in zones {
            assert_eq!(fixed_offset(zone), Some(offset), "{zone}");
        }
        for zone in ["", "Asia/Shanghai", "+99:00", "+1:75", "+", "UTC+x"] {
            assert_eq!(fixed_offset(zone), None, "{zone}");
        }
    }

    #[test]
    fn places_without_daylight_saving_are_known() {
        assert_eq!(steady_offset("Asia/Shanghai"), Some(8 * 3_600_000));
        assert_eq!(steady_offset("Asia/Kolkata"), Some(19_800_000));
        assert_eq!(steady_offset("America/New_York"), None);
        assert!(STEADY.is_sorted(), "in order");
    }
}
