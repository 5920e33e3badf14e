//! Files: opened by a person's choice or by a drop, saved as a download.

use super::{refusal, window};
use gloo::file::{Blob, futures::read_as_text};
use wasm_bindgen::{JsCast, closure::Closure};

/// Longest file that is read; more is refused before it is read.
pub const MAX_FILE: u64 = 32 * 1024 * 1024;

/// A file as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// Reads chosen or dropped files as text; one that cannot be read is answered with its name and the reason.
pub async fn read(files: Vec<web_sys::File>) -> Vec<Result<TextFile, String>> {
    let mut read = Vec::with_capacity(files.len());
    for file in files {
        let name = file.name();
        if file.size() > MAX_FILE as f64 {
            read.push(Err(format!("{name} is larger than 32 MiB and was not read")));
            continue;
        }
        let blob = Blob::from(web_sys::Blob::from(file));
        read.push(match read_as_text(&blob).await {
            Ok(text) => Ok(TextFile { name, text }),
            Err(error) => Err(format!("{name} could not be read: {error}")),
        });
    }
    read
}

/// The files of a drop.
#[must_use]
pub fn dropped(event: &web_sys::DragEvent) -> Vec<web_sys::File> {
    event.data_transfer().and_then(|data| data.files()).map(|list| list_files(&list)).unwrap_or_default()
}

/// Does this drag carry files (and not something of the page)?
#[must_use]
pub fn carries_files(event: &web_sys::DragEvent) -> bool {
    event
        .data_transfer()
        .is_some_and(|data| data.types().iter().any(|kind| kind.as_string().as_deref() == Some("Files")))
}

fn list_files(list: &web_sys::FileList) -> Vec<web_sys::File> {
    (0..list.length()).filter_map(|i| list.get(i)).collect()
}

/// Asks the person for files and hands them over; nothing happens when the person thinks better of it.
pub fn choose(accept: &str, run: impl FnOnce(Vec<web_sys::File>) + 'static) {
    let Some(input) = window()
        .and_then(|w| w.document())
        .and_then(|d| d.create_element("input").ok())
        .and_then(|e| e.dyn_into::<web_sys::HtmlInputElement>().ok())
    else {
        return;
    };
    input.set_type("file");
    input.set_multiple(true);
    input.set_accept(accept);
    let chosen = input.clone();
    let once = Closure::once_into_js(move |_: web_sys::Event| {
        if let Some(list) = chosen.files() {
            run(list_files(&list));
        }
    });
    let _ = input.add_event_listener_with_callback("change", once.unchecked_ref());
    input.click();
}

/// Saves bytes as a download of this name.
pub fn save(name: &str, bytes: &[u8], kind: &str) -> Result<(), String> {
    let url = object_url(bytes, kind)?;
    let anchor = window()
        .and_then(|w| w.document())
        .and_then(|d| d.create_element("a").ok())
        .and_then(|e| e.dyn_into::<web_sys::HtmlAnchorElement>().ok())
        .ok_or("the page cannot make a download")?;
    anchor.set_href(&url);
    anchor.set_download(name);
    anchor.click();
    // The browser reads the address after the click; it is given back a while later.
    wasm_bindgen_futures::spawn_local(async move {
        gloo::timers::future::TimeoutFuture::new(60_000).await;
        let _ = web_sys::Url::revoke_object_url(&url);
    });
    Ok(())
}

/// An address of bytes within this page.
pub(super) fn object_url(bytes: &[u8], kind: &str) -> Result<String, String> {
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(kind);
    let blob = web_sys::Blob::new_with_u8_array_sequence_and_options(&parts, &options).map_err(|e| refusal(&e))?;
    web_sys::Url::create_object_url_with_blob(&blob).map_err(|e| refusal(&e))
}
