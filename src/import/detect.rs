//! Takes a text apart: which lines are commands, which are of which format, where one output ends and the next begins.
//!
//! Formats are asked in turn; each knows its own lines by their form alone, so prose between outputs needs no rule. What
//! none knows is noise outside an output, and "not understood" inside one.

use super::{
    Content, Format, Input, LineNote, LineState, Reading, Section, Skipped, Verdict,
    command::{self, Command},
    consumer_groups, get_offsets, kafka_api_versions, kafka_configs, kafka_features, kafka_log_dirs, kafka_topics,
    lines::{self, Line, LineRef, MAX_TEXT},
    listing, rpk_groups, rpk_topics, tree,
};

/// Reads all inputs.
pub(super) fn read(inputs: &[Input]) -> Reading {
    let (lines, cut) = lines::split(inputs);
    let mut reading = Reading { inputs: inputs.iter().map(|input| input.name.clone()).collect(), ..Reading::default() };
    let mut walk = Walk::default();
    let (mut next, mut plain) = (0, 0);
    while let Some(rest) = lines.get(next..).filter(|rest| !rest.is_empty()) {
        if next >= plain
            && let Some(taken) = walk.listing(rest)
        {
            if taken.read.is_none() && !taken.lines.iter().any(|line| said(&line.0)) {
                plain = next + taken.lines.len();
                continue;
            }
            next += taken.lines.len();
            walk.taken(rest, taken, &mut reading);
            continue;
        }
        reading.lines.push(walk.line(&rest[0], &mut reading.sections));
        next += 1;
    }
    reading.sections.retain(|section| !section.is_empty());
    refuse_unknown(&mut reading);
    if cut {
        let reason = format!("the text is longer than {} MiB; its end was not read", MAX_TEXT / 1024 / 1024);
        reading.skipped.push(Skipped {
            at: reading.lines.last().map(|line| line.at),
            what: "the end of the text".into(),
            reason,
        });
    }
    reading
}

impl Section {
    fn is_empty(&self) -> bool {
        match &self.content {
            Content::Topics(v) => v.is_empty(),
            Content::Configs(v) => v.is_empty(),
            Content::Groups(v) => v.is_empty(),
            Content::Offsets(v) => v.is_empty(),
            Content::Features(v) => v.is_empty(),
            Content::Brokers(v) => v.is_empty(),
            Content::LogDirs(v) => v.is_empty(),
            Content::RpkTopics(v) => v.is_empty(),
        }
    }
}

/// The state of the walk over the lines.
#[derive(Default)]
struct Walk {
    input: usize,
    command: Option<Command>,
    /// The last line was a command that goes on.
    command_goes_on: bool,
    /// How many commands came before; sections of another command are others.
    commands: usize,
    /// A section that lines may still be added to, and the command it belongs to.
    open: Option<(Format, usize)>,
    /// The line before was read.
    adjacent: bool,
    topics: kafka_topics::Reader,
    configs: kafka_configs::Reader,
    groups: consumer_groups::Reader,
    rpk_topics: rpk_topics::Reader,
    rpk_groups: rpk_groups::Reader,
}

impl Walk {
    fn line(&mut self, line: &Line, sections: &mut Vec<Section>) -> LineNote {
        self.enter(line.at);
        let (state, remark) = self.state(&line.text, line.at, sections);
        note(line, state, remark)
    }

    /// Another input is another text.
    fn enter(&mut self, at: LineRef) {
        if at.input != self.input {
            *self = Self { input: at.input, ..Self::default() };
        }
    }

    /// A text of several lines that begins here; `curl … --data '{` is the command and the text.
    fn listing(&mut self, rest: &[Line]) -> Option<listing::Taken> {
        let first = rest.first()?;
        self.enter(first.at);
        if self.command_goes_on {
            return None;
        }
        let command = command::begin(&first.text);
        if command.is_some() && tree::begins(&first.text).is_none() {
            return None;
        }
        listing::take(rest, command.as_ref().or(self.command.as_ref()))
    }

    /// Files what was read of such a text.
    fn taken(&mut self, rest: &[Line], taken: listing::Taken, reading: &mut Reading) {
        let (count, closed) = (taken.lines.len(), taken.closed);
        let (Some(first), Some(last)) = (rest.first(), rest.get(count.saturating_sub(1))) else { return };
        if let Some(command) = command::begin(&first.text) {
            self.begin(command, "");
        }
        let states = rest.iter().zip(taken.lines).map(|(line, (state, remark))| note(line, state, remark));
        reading.lines.extend(states);
        self.open = None;
        self.adjacent = !closed;
        if let Some((format, lists)) = taken.read {
            self.close_others(format);
            reading.sections.push(Section {
                input: first.at.input,
                first: first.at.number,
                last: last.at.number,
                format,
                command: self.command.clone(),
                content: Content::Configs(lists),
            });
        }
    }

    fn state(&mut self, text: &str, at: LineRef, sections: &mut Vec<Section>) -> (LineState, Option<String>) {
        if std::mem::take(&mut self.command_goes_on) && !text.trim().is_empty() {
            if let Some(command) = &mut self.command {
                command::extend(command, text);
            }
            self.command_goes_on = command::goes_on(text);
            return (LineState::Command, None);
        }
        if text.trim().is_empty() {
            self.groups.blank();
            self.rpk_topics.blank();
            self.rpk_groups.blank();
            self.adjacent = false;
            return (LineState::Blank, None);
        }
        if let Some(verdict) = self.ask(text, at, sections) {
            self.adjacent = true;
            return match verdict {
                Verdict::ReadBut(remark) => (LineState::Read, Some(remark)),
                Verdict::Odd(reason) => (LineState::NotUnderstood(reason), None),
                Verdict::Idle(reason) => (LineState::NotUsed(reason), None),
                Verdict::Read | Verdict::NotMine => (LineState::Read, None),
            };
        }
        if let Some(command) = command::begin(text) {
            self.begin(command, text);
            return (LineState::Command, None);
        }
        if is_elision(text) {
            return (
                LineState::Noise,
                self.elided(sections).then(|| "something was left out of the text here".to_owned()),
            );
        }
        (self.other(text), None)
    }

    /// Asks the formats in turn; opens a section for the one that knows the line.
    fn ask(&mut self, text: &str, at: LineRef, sections: &mut Vec<Section>) -> Option<Verdict> {
        for format in Format::BY_LINE {
            let open = (self.open == Some((format, self.commands))).then(|| sections.last_mut()).flatten();
            let mut fresh = open.is_none().then(|| empty(format));
            let Some(content) = open.map(|section| &mut section.content).or(fresh.as_mut()) else { continue };
            let command = self.command.as_ref();
            let verdict = match content {
                Content::Topics(topics) => self.topics.line(text, at, topics),
                Content::Configs(lists) => self.configs.line(text, at, command, lists),
                Content::Groups(groups) if format == Format::RpkGroups => {
                    self.rpk_groups.line(text, at, command, groups)
                }
                Content::Groups(groups) => self.groups.line(text, at, command, groups),
                Content::Offsets(offsets) => get_offsets::line(text, at, command, offsets),
                Content::Features(features) => kafka_features::line(text, at, features),
                Content::Brokers(brokers) => kafka_api_versions::line(text, at, brokers),
                Content::LogDirs(sizes) => kafka_log_dirs::line(text, at, sizes),
                Content::RpkTopics(topics) => self.rpk_topics.line(text, at, command, topics),
            };
            if verdict == Verdict::NotMine {
                continue;
            }
            self.close_others(format);
            if let Some(content) = fresh {
                let (first, command) = (at.number, self.command.clone());
                sections.push(Section { input: at.input, first, last: first, format, command, content });
                self.open = Some((format, self.commands));
            }
            if let Some(section) = sections.last_mut() {
                section.last = at.number;
            }
            return Some(verdict);
        }
        None
    }

    /// A line of one format ends what is open of others.
    fn close_others(&mut self, format: Format) {
        if format != Format::Configs {
            self.configs.close();
        }
        if format != Format::Groups {
            self.groups.close();
        }
        if format != Format::RpkTopics {
            self.rpk_topics.close();
        }
        if format != Format::RpkGroups {
            self.rpk_groups.close();
        }
    }

    fn begin(&mut self, command: Command, text: &str) {
        self.command_goes_on = command::goes_on(text);
        self.command = (!command.text.is_empty()).then_some(command);
        self.commands += 1;
        self.open = None;
        self.adjacent = false;
        self.topics = kafka_topics::Reader::default();
        self.configs.close();
        self.groups.close();
        self.rpk_topics.close();
        self.rpk_groups.close();
    }

    fn elided(&self, sections: &mut [Section]) -> bool {
        match (self.open.map(|open| open.0), sections.last_mut().map(|section| &mut section.content)) {
            (Some(Format::Configs), Some(Content::Configs(lists))) => self.configs.elided(lists),
            (Some(Format::Topics), Some(Content::Topics(topics))) => {
                topics.last_mut().map(|topic| topic.elided = true).is_some()
            }
            (Some(Format::RpkTopics), Some(Content::RpkTopics(topics))) => self.rpk_topics.elided(topics),
            (open, _) => open.is_some(),
        }
    }

    /// A line that no format knows: a remark, a log line, or a broken line of the output above it.
    fn other(&mut self, text: &str) -> LineState {
        let text = text.trim();
        if is_progress(text) {
            return LineState::Noise;
        }
        let mark = text.starts_with(['#', '<', '-', '+', '*', '(', '{', '}', '[', '/', '>', '`']);
        let sentence = text.ends_with(['.', ':', '?', '!']) || is_log(text);
        if mark || sentence || !self.adjacent {
            return LineState::Noise;
        }
        let format = self.open.map_or("the output", |open| open.0.command());
        LineState::NotUnderstood(format!("not a line of {format}, or broken"))
    }
}

/// Does a line say something of its own, so that it is no line of another output?
fn said(state: &LineState) -> bool {
    matches!(state, LineState::NotUnderstood(reason) if reason.starts_with("the server"))
        || matches!(state, LineState::NotUsed(reason) if reason.starts_with("which version"))
}

/// A line as it is shown.
fn note(line: &Line, state: LineState, mut remark: Option<String>) -> LineNote {
    if line.cut {
        remark = Some("the line is too long; its end was not read".to_owned());
    }
    let state = if line.secret { LineState::SecretRemoved } else { state };
    LineNote { at: line.at, text: line.text.clone(), state, remark }
}

const fn empty(format: Format) -> Content {
    match format {
        Format::Topics => Content::Topics(Vec::new()),
        Format::Configs | Format::Connect | Format::Flink | Format::Spark | Format::RpkConfig => {
            Content::Configs(Vec::new())
        }
        Format::Groups | Format::RpkGroups => Content::Groups(Vec::new()),
        Format::Offsets => Content::Offsets(Vec::new()),
        Format::Features => Content::Features(Vec::new()),
        Format::Brokers => Content::Brokers(Vec::new()),
        Format::LogDirs => Content::LogDirs(Vec::new()),
        Format::RpkTopics => Content::RpkTopics(Vec::new()),
    }
}

/// Something was left out: dots, or a word for it in brackets.
fn is_elision(text: &str) -> bool {
    let text = text.trim();
    (text.len() >= 2 && text.bytes().all(|b| b == b'.'))
        || ["[...]", "<...>", "(...)", "<snip>", "[snip]", "-- snip --"]
            .iter()
            .any(|mark| text.eq_ignore_ascii_case(mark))
}

/// A log line of a tool, mixed in.
pub(super) fn is_log(text: &str) -> bool {
    ["WARN", "ERROR", "INFO", "DEBUG", "Exception", "Warning"].iter().any(|word| text.contains(word))
        || text.starts_with("at ")
        || text.starts_with("Caused by")
}

/// The meter of `curl`, which it writes beside what it fetches.
pub(super) fn is_progress(text: &str) -> bool {
    text.contains("--:--:--") || text.contains("% Total") || text.contains("Dload  Upload")
}

/// An input in which nothing is known here is refused as a whole, with what it looks like.
fn refuse_unknown(reading: &mut Reading) {
    for (input, name) in reading.inputs.iter().enumerate() {
        let known = reading.sections.iter().any(|section| section.input == input)
            || reading.lines.iter().any(|line| line.at.input == input && matches!(line.state, LineState::NotUsed(_)));
        let lines: Vec<&LineNote> = reading.lines.iter().filter(|line| line.at.input == input).collect();
        let what = name.clone().unwrap_or_else(|| "the pasted text".to_owned());
        let Some(first) = lines.iter().find(|line| line.state != LineState::Blank) else {
            reading.skipped.push(Skipped { at: None, what, reason: format!("it holds no text; {KNOWN}") });
            continue;
        };
        if known {
            continue;
        }
        let odd = lines.iter().find_map(|line| match &line.state {
            LineState::NotUnderstood(reason) => Some(reason.as_str()),
            _ => None,
        });
        let reason = match odd {
            Some(reason) => format!("no line of it could be read: {reason}"),
            None => format!("{}. It is not a format known here; {KNOWN}", looks_like(&lines)),
        };
        reading.skipped.push(Skipped { at: Some(first.at), what, reason });
    }
}

const KNOWN: &str = "what can be read is the output of kafka-topics, kafka-configs, kafka-consumer-groups and kafka-log-dirs with --describe, of kafka-get-offsets, kafka-features and kafka-broker-api-versions, of rpk topic describe, rpk topic list, rpk group describe and rpk cluster config export, what the REST interfaces of Kafka Connect and Flink print, connector and worker properties, a Flink configuration, the progress of a Spark query";

/// `key: value`, `key:` or `- item`, with a key of one word.
fn is_yaml(text: &str) -> bool {
    let text = text.strip_prefix("- ").unwrap_or(text);
    let word = |key: &str| !key.contains(char::is_whitespace);
    text.split_once(':').is_some_and(|(key, rest)| word(key) && (rest.is_empty() || rest.starts_with(' ')))
}

/// What an unknown text is, for a polite refusal; nothing is read from it.
fn looks_like(lines: &[&LineNote]) -> &'static str {
    let texts: Vec<&str> = lines.iter().map(|line| line.text.trim()).filter(|text| !text.is_empty()).collect();
    let first = texts.first().copied().unwrap_or_default();
    let share = |test: &dyn Fn(&str) -> bool| texts.iter().filter(|text| test(text)).count() * 2 > texts.len();
    let upper = |text: &str, words: &[&str]| {
        let text = text.to_ascii_uppercase();
        words.iter().any(|word| text.starts_with(word))
    };
    // What is no UTF-8 is read with a sign in the place of each byte.
    if texts.iter().map(|text| text.matches('\u{fffd}').count()).sum::<usize>() > 3 {
        "This is no text in UTF-8, perhaps a packed file: unpack it, or save it as UTF-8"
    } else if first.starts_with(['{', '[']) && texts.last().is_some_and(|last| last.ends_with(['}', ']'])) {
        "This looks like JSON"
    } else if texts.iter().any(|text| upper(text, &["CREATE ", "INSERT INTO", "SELECT ", "SET '"])) {
        "This looks like SQL"
    } else if texts.iter().any(|text| text.starts_with("resource \"") || text.starts_with("locals {")) {
        "This looks like Terraform"
    } else if texts.iter().any(|text| text.starts_with("apiVersion:") || *text == "---") || share(&is_yaml) {
        "This looks like YAML"
    } else if share(&|text| {
        text.starts_with('#') || text.split_once('=').is_some_and(|(key, _)| !key.trim().contains(' '))
    }) {
        "This looks like a properties file"
    } else {
        "This text was not recognised"
    }
}
