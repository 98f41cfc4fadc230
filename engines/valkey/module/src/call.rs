//! A command that runs: the server as the commands see it.

use std::ffi::{CStr, c_int, c_longlong};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use lately_commands::{Arg, Command, Held, Refusal, Server, Settings, Touch, add_again, execute_as};
use redis_module::raw::{self, RedisModuleCtx, RedisModuleKey, RedisModuleString};

use crate::alloc;
use crate::answer;
use crate::api::{self, ERR, OK, api, bytes};
use crate::config;
use crate::data_type;
use crate::entry::{DUPLICATES, Entry, NEW};

/// What the flags have of a client by which a slot moves here: of Valkey 9 and later. Another server means something else
/// by that bit, and has none here.
static SLOT_IMPORT_CLIENT: AtomicU32 = AtomicU32::new(0);

/// The server is a Valkey.
pub(crate) fn slots_may_move() {
    SLOT_IMPORT_CLIENT.store(1 << 25, Relaxed);
}

/// A command and its key.
struct Call<'a> {
    ctx: *mut RedisModuleCtx,
    argv: &'a [*mut RedisModuleString],
    touch: Touch,
    /// The key, once it was looked for; null if the server has none to read.
    key: Option<*mut RedisModuleKey>,
    /// What lies under it.
    entry: *mut Entry,
    /// When the command runs, if it asked.
    now_ms: Option<u64>,
    /// Whether it is ahead or overfull exactly if it was after the command before.
    as_before: bool,
}

/// Runs a command of the table.
///
/// # Safety
/// The server calls it, with `argc` strings.
pub(crate) unsafe fn run(
    ctx: *mut RedisModuleCtx,
    argv: *mut *mut RedisModuleString,
    argc: c_int,
    command: &Command,
) -> c_int {
    let before = alloc::held();
    // SAFETY: the caller guarantees it.
    let argv = unsafe { std::slice::from_raw_parts(argv.cast_const(), argc.max(0) as usize) };
    let mut call = Call {
        ctx,
        argv,
        touch: command.touch,
        key: None,
        entry: std::ptr::null_mut(),
        now_ms: None,
        as_before: false,
    };
    let done = api::guarded(command.name, false, || {
        // SAFETY: a string of the command.
        match command.item_alone(argv).and_then(|item| add_again(&mut call, unsafe { bytes(*item) })) {
            Some(new) => {
                call.as_before = true;
                answer::yes(ctx, new);
            }
            None => call.execute(command),
        }
        true
    });
    if !done {
        // SAFETY: a text that ends in 0.
        unsafe {
            api!(RedisModule_ReplyWithError)(ctx, c"ERR lately: a bug in the module, see the server's log".as_ptr())
        };
    }
    api::guarded("settle", (), || call.settle(before, !done));
    OK
}

/// The most that the server takes as a number.
const MOST: u64 = i64::MAX as u64;

/// Words of a command that need no memory but the stack's.
const FEW: usize = 8;

/// Calls `f` with the bytes of strings.
fn with_bytes<T>(strings: &[*mut RedisModuleString], f: impl FnOnce(&[&[u8]]) -> T) -> T {
    // SAFETY: the strings live as long as the command runs.
    let of = |string: &*mut RedisModuleString| unsafe { bytes(*string) };
    if strings.len() > FEW {
        return f(&strings.iter().map(of).collect::<Vec<_>>());
    }
    let mut few = [&[][..]; FEW];
    few.iter_mut().zip(strings).for_each(|(place, string)| *place = of(string));
    f(&few[..strings.len()])
}

impl Call<'_> {
    /// A function of its own, so that the usual command has none of its stack.
    #[inline(never)]
    fn execute(&mut self, command: &Command) {
        let ctx = self.ctx;
        with_bytes(self.argv, |args| answer::send(ctx, &execute_as(self, command, args)));
    }

    /// Replicates a command of many words.
    fn replicate_words(&self, name: &CStr, args: &[Arg<'_>]) {
        let strings: Vec<_> = args.iter().map(|arg| self.string(arg)).collect();
        let words: Vec<*mut RedisModuleString> = strings.iter().map(|(string, _)| *string).collect();
        // SAFETY: "v" takes an array and its length.
        unsafe {
            api!(RedisModule_Replicate)(self.ctx, name.as_ptr(), c"v".as_ptr(), words.as_ptr(), words.len());
        }
        for (string, _) in strings.iter().filter(|(_, ours)| *ours) {
            // SAFETY: it was created above; the server has its own hold of it.
            unsafe { api!(RedisModule_FreeString)(std::ptr::null_mut(), *string) };
        }
    }

    /// Counts what the filter grew by, and closes the key.
    fn settle(mut self, before: isize, broken: bool) {
        let grown = alloc::held() - before;
        // SAFETY: the entry lies under the key, which is open.
        if let Some(entry) = unsafe { self.entry.as_mut() } {
            if broken {
                entry.distrust();
                self.signal();
            }
            if grown != 0 {
                entry.grow(grown);
            }
            if !broken && !self.as_before && self.touch != Touch::Reads {
                entry.mark(self.now_ms);
            }
        }
        if let Some(key) = self.key.take().filter(|key| !key.is_null()) {
            // SAFETY: it was opened and not closed.
            unsafe { api!(RedisModule_CloseKey)(key) };
        }
    }

    /// The key, opened once.
    fn key(&mut self) -> *mut RedisModuleKey {
        if let Some(key) = self.key {
            return key;
        }
        let mode = match self.touch {
            Touch::NoKey | Touch::Reads => raw::REDISMODULE_READ,
            Touch::Writes | Touch::Removes | Touch::Ends => raw::REDISMODULE_READ | raw::REDISMODULE_WRITE,
        };
        // SAFETY: the first argument is the key.
        let key = unsafe { api!(RedisModule_OpenKey)(self.ctx, self.argv[1], mode as c_int) };
        *self.key.insert(key.cast())
    }

    /// Tells those who watch the key, or keep it, that it has changed.
    fn signal(&self) {
        // SAFETY: the first argument is the key.
        unsafe { api!(RedisModule_SignalModifiedKey)(self.ctx, self.argv[1]) };
    }

    fn flags(&self) -> u32 {
        // SAFETY: the context of the command.
        unsafe { api!(RedisModule_GetContextFlags)(self.ctx) as u32 }
    }

    /// A string of the server for an argument that is replicated, and whether it is ours to free.
    fn string(&self, arg: &Arg<'_>) -> (*mut RedisModuleString, bool) {
        let none = std::ptr::null_mut();
        match arg {
            Arg::Given(place) => (self.argv[*place], false),
            Arg::Word(word) => {
                // SAFETY: a buffer and its length.
                (unsafe { api!(RedisModule_CreateString)(none, word.as_ptr().cast(), word.len()) }, true)
            }
            Arg::Number(number) => match i64::try_from(*number) {
                // SAFETY: a number.
                Ok(number) => (unsafe { api!(RedisModule_CreateStringFromLongLong)(none, number) }, true),
                Err(_) => self.string(&Arg::Word(&number.to_string())),
            },
        }
    }
}

impl Server for Call<'_> {
    fn now_ms(&mut self) -> u64 {
        // SAFETY: they take nothing. The server's own reading of this command costs nothing; Redis 7.0 has no such function.
        let now = unsafe { raw::RedisModule_CachedMicroseconds.map(|now| now() / 1000) };
        // SAFETY: the same.
        let now = now.unwrap_or_else(|| unsafe { api!(RedisModule_Milliseconds)() });
        *self.now_ms.insert(u64::try_from(now).unwrap_or(0))
    }

    fn random(&mut self) -> u64 {
        let mut bytes = [0; 8];
        // SAFETY: a buffer and its length.
        unsafe { api!(RedisModule_GetRandomBytes)(bytes.as_mut_ptr(), bytes.len()) };
        u64::from_le_bytes(bytes)
    }

    fn warn(&mut self, text: &str) {
        api::warn(self.ctx, text);
    }

    fn settings(&mut self) -> Settings {
        config::settings()
    }

    fn obeys(&mut self) -> bool {
        let from_elsewhere = raw::REDISMODULE_CTX_FLAGS_REPLICATED | raw::REDISMODULE_CTX_FLAGS_LOADING;
        self.flags() & (from_elsewhere | SLOT_IMPORT_CLIENT.load(Relaxed)) != 0
    }

    #[inline(always)]
    fn held(&mut self) -> Result<Option<&mut Held>, Refusal> {
        if self.entry.is_null() {
            let key = self.key();
            // SAFETY: a key that is open, or null, which is an empty one to the server, and of no module's type.
            if unsafe { api!(RedisModule_ModuleTypeGetType)(key) } != data_type::get() {
                // SAFETY: the same.
                let is_empty = unsafe { api!(RedisModule_KeyType)(key) } == raw::REDISMODULE_KEYTYPE_EMPTY as c_int;
                return if is_empty { Ok(None) } else { Err(Refusal::wrong_type()) };
            }
            // SAFETY: the same.
            self.entry = unsafe { api!(RedisModule_ModuleTypeGetValue)(key) }.cast();
        }
        // SAFETY: a value of our type is an entry, and a command has the server for itself.
        let entry = unsafe { &mut *self.entry };
        if entry.is_broken() {
            return Err(Refusal::new("this filter met a bug in the module: delete it, or restore it"));
        }
        Ok(Some(&mut entry.held))
    }

    fn put(&mut self, held: Held) -> Result<(), Refusal> {
        if !self.entry.is_null() {
            // SAFETY: what lies under the key, which a command has for itself.
            unsafe { Entry::replace(self.entry, held) };
            return Ok(());
        }
        let key = self.key();
        let entry = Entry::new(held).hand_over();
        // SAFETY: a key that is open for writing; the entry is the server's from here on.
        let set = unsafe { api!(RedisModule_ModuleTypeSetValue)(key, data_type::get(), entry.cast()) };
        if set == ERR {
            // SAFETY: the server did not take it.
            drop(unsafe { Box::from_raw(entry) });
            return Err(Refusal::new("the server did not take the filter"));
        }
        self.entry = entry;
        Ok(())
    }

    fn repeat(&mut self) {
        // SAFETY: the context of the command.
        unsafe { api!(RedisModule_ReplicateVerbatim)(self.ctx) };
    }

    fn replicate(&mut self, name: &'static CStr, args: &[Arg<'_>]) {
        let ctx = self.ctx;
        // An item and its time: the server makes the strings of that, and nothing is allocated here.
        match *args {
            // SAFETY: a text that ends in 0, its strings, a buffer and a number.
            [Arg::Given(key), Arg::Given(item), Arg::Word(at), Arg::Number(ms)] if ms <= MOST => unsafe {
                let (form, key, item) = (c"ssbl".as_ptr(), self.argv[key], self.argv[item]);
                let (at, len, ms) = (at.as_ptr(), at.len(), ms as c_longlong);
                api!(RedisModule_Replicate)(ctx, name.as_ptr(), form, key, item, at, len, ms);
            },
            // SAFETY: the same, and a buffer.
            [Arg::Given(key), Arg::Given(item), Arg::Word(at), Arg::Number(ms), Arg::Word(store)] if ms <= MOST => unsafe {
                let (form, key, item) = (c"ssblb".as_ptr(), self.argv[key], self.argv[item]);
                let (at, len, ms) = (at.as_ptr(), at.len(), ms as c_longlong);
                let (store, more) = (store.as_ptr(), store.len());
                api!(RedisModule_Replicate)(ctx, name.as_ptr(), form, key, item, at, len, ms, store, more);
            },
            _ => self.replicate_words(name, args),
        }
    }

    fn notify(&mut self, event: &'static CStr) {
        self.signal();
        let class = raw::REDISMODULE_NOTIFY_MODULE;
        // SAFETY: a text that ends in 0; the first argument is the key.
        unsafe { api!(RedisModule_NotifyKeyspaceEvent)(self.ctx, class, event.as_ptr(), self.argv[1]) };
    }

    fn size_within(&mut self, bytes: u64) -> u64 {
        usize::try_from(bytes).map_or(bytes, |bytes| alloc::size_within(bytes) as u64)
    }

    fn count(&mut self, new: u64, duplicates: u64) {
        // Commands run in one thread: no lock of the bus.
        NEW.store(NEW.load(Relaxed).wrapping_add(new), Relaxed);
        DUPLICATES.store(DUPLICATES.load(Relaxed).wrapping_add(duplicates), Relaxed);
    }
}
