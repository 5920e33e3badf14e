//! The direction of imports and the size of files, as `ARCHITECTURE.md` states them.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// What each module may name of the others, beside `sorted`, which all may. A module that is not listed may not exist.
const MAY_USE: [(&str, &[&str]); 17] = [
    ("sorted", &[]),
    ("model", &[]),
    ("edit", &["model"]),
    ("catalog", &["model"]),
    ("analysis", &["catalog", "model"]),
    ("explore", &[]),
    ("timeline", &["model"]),
    ("rules", &["analysis", "catalog", "edit", "model"]),
    ("layout", &["analysis", "catalog", "model"]),
    ("pictures", &["analysis", "edit", "model"]),
    ("codec", &["edit", "model", "catalog"]),
    ("import", &["catalog", "codec", "edit", "model"]),
    (
        "documents",
        &["analysis", "catalog", "codec", "edit", "explore", "layout", "model", "pictures", "rules", "timeline"],
    ),
    ("canvas", &["analysis", "catalog", "edit", "layout", "model", "rules"]),
    ("action", &["analysis", "canvas", "catalog", "codec", "documents", "edit", "import", "layout", "model", "rules"]),
    ("platform", &["action", "codec", "edit", "model"]),
    (
        "ui",
        &[
            "action",
            "analysis",
            "canvas",
            "catalog",
            "codec",
            "documents",
            "edit",
            "import",
            "layout",
            "model",
            "pictures",
            "platform",
            "rules",
            "timeline",
        ],
    ),
];

/// Crates that need a browser, and who may name them.
const BROWSER: [(&str, &[&str]); 7] = [
    ("leptos", &["ui"]),
    ("web_sys", &["ui", "platform"]),
    ("js_sys", &["ui", "platform"]),
    ("gloo", &["ui", "platform"]),
    ("wasm_bindgen", &["ui", "platform"]),
    ("wasm_bindgen_futures", &["ui", "platform"]),
    ("idb", &["platform"]),
];

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            sources(&entry, into);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            into.push(entry);
        }
    }
}

/// `(module, path below src, code without comments)` of every source file inside a module.
fn modules() -> Vec<(String, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.sort();
    let read = |file: &PathBuf| {
        let below = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        let module = below.split('/').next().unwrap().trim_end_matches(".rs").to_owned();
        let text = fs::read_to_string(file).unwrap();
        let code = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
        (module, below, code)
    };
    let tests = |file: &str| file.ends_with("/tests.rs") || file.ends_with("/testing.rs");
    let keep = |(module, file, _): &(String, String, String)| {
        !["lib", "main", "testing"].contains(&module.as_str()) && !tests(file)
    };
    files.iter().map(read).filter(keep).collect()
}

/// The part of a file before its unit tests: tests may reach anywhere.
fn shipped(code: &str) -> &str {
    code.split("#[cfg(test)]").next().unwrap_or(code)
}

#[test]
fn imports_point_one_way() {
    let allowed: BTreeMap<_, _> = MAY_USE.into_iter().collect();
    let mut wrong = Vec::new();
    for (module, file, code) in modules() {
        let Some(may) = allowed.get(module.as_str()) else {
            wrong.push(format!("{file}: the module `{module}` is not in the map"));
            continue;
        };
        let code: String = shipped(&code).split_whitespace().collect::<Vec<_>>().join(" ");
        for used in code.split("crate::").skip(1) {
            let names = match used.strip_prefix('{') {
                Some(group) => top_level_names(group),
                None => vec![used.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_owned()],
            };
            for name in names {
                let shared = name == module || name == "sorted";
                if allowed.contains_key(name.as_str()) && !shared && !may.contains(&name.as_str()) {
                    wrong.push(format!("{file}: `{module}` may not use `{name}`"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The first names of `a::{…}, b::c, d}` up to the closing brace.
fn top_level_names(group: &str) -> Vec<String> {
    let (mut depth, mut names, mut current) = (0, Vec::new(), String::new());
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(std::mem::take(&mut current)),
            c if depth == 0 => current.push(c),
            _ => {}
        }
    }
    names.push(current);
    names.iter().map(|name| name.trim().split("::").next().unwrap_or("").trim().to_owned()).collect()
}

#[test]
fn only_the_shell_names_the_browser() {
    let mut wrong = Vec::new();
    for (module, file, code) in modules() {
        for (krate, by) in BROWSER {
            let named = shipped(&code).split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == krate);
            if named && !by.contains(&module.as_str()) {
                wrong.push(format!("{file}: `{krate}` belongs to {}", by.join(" and ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_stay_readable() {
    const LIMIT: usize = 500;
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "tests", "benches"] {
        sources(&root.join(folder), &mut files);
    }
    let long: Vec<String> = files
        .iter()
        .map(|file| (file, fs::read_to_string(file).unwrap().lines().count()))
        .filter(|(_, lines)| *lines > LIMIT)
        .map(|(file, lines)| format!("{}: {lines} lines", file.strip_prefix(root).unwrap().display()))
        .collect();
    assert!(long.is_empty(), "is a concept missing?\n{}", long.join("\n"));
}

#[test]
fn no_work_is_left_behind() {
    let marks =
        ["TO".to_owned() + "DO", "FIX".to_owned() + "ME", "todo".to_owned() + "!(", "unimplemented".to_owned() + "!("];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        for mark in &marks {
            assert!(!text.contains(mark.as_str()), "{}: {mark}", file.display());
        }
    }
}

#[test]
fn maps_and_sorts_are_those_of_sorted() {
    // Trees and sorts of the standard library come once a type, several kilobytes each: see CONTRIBUTING.md.
    let theirs = ["BTreeMap", "BTreeSet", ".sort(", ".sort_by", ".sort_unstable"];
    let mut wrong = Vec::new();
    for (module, file, code) in modules() {
        let found = theirs.iter().filter(|name| module != "sorted" && shipped(&code).contains(*name));
        wrong.extend(found.map(|name| format!("{file}: {name}")));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Bytes are counted and printed in one place each: 1 MB is 10^6 bytes and 1 MiB 2^20 by `SizeUnit`, and a number that was
/// worked out is printed by `human::bytes`.
#[test]
fn sizes_have_one_convention() {
    let units = ["B", "kB", "KB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"];
    let (mut wrong, mut asked) = (Vec::new(), 0);
    for (module, file, code) in modules() {
        if !["analysis", "rules", "pictures", "documents", "catalog", "action", "canvas", "ui", "explore"]
            .contains(&module.as_str())
            || file.contains("/tests/")
        {
            continue;
        }
        let code = shipped(&code);
        asked += code.matches("human::bytes").count();
        let printed = units.iter().flat_map(|unit| ["}", "} "].map(|after| format!("{after}{unit}")));
        let printed = printed.filter(|text| {
            code.match_indices(text.as_str()).any(|(at, _)| !code[at + text.len()..].starts_with(char::is_alphanumeric))
        });
        wrong.extend(printed.map(|text| format!("{file}: prints {text}")));
        let powers = ["<< 10", "<< 20", "<< 30", "<< 40", "1024", "1_048_576", "1_073_741_824", "1_000_000_000_000"];
        wrong.extend(powers.iter().filter(|power| code.contains(*power)).map(|power| format!("{file}: {power}")));
    }
    assert!(asked > 10, "{asked}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Words of the table for settings that no rule and no figure reads: printed, kept, or used to write code; and those of a
/// comparison, which its document sets side by side.
const READ_BY_NONE: [&str; 8] = ["catalogue", "documents", "recorded", "code", "config", "handoff", "contract", "REC"];

/// A setting whose row names a rule or figure is read by one.
#[test]
fn settings_that_name_a_reader_have_one() {
    let readers: String = modules()
        .into_iter()
        .filter(|(module, ..)| matches!(module.as_str(), "analysis" | "rules" | "timeline" | "pictures"))
        .map(|(.., code)| shipped(&code).to_owned())
        .collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/model/fields");
    let (mut files, mut seen) = (Vec::new(), 0);
    sources(&folder, &mut files);
    for file in files {
        for line in fs::read_to_string(&file).unwrap().lines() {
            // `NAME "name": Type, Nature, "theme", "readers", "meaning";`
            let mut quoted = line.split('"');
            let Some(name) = quoted.next().map(str::trim) else { continue };
            let constant = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            let (true, Some(reader)) = (constant, quoted.nth(4)) else { continue };
            seen += 1;
            let none = READ_BY_NONE.iter().any(|none| reader.starts_with(none));
            assert!(
                none || readers.contains(&format!("::{name}")),
                "{name} of {}: {reader} does not read it",
                file.display()
            );
        }
    }
    assert!(seen > 250, "{seen}");
}
