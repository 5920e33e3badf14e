//! Pictures as pixels.

use super::{files, refusal, window};
use data_encoding::BASE64;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};

/// Browsers draw no larger picture: Safari stops at 16 384 pixels a side and 268 million in all.
const LARGEST: (f64, f64) = (16_384.0, 268e6);

/// An SVG picture of this size as PNG, with `scale` pixels for one, or fewer where the picture is too large for that.
pub async fn png(svg: &str, (width, height): (f64, f64), scale: f64) -> Result<Vec<u8>, String> {
    let scale = scale.min(LARGEST.0 / width.max(height)).min((LARGEST.1 / (width * height)).sqrt());
    let image = HtmlImageElement::new().map_err(|e| refusal(&e))?;
    let url = files::object_url(svg.as_bytes(), "image/svg+xml")?;
    image.set_src(&url);
    let decoded = wasm_bindgen_futures::JsFuture::from(image.decode()).await;
    let _ = web_sys::Url::revoke_object_url(&url);
    decoded.map_err(|e| refusal(&e))?;
    let canvas: HtmlCanvasElement = window()
        .and_then(|w| w.document())
        .and_then(|d| d.create_element("canvas").ok())
        .and_then(|e| e.dyn_into().ok())
        .ok_or("the page cannot draw a picture")?;
    let (w, h) = ((width * scale).round(), (height * scale).round());
    canvas.set_width(w as u32);
    canvas.set_height(h as u32);
    let context: CanvasRenderingContext2d = canvas
        .get_context("2d")
        .map_err(|e| refusal(&e))?
        .and_then(|c| c.dyn_into().ok())
        .ok_or("the page cannot draw a picture")?;
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, w, h).map_err(|e| refusal(&e))?;
    let data = canvas.to_data_url_with_type("image/png").map_err(|e| refusal(&e))?;
    let (_, bytes) = data.split_once(";base64,").ok_or("the picture is too large for this browser")?;
    BASE64.decode(bytes.as_bytes()).map_err(|_| "the picture is too large for this browser".to_owned())
}
