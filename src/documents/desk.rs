//! What all documents look things up in: the design, its two reviews, the order of the flow, who is up and down the
//! stream, which sources of evidence could not be reached.

use crate::sorted::{self, SortedMap, SortedSet};
use crate::{
    analysis::{
        graph::Graph,
        unreachable::{self, Unreachable},
    },
    catalog::{self, Engine},
    layout,
    model::{
        Design, Element, ElementKind, Fact, FactRef, Field, FieldValue, Group, Id, Key, Known, Link, Names, Port,
        Shape, Step, Subject, Value, View, key, words::WindowKind,
    },
    rules::Review,
};

/// The design with everything that is worked out about it.
pub struct Desk<'a> {
    /// The design.
    pub design: &'a Design,
    /// As it is.
    pub as_is: &'a Review,
    /// As it shall be.
    pub to_be: &'a Review,
    /// The names, which no sentence alters.
    pub names: Names<'a>,
    /// Its index, as it shall be.
    pub graph: Graph<'a>,
    all: Vec<&'a Id>,
    by_kind: SortedMap<ElementKind, Vec<&'a Id>>,
    operators: SortedMap<&'a Id, Vec<&'a Id>>,
    windows: Vec<&'a Id>,
    shared: SortedSet<String>,
    links: Vec<(&'a Id, &'a Link)>,
    reconciliations: Vec<(&'a Id, &'a Link)>,
    entering: SortedMap<&'a Id, Vec<(&'a Id, &'a Link)>>,
    leaving: SortedMap<&'a Id, Vec<(&'a Id, &'a Link)>>,
    unreachable: Vec<Unreachable>,
}

impl<'a> Desk<'a> {
    /// Looks the design over once.
    #[must_use]
    pub fn new(design: &'a Design, as_is: &'a Review, to_be: &'a Review) -> Self {
        let order: SortedMap<Id, usize> =
            layout::flow_order(design).into_iter().enumerate().map(|(at, id)| (id, at)).collect();
        let place = |id: &Id| order.get(id).copied().unwrap_or(usize::MAX);
        let mut all: Vec<&Id> = design.elements.keys().filter(|id| design.visible(View::ToBe, id)).collect();
        sorted::sort_by_key(&mut all, |id| (place(id), *id));
        let (mut by_kind, mut operators): (SortedMap<_, Vec<_>>, SortedMap<_, Vec<_>>) = Default::default();
        for id in &all {
            if let Some(kind) = design.kind(id) {
                by_kind.entry(kind).or_default().push(*id);
            }
            if let Some(job) = design.job_of(id) {
                operators.entry(job).or_default().push(*id);
            }
        }
        let windows = all.iter().copied().filter(|id| has_window(design, id)).collect();
        let (reconciliations, mut links): (Vec<_>, Vec<_>) =
            standing(design).partition(|(_, link)| link.port == Some(Port::Reconcile));
        sorted::sort_by_key(&mut links, |(id, link)| (place(&link.from), place(&link.to), *id));
        let (mut entering, mut leaving): (SortedMap<_, Vec<_>>, SortedMap<_, Vec<_>>) = Default::default();
        for (id, link) in &links {
            entering.entry(&link.to).or_default().push((*id, *link));
            leaving.entry(&link.from).or_default().push((*id, *link));
        }
        let unreachable = unreachable::unreachable(design);
        let shared = shared_titles(design);
        Self {
            design,
            as_is,
            to_be,
            names: Names::of(design),
            graph: Graph::new(design, View::ToBe),
            all,
            by_kind,
            operators,
            windows,
            shared,
            links,
            reconciliations,
            entering,
            leaving,
            unreachable,
        }
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

    /// The value of a setting in the to-be view; none where the source that would say it could not be reached.
    #[must_use]
    pub fn fact<T: FieldValue>(&self, id: &Id, key: Key<T>) -> Option<Fact<T>> {
        if self.withheld(id, key.field()).is_some() {
            return None;
        }
        self.design.get(View::ToBe, id, key).fact()
    }

    /// Elements of a kind that shall be there, in flow order.
    #[must_use]
    pub fn elements(&self, kind: ElementKind) -> Vec<&'a Id> {
        self.by_kind.get(&kind).cloned().unwrap_or_default()
    }

    /// The engine that runs a job or an operator, where it is known.
    #[must_use]
    pub fn engine(&self, id: &Id) -> Option<&'static Engine> {
        catalog::entry(self.design.system(id)?)?.engine
    }

    /// Every element that shall be there, in flow order; a job stands before its operators.
    #[must_use]
    pub fn all_elements(&self) -> &[&'a Id] {
        &self.all
    }

    /// Operators of a job in flow order.
    #[must_use]
    pub fn operators(&self, job: &Id) -> Vec<&'a Id> {
        self.operators.get(job).cloned().unwrap_or_default()
    }

    /// Links that shall be there, reconciliations left out, ordered by their ends in the flow.
    #[must_use]
    pub fn links(&self) -> Vec<(&'a Id, &'a Link)> {
        self.links.clone()
    }

    /// Comparisons of two results, in id order.
    #[must_use]
    pub fn reconciliations(&self) -> Vec<(&'a Id, &'a Link)> {
        self.reconciliations.clone()
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

    /// What the links out of one port of an element lead to.
    #[must_use]
    pub fn beyond(&self, id: &Id, port: Port) -> Vec<Id> {
        let links = self.leaving.get(id).into_iter().flatten();
        links.filter(|(_, link)| link.port == Some(port)).map(|(_, link)| link.to.clone()).collect()
    }

    /// Everything that is reached from these, themselves left out unless the flow comes back.
    #[must_use]
    pub fn downstream(&self, of: &[&Id]) -> SortedSet<&'a Id> {
        let mut seen = SortedSet::new();
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

    /// The event types that reach an element: of the nearest operators upstream that make a new one, else of the sources.
    #[must_use]
    pub fn events_at(&self, id: &Id) -> SortedSet<&'a Id> {
        let Some((id, _)) = self.design.elements.get_key_value(id) else { return SortedSet::new() };
        let into = |at: &Id| self.entering.get(at).into_iter().flatten().map(|(_, link)| *link).collect::<Vec<_>>();
        self.design.events_at(id, into).events
    }

    /// Where the nearest upstream measurement of a channel or source field stands: lateness, key statistics.
    #[must_use]
    pub fn nearest(&self, id: &Id, name: &str) -> Option<(&'a Id, Field)> {
        let (mut seen, mut open) = (SortedSet::new(), vec![id]);
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

    /// Operators that have a window, in flow order.
    #[must_use]
    pub fn windows(&self) -> &[&'a Id] {
        &self.windows
    }

    /// Does the job of an operator run this engine?
    #[must_use]
    pub fn runs(&self, operator: &Id, engine: &str) -> bool {
        self.design.system(operator).is_some_and(|system| **system == *engine)
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

/// Is this an operator with a window?
fn has_window(design: &Design, id: &Id) -> bool {
    let kind = design.get(View::ToBe, id, key::operator::WINDOW).value().map(WindowKind::as_str);
    let sized = design.get(View::ToBe, id, key::operator::WINDOW_SIZE).is_value();
    design.kind(id) == Some(ElementKind::Operator) && kind.map_or(sized, |word| word != "none" && word != "global")
}

/// Titles that more than one element has.
fn shared_titles(design: &Design) -> SortedSet<String> {
    let mut seen = SortedSet::new();
    design.elements.keys().map(|id| design.title(id)).filter(|title| !seen.insert(title.clone())).collect()
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
