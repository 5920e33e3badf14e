//! Versions of products, as far as anything hangs on them.

/// Two leading numbers of a product version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(pub u32, pub u32);

impl Version {
    /// Reads `3.9`, `3.9.1`, `v4.0.0-rc1`, `17`; nothing where no number leads.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim().trim_start_matches(['v', 'V']);
        let mut parts = text.split('.').map(|part| {
            let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
            digits.parse::<u32>().ok()
        });
        let major = parts.next().flatten()?;
        Some(Self(major, parts.next().flatten().unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn two_numbers_lead() {
        assert_eq!(Version::read("3.9.1"), Some(Version(3, 9)));
        assert_eq!(Version::read(" v4.0.0-rc1"), Some(Version(4, 0)));
        assert_eq!(Version::read("17"), Some(Version(17, 0)));
        assert_eq!(Version::read("2.3-SNAPSHOT"), Some(Version(2, 3)));
        assert_eq!(Version::read("latest"), None);
    }
}
