//! Secrets are taken out of the text before anything else reads it.
//!
//! A secret is the value of a key whose last words say so (`connection.password`, `"aws.secret.access.key"`, `--token`),
//! the password inside an address, a private key between its marks, a login module's text, a signed token. A bare word
//! on a line of its own cannot be told from any other and is not found. The value is replaced by [`REMOVED`].

use crate::sorted;

/// What stands in the place of a secret.
pub const REMOVED: &str = "[removed]";

/// Endings of a key, letters only, that announce a secret.
const ENDINGS: [&str; 20] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "secretkey",
    "accesskey",
    "accesskeyid",
    "apikey",
    "privatekey",
    "keystorekey",
    "accountkey",
    "token",
    "credential",
    "credentials",
    "userinfo",
    "connectionstring",
    "jaasconfig",
    "authorization",
    "sslkey",
];

/// Takes secrets out of line after line; remembers that it is inside a private key.
#[derive(Default)]
pub(super) struct Remover {
    inside_key: bool,
}

impl Remover {
    /// The line without its secrets, and whether there was one.
    pub(super) fn remove(&mut self, line: String) -> (String, bool) {
        if self.inside_key || (line.contains("-----BEGIN") && line.contains("PRIVATE KEY")) {
            self.inside_key = !line.contains("-----END");
            return (REMOVED.to_owned(), true);
        }
        let mut text = line;
        let mut found = false;
        for step in [sensitive, addresses, values, options, blanks, users, providers, signed_tokens] {
            if let Some(without) = step(&text) {
                (text, found) = (without, true);
            }
        }
        (text, found)
    }
}

/// `key=value sensitive=true synonyms={…}`: the broker itself says so, whatever the key is called.
fn sensitive(line: &str) -> Option<String> {
    let end = line.find(" sensitive=true")?;
    let head = line.get(..end)?;
    let start = head.find('=')? + 1;
    if harmless(head.get(start..)?) {
        return None;
    }
    Some(format!("{}{REMOVED} sensitive=true synonyms={{}}", head.get(..start)?))
}

/// `scheme://user:password@host`
fn addresses(line: &str) -> Option<String> {
    let mut ranges = Vec::new();
    for (start, _) in line.match_indices("://") {
        let from = start + 3;
        let rest = line.get(from..)?;
        let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '/' | '"' | '\'')).unwrap_or(rest.len());
        let Some(at) = rest.get(..end).and_then(|authority| authority.rfind('@')) else { continue };
        let Some(colon) = rest.get(..at).and_then(|user| user.find(':')) else { continue };
        ranges.push((from + colon + 1, from + at));
    }
    replace(line, &ranges)
}

/// `key=value`, `"key": "value"`, `key: value`
fn values(line: &str) -> Option<String> {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for (at, sign) in line.char_indices().filter(|(_, c)| matches!(c, '=' | ':')) {
        if ranges.last().is_some_and(|last| at < last.1) {
            continue;
        }
        let key = key_before(line.get(..at)?);
        if !is_secret(key) {
            continue;
        }
        let (start, end) = value_after(line, at + sign.len_utf8(), key);
        let value = line.get(start..end)?;
        if !harmless(value) {
            ranges.push((start, end));
        }
    }
    replace(line, &ranges)
}

/// `--password value`
fn options(line: &str) -> Option<String> {
    if !line.contains("--") {
        return None;
    }
    let mut ranges = Vec::new();
    let mut after = false;
    let mut from = 0;
    for token in line.split_whitespace() {
        let start = from + line.get(from..)?.find(token)?;
        from = start + token.len();
        if after && !token.starts_with('-') && !harmless(token) {
            ranges.push((start, from));
        }
        after = token.strip_prefix("--").is_some_and(is_secret);
    }
    replace(line, &ranges)
}

/// `spark.hadoop.fs.s3a.secret.key   value`: a key with points, blanks, a value.
fn blanks(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let (key, value) = (words.next()?, words.next()?);
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if words.next().is_some() || !key.contains('.') || !key.chars().all(plain) || !is_secret(key) || harmless(value) {
        return None;
    }
    let start = line.rfind(value)?;
    replace(line, &[(start, start + value.len())])
}

/// `curl -u user:password`
fn users(line: &str) -> Option<String> {
    let (mut ranges, mut after, mut from) = (Vec::new(), false, 0);
    for token in line.split_whitespace().filter(|_| line.contains("curl")) {
        let start = from + line.get(from..)?.find(token)?;
        from = start + token.len();
        let joined = token.strip_prefix("-u").filter(|rest| !rest.is_empty());
        let value = if after { Some(token) } else { joined };
        if let Some((user, word)) = value.and_then(|value| value.split_once(':'))
            && !harmless(word)
        {
            let lead = token.len() - value.map_or(0, str::len);
            ranges.push((start + lead + user.len() + 1, from));
        }
        after = matches!(token, "-u" | "--user");
    }
    replace(line, &ranges)
}

/// `${file:/opt/secrets.properties:password}`: where a secret lies is not for a design either.
fn providers(line: &str) -> Option<String> {
    let (mut ranges, mut from) = (Vec::new(), 0);
    while let Some(start) = line.get(from..)?.find("${").map(|at| from + at + 2) {
        let inside = line.get(start..)?;
        let end = inside.find(['}', '"', '$']).unwrap_or(inside.len());
        if inside.get(..end)?.contains(':') {
            ranges.push((start, start + end));
        }
        from = start + end;
    }
    replace(line, &ranges)
}

/// Tokens that say what they are by their form: `eyJ….….…`, `AKIA…`
fn signed_tokens(line: &str) -> Option<String> {
    if !line.contains("eyJ") && !line.contains("AKIA") {
        return None;
    }
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let mut ranges = Vec::new();
    for mark in ["eyJ", "AKIA"] {
        for (start, _) in line.match_indices(mark) {
            let rest = line.get(start..)?;
            let token = rest.get(..rest.find(|c| !word(c)).unwrap_or(rest.len()))?;
            let signed = mark == "eyJ" && token.len() > 30 && token.matches('.').count() == 2;
            let key_id = mark == "AKIA" && token.len() == 20;
            if (signed || key_id) && ranges.last().is_none_or(|last: &(usize, usize)| start >= last.1) {
                ranges.push((start, start + token.len()));
            }
        }
    }
    sorted::sort(&mut ranges);
    replace(line, &ranges)
}

fn replace(line: &str, ranges: &[(usize, usize)]) -> Option<String> {
    if ranges.is_empty() {
        return None;
    }
    let (mut out, mut from) = (String::with_capacity(line.len()), 0);
    for (start, end) in ranges {
        out.push_str(line.get(from..*start)?);
        out.push_str(REMOVED);
        from = *end;
    }
    out.push_str(line.get(from..)?);
    Some(out)
}

/// The name that ends where a sign begins, without the quotes around it.
fn key_before(head: &str) -> &str {
    let head = head.trim_end_matches([' ', '"', '\'', '\\']);
    let start = head
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')))
        .map_or(0, |i| i + head.get(i..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
    head.get(start..).unwrap_or_default()
}

fn is_secret(key: &str) -> bool {
    if key.len() < 3 || key.len() > 200 {
        return false;
    }
    let letters = |text: &str| -> Vec<u8> {
        text.bytes().rev().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_lowercase()).take(20).collect()
    };
    let key = letters(key);
    ENDINGS
        .iter()
        .any(|ending| key.len() >= ending.len() && key.iter().copied().zip(ending.bytes().rev()).all(|(a, b)| a == b))
}

/// Where the value of a key begins and ends.
fn value_after(line: &str, from: usize, key: &str) -> (usize, usize) {
    let rest = line.get(from..).unwrap_or_default();
    let start = from + (rest.len() - rest.trim_start_matches([' ', '\\']).len());
    let rest = line.get(start..).unwrap_or_default();
    if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let inner = rest.get(1..).unwrap_or_default();
        let mut escaped = false;
        let end = inner.find(|c| {
            let closes = c == quote && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        return (start + 1, start + 1 + end.unwrap_or(inner.len()));
    }
    // Inside a text between quotes the value ends with it: `"headers": "Authorization: Bearer x",`
    if inside_quotes(line.get(..from).unwrap_or_default()) {
        let mut escaped = false;
        let end = rest.find(|c| {
            let closes = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            closes
        });
        let end = end.unwrap_or(rest.len());
        return (start, start + next_setting(rest.get(..end).unwrap_or_default()));
    }
    let whole_line = ["config", "ization"].iter().any(|end| key.to_ascii_lowercase().ends_with(end));
    let end = if whole_line { None } else { rest.find([' ', '\t', '"']) };
    let end = end.unwrap_or(rest.len());
    (start, start + next_setting(rest.get(..end).unwrap_or_default()))
}

/// Is a double quote open at the end of this text?
fn inside_quotes(head: &str) -> bool {
    let mut escaped = false;
    let quotes = head.chars().filter(|c| {
        let quote = *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        quote
    });
    quotes.count() % 2 == 1
}

/// `value,other.key=…` and `value&key=…`: only the value.
fn next_setting(value: &str) -> usize {
    let next = value.char_indices().filter(|(_, c)| matches!(c, ',' | '&')).find(|(i, _)| {
        let rest = value.get(i + 1..).unwrap_or_default();
        let name = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))).unwrap_or(0);
        name > 0 && rest.get(name..).is_some_and(|tail| tail.starts_with('='))
    });
    next.map_or(value.len(), |(i, _)| i)
}

/// Nothing to hide: empty, masked already, a placeholder, or two numbers (`my-token:0:42` is an offset of a topic).
fn harmless(value: &str) -> bool {
    let value = value.trim_end_matches([',', ';', '}']);
    let masked = |c: char| matches!(c, '*' | 'x' | 'X' | '.' | '•');
    let offset = value.split_once(':').is_some_and(|(a, b)| {
        !a.is_empty() && !b.is_empty() && [a, b].iter().all(|part| part.bytes().all(|b| b.is_ascii_digit()))
    });
    matches!(value, "" | "null" | "none" | "true" | "false" | "[hidden]" | REMOVED)
        || value.starts_with(['$', '<', '{', '['])
        || (value.chars().count() > 2 && value.chars().all(masked))
        || offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn removed(line: &str) -> String {
        Remover::default().remove(line.to_owned()).0
    }

    #[test]
    fn secrets_are_removed() {
        for (line, without) in [
            ("\"connection.password\": \"hunter2\",", "\"connection.password\": \"[removed]\","),
            ("password=hunter2", "password=[removed]"),
            ("  aws.secret.access.key = abc/def+1", "  aws.secret.access.key = [removed]"),
            ("url=postgresql://app:hunter2@db:5432/x", "url=postgresql://app:[removed]@db:5432/x"),
            ("run --api-key abc --topic orders", "run --api-key [removed] --topic orders"),
            ("Authorization: Bearer abc def", "Authorization: [removed]"),
            ("a.password=x,retention.ms=1", "a.password=[removed],retention.ms=1"),
            (
                "\"sasl.jaas.config\": \"X required username=\\\"u\\\" password=\\\"p\\\";\"",
                "\"sasl.jaas.config\": \"[removed]\"",
            ),
            ("sasl.jaas.config=X required username=\"u\" password=\"p\";", "sasl.jaas.config=[removed]"),
            ("\"connection.password\": \"${file:x:y}\",", "\"connection.password\": \"${[removed]}\","),
            ("a=jdbc:x?password=${file:x:y}&user=u", "a=jdbc:x?password=${[removed]}&user=u"),
            ("curl -s -u me:hunter2 http://x:8083/", "curl -s -u me:[removed] http://x:8083/"),
            ("spark.hadoop.fs.s3a.secret.key   hunter2", "spark.hadoop.fs.s3a.secret.key   [removed]"),
            ("curl -ume:hunter2 http://x:8083/", "curl -ume:[removed] http://x:8083/"),
            ("\"headers\": \"Authorization: Bearer abc def\",", "\"headers\": \"Authorization: [removed]\","),
            (
                "\"connection.url\": \"jdbc:postgresql://db/x?user=u&password=hunter2&ssl=true\",",
                "\"connection.url\": \"jdbc:postgresql://db/x?user=u&password=[removed]&ssl=true\",",
            ),
            ("key AKIAABCDEFGHIJKLMNOP here", "key [removed] here"),
            (
                "  odd.name=hunter2 sensitive=true synonyms={STATIC_BROKER_CONFIG:odd.name=hunter2}",
                "  odd.name=[removed] sensitive=true synonyms={}",
            ),
        ] {
            assert_eq!(removed(line), without);
        }
    }

    #[test]
    fn what_only_looks_like_one_stays() {
        for line in [
            "ssl.key.password=null sensitive=true synonyms={}",
            "password.encoder.iterations=4096 sensitive=false synonyms={}",
            "delegation.token.expiry.time.ms=86400000",
            "access-token:0:8302",
            "Topic: tokens\tPartitionCount: 3",
            "password: ********",
        ] {
            assert_eq!(removed(line), line);
        }
    }

    #[test]
    fn a_private_key_goes_whole() {
        let mut remover = Remover::default();
        let lines = ["-----BEGIN RSA PRIVATE KEY-----", "MIIE", "-----END RSA PRIVATE KEY-----", "after"];
        let read: Vec<String> = lines.iter().map(|line| remover.remove((*line).to_owned()).0).collect();
        assert_eq!(read, [REMOVED, REMOVED, REMOVED, "after"]);
    }
}
