//! Texts of several lines that say key and value: which lines they take up, and which product they are of.
//!
//! JSON of an HTTP interface, properties, YAML. Each is read to its end, then the products are asked in turn whether its keys
//! are theirs. Not here: what the keys mean.

use super::{
    Format, LineState,
    command::Command,
    connect, flink,
    kafka_configs::{ConfigEntry, ConfigReading},
    lines::Line,
    rpk_config, secrets, spark,
    tree::{self, Is, Node, Said, Syntax, Tree},
};

/// A text of several lines, taken out of what was pasted.
pub(super) struct Taken {
    /// Whose it is, and what was read; nothing where no product knows it.
    pub read: Option<(Format, Vec<ConfigReading>)>,
    /// What became of each of its lines, from the first.
    pub lines: Vec<(LineState, Option<String>)>,
    /// Its brackets are closed, so that what follows is no broken line of it.
    pub closed: bool,
}

/// Which keys of a text are used, and what is to be said of its lines.
pub(super) struct Marks<'a> {
    tree: &'a Tree,
    used: Vec<bool>,
    said: Vec<Option<String>>,
}

impl<'a> Marks<'a> {
    fn new(tree: &'a Tree) -> Self {
        Self { tree, used: vec![false; tree.lines.len()], said: vec![None; tree.lines.len()] }
    }

    /// Keeps a value under its key, where it says one.
    pub(super) fn take(&mut self, key: &str, node: &Node, entries: &mut Vec<ConfigEntry>) {
        let Some(text) = node.as_text().map(str::trim) else { return };
        self.uses(node);
        // An address says which system it is, whatever is removed from it.
        let address = ["url", "uri", "connection.string"].iter().any(|end| key.ends_with(end));
        if address && !text.is_empty() {
            entries.push(connect::entry(key, text, node.at));
        } else if is_placeholder(text) {
            self.say(node, format!("the value of {key} stands elsewhere, so it was not read"));
        } else if !matches!(text, "" | "null") && !text.contains(secrets::REMOVED) {
            entries.push(connect::entry(key, text, node.at));
        }
    }

    /// The line of this value was read.
    pub(super) fn uses(&mut self, node: &Node) {
        if let Some(used) = self.used.get_mut(node.line) {
            *used = true;
        }
    }

    /// Something to say of the line of this value.
    pub(super) fn say(&mut self, node: &Node, text: String) {
        self.uses(node);
        if let Some(said) = self.said.get_mut(node.line) {
            said.get_or_insert(text);
        }
    }

    fn lines(self, lines: &[Line]) -> Vec<(LineState, Option<String>)> {
        let mut holds = vec![false; self.used.len()];
        self.tree.root.leaves(&mut |node| {
            if let Some(holds) = holds.get_mut(node.line) {
                *holds = true;
            }
        });
        let of = lines.iter().zip(&self.tree.lines).zip(self.used).zip(holds).zip(self.said);
        let notes = of.map(|((((line, said), used), holds), remark)| {
            let state = match said {
                _ if line.text.trim().is_empty() => LineState::Blank,
                Said::Odd(reason) => LineState::NotUnderstood(reason.clone()),
                Said::Beside => LineState::Noise,
                _ if used => LineState::Read,
                _ if holds => LineState::NotUsed("no setting that a design holds"),
                _ => LineState::Noise,
            };
            let but = if let Said::But(text) = said { Some(text.clone()) } else { None };
            (state, but.or(remark))
        });
        notes.collect()
    }
}

/// Does the value stand in a file, in the environment or in a vault? `${file:/secrets:key}`, `$PASSWORD`, `${BUCKET}`.
fn is_placeholder(text: &str) -> bool {
    let variable = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
    };
    let braces = text.split("${").skip(1).filter_map(|rest| rest.split('}').next());
    braces.into_iter().any(|inside| inside.contains(':') || inside == secrets::REMOVED || variable(inside))
        || text.strip_prefix('$').is_some_and(variable)
}

/// The text that begins on the first of these lines; nothing where none does.
pub(super) fn take(lines: &[Line], command: Option<&Command>) -> Option<Taken> {
    let first = lines.first()?;
    if tree::begins(&first.text).is_some() {
        return tree::json(lines).map(|tree| of_product(lines, &tree, None, command));
    }
    if let Some(taken) = rpk_config::answer(first, command) {
        return Some(taken);
    }
    let of = |syntax: &Syntax| tree::pair(&first.text, *syntax).is_some();
    let syntax = [Syntax::Properties, Syntax::Yaml, Syntax::Blanks].into_iter().find(of)?;
    if syntax == Syntax::Blanks && !first.text.trim_start().starts_with("spark.") {
        return None;
    }
    tree::flat(lines, syntax).map(|tree| of_product(lines, &tree, Some(syntax), command))
}

/// Asks the products whose it is.
fn of_product(lines: &[Line], tree: &Tree, syntax: Option<Syntax>, command: Option<&Command>) -> Taken {
    let command = command.map(|command| command.with(&tree.tail));
    let command = command.as_ref();
    let mut marks = Marks::new(tree);
    let root = &tree.root;
    let mut read = None;
    for format in [Format::Connect, Format::Flink, Format::Spark, Format::RpkConfig] {
        let mut lists = match format {
            Format::Connect => connect::read(root, command, &mut marks),
            Format::Flink => flink::read(root, command, &mut marks),
            Format::Spark => spark::read(root, &mut marks),
            _ if syntax == Some(Syntax::Yaml) => rpk_config::read(root, &mut marks),
            _ => Vec::new(),
        };
        if lists.is_empty() {
            continue;
        }
        let whole = tree.whole && !tree.lines.iter().any(|said| matches!(said, Said::Odd(_)));
        lists.iter_mut().for_each(|list| list.complete &= whole);
        read = Some((format, lists));
        break;
    }
    let mut lines = marks.lines(lines);
    if read.is_none()
        && let Some((node, message)) = refusal(root)
        && let Some(line) = lines.get_mut(node.line)
    {
        let message: String = message.lines().next().unwrap_or_default().chars().take(200).collect();
        line.0 = LineState::NotUnderstood(format!("the server answered with an error: {message}"));
    }
    Taken { read, lines, closed: syntax.is_none() && tree.whole }
}

/// `{"error_code":404,"message":…}` of Connect, `{"errors":[…]}` of Flink.
fn refusal(root: &Node) -> Option<(&Node, &str)> {
    let message = match (root.get("error_code"), root.get("errors").map(|errors| &errors.is)) {
        (Some(_), _) => root.get("message")?,
        (None, Some(Is::List(errors))) => errors.first()?,
        _ => return None,
    };
    Some((message, message.as_text()?))
}
