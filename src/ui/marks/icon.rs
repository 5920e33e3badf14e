//! Icons of buttons, drawn in 16 by 16.

use leptos::prelude::*;

/// An icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Icon {
    Menu,
    Undo,
    Redo,
    Search,
    Link,
    Moon,
    Sun,
    Close,
    Down,
    Up,
    Download,
    Print,
    Copy,
    Plus,
    Cursor,
    Hand,
    Panel,
    Fit,
    Lock,
    Arrow,
    Usb,
    Half,
}

/// Draws an icon; it is decoration, its button carries the words.
pub fn icon(icon: Icon) -> AnyView {
    let path = match icon {
        Icon::Menu => "M2 4h12M2 8h12M2 12h12",
        Icon::Undo => "M5.5 3 2.5 6l3 3M3 6h6.5a4 4 0 0 1 0 8H6",
        Icon::Redo => "m10.5 3 3 3-3 3M13 6H6.5a4 4 0 0 0 0 8H10",
        Icon::Search => "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5 14 14",
        Icon::Link => {
            "M6.5 9.5 9.5 6.5M7 4.5l1.5-1.5a3 3 0 0 1 4.3 4.3L11.5 8.5M9 11.5 7.5 13a3 3 0 0 1-4.3-4.3L4.5 7.5"
        }
        Icon::Moon => "M13 9.8A5.6 5.6 0 0 1 6.2 3a5.6 5.6 0 1 0 6.8 6.8z",
        Icon::Sun => {
            "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1"
        }
        Icon::Close => "m4 4 8 8M12 4l-8 8",
        Icon::Down => "m4 6 4 4 4-4",
        Icon::Up => "m4 10 4-4 4 4",
        Icon::Download => "M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11",
        Icon::Print => "M4.5 6V2.5h7V6M4.5 11.5h-2v-5h11v5h-2M4.5 9.5h7v4h-7z",
        Icon::Copy => "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
        Icon::Plus => "M8 3v10M3 8h10",
        Icon::Cursor => "m3.5 2.5 9 4-4 1.5-1.5 4.5z",
        Icon::Hand => {
            "M5 8V4.2a1 1 0 0 1 2 0V7M7 7V3a1 1 0 0 1 2 0v4M9 7V3.7a1 1 0 0 1 2 0V8M11 7a1 1 0 0 1 2 0v3.5a4 4 0 0 1-4 4H8.5a4 4 0 0 1-3.2-1.6L3 9.7a1 1 0 0 1 1.6-1.2L5 9"
        }
        Icon::Panel => "M2 3h12v10H2zM6 3v10",
        Icon::Fit => "M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3",
        Icon::Lock => "M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
        Icon::Arrow => "M2.5 8h10M9 4.5 12.5 8 9 11.5",
        Icon::Usb => "M8 1.5v13M8 14.5a1.5 1.5 0 1 0 0-.010M5 5v3l3 2M11 4v3L8 9",
        Icon::Half => "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
    };
    view! { <svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d=path /></svg> }.into_any()
}
