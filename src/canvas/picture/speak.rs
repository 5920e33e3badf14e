//! Numbers and badges as a screen reader says them.

/// `7 h 27 min` as `7 hours 27 minutes`, `2 MB/s` as `2 megabytes per second`.
pub(super) fn units(text: &str) -> String {
    let mut spoken: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let plural = if spoken.last().is_some_and(|before| before == "1") { "" } else { "s" };
        let (amount, per) = word.split_once('/').map_or((word, None), |(amount, per)| (amount, Some(per)));
        let said = match (unit(amount), per.map(rate)) {
            (Some(unit), None) => format!("{unit}{plural}"),
            (Some(unit), Some(Some(per))) => format!("{unit}{plural} {per}"),
            (None, Some(Some(per))) if amount.is_empty() => per.to_owned(),
            _ => match word {
                "≥" => "at least".to_owned(),
                "<" => "less than".to_owned(),
                other => other.replace('\u{2009}', ""),
            },
        };
        spoken.push(said);
    }
    spoken.join(" ")
}

fn unit(symbol: &str) -> Option<&'static str> {
    Some(match symbol {
        "ms" => "millisecond",
        "s" => "second",
        "min" => "minute",
        "h" => "hour",
        "d" => "day",
        "B" => "byte",
        "kB" => "kilobyte",
        "MB" => "megabyte",
        "GB" => "gigabyte",
        "TB" => "terabyte",
        "KiB" => "kibibyte",
        "MiB" => "mebibyte",
        "GiB" => "gibibyte",
        "TiB" => "tebibyte",
        _ => return None,
    })
}

fn rate(per: &str) -> Option<&'static str> {
    Some(match per {
        "s" => "per second",
        "min" => "per minute",
        "h" => "per hour",
        "d" | "day" => "per day",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_said_in_words() {
        assert_eq!(units("7 h 27 min"), "7 hours 27 minutes");
        assert_eq!(units("≥ 1 min 33 s"), "at least 1 minute 33 seconds");
        assert_eq!(units("4\u{2009}210 /s"), "4210 per second");
        assert_eq!(units("1 TiB, 2 MB/s"), "1 TiB, 2 megabytes per second", "a comma is no part of a unit");
        assert_eq!(units("600 B or 1 TiB"), "600 bytes or 1 tebibyte");
        assert_eq!(units("orders/returns"), "orders/returns");
    }
}
