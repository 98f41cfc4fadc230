//! The layer answers 409 while a request is in progress, and runs the handler again only after a failure.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use axum::{Router, middleware, routing};
use lately::{Options, SharedFilter};
use lately_axum::once;
use tokio::sync::{Notify, Semaphore};
use tower::ServiceExt;

fn app(handler: routing::MethodRouter) -> Router {
    let options = Options::window(Duration::from_secs(600)).lease(Duration::from_secs(30));
    let seen = SharedFilter::new(&options).expect("a filter");
    Router::new().route("/pay", handler).layer(middleware::from_fn_with_state(seen, once))
}

async fn post(app: &Router, id: Option<&str>) -> (StatusCode, String) {
    let request = id.into_iter().fold(Request::post("/pay"), |request, id| request.header("Idempotency-Key", id));
    let response = app.clone().oneshot(request.body(Body::empty()).expect("a request")).await.expect("an answer");
    let status = response.status();
    let body = to_bytes(response.into_body(), 100).await.expect("a body");
    (status, String::from_utf8_lossy(&body).into_owned())
}

/// A handler that fails at its first call, and counts all.
fn failing_once() -> (Arc<AtomicU32>, routing::MethodRouter) {
    let calls = Arc::new(AtomicU32::new(0));
    let counted = calls.clone();
    let handler = routing::post(move || async move {
        let is_first = counted.fetch_add(1, Ordering::Relaxed) == 0;
        if is_first { (StatusCode::BAD_GATEWAY, "the bank failed") } else { (StatusCode::OK, "paid") }
    });
    (calls, handler)
}

#[tokio::test]
async fn request_failed_is_handled_again_and_then_no_more() {
    let (calls, handler) = failing_once();
    let app = app(handler);
    assert_eq!(post(&app, Some("a")).await, (StatusCode::BAD_GATEWAY, "the bank failed".into()));
    assert_eq!(post(&app, Some("a")).await, (StatusCode::OK, "paid".into()));
    assert_eq!(post(&app, Some("a")).await, (StatusCode::OK, "done before".into()));
    assert_eq!(post(&app, None).await, (StatusCode::OK, "paid".into()));
    assert_eq!(calls.load(Ordering::Relaxed), 3);
}

#[tokio::test]
async fn request_in_progress_is_a_conflict_and_cancelled_is_handled_again() {
    let (entered, gate) = (Arc::new(Notify::new()), Arc::new(Semaphore::new(0)));
    let (inside, opened) = (entered.clone(), gate.clone());
    let app = app(routing::post(move || async move {
        inside.notify_one();
        let _open = opened.acquire().await;
        "paid"
    }));
    let waiting = app.clone();
    let first = tokio::spawn(async move { post(&waiting, Some("a")).await });
    entered.notified().await;
    assert_eq!(post(&app, Some("a")).await, (StatusCode::CONFLICT, "in progress".into()));
    first.abort();
    assert!(first.await.expect_err("it does not end").is_cancelled());
    gate.add_permits(1);
    assert_eq!(post(&app, Some("a")).await, (StatusCode::OK, "paid".into()));
    assert_eq!(post(&app, Some("a")).await, (StatusCode::OK, "done before".into()));
}
