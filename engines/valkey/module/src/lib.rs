//! The module: glue between a server and the commands in `../commands`, which know no server.
//!
//! Every function that the server calls stops a panic: one that crossed into C would end the server.

mod alloc;
mod answer;
mod api;
mod call;
mod claims;
mod commands;
mod config;
mod data_type;
mod entry;
mod pieces;

use std::ffi::c_int;

use redis_module::raw;

use crate::api::{ERR, OK, api};

#[global_allocator]
static MEMORY: alloc::ServerMemory = alloc::ServerMemory;

/// The server loads the module.
///
/// # Safety
/// The server calls it, once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn RedisModule_OnLoad(
    ctx: *mut raw::RedisModuleCtx,
    _argv: *mut *mut raw::RedisModuleString,
    argc: c_int,
) -> c_int {
    // SAFETY: the context is the server's; nothing was allocated before, for there is no allocator until then.
    let started = unsafe { raw::Export_RedisModule_Init(ctx, c"lately".as_ptr(), 1, 1) };
    // SAFETY: the table of functions was filled by the line above.
    if started == ERR || unsafe { raw::RedisModule_TryAlloc }.is_none() {
        return ERR;
    }
    api::log_panics();
    api::guarded("on_load", ERR, || if argc == 0 && register(ctx) { OK } else { refuse(ctx, argc) })
}

fn refuse(ctx: *mut raw::RedisModuleCtx, argc: c_int) -> c_int {
    let why = if argc == 0 { c"the server refuses a part of it" } else { c"it takes no arguments: set lately.*" };
    // SAFETY: a format without arguments.
    unsafe { api!(RedisModule_Log)(ctx, c"warning".as_ptr(), why.as_ptr()) };
    ERR
}

/// Of Valkey 9 and later: whole slots move by `LATELY.LOADCHUNK`. Another server may mean something else by it.
const HANDLE_ATOMIC_SLOT_MIGRATION: u32 = 1 << 5;

fn is_valkey(ctx: *mut raw::RedisModuleCtx) -> bool {
    // SAFETY: texts that end in 0; the server's reply lives until it is freed.
    unsafe {
        let said = api!(RedisModule_GetServerInfo)(ctx, c"server".as_ptr());
        // Its name may be another, for the sake of old clients.
        let version = api!(RedisModule_ServerInfoGetFieldC)(said, c"valkey_version".as_ptr());
        api!(RedisModule_FreeServerInfo)(ctx, said);
        !version.is_null()
    }
}

fn register(ctx: *mut raw::RedisModuleCtx) -> bool {
    // A key that was only opened has not changed: what has changed is said (`call`).
    let mut options = raw::REDISMODULE_OPTIONS_HANDLE_IO_ERRORS
        | raw::REDISMODULE_OPTIONS_HANDLE_REPL_ASYNC_LOAD
        | raw::REDISMODULE_OPTION_NO_IMPLICIT_SIGNAL_MODIFIED;
    if is_valkey(ctx) {
        options |= HANDLE_ATOMIC_SLOT_MIGRATION;
        call::slots_may_move();
    }
    // SAFETY: the context of the loading module.
    unsafe { api!(RedisModule_SetModuleOptions)(ctx, options as c_int) };
    data_type::register(ctx) && commands::register(ctx) && config::register(ctx)
}
