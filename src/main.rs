//! Mounts the application; everything else is in the library.

#[cfg(target_arch = "wasm32")]
fn main() {
    pipeline_desk::ui::mount();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("The desk runs in a browser: start it with `make serve`.");
}
