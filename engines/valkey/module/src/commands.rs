//! The commands by name, with what the server learns of them.

use std::ffi::{CStr, CString, c_int};

use lately_commands::{COMMANDS, Command, Touch};
use redis_module::raw::{self, RedisModuleCtx, RedisModuleString};

use crate::api::{ERR, OK, api};
use crate::call;

/// A function for each row of the table: the name by which a command was called may be another.
macro_rules! doors {
    ($($row:literal)+) => {
        [$({
            unsafe extern "C" fn door(ctx: *mut RedisModuleCtx, argv: *mut *mut RedisModuleString, argc: c_int) -> c_int {
                // SAFETY: the server calls it.
                unsafe { call::run(ctx, argv, argc, &COMMANDS[$row]) }
            }
            door
        }),+]
    };
}

type Door = unsafe extern "C" fn(*mut RedisModuleCtx, *mut *mut RedisModuleString, c_int) -> c_int;

const DOORS: [Door; COMMANDS.len()] = doors!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14);

/// Our own category of access control, where the server knows such.
const CATEGORY: &CStr = c"lately";

/// A text that lives as long as the server.
fn text(words: &str) -> *const std::ffi::c_char {
    CString::new(words).unwrap_or_default().into_raw()
}

pub(crate) fn register(ctx: *mut RedisModuleCtx) -> bool {
    // SAFETY: the table of functions is filled; Redis 7.0 has no such function.
    if let Some(add) = unsafe { raw::RedisModule_AddACLCategory } {
        // SAFETY: a text that ends in 0.
        if unsafe { add(ctx, CATEGORY.as_ptr()) } == ERR {
            return false;
        }
    }
    COMMANDS.iter().zip(DOORS).all(|(command, door)| register_one(ctx, command, door))
}

/// The categories of access control: a server does not tell those of a module's command from its flags.
fn categories(command: &Command) -> String {
    let touch = if matches!(command.touch, Touch::NoKey | Touch::Reads) { "read" } else { "write" };
    let pace = if command.fast { "fast" } else { "slow" };
    format!("{touch} {pace} {}", CATEGORY.to_str().unwrap_or_default())
}

fn flags(command: &Command) -> String {
    let touch = match (command.touch, command.arity) {
        (Touch::NoKey, _) => "",
        (Touch::Reads, _) => "readonly",
        (Touch::Removes | Touch::Ends, _) => "write",
        (Touch::Writes, arity) if arity > 0 => "write deny-script",
        (Touch::Writes, _) => "write deny-oom",
    };
    let fast = if command.fast { " fast" } else { "" };
    format!("{touch}{fast}")
}

fn register_one(ctx: *mut RedisModuleCtx, command: &Command, door: Door) -> bool {
    let key = c_int::from(command.touch != Touch::NoKey);
    let (name, flags) = (text(command.name), text(&flags(command)));
    // SAFETY: texts that end in 0, and a function that the server may call.
    if unsafe { api!(RedisModule_CreateCommand)(ctx, name, Some(door), flags, key, key, key) } == ERR {
        return false;
    }
    // SAFETY: the command was just created.
    let handle = unsafe { api!(RedisModule_GetCommand)(ctx, name) };
    // SAFETY: Redis 7.0 has no such function.
    if let Some(set) = unsafe { raw::RedisModule_SetCommandACLCategories } {
        // SAFETY: a command and a text that ends in 0.
        if unsafe { set(handle, text(&categories(command))) } == ERR {
            return false;
        }
    }
    describe(handle, command)
}

fn describe(handle: *mut raw::RedisModuleCommand, command: &Command) -> bool {
    let version = raw::RedisModuleCommandInfoVersion {
        version: 1,
        sizeof_historyentry: size_of::<raw::RedisModuleCommandHistoryEntry>(),
        sizeof_keyspec: size_of::<raw::RedisModuleCommandKeySpec>(),
        sizeof_arg: size_of::<raw::RedisModuleCommandArg>(),
    };
    let mut keys = key_specs(command.touch);
    let mut args = arguments(command.args);
    let info = raw::RedisModuleCommandInfo {
        version: Box::leak(Box::new(version)),
        summary: text(command.summary),
        complexity: text(command.complexity),
        since: c"0.1.0".as_ptr(),
        history: std::ptr::null_mut(),
        tips: tips(command),
        arity: command.arity,
        key_specs: if command.touch == Touch::NoKey { std::ptr::null_mut() } else { keys.as_mut_ptr() },
        args: args.as_mut_ptr(),
    };
    // SAFETY: the server copies what it needs.
    let set = unsafe { api!(RedisModule_SetCommandInfo)(handle, &raw const info) };
    set == OK
}

/// Answers that change with time alone, without an invalidation message: a client that caches them would do so forever.
fn tips(command: &Command) -> *const std::ffi::c_char {
    if command.touch == Touch::Reads { c"dont_cache nondeterministic_output".as_ptr() } else { std::ptr::null() }
}

/// The first argument is the key; a spec of zeros ends the list.
fn key_specs(touch: Touch) -> [raw::RedisModuleCommandKeySpec; 2] {
    // SAFETY: numbers and pointers, all of which may be 0.
    let mut specs: [raw::RedisModuleCommandKeySpec; 2] = unsafe { std::mem::zeroed() };
    let flags = match touch {
        Touch::NoKey | Touch::Reads => raw::REDISMODULE_CMD_KEY_RO | raw::REDISMODULE_CMD_KEY_ACCESS,
        Touch::Writes | Touch::Ends => raw::REDISMODULE_CMD_KEY_RW | raw::REDISMODULE_CMD_KEY_UPDATE,
        Touch::Removes => raw::REDISMODULE_CMD_KEY_RW | raw::REDISMODULE_CMD_KEY_DELETE,
    };
    specs[0].flags = flags.into();
    specs[0].begin_search_type = raw::RedisModuleKeySpecBeginSearchType_REDISMODULE_KSPEC_BS_INDEX;
    specs[0].bs.index.pos = 1;
    specs[0].find_keys_type = raw::RedisModuleKeySpecFindKeysType_REDISMODULE_KSPEC_FK_RANGE;
    specs[0].fk.range = raw::RedisModuleCommandKeySpec__bindgen_ty_2__bindgen_ty_1 { lastkey: 0, keystep: 1, limit: 0 };
    specs
}

/// The arguments as `COMMAND DOCS` has them; one of zeros ends the list.
fn arguments(all: &[lately_commands::Argument]) -> Vec<raw::RedisModuleCommandArg> {
    let mut all: Vec<_> = all.iter().map(argument).collect();
    // SAFETY: numbers and pointers, all of which may be 0.
    all.push(unsafe { std::mem::zeroed() });
    all
}

fn argument(arg: &lately_commands::Argument) -> raw::RedisModuleCommandArg {
    use lately_commands::Shape;
    let (shape, key) = match arg.shape {
        Shape::Key => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_KEY, 0),
        Shape::Text => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_STRING, -1),
        Shape::Number => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_INTEGER, -1),
        Shape::Fraction => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_DOUBLE, -1),
        Shape::Word => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_PURE_TOKEN, -1),
        Shape::OneOf(_) => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_ONEOF, -1),
        Shape::Block(_) => (raw::RedisModuleCommandArgType_REDISMODULE_ARG_TYPE_BLOCK, -1),
    };
    let parts = match arg.shape {
        Shape::OneOf(parts) | Shape::Block(parts) => arguments(parts).leak().as_mut_ptr(),
        _ => std::ptr::null_mut(),
    };
    let optional = if arg.optional { raw::REDISMODULE_CMD_ARG_OPTIONAL } else { 0 };
    let multiple = if arg.multiple { raw::REDISMODULE_CMD_ARG_MULTIPLE } else { 0 };
    raw::RedisModuleCommandArg {
        name: text(arg.name),
        type_: shape,
        key_spec_index: key,
        token: if arg.token.is_empty() { std::ptr::null() } else { text(arg.token) },
        summary: std::ptr::null(),
        since: std::ptr::null(),
        flags: (optional | multiple) as c_int,
        deprecated_since: std::ptr::null(),
        subargs: parts,
        display_text: std::ptr::null(),
    }
}
