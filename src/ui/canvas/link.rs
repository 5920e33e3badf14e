//! One link: its stroke, arrow, outline when selected, and what stands on it.

use super::{seen::STACKED, state::Canvas};
use crate::{
    action::{Command, Figure, FigureKind},
    canvas::{
        Point,
        badge_place::{self, Word},
        caption,
        picture::{BadgeView, Caption, Existence, Flag, Stroke, Wire},
        svg,
        viewport::Detail,
    },
    layout::{Route, Spot},
    model::{Id, View},
    ui::{each::following, places, popover, store::Explains},
};
use leptos::prelude::*;

/// The strokes of a link, in the one drawing under the elements.
pub fn link(canvas: Canvas, id: Id) -> AnyView {
    let wire = canvas.wire_of(&id);
    let way = canvas.way_of(&id);
    let key = StoredValue::new(id.clone());
    let selected = canvas.is_selected(&id);
    let class = move || {
        let (stroke, state, hatched) = wire.with(|wire| {
            wire.as_ref().map_or(("main", "", ""), |wire| {
                let state = match wire.existence {
                    Existence::Proposed => " proposed",
                    Existence::ToGo => " to-go",
                    Existence::There | Existence::Changed => "",
                };
                (wire.stroke.name(), state, if wire.hatched { " hatched" } else { "" })
            })
        });
        let taking = if key.with_value(|id| canvas.landing.read().as_ref() == Some(id)) { " target" } else { "" };
        format!("cv-link cv-link-{stroke}{state}{hatched}{taking}{}", if selected.get() { " selected" } else { "" })
    };
    let spoken = canvas.label_of(&id);
    let label = move || {
        let label = spoken.get();
        if selected.get() { format!("{label}, selected") } else { label }
    };
    let look = Memo::new(move |_| {
        let looks = wire.with(|wire| wire.as_ref().map(|wire| (wire.stroke, wire.hatched)));
        let (stroke, hatched) = looks.unwrap_or((Stroke::Main, false));
        (stroke, hatched, selected.get())
    });
    view! {
        <g class=class data-link-id=id.to_string() role="img" aria-label=label tabindex="-1">
            {move || { let (stroke, hatched, selected) = look.get(); strokes(&way, stroke, hatched, selected) }}
        </g>
    }
    .into_any()
}

/// The paths of a link in one look; where its way changes, they change and stay.
fn strokes(way: &ArcRwSignal<Route>, stroke: Stroke, hatched: bool, selected: bool) -> AnyView {
    let whole = {
        let way = way.clone();
        Memo::new(move |_| way.read().path())
    };
    let line = {
        let way = way.clone();
        let short = if stroke == Stroke::Reconciliation { 0.0 } else { svg::head(stroke).0 - 1.5 };
        Memo::new(move |_| way.read().path_short_of(short))
    };
    let all = move |class: &'static str| view! { <path class=class d=move || whole.get() /> };
    let shown = move |class: &'static str| view! { <path class=class d=move || line.get() /> };
    let head = (stroke != Stroke::Reconciliation).then(|| {
        let way = way.clone();
        let class = if stroke == Stroke::Side { "cv-open" } else { "cv-head" };
        view! { <path class=class d=move || svg::arrow(&way.read(), stroke).unwrap_or_default() /> }
    });
    view! {
        {selected.then(|| view! { {all("cv-sel-out")} {all("cv-sel-in")} })}
        {hatched.then(|| all("cv-hatching"))}
        {all("cv-hit")}
        {shown("cv-stroke")}
        {(stroke == Stroke::Batch).then(|| shown("cv-core"))}
        {head}
    }
    .into_any()
}

fn at(p: Point) -> String {
    format!("translate({:.1}px,{:.1}px)", p.x, p.y)
}

/// What stands on a link: badge, captions, the word at its port, the result of a comparison, handles.
pub fn dress(canvas: Canvas, id: Id) -> AnyView {
    let wire = canvas.wire_of(&id);
    let way = canvas.way_of(&id);
    let selected = canvas.is_selected(&id);
    let key = StoredValue::new(id);
    let spot = {
        let way = way.clone();
        Memo::new(move |_| way.read().spot())
    };
    let ends = Memo::new(move |_| {
        let route = way.read();
        route.points.first().copied().zip(route.points.last().copied())
    });
    view! {
        {move || wire.get().map(|wire| on_link(canvas, key, &wire, spot, canvas.detail.get()))}
        {move || {
            let word = wire.with(|wire| wire.as_ref().map_or("", |wire| wire.word));
            let proposed = wire.with(|w| w.as_ref().is_some_and(|w| w.existence == Existence::Proposed && w.word.is_empty() && w.stroke != Stroke::Reconciliation));
            let (start, _) = ends.get().unwrap_or_default();
            // Under the edge of the frame that it leaves, not on it.
            let low = wire.with(|wire| wire.as_ref().is_some_and(|wire| canvas.desk.design.read_untracked().job_of(&wire.from).is_some()));
            (!word.is_empty() && canvas.detail.get() > Detail::Far)
                .then(|| port_word(canvas, key, word, at(start.plus(7.0, if low { 10.0 } else { 2.0 }))))
                .or_else(|| proposed.then(|| {
                    view! { <span class="cv-plus" style:transform=at(spot.get().at.plus(-9.0, -9.0))>"+"</span> }.into_any()
                }))
        }}
        {move || {
            (selected.get() && !canvas.desk.reading.get())
                .then(|| ends.get())
                .flatten()
                .map(|(from, to)| {
                    let link = key.get_value().to_string();
                    [("from", from), ("to", to)]
                        .map(|(end, p)| {
                            view! {
                                <span class="cv-handle" data-handle=end data-of=link.clone() style:transform=at(p.plus(-12.0, -12.0))></span>
                            }
                        })
                        .collect_view()
                })
        }}
    }
    .into_any()
}

/// What an element or link is called, as of the last frame.
fn title(canvas: Canvas, key: StoredValue<Id>) -> Memo<String> {
    Memo::new(move |_| canvas.desk.settled.with(|design| key.with_value(|id| design.title(id))))
}

/// Badge, captions and pill.
fn on_link(canvas: Canvas, key: StoredValue<Id>, wire: &Wire, spot: Memo<Spot>, detail: Detail) -> AnyView {
    if wire.stroke == Stroke::Reconciliation {
        let words = wire.result;
        return view! {
            <span class="cv-pill" class:sign=move || detail != Detail::Near style:transform=move || at(spot.get().at)>
                <span>{if words == "not reconciled" { "≟" } else { "=" }}</span>
                {(detail == Detail::Near).then_some(words)}
            </span>
        }
        .into_any();
    }
    let id = key.get_value().to_string();
    let flagged = wire.flagged;
    let (fewest, most) = wire.badge.as_ref().map_or((false, false), |b| (b.fewest.loud, b.most.loud));
    // Far out only the weakest hop keeps its badge, as a pip; equal badges in a row drop where it is tight.
    let repeats = wire.repeats && !fewest && !most;
    let badge = wire
        .badge
        .as_ref()
        .filter(|_| detail > Detail::Far || (detail == Detail::Far && (fewest || most)))
        .map(svg::badge);
    let was = wire.was.as_ref().filter(|_| detail > Detail::Far).map(svg::badge);
    let captions = if detail == Detail::Near { wire.captions.clone() } else { Vec::new() };
    let doubled = was.is_some();
    let view = canvas.desk.show.get_untracked().view();
    let named = title(canvas, key);
    let aloud = |prefix: &'static str, badge: &BadgeView| {
        let copies = badge.spoken();
        move || named.with(|named| format!("{prefix}Copies on {named}: {copies}. Explain"))
    };
    let spoken = wire.badge.as_ref().map(|badge| aloud("", badge));
    let spoken_was = wire.was.as_ref().map(|badge| aloud("As-is. ", badge));
    let chosen = key.with_value(|id| canvas.is_selected(id));
    let place = Memo::new(move |_| {
        if canvas.ground.crowded.get() {
            return badge_place::usual(spot.get(), flagged);
        }
        let (scene, routes) = (canvas.ground.scene.read(), canvas.ground.routes.read());
        let design = canvas.desk.design.read_untracked();
        key.with_value(|id| badge_place::free(&design, &scene, &routes, (id, spot.get()), flagged))
    });
    let was_place = Memo::new(move |_| {
        let design = canvas.desk.design.read_untracked();
        badge_place::was(&design, &canvas.ground.scene.read(), spot.get(), place.get())
    });
    let all = wire.captions.iter().map(|caption| caption.text.as_str()).collect::<Vec<_>>().join(", ");
    view! {
        {badge
            .map(|badge| {
                view! {
                    <span
                        class="cv-badge"
                        class:far=move || detail == Detail::Far
                        data-badge-of=id.clone()
                        data-explains=popover::name_of(&Explains::Badge(key.get_value(), view))
                        role="button"
                        aria-haspopup="dialog"
                        title=all
                        style:transform=move || at(place.get().corner)
                        style:display=move || if repeats && spot.get().length < 60.0 && !chosen.get() { "none" } else { "" }
                    >
                        <span inner_html=badge></span>
                        <span class="hidden-text">{spoken}</span>
                    </span>
                }
            })}
        {was
            .map(|was| {
                view! {
                    <span
                        class="cv-badge cv-was-badge"
                        data-badge-of=id.clone()
                        data-explains=popover::name_of(&Explains::Badge(key.get_value(), View::AsIs))
                        role="button"
                        aria-haspopup="dialog"
                        class:behind=move || was_place.get().1 == Word::Behind
                        class:under=move || was_place.get().1 == Word::Under
                        style:transform=move || at(was_place.get().0)
                    >
                        <span class="cv-as-is" aria-hidden="true">"as-is"</span>
                        <span inner_html=was></span>
                        <span class="hidden-text">{spoken_was}</span>
                    </span>
                }
            })}
        {(!captions.is_empty() && !doubled).then(|| words(canvas, key, captions, spot, (flagged, place, chosen)))}
    }
    .into_any()
}

/// The captions of a link in the room there is for them: cut short between words, whole when the pointer is on them or
/// the link is selected. Without room they show when the pointer is on the badge or the link is selected.
fn words(
    canvas: Canvas,
    key: StoredValue<Id>,
    lines: Vec<Caption>,
    spot: Memo<Spot>,
    (flagged, place, whole): (bool, Memo<badge_place::Place>, RwSignal<bool>),
) -> AnyView {
    let most = if lines.len() == 1 { 3 } else { 4 };
    let room = following(move || {
        caption::room(&canvas.ground.obstacles.read(), spot.get(), flagged || place.get().below, most)
    });
    let count = lines.len();
    // Under the badge, over whatever is there.
    let over = move || spot.get().at.plus(0.0, if flagged { 50.0 } else { 14.0 });
    let shares = move || room.get().map_or((1, 1), |room| room.shares(count));
    let lines = lines.into_iter().enumerate().map(|(i, line)| {
        let whole = line.text.clone();
        let said = line.clone();
        // What stands here instead of the whole line; nothing where another line has the place.
        let cut = Memo::new(move |_| {
            let (room, (shown, rows)) = (room.get()?, shares());
            let text = if i < shown { said.fitting(room.letters(), rows).join(" ") } else { String::new() };
            (text != whole).then_some(text)
        });
        let short = move || cut.get().filter(|text| !text.is_empty());
        view! {
            <span class:cut=move || cut.with(Option::is_some)>{line_of(canvas, key, i, line)}</span>
            {move || short().map(|text| view! { <span class="short" aria-hidden="true">{text}</span> })}
        }
        .into_any()
    });
    let lines = lines.collect_view();
    view! {
        <span
            class="cv-caption"
            class:whole=move || whole.get()
            class:no-room=move || room.get().is_none()
            data-badge-of=key.get_value().to_string()
            style:transform=move || at(room.get().map_or_else(over, |room| room.at))
            style:--room=move || format!("{:.0}px", room.get().map_or(112.0, |room| room.width))
            style:--lines=move || shares().1.to_string()
        >
            {lines}
        </span>
    }
    .into_any()
}

/// The word at a port; that of late records opens the timeline of the window that they come from.
fn port_word(canvas: Canvas, key: StoredValue<Id>, word: &'static str, transform: String) -> AnyView {
    let from = canvas.wire_of(&key.get_value()).with(|wire| wire.as_ref().map(|wire| wire.from.clone()));
    let Some(from) = from.filter(|_| word == Stroke::Late.name()) else {
        return view! { <span class="cv-word" style:transform=transform>{word}</span> }.into_any();
    };
    let open = move |_| places::open(canvas.desk, &from, Command::GoTimeline);
    view! {
        // The canvas would take the pointer for itself.
        <button
            type="button"
            class="cv-word cv-word-opens"
            tabindex="-1"
            title="Opens the timeline of the window"
            style:transform=transform
            on:pointerdown=|event| event.stop_propagation()
            on:click=open
        >
            {word}
        </button>
    }
    .into_any()
}

/// One line; the number in it opens its explanation.
fn line_of(canvas: Canvas, key: StoredValue<Id>, at: usize, line: Caption) -> AnyView {
    let parted = line.bound.as_ref().and_then(|bound| line.text.split_once(bound.as_str()).zip(Some(bound)));
    let Some(((before, after), bound)) = parted else {
        return line.text.into_any();
    };
    let figure = Figure::new(key.get_value(), FigureKind::Bound(at));
    let number = popover::number(canvas.desk, Explains::Figure(figure), format!("{bound}. Explain"), bound.clone());
    view! {
        {before.to_owned()}
        // The canvas would take the pointer for itself.
        <span on:pointerdown=|event| event.stop_propagation() on:dblclick=|event| event.stop_propagation()>{number}</span>
        {after.to_owned()}
    }
    .into_any()
}

/// A flag at a weakest hop: on a pole over a link, or over an element.
pub fn flag(canvas: Canvas, flag: Flag, stacked: Memo<usize>) -> AnyView {
    let id = flag.at.clone();
    let on_link = canvas.picture.with_untracked(|picture| picture.wires.contains_key(&id));
    let (way, place) = (canvas.way_of(&id), canvas.box_of(&id));
    let (from_frame, to_frame) = canvas.desk.design.with_untracked(|design| {
        let link = design.links.get(&id).and_then(crate::model::Subject::as_link);
        link.map_or((false, false), |l| (design.job_of(&l.from).is_some(), design.job_of(&l.to).is_some()))
    });
    let words = flag.words();
    let width = 40.0 + words.chars().count() as f64 * 6.7;
    // At the left end of the drawing the cloth hangs to the right, so that it is not cut.
    let first = canvas.scene.with_untracked(|scene| scene.values().map(|r| r.x).fold(f64::INFINITY, f64::min));
    let hangs_right = move |x: f64| x - 200.0 < first;
    // Where the pole stands, how high it is, and whether the cloth hangs to the right.
    let pole = Memo::new(move |_| {
        let higher = STACKED * stacked.get() as f64;
        if on_link {
            let spot = way.read().spot();
            if spot.length > 300.0 && !spot.vertical {
                (spot.at.plus(46.0, 0.0), 30.0 + higher, true)
            } else {
                let right = hangs_right(spot.at.x);
                // Over the header of a frame, not on it.
                let frame = if right { to_frame } else { from_frame };
                (spot.at, if frame { 98.0 } else { 72.0 } + higher, right)
            }
        } else {
            let r = place.get();
            (Point::new(r.x + 14.0, r.y), 62.0 + higher, hangs_right(r.x + 14.0))
        }
    });
    let right = Memo::new(move |_| pole.get().2);
    let class = format!("cv-flag{}", if flag.dashed { " dashed" } else { " solid" });
    view! {
        <div
            class=class
            data-weakest=words.clone()
            style:transform=move || at(pole.get().0)
            style:z-index=move || format!("{}", 9 - stacked.get().min(9))
            aria-hidden="true"
        >
            <div class="cv-flag-inner">
                <span class="cv-pole" style:height=move || format!("{}px", pole.get().1)></span>
                <span class="cv-foot"></span>
                <span
                    class="cv-cloth-box"
                    class:right=move || right.get()
                    style:width=format!("{width}px")
                    style:top=move || format!("-{}px", pole.get().1)
                >
                    <span inner_html=move || svg::flag(width, right.get())></span>
                    <span class="cv-flag-words">
                        <span inner_html=svg::flag_glyph(flag.kind)></span>
                        {words.clone()}
                    </span>
                </span>
            </div>
        </div>
    }
    .into_any()
}

/// The badge of a consumer, over its upper right corner.
pub fn consumer_badge(canvas: Canvas, id: Id) -> AnyView {
    let place = canvas.box_of(&id);
    let card = canvas.card_of(&id);
    let badges =
        Memo::new(move |_| card.with(|card| card.as_ref().map(|card| (card.badge.clone(), card.badge_was.clone()))));
    let key = StoredValue::new(id);
    let named = title(canvas, key);
    // One of the two signs, as a button that a screen reader finds; the keyboard comes to it by E on the consumer.
    let sign = move |badge: &BadgeView, view: View| {
        let copies = badge.spoken();
        let view_said = if view == View::AsIs { "as-is, " } else { "" };
        view! {
            <span
                class="cv-sign"
                data-explains=popover::name_of(&Explains::Badge(key.get_value(), view))
                role="button"
                aria-haspopup="dialog"
            >
                <span inner_html=svg::badge(badge)></span>
                <span class="hidden-text">{move || named.with(|name| format!("{name}, {view_said}copies: {copies}. Explain"))}</span>
            </span>
        }
        .into_any()
    };
    view! {
        {move || {
            let (badge, was) = badges.get()?;
            let badge = badge.filter(|_| canvas.detail.get() != Detail::Speck)?;
            let far = canvas.detail.get() == Detail::Far;
            let r = place.get();
            let shift = if was.is_some() { 132.0 } else { 62.0 };
            Some(view! {
                <span
                    class="cv-badge cv-consumer-badge"
                    data-badge-of=key.with_value(ToString::to_string)
                    class:far=far
                    style:transform=at(Point::new(r.right() - shift, r.y - 14.0))
                >
                    {was.map(|was| view! {
                        <span class="cv-as-is">"as-is"</span>
                        {sign(&was, View::AsIs)}
                        <span class="cv-equals">"→"</span>
                    })}
                    {sign(&badge, canvas.desk.show.get_untracked().view())}
                </span>
            })
        }}
    }
    .into_any()
}
