//! Key bindings: what is written in the table, what a keyboard sends, and which command the two make.

use super::Command;

/// One press of a key, as the browser reports it; ⌘ counts as Ctrl.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Press {
    /// Ctrl or ⌘.
    pub ctrl: bool,
    /// Shift.
    pub shift: bool,
    /// Alt or ⌥.
    pub alt: bool,
    /// `KeyboardEvent.key`: `z`, `ArrowLeft`, `?`.
    pub key: String,
    /// `KeyboardEvent.code`, for letters and digits that Alt or Shift turn into other signs: `KeyD`, `Digit1`.
    pub code: String,
}

/// One chord of a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chord<'a> {
    ctrl: bool,
    shift: bool,
    alt: bool,
    key: &'a str,
}

impl<'a> Chord<'a> {
    /// Reads `Ctrl+Shift+Z`; the key may itself be `+`.
    #[must_use]
    pub fn read(text: &'a str) -> Self {
        let mut chord = Chord { ctrl: false, shift: false, alt: false, key: text };
        while let Some((head, rest)) = chord.key.split_once('+').filter(|(_, rest)| !rest.is_empty()) {
            match head {
                "Ctrl" => chord.ctrl = true,
                "Shift" => chord.shift = true,
                "Alt" => chord.alt = true,
                _ => break,
            }
            chord.key = rest;
        }
        chord
    }

    /// Does this press make this chord? Signs such as `?` and `[` count whichever modifier the layout needs for them.
    #[must_use]
    pub fn matches(&self, press: &Press) -> bool {
        if self.ctrl != press.ctrl {
            return false;
        }
        let mut chars = self.key.chars();
        let single = chars.next().filter(|_| chars.next().is_none());
        match single {
            Some(c) if c.is_ascii_alphabetic() => {
                let same_key = press.key.eq_ignore_ascii_case(self.key);
                let latin = press.key.is_ascii();
                let same_code = (self.alt || !latin) && press.code.strip_prefix("Key") == Some(self.key);
                (same_key || same_code) && self.shift == press.shift && self.alt == press.alt
            }
            Some(c) if c.is_ascii_digit() => {
                let same = press.key == self.key || press.code.strip_prefix("Digit") == Some(self.key);
                same && self.shift == press.shift && self.alt == press.alt
            }
            Some(_) => press.key == self.key && (self.alt || !press.alt || !press.key.is_ascii() || !press.ctrl),
            None => {
                let key = if self.key == "Space" { " " } else { self.key };
                press.key == key && self.shift == press.shift && self.alt == press.alt
            }
        }
    }

    /// Is it a letter or sign without Ctrl or Alt, which speech input may send by mistake?
    #[must_use]
    pub fn is_single(&self) -> bool {
        !self.ctrl && !self.alt && self.key.chars().count() == 1
    }
}

/// What a press amounts to, given the chord before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// This command.
    Command(Command),
    /// The first chord of a sequence.
    Prefix,
    /// Nothing.
    Nothing,
}

/// The command of a press. `pending` is the first chord of a sequence that was pressed before, `on_canvas` whether the
/// canvas (or nothing) has the focus, `single` whether letters alone count.
#[must_use]
pub fn find(pending: Option<&Press>, press: &Press, on_canvas: bool, single: bool) -> Match {
    let mut prefix = false;
    for command in Command::all() {
        let row = command.row();
        if row.on_canvas && !on_canvas {
            continue;
        }
        for keys in row.keys {
            let (first, second) = keys.split_once(' ').map_or((*keys, None), |(a, b)| (a, Some(b)));
            let first = Chord::read(first);
            if first.is_single() && !single {
                continue;
            }
            match (second, pending) {
                (None, None) if first.matches(press) => return Match::Command(command),
                (Some(_), None) if first.matches(press) => prefix = true,
                (Some(second), Some(before)) if first.matches(before) && Chord::read(second).matches(press) => {
                    return Match::Command(command);
                }
                _ => {}
            }
        }
    }
    if prefix { Match::Prefix } else { Match::Nothing }
}

/// A binding as people read it: `Ctrl ⇧ Z` is never used, `Ctrl Shift Z` is; arrows are drawn.
#[must_use]
pub fn spoken(binding: &str) -> String {
    let chord = |text: &str| {
        let parsed = Chord::read(text);
        let mut words: Vec<&str> = Vec::new();
        if parsed.ctrl {
            words.push("Ctrl");
        }
        if parsed.alt {
            words.push("Alt");
        }
        if parsed.shift {
            words.push("Shift");
        }
        words.push(match parsed.key {
            "ArrowLeft" => "←",
            "ArrowRight" => "→",
            "ArrowUp" => "↑",
            "ArrowDown" => "↓",
            "Escape" => "Esc",
            "Backspace" => "⌫",
            "Delete" => "Del",
            "ContextMenu" => "Menu",
            "-" => "−",
            key => key,
        });
        words.join(" ")
    };
    binding.split(' ').map(chord).collect::<Vec<_>>().join(" then ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sorted::SortedMap;

    fn press(text: &str) -> Press {
        let chord = Chord::read(text);
        let key = if chord.key == "Space" { " " } else { chord.key };
        let code = match key.chars().next() {
            Some(c) if key.len() == 1 && c.is_ascii_alphabetic() => format!("Key{key}"),
            Some(c) if key.len() == 1 && c.is_ascii_digit() => format!("Digit{key}"),
            _ => String::new(),
        };
        Press { ctrl: chord.ctrl, shift: chord.shift, alt: chord.alt, key: key.to_owned(), code }
    }

    #[test]
    fn keys_are_unique() {
        let mut seen = SortedMap::new();
        for command in Command::all() {
            for key in command.row().keys {
                assert_eq!(seen.insert(*key, command), None, "{key}");
            }
        }
        // A key that starts a sequence does nothing alone.
        for key in seen.keys() {
            if let Some((first, _)) = key.split_once(' ') {
                assert!(!seen.contains_key(first), "{first}");
            }
        }
    }

    #[test]
    fn every_binding_finds_its_command() {
        for command in Command::all() {
            for key in command.row().keys {
                let found = match key.split_once(' ') {
                    Some((first, second)) => {
                        assert_eq!(find(None, &press(first), true, true), Match::Prefix, "{key}");
                        find(Some(&press(first)), &press(second), true, true)
                    }
                    None => find(None, &press(key), true, true),
                };
                assert_eq!(found, Match::Command(command), "{key}");
            }
        }
    }

    #[test]
    fn letters_can_be_switched_off_and_canvas_keys_stay_on_the_canvas() {
        assert_eq!(find(None, &press("S"), true, false), Match::Nothing);
        assert_eq!(find(None, &press("Ctrl+Z"), true, false), Match::Command(Command::Undo));
        assert_eq!(find(None, &press("ArrowLeft"), false, true), Match::Nothing);
        assert_eq!(find(None, &press("ArrowLeft"), true, true), Match::Command(Command::MoveLeft));
    }

    #[test]
    fn alt_letters_go_by_the_key_and_signs_by_what_they_type() {
        let alt_d = Press { alt: true, shift: true, key: "∂".into(), code: "KeyD".into(), ..Press::default() };
        assert_eq!(find(None, &alt_d, true, true), Match::Command(Command::Theme));
        let help = Press { shift: true, key: "?".into(), code: "Slash".into(), ..Press::default() };
        assert_eq!(find(None, &help, true, true), Match::Command(Command::Shortcuts));
        let fit = Press { shift: true, key: "!".into(), code: "Digit1".into(), ..Press::default() };
        assert_eq!(find(None, &fit, true, true), Match::Command(Command::ZoomFit));
        // A German layout types [ with AltGr, which browsers report as Ctrl and Alt or as neither.
        let bracket = Press { key: "[".into(), code: "Digit8".into(), ..Press::default() };
        assert_eq!(find(None, &bracket, true, true), Match::Command(Command::ShowAsIs));
        let no_ctrl = Press { ctrl: true, key: "?".into(), ..Press::default() };
        assert_eq!(find(None, &no_ctrl, true, true), Match::Nothing);
    }

    #[test]
    fn bindings_are_spoken() {
        assert_eq!(spoken("Ctrl+Shift+Z"), "Ctrl Shift Z");
        assert_eq!(spoken("Alt+A L"), "Alt A then L");
        assert_eq!(spoken("Ctrl+ArrowRight"), "Ctrl →");
        assert_eq!(spoken("Ctrl++"), "Ctrl +");
        assert_eq!(spoken("Ctrl+-"), "Ctrl −");
    }
}
