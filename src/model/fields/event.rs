//! Event types.

fields! { event Event {
    KEY "key": Columns, Configuration, "identity", "DUP-02, B2", "natural key of the entity";
    EVENT_ID "event_id": Columns, Configuration, "identity", "DUP-02, MECH-2, C-06", "unique per event";
    EVENT_ID_SET_BY "event_id_set_by": EventIdSetBy, Configuration, "identity", "DUP-02, T3", "where the id is born";
    TIMESTAMP_FIELD "timestamp_field": Text, Configuration, "time", "TIME-1", "timestamp field";
    TIMESTAMP_SET_BY "timestamp_set_by": TimestampSetBy, Configuration, "time", "TIME-1, TIM-02", "timestamp set by";
    TIMESTAMP_TRUST "timestamp_trust": TimestampTrust, Configuration, "time", "TIME-1", "timestamp trust";
    TIMESTAMP_UNIT "timestamp_unit": TimestampUnit, Configuration, "time", "RR-1..2", "timestamp unit";
    VERSION_FIELD "version_field": Text, Configuration, "time", "recorded", "sequence, LSN";
    PERSONAL_FIELDS "personal_fields": Columns, Configuration, "privacy", "PRV", "personal fields";
    CLASSIFICATION "classification": Classification, Configuration, "privacy", "HALT-PRIVACY", "classification";
    MAX_RETENTION "max_retention": Limit<Duration>, Need, "privacy", "PRV-01, PRV-04", "max retention";
    ERASURE_REQUIRED "erasure_required": bool, Need, "privacy", "PRV-02", "erasure required";
    ERASURE_BY "erasure_by": ErasureBy, Configuration, "privacy", "HALT-PRIVACY, PRV-02", "erasure by";
    SIZE "size": Measured<Size>, Measurement, "contract", "D1, F", "size";
    FORMAT "format": Format, Configuration, "contract", "config", "format";
    COMPATIBILITY "compatibility": Compatibility, Configuration, "contract", "handoff", "compatibility";
    CONTRACT "contract": Contract, Configuration, "contract", "handoff", "contract";
    VERSIONS_IN_FLIGHT "versions_in_flight": List, Measurement, "contract", "handoff", "versions in flight";
    FIELDS "fields": Schema, Configuration, "contract", "code, DUP-02", "column name to type; a trailing ? may be null";
    VERSION "version": Text, Configuration, "product", "catalogue", "version of the product";
} }
