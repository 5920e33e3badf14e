//! The JSON Schema of the file, printed from the table of fields.
//!
//! It says what a schema can say: names, types, words, bounds. What only the door sees it leaves open: references, which
//! settings a link between two kinds may have, quantities that are not exact, dates that do not exist. Whatever
//! [`super::decode`] accepts, the schema accepts.

use super::{FORMAT, VERSION};
use crate::model::{
    ActionKind, ChannelRole, Covers, DecisionKind, ElementKind, Environment, EvidenceBasis, EvidenceState, Field,
    FieldType, Group, Input, Lifecycle, MAX_COUNT, Nature, Port, StateHandling, Step, TrustZone,
    limits::{
        MAX_COORDINATE, MAX_ELEMENTS, MAX_EVIDENCE, MAX_ITEMS, MAX_LINKS, MAX_NUMBER, MAX_ROUTE_POINTS, TextKind,
    },
    units::SizeUnit,
    written::{COLUMN_TOKENS, UNSET},
};
use serde_json::{Map, Value, json};

/// A number in front of a unit.
const NUMBER: &str = r"[0-9]{1,20}(?:\.[0-9]{1,9})?";
const ID: &str = "^[a-z][a-z0-9_-]{0,39}$";
const DATE: &str =
    "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?Z)?$";
const STATISTIC: &str = r"^(?:mean|min|max|total|p(?:0|[1-9][0-9]?)(?:\.[0-9]{0,2}[1-9])?|0|[1-9][0-9]{0,5})$";

/// What some link may have; which of them one may have depends on its ends.
const LINK_GROUPS: [Group; 9] = [
    Group::Link,
    Group::Take,
    Group::Read,
    Group::Write,
    Group::Produce,
    Group::Store,
    Group::Flow,
    Group::Serve,
    Group::Reconcile,
];

/// The schema of a document of the current version, JSON Schema draft 2020-12.
#[must_use]
pub fn document_schema() -> Value {
    let mut properties = Map::new();
    let mut put = |name: &str, schema: Value| properties.insert(name.to_owned(), schema);
    put("format", json!({"const": FORMAT}));
    put("version", json!({"const": VERSION}));
    put("min_reader", json!({"type": "integer", "minimum": 1, "maximum": VERSION}));
    put("name", text(TextKind::Name));
    put("question", text(TextKind::Long));
    let kinds: Vec<_> = ElementKind::ALL.into_iter().map(|kind| reference(kind.name())).collect();
    put("elements", section(json!({"oneOf": kinds}), Some(MAX_ELEMENTS)));
    put("links", section(reference("link"), Some(MAX_LINKS)));
    put("events", section(reference("event"), None));
    put("clusters", section(reference("cluster"), None));
    put("evidence", section(evidence(), Some(MAX_EVIDENCE)));
    put("actions", section(action(), None));
    put("approvals", section(approval(), None));
    put("decisions", section(decision(), None));
    put("questions", section(question(), None));
    put("layout", layout());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Streaming pipeline design",
        "description": "A design of a streaming pipeline: what is observed today and what is proposed, with evidence.",
        "type": "object",
        "properties": properties,
        "required": ["format", "version"],
        "additionalProperties": false,
        "$defs": definitions(),
    })
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/$defs/{name}")})
}

fn text(kind: TextKind) -> Value {
    match kind {
        TextKind::System => json!({"type": "string", "pattern": "^[a-z][a-z0-9_]{0,39}$"}),
        TextKind::Path => json!({"type": "string", "minLength": 1, "maxLength": kind.max(), "pattern": r"^\S+$"}),
        _ => json!({"type": "string", "minLength": 1, "maxLength": kind.max()}),
    }
}

fn object(properties: Vec<(&str, Value)>, required: &[&str]) -> Value {
    let properties: Map<String, Value> = properties.into_iter().map(|(name, s)| (name.to_owned(), s)).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn section(entry: Value, most: Option<usize>) -> Value {
    let mut schema = json!({"type": "object", "propertyNames": reference("id"), "additionalProperties": entry});
    if let (Some(most), Some(members)) = (most, schema.as_object_mut()) {
        members.insert("maxProperties".to_owned(), most.into());
    }
    schema
}

fn list(item: Value) -> Value {
    json!({"type": "array", "items": item, "maxItems": MAX_ITEMS})
}

fn map(names: Value, values: Value) -> Value {
    json!({"type": "object", "propertyNames": names, "additionalProperties": values, "maxProperties": MAX_ITEMS})
}

fn words<T: Copy>(all: &[T], name: fn(T) -> &'static str) -> Value {
    let names: Vec<_> = all.iter().map(|word| name(*word)).collect();
    json!({"enum": names})
}

fn definitions() -> Value {
    let mut definitions = Map::new();
    let mut put = |name: &str, schema: Value| definitions.insert(name.to_owned(), schema);
    put("id", json!({"type": "string", "pattern": ID}));
    put("duration", json!({"type": "string", "pattern": duration_pattern()}));
    let units: Vec<_> = SizeUnit::ALL.into_iter().map(SizeUnit::symbol).collect();
    let units = units.join("|");
    put("size", json!({"type": "string", "pattern": format!("^{NUMBER}(?:{units})$")}));
    put("rate", json!({"type": "string", "pattern": format!("^{NUMBER}/(?:s|min|h|d|w)$")}));
    put("byte_rate", json!({"type": "string", "pattern": format!("^{NUMBER}(?:{units})/s$")}));
    let limits = json!({"enum": ["unlimited", "none"]});
    put("limit", json!({"anyOf": [reference("duration"), limits]}));
    put("size_limit", json!({"anyOf": [reference("size"), limits]}));
    put("count", json!({"type": "integer", "minimum": 0, "maximum": MAX_COUNT}));
    put("ratio", json!({"type": "number", "minimum": 0, "maximum": 1}));
    put("date", json!({"type": "string", "pattern": DATE}));
    let tokens: Vec<_> = COLUMN_TOKENS.iter().map(|token| token.trim_start_matches('@')).collect();
    let column = format!("^(?:[^@]|@(?:{})$)", tokens.join("|"));
    let column = json!({"type": "string", "minLength": 1, "maxLength": TextKind::Name.max(), "pattern": column});
    put("column", column);
    for kind in ElementKind::ALL {
        put(kind.name(), element(kind));
        put(&format!("{}_settings", kind.name()), settings(&[kind.group()]));
    }
    put("link", link());
    put("link_settings", settings(&LINK_GROUPS));
    put("event", subject(vec![], "event", &[]));
    put("event_settings", settings(&[Group::Event]));
    put("cluster_settings", settings(&[Group::Cluster]));
    put(
        "cluster",
        subject(
            vec![
                ("system", text(TextKind::System)),
                ("environment", words(Environment::ALL, Environment::name)),
                ("trust_zone", words(TrustZone::ALL, TrustZone::name)),
            ],
            "cluster",
            &[],
        ),
    );
    Value::Object(definitions)
}

/// Units in falling order, each at most once, at least one.
fn duration_pattern() -> String {
    let units = ["d", "h", "min", "s", "ms"];
    let from = |start: usize| {
        let rest: String = units.iter().skip(start + 1).map(|unit| format!("(?:{NUMBER}{unit})?")).collect();
        units.get(start).map(|unit| format!("{NUMBER}{unit}{rest}"))
    };
    let alternatives: Vec<_> = (0..units.len()).filter_map(from).collect();
    format!("^(?:{})$", alternatives.join("|"))
}

fn element(kind: ElementKind) -> Value {
    let mut own = vec![("kind", json!({"const": kind.name()}))];
    if kind != ElementKind::Operator {
        own.extend([("system", text(TextKind::System)), ("cluster", reference("id"))]);
    }
    let mut required = vec!["kind"];
    match kind {
        ElementKind::Source => own.push(("event", reference("id"))),
        ElementKind::Channel => own.push(("role", words(ChannelRole::ALL, ChannelRole::name))),
        ElementKind::Operator => {
            own.extend([("job", reference("id")), ("step", words(Step::ALL, Step::name)), ("emits", reference("id"))]);
            required.extend(["job", "step"]);
        }
        ElementKind::Consumer => own.push(("question", text(TextKind::Long))),
        ElementKind::Job | ElementKind::Sink | ElementKind::Batch => {}
    }
    subject(own, kind.name(), &required)
}

fn link() -> Value {
    let own = vec![
        ("from", reference("id")),
        ("to", reference("id")),
        ("port", words(Port::ALL, Port::name)),
        ("into", words(Input::ALL, Input::name)),
    ];
    subject(own, "link", &["from", "to"])
}

fn subject(own: Vec<(&str, Value)>, what: &str, required: &[&str]) -> Value {
    let settings = reference(&format!("{what}_settings"));
    let raw_value = json!({"anyOf": [text(TextKind::Long), {"type": "number"}, {"type": "boolean"}]});
    let mut properties = own;
    properties.extend([
        ("name", text(TextKind::Name)),
        ("owner", text(TextKind::Name)),
        ("note", text(TextKind::Long)),
        ("lifecycle", words(&[Lifecycle::Planned, Lifecycle::Existing, Lifecycle::Retiring], Lifecycle::name)),
        ("observed", section(settings.clone(), None)),
        ("proposed", settings),
        (
            "raw",
            section(
                json!({"type": "object", "propertyNames": text(TextKind::Setting), "additionalProperties": raw_value}),
                None,
            ),
        ),
    ]);
    object(properties, required)
}

fn settings(groups: &[Group]) -> Value {
    let mut properties: Map<String, Value> = Map::new();
    for field in groups.iter().flat_map(|group| group.fields()) {
        let schema = setting(field);
        let several = match properties.remove(field.name()) {
            Some(other) if other != schema => json!({"anyOf": [other, schema]}),
            _ => schema,
        };
        properties.insert(field.name().to_owned(), several);
    }
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

fn setting(field: Field) -> Value {
    let row = field.row();
    let written = field_type(row.ty);
    let mut schema = match (row.nature, row.ty) {
        (Nature::Configuration, FieldType::Words(words)) => {
            let all: Vec<_> = words.iter().copied().chain([UNSET]).collect();
            json!({"enum": all})
        }
        // A text may be any text, "unset" among them.
        (Nature::Configuration, ty) if ty != FieldType::Text => json!({"anyOf": [written, {"const": UNSET}]}),
        _ => written,
    };
    if let Some(members) = schema.as_object_mut() {
        members.insert("description".to_owned(), row.meaning.into());
    }
    schema
}

fn field_type(ty: FieldType) -> Value {
    match ty {
        FieldType::Duration => reference("duration"),
        FieldType::Size => reference("size"),
        FieldType::Rate => reference("rate"),
        FieldType::ByteRate => reference("byte_rate"),
        FieldType::Limit => reference("limit"),
        FieldType::SizeLimit => reference("size_limit"),
        FieldType::Count => reference("count"),
        FieldType::Number => json!({"type": "number", "minimum": -MAX_NUMBER, "maximum": MAX_NUMBER}),
        FieldType::Ratio => reference("ratio"),
        FieldType::Bool => json!({"type": "boolean"}),
        FieldType::Text => text(TextKind::Setting),
        FieldType::Date => reference("date"),
        FieldType::Columns => list(reference("column")),
        FieldType::Keys => {
            list(json!({"type": "array", "items": reference("column"), "minItems": 1, "maxItems": MAX_ITEMS}))
        }
        FieldType::List => list(text(TextKind::Setting)),
        FieldType::Schema => map(reference("column"), text(TextKind::Setting)),
        FieldType::Shares => map(text(TextKind::Setting), reference("ratio")),
        FieldType::Words(words) => json!({"enum": words}),
        FieldType::Measured(plain) => json!({"anyOf": [field_type(*plain), {
            "type": "object",
            "patternProperties": {STATISTIC: field_type(*plain)},
            "additionalProperties": false,
            "minProperties": 1,
        }]}),
    }
}

fn evidence() -> Value {
    let mut covers = list(words(Covers::ALL, Covers::name));
    if let Some(members) = covers.as_object_mut() {
        members.insert("uniqueItems".to_owned(), true.into());
    }
    let properties = vec![
        ("basis", words(EvidenceBasis::ALL, EvidenceBasis::name)),
        ("state", words(EvidenceState::ALL, EvidenceState::name)),
        ("from", text(TextKind::Long)),
        ("by", text(TextKind::Name)),
        ("at", reference("date")),
        ("covers", covers),
        ("about", list(text(TextKind::Path))),
    ];
    object(properties, &[])
}

fn action() -> Value {
    let done = map(json!({"pattern": "^[1-9][0-9]{0,2}$"}), text(TextKind::Long));
    let properties = vec![
        ("kind", words(ActionKind::ALL, ActionKind::name)),
        ("about", list(reference("id"))),
        ("from", text(TextKind::Long)),
        ("to", text(TextKind::Long)),
        ("state_handling", words(StateHandling::ALL, StateHandling::name)),
        ("first_range", text(TextKind::Long)),
        ("control_total", text(TextKind::Long)),
        ("holds", list(reference("id"))),
        ("reason", text(TextKind::Long)),
        ("at", reference("date")),
        ("done", done),
    ];
    object(properties, &["kind"])
}

fn approval() -> Value {
    let properties = vec![
        ("by", text(TextKind::Name)),
        ("at", reference("date")),
        ("for", text(TextKind::Path)),
        ("value", json!({"not": {"type": "null"}})),
        ("of", reference("id")),
    ];
    object(properties, &["by", "at", "for"])
}

fn decision() -> Value {
    let properties = vec![
        ("text", text(TextKind::Long)),
        ("by", text(TextKind::Name)),
        ("at", reference("date")),
        ("about", list(text(TextKind::Path))),
        ("kind", words(DecisionKind::ALL, DecisionKind::name)),
        ("rule", text(TextKind::Name)),
    ];
    object(properties, &["text"])
}

fn question() -> Value {
    let properties =
        vec![("text", text(TextKind::Long)), ("about", list(text(TextKind::Path))), ("owner", text(TextKind::Name))];
    object(properties, &["text"])
}

fn layout() -> Value {
    let coordinate = json!({"type": "integer", "minimum": -MAX_COORDINATE, "maximum": MAX_COORDINATE});
    let length = json!({"type": "integer", "minimum": 1, "maximum": MAX_COORDINATE});
    let tuple =
        |items: Vec<&Value>| json!({"type": "array", "prefixItems": items, "items": false, "minItems": items.len()});
    let place = json!({"anyOf": [
        tuple(vec![&coordinate, &coordinate]),
        tuple(vec![&coordinate, &coordinate, &length, &length]),
    ]});
    let route = json!({"type": "array", "items": coordinate, "minItems": 2, "maxItems": 2 * MAX_ROUTE_POINTS});
    let note = object(vec![("text", text(TextKind::Long)), ("box", place.clone())], &[]);
    let properties = vec![
        ("boxes", section(place, None)),
        ("routes", section(route, None)),
        ("colours", section(text(TextKind::Name), None)),
        ("locked", json!({"type": "array", "items": reference("id"), "uniqueItems": true, "maxItems": MAX_ITEMS})),
        ("notes", section(note, None)),
    ];
    object(properties, &[])
}
