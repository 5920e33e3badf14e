//! Every form is one that something shows.

/// Where a file of shipped code ends.
fn shipped(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or_default()
}

/// All files of a folder, each with its text up to its tests.
fn sources(folder: &std::path::Path, found: &mut Vec<(std::path::PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path, shipped(&text).to_owned()));
        }
    }
}

/// A form that only tests call guards nothing that is shown.
#[test]
fn every_form_is_called_by_what_is_shown() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = Vec::new();
    sources(&root, &mut all);
    let is_form = |path: &std::path::Path| path.starts_with(root.join("analysis/formulas"));
    let (forms, callers): (Vec<_>, Vec<_>) = all.into_iter().partition(|(path, _)| is_form(path));
    let mut names = 0;
    for (path, text) in &forms {
        for line in text.lines() {
            let Some(head) = line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("pub const fn ")) else {
                continue;
            };
            let name = &head[..head.find(['(', '<']).unwrap()];
            names += 1;
            let named = format!("::{name}");
            let outside = callers.iter().any(|(_, text)| {
                text.contains("formulas")
                    && (text.contains(&format!("{named}("))
                        || text.contains(&format!("{named},"))
                        || text.contains(&format!("{named})")))
            });
            let imported = matches!(name, "ratio" | "product" | "less" | "divergence");
            let within = forms.iter().any(|(_, text)| {
                text.matches(&format!("{name}(")).count() > usize::from(text.contains(&format!("fn {name}(")))
            });
            assert!(outside || within || imported, "{name} of {} is called by tests only", path.display());
        }
    }
    assert!(names > 60, "{names}");
}
