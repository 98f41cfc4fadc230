//! The configuration, and the section of `INFO`.

use std::ffi::{CStr, CString, c_char, c_int, c_longlong, c_void};
use std::ptr::null_mut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use lately_commands::{Refusal, Settings};
use redis_module::raw::{self, RedisModuleCtx, RedisModuleInfoCtx, RedisModuleString};

use crate::api::{ERR, OK, api, bytes, guarded};
use crate::claims::{self, Totals};
use crate::entry::{AHEAD, BYTES, DUPLICATES, FILTERS, NEW, OVERFULL};

/// The least and the most that `lately.max-bytes-per-filter` may be.
const MAX_BYTES: (i64, i64) = (1 << 10, 1 << 40);

static SETTINGS: Mutex<Option<Settings>> = Mutex::new(None);

/// The settings as they stand.
pub(crate) fn settings() -> Settings {
    change(|settings| settings.clone())
}

fn change<T>(f: impl FnOnce(&mut Settings) -> T) -> T {
    f(SETTINGS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).get_or_insert_with(Settings::default))
}

/// A setting that is a text.
struct TextSetting {
    get: fn(&Settings) -> String,
    set: fn(&mut Settings, &str) -> Result<(), Refusal>,
    /// The string that the server was shown last: it must live until the next.
    shown: AtomicPtr<RedisModuleString>,
}

static DEFAULT_ERROR: TextSetting = TextSetting {
    get: |settings| format!("{:?}", settings.default_error),
    set: |settings, text| {
        settings.default_error = Settings::parse_error(text)?;
        Ok(())
    },
    shown: AtomicPtr::new(null_mut()),
};

static AUTO_RESERVE: TextSetting = TextSetting {
    get: |settings| settings.auto_reserve.clone(),
    set: |settings, text| {
        settings.check_auto_reserve(text)?;
        settings.auto_reserve = text.to_owned();
        Ok(())
    },
    shown: AtomicPtr::new(null_mut()),
};

pub(crate) fn register(ctx: *mut RedisModuleCtx) -> bool {
    let default = Settings::default();
    let most = c_longlong::try_from(default.max_bytes).unwrap_or(MAX_BYTES.1);
    // SAFETY: texts that end in 0 and functions that the server may call, here and below.
    let numeric = unsafe {
        api!(RedisModule_RegisterNumericConfig)(
            ctx,
            c"max-bytes-per-filter".as_ptr(),
            most,
            raw::REDISMODULE_CONFIG_MEMORY,
            MAX_BYTES.0,
            MAX_BYTES.1,
            Some(get_max_bytes),
            Some(set_max_bytes),
            None,
            null_mut(),
        )
    };
    let texts = [(c"default-error", &DEFAULT_ERROR), (c"auto-reserve", &AUTO_RESERVE)];
    let texts = texts.iter().all(|(name, setting)| register_text(ctx, name, setting, &default));
    // SAFETY: as above.
    let rest = unsafe { [api!(RedisModule_LoadConfigs)(ctx), api!(RedisModule_RegisterInfoFunc)(ctx, Some(info))] };
    numeric == OK && texts && rest == [OK; 2]
}

fn register_text(ctx: *mut RedisModuleCtx, name: &CStr, setting: &'static TextSetting, default: &Settings) -> bool {
    let default = CString::new((setting.get)(default)).unwrap_or_default();
    let data = std::ptr::from_ref(setting).cast_mut().cast();
    // SAFETY: texts that end in 0 and functions that the server may call; the setting is static.
    let registered = unsafe {
        api!(RedisModule_RegisterStringConfig)(
            ctx,
            name.as_ptr(),
            default.as_ptr(),
            0,
            Some(get_text),
            Some(set_text),
            None,
            data,
        )
    };
    registered == OK
}

unsafe extern "C" fn get_max_bytes(_name: *const c_char, _data: *mut c_void) -> c_longlong {
    guarded("get_max_bytes", 0, || change(|settings| settings.max_bytes).try_into().unwrap_or(c_longlong::MAX))
}

unsafe extern "C" fn set_max_bytes(
    _name: *const c_char,
    value: c_longlong,
    _data: *mut c_void,
    _error: *mut *mut RedisModuleString,
) -> c_int {
    guarded("set_max_bytes", ERR, || {
        change(|settings| settings.max_bytes = value.unsigned_abs());
        OK
    })
}

unsafe extern "C" fn get_text(_name: *const c_char, data: *mut c_void) -> *mut RedisModuleString {
    // SAFETY: what `register` handed over.
    let setting = unsafe { &*data.cast::<TextSetting>() };
    let text = guarded("get_text", String::new(), || change(|settings| (setting.get)(settings)));
    let shown = string(&text);
    let before = setting.shown.swap(shown, Relaxed);
    if !before.is_null() {
        // SAFETY: the server has copied it by now.
        unsafe { api!(RedisModule_FreeString)(null_mut(), before) };
    }
    shown
}

unsafe extern "C" fn set_text(
    _name: *const c_char,
    value: *mut RedisModuleString,
    data: *mut c_void,
    error: *mut *mut RedisModuleString,
) -> c_int {
    // SAFETY: what `register` handed over.
    let setting = unsafe { &*data.cast::<TextSetting>() };
    let set = guarded("set_text", Err(None), || {
        // SAFETY: the string lives as long as the call.
        let text = String::from_utf8_lossy(unsafe { bytes(value) }).into_owned();
        change(|settings| (setting.set)(settings, &text)).map_err(Some)
    });
    let Err(refusal) = set else { return OK };
    let why = refusal.as_ref().map_or("ERR a bug in the module", Refusal::text);
    // SAFETY: the server frees it.
    unsafe { *error = string(why) };
    ERR
}

fn string(text: &str) -> *mut RedisModuleString {
    // SAFETY: a buffer and its length.
    unsafe { api!(RedisModule_CreateString)(null_mut(), text.as_ptr().cast(), text.len()) }
}

/// `INFO lately`: the rows `module` of packaging/metrics/metrics.tsv, behind the `lately_` that the server writes.
unsafe extern "C" fn info(ctx: *mut RedisModuleInfoCtx, for_crash_report: c_int) {
    guarded("info", (), || add_section(ctx, for_crash_report != 0));
}

/// A server that crashes may be in the middle of a filter: then none is looked at.
fn add_section(ctx: *mut RedisModuleInfoCtx, crashes: bool) {
    let claims = if crashes { None } else { Some(claims::totals()) };
    let of_claims = |figure: fn(&Totals) -> u64| claims.as_ref().map(figure);
    let count = |n: i64| u64::try_from(n).unwrap_or(0);
    let fields = [
        (c"filters", Some(count(FILTERS.load(Relaxed)))),
        (c"overfull_filters", Some(count(OVERFULL.load(Relaxed)))),
        (c"ahead_filters", Some(count(AHEAD.load(Relaxed)))),
        (c"memory_bytes", Some(count(BYTES.load(Relaxed)))),
        (c"new_total", Some(NEW.load(Relaxed))),
        (c"duplicates_total", Some(DUPLICATES.load(Relaxed))),
        (c"open_claims", of_claims(|claims| claims.open)),
        (c"max_claims", of_claims(|claims| claims.most)),
        (c"expired_claims_total", of_claims(|claims| claims.expired)),
        (c"pending_total", of_claims(|claims| claims.pending)),
    ];
    // SAFETY: the section of the module's own name.
    if unsafe { api!(RedisModule_InfoAddSection)(ctx, c"".as_ptr()) } == ERR {
        return;
    }
    for (name, value) in fields.into_iter().filter_map(|(name, value)| Some((name, value?))) {
        // SAFETY: a text that ends in 0 and a number.
        unsafe { api!(RedisModule_InfoAddFieldULongLong)(ctx, name.as_ptr(), value) };
    }
}
