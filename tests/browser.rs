//! What touches a browser type, in a real browser: storage, address bar, preferences, mounting the application.
#![cfg(target_arch = "wasm32")]

use pipeline_desk::platform::{
    address, preferences,
    storage::{Storage, Stored, fresh_key},
};
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

fn stored(key: &str, name: &str, edited: f64) -> Stored {
    Stored {
        key: key.to_owned(),
        name: name.to_owned(),
        edited,
        design: r#"{"format":"streaming-pipeline","version":1,"name":"ä → ∞"}"#.to_owned(),
        history: String::new(),
        seen: String::new(),
        badge: "1*..n".to_owned(),
    }
}

#[wasm_bindgen_test]
async fn a_design_comes_back_as_it_was_stored() {
    let storage = Storage::open().await.expect("storage opens");
    let (first, second) = (fresh_key(), fresh_key());
    assert_ne!(first, second);
    storage.put(&stored(&first, "first", 1.0)).await.expect("is stored");
    storage.put(&stored(&second, "second", 2.0)).await.expect("is stored");
    let back = storage.get(&first).await.expect("is read").expect("is there");
    assert_eq!((back.name.as_str(), back.design.as_str()), ("first", stored("", "", 0.0).design.as_str()));

    let again = Storage::open().await.expect("storage opens again");
    let keys: Vec<String> = again.all().await.expect("lists").into_iter().map(|stored| stored.key).collect();
    let place = |key: &String| keys.iter().position(|k| k == key);
    assert!(place(&second) < place(&first), "the last edited stands first");
    for key in [&first, &second] {
        again.remove(key).await.expect("is removed");
        assert!(again.get(key).await.expect("is read").is_none());
    }
}

#[wasm_bindgen_test]
fn the_fragment_is_read_and_taken_away() {
    let location = web_sys::window().expect("a window").location();
    location.set_hash("#d1.1.abc.def").expect("a fragment is legal");
    assert_eq!(address::fragment().map(|f| f.trim_start_matches('#').to_owned()).as_deref(), Some("d1.1.abc.def"));
    address::clear_fragment();
    assert_eq!(address::fragment(), None);
    assert!(!address::base().contains('#'));
}

#[wasm_bindgen_test]
fn a_choice_is_kept_until_it_is_forgotten() {
    preferences::set("test", "yes");
    assert_eq!(preferences::get("test").as_deref(), Some("yes"));
    preferences::clear("test");
    assert_eq!(preferences::get("test"), None);
}
