//! A reply, as RESP2 or RESP3: the server knows which of them its client speaks.

use std::ffi::{CString, c_int, c_long};

use lately_commands::Reply;
use redis_module::raw::RedisModuleCtx;

use crate::api::api;

pub(crate) fn send(ctx: *mut RedisModuleCtx, reply: &Reply) {
    match reply {
        Reply::Array(all) => {
            // SAFETY: as many replies follow.
            unsafe { api!(RedisModule_ReplyWithArray)(ctx, all.len() as c_long) };
            all.iter().for_each(|reply| send(ctx, reply));
        }
        Reply::Map(all) => {
            // SAFETY: as many pairs of replies follow.
            unsafe { api!(RedisModule_ReplyWithMap)(ctx, all.len() as c_long) };
            for (name, reply) in all {
                string(ctx, name);
                send(ctx, reply);
            }
        }
        Reply::Ok => {
            // SAFETY: a text that ends in 0.
            unsafe { api!(RedisModule_ReplyWithSimpleString)(ctx, c"OK".as_ptr()) };
        }
        Reply::Int(number) => int(ctx, *number),
        Reply::Bool(is) => yes(ctx, *is),
        Reply::Double(number) => {
            // SAFETY: a number.
            unsafe { api!(RedisModule_ReplyWithDouble)(ctx, *number) };
        }
        Reply::Text(text) => string(ctx, text),
        Reply::Error(refusal) => {
            let text = CString::new(refusal.text().replace(['\0', '\r', '\n'], "?")).unwrap_or_default();
            // SAFETY: a text that ends in 0.
            unsafe { api!(RedisModule_ReplyWithError)(ctx, text.as_ptr()) };
        }
    }
}

pub(crate) fn yes(ctx: *mut RedisModuleCtx, is: bool) {
    // SAFETY: a number.
    unsafe { api!(RedisModule_ReplyWithBool)(ctx, c_int::from(is)) };
}

/// A number that the protocol cannot say is a text.
fn int(ctx: *mut RedisModuleCtx, number: u64) {
    match i64::try_from(number) {
        Ok(number) => {
            // SAFETY: a number.
            unsafe { api!(RedisModule_ReplyWithLongLong)(ctx, number) };
        }
        Err(_) => string(ctx, &number.to_string()),
    }
}

fn string(ctx: *mut RedisModuleCtx, text: &str) {
    // SAFETY: a buffer and its length.
    unsafe { api!(RedisModule_ReplyWithStringBuffer)(ctx, text.as_ptr().cast(), text.len()) };
}
