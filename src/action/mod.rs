//! The one table of commands: menus, buttons, the context menu, the command palette, shortcuts and the help sheet all
//! read it.
//!
//! A command says what it is called, when it can be used (and if not, why) and on which keys it lies. Not here: what a
//! command does, which `ui` carries out.

mod command;
mod context;
pub mod entry;
mod figure;
mod glance;
mod keys;
mod menu;
pub mod records;
mod refusal;
mod search;

pub use command::{Area, Command, Row, Runner, Scope};
pub use context::Context;
pub use figure::{Figure, FigureKind};
pub use glance::{Glance, glance};
pub use keys::{Chord, Match, Press, find, spoken};
pub use menu::Menu;
pub use search::{Hit, best, grouped, subsequence};
