//! The one door for a design as text: file, link and storage all come in by [`decode`] and go out by [`encode`].
//!
//! `decode` parses within bounds, migrates older versions, reads strictly against the table of fields and checks every
//! reference; it answers with a whole design or with what is wrong and where. `encode` is canonical: the same design is
//! the same bytes, and what `decode` read from those bytes is the same design.
//!
//! Not here: how a design changes (`edit`), text of other tools (`import`), where bytes are kept (`platform`).

mod error;
mod history;
pub mod link;
mod migrate;
mod parse;
mod print;
mod read;
mod record;
pub mod schema;
mod write;

pub use error::{DecodeError, MAX_PROBLEMS, Problem, not_json};
pub use migrate::{FORMAT, VERSION};
pub use parse::{MAX_BYTES, MAX_DEPTH};
pub use record::{decode_record, encode_record};

use crate::model::{Design, Json};
use error::{Path, Problems};
use migrate::Age;

/// A document as it was opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// The design; of a newer document only what this version knows.
    pub design: Design,
    /// Set where the document was written by a later version: it can be looked at, not edited.
    pub newer: Option<Newer>,
}

/// What a document of a later version holds beyond ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Newer {
    /// Its version.
    pub version: u32,
    /// The parts that this version does not know or cannot place; at most [`MAX_PROBLEMS`].
    pub unknown: Vec<Problem>,
    /// How many such parts there are.
    pub unknown_count: usize,
    /// May verdicts be computed? Not where the document says that only a later version may.
    pub verdicts: bool,
    /// The document as it came, to be saved or passed on untouched.
    pub original: String,
}

/// Does this text claim to be a design, wherever its `format` stands? Programs that sort keys put it in the middle.
#[must_use]
pub fn is_design(text: &str) -> bool {
    const KEY: &str = "\"format\"";
    let claims = |(at, _): (usize, &str)| {
        let value = text.get(at + KEY.len()..).and_then(|rest| rest.trim_start().strip_prefix(':'));
        let value = value.and_then(|rest| rest.trim_start().strip_prefix('"'));
        value.is_some_and(|rest| rest.starts_with(FORMAT))
    };
    text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('{') && text.match_indices(KEY).any(claims)
}

/// Reads a document of this version or an earlier one; refuses anything else with the path and the reason.
pub fn decode(text: &str) -> Result<Design, DecodeError> {
    let opened = open(text)?;
    match opened.newer {
        None => Ok(opened.design),
        Some(newer) => Err(DecodeError::one(
            "version",
            format!(
                "this design is written in version {} of the format; this program writes version {VERSION}. It can be \
                 looked at, not changed: open it in the program that wrote it, or in a newer one",
                newer.version
            ),
        )),
    }
}

/// As [`decode`], but a document of a later version opens to be looked at: what is unknown is listed and kept in
/// [`Newer::original`], editing must be off.
pub fn open(text: &str) -> Result<Opened, DecodeError> {
    let mut json = parse::parse(text, parse::DOCUMENT)?;
    let age = migrate::migrate(&mut json)?;
    let (mut design, problems) = read::read(&json);
    match age {
        Age::Current => match current_only(&mut design, problems).into_error() {
            None => Ok(Opened { design, newer: None }),
            Some(error) => Err(error),
        },
        Age::Newer { version } => {
            let verdicts = design.min_reader.is_some_and(|reader| reader <= VERSION);
            let unknown_count = problems.len();
            let unknown = problems.into_list();
            let newer = Newer { version, unknown, unknown_count, verdicts, original: text.to_owned() };
            Ok(Opened { design, newer: Some(newer) })
        }
    }
}

/// What is wrong only in a document of the current version: that a later one be needed to judge it.
fn current_only(design: &mut Design, mut problems: Problems) -> Problems {
    if design.min_reader.take_if(|reader| *reader > VERSION).is_some() {
        let reason = format!("is above the version of the document, {VERSION}; leave it out");
        problems.push(&Path::ROOT.at("min_reader"), reason, None);
    }
    problems
}

/// What is left of a refused document without the parts that are wrong, and those parts: for offering it to a person
/// who has seen the list. Refuses what is no design at all.
pub fn salvage(text: &str) -> Result<(Design, Vec<Problem>), DecodeError> {
    let mut json = parse::parse(text, parse::DOCUMENT)?;
    match migrate::migrate(&mut json)? {
        Age::Current => {
            let (mut design, problems) = read::read(&json);
            let problems = current_only(&mut design, problems);
            Ok((design, problems.into_list()))
        }
        Age::Newer { version } => Err(DecodeError::one(
            "version",
            format!(
                "version {version} of the format is newer than {VERSION}; its parts cannot be told from broken ones"
            ),
        )),
    }
}

/// The file form: canonical, one line per group of values, a line break at the end.
#[must_use]
pub fn encode(design: &Design) -> String {
    print::print(&write::write(design))
}

/// The same JSON without spaces: for links and storage.
#[must_use]
pub fn encode_compact(design: &Design) -> String {
    write::write(design).to_string()
}

/// The document as untyped JSON.
#[must_use]
pub fn to_json(design: &Design) -> Json {
    write::write(design)
}
