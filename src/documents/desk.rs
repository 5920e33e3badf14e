//! What all documents look things up in: the design, its two reviews, the order of the flow, who is up and down the
//! stream, which sources of evidence could not be reached.

use super::withheld::{self, Unreachable};
use crate::{
    catalog, layout,
    model::{
        Design, Element, ElementKind, Fact, FactRef, Field, FieldValue, Group, Id, Key, Known, Link, Port, Shape, Step,
        Subject, Value, View, key,
    },
    rules::Review,
};
use std::collections::{BTreeMap, BTreeSet};

/// The design with everything that is worked out about it.
pub struct Desk<'a> {
    /// The design.
    pub design: &'a Design,
    /// As it is.
    pub as_is: &'a Review,
    /// As it shall be.
    pub to_be: &'a Review,
    order: BTreeMap<Id, usize>,
    shared: BTreeSet<String>,
    links: Vec<(&'a Id, &'a Link)>,
    entering: BTreeMap<&'a Id, Vec<(&'a Id, &'a Link)>>,
    leaving: BTreeMap<&'a Id, Vec<(&'a Id, &'a Link)>>,
    unreachable: Vec<Unreachable>,
}

impl<'a> Desk<'a> {
    /// Looks the design over once.
    #[must_use]
    pub fn new(design: &'a Design, as_is: &'a Review, to_be: &'a Review) -> Self {
        let unreachable = withheld::unreachable(design);
        let order = layout::flow_order(design).into_iter().enumerate().map(|(at, id)| (id, at)).collect();
        let (mut seen, mut shared) = (BTreeSet::new(), BTreeSet::new());
        for id in design.elements.keys() {
            let title = design.title(id);
            if !seen.insert(title.clone()) {
                shared.insert(title);
            }
        }
        let order: BTreeMap<Id, usize> = order;
        let place = |id: &Id| order.get(id).copied().unwrap_or(usize::MAX);
        let mut links: Vec<_> = standing(design).filter(|(_, link)| link.port != Some(Port::Reconcile)).collect();
        links.sort_by_key(|(id, link)| (place(&link.from), place(&link.to), *id));
        let (mut entering, mut leaving): (BTreeMap<_, Vec<_>>, BTreeMap<_, Vec<_>>) = Default::default();
        for (id, link) in &links {
            entering.entry(&link.to).or_default().push((*id, *link));
            leaving.entry(&link.from).or_default().push((*id, *link));
        }
        Self { design, as_is, to_be, order, shared, links, entering, leaving, unreachable }
    }

    /// The title of the design.
    #[must_use]
    pub fn title(&self) -> &str {
        self.design.name.as_deref().unwrap_or("untitled design")
    }

    /// The name of a subject; where two elements share one, with its kind. Of a link, its two ends.
    #[must_use]
    pub fn name(&self, id: &Id) -> String {
        if let Some(link) = self.design.links.get(id).and_then(Subject::as_link) {
            return format!("{} → {}", self.name(&link.from), self.name(&link.to));
        }
        let title = self.design.title(id);
        if self.shared.contains(&title) { format!("{title} ({})", self.kind_words(id)) } else { title }
    }

    /// The name as it stands inside a sentence: in quotes where it has several words.
    #[must_use]
    pub fn said(&self, id: &Id) -> String {
        if let Some(link) = self.design.links.get(id).and_then(Subject::as_link) {
            return format!("{} → {}", self.said(&link.from), self.said(&link.to));
        }
        let name = self.name(id);
        let words = self.design.title(id).contains(char::is_whitespace);
        let system = !matches!(self.design.kind(id), Some(ElementKind::Consumer) | None);
        if words && system { format!("“{name}”") } else { name }
    }

    /// A setting of a subject: `retention time of orders`, `replay needed by Revenue board`.
    #[must_use]
    pub fn setting_of(&self, id: &Id, field: Field) -> String {
        let label = field.label();
        let by = label.ends_with("needed") || label.ends_with("tolerated");
        format!("{label} {} {}", if by { "by" } else { "of" }, self.said(id))
    }

    /// The value that stands in a slot.
    #[must_use]
    pub fn stored(&self, fact: &FactRef) -> Option<&'a Value> {
        let subject = self.design.subject(&fact.subject)?;
        Design::facts(subject, &fact.slot)?.get(fact.field)
    }

    /// The value of a setting in the to-be view.
    #[must_use]
    pub fn fact<T: FieldValue>(&self, id: &Id, key: Key<T>) -> Option<Fact<T>> {
        self.design.get(View::ToBe, id, key).fact()
    }

    /// Elements of a kind that shall be there, in flow order.
    pub fn elements(&self, kind: ElementKind) -> Vec<&'a Id> {
        let mut ids: Vec<&Id> = self
            .design
            .elements
            .iter()
            .filter(|(id, subject)| subject.kind() == Some(kind) && self.design.visible(View::ToBe, id))
            .map(|(id, _)| id)
            .collect();
        ids.sort_by_key(|id| (self.place(id), *id));
        ids
    }

    /// Every element that shall be there, in flow order.
    #[must_use]
    pub fn all_elements(&self) -> Vec<&'a Id> {
        let mut ids: Vec<&Id> = self.design.elements.keys().filter(|id| self.design.visible(View::ToBe, id)).collect();
        ids.sort_by_key(|id| (self.place(id), *id));
        ids
    }

    /// The place of an element in the flow; a job stands before its operators.
    fn place(&self, id: &Id) -> usize {
        self.order.get(id).copied().unwrap_or(usize::MAX)
    }

    /// Operators of a job in flow order.
    #[must_use]
    pub fn operators(&self, job: &Id) -> Vec<&'a Id> {
        let wanted = job;
        self.elements(ElementKind::Operator)
            .into_iter()
            .filter(|id| self.design.job_of(id).is_some_and(|job| job == wanted))
            .collect()
    }

    /// Links that shall be there, reconciliations left out, ordered by their ends in the flow.
    #[must_use]
    pub fn links(&self) -> Vec<(&'a Id, &'a Link)> {
        self.links.clone()
    }

    /// Comparisons of two results, in id order.
    #[must_use]
    pub fn reconciliations(&self) -> Vec<(&'a Id, &'a Link)> {
        standing(self.design).filter(|(_, link)| link.port == Some(Port::Reconcile)).collect()
    }

    /// Links into an element.
    #[must_use]
    pub fn into(&self, id: &Id) -> Vec<(&'a Id, &'a Link)> {
        self.entering.get(id).into_iter().flatten().copied().collect()
    }

    /// Links out of an element.
    #[must_use]
    pub fn out_of(&self, id: &Id) -> Vec<(&'a Id, &'a Link)> {
        self.leaving.get(id).into_iter().flatten().copied().collect()
    }

    /// Everything that is reached from these, themselves left out unless the flow comes back.
    #[must_use]
    pub fn downstream(&self, of: &[&Id]) -> BTreeSet<&'a Id> {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&Id> = of.to_vec();
        while let Some(id) = open.pop() {
            for (_, link) in self.leaving.get(id).into_iter().flatten() {
                if seen.insert(&link.to) {
                    open.push(&link.to);
                }
            }
        }
        seen
    }

    /// Consumers below an element, in flow order.
    #[must_use]
    pub fn consumers_below(&self, id: &Id) -> Vec<&'a Id> {
        let below = self.downstream(&[id]);
        self.elements(ElementKind::Consumer).into_iter().filter(|consumer| below.contains(consumer)).collect()
    }

    /// The events at an element: of the nearest operators upstream that make a new one, else of the sources.
    #[must_use]
    pub fn events_at(&self, id: &Id) -> BTreeSet<&'a Id> {
        let (mut events, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![id]);
        while let Some(at) = open.pop() {
            for (_, link) in self.into(at) {
                if !seen.insert(&link.from) {
                    continue;
                }
                match self.design.elements.get(&link.from).and_then(Subject::element) {
                    Some(Element::Operator { emits: Some(event), .. } | Element::Source { event: Some(event) }) => {
                        events.insert(event);
                    }
                    _ => open.push(&link.from),
                }
            }
        }
        events
    }

    /// Where the nearest upstream measurement of a channel or source field stands: lateness, key statistics.
    #[must_use]
    pub fn nearest(&self, id: &Id, name: &str) -> Option<(&'a Id, Field)> {
        let (mut seen, mut open) = (BTreeSet::new(), vec![id]);
        while !open.is_empty() {
            let mut further = Vec::new();
            for at in open {
                for (_, link) in self.into(at) {
                    if !seen.insert(&link.from) {
                        continue;
                    }
                    let group = match self.design.kind(&link.from) {
                        Some(ElementKind::Channel) => Group::Channel.field(name),
                        Some(ElementKind::Source) => Group::Source.field(name),
                        _ => None,
                    };
                    if let Some(field) = group
                        && !matches!(self.design.resolve(View::ToBe, &link.from, field), Known::NotKnown(_))
                    {
                        return Some((&link.from, field));
                    }
                    further.push(&link.from);
                }
            }
            open = further;
        }
        None
    }

    /// What an operator does.
    #[must_use]
    pub fn step(&self, id: &Id) -> Option<Step> {
        match self.design.elements.get(id)?.element()? {
            Element::Operator { step, .. } => Some(*step),
            _ => None,
        }
    }

    /// Operators that have a window or aggregate, in flow order.
    #[must_use]
    pub fn windows(&self) -> Vec<&'a Id> {
        self.elements(ElementKind::Operator)
            .into_iter()
            .filter(|id| {
                let window = self.fact(id, key::operator::WINDOW).map(|fact| fact.value.as_str());
                let sized = self.fact(id, key::operator::WINDOW_SIZE).is_some();
                sized || window.is_some_and(|word| word != "none" && word != "global")
            })
            .collect()
    }

    /// Sources of evidence that could not be reached.
    #[must_use]
    pub fn unreachable(&self) -> &[Unreachable] {
        &self.unreachable
    }

    /// A system as people call it; one that the catalogue does not know, by its id.
    #[must_use]
    pub fn system_words(&self, system: &str) -> String {
        catalog::entry(system).map_or_else(|| system.replace('_', " "), |entry| entry.name.to_owned())
    }

    /// A kind in words.
    #[must_use]
    pub fn kind_words(&self, id: &Id) -> &'static str {
        match self.design.elements.get(id).map(|subject| &subject.shape) {
            Some(Shape::Element(Element::Operator { step, .. })) => step_words(*step),
            Some(Shape::Element(Element::Batch)) => "batch path",
            Some(Shape::Element(element)) => element.kind().name(),
            _ => "",
        }
    }
}

/// Links that shall be there between elements that shall be there.
fn standing(design: &Design) -> impl Iterator<Item = (&Id, &Link)> {
    let there = |id: &Id| design.visible(View::ToBe, id);
    design
        .links
        .iter()
        .filter_map(|(id, subject)| subject.as_link().map(|link| (id, link)))
        .filter(move |(id, link)| there(id) && there(&link.from) && there(&link.to))
}

/// What an operator does, in words.
#[must_use]
pub const fn step_words(step: Step) -> &'static str {
    match step {
        Step::Map => "map",
        Step::Filter => "filter",
        Step::Copy => "copy",
        Step::Rekey => "re-key",
        Step::AssignId => "assign an id",
        Step::Deduplicate => "de-duplicate",
        Step::Aggregate => "aggregate",
        Step::Join => "join",
        Step::Lookup => "look-up",
        Step::Call => "call",
        Step::Custom => "own code",
    }
}
