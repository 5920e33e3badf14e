//! Numbers and badges as a screen reader says them.

/// `7 h 27 min` as `7 hours 27 minutes`.
pub(super) fn units(text: &str) -> String {
    let mut spoken: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let one = spoken.last().is_some_and(|before| before == "1");
        let unit = match word {
            "ms" => "millisecond",
            "s" => "second",
            "min" => "minute",
            "h" => "hour",
            "d" => "day",
            "/s" => "per second",
            "/min" => "per minute",
            "/day" => "per day",
            "kB" => "kilobyte",
            "MB" => "megabyte",
            "GB" => "gigabyte",
            "TB" => "terabyte",
            "GiB" => "gibibyte",
            "MiB" => "mebibyte",
            "≥" => "at least",
            "<" => "less than",
            other => {
                spoken.push(other.replace('\u{2009}', ""));
                continue;
            }
        };
        let plural =
            if one || unit.starts_with("per") || unit.starts_with("at") || unit.starts_with("less") { "" } else { "s" };
        spoken.push(format!("{unit}{plural}"));
    }
    spoken.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_said_in_words() {
        assert_eq!(units("7 h 27 min"), "7 hours 27 minutes");
        assert_eq!(units("≥ 1 min 33 s"), "at least 1 minute 33 seconds");
        assert_eq!(units("4\u{2009}210 /s"), "4210 per second");
    }
}
