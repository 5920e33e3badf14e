//! What runs batch jobs. What they do is in the design; nothing here is judged.

use super::entry::{Entry, Family, Role};
use crate::model::key::batch;

/// What all entries of this family begin as.
const NAMED: Entry = Entry { family: Family::Batch, ..super::entry::NAMED };

const ASK: &[crate::model::Field] = &[
    batch::SCHEDULE.field(),
    batch::CUT_OFF.field(),
    batch::GRAIN.field(),
    batch::TIME_ZONE.field(),
    batch::DEDUPLICATES_BY.field(),
];

/// Apache Airflow.
pub(super) static AIRFLOW: Entry = Entry {
    id: "airflow",
    name: "Apache Airflow",
    technology: "Airflow",
    icon: "batch",
    roles: &[Role::Batch],
    ask: ASK,
    commands: &[super::Command { reads: &[batch::SCHEDULE.field()], text: "airflow dags details {name}" }],
    references: &["Apache Airflow documentation, DAGs: schedules and data intervals"],
    ..NAMED
};

/// dbt.
pub(super) static DBT: Entry = Entry {
    id: "dbt",
    name: "dbt",
    technology: "dbt",
    icon: "batch",
    roles: &[Role::Batch],
    ask: ASK,
    references: &["dbt documentation, Incremental models: unique_key"],
    ..NAMED
};
