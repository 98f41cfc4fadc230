/**
 * @file lately.hpp
 * lately for C++17 and later: "have I seen this lately?", duplicate detection in unbounded streams, in bounded memory.
 * Header-only, over `lately.h` and `lately_file.h`; link with liblately. License: MIT OR Apache-2.0.
 *
 *     #include <lately.hpp>
 *     using namespace std::chrono_literals;
 *
 *     lately::filter seen(lately::options::window(10min).memory(64 << 20));
 *     if (seen.observe("order-17") == lately::verdict::new_) { first(); }
 *
 * Without `memory` a filter with a window of time grows with its traffic. With it the window shortens at the limit, or
 * the error rate of a time-limited one rises (`on_limit`), as `stats` reports.
 * Without `max_step_ns` one tick from the far future moves a manual clock there, and later keys are judged at that
 * time until real time catches up.
 *
 * Two forms of every verb: `observe` throws lately::error; `try_observe` is noexcept and returns a status or a
 * result. A program without exceptions has the second form only. Nothing here allocates but `batch`, the forms that
 * return a vector, snapshots, and the library when it builds, loads, copies or shifts a filter.
 *
 * Threads: `filter` has one owner at a time: its const members may run concurrently, every other member needs it alone.
 * `shared_filter` is for any number of threads, each with its own copy or all with one: of all that
 * observe one new key concurrently, exactly one gets new_. Functions without a filter are free. Units: time is
 * std::chrono or nanoseconds, sizes are bytes.
 */
#ifndef LATELY_HPP
#define LATELY_HPP

#include "lately_file.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <istream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <ratio>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>
#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#if defined(__cpp_lib_format)
#include <format>
#include <sstream>
#endif
#if defined(__cpp_lib_span)
#include <span>
#endif
#if defined(__cpp_lib_expected)
#include <expected>
#endif
#if defined(__cpp_lib_ranges)
#include <ranges>
#endif

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 201703L
#error "lately.hpp needs C++17"
#endif

/** 1 where the throwing forms exist, 0 in a program without exceptions. */
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define LATELY_HPP_EXCEPTIONS 1
#else
#define LATELY_HPP_EXCEPTIONS 0
#endif

/** A type whose exceptions are caught across shared objects, also when all else is hidden. */
#if defined(__GNUC__)
#define LATELY_HPP_VISIBLE __attribute__((visibility("default")))
#else
#define LATELY_HPP_VISIBLE
#endif

namespace lately {

// ---- Words ----------------------------------------------------------------------------------------------------

/** The answer to "have I seen this lately?". */
enum class verdict : std::uint8_t {
    new_ = LATELY_NEW,              ///< Not seen within the window.
    duplicate = LATELY_DUPLICATE,   ///< Seen, or, with at most the error rate, believed to be.
    pending = LATELY_PENDING,       ///< Of a claim: the key is claimed already, and that claim is open.
    absent_key = LATELY_ABSENT_KEY, ///< A key that its column does not have: it was not observed.
};

/** The outcome of a commit. */
enum class committed : std::uint8_t {
    in_time = LATELY_COMMIT_IN_TIME, ///< The claim was open. The key is stored now.
    late = LATELY_COMMIT_LATE,       ///< The claim was over, and no other caller had stored the key. It is stored now.
    already = LATELY_COMMIT_ALREADY, ///< The claim was over, and the filter contains the key. Nothing changed.
};

/** The outcome of a call; the numbers of the C ABI, which never change. */
enum class [[nodiscard]] status : lately_status {
    ok = LATELY_OK,                         ///< Done.
    null = LATELY_ERR_NULL,                 ///< A pointer is null and its length is not 0.
    struct_size = LATELY_ERR_STRUCT_SIZE,   ///< Header and library do not match.
    option = LATELY_ERR_OPTION,             ///< An option is missing, out of range, or contradicts another.
    offsets = LATELY_ERR_OFFSETS,           ///< Offsets, verdicts or ticks do not fit the keys of a batch.
    unsupported = LATELY_ERR_UNSUPPORTED,   ///< This filter has no such verb, or is keyed and takes no hashes.
    clock = LATELY_ERR_CLOCK,               ///< A tick that the clock does not take, or none where it had none yet.
    tick = LATELY_ERR_TICK,                 ///< A tick leads the clock by too much, or a date has no tick.
    claim = LATELY_ERR_CLAIM,               ///< The token was never given out for this key.
    full = LATELY_ERR_FULL,                 ///< A removable TinySet has no room in the key's block, or `max_claims` claims are open.
    poisoned = LATELY_ERR_POISONED,         ///< An earlier call came to `panic`; the filter can only be closed.
    closed = LATELY_ERR_CLOSED,             ///< The filter was closed, moved from, or never opened.
    short_buffer = LATELY_ERR_SHORT_BUFFER, ///< The buffer is too short.
    magic = LATELY_ERR_MAGIC,               ///< Not a snapshot.
    version = LATELY_ERR_VERSION,           ///< A snapshot of a version that this library does not read.
    checksum = LATELY_ERR_CHECKSUM,         ///< The checksum of the snapshot does not match its bytes.
    corrupt = LATELY_ERR_CORRUPT,           ///< The snapshot has a checksum that matches and contents that no filter writes.
    too_large = LATELY_ERR_TOO_LARGE,       ///< The snapshot needs more memory than allowed.
    secret = LATELY_ERR_SECRET,             ///< The secret of a keyed filter is missing or wrong.
    elapsed = LATELY_ERR_ELAPSED,           ///< The time since the snapshot is missing or impossible.
    options_differ = LATELY_ERR_OPTIONS_DIFFER, ///< The saved filter was made with other options; the failure's field names the first.
    io = LATELY_ERR_IO,                     ///< A stream or a file failed: what was to be read or written was not.
    panic = LATELY_ERR_PANIC,               ///< A bug in the library; the filter is poisoned.
    no_memory = LATELY_ERR_NO_MEMORY,       ///< The system has no memory, or no randomness, to give.
};

/** An option, as an error names it. */
enum class field : std::uint32_t {
    // <fields>
    none = 0,                                         ///< No option is at fault.
    kind = LATELY_FIELD_KIND,                         ///< options::kind
    clock = LATELY_FIELD_CLOCK,                       ///< options::clock
    repeat = LATELY_FIELD_REPEAT,                     ///< options::repeat
    on_limit = LATELY_FIELD_ON_LIMIT,                 ///< options::on_limit
    window_ns = LATELY_FIELD_WINDOW_NS,               ///< options::window_ns
    window_keys = LATELY_FIELD_WINDOW_KEYS,           ///< options::window_keys
    capacity = LATELY_FIELD_CAPACITY,                 ///< options::capacity
    error_rate = LATELY_FIELD_ERROR_RATE,             ///< options::error_rate
    miss_rate = LATELY_FIELD_MISS_RATE,               ///< options::miss_rate
    memory = LATELY_FIELD_MEMORY,                     ///< options::memory
    max_step_ns = LATELY_FIELD_MAX_STEP_NS,           ///< options::max_step
    k = LATELY_FIELD_K,                               ///< options::k
    l = LATELY_FIELD_L,                               ///< options::l
    max_slices = LATELY_FIELD_MAX_SLICES,             ///< options::max_slices
    fill = LATELY_FIELD_FILL,                         ///< options::fill
    variant = LATELY_FIELD_VARIANT,                   ///< options::variant
    fingerprint_bits = LATELY_FIELD_FINGERPRINT_BITS, ///< options::fingerprint_bits
    semi_sort = LATELY_FIELD_SEMI_SORT,               ///< options::semi_sort
    removable = LATELY_FIELD_REMOVABLE,               ///< options::removable
    block_bytes = LATELY_FIELD_BLOCK_BYTES,           ///< options::block_bytes
    chains = LATELY_FIELD_CHAINS,                     ///< options::chains
    load = LATELY_FIELD_LOAD,                         ///< options::load
    keyed = LATELY_FIELD_KEYED,                       ///< options::keyed
    seed = LATELY_FIELD_SEED,                         ///< options::seed
    secret_lo = LATELY_FIELD_SECRET_LO,               ///< options::secret_lo
    secret_hi = LATELY_FIELD_SECRET_HI,               ///< options::secret_hi
    age_bits = LATELY_FIELD_AGE_BITS,                 ///< options::age_bits
    lateness_ns = LATELY_FIELD_LATENESS_NS,           ///< options::lateness
    lease_ns = LATELY_FIELD_LEASE_NS,                 ///< options::lease
    max_claims = LATELY_FIELD_MAX_CLAIMS,             ///< options::max_claims
    // </fields>
};

/** The kinds of filter. */
enum class kind : std::uint32_t {
    time_limited = LATELY_KIND_TIME_LIMITED,       ///< The last `window_ns` of time: no key seen within it is new.
    age_partitioned = LATELY_KIND_AGE_PARTITIONED, ///< The last `window_keys` insertions: no key among them is new.
    tiny_set = LATELY_KIND_TINY_SET,               ///< A set, with removal if `removable`: no key in it is new.
    quotient = LATELY_KIND_QUOTIENT,               ///< Fixed memory, endless stream: false and missed duplicates, at known rates.
    window_table = LATELY_KIND_WINDOW_TABLE,       ///< The default of a window, of time or of keys.
};

/** Which clock is used, and what one tick of a manual one counts. */
enum class clock_source : std::uint32_t {
    system = LATELY_CLOCK_SYSTEM,       ///< The monotonic clock, read once per call or batch (default).
    manual_ns = LATELY_CLOCK_MANUAL_NS, ///< The caller, tick by tick, in nanoseconds.
    manual_us = LATELY_CLOCK_MANUAL_US, ///< The same, in microseconds.
    manual_ms = LATELY_CLOCK_MANUAL_MS, ///< The same, in milliseconds.
    manual_s = LATELY_CLOCK_MANUAL_S,   ///< The same, in seconds.
};

/** How a repeat is treated. */
enum class repeat : std::uint32_t {
    refresh = LATELY_REPEAT_REFRESH,       ///< Every sighting is stored: age counts from the last one (default).
    keep_first = LATELY_REPEAT_KEEP_FIRST, ///< Only what is new is stored: age counts from that sighting.
};

/** What gives way at the memory limit. */
enum class on_limit : std::uint32_t {
    forget_oldest = LATELY_ON_LIMIT_FORGET_OLDEST,       ///< The window shortens to stats::reach_ns (default).
    raise_error_rate = LATELY_ON_LIMIT_RAISE_ERROR_RATE, ///< The error rate rises to stats::error_rate. Time-limited only.
};

/** The members of the quotient family. */
enum class variant : std::uint32_t {
    qht = LATELY_VARIANT_QHT,     ///< Quotient hash table.
    qhtd = LATELY_VARIANT_QHTD,   ///< The same, storing duplicates.
    qqht = LATELY_VARIANT_QQHT,   ///< Queued.
    qqhtd = LATELY_VARIANT_QQHTD, ///< Queued, storing duplicates (default).
};

/**
 * How long ago a key was seen last, as lately_age: in nanoseconds where the window is a span of time, else in observations
 * and insertions, where the last one was 1 ago.
 */
struct age {
    std::uint64_t at_least = 0; ///< Lower bound on the age.
    std::uint64_t at_most = 0;  ///< Upper bound on the age.
};

/** A verdict, and how long ago a duplicate was seen last. */
struct sighting {
    lately::verdict verdict = lately::verdict::new_; ///< The verdict.
    lately::age age;                                 ///< 0 and 0 of what is new.
};

/** The verdict of a claim, and its token: with verdict::new_ it names the open claim, else it is 0. */
struct claimed {
    lately::verdict verdict = lately::verdict::new_; ///< new_, duplicate or pending.
    std::uint64_t token = 0;                         ///< For the commit, here or in another process.
};

template <class T>
class result;

/** The 128 bits under which a keyed filter hashes. */
struct secret {
    std::uint64_t lo; ///< The low word.
    std::uint64_t hi; ///< The high word.

    /** Reads 32 hexadecimal digits: 16 bytes, the lowest of `lo` first. Any other text is status::secret. */
    static result<secret> from_hex(std::string_view digits) noexcept;
};

/** The name of a status, such as "STRUCT_SIZE"; "UNKNOWN" for a number that the library does not have. Never null. */
[[nodiscard]] inline const char* name(status code) noexcept {
    return lately_status_name(static_cast<lately_status>(code));
}

/** One sentence on a status, for a log. Never null. */
[[nodiscard]] inline const char* describe(status code) noexcept {
    return lately_status_text(static_cast<lately_status>(code));
}

namespace detail {

/** The names of the choices of one option, in the order of their numbers, which begin at 1. */
template <class Choice>
struct choices;
template <>
struct choices<kind> {
    static constexpr const char* names[] = {"time_limited", "age_partitioned", "tiny_set", "quotient", "window_table"};
    static constexpr const char* all = "time_limited, age_partitioned, tiny_set, quotient, window_table";
};
template <>
struct choices<clock_source> {
    static constexpr const char* names[] = {"system", "manual_ns", "manual_us", "manual_ms", "manual_s"};
    static constexpr const char* all = "system, manual_ns, manual_us, manual_ms, manual_s";
};
template <>
struct choices<repeat> {
    static constexpr const char* names[] = {"refresh", "keep_first"};
    static constexpr const char* all = "refresh, keep_first";
};
template <>
struct choices<on_limit> {
    static constexpr const char* names[] = {"forget_oldest", "raise_error_rate"};
    static constexpr const char* all = "forget_oldest, raise_error_rate";
};
template <>
struct choices<variant> {
    static constexpr const char* names[] = {"qht", "qhtd", "qqht", "qqhtd"};
    static constexpr const char* all = "qht, qhtd, qqht, qqhtd";
};

} // namespace detail

/**
 * The name of a choice as this header has it, such as "keep_first" of repeat::keep_first; "" for a number that is none.
 * For kind, clock_source, repeat, on_limit and variant.
 */
template <class Choice, std::size_t = sizeof(detail::choices<Choice>::all)>
[[nodiscard]] constexpr const char* name(Choice choice) noexcept {
    const auto number = static_cast<std::size_t>(choice);
    return number - 1 < std::size(detail::choices<Choice>::names) ? detail::choices<Choice>::names[number - 1] : "";
}

/** The name of an option, such as "window_ns"; "" for field::none and for numbers that this header lacks. */
[[nodiscard]] constexpr const char* name(field option) noexcept {
    // <names>
    constexpr std::array<const char*, 31> names = {
        "", "kind", "clock", "repeat", "on_limit", "window_ns", "window_keys", "capacity", "error_rate", "miss_rate",
        "memory", "max_step_ns", "k", "l", "max_slices", "fill", "variant", "fingerprint_bits", "semi_sort",
        "removable", "block_bytes", "chains", "load", "keyed", "seed", "secret_lo", "secret_hi", "age_bits",
        "lateness_ns", "lease_ns", "max_claims"};
    // </names>
    const auto number = static_cast<std::size_t>(option);
    return number < names.size() ? names[number] : "";
}

// ---- Standard error codes ---------------------------------------------------------------------------------------

namespace detail {

class category : public std::error_category {
public:
    [[nodiscard]] const char* name() const noexcept override { return "lately"; }
    [[nodiscard]] std::string message(int code) const override { return describe(static_cast<status>(code)); }
    /** Maps a status to the errno number of the same cause, if there is one. */
    [[nodiscard]] std::error_condition default_error_condition(int code) const noexcept override {
        switch (static_cast<status>(code)) {
            case status::ok: return {};
            case status::no_memory: return std::errc::not_enough_memory;
            case status::null:
            case status::option:
            case status::offsets: return std::errc::invalid_argument;
            case status::unsupported: return std::errc::not_supported;
            case status::io: return std::errc::io_error;
            default: return {code, *this};
        }
    }
};

} // namespace detail

/** The category of every status as a std::error_code; its name is "lately". */
[[nodiscard]] inline const std::error_category& error_category() noexcept {
    static const detail::category one;
    return one;
}

/** A status as a std::error_code, which any function that takes one makes by itself. */
[[nodiscard]] inline std::error_code make_error_code(status code) noexcept {
    return {static_cast<int>(code), error_category()};
}

// ---- Failures -------------------------------------------------------------------------------------------------

/**
 * Why a filter or a plan could not be made: a value, for programs that do not throw. A function that takes a pointer to one, which
 * may be null, writes it at a failure and only then.
 */
struct failure {
    status code = status::ok;                  ///< The status.
    lately::field field = lately::field::none; ///< The option at fault, if one is.
    char message[256] = {};                    ///< What is wrong, and the range or the reason: UTF-8, ends in NUL.
};

static_assert(sizeof(failure::message) == sizeof(lately_error::message), "the messages of lately.h fit");

#if LATELY_HPP_EXCEPTIONS
/** The exception of every throwing form. Copying it never fails. */
class LATELY_HPP_VISIBLE error : public std::exception {
public:
    /** From a failure; `done` keys of a batch were processed before it. */
    explicit error(const failure& why, std::size_t done = 0) noexcept : why_(why), done_(done) {}

    /** From a status that `verb` returned. */
    error(const char* verb, status code, std::size_t done) noexcept : done_(done) {
        why_.code = code;
        std::snprintf(why_.message, sizeof why_.message, "%s: %s: %s", verb, name(code), describe(code));
    }

    [[nodiscard]] status code() const noexcept { return why_.code; }
    /** The option at fault, field::none if none is. */
    [[nodiscard]] lately::field field() const noexcept { return why_.field; }
    /** The name of the option at fault, "" if none is. */
    [[nodiscard]] const char* field_name() const noexcept { return name(why_.field); }
    /** The message: what is wrong, and the range or the reason, in UTF-8. */
    [[nodiscard]] const char* what() const noexcept override { return why_.message; }
    /** How many keys of a batch were processed; their verdicts are valid. */
    [[nodiscard]] std::size_t done() const noexcept { return done_; }

private:
    failure why_;
    std::size_t done_ = 0;
};
#endif

/**
 * A value or the status that came in its place, in the shape of std::expected<T, status>: of a result that is named and not const the
 * value may be changed, of a temporary it is moved.
 */
template <class T>
class [[nodiscard]] result {
public:
    /** A failure: any status but ok. */
    result(status code) noexcept : code_(code) {} // NOLINT(google-explicit-constructor)
    result(T value) noexcept : code_(status::ok), value_(std::move(value)) {} // NOLINT(google-explicit-constructor)

    /** As std::expected names them. */
    using value_type = T;
    using error_type = status;

#if defined(__cpp_lib_expected)
    /** The same as a std::expected. */
    operator std::expected<T, status>() const& { // NOLINT(google-explicit-constructor)
        return *this ? std::expected<T, status>(value_) : std::unexpected(code_);
    }
    operator std::expected<T, status>() && { // NOLINT(google-explicit-constructor)
        return *this ? std::expected<T, status>(std::move(value_)) : std::unexpected(code_);
    }
#endif

    explicit operator bool() const noexcept { return code_ == status::ok; }
    [[nodiscard]] bool has_value() const noexcept { return code_ == status::ok; }
    /** The failure; status::ok if there is a value. */
    [[nodiscard]] status code() const noexcept { return code_; }
    [[nodiscard]] status error() const noexcept { return code_; }

    /** The value. If there is none it throws lately::error; without exceptions it ends the program. */
    [[nodiscard]] const T& value() const& { return demand(), value_; }
    [[nodiscard]] T& value() & { return demand(), value_; }
    [[nodiscard]] T&& value() && { return demand(), std::move(value_); }

    /** The value, or a member of it. Ends the program if there is none. */
    [[nodiscard]] const T& operator*() const& noexcept { return insist(), value_; }
    [[nodiscard]] T& operator*() & noexcept { return insist(), value_; }
    [[nodiscard]] T&& operator*() && noexcept { return insist(), std::move(value_); }
    [[nodiscard]] const T* operator->() const noexcept { return insist(), std::addressof(value_); }
    [[nodiscard]] T* operator->() noexcept { return insist(), std::addressof(value_); }
    /** The value, or `other` if there is none. */
    [[nodiscard]] T value_or(T other) && noexcept { return *this ? std::move(value_) : std::move(other); }
    [[nodiscard]] T value_or(T other) const& noexcept { return *this ? value_ : std::move(other); }

    /** What `next` returns for the value, a result of any type; a failure stays what it is. */
    template <class F>
    [[nodiscard]] auto and_then(F&& next) const& {
        return made<std::decay_t<std::invoke_result_t<F, const T&>>>(std::forward<F>(next), value_);
    }
    template <class F>
    [[nodiscard]] auto and_then(F&& next) & {
        return made<std::decay_t<std::invoke_result_t<F, T&>>>(std::forward<F>(next), value_);
    }
    template <class F>
    [[nodiscard]] auto and_then(F&& next) && {
        return made<std::decay_t<std::invoke_result_t<F, T&&>>>(std::forward<F>(next), std::move(value_));
    }
    /** A result of what `change` returns for the value; a failure stays what it is. */
    template <class F>
    [[nodiscard]] auto transform(F&& change) const& {
        return made<result<std::decay_t<std::invoke_result_t<F, const T&>>>>(std::forward<F>(change), value_);
    }
    template <class F>
    [[nodiscard]] auto transform(F&& change) & {
        return made<result<std::decay_t<std::invoke_result_t<F, T&>>>>(std::forward<F>(change), value_);
    }
    template <class F>
    [[nodiscard]] auto transform(F&& change) && {
        return made<result<std::decay_t<std::invoke_result_t<F, T&&>>>>(std::forward<F>(change), std::move(value_));
    }
    /** This if there is a value; else what `instead` returns for the status: a result of the same type. */
    template <class F>
    [[nodiscard]] result or_else(F&& instead) const& {
        return *this ? *this : result(std::invoke(std::forward<F>(instead), code_));
    }
    template <class F>
    [[nodiscard]] result or_else(F&& instead) && {
        return *this ? std::move(*this) : result(std::invoke(std::forward<F>(instead), code_));
    }

    /** Equal values, or equal failures. A value or a status on either side counts as the result that it makes. */
    [[nodiscard]] friend bool operator==(const result& a, const result& b) {
        return a.code_ == b.code_ && (!a || a.value_ == b.value_);
    }
    [[nodiscard]] friend bool operator!=(const result& a, const result& b) { return !(a == b); }

private:
    /** A result of what a function returns for the value; a failure stays what it is. */
    template <class Next, class F, class V>
    Next made(F&& make, V&& value) const {
        return *this ? Next(std::invoke(std::forward<F>(make), std::forward<V>(value))) : Next(code_);
    }

    void demand() const {
#if LATELY_HPP_EXCEPTIONS
        if (!*this) {
            throw lately::error("result", code_, 0);
        }
#else
        insist();
#endif
    }

    void insist() const noexcept {
        if (!*this) {
            std::fprintf(stderr, "lately: a result without a value was read: %s\n", name(code_));
            std::abort();
        }
    }

    status code_;
    T value_{};
};

/** The outcome of a batch: the first `done` keys were processed, and the verdicts for them written. */
struct [[nodiscard]] batch_result {
    status code;      ///< status::ok if all were.
    std::size_t done; ///< How many were.
    explicit operator bool() const noexcept { return code == status::ok; }
};

inline result<secret> secret::from_hex(std::string_view digits) noexcept {
    std::array<std::uint64_t, 2> words = {0, 0};
    if (digits.size() != 32) {
        return status::secret;
    }
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const char digit = digits[i];
        const int lower = digit >= 'A' && digit <= 'F' ? digit - 'A' + 'a' : digit;
        const bool is_letter = lower >= 'a' && lower <= 'f';
        if (!is_letter && (lower < '0' || lower > '9')) {
            return status::secret;
        }
        const auto value = static_cast<std::uint64_t>(is_letter ? lower - 'a' + 10 : lower - '0');
        words[i / 16] |= value << (8 * (i % 16 / 2) + (i % 2 == 0 ? 4 : 0));
    }
    return secret{words[0], words[1]};
}

// ---- What goes in ---------------------------------------------------------------------------------------------

namespace detail {

template <class Self>
class verbs;
class gathered;

template <class T>
inline constexpr bool is_octet = std::is_same_v<T, unsigned char> || std::is_same_v<T, signed char> ||
                                 std::is_same_v<T, std::byte>;

#if defined(__cpp_char8_t)
template <class T>
inline constexpr bool is_text = std::is_same_v<T, char> || std::is_same_v<T, char8_t>;
#else
template <class T>
inline constexpr bool is_text = std::is_same_v<T, char>;
#endif

template <class C>
using element = std::remove_cv_t<std::remove_pointer_t<decltype(std::declval<C&>().data())>>;

template <class C>
using if_bytes = std::enable_if_t<(is_octet<element<const C>> || is_text<element<const C>>)&&std::is_convertible_v<
    decltype(std::declval<const C&>().size()), std::size_t>>;

template <class N>
using if_integer = std::enable_if_t<std::is_integral_v<N> && !std::is_same_v<N, bool>>;

/** Durations that are whole nanoseconds, as std::chrono's own implicit conversions ask. */
template <class Rep, class Period>
using if_whole_ns =
    std::enable_if_t<std::is_integral_v<Rep> && std::ratio_divide<Period, std::nano>::den == 1>;

/** The nanoseconds of a duration; false, and no change, if they are not within 0 to 2^64 - 1. */
template <class Rep, class Period>
constexpr bool to_ns(std::chrono::duration<Rep, Period> time, std::uint64_t& ns) noexcept {
    constexpr auto factor = static_cast<std::uint64_t>(std::ratio_divide<Period, std::nano>::num);
    if (time < time.zero()) {
        return false;
    }
    const auto count = static_cast<std::uint64_t>(time.count());
    if (count > (std::numeric_limits<std::uint64_t>::max)() / factor) {
        return false;
    }
    ns = count * factor;
    return true;
}

/** What an option takes as a number: any integer but a bool. */
struct whole {
    template <class N, class = if_integer<N>>
    constexpr whole(N number) noexcept // NOLINT(google-explicit-constructor)
        : bits(static_cast<std::uint64_t>(number)), is_negative(std::is_signed_v<N> && number < N{0}) {}

    std::uint64_t bits;
    bool is_negative;
};

/** What an option takes as a span of time: any duration of whole nanoseconds. */
struct time_span {
    template <class Rep, class Period, class = if_whole_ns<Rep, Period>>
    constexpr time_span(std::chrono::duration<Rep, Period> time) noexcept // NOLINT(google-explicit-constructor)
        : has_ns(to_ns(time, ns)), count(static_cast<long long>(time.count())), num(Period::num), den(Period::den) {}

    std::uint64_t ns = 0;
    bool has_ns;             // within 0 to 2^64 - 1
    long long count, num, den; // as it was given, for a message
};

} // namespace detail

/**
 * Anything that is bytes, seen and not kept: what every verb takes as key.
 *
 * From text (`const char*` to its NUL, string_view, string), from `(pointer, size)`, from arrays of unsigned char,
 * signed char or std::byte (whole), and from everything with data() and size() over such elements or char: vectors,
 * arrays, spans. An array of char is text up to its NUL. For an integer: le64.
 */
class bytes {
public:
    /** The empty key, which is a key like any other. */
    constexpr bytes() noexcept = default;
    /** `size` bytes from `data`; a null pointer with a size that is not 0 becomes status::null. */
    constexpr bytes(const void* data, std::size_t size) noexcept : data_(data), size_(size) {}
    /** Text up to its NUL; a null pointer becomes status::null. */
    template <class Char, class = std::enable_if_t<detail::is_text<Char>>>
    bytes(const Char* text) noexcept : data_(text), size_(length(text)) {} // NOLINT(google-explicit-constructor)
    /** All of an array of octets. */
    template <class Octet, std::size_t N, class = std::enable_if_t<detail::is_octet<Octet>>>
    constexpr bytes(const Octet (&array)[N]) noexcept : data_(array), size_(N) {} // NOLINT(google-explicit-constructor)
    /** All of a container or view of bytes. */
    template <class C, class = detail::if_bytes<C>>
    constexpr bytes(const C& c) noexcept : data_(c.data()), size_(c.size()) {} // NOLINT(google-explicit-constructor)
    bytes(std::nullptr_t) = delete;

    [[nodiscard]] const std::uint8_t* data() const noexcept { return static_cast<const std::uint8_t*>(data_); }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

private:
    template <class Char>
    static std::size_t length(const Char* text) noexcept {
        // One byte of nothing: the library answers NULL.
        return text == nullptr ? 1 : std::strlen(reinterpret_cast<const char*>(text));
    }

    const void* data_ = nullptr;
    std::size_t size_ = 0;
};

/** An integer as a key: 8 bytes, the lowest first, the same on every machine and in every language. */
[[nodiscard]] constexpr std::array<std::uint8_t, 8> le64(std::uint64_t number) noexcept {
    // Written out because gcc 12 -O2 merges this into one store, but not a loop.
    const auto octet = [number](int i) { return static_cast<std::uint8_t>(number >> (8 * i)); };
    return {{octet(0), octet(1), octet(2), octet(3), octet(4), octet(5), octet(6), octet(7)}};
}

/** `size` values in a row, seen and not kept; from vectors, arrays, spans. */
template <class T>
class array_view {
public:
    constexpr array_view() noexcept = default;
    constexpr array_view(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N>
    constexpr array_view(T (&array)[N]) noexcept : data_(array), size_(N) {} // NOLINT(google-explicit-constructor)
    /** All of a container that lends its values. */
    template <class C, class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<C&>().data()), T*>>>
    constexpr array_view(C&& c) noexcept : data_(c.data()), size_(c.size()) {} // NOLINT(google-explicit-constructor)

#if defined(__cpp_lib_span)
    /** The same values as a std::span; from one it is made like from any container. */
    constexpr operator std::span<T>() const noexcept { return {data_, size_}; } // NOLINT(google-explicit-constructor)
#endif

    [[nodiscard]] constexpr T* data() const noexcept { return data_; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

/**
 * A moment of a manual clock: the time from an origin that the caller chooses and keeps; for dates it is 1970-01-01 UTC.
 * A filter whose clock counts a longer unit than nanoseconds rounds it down to that. What is before the origin or past
 * 2^64 - 2 ns (2554-07-21 UTC) becomes status::tick where it is used. Fractions of a nanosecond need a duration_cast.
 */
class tick {
public:
    /** Now: by the system's clock, by a manual clock as it is, or of a filter without time. */
    constexpr tick() noexcept : ns_(LATELY_NOW), in_range_(true) {}
    /** So long after the origin. */
    template <class Rep, class Period, class = detail::if_whole_ns<Rep, Period>>
    constexpr tick(std::chrono::duration<Rep, Period> after) noexcept // NOLINT(google-explicit-constructor)
        : ns_(0), in_range_(detail::to_ns(after, ns_) && ns_ != LATELY_NOW) {}
    template <class Duration>
    constexpr tick(std::chrono::time_point<std::chrono::system_clock, Duration> date) noexcept // NOLINT
        : tick(date.time_since_epoch()) {}
    /** `ns` nanoseconds after the origin. */
    [[nodiscard]] static constexpr tick from_ns(std::uint64_t ns) noexcept {
        return tick(std::chrono::duration<std::uint64_t, std::nano>(ns));
    }

    /** Whether this is now. */
    [[nodiscard]] constexpr bool is_now() const noexcept { return in_range_ && ns_ == LATELY_NOW; }
    /** Whether this moment has a tick. */
    [[nodiscard]] constexpr bool in_range() const noexcept { return in_range_; }
    /** Nanoseconds after the origin; of no use if it is now or not in_range(). */
    [[nodiscard]] constexpr std::uint64_t ns() const noexcept { return ns_; }

private:
    std::uint64_t ns_ = 0;
    bool in_range_;
};

namespace detail {

/** The nanoseconds of one tick of a clock; 1 of one that takes none. */
constexpr std::uint64_t unit_of(clock_source clock) noexcept {
    return clock == clock_source::manual_us   ? LATELY_MICROSECOND
           : clock == clock_source::manual_ms ? LATELY_MILLISECOND
           : clock == clock_source::manual_s  ? LATELY_SECOND
                                              : 1;
}

/** A moment as the C ABI takes it, in ticks of that many nanoseconds. */
constexpr std::uint64_t count_of(tick now, std::uint64_t unit) noexcept {
    return unit == 1 || now.is_now() ? now.ns() : now.ns() / unit;
}

} // namespace detail

/**
 * The time that passed between the writing of a snapshot and its loading. It has no default, because the window
 * also runs while the snapshot is on disk. Pass 0 if the next tick shows what passed. A number below 0, which means
 * unknown, or past 2^63 - 1 ns (292 years) becomes status::elapsed where it is used.
 */
class elapsed {
public:
    template <class Rep, class Period, class = detail::if_whole_ns<Rep, Period>>
    constexpr elapsed(std::chrono::duration<Rep, Period> passed) noexcept { // NOLINT(google-explicit-constructor)
        std::uint64_t ns = 0;
        in_range_ = detail::to_ns(passed, ns) && ns <= most;
        if (in_range_) {
            ns_ = static_cast<std::int64_t>(ns);
        } else if (passed < passed.zero()) {
            // A message names what was given, or the least that can be said.
            constexpr auto factor = static_cast<std::int64_t>(std::ratio_divide<Period, std::nano>::num);
            constexpr auto least = (std::numeric_limits<std::int64_t>::min)();
            const auto count = static_cast<std::int64_t>(passed.count());
            ns_ = count < least / factor ? least : count * factor;
        }
    }

    /** Whether it is known and can be said. */
    [[nodiscard]] constexpr bool in_range() const noexcept { return in_range_; }
    /** The nanoseconds; below 0 unless in_range(). */
    [[nodiscard]] constexpr std::int64_t ns() const noexcept { return ns_; }

private:
    static constexpr std::uint64_t most = (std::numeric_limits<std::int64_t>::max)();

    std::int64_t ns_ = LATELY_ELAPSED_UNKNOWN;
    bool in_range_ = false;
};

/**
 * The keys of a batch, seen and not kept, and a tick of a manual clock for each, or for none. Of this class itself they
 * lie back to back: key i is bytes[offsets[i]] to before bytes[offsets[i + 1]]. Others: hashes, u64s, column; batch and
 * slices gather keys. Ticks count the unit of the filter's clock and are applied in order, as single calls would.
 */
class keys {
public:
    /** n keys of n + 1 `offsets` that do not decrease, none beyond `all`; at the clock as it is. */
    keys(bytes all, array_view<const std::uint64_t> offsets) noexcept
        : keys(lately_keys_packed(all.data(), all.size(), offsets.data(), before(offsets.size())), offsets.size() != 0) {}
    /** The same, each with its tick. */
    keys(bytes all, array_view<const std::uint64_t> offsets, array_view<const std::uint64_t> ticks) noexcept
        : keys(keys(all, offsets), ticks) {}

    /** How many keys, absent ones included; 0 also where there are no offsets, which is status::offsets. */
    [[nodiscard]] std::size_t size() const noexcept { return raw_.count; }

protected:
    explicit keys(const lately_keys& raw, bool fits = true) noexcept
        : raw_(raw), unfit_(fits ? status::ok : status::offsets) {}
    keys(const keys& plain, array_view<const std::uint64_t> ticks) noexcept : keys(plain) {
        ticks_ = ticks;
        timed_ = true;
    }
    keys(const keys& plain, const detail::gathered& more) noexcept;

    /** How many keys that many offsets are of. */
    static constexpr std::size_t before(std::size_t offsets) noexcept { return offsets == 0 ? 0 : offsets - 1; }

    lately_keys raw_;
    array_view<const std::uint64_t> ticks_;
    bool timed_ = false;
    std::uint64_t unit_ = 0; // nanoseconds of a tick; 0: that of the filter
    status unfit_;

private:
    template <class>
    friend class detail::verbs;
    friend class batch;
    friend class slices;
};

/** The keys of a batch by their hashes, which filter::hash or hash64 made; seen and not kept. */
class hashes : public keys {
public:
    explicit hashes(array_view<const std::uint64_t> values) noexcept
        : keys(lately_keys_hashes(values.data(), values.size())) {}
    hashes(array_view<const std::uint64_t> values, array_view<const std::uint64_t> ticks) noexcept
        : keys(hashes(values), ticks) {}
};

/** The keys of a batch that are numbers, each the 8 bytes of le64; seen and not kept. */
class u64s : public keys {
public:
    explicit u64s(array_view<const std::uint64_t> values) noexcept
        : keys(lately_keys_u64s(values.data(), values.size())) {}
    u64s(array_view<const std::uint64_t> values, array_view<const std::uint64_t> ticks) noexcept
        : keys(u64s(values), ticks) {}
};

/**
 * The keys of a batch as a column in the layout of Apache Arrow's binary and string arrays; seen and not kept. An absent
 * key gets verdict::absent_key and is not observed.
 */
class column : public keys {
public:
    /** n keys in `values`, of n + 1 `offsets` that do not decrease, none below 0 or beyond `values`. */
    column(bytes values, array_view<const std::int32_t> offsets) noexcept
        : keys(lately_keys_column32(values.data(), values.size(), offsets.data(), nullptr, 0, before(offsets.size())),
               offsets.size() != 0) {}
    /** The same with wide offsets. */
    column(bytes values, array_view<const std::int64_t> offsets) noexcept
        : keys(lately_keys_column64(values.data(), values.size(), offsets.data(), nullptr, 0, before(offsets.size())),
               offsets.size() != 0) {}

    /** The bitmap of present keys, the lowest bit of a byte first: key i is absent if bit `offset` + i is 0. */
    [[nodiscard]] column validity(bytes bitmap, std::size_t offset = 0) const noexcept {
        column with = *this;
        with.raw_.validity = bitmap.data();
        with.raw_.validity_offset = offset;
        // A bitmap that is too short cannot be seen by the C ABI.
        const std::size_t have = bitmap.size() > most_bytes ? bitmap.size() : bitmap.size() * 8;
        if (bitmap.data() != nullptr && (offset > have || have - offset < size())) {
            with.unfit_ = status::offsets;
        }
        return with;
    }
    /** A tick for each key; that of an absent key is ignored. */
    [[nodiscard]] column at(array_view<const std::uint64_t> ticks) const noexcept {
        column with = *this;
        with.ticks_ = ticks;
        with.timed_ = true;
        return with;
    }

private:
    static constexpr std::size_t most_bytes = (std::numeric_limits<std::size_t>::max)() / 8;
};

namespace detail {

/** What is wrong with the keys that were gathered. It goes with them: what was moved from has nothing wrong. */
struct flaw {
    flaw() noexcept = default;
    flaw(const flaw&) noexcept = default;
    flaw(flaw&& other) noexcept : code(std::exchange(other.code, status::ok)) {}
    flaw& operator=(const flaw&) noexcept = default;
    flaw& operator=(flaw&& other) noexcept {
        code = std::exchange(other.code, status::ok);
        return *this;
    }
    ~flaw() = default;

    status code = status::ok; ///< status::ok: nothing.
};

/** Makes room for one value, so that adding it cannot fail; twice as much as there is, as adding does. */
template <class T>
void make_room(std::vector<T>& values) {
    if (values.size() == values.capacity()) {
        values.reserve((std::max)(values.size() * 2, std::size_t{1}));
    }
}

/** What a batch and slices have in common: the ticks of their keys, and what is wrong with these. */
class gathered {
protected:
    friend class lately::keys;

    explicit gathered(clock_source clock) noexcept : unit_(unit_of(clock)) {}

    /** Makes room for a tick, and adds it once its key is there: what throws has added nothing. */
    template <class Add>
    void add_at(tick now, Add add_key) {
        make_room(ticks_);
        add_key();
        ticks_.push_back(count_of(now, unit_));
        if (!now.in_range()) {
            flaw_.code = status::tick;
        }
    }

    void clear_ticks() noexcept {
        ticks_.clear();
        flaw_.code = status::ok;
    }

    std::vector<std::uint64_t> ticks_;
    std::uint64_t unit_;
    flaw flaw_;
};

/** The offsets of no keys: even they begin with a 0. */
inline constexpr std::uint64_t no_offsets[] = {0};

} // namespace detail

/**
 * Keys gathered for one call. Keep it and `clear` it: its memory is then used again, and filling it allocates nothing. One that
 * was moved from is as good as cleared.
 * Either every key has a tick or none has; a mixture is status::offsets.
 */
class batch : private detail::gathered {
public:
    /** No keys; their ticks are for a filter with this clock, as no other takes them. */
    explicit batch(clock_source clock = clock_source::manual_ns) : gathered(clock), offsets_{0} {}
    /** A copy of every key of a range: of string_views, strings, vectors of bytes. */
    template <class Range, class = std::enable_if_t<
                               std::is_convertible_v<decltype(*std::begin(std::declval<const Range&>())), bytes>>>
    batch(const Range& range) : batch() { // NOLINT(google-explicit-constructor)
        for (const auto& key : range) {
            push_back(key);
        }
    }

    /** Adds a copy of `key`. May throw std::bad_alloc, and has then added nothing. */
    void push_back(bytes key) {
        if (offsets_.empty()) {
            offsets_.push_back(0); // Of one that was moved from.
        }
        detail::make_room(offsets_);
        if (key.size() > 0 && key.data() == nullptr) {
            flaw_.code = status::null;
        } else {
            bytes_.insert(bytes_.end(), key.data(), key.data() + key.size());
        }
        offsets_.push_back(bytes_.size());
    }

    /** Adds a copy of `key` at tick `now` of a manual clock. May throw std::bad_alloc, and has then added nothing. */
    void push_back(bytes key, tick now) {
        add_at(now, [this, key] { push_back(key); });
    }

    void clear() noexcept {
        bytes_.clear();
        if (!offsets_.empty()) {
            offsets_.erase(offsets_.begin() + 1, offsets_.end());
        }
        clear_ticks();
    }

    [[nodiscard]] std::size_t size() const noexcept { return offsets_.empty() ? 0 : offsets_.size() - 1; }

    /** The keys, as the verbs take them; valid until the batch changes. */
    operator keys() const noexcept { // NOLINT(google-explicit-constructor)
        return {lately::keys(bytes_, offsets_.empty() ? array_view<const std::uint64_t>(detail::no_offsets) : offsets_), *this};
    }

private:
    friend class slices;
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint64_t> offsets_;
};

inline keys::keys(const keys& plain, const detail::gathered& more) noexcept : keys(plain) {
    ticks_ = more.ticks_;
    timed_ = !more.ticks_.empty();
    unit_ = more.unit_;
    unfit_ = more.flaw_.code;
}

namespace detail {

/** What iterating over a range gives; the range is iterated as it is passed, so views that only change may be too. */
template <class Range>
using range_iterator = decltype(std::begin(std::declval<std::remove_reference_t<Range>&>()));
template <class Range>
using range_reference = decltype(*std::declval<range_iterator<Range>&>());

template <class Range>
using if_keys = std::enable_if_t<std::is_convertible_v<range_reference<Range>, bytes>>;

/** Whether a value shows bytes that are elsewhere. */
template <class T>
inline constexpr bool is_view = std::is_pointer_v<T> || std::is_same_v<T, bytes>;
template <class Char, class Traits>
inline constexpr bool is_view<std::basic_string_view<Char, Traits>> = true;
#if defined(__cpp_lib_span)
template <class T, std::size_t N>
inline constexpr bool is_view<std::span<T, N>> = true;
#endif

/** Whether a range can be passed over again, so that its elements do not change while it is iterated. */
template <class Iterator, class = void>
inline constexpr bool is_forward = false;
template <class Iterator>
inline constexpr bool is_forward<Iterator, std::void_t<typename std::iterator_traits<Iterator>::iterator_category>> =
    std::is_base_of_v<std::forward_iterator_tag, typename std::iterator_traits<Iterator>::iterator_category>;

/** Whether the bytes of every key stay where they are. A string that a range makes on the way is gone with the next one. */
template <class Range>
inline constexpr bool stays_in_place =
    std::is_lvalue_reference_v<range_reference<Range>>
        ? is_forward<std::decay_t<range_iterator<Range>>>
        : is_view<std::decay_t<range_reference<Range>>>;

} // namespace detail

/**
 * The keys of a batch where they lie: a place and a length for each. Only keys that a range makes while it is iterated
 * are copied. Keep it and `clear` it: its memory is then used again.
 * Either every key has a tick or none has; a mixture is status::offsets.
 */
class slices : private detail::gathered {
public:
    /** No keys; their ticks are for a filter with this clock, as no other takes them. */
    explicit slices(clock_source clock = clock_source::manual_ns) : gathered(clock) {}
    /** Every key of a range: of string_views, strings, vectors of bytes. The keys stay where they are and must outlive it. */
    template <class Range, class = detail::if_keys<Range>,
              class = std::enable_if_t<!std::is_same_v<std::decay_t<Range>, slices>>>
    slices(Range&& range) : slices() { // NOLINT(google-explicit-constructor)
        if constexpr (detail::stays_in_place<Range>) {
            for (auto&& key : range) {
                push_back(key);
            }
        } else {
            for (auto&& key : range) {
                made_.push_back(key);
            }
            keep_made();
        }
    }
    slices(slices&&) noexcept = default;            ///< The other's keys; the other is then as good as cleared.
    slices& operator=(slices&&) noexcept = default; ///< The same.
    slices(const slices&) = delete;
    slices& operator=(const slices&) = delete;
    ~slices() = default;

    /** Adds a key, which stays where it is. May throw std::bad_alloc, and has then added nothing. */
    void push_back(bytes key) { keys_.push_back({key.data(), key.size()}); }
    /** Adds a key at tick `now` of a manual clock. May throw std::bad_alloc, and has then added nothing. */
    void push_back(bytes key, tick now) {
        add_at(now, [this, key] { push_back(key); });
    }

    void clear() noexcept {
        keys_.clear();
        made_.clear();
        clear_ticks();
    }

    [[nodiscard]] std::size_t size() const noexcept { return keys_.size(); }

    /** The keys, as the verbs take them; valid until the slices change. */
    operator keys() const noexcept { // NOLINT(google-explicit-constructor)
        return {lately::keys(lately_keys_slices(keys_.data(), keys_.size())), *this};
    }

private:
    void keep_made() {
        const std::uint8_t* data = made_.bytes_.data();
        for (std::size_t i = 0; i < made_.size(); ++i) {
            const std::uint64_t from = made_.offsets_[i];
            push_back(bytes(data + from, static_cast<std::size_t>(made_.offsets_[i + 1] - from)));
        }
        flaw_.code = made_.flaw_.code;
    }

    std::vector<lately_slice> keys_;
    batch made_;
};

// ---- What is asked for ----------------------------------------------------------------------------------------

/**
 * A request for a filter: start from a kind and set what you know, under the names of `lately_options`.
 *
 *     lately::options::window(10min).error_rate(1e-4).memory(64 << 20)
 *
 * Every setter has two forms: called on a named request it returns a reference, called on a temporary it returns the
 * request by value. So `const auto& request = options::window(10min).memory(64 << 20)` does not dangle.
 * An option that is not set is "not given", and so is a 0, except that of a memory, capacity, window, lease or number of
 * claims, which does not fit; the plan finds the rest. Nothing is clamped: a value that does not fit its option is
 * remembered and becomes status::option, with the option's name, where the request is used.
 */
class options {
public:
    /** A request for a filter of `kind`, with nothing else said. */
    explicit options(lately::kind choice) noexcept { kind(choice); }

    /** The default for a window of time, a window table: no key seen within `window` is ever called new. */
    [[nodiscard]] static options window(detail::time_span window) noexcept {
        return options(lately::kind::window_table).window_ns(window);
    }

    /** The default for a window of keys: none among the last `keys` observations and insertions is ever called new. */
    [[nodiscard]] static options last(detail::whole keys) noexcept {
        return options(lately::kind::window_table).window_keys(keys);
    }

    /** A time-limited filter: no key seen within `window` is ever called new. */
    [[nodiscard]] static options time_limited(detail::time_span window) noexcept {
        return options(lately::kind::time_limited).window_ns(window);
    }

    /** An age-partitioned filter: no key among the last `keys` insertions is ever called new. */
    [[nodiscard]] static options age_partitioned(detail::whole keys) noexcept {
        return options(lately::kind::age_partitioned).window_keys(keys);
    }

    /** A TinySet planned for `keys` keys: none that is in it is ever called new. Add `removable(true)` to remove. */
    [[nodiscard]] static options tiny_set(detail::whole keys) noexcept {
        return options(lately::kind::tiny_set).capacity(keys);
    }

    /** A quotient filter of `bytes` bytes, for a stream without end: false and missed duplicates, at known rates. */
    [[nodiscard]] static options quotient(detail::whole bytes) noexcept {
        return options(lately::kind::quotient).memory(bytes);
    }

    // <setters>
    /** All kinds, required: which kind of filter. */
    options& kind(lately::kind value) & noexcept { return choose(field::kind, raw_.kind, value); }
    [[nodiscard]] options kind(lately::kind value) && noexcept { return this->kind(value); }
    /** Window table with `window_ns`, time-limited: which clock is used; default: the system's. */
    options& clock(clock_source value) & noexcept { return choose(field::clock, raw_.clock, value); }
    [[nodiscard]] options clock(clock_source value) && noexcept { return this->clock(value); }
    /** Window table, time-limited, age-partitioned: how a repeat is treated; default: it renews the age of its key. */
    options& repeat(lately::repeat value) & noexcept { return choose(field::repeat, raw_.repeat, value); }
    [[nodiscard]] options repeat(lately::repeat value) && noexcept { return this->repeat(value); }
    /**
     * Window table with `window_ns`, time-limited: what gives way at `memory`; default: the oldest keys, and a window
     * table takes nothing else.
     */
    options& on_limit(lately::on_limit value) & noexcept { return choose(field::on_limit, raw_.on_limit, value); }
    [[nodiscard]] options on_limit(lately::on_limit value) && noexcept { return this->on_limit(value); }
    /** Time-limited, required: the window. Window table: this or `window_keys`, and not both. */
    options& window_ns(detail::time_span value) & noexcept { return set(field::window_ns, raw_.window_ns, value); }
    [[nodiscard]] options window_ns(detail::time_span value) && noexcept { return this->window_ns(value); }
    /**
     * Window table: the window in observations and insertions, whatever their verdicts. Age-partitioned, required
     * unless `memory` is given: the window in insertions. Quotient: the distance, in keys, to which `miss_rate`
     * applies.
     */
    options& window_keys(detail::whole value) & noexcept { return set(field::window_keys, raw_.window_keys, value); }
    [[nodiscard]] options window_keys(detail::whole value) && noexcept { return this->window_keys(value); }
    /**
     * Window table with `window_ns`, time-limited: keys expected in the first window; without it the filter finds out.
     * TinySet, required unless `memory` is given: planned load.
     */
    options& capacity(detail::whole value) & noexcept { return set(field::capacity, raw_.capacity, value); }
    [[nodiscard]] options capacity(detail::whole value) && noexcept { return this->capacity(value); }
    /** All kinds: rate of false duplicates, in (0, 0.5]; default 1e-6 (quotient: 1e-3) where nothing else fixes it. */
    options& error_rate(double value) & noexcept { return give(field::error_rate, raw_.error_rate, value); }
    [[nodiscard]] options error_rate(double value) && noexcept { return this->error_rate(value); }
    /** Quotient: rate of missed duplicates, in (0, 1). */
    options& miss_rate(double value) & noexcept { return give(field::miss_rate, raw_.miss_rate, value); }
    [[nodiscard]] options miss_rate(double value) && noexcept { return this->miss_rate(value); }
    /**
     * All kinds: the most bytes that the cells and the table of claims take, up to 2^56: more, such as -1, is an error.
     * Without it a filter with a window of time grows with its traffic.
     */
    options& memory(detail::whole value) & noexcept { return set(field::memory, raw_.memory, value); }
    [[nodiscard]] options memory(detail::whole value) && noexcept { return this->memory(value); }
    /**
     * Window table and time-limited, with a manual clock: the most that a tick may lead the filter's clock by. After a
     * longer pause every tick is refused until the caller calls `advance`. Without it one record from the far future
     * moves the clock there, and later keys are judged at that time until real time catches up.
     */
    options& max_step(detail::time_span value) & noexcept { return set(field::max_step_ns, raw_.max_step_ns, value); }
    [[nodiscard]] options max_step(detail::time_span value) && noexcept { return this->max_step(value); }
    /** Time-limited, age-partitioned: bits per key. Quotient: cells per row. */
    options& k(detail::whole value) & noexcept { return set(field::k, raw_.k, value); }
    [[nodiscard]] options k(detail::whole value) && noexcept { return this->k(value); }
    /**
     * Time-limited, age-partitioned: full generations in the window. Time-limited, with fewer than `k`: the first two
     * windows of a stream can be above `error_rate`, with 1 later ones too; no plan chooses that.
     */
    options& l(detail::whole value) & noexcept { return set(field::l, raw_.l, value); }
    [[nodiscard]] options l(detail::whole value) && noexcept { return this->l(value); }
    /**
     * Time-limited, age-partitioned: bound of the search on `k` + `l`, 2 to 1024, default 32; live slices can be more.
     */
    options& max_slices(detail::whole value) & noexcept { return set(field::max_slices, raw_.max_slices, value); }
    [[nodiscard]] options max_slices(detail::whole value) && noexcept { return this->max_slices(value); }
    /** Time-limited, age-partitioned: fill of a full slice, in [0.1, 0.9]. */
    options& fill(double value) & noexcept { return give(field::fill, raw_.fill, value); }
    [[nodiscard]] options fill(double value) && noexcept { return this->fill(value); }
    /** Quotient: the member of the family; default: the queued one that stores duplicates. */
    options& variant(lately::variant value) & noexcept { return choose(field::variant, raw_.variant, value); }
    [[nodiscard]] options variant(lately::variant value) && noexcept { return this->variant(value); }
    /** Quotient: bits of a fingerprint, 1 to 16. */
    options& fingerprint_bits(detail::whole value) & noexcept {
        return set(field::fingerprint_bits, raw_.fingerprint_bits, value);
    }
    [[nodiscard]] options fingerprint_bits(detail::whole value) && noexcept { return this->fingerprint_bits(value); }
    /** Quotient: whether rows are sorted to save bits. */
    options& semi_sort(bool value) & noexcept { return put(raw_.semi_sort, value); }
    [[nodiscard]] options semi_sort(bool value) && noexcept { return this->semi_sort(value); }
    /**
     * TinySet: whether keys can be removed. Then the plan is for endless churn: at the planned load the mean rate stays
     * within `error_rate`, as keys leave by chance or the oldest first, for 2.1 to 6.6 bits more per key (1e-2 to
     * 1e-6). Keys that never leave raise the rate: `stats::error_rate` is the current one, and docs/reference/costs.md
     * has the law.
     */
    options& removable(bool value) & noexcept { return put(raw_.removable, value); }
    [[nodiscard]] options removable(bool value) && noexcept { return this->removable(value); }
    /** TinySet: bytes of a block, 32 or 64 (default). */
    options& block_bytes(detail::whole value) & noexcept { return set(field::block_bytes, raw_.block_bytes, value); }
    [[nodiscard]] options block_bytes(detail::whole value) && noexcept { return this->block_bytes(value); }
    /** TinySet: chains of a block. */
    options& chains(detail::whole value) & noexcept { return set(field::chains, raw_.chains, value); }
    [[nodiscard]] options chains(detail::whole value) && noexcept { return this->chains(value); }
    /** TinySet: keys per chain. */
    options& load(double value) & noexcept { return give(field::load, raw_.load, value); }
    [[nodiscard]] options load(double value) && noexcept { return this->load(value); }
    /** All kinds: whether keys are hashed under a secret, so that no one can aim at collisions. */
    options& keyed(bool value) & noexcept { return put(raw_.keyed, value); }
    [[nodiscard]] options keyed(bool value) && noexcept { return this->keyed(value); }
    /** All kinds: seed of the hash, default 0: filters with the same seed are equal everywhere. */
    options& seed(std::uint64_t value) & noexcept { return put(raw_.seed, value); }
    [[nodiscard]] options seed(std::uint64_t value) && noexcept { return this->seed(value); }
    /** All kinds, keyed: low word of the secret; both words 0: one is drawn from the system. */
    options& secret_lo(std::uint64_t value) & noexcept { return put(raw_.secret_lo, value); }
    [[nodiscard]] options secret_lo(std::uint64_t value) && noexcept { return this->secret_lo(value); }
    /** All kinds, keyed: high word of the secret. */
    options& secret_hi(std::uint64_t value) & noexcept { return put(raw_.secret_hi, value); }
    [[nodiscard]] options secret_hi(std::uint64_t value) && noexcept { return this->secret_hi(value); }
    /** Keyed: both words. */
    options& secret(lately::secret words) & noexcept { return secret_lo(words.lo).secret_hi(words.hi); }
    [[nodiscard]] options secret(lately::secret words) && noexcept { return this->secret(words); }
    /**
     * Window table: bits of the age of a key, 2 to 5, default 3, with `lateness` 4 or 5. The window (and the lateness)
     * is 2^`age_bits` - 1 generations, and a key is found one generation too long at most.
     */
    options& age_bits(detail::whole value) & noexcept { return set(field::age_bits, raw_.age_bits, value); }
    [[nodiscard]] options age_bits(detail::whole value) && noexcept { return this->age_bits(value); }
    /**
     * Window table with `window_ns` and a manual clock: how late a record may be, 0 to 24/7 of `window_ns`. A record
     * that is at most this far below the clock is judged at its own time: never verdict::new_ if its key was seen
     * within the window before that, or later. It takes the memory of a window that is longer by as much.
     */
    options& lateness(detail::time_span value) & noexcept { return set(field::lateness_ns, raw_.lateness_ns, value); }
    [[nodiscard]] options lateness(detail::time_span value) && noexcept { return this->lateness(value); }
    /**
     * Window table, time-limited, age-partitioned: how long a claim stays open, 1 to the window. With `window_keys` it
     * is up to 365 days, by the system's clock. A filter without a lease takes no claims, one with it no hashes.
     */
    options& lease(detail::time_span value) & noexcept { return set(field::lease_ns, raw_.lease_ns, value); }
    [[nodiscard]] options lease(detail::time_span value) && noexcept { return this->lease(value); }
    /**
     * Window table, time-limited, age-partitioned, with `lease`: the most open claims, 1 to 2^24, default 65,536. They
     * take at most 40 bytes each, from the start and within `memory`.
     */
    options& max_claims(detail::whole value) & noexcept { return set(field::max_claims, raw_.max_claims, value); }
    [[nodiscard]] options max_claims(detail::whole value) && noexcept { return this->max_claims(value); }
    // </setters>

    /** The request as the C ABI takes it. */
    [[nodiscard]] const lately_options& raw() const& noexcept { return raw_; }
    [[nodiscard]] lately_options raw() && noexcept { return raw_; }
    /** The first value that did not fit its option, with the library's range; code is status::ok if all did. */
    [[nodiscard]] failure unfit() const noexcept;

private:
    friend class load_options;
    friend class result<options>;
    template <class>
    friend class detail::verbs;

    /** Nothing given, not even a kind. */
    options() noexcept = default;

    template <class Word, class V>
    options& put(Word& word, V value) noexcept {
        word = static_cast<Word>(value);
        return *this;
    }

    /** A number that is no choice is refused with the names of those: the library knows the numbers of C only. */
    template <class Choice>
    options& choose(lately::field option, std::uint32_t& word, Choice choice) noexcept {
        word = static_cast<std::uint32_t>(choice);
        if (*name(choice) == '\0' && (word != 0 || option == field::kind)) {
            refuse(option, "%s = %lu: must be one of %s", static_cast<unsigned long>(word), detail::choices<Choice>::all);
            return *this;
        }
        return fits(option);
    }

    /** A double: NaN and the infinities go to the library as they are, which names them. */
    options& give(lately::field option, double& place, double value) noexcept {
        place = value;
        return fits(option);
    }

    template <class Word>
    options& set(lately::field option, Word& word, detail::whole value) noexcept {
        constexpr unsigned long long most = (std::numeric_limits<Word>::max)();
        const unsigned long long number = value.bits;
        if (value.is_negative) {
            refuse_word(option, word, "%s = %lld%s: must be %u to %llu%s", static_cast<long long>(number), unit(option),
                        least(option), most, unit(option));
        } else if (number == 0 && is_size(option)) {
            refuse_word(option, word, "%s = 0%s: must be 1 to %llu%s; leave it out if you have none", unit(option), most,
                        unit(option));
        } else if (number > most) {
            refuse_word(option, word, "%s = %llu%s: must be %u to %llu%s", number, unit(option), least(option), most,
                        unit(option));
        } else {
            word = static_cast<Word>(number);
            return fits(option);
        }
        return *this;
    }

    options& set(lately::field option, std::uint64_t& ns, detail::time_span time) noexcept {
        if (time.count == 0 && is_size(option)) {
            refuse_word(option, ns, "%s = 0: must be 1 to 18446744073709551615 ns; leave it out if you have none");
        } else if (!time.has_ns) {
            refuse_word(option, ns, "%s = %lld x %lld/%lld s: must be %u to 18446744073709551615 ns", time.count, time.num,
                        time.den, least(option));
        } else {
            ns = time.ns;
            return fits(option);
        }
        return *this;
    }

    /** A computed 0 of these, such as 4 << 30, must not pass for "no limit". */
    static constexpr bool is_size(lately::field option) noexcept {
        // <sizes>
        return option == field::window_ns || option == field::window_keys || option == field::capacity ||
               option == field::memory || option == field::lease_ns || option == field::max_claims;
        // </sizes>
    }

    /** The least value of an option, before the library is asked. */
    static constexpr unsigned least(lately::field option) noexcept { return is_size(option) ? 1 : 0; }

    /** The unit of an option whose name does not have it. */
    static constexpr const char* unit(lately::field option) noexcept { return option == field::memory ? " bytes" : ""; }

    options& fits(lately::field option) noexcept {
        if (unfit_.field == option) {
            unfit_ = failure{};
            unfit_size_ = 0;
        }
        return *this;
    }

    template <class... Values>
    void refuse(lately::field option, const char* format, Values... values) noexcept {
        if (unfit_.code != status::ok && unfit_.field != option) {
            return;
        }
        unfit_.code = status::option;
        unfit_.field = option;
        std::snprintf(unfit_.message, sizeof unfit_.message, format, name(option), values...);
    }

    /** Refuses a value that its word cannot have, and remembers which word that is. The range is that of the type. */
    template <class Word, class... Values>
    void refuse_word(lately::field option, const Word& word, const char* format, Values... values) noexcept {
        refuse(option, format, values...);
        if (unfit_.field == option) {
            unfit_at_ = static_cast<std::size_t>(reinterpret_cast<const char*>(&word) - reinterpret_cast<const char*>(&raw_));
            unfit_size_ = sizeof word;
        }
    }

    lately_options raw_ = LATELY_OPTIONS_INIT;
    failure unfit_;
    std::size_t unfit_at_ = 0;
    std::size_t unfit_size_ = 0; // 0: every word has a value that it can have
};

/**
 * The options for loading a snapshot, apart from its bytes and the time that passed, under the names of `lately_load_options`.
 *
 *     lately::load_options().memory(64 << 20).secret(words)
 *
 * Every setter has the two forms that those of lately::options have.
 */
class load_options {
public:
    /** The most bytes that the cells may take, as lately_load_options::memory; not given: no limit but the snapshot's own. */
    load_options& memory(detail::whole bytes) & noexcept {
        memory_ = given(bytes, raw_.memory);
        return *this;
    }
    [[nodiscard]] load_options memory(detail::whole bytes) && noexcept { return this->memory(bytes); }
    /** The option `memory` from now on, as lately_load_options::new_memory; not given: the snapshot's own stays. */
    load_options& new_memory(detail::whole bytes) & noexcept {
        const failure unfit = given(bytes, raw_.new_memory);
        new_memory_ = unfit;
        if (unfit.code != status::ok) {
            std::snprintf(new_memory_.message, sizeof new_memory_.message, "new_%.200s", unfit.message);
        }
        return *this;
    }
    [[nodiscard]] load_options new_memory(detail::whole bytes) && noexcept { return this->new_memory(bytes); }
    /** Required for a keyed filter: low word of the secret, which no snapshot contains. */
    load_options& secret_lo(std::uint64_t word) & noexcept {
        raw_.secret_lo = word;
        return *this;
    }
    [[nodiscard]] load_options secret_lo(std::uint64_t word) && noexcept { return this->secret_lo(word); }
    /** Required for a keyed filter: high word of the secret. */
    load_options& secret_hi(std::uint64_t word) & noexcept {
        raw_.secret_hi = word;
        return *this;
    }
    [[nodiscard]] load_options secret_hi(std::uint64_t word) && noexcept { return this->secret_hi(word); }
    load_options& secret(lately::secret words) & noexcept { return secret_lo(words.lo).secret_hi(words.hi); }
    [[nodiscard]] load_options secret(lately::secret words) && noexcept { return this->secret(words); }

    /** The given options, as the C ABI takes them. */
    [[nodiscard]] const lately_load_options& raw() const& noexcept { return raw_; }
    [[nodiscard]] lately_load_options raw() && noexcept { return raw_; }
    /** The first value that did not fit; code is status::ok if all did. */
    [[nodiscard]] const failure& unfit() const noexcept {
        return memory_.code != status::ok ? memory_ : new_memory_;
    }

private:
    /** The library's error for a number of bytes, as for a request with that memory. */
    static failure given(detail::whole bytes, std::uint64_t& word) noexcept {
        options request(kind::time_limited);
        request.memory(bytes);
        word = request.raw().memory;
        return request.unfit_; // Loading has no range of its own.
    }

    failure memory_;
    failure new_memory_;
    lately_load_options raw_ = LATELY_LOAD_OPTIONS_INIT;
};

/** The plan of a request: the fields of `lately_plan_result`. Fields that a kind does not have are 0. */
struct plan_result : lately_plan_result {
    /** All 0. */
    plan_result() noexcept : lately_plan_result LATELY_PLAN_RESULT_INIT {}
};

/** The statistics of a filter: the fields of `lately_stats`. Fields that a kind does not have are 0. */
struct stats : lately_stats {
    /** All 0. */
    stats() noexcept : lately_stats LATELY_STATS_INIT {}
    /** How far back the promise reaches now: `reach_ns`, without loss. */
    [[nodiscard]] std::chrono::duration<std::uint64_t, std::nano> reach() const noexcept {
        return std::chrono::duration<std::uint64_t, std::nano>(reach_ns);
    }
};

/** Where a filter that was opened comes from. */
struct origin {
    bool was_saved = false;              ///< Whether there was a file; else the filter is new.
    std::chrono::nanoseconds elapsed{0}; ///< The time since it was saved, by which the ages grew.
    std::chrono::nanoseconds ahead{0};   ///< How far the file's time is ahead of the system's: that counts as 0.
};

/** A filter in one line: text that ends in NUL. */
struct description {
    char text[128] = {}; ///< The text of verbs::describe.
};

// ---- The library ----------------------------------------------------------------------------------------------

/** The version of the library that runs, such as "0.1.0"; LATELY_VERSION_STRING is that of this header. */
[[nodiscard]] inline const char* version_string() noexcept { return lately_version_string(); }
/** The version of the library that runs, as LATELY_VERSION_NUMBER is that of this header. */
[[nodiscard]] inline std::uint32_t version_number() noexcept { return lately_version_number(); }
/** The binary interface of the library that runs, as LATELY_ABI_VERSION is that of this header. */
[[nodiscard]] inline std::uint32_t abi_version() noexcept { return lately_abi_version(); }

/** The hash of every unkeyed filter: XXH3-64 under `seed`. Frozen; it never changes. 0 where `what` is null. */
[[nodiscard]] inline std::uint64_t hash64(bytes what, std::uint64_t seed = 0) noexcept {
    return lately_hash64(what.data(), what.size(), seed);
}

namespace detail {

inline status refuse(failure* why, const failure& reason) noexcept {
    if (why != nullptr) {
        *why = reason;
    }
    return reason.code;
}

/** A failure of which there is no more to say than its status. */
inline status refuse(failure* why, status code) noexcept {
    failure reason;
    reason.code = code;
    std::snprintf(reason.message, sizeof reason.message, "%s", describe(code));
    return refuse(why, reason);
}

constexpr bool is_small(char c) noexcept { return 'a' <= c && c <= 'z'; }
constexpr bool is_capital(char c) noexcept { return 'A' <= c && c <= 'Z'; }

/** Whether each capital of a word begins one of small letters, as in KeepFirst and unlike in NaN. */
inline bool is_joined(const char* word) noexcept {
    while ((is_capital(*word) && is_small(word[1])) || is_small(*word)) {
        ++word;
    }
    return !is_capital(*word);
}

/** A message with choices under their names here: KeepFirst, as the library writes it, is keep_first. */
inline void rename_choices(const char* said, char* text, std::size_t room) noexcept {
    bool joined = false;
    for (char before = ' '; *said != 0 && room > 2; before = *said++) {
        const bool inside = is_small(before) || is_capital(before);
        joined = inside ? joined : is_joined(said);
        if (joined && is_capital(*said) && inside) {
            *text++ = '_';
            --room;
        }
        *text++ = joined && is_capital(*said) ? static_cast<char>(*said - 'A' + 'a') : *said;
        --room;
    }
    *text = 0;
}

/** Puts the range or the reason that the library gives in place of another one. What follows a semicolon stays. */
inline void take_range(const char* said, char* text, std::size_t room) noexcept {
    constexpr char mark[] = ": ";
    const char* range = std::strstr(said, mark);
    char* place = std::strstr(text, mark);
    if (range == nullptr || place == nullptr) {
        return;
    }
    const char* advice = std::strchr(place, ';');
    char rest[64] = "";
    std::snprintf(rest, sizeof rest, "%s", advice == nullptr ? "" : advice);
    const std::size_t kept = static_cast<std::size_t>(place - text);
    rename_choices(range, place, room - kept);
    const std::size_t end = std::strlen(text);
    std::snprintf(text + end, room - end, "%s", rest);
}

/** The library's reason, whose first `kept` characters stay as they are. */
inline status explain(failure* why, const lately_error& error, std::size_t kept = 0) noexcept {
    failure reason;
    reason.code = static_cast<status>(error.code);
    reason.field = static_cast<field>(error.field);
    std::memcpy(reason.message, error.message, kept);
    rename_choices(error.message + kept, reason.message + kept, sizeof reason.message - kept);
    return refuse(why, reason);
}

/** The reason of a file: unless the options are wrong by themselves, its name comes first. The words of the system stay. */
inline status explain_file(failure* why, const lately_error& error) noexcept {
    if (error.code == LATELY_ERR_IO) {
        return explain(why, error, std::strlen(error.message));
    }
    const char* rest = error.code == LATELY_ERR_OPTION ? nullptr : std::strstr(error.message, ": ");
    return explain(why, error, rest == nullptr ? 0 : static_cast<std::size_t>(rest - error.message));
}

} // namespace detail

inline failure options::unfit() const noexcept {
    failure reason = unfit_;
    if (unfit_size_ > 0) {
        // The library names the range to the largest number that the word can have.
        lately_options asked = raw_;
        std::memset(reinterpret_cast<char*>(&asked) + unfit_at_, 0xff, unfit_size_);
        lately_plan_result plan = LATELY_PLAN_RESULT_INIT;
        lately_error error = LATELY_ERROR_INIT;
        if (lately_plan(&asked, &plan, &error) != LATELY_OK && error.field == static_cast<std::uint32_t>(reason.field)) {
            detail::take_range(error.message, reason.message, sizeof reason.message);
        }
    }
    return reason;
}

namespace detail {

/** Whether the library that runs can serve a program built with this header. */
inline bool serves() noexcept {
    constexpr std::uint32_t minor = LATELY_VERSION_NUMBER / 1000;
    return abi_version() == LATELY_ABI_VERSION && version_number() / 1000 >= minor;
}

/** Checks that the header and the library match, before it reads a request (options, load_options). */
template <class Request>
status examine(const Request& request, failure* why) noexcept {
    if (!serves()) {
        failure reason;
        reason.code = status::struct_size;
        std::snprintf(reason.message, sizeof reason.message,
                      "this program was built with lately.h %s (ABI %u) and runs with liblately %s (ABI %u): "
                      "use a library that is as new, or rebuild it",
                      LATELY_VERSION_STRING, static_cast<unsigned>(LATELY_ABI_VERSION), version_string(),
                      static_cast<unsigned>(abi_version()));
        return refuse(why, reason);
    }
    const failure unfit = request.unfit();
    return unfit.code == status::ok ? status::ok : refuse(why, unfit);
}

#if LATELY_HPP_EXCEPTIONS
inline void or_throw(const char* verb, status code, std::size_t done = 0) {
    if (code != status::ok) {
        throw error(verb, code, done);
    }
}

inline void or_throw(const char* verb, batch_result result) { or_throw(verb, result.code, result.done); }

template <class T>
T or_throw(const char* verb, result<T>&& result) {
    or_throw(verb, result.code());
    return *std::move(result);
}

template <class T>
T or_throw(const failure& why, result<T>&& result) {
    if (!result) {
        throw error(why);
    }
    return *std::move(result);
}
#endif

} // namespace detail

/**
 * Computes the plan of a request: its integers, bytes and rates. Builds and allocates nothing. Any thread may call it. It searches for up to
 * some milliseconds.
 * @return or status::option, status::struct_size (header and library do not match), status::panic
 */
inline result<plan_result> try_plan(const options& request, failure* why = nullptr) noexcept {
    if (const status code = detail::examine(request, why); code != status::ok) {
        return code;
    }
    plan_result plan;
    lately_error error = LATELY_ERROR_INIT;
    if (lately_plan(&request.raw(), &plan, &error) != LATELY_OK) {
        return detail::explain(why, error);
    }
    return plan;
}

#if LATELY_HPP_EXCEPTIONS
/** try_plan that throws lately::error. */
[[nodiscard]] inline plan_result plan(const options& request) {
    failure why;
    return detail::or_throw(why, try_plan(request, &why));
}
#endif

namespace detail {

/** Does something that may throw; whether it did not. A program without exceptions ends there instead. */
template <class Work>
bool calmly(Work work) noexcept {
#if LATELY_HPP_EXCEPTIONS
    try {
        work();
    } catch (...) {
        return false;
    }
#else
    work();
#endif
    return true;
}

inline std::size_t write_piece(void* stream, const void* piece, std::size_t size) noexcept {
    auto& out = *static_cast<std::ostream*>(stream);
    const bool calm = calmly([&out, piece, size] {
        out.write(static_cast<const char*>(piece), static_cast<std::streamsize>(size));
    });
    return calm && out ? size : size + 1;
}

/** Takes a piece of a snapshot from a stream. At its end the piece is short; a stream that fails gives more than was asked. */
inline std::size_t read_piece(void* stream, void* piece, std::size_t size) noexcept {
    auto& in = *static_cast<std::istream*>(stream);
    calmly([&in, piece, size] { in.read(static_cast<char*>(piece), static_cast<std::streamsize>(size)); });
    const auto came = static_cast<std::size_t>(in.gcount());
    return came == size || (in.eof() && !in.bad()) ? came : size + 1;
}

inline std::size_t add_piece(void* all, const void* piece, std::size_t size) noexcept {
    const auto* from = static_cast<const std::uint8_t*>(piece);
    auto& bytes = *static_cast<std::vector<std::uint8_t>*>(all);
    return calmly([&bytes, from, size] { bytes.insert(bytes.end(), from, from + size); }) ? size : size + 1;
}

using path = std::filesystem::path;

/** The name of a file: UTF-8 on Windows, its bytes elsewhere. */
inline std::string name_of(const path& file) {
    const auto name = file.u8string();
    return {name.begin(), name.end()};
}

/** What the two handles differ in: how they are made. */
struct functions {
    decltype(&lately_filter_new) create;
    decltype(&lately_filter_load) load;
    decltype(&lately_filter_load_pieces) load_pieces;
    decltype(&lately_filter_open) open;
};
inline constexpr functions for_one{lately_filter_new, lately_filter_load, lately_filter_load_pieces, lately_filter_open};
inline constexpr functions for_many{lately_shared_new, lately_shared_load, lately_shared_load_pieces, lately_shared_open};

/**
 * Every verb of a filter, once for both handles: `Self` is the filter that a program names.
 *
 * Every verb of a filter that is closed, moved from or default-made is status::closed. Statuses of every verb apart from
 * those it names: null (a null key of length > 0), offsets (a length that exceeds the address space), poisoned, panic,
 * closed. Of every verb with a tick: clock for one unless the clock is manual, and for none before its first; tick if it
 * leads the clock by more than `max_step_ns` or is none. One below the clock counts as the clock, unless `lateness_ns`
 * covers it. A failed verb leaves the filter as it was. What a verb does to each kind, and its cost, lately.h has at the function of
 * its name: lately_filter_observe at try_observe.
 */
template <class Self>
class verbs {
public:
    /** Closed. */
    verbs() noexcept = default;

    /**
     * Builds the filter that the request asks for. Any thread. The price of a plan and of the first slices.
     * @return or a status of try_plan, or status::no_memory
     */
    static result<Self> try_new(const lately::options& request, failure* why = nullptr) noexcept {
        Self made;
        const status code = made.make(request, why);
        return code == status::ok ? result<Self>(std::move(made)) : code;
    }

    /**
     * Makes a filter of a snapshot of either handle, as lately_filter_load. Any thread.
     * @return or status::elapsed, status::magic, status::version, status::checksum, status::corrupt (also if bytes are
     *         missing or left over), status::secret (missing, wrong, or given where there is none), status::too_large,
     *         status::null, or a status of try_new
     */
    static result<Self> try_load(bytes snapshot, elapsed passed, const load_options& given = {},
                                 failure* why = nullptr) noexcept {
        return loaded(given, why, [&](lately_filter** made, lately_error* error) {
            return Self::made_by.load(snapshot.data(), snapshot.size(), passed.ns(), &given.raw(), made, error);
        });
    }
    /**
     * try_load of a stream, as lately_filter_load_pieces: exactly the bytes of the snapshot are read, others may follow.
     * @return also status::io if the stream fails; one that ends early is status::magic or status::corrupt
     */
    static result<Self> try_read_snapshot(std::istream& in, elapsed passed, const load_options& given = {},
                                          failure* why = nullptr) noexcept {
        return loaded(given, why, [&](lately_filter** made, lately_error* error) {
            return Self::made_by.load_pieces(read_piece, &in, passed.ns(), &given.raw(), made, error);
        });
    }

    /**
     * The filter that was saved in a file, or a new one if there is no file or an empty one, as lately_filter_open of
     * lately_file.h.
     *
     * @param from if not null, whether it was saved, and how long ago
     * @return or status::options_differ (why->field names the first option), status::io (the file or its folder is refused
     *         by the system, or the file is mounted by itself), status::option also if it is keyed and has no secret,
     *         status::corrupt also if something follows the snapshot, else as try_load and try_new
     */
    static result<Self> try_open(const std::filesystem::path& file, const lately::options& request,
                                 failure* why = nullptr, origin* from = nullptr) noexcept {
        result<Self> opened = status::no_memory;
        if (!calmly([&] { opened = opened_from(file, request, why, from); })) {
            return refuse(why, status::no_memory);
        }
        return opened;
    }

    /** Takes a handle of the C ABI over, as its one owner or as one more holder; null is a closed filter. */
    [[nodiscard]] static Self adopt(lately_filter* owned) noexcept {
        Self made;
        made.handle_.reset(owned);
        lately_options options = LATELY_OPTIONS_INIT;
        if (lately_filter_options(owned, &options) == LATELY_OK) {
            made.unit_ = unit_of(static_cast<clock_source>(options.clock));
        }
        return made;
    }
    /** Gives the handle to the caller, who frees it once; this filter is then closed. */
    [[nodiscard]] lately_filter* release() noexcept { return handle_.release(); }
    /** The handle, still owned here; null if closed. */
    [[nodiscard]] lately_filter* get() const noexcept { return handle_.get(); }
    /** Whether it is open. */
    explicit operator bool() const noexcept { return handle_ != nullptr; }
    /** Frees the handle, and the memory with its last holder; twice is fine. */
    void close() noexcept { handle_.reset(); }

    // -- single keys, noexcept; a tick that is left out is now: the system's clock, or a manual one as it is

    /** Tests and inserts in one step. @return also status::full, as lately_filter_observe */
    result<verdict> try_observe(bytes key, tick now = {}) noexcept {
        std::uint8_t seen = 0;
        return judged(now, seen, [&](std::uint64_t at) {
            return lately_filter_observe(get(), key.data(), key.size(), at, &seen);
        });
    }
    /** Whether the key is new, and inserts it: try_observe as a condition. */
    result<bool> try_first(bytes key, tick now = {}) noexcept {
        std::uint8_t is_new = 0;
        const status code = timed(now, [&](std::uint64_t at) {
            return lately_filter_first(get(), key.data(), key.size(), at, &is_new);
        });
        return given(code, is_new != 0);
    }
    /** Inserts without a verdict, also under keep_first, so that the age is renewed. @return also status::full, as try_observe */
    status try_insert(bytes key, tick now = {}) noexcept {
        return timed(now, [&](std::uint64_t at) { return lately_filter_insert(get(), key.data(), key.size(), at); });
    }
    /** The verdict that try_observe would give. Changes nothing at all: not the clock, and no count. */
    result<verdict> try_contains(bytes key, tick now = {}) const noexcept {
        std::uint8_t seen = 0;
        return judged(now, seen, [&](std::uint64_t at) {
            return lately_filter_contains(get(), key.data(), key.size(), at, &seen);
        });
    }
    /** try_observe, and how long ago a duplicate was last seen. @return also status::unsupported unless it is a window table */
    result<sighting> try_observe_age(bytes key, tick now = {}) noexcept {
        return sighted(now, [&](std::uint64_t at, std::uint8_t* seen, lately_age* age) {
            return lately_filter_observe_age(get(), key.data(), key.size(), at, seen, age);
        });
    }
    /** What try_observe_age would return. Changes nothing at all: not the clock, and no count. */
    result<sighting> try_contains_age(bytes key, tick now = {}) const noexcept {
        return sighted(now, [&](std::uint64_t at, std::uint8_t* seen, lately_age* age) {
            return lately_filter_contains_age(get(), key.data(), key.size(), at, seen, age);
        });
    }
    /**
     * Tests a key, and claims it if it was not seen, as lately_filter_claim. lately::claim_guard ends the claim by itself.
     * @return also status::unsupported without `lease_ns`; status::full if `max_claims` claims are open
     */
    result<claimed> try_claim(bytes key, tick now = {}) noexcept {
        std::uint8_t seen = 0;
        std::uint64_t token = 0;
        const result<verdict> said = judged(now, seen, [&](std::uint64_t at) {
            return lately_filter_claim(get(), key.data(), key.size(), at, &seen, &token);
        });
        return said ? result<claimed>(claimed{*said, token}) : said.code();
    }
    /**
     * Stores the key of a claim whose work is done, and closes the claim, as lately_filter_commit.
     * @return also status::claim if the token was never given out for this key; status::unsupported without `lease_ns`
     */
    result<committed> try_commit(bytes key, std::uint64_t token, tick now = {}) noexcept {
        std::uint8_t found = 0;
        const status code = timed(now, [&](std::uint64_t at) {
            return lately_filter_commit(get(), key.data(), key.size(), token, at, &found);
        });
        return given(code, static_cast<committed>(found));
    }
    /** Closes the claim of work that failed, without a trace; nothing changes if it is over. Statuses: as try_commit. */
    status try_abandon(bytes key, std::uint64_t token) noexcept {
        return outcome(lately_filter_abandon(get(), key.data(), key.size(), token));
    }
    /**
     * Forgets a key of a window table, or of a TinySet with `removable`: of that remove only what insert took or observe called new_.
     * @return whether it was there (of a window table: within the window, at `now`); status::unsupported of other filters
     */
    result<bool> try_remove(bytes key, tick now = {}) noexcept {
        std::uint8_t removed = 0;
        const status code = timed(now, [&](std::uint64_t at) {
            return lately_filter_remove(get(), key.data(), key.size(), at, &removed);
        });
        return given(code, removed != 0);
    }

    // -- batches, noexcept: keys, hashes, u64s, column, batch, slices, or a range of keys; a verdict for each key

    /**
     * Tests and inserts every key in order, as lately_filter_observe_many. Absent keys of a column count as done.
     * @return also status::offsets, found before the first key; status::clock for ticks without a manual clock, or of
     *         another unit; status::tick, `done` is then the index of the tick; status::unsupported for hashes if the
     *         filter is keyed or takes claims
     */
    batch_result try_observe_many(const keys& keys, array_view<verdict> verdicts) noexcept {
        return each(keys, verdicts.size(), [&](const lately_keys* raw, const std::uint64_t* ticks, std::size_t* done) {
            return lately_filter_observe_many(get(), raw, ticks, octets(verdicts), done);
        });
    }
    /** The keys of a range of strings, views or vectors of bytes, read where they lie. The other batch verbs have this form too. */
    batch_result try_observe_many(const slices& keys, array_view<verdict> verdicts) noexcept {
        return try_observe_many(lately::keys(keys), verdicts);
    }
    /** Inserts every key in order, without verdicts. Statuses: as try_observe_many. */
    batch_result try_insert_many(const keys& keys) noexcept {
        return each(keys, keys.size(), [&](const lately_keys* raw, const std::uint64_t* ticks, std::size_t* done) {
            return lately_filter_insert_many(get(), raw, ticks, done);
        });
    }
    batch_result try_insert_many(const slices& keys) noexcept { return try_insert_many(lately::keys(keys)); }
    /** The verdict for every key, as try_contains would give it. Changes nothing. Statuses: as try_observe_many. */
    batch_result try_contains_many(const keys& keys, array_view<verdict> verdicts) const noexcept {
        return each(keys, verdicts.size(), [&](const lately_keys* raw, const std::uint64_t* ticks, std::size_t* done) {
            return lately_filter_contains_many(get(), raw, ticks, octets(verdicts), done);
        });
    }
    batch_result try_contains_many(const slices& keys, array_view<verdict> verdicts) const noexcept {
        return try_contains_many(lately::keys(keys), verdicts);
    }
    /**
     * Forgets every key in order, as lately_filter_remove_many: `removed` gets 1 for a key that was there, else 0.
     * @return as try_observe_many; also status::unsupported if the filter has no removal
     */
    batch_result try_remove_many(const keys& keys, array_view<std::uint8_t> removed) noexcept {
        return each(keys, removed.size(), [&](const lately_keys* raw, const std::uint64_t* ticks, std::size_t* done) {
            return lately_filter_remove_many(get(), raw, ticks, removed.data(), done);
        });
    }
    batch_result try_remove_many(const slices& keys, array_view<std::uint8_t> removed) noexcept {
        return try_remove_many(lately::keys(keys), removed);
    }

    // -- the whole filter, noexcept

    /** The filter in one line, for a log: kind, window, bytes, error rate; no key and no secret is in it. */
    result<description> try_describe() const noexcept {
        description line;
        const status code = outcome(lately_filter_describe(get(), line.text, sizeof line.text));
        return given(code, line);
    }

    /** Moves a manual clock, however far, as lately_filter_advance. @return also status::clock unless the clock is manual */
    status try_advance(tick now) noexcept {
        return timed(now, [&](std::uint64_t at) { return lately_filter_advance(get(), at); });
    }
    /** Empties the filter and forgets clock and counters; options, seed and secret stay. */
    status try_clear() noexcept { return outcome(lately_filter_clear(get())); }
    /** A second filter, equal in everything: content, clock, counters, seed, secret. Also status::no_memory. */
    result<Self> try_copy() const noexcept {
        lately_filter* copy = nullptr;
        const status code = outcome(lately_filter_copy(get(), &copy));
        return code == status::ok ? result<Self>(adopt(copy)) : code;
    }
    /** The options that make such a filter, with what its plan chose; no secret is among them. */
    result<lately::options> try_options() const noexcept {
        lately::options made;
        const status code = outcome(lately_filter_options(get(), &made.raw_));
        return given(code, made);
    }
    /**
     * Whether the request would make such a filter, as lately_filter_expect. Cost: as try_new.
     * @return status::options_differ if not, and `why` names the first option that differs; else as try_plan
     */
    status try_expect(const lately::options& request, failure* why = nullptr) const noexcept {
        if (const status code = examine(request, why); code != status::ok) {
            return code;
        }
        lately_error error = LATELY_ERROR_INIT;
        const status code = outcome(lately_filter_expect(get(), &request.raw(), &error));
        return code == status::ok ? code : code == status::closed ? refuse(why, code) : explain(why, error);
    }
    /** The statistics of the filter now. Cost: O(slices); nothing is scanned. */
    result<lately::stats> try_stats() const noexcept {
        lately::stats stats;
        const status code = outcome(lately_filter_stats(get(), &stats));
        return given(code, stats);
    }
    /** Sets the counters of verdicts and of late and refused ticks to 0. */
    status try_stats_reset() noexcept { return outcome(lately_filter_stats_reset(get())); }
    /** The hash of the key in every unkeyed filter with this seed; status::unsupported if keyed. */
    result<std::uint64_t> try_hash(bytes key) const noexcept {
        std::uint64_t hash = 0;
        const status code = outcome(lately_filter_hash(get(), key.data(), key.size(), &hash));
        return given(code, hash);
    }
    /** The secret of a keyed filter, given or drawn: keep it as you would a password. status::unsupported if unkeyed. */
    result<lately::secret> try_secret() const noexcept {
        lately::secret words{};
        const status code = outcome(lately_filter_secret(get(), &words.lo, &words.hi));
        return given(code, words);
    }

    // -- snapshots, noexcept: bytes that every language and machine reads alike (docs/reference/format.md), without the secret

    /** Bytes of the snapshot of the filter as it is: the next call may change it. Cost: O(slices). */
    result<std::size_t> try_snapshot_size() const noexcept {
        std::size_t size = 0;
        const status code = outcome(lately_filter_snapshot_size(get(), &size));
        return given(code, size);
    }
    /** Writes the filter into a buffer. @return the bytes written, or also status::short_buffer: it may have grown since */
    result<std::size_t> try_snapshot_write(array_view<std::uint8_t> buffer) const noexcept {
        std::size_t size = 0;
        const status code = outcome(lately_filter_snapshot_write(get(), buffer.data(), buffer.size(), &size));
        return given(code, size);
    }
    /** The same as a vector, which is as long as it must be. Also status::no_memory. */
    result<std::vector<std::uint8_t>> try_snapshot() const noexcept {
        std::vector<std::uint8_t> bytes;
        const result<std::size_t> size = try_snapshot_size();
        if (size && !calmly([&] { bytes.reserve(*size); })) {
            return status::no_memory;
        }
        const status code = outcome(lately_filter_snapshot_pieces(get(), add_piece, &bytes));
        if (code == status::io) {
            return status::no_memory; // The one way in which a vector fails.
        }
        return code == status::ok ? result<std::vector<std::uint8_t>>(std::move(bytes)) : code;
    }
    /**
     * The same to a stream, which is flushed. Takes no memory for the whole, except a copy of a shared filter.
     * @return also status::no_memory; status::io if the stream does not take all of it
     */
    status try_write_snapshot(std::ostream& out) const noexcept {
        const status code = outcome(lately_filter_snapshot_pieces(get(), write_piece, &out));
        const bool flushed = calmly([&out] { out.flush(); });
        return code != status::ok || (flushed && out) ? code : status::io;
    }

    /**
     * Saves the filter in a file, whole or not at all, as lately_filter_save of lately_file.h does.
     * @return also status::io if the system refuses; status::magic, status::version, status::corrupt for a file that begins as no
     *         snapshot of this version and is not replaced. The file is then as it was
     */
    status try_save(const std::filesystem::path& file, failure* why = nullptr) const noexcept {
        status saved = status::no_memory;
        return calmly([&] { saved = saved_to(file, why); }) ? saved : refuse(why, status::no_memory);
    }

#if LATELY_HPP_EXCEPTIONS
    // -- the same, throwing lately::error: each does what its twin with try_ before its name does. Of a batch that throws, the
    // first error::done answers are valid

    /** Builds the filter that the request asks for. */
    explicit verbs(const lately::options& request) {
        failure why;
        if (make(request, &why) != status::ok) {
            throw error(why);
        }
    }

    [[nodiscard]] verdict observe(bytes key, tick now = {}) { return or_throw("observe", try_observe(key, now)); }
    [[nodiscard]] bool first(bytes key, tick now = {}) { return or_throw("first", try_first(key, now)); }
    void insert(bytes key, tick now = {}) { or_throw("insert", try_insert(key, now)); }
    [[nodiscard]] verdict contains(bytes key, tick now = {}) const { return or_throw("contains", try_contains(key, now)); }
    [[nodiscard]] sighting observe_age(bytes key, tick now = {}) {
        return or_throw("observe_age", try_observe_age(key, now));
    }
    [[nodiscard]] sighting contains_age(bytes key, tick now = {}) const {
        return or_throw("contains_age", try_contains_age(key, now));
    }
    [[nodiscard]] claimed claim(bytes key, tick now = {}) { return or_throw("claim", try_claim(key, now)); }
    committed commit(bytes key, std::uint64_t token, tick now = {}) {
        return or_throw("commit", try_commit(key, token, now));
    }
    void abandon(bytes key, std::uint64_t token) { or_throw("abandon", try_abandon(key, token)); }
    bool remove(bytes key, tick now = {}) { return or_throw("remove", try_remove(key, now)); }

    void observe_many(const keys& keys, array_view<verdict> verdicts) {
        or_throw("observe_many", try_observe_many(keys, verdicts));
    }
    void observe_many(const slices& keys, array_view<verdict> verdicts) { observe_many(lately::keys(keys), verdicts); }
    [[nodiscard]] std::vector<verdict> observe_many(const keys& keys) {
        std::vector<verdict> verdicts(keys.size());
        observe_many(keys, verdicts);
        return verdicts;
    }
    [[nodiscard]] std::vector<verdict> observe_many(const slices& keys) { return observe_many(lately::keys(keys)); }
    void insert_many(const keys& keys) { or_throw("insert_many", try_insert_many(keys)); }
    void insert_many(const slices& keys) { insert_many(lately::keys(keys)); }
    void contains_many(const keys& keys, array_view<verdict> verdicts) const {
        or_throw("contains_many", try_contains_many(keys, verdicts));
    }
    void contains_many(const slices& keys, array_view<verdict> verdicts) const {
        contains_many(lately::keys(keys), verdicts);
    }
    [[nodiscard]] std::vector<verdict> contains_many(const keys& keys) const {
        std::vector<verdict> verdicts(keys.size());
        contains_many(keys, verdicts);
        return verdicts;
    }
    [[nodiscard]] std::vector<verdict> contains_many(const slices& keys) const { return contains_many(lately::keys(keys)); }
    void remove_many(const keys& keys, array_view<std::uint8_t> removed) {
        or_throw("remove_many", try_remove_many(keys, removed));
    }
    void remove_many(const slices& keys, array_view<std::uint8_t> removed) { remove_many(lately::keys(keys), removed); }
    std::vector<std::uint8_t> remove_many(const keys& keys) {
        std::vector<std::uint8_t> removed(keys.size());
        remove_many(keys, removed);
        return removed;
    }
    std::vector<std::uint8_t> remove_many(const slices& keys) { return remove_many(lately::keys(keys)); }

    void advance(tick now) { or_throw("advance", try_advance(now)); }
    void clear() { or_throw("clear", try_clear()); }
    [[nodiscard]] description describe() const { return or_throw("describe", try_describe()); }
    [[nodiscard]] Self copy() const { return or_throw("copy", try_copy()); }
    [[nodiscard]] lately::options options() const { return or_throw("options", try_options()); }
    void expect(const lately::options& request) const {
        failure why;
        if (try_expect(request, &why) != status::ok) {
            throw error(why);
        }
    }
    [[nodiscard]] lately::stats stats() const { return or_throw("stats", try_stats()); }
    void stats_reset() { or_throw("stats_reset", try_stats_reset()); }
    [[nodiscard]] std::uint64_t hash(bytes key) const { return or_throw("hash", try_hash(key)); }
    [[nodiscard]] lately::secret secret() const { return or_throw("secret", try_secret()); }

    [[nodiscard]] std::size_t snapshot_size() const { return or_throw("snapshot_size", try_snapshot_size()); }
    std::size_t snapshot_write(array_view<std::uint8_t> buffer) const {
        return or_throw("snapshot_write", try_snapshot_write(buffer));
    }
    [[nodiscard]] std::vector<std::uint8_t> snapshot() const { return or_throw("snapshot", try_snapshot()); }
    void write_snapshot(std::ostream& out) const { or_throw("write_snapshot", try_write_snapshot(out)); }
    [[nodiscard]] static Self open(const std::filesystem::path& file, const lately::options& request,
                                   origin* from = nullptr) {
        failure why;
        return or_throw(why, try_open(file, request, &why, from));
    }
    void save(const std::filesystem::path& file) const {
        failure why;
        if (try_save(file, &why) != status::ok) {
            throw error(why);
        }
    }
    [[nodiscard]] static Self load(bytes snapshot, elapsed passed, const load_options& given = {}) {
        failure why;
        return or_throw(why, try_load(snapshot, passed, given, &why));
    }
    [[nodiscard]] static Self read_snapshot(std::istream& in, elapsed passed, const load_options& given = {}) {
        failure why;
        return or_throw(why, try_read_snapshot(in, passed, given, &why));
    }
#endif

protected:
    /** One more holder of the handle of another, or closed as that. */
    verbs(lately_filter* owned, const verbs& other) noexcept : handle_(owned), unit_(other.unit_) {}

private:
    struct freeing {
        void operator()(lately_filter* owned) const noexcept { lately_filter_free(owned); }
    };

    /** Makes a closed filter the one that the request asks for. */
    status make(const lately::options& request, failure* why) noexcept {
        if (const status code = examine(request, why); code != status::ok) {
            return code;
        }
        lately_filter* made = nullptr;
        lately_error error = LATELY_ERROR_INIT;
        if (Self::made_by.create(&request.raw(), &made, &error) != LATELY_OK) {
            return explain(why, error);
        }
        handle_.reset(made);
        unit_ = unit_of(static_cast<clock_source>(request.raw().clock));
        return status::ok;
    }

    static result<Self> opened_from(const path& file, const lately::options& request, failure* why, origin* from) {
        if (const status code = examine(request, why); code != status::ok) {
            return code;
        }
        const std::string name = name_of(file);
        lately_filter* made = nullptr;
        lately_opened found = LATELY_OPENED_INIT;
        lately_error error = LATELY_ERROR_INIT;
        if (Self::made_by.open(name.c_str(), &request.raw(), &made, &found, &error) != LATELY_OK) {
            return explain_file(why, error);
        }
        if (from != nullptr) {
            from->was_saved = found.found != 0;
            from->elapsed = std::chrono::nanoseconds(found.elapsed_ns);
            from->ahead = std::chrono::nanoseconds(found.ahead_ns);
        }
        return adopt(made);
    }

    status saved_to(const path& file, failure* why) const {
        const std::string name = name_of(file);
        lately_error error = LATELY_ERROR_INIT;
        if (handle_ == nullptr) {
            return refuse(why, status::closed);
        }
        return lately_filter_save(get(), name.c_str(), &error) == LATELY_OK ? status::ok : explain_file(why, error);
    }

    /** The filter that a function of the C ABI loads. */
    template <class Call>
    static result<Self> loaded(const load_options& given, failure* why, Call call) noexcept {
        if (const status code = examine(given, why); code != status::ok) {
            return code;
        }
        lately_filter* made = nullptr;
        lately_error error = LATELY_ERROR_INIT;
        return call(&made, &error) == LATELY_OK ? result<Self>(adopt(made)) : explain(why, error);
    }

    /** The status of a call; one that failed because there is no handle is `closed`. */
    [[nodiscard]] status outcome(lately_status code) const noexcept {
        return code != LATELY_OK && handle_ == nullptr ? status::closed : static_cast<status>(code);
    }

    /** The status of a call with a tick in the unit of the clock. */
    template <class Call>
    [[nodiscard]] status timed(tick now, Call call) const noexcept {
        return outcome(now.in_range() ? call(count_of(now, unit_)) : LATELY_ERR_TICK);
    }

    template <class T>
    [[nodiscard]] static result<T> given(status code, const T& value) noexcept {
        return code == status::ok ? result<T>(value) : code;
    }

    template <class Call>
    [[nodiscard]] result<verdict> judged(tick now, const std::uint8_t& seen, Call call) const noexcept {
        const status code = timed(now, call);
        return given(code, static_cast<verdict>(seen));
    }

    template <class Call>
    [[nodiscard]] result<sighting> sighted(tick now, Call call) const noexcept {
        std::uint8_t seen = 0;
        lately_age age = {0, 0};
        const result<verdict> said = judged(now, seen, [&](std::uint64_t at) { return call(at, &seen, &age); });
        return said ? result<sighting>(sighting{*said, {age.at_least, age.at_most}}) : said.code();
    }

    /** Whether a batch is whole: what the C ABI cannot see, as it gets one count for all arrays. */
    [[nodiscard]] status fits(const keys& keys, std::size_t verdicts) const noexcept {
        if (handle_ == nullptr || keys.unfit_ != status::ok) {
            return handle_ == nullptr ? status::closed : keys.unfit_;
        }
        if (verdicts != keys.size() || (keys.timed_ && keys.ticks_.size() != keys.size())) {
            return status::offsets;
        }
        return keys.timed_ && keys.unit_ != 0 && keys.unit_ != unit_ ? status::clock : status::ok;
    }

    template <class Call>
    batch_result each(const keys& keys, std::size_t verdicts, Call call) const noexcept {
        std::size_t done = 0;
        status code = fits(keys, verdicts);
        if (code == status::ok) {
            code = outcome(call(&keys.raw_, keys.timed_ ? keys.ticks_.data() : nullptr, &done));
        }
        return {code, done};
    }

    static std::uint8_t* octets(array_view<verdict> verdicts) noexcept {
        // unsigned char may write any object, and all the numbers are verdicts.
        return reinterpret_cast<std::uint8_t*>(verdicts.data());
    }

    std::unique_ptr<lately_filter, freeing> handle_;
    std::uint64_t unit_ = 1; // nanoseconds of a tick
};

} // namespace detail

/**
 * A filter with one owner: answers "have I seen this key lately?" in bounded memory.
 *
 * Moves and never copies (see copy). One thread at a time; const members may run concurrently from any number of
 * threads while no other runs. The verbs are those of detail::verbs.
 */
class filter : public detail::verbs<filter> {
public:
    using verbs::verbs;

private:
    friend class detail::verbs<filter>;
    static constexpr const detail::functions& made_by = detail::for_one;
};

/**
 * A filter that any number of threads use concurrently, with the verbs, verdicts, window, error rate and memory of
 * `filter`: if several threads observe one new key concurrently, exactly one gets new_.
 *
 * A copy of this object is one more holder of the same filter, and the last holder that goes frees the memory; a
 * second filter is made by copy(). Every verb may run while any other runs, on one object or on its copies. What changes
 * the object itself (assignment, a move from it, close, release) needs that object alone: give each thread its own.
 */
class shared_filter : public detail::verbs<shared_filter> {
public:
    using verbs::verbs;

    /** Closed. */
    shared_filter() noexcept = default;
    /** One more holder of the same filter. Cost: one atomic count. */
    shared_filter(const shared_filter& other) noexcept : verbs(held_too(other.get()), other) {}
    shared_filter& operator=(const shared_filter& other) noexcept { return *this = shared_filter(other); }
    /** The other's place; the other is then closed. */
    shared_filter(shared_filter&& other) noexcept = default;
    shared_filter& operator=(shared_filter&& other) noexcept = default;
    ~shared_filter() = default;

private:
    friend class detail::verbs<shared_filter>;
    static constexpr const detail::functions& made_by = detail::for_many;

    /** The handle, with one more holder; null stays null. */
    static lately_filter* held_too(lately_filter* handle) noexcept {
        return lately_filter_retain(handle) == LATELY_OK ? handle : nullptr;
    }
};

/**
 * A claim that abandons itself: it claims a key, and closes the claim when it goes, unless it was committed.
 *
 *     lately::claim_guard order(seen, "order-17");
 *     if (order.verdict() == lately::verdict::new_) {
 *         work();         // throws: the claim is abandoned, and the next claim is new_
 *         order.commit();
 *     }
 *
 * It keeps a copy of the key. Of a shared_filter it is one more holder, so that the filter lives as long as the claim. Of a
 * filter it keeps the place: the filter must outlive it and not move. Moves and never copies.
 * One thread at a time. Cost: that of the calls, and memory for the key.
 */
template <class Filter>
class [[nodiscard]] claim_guard {
public:
    /** Claims the key, at tick `now`. @return also the statuses of the filter's try_claim, and status::no_memory */
    static result<claim_guard> try_claim(Filter& filter, bytes key, tick now = {}) noexcept {
        claim_guard guard;
        const auto* first = static_cast<const std::uint8_t*>(key.data());
        if (key.size() > 0 && first == nullptr) {
            return status::null;
        }
        if (!detail::calmly([&guard, first, key] { guard.key_.assign(first, first + key.size()); })) {
            return status::no_memory;
        }
        const result<claimed> said = filter.try_claim(guard.key_, now);
        if (!said) {
            return said.code();
        }
        guard.said_ = *said;
        if (said->verdict == lately::verdict::new_) {
            guard.filter_ = holder_of(filter);
        }
        return guard;
    }

#if LATELY_HPP_EXCEPTIONS
    /** try_claim that throws lately::error. */
    claim_guard(Filter& filter, bytes key, tick now = {})
        : claim_guard(detail::or_throw("claim", try_claim(filter, key, now))) {}
#endif

    claim_guard(const claim_guard&) = delete;
    claim_guard& operator=(const claim_guard&) = delete;
    /** Takes the claim over; the other has none. */
    claim_guard(claim_guard&& other) noexcept
        : filter_(std::exchange(other.filter_, {})), key_(std::move(other.key_)), said_(other.said_) {}
    /** Abandons its own claim, if that is open, and takes the other's over. */
    claim_guard& operator=(claim_guard&& other) noexcept {
        if (this != &other) {
            abandon();
            filter_ = std::exchange(other.filter_, {});
            key_ = std::move(other.key_);
            said_ = other.said_;
        }
        return *this;
    }
    /** Abandons the claim, if it was new_ and neither committed, abandoned nor released. */
    ~claim_guard() { abandon(); }

    /** new_: the work is this caller's. duplicate: it was done. pending: another does it. */
    [[nodiscard]] lately::verdict verdict() const noexcept { return said_.verdict; }
    /** The token of the claim; 0 unless it was new_. */
    [[nodiscard]] std::uint64_t token() const noexcept { return said_.token; }

    /** Stores the key: the work is done. @return status::claim if there is no claim to commit, else as the filter's */
    result<committed> try_commit(tick now = {}) noexcept {
        return ended(filter_ ? filter_->try_commit(key_, said_.token, now) : result<committed>(status::claim));
    }
#if LATELY_HPP_EXCEPTIONS
    /** try_commit that throws lately::error; the claim is then still to be committed or abandoned. */
    committed commit(tick now = {}) { return detail::or_throw("commit", try_commit(now)); }
#endif
    /** Closes the claim without a trace, now. Nothing happens if there is none. */
    void abandon() noexcept {
        if (filter_) {
            static_cast<void>(filter_->try_abandon(key_, said_.token));
            filter_ = {};
        }
    }
    /** Leaves the claim open, for the caller that gets its token. */
    std::uint64_t release() noexcept {
        filter_ = {};
        return said_.token;
    }

private:
    friend class result<claim_guard>;

    claim_guard() noexcept = default;

    /** A commit that failed leaves the claim as it was. */
    result<committed> ended(result<committed> found) noexcept {
        if (found) {
            filter_ = {};
        }
        return found;
    }

    /** A pointer to a filter with one owner, or one more holder that keeps a shared filter alive; or nothing. */
    using holder = std::conditional_t<std::is_copy_constructible_v<Filter>, std::optional<Filter>, Filter*>;

    static holder holder_of(Filter& filter) noexcept {
        if constexpr (std::is_copy_constructible_v<Filter>) {
            return filter;
        } else {
            return &filter;
        }
    }

    holder filter_{};
    std::vector<std::uint8_t> key_;
    claimed said_;
};

// ---- Views ----------------------------------------------------------------------------------------------------

#if LATELY_HPP_EXCEPTIONS && defined(__cpp_lib_ranges)

namespace detail {

/** A function that can be assigned, which a lambda with captures cannot. */
template <class Function>
class assignable {
public:
    explicit assignable(Function function) : function_(std::move(function)) {}
    assignable(const assignable&) = default;
    assignable(assignable&&) = default;
    ~assignable() = default;
    assignable& operator=(const assignable& other) { return *this = assignable(other); }
    assignable& operator=(assignable&& other) {
        if (this != &other) {
            function_.reset();
            function_.emplace(std::move(*other.function_));
        }
        return *this;
    }
    Function& operator*() { return *function_; }

private:
    std::optional<Function> function_;
};

} // namespace detail

/**
 * The elements of a range whose keys are new, in their order; views::first makes it.
 *
 * It observes an element once, when the iteration looks at it: one that ends early, also by views::take, has read and observed no more
 * than it has passed. So it is an input range, for one iteration: a later begin() continues where the last one was. An error is
 * thrown by the comparison with the end, or by *, and a later one asks again. The view keeps the place of the filter, which
 * must outlive it.
 */
template <std::ranges::input_range Range, class Filter, class Key>
    requires std::ranges::view<Range>
class first_view : public std::ranges::view_interface<first_view<Range, Filter, Key>> {
public:
    /** `key` makes the key of an element. */
    first_view(Range range, Filter& filter, Key key) : range_(std::move(range)), filter_(&filter), key_(std::move(key)) {}

    /** An input iterator, whose end is std::default_sentinel. */
    class iterator {
    public:
        using value_type = std::ranges::range_value_t<Range>;            ///< That of the range.
        using difference_type = std::ranges::range_difference_t<Range>; ///< That of the range.
        using iterator_concept = std::input_iterator_tag;                ///< An input iterator.

        explicit iterator(first_view& view) : view_(&view) {}
        iterator(iterator&&) = default;
        iterator& operator=(iterator&&) = default;
        iterator(const iterator&) = delete;
        iterator& operator=(const iterator&) = delete;
        ~iterator() = default;

        decltype(auto) operator*() const {
            view_->seek();
            return **view_->at_;
        }
        /** To the next element that is new, which is looked for when it is wanted. */
        iterator& operator++() {
            view_->seek();
            view_->passed_ = true;
            view_->is_new_ = false;
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const iterator& it, std::default_sentinel_t /*end*/) { return it.is_at_end(); }

    private:
        bool is_at_end() const {
            view_->seek();
            return *view_->at_ == std::ranges::end(view_->range_);
        }

        first_view* view_;
    };

    /** The first element that is new. */
    iterator begin() {
        if (!at_) {
            at_.emplace(std::ranges::begin(range_));
        }
        return iterator(*this);
    }
    static std::default_sentinel_t end() noexcept { return std::default_sentinel; }

private:
    /** From here to an element that is new, unless this one is, or to the end. */
    void seek() {
        while (!is_new_) {
            if (std::exchange(passed_, false)) {
                ++*at_;
            }
            if (*at_ == std::ranges::end(range_)) {
                return;
            }
            is_new_ = filter_->first(std::invoke(*key_, **at_));
            passed_ = !is_new_;
        }
    }

    Range range_;
    Filter* filter_;
    detail::assignable<Key> key_;
    std::optional<std::ranges::iterator_t<Range>> at_;
    /** The element there was observed and is new; it is done with, so that the next one is wanted. */
    bool is_new_ = false, passed_ = false;
};

namespace detail {

/** A first_view of the range that is piped into it. */
template <class Filter, class Key>
#if __cpp_lib_ranges >= 202202L
struct first_of : std::ranges::range_adaptor_closure<first_of<Filter, Key>> {
#else
struct first_of {
#endif
    first_of(Filter& filter, Key key) : filter_(&filter), key_(std::move(key)) {}

    template <std::ranges::viewable_range Range>
    auto operator()(Range&& range) const {
        return first_view<std::views::all_t<Range>, Filter, Key>(std::views::all(std::forward<Range>(range)), *filter_, key_);
    }
#if __cpp_lib_ranges < 202202L
    template <std::ranges::viewable_range Range>
    friend auto operator|(Range&& range, const first_of& closure) {
        return closure(std::forward<Range>(range));
    }
#endif

private:
    Filter* filter_;
    Key key_;
};

} // namespace detail

namespace views {

/**
 * The elements whose keys are new (C++20): `for (const order& o : orders | lately::views::first(seen, &order::id))`. The key of an
 * element is what `key` makes of it, a member or a function; without `key` the element is its key. See first_view.
 */
template <class Filter, class Key = std::identity>
[[nodiscard]] auto first(Filter& filter, Key key = {}) {
    return detail::first_of<Filter, Key>(filter, std::move(key));
}

} // namespace views
#endif

// ---- Streams --------------------------------------------------------------------------------------------------

/** "new", "duplicate", "pending" or "absent key". */
inline std::ostream& operator<<(std::ostream& out, verdict said) {
    return out << (said == verdict::new_        ? "new"
                   : said == verdict::duplicate ? "duplicate"
                   : said == verdict::pending   ? "pending"
                                                : "absent key");
}
/** "in time", "late" or "already". */
inline std::ostream& operator<<(std::ostream& out, committed found) {
    return out << (found == committed::in_time ? "in time" : found == committed::late ? "late" : "already");
}
inline std::ostream& operator<<(std::ostream& out, status code) { return out << name(code); }
inline std::ostream& operator<<(std::ostream& out, field option) { return out << name(option); }
/** The name of a choice, such as "keep_first", or the number of what is none. */
template <class Choice, std::size_t = sizeof(detail::choices<Choice>::all)>
std::ostream& operator<<(std::ostream& out, Choice choice) {
    return *name(choice) == '\0' ? out << static_cast<std::uint32_t>(choice) : out << name(choice);
}
/** "(secret)", whatever it is. */
inline std::ostream& operator<<(std::ostream& out, const secret& /*words*/) { return out << "(secret)"; }
inline std::ostream& operator<<(std::ostream& out, const description& line) { return out << line.text; }

namespace detail {

/** Writes the options that are given, each after the separator between it and the one before. */
class given_options {
public:
    explicit given_options(std::ostream& out) : out_(out) {}

    template <class Number>
    void add(const char* option, Number number) {
        if (number != Number{0}) {
            out_ << (first_ ? "" : ", ") << option << " = " << number;
            first_ = false;
        }
    }
    template <class Choice>
    void choose(const char* option, std::uint32_t number) {
        const char* of = name(static_cast<Choice>(number));
        if (*of == '\0') {
            add(option, number);
        } else {
            out_ << (first_ ? "" : ", ") << option << " = " << of;
            first_ = false;
        }
    }
    void add(const secret& words) {
        if (words.lo != 0 || words.hi != 0) {
            out_ << (first_ ? "" : ", ") << "secret = " << words;
            first_ = false;
        }
    }

private:
    std::ostream& out_;
    bool first_ = true;
};

} // namespace detail

/** The given options on one line; of a secret only that there is one. */
inline std::ostream& operator<<(std::ostream& out, const options& request) {
    const lately_options& o = request.raw();
    detail::given_options given(out << "lately::options(");
    // <printed>
    given.choose<kind>("kind", o.kind);
    given.choose<clock_source>("clock", o.clock);
    given.choose<repeat>("repeat", o.repeat);
    given.choose<on_limit>("on_limit", o.on_limit);
    given.add("window_ns", o.window_ns);
    given.add("window_keys", o.window_keys);
    given.add("capacity", o.capacity);
    given.add("error_rate", o.error_rate);
    given.add("miss_rate", o.miss_rate);
    given.add("memory", o.memory);
    given.add("max_step_ns", o.max_step_ns);
    given.add("k", o.k);
    given.add("l", o.l);
    given.add("max_slices", o.max_slices);
    given.add("fill", o.fill);
    given.choose<variant>("variant", o.variant);
    given.add("fingerprint_bits", o.fingerprint_bits);
    given.add("semi_sort", o.semi_sort);
    given.add("removable", o.removable);
    given.add("block_bytes", o.block_bytes);
    given.add("chains", o.chains);
    given.add("load", o.load);
    given.add("keyed", o.keyed);
    given.add("seed", o.seed);
    given.add(secret{o.secret_lo, o.secret_hi});
    given.add("age_bits", o.age_bits);
    given.add("lateness_ns", o.lateness_ns);
    given.add("lease_ns", o.lease_ns);
    given.add("max_claims", o.max_claims);
    // </printed>
    return out << ')';
}

inline std::ostream& operator<<(std::ostream& out, const load_options& request) {
    detail::given_options given(out << "lately::load_options(");
    given.add("memory", request.raw().memory);
    given.add("new_memory", request.raw().new_memory);
    given.add(secret{request.raw().secret_lo, request.raw().secret_hi});
    return out << ')';
}

/** One line: kind, window, bytes, error rate; or the status of a filter that is closed or poisoned. */
template <class Self>
std::ostream& operator<<(std::ostream& out, const detail::verbs<Self>& filter) {
    const result<description> line = filter.try_describe();
    return out << "lately::filter(" << (line ? line->text : name(line.code())) << ')';
}

#if defined(__cpp_lib_format)
namespace detail {

/** The text that operator<< and std::format write: names of choices, one line for a filter, never a secret. */
template <class T>
concept shown = std::is_same_v<T, verdict> || std::is_same_v<T, committed> || std::is_same_v<T, status> ||
                std::is_same_v<T, field> || std::is_same_v<T, description> || std::is_same_v<T, secret> ||
                std::is_same_v<T, options> || std::is_same_v<T, load_options> || std::is_same_v<T, filter> ||
                std::is_same_v<T, shared_filter> || requires { sizeof(choices<T>::all); };

} // namespace detail
#endif

} // namespace lately

template <>
struct std::is_error_code_enum<lately::status> : std::true_type {};

#if defined(__cpp_lib_format)
/** As operator<< writes it, in a field as wide as the format asks. */
template <lately::detail::shown T>
struct std::formatter<T, char> : std::formatter<std::string, char> {
    template <class Context>
    auto format(const T& value, Context& context) const {
        std::ostringstream out;
        out << value;
        return std::formatter<std::string, char>::format(out.str(), context);
    }
};
#endif

#endif // LATELY_HPP
