//! What is carried from the palette: where it would go, its picture under the pointer, and letting it go.

use super::{commands::added_kind, state::Canvas};
use crate::sorted::SortedMap;
use crate::{
    canvas::{LINK_SLOP, Point, Route, Scene, Viewport, World, insert},
    model::Id,
    ui::{
        marks::shape,
        store::{Carried, Desk},
    },
};
use leptos::{html::Div, prelude::*};
use std::sync::Arc;

/// Takes what is let go over the canvas; elsewhere it goes back to the palette.
pub fn take(canvas: Canvas) {
    let carried = canvas.desk.panes.carried;
    Effect::new(move |_| {
        let Some(held) = carried.get().filter(|held| held.let_go) else { return };
        carried.set(None);
        if let Some(at) = under(canvas.root, canvas.view.get_untracked(), held) {
            match added_kind(held.command.row().id) {
                Some(Some(kind)) => canvas.add_at(kind, at),
                Some(None) => canvas.add_note(at),
                None => {}
            }
        }
    });
}

/// The link or frame that would take what is carried.
pub fn landing(
    desk: Desk,
    view: RwSignal<Viewport>,
    root: NodeRef<Div>,
    scene: Memo<Arc<Scene>>,
    routes: Memo<Arc<SortedMap<Id, Route>>>,
) -> Memo<Option<Id>> {
    Memo::new(move |_| {
        let held = desk.panes.carried.get()?;
        let kind = added_kind(held.command.row().id)??;
        let at = under(root, view.get_untracked(), held)?;
        let (design, scene, routes) = (desk.design.get_untracked(), scene.get_untracked(), routes.get_untracked());
        let world = World { design: &design, scene: &scene, routes: &routes };
        insert::landing(world, kind, at, LINK_SLOP / view.get_untracked().zoom)
    })
}

/// The canvas point under what is carried, where it is over the canvas and no pane.
fn under(root: NodeRef<Div>, view: Viewport, held: Carried) -> Option<Point> {
    let (x, y) = held.at;
    let top = document().element_from_point(x as f32, y as f32)?;
    top.closest(".cv-canvas").ok().flatten()?;
    let corner = root.get_untracked()?.get_bounding_client_rect();
    Some(view.to_canvas(Point::new(f64::from(x) - corner.left(), f64::from(y) - corner.top())))
}

/// The picture under the pointer.
pub fn ghost(canvas: Canvas) -> AnyView {
    view! {
        {move || {
            let held = canvas.desk.panes.carried.get().filter(|held| !held.let_go)?;
            let kind = added_kind(held.command.row().id)?;
            let (x, y) = held.at;
            Some(view! {
                <div class="cv-carried" aria-hidden="true" style=format!("left:{x}px;top:{y}px")>
                    {shape(kind)} <span>{held.command.title()}</span>
                </div>
            })
        }}
    }
    .into_any()
}
