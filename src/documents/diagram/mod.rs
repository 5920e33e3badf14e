//! The topology as a picture and in two text forms.

mod mermaid;
mod svg;
mod text;

pub use mermaid::mermaid;
pub use svg::svg;
pub use text::text;
