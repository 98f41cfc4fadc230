//! A layer of axum that handles each request once.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use lately::{Guarded, SharedFilter};

/// `Router::new().route(..).layer(middleware::from_fn_with_state(seen, once))`
pub async fn once(State(seen): State<SharedFilter>, request: Request, next: Next) -> Response {
    let Some(id) = request.headers().get("idempotency-key") else {
        return next.run(request).await;
    };
    let claim = match seen.guard_owned(id) {
        Ok(Guarded::New(claim)) => claim,
        Ok(Guarded::Pending) => return (StatusCode::CONFLICT, "in progress").into_response(),
        Ok(Guarded::Duplicate) => return "done before".into_response(),
        Err(error) => return (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response(),
    };
    let response = next.run(request).await; // dropped here, the claim is abandoned
    if !response.status().is_server_error() {
        if let Err(error) = claim.commit() {
            eprintln!("the request was handled, and may be again: {error}");
        }
    }
    response
}
