//! The drawing as a file and on paper.

use super::{
    canvas, session,
    store::{Desk, Kind, Show},
};
use crate::{
    canvas::export::{Drawing, Drawn, drawing},
    layout::{Router, places},
    platform::{device, raster},
};
use leptos::{prelude::*, task::spawn_local};

/// Pixels of a PNG for one of the drawing.
const SCALE: f64 = 2.0;

/// What is shown now, with its title and legend.
fn of(desk: Desk) -> Drawing {
    untrack(|| {
        let design = desk.design.get();
        let picture = canvas::drawn(desk);
        let mut scene = places(&design);
        scene.retain(|id, _| picture.cards.contains_key(id));
        let mut routes = Router::new(&design, &scene).all();
        routes.retain(|id, _| picture.wires.contains_key(id));
        let view = match desk.show.get() {
            Show::AsIs => "As it is",
            Show::ToBe => "As it shall be",
            Show::Both => "As it is and as it shall be",
        };
        let drawn = Drawn { design: &design, picture: &picture, scene: &scene, routes: &routes };
        drawing(drawn, &session::open::name_of(desk), view)
    })
}

/// Saves it as SVG.
pub fn save_svg(desk: Desk) {
    let name = format!("{}.svg", session::file_stem(desk));
    session::download(desk, &name, of(desk).svg.as_bytes(), "image/svg+xml");
}

/// Saves it as PNG.
pub fn save_png(desk: Desk) {
    let (name, drawing) = (format!("{}.png", session::file_stem(desk)), of(desk));
    spawn_local(async move {
        match raster::png(&drawing.svg, (drawing.width, drawing.height), SCALE).await {
            Ok(bytes) => session::download(desk, &name, &bytes, "image/png"),
            Err(why) => desk.messages.say(Kind::Error, "Nothing was saved", &format!("{name}: {why}.")),
        }
    });
}

/// Opens the print dialog on the drawing.
pub fn print(desk: Desk) {
    desk.panes.dialog.set(None);
    desk.panes.documents.set(false);
    // Once the page is as it shall be printed.
    request_animation_frame(device::print);
}

/// The browser's own printing prints the drawing too, unless documents are shown.
pub fn listen(desk: Desk) {
    let shown = move || desk.panes.documents.get_untracked() || desk.starting.get_untracked();
    device::on_print(move || (!shown()).then(|| of(desk).svg));
}
