//! Designs in this browser: one record a design in IndexedDB, written after each edit.

use super::{clock, refusal};
use crate::sorted;
use idb::{
    Database, DatabaseEvent, Error, Factory, ObjectStoreParams, Transaction, TransactionMode, TransactionResult,
};
use wasm_bindgen::{JsCast, JsValue};

const DATABASE: &str = "streaming-pipeline-desk";
const DESIGNS: &str = "designs";

/// A design as it lies in storage.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// The key it lies under.
    pub key: String,
    /// Its name, for lists.
    pub name: String,
    /// When it was written last, in milliseconds since 1970.
    pub edited: f64,
    /// The document.
    pub design: String,
    /// What can be undone and redone; empty where nothing.
    pub history: String,
    /// The document as it was when its documents were last looked at; empty where they never were.
    pub seen: String,
    /// The text form of the badge of its worst consumer, for lists; empty where there is none.
    pub badge: String,
}

/// Why nothing was stored or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StorageError {
    /// The device has no room left.
    #[error("this device has no room left")]
    Full,
    /// The browser offers no storage here: a private window, a blocked site.
    #[error("this browser keeps nothing here: {0}")]
    Unavailable(String),
}

impl From<Error> for StorageError {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        if text.contains("QuotaExceeded") || text.to_ascii_lowercase().contains("quota") {
            Self::Full
        } else {
            Self::Unavailable(text)
        }
    }
}

/// The storage of this browser.
#[derive(Debug)]
pub struct Storage(Database);

impl Storage {
    /// Opens it, making it the first time.
    pub async fn open() -> Result<Self, StorageError> {
        let factory = Factory::new()?;
        let mut request = factory.open(DATABASE, Some(1))?;
        request.on_upgrade_needed(|event| {
            if let Ok(database) = event.database() {
                // Refused only where the store is there already.
                let _ = database.create_object_store(DESIGNS, ObjectStoreParams::new());
            }
        });
        Ok(Self(request.await?))
    }

    /// Writes a design; done when the browser says that the transaction is complete.
    pub async fn put(&self, stored: &Stored) -> Result<(), StorageError> {
        let transaction = self.0.transaction(&[DESIGNS], TransactionMode::ReadWrite)?;
        let store = transaction.object_store(DESIGNS)?;
        store.put(&pack(stored), Some(&JsValue::from_str(&stored.key)))?.await?;
        committed(transaction).await
    }

    /// Reads a design.
    pub async fn get(&self, key: &str) -> Result<Option<Stored>, StorageError> {
        let transaction = self.0.transaction(&[DESIGNS], TransactionMode::ReadOnly)?;
        let value = transaction.object_store(DESIGNS)?.get(JsValue::from_str(key))?.await?;
        Ok(value.as_ref().map(unpack))
    }

    /// All designs, the last edited first.
    pub async fn all(&self) -> Result<Vec<Stored>, StorageError> {
        let transaction = self.0.transaction(&[DESIGNS], TransactionMode::ReadOnly)?;
        let values = transaction.object_store(DESIGNS)?.get_all(None, None)?.await?;
        let mut all: Vec<Stored> = values.iter().map(unpack).collect();
        sorted::sort_by(&mut all, |a, b| b.edited.total_cmp(&a.edited));
        Ok(all)
    }

    /// Removes a design for good.
    pub async fn remove(&self, key: &str) -> Result<(), StorageError> {
        let transaction = self.0.transaction(&[DESIGNS], TransactionMode::ReadWrite)?;
        transaction.object_store(DESIGNS)?.delete(JsValue::from_str(key))?.await?;
        committed(transaction).await
    }
}

/// Waits until it is really written. A browser that runs out of room while it commits takes the transaction back without
/// an error of any request: what was asked for is then not there.
async fn committed(transaction: Transaction) -> Result<(), StorageError> {
    match transaction.await? {
        TransactionResult::Committed => Ok(()),
        TransactionResult::Aborted => Err(StorageError::Full),
    }
}

/// A key that no other design on this device has.
#[must_use]
pub fn fresh_key() -> String {
    format!("d{:x}-{:x}", clock::now() as u64, (js_sys::Math::random() * 1e9) as u64)
}

/// Asks the browser not to throw our designs away when room gets short.
pub fn ask_to_persist() {
    let Some(manager) = super::window().map(|w| w.navigator().storage()) else { return };
    if manager.is_undefined() {
        return;
    }
    if let Ok(promise) = manager.persist() {
        wasm_bindgen_futures::spawn_local(async move {
            // The browser may say no; the designs are stored all the same.
            let _ = wasm_bindgen_futures::JsFuture::from(promise).await.map_err(|error| refusal(&error));
        });
    }
}

fn pack(stored: &Stored) -> JsValue {
    let object = js_sys::Object::new();
    let put = |name: &str, value: JsValue| {
        // Setting a property of a plain object does not fail.
        let _ = js_sys::Reflect::set(&object, &JsValue::from_str(name), &value);
    };
    put("key", JsValue::from_str(&stored.key));
    put("name", JsValue::from_str(&stored.name));
    put("edited", JsValue::from_f64(stored.edited));
    put("design", JsValue::from_str(&stored.design));
    put("history", JsValue::from_str(&stored.history));
    put("seen", JsValue::from_str(&stored.seen));
    put("badge", JsValue::from_str(&stored.badge));
    object.unchecked_into()
}

fn unpack(value: &JsValue) -> Stored {
    let get = |name: &str| js_sys::Reflect::get(value, &JsValue::from_str(name)).unwrap_or(JsValue::UNDEFINED);
    let text = |name: &str| get(name).as_string().unwrap_or_default();
    Stored {
        key: text("key"),
        name: text("name"),
        edited: get("edited").as_f64().unwrap_or_default(),
        design: text("design"),
        history: text("history"),
        seen: text("seen"),
        badge: text("badge"),
    }
}
