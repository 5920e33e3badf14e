//! Which event types reach a place, and whether they hold data about people.

use super::{Columns, Design, Element, Id, Link, Port, Subject, View, fields::key, words::Classification};
use crate::sorted::SortedSet;

/// The event types that reach a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventsAt<'a> {
    /// Of the nearest operators upstream that make a new one, else of the sources.
    pub events: SortedSet<&'a Id>,
    /// Is an event type written on every way to the place?
    pub whole: bool,
}

/// Is this personal, health or cardholder data, by its class or by its fields? `None`: neither is known.
#[must_use]
pub fn personal(class: Option<Classification>, fields: Option<&Columns>) -> Option<bool> {
    use Classification::{Cardholder, Health, Personal};
    match (class, fields) {
        (Some(Personal | Health | Cardholder), _) => Some(true),
        (_, Some(fields)) if !fields.0.is_empty() => Some(true),
        (None, None) => None,
        _ => Some(false),
    }
}

impl Design {
    /// Does this event type hold personal, health or cardholder data? `None`: neither its class nor its personal fields
    /// are known.
    #[must_use]
    pub fn personal(&self, view: View, event: &Id) -> Option<bool> {
        let class = self.get(view, event, key::event::CLASSIFICATION).value();
        let fields = self.get(view, event, key::event::PERSONAL_FIELDS).value();
        personal(class, fields.as_ref())
    }

    /// The event types that reach an element, by the links into each element that `into` gives. Late and dead-letter
    /// outputs carry what came in, not what the operator makes of it.
    pub fn events_at<'a, I>(&'a self, id: &'a Id, into: impl Fn(&Id) -> I) -> EventsAt<'a>
    where
        I: IntoIterator<Item = &'a Link>,
    {
        let (mut found, mut seen, mut open) = (EventsAt::default(), SortedSet::new(), vec![id]);
        found.whole = true;
        while let Some(at) = open.pop() {
            let mut links = into(at).into_iter().peekable();
            found.whole &= links.peek().is_some();
            for link in links {
                let rest = matches!(link.port, Some(Port::Late | Port::DeadLetter));
                if !seen.insert((&link.from, rest)) {
                    continue;
                }
                match self.elements.get(&link.from).and_then(Subject::element) {
                    Some(Element::Source { event: Some(event) }) => {
                        found.events.insert(event);
                    }
                    Some(Element::Operator { emits: Some(event), .. }) if !rest => {
                        found.events.insert(event);
                    }
                    _ => open.push(&link.from),
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec;

    /// Orders of a shop become totals; what cannot be read is put aside as it came. A second shop says nothing of its
    /// events.
    fn design() -> Design {
        codec::decode(
            r#"{"format":"streaming-pipeline","version":2,"elements":{
            "shop":{"kind":"source","event":"order"},"other":{"kind":"source"},
            "in":{"kind":"channel"},"more":{"kind":"channel"},"out":{"kind":"channel"},"aside":{"kind":"channel"},
            "j":{"kind":"job"},"sum":{"kind":"operator","job":"j","step":"aggregate","emits":"total"}},
            "links":{"l1":{"from":"shop","to":"in"},"l2":{"from":"in","to":"sum"},"l3":{"from":"sum","to":"out"},
            "l4":{"from":"sum","to":"aside","port":"dead_letter"},"l5":{"from":"shop","to":"more"},"l6":{"from":"other","to":"more"}},
            "events":{"order":{"proposed":{"personal_fields":["email"]}},"total":{"proposed":{"classification":"internal"}},
            "note":{"proposed":{"personal_fields":[]}},"blank":{}}}"#,
        )
        .unwrap()
    }

    #[test]
    fn what_is_put_aside_is_what_came_in() {
        let design = design();
        let at = |id: &str| {
            let id = design.elements.keys().find(|other| other.as_str() == id).unwrap();
            let links = || design.links.values().filter_map(Subject::as_link);
            let EventsAt { events, whole } = design.events_at(id, |to| {
                let to = to.clone();
                links().filter(move |link| link.to == to)
            });
            (events.into_iter().map(Id::as_str).collect::<Vec<_>>().join(", "), whole)
        };
        assert_eq!(at("in"), ("order".to_owned(), true));
        assert_eq!(at("out"), ("total".to_owned(), true));
        assert_eq!(at("aside"), ("order".to_owned(), true));
        assert_eq!(at("more"), ("order".to_owned(), false));
        assert_eq!(at("shop"), (String::new(), false));
    }

    #[test]
    fn fields_about_people_are_personal_data_whatever_the_class() {
        let design = design();
        let personal = |id: &str| design.personal(View::ToBe, &Id::new(id).unwrap());
        assert_eq!(personal("order"), Some(true));
        assert_eq!(personal("total"), Some(false));
        assert_eq!(personal("note"), Some(false));
        assert_eq!(personal("blank"), None);
        let internal = Columns(["email".into()].into());
        assert_eq!(super::personal(Some(Classification::Internal), Some(&internal)), Some(true));
    }
}
