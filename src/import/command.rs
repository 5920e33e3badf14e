//! The command lines between outputs: which tool, with which options, so that an output knows what it answers.
//!
//! Not here: running anything, and options that change nothing about how an output reads.

/// A tool whose output is known here, or another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// `kafka-topics`
    Topics,
    /// `kafka-configs`
    Configs,
    /// `kafka-consumer-groups`
    ConsumerGroups,
    /// `kafka-get-offsets`, or the class `GetOffsetShell` in older versions.
    Offsets,
    /// `kafka-features`
    Features,
    /// `kafka-broker-api-versions`
    ApiVersions,
    /// `kafka-log-dirs`
    LogDirs,
    /// `rpk topic describe` or `list`
    RpkTopics,
    /// `rpk group describe`
    RpkGroups,
    /// `rpk cluster config`
    RpkConfig,
    /// `curl`: a REST interface.
    Rest,
    /// Any other command: it ends the output before it.
    Other,
}

/// One command as typed, without the prompt and on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Which tool.
    pub tool: Tool,
    /// The text, single blanks between words.
    pub text: String,
}

impl Command {
    /// The word after an option (`--topic orders`, `--topic=orders`).
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&str> {
        let mut words = self.text.split(' ');
        while let Some(word) = words.next() {
            let Some(option) = word.strip_prefix("--") else { continue };
            if option == name {
                return words.next().filter(|value| !value.starts_with("--")).map(unquoted);
            }
            if let Some(value) = option.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
                return Some(unquoted(value));
            }
        }
        None
    }

    /// Is the option there, with or without a value?
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.text.split(' ').any(|word| word.strip_prefix("--") == Some(name))
    }

    /// The part of the address behind this one: `orders` behind `/connectors/`. Nothing where it is left to be filled in.
    #[must_use]
    pub(super) fn behind(&self, part: &str) -> Option<&str> {
        let (_, rest) = self.text.split_once(part)?;
        let name = rest.split(['/', '?', '\'', '"', ' ', '|']).next()?;
        (!name.is_empty() && !name.contains(['<', '{', '$', '%'])).then_some(name)
    }

    /// With what stands behind the body of a request.
    #[must_use]
    pub(super) fn with(&self, tail: &str) -> Self {
        Self {
            tool: self.tool,
            text: if tail.is_empty() { self.text.clone() } else { format!("{} {tail}", self.text) },
        }
    }

    /// Was only a part of the output shown, by another program behind it?
    #[must_use]
    pub fn filtered(&self) -> bool {
        self.text.contains(" | ")
    }

    /// One named topic, and not a pattern or all of them.
    #[must_use]
    pub fn topic(&self) -> Option<&str> {
        if self.tool == Tool::RpkTopics {
            return self.named().filter(|name| is_topic(name));
        }
        let configs = self.tool == Tool::Configs && self.option("entity-type") == Some("topics");
        let name = if configs { self.option("entity-name") } else { self.option("topic") };
        name.filter(|name| is_topic(name))
    }

    /// One named group.
    #[must_use]
    pub fn group(&self) -> Option<&str> {
        if self.tool == Tool::RpkGroups { self.named() } else { self.option("group") }
    }

    /// The one name behind `rpk topic describe` or `rpk group describe`; nothing where there are several, or a pattern.
    fn named(&self) -> Option<&str> {
        /// Options of `rpk` with a value behind them (`src/go/rpk/pkg/config/params.go`).
        const WITH_VALUE: [&str; 6] = ["-X", "--config-opt", "--config", "--profile", "--format", "--brokers"];
        let (_, behind) = self.text.split_once(" describe ").or_else(|| self.text.split_once(" info "))?;
        let (mut names, mut words) = (Vec::new(), behind.split(' ').take_while(|word| *word != "|"));
        while let Some(word) = words.next() {
            match word {
                "-r" | "--regex" => return None,
                _ if WITH_VALUE.contains(&word) => _ = words.next(),
                _ if word.starts_with('-') => {}
                _ => names.push(unquoted(word)),
            }
        }
        match names.as_slice() {
            [name] => Some(name),
            _ => None,
        }
    }
}

fn unquoted(word: &str) -> &str {
    word.trim_matches(['"', '\'', ','])
}

/// A legal topic name (letters, digits, point, underscore, hyphen; at most 249; `kafka.common.internals.Topic`).
#[must_use]
pub fn is_topic(name: &str) -> bool {
    !matches!(name, "" | "." | ".." | "-")
        && name.len() <= 249
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
}

/// The tool that a word names, with path and file ending or without.
fn tool(word: &str) -> Option<Tool> {
    let name = word.rsplit(['/', '\\', '>']).next().unwrap_or(word);
    let name = name.strip_suffix(".sh").or_else(|| name.strip_suffix(".bat")).unwrap_or(name);
    Some(match name {
        "kafka-topics" => Tool::Topics,
        "kafka-configs" => Tool::Configs,
        "kafka-consumer-groups" => Tool::ConsumerGroups,
        "kafka-get-offsets" => Tool::Offsets,
        "kafka-features" => Tool::Features,
        "kafka-broker-api-versions" => Tool::ApiVersions,
        "kafka-log-dirs" => Tool::LogDirs,
        _ if name.starts_with("kafka-") && name.len() > 6 => Tool::Other,
        _ => return None,
    })
}

/// The beginning of a command in a line: its tool and its text, the prompt taken off. `None`: this is no command.
pub(super) fn begin(line: &str) -> Option<Command> {
    // `docker exec kafka-1 kafka-topics.sh`: a tool that is known here wins over a host that is called alike.
    if line.contains("kafka-")
        && let Some(command) = invoked(line, true).or_else(|| invoked(line, false))
    {
        return Some(command);
    }
    if let Some(command) = of_redpanda(line).or_else(|| of_rest(line)) {
        return Some(command);
    }
    let trimmed = line.trim_start();
    let begin = after_prompt(trimmed.get(..prompt_end(trimmed))?)?;
    Some(Command { tool: Tool::Other, text: joined(trimmed.get(begin..)?) })
}

/// `rpk topic describe`, `rpk group describe` and their like: at the beginning of the line, behind a prompt, or run in a
/// container.
fn of_redpanda(line: &str) -> Option<Command> {
    /// The first words of what `rpk` can be asked for (`rpk --help`).
    const FAMILIES: [&str; 8] = ["topic", "group", "cluster", "redpanda", "security", "registry", "profile", "debug"];
    let at = line.find("rpk ")?;
    let (head, text) = line.split_at_checked(at)?;
    // With a path or without.
    let word = head.rfind(char::is_whitespace).map_or(0, |blank| blank + 1);
    let (head, path) = head.split_at_checked(word)?;
    let run = path.is_empty() || path.ends_with(['/', '\\', '>']);
    let run = run && (head.trim().is_empty() || after_prompt(head) == Some(head.len()) || head.contains(" exec "));
    let mut words = text.split_whitespace().skip(1);
    let tool = match (words.next()?, words.next()?) {
        ("topic", "describe" | "info" | "list" | "ls") => Tool::RpkTopics,
        ("group", "describe") => Tool::RpkGroups,
        ("cluster", "config") => Tool::RpkConfig,
        (family, _) if FAMILIES.contains(&family) => Tool::Other,
        _ => return None,
    };
    let begin = after_prompt(line.get(..at)?).unwrap_or(0);
    run.then(|| Command { tool, text: joined(line.get(begin..).unwrap_or_default()) })
}

/// `curl` at an address: at the beginning of the line, behind a prompt, or run in a container.
fn of_rest(line: &str) -> Option<Command> {
    let at = line.find("curl ")?;
    let (head, text) = line.split_at_checked(at)?;
    let run = head.trim().is_empty() || after_prompt(head) == Some(head.len()) || head.contains(" exec ");
    let address = text.split_whitespace().skip(1).any(|word| {
        let word = word.trim_matches(['"', '\'']);
        word.starts_with("http") || word.starts_with("localhost") || word.starts_with('-') || word == "\\"
    });
    let begin = after_prompt(head).unwrap_or(0);
    (run && address).then(|| Command { tool: Tool::Rest, text: joined(line.get(begin..).unwrap_or_default()) })
}

/// A tool of Kafka with options behind it.
fn invoked(line: &str, known: bool) -> Option<Command> {
    let option = |word: &str| word.starts_with('-') || matches!(word, "\\" | "^" | "`");
    let mut from = 0;
    for word in line.split_whitespace() {
        let start = from + line.get(from..)?.find(word)?;
        from = start + word.len();
        let Some(tool) = tool(word).filter(|tool| !known || *tool != Tool::Other) else { continue };
        if !line.get(from..)?.split_whitespace().any(option) {
            continue;
        }
        let tool = if line.contains("GetOffsetShell") { Tool::Offsets } else { tool };
        // `C:\kafka>kafka-topics.bat`: the prompt is part of the word.
        let begin = match word.rfind('>') {
            Some(at) => start + at + 1,
            None => after_prompt(line.get(..start)?).unwrap_or(0),
        };
        return Some(Command { tool, text: joined(line.get(begin..)?) });
    }
    None
}

/// The end of the part of a line in which a prompt can stand: up to the first prompt sign with a blank after it.
fn prompt_end(line: &str) -> usize {
    let sign = line.char_indices().find(|(i, c)| {
        matches!(c, '$' | '%' | '❯' | '➜')
            && line.get(i + c.len_utf8()..).is_some_and(|t| t.is_empty() || t.starts_with(' '))
    });
    let Some((at, c)) = sign else { return 0 };
    let head = line.get(..at).unwrap_or_default();
    // `$ ls`, `user@host dir % ls`, `bash-5.1$ ls`; not a sentence with a sign of money in it.
    let shell = head.is_empty() || head.contains('@') || !head.contains(' ');
    if shell { (at + c.len_utf8() + 1).min(line.len()) } else { 0 }
}

/// Where the text after the last prompt sign of `head` begins.
fn after_prompt(head: &str) -> Option<usize> {
    let sign = |c: char| matches!(c, '$' | '%' | '#' | '>' | '❯' | '➜');
    head.char_indices().rev().find_map(|(i, c)| {
        let after = i + c.len_utf8();
        let blank = head.get(after..).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']));
        (sign(c) && blank).then(|| after + usize::from(after < head.len()))
    })
}

/// Is there more of the command on the next line?
pub(super) fn goes_on(line: &str) -> bool {
    line.trim_end().ends_with(['\\', '^', '`'])
}

/// Adds a further line to a command.
pub(super) fn extend(command: &mut Command, line: &str) {
    let more = joined(line);
    if !more.is_empty() {
        command.text = format!("{} {more}", command.text);
    }
    if line.contains("GetOffsetShell") {
        command.tool = Tool::Offsets;
    }
}

/// Single blanks, no line continuation.
fn joined(text: &str) -> String {
    let words = text.split_whitespace().filter(|word| !matches!(*word, "\\" | "^" | "`"));
    words.map(|word| word.strip_suffix('\\').unwrap_or(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_taken_off() {
        for (line, text, tool) in [
            ("$ kafka-topics.sh --describe", "kafka-topics.sh --describe", Tool::Topics),
            ("kafka-topics --describe", "kafka-topics --describe", Tool::Topics),
            ("me@box dir % kafka-configs.sh --describe", "kafka-configs.sh --describe", Tool::Configs),
            ("@pod-0:/opt/bin$ kafka-topics.sh --describe", "kafka-topics.sh --describe", Tool::Topics),
            ("  C:\\kafka\\bin>kafka-topics.bat --describe", "kafka-topics.bat --describe", Tool::Topics),
            (
                "$ docker exec kafka-1 /opt/bin/kafka-consumer-groups.sh \\",
                "docker exec kafka-1 /opt/bin/kafka-consumer-groups.sh",
                Tool::ConsumerGroups,
            ),
            (
                " bin/kafka-run-class.sh kafka.tools.GetOffsetShell --topic a --time -2",
                "bin/kafka-run-class.sh kafka.tools.GetOffsetShell --topic a --time -2",
                Tool::Offsets,
            ),
            ("$ rpk topic describe orders -a", "rpk topic describe orders -a", Tool::RpkTopics),
            ("rpk topic list", "rpk topic list", Tool::RpkTopics),
            ("me@box:~$ /usr/bin/rpk group describe billing", "/usr/bin/rpk group describe billing", Tool::RpkGroups),
            (
                "docker exec -it redpanda-0 rpk topic info orders",
                "docker exec -it redpanda-0 rpk topic info orders",
                Tool::RpkTopics,
            ),
            ("rpk cluster info", "rpk cluster info", Tool::Other),
            ("rpk cluster config get log_retention_ms", "rpk cluster config get log_retention_ms", Tool::RpkConfig),
            ("$ curl -s localhost:8083/connectors/a/config", "curl -s localhost:8083/connectors/a/config", Tool::Rest),
            (
                "[me@box ~]$ docker exec connect curl http://x/jobs/1",
                "docker exec connect curl http://x/jobs/1",
                Tool::Rest,
            ),
            ("$ ls -l", "ls -l", Tool::Other),
            ("user@host external %", "", Tool::Other),
        ] {
            assert_eq!(begin(line), Some(Command { tool, text: text.to_owned() }), "{line}");
        }
        for line in [
            "It costs 5 $ a day",
            "see kafka-topics for more",
            "50 % of it",
            "plain text",
            "ask rpk topic describe",
            "rpk is a tool",
            "curl it with a browser",
            "",
        ] {
            assert_eq!(begin(line), None, "{line}");
        }
    }

    #[test]
    fn options_are_found() {
        let command =
            begin("kafka-configs --entity-type topics --entity-name orders --all --describe | grep x").unwrap();
        assert_eq!(command.topic(), Some("orders"));
        assert!(command.has("all") && command.filtered() && !command.has("alter"));
        let command = begin("kafka-topics --describe --topic='a.b'").unwrap();
        assert_eq!(command.topic(), Some("a.b"));
        for (line, topic) in [
            ("rpk topic describe orders --print-configs", Some("orders")),
            ("rpk topic describe -X brokers=b:9092 --format text -a a.b | less", Some("a.b")),
            ("rpk topic describe one two", None),
            ("rpk topic describe -r '^o'", None),
            ("rpk topic list orders", None),
        ] {
            assert_eq!(begin(line).unwrap().topic(), topic, "{line}");
        }
        assert_eq!(begin("rpk group describe billing -c").unwrap().group(), Some("billing"));
        assert_eq!(begin("rpk group describe billing -c").unwrap().topic(), None);
    }
}
