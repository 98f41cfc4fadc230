// What the standard library expects of a status: error codes and conditions; formats, where it has them; secrets as text.
#include "check.hpp"

#include <string>
#include <system_error>

using lately::status;

TEST(a_status_is_an_error_code) {
    const std::error_code none = status::ok;
    const std::error_code full = status::full;
    CHECK(!none && full && full == status::full && full != status::closed);
    EQUAL(std::string("lately"), std::string(full.category().name()));
    EQUAL(100, full.value());
    EQUAL(std::string(lately::describe(status::full)), full.message());
    CHECK(std::error_code(status::no_memory) == std::errc::not_enough_memory);
    CHECK(std::error_code(status::option) == std::errc::invalid_argument);
    CHECK(std::error_code(status::unsupported) == std::errc::not_supported);
    CHECK(std::error_code(status::io) == std::errc::io_error);
    CHECK(full != std::errc::invalid_argument && full != std::error_code(100, std::generic_category()));
    CHECK(&full.category() == &lately::error_category());
    try {
        throw std::system_error(status::tick, "orders");
    } catch (const std::system_error& error) {
        CHECK(error.code() == status::tick && std::string(error.what()).find("orders: the tick is") == 0);
    }
}

TEST(a_secret_is_its_hexadecimal_digits) {
    const auto read = lately::secret::from_hex("000102030405060708090a0B0C0d0e0f");
    EQUAL(std::uint64_t{0x0706050403020100}, read->lo);
    EQUAL(std::uint64_t{0x0f0e0d0c0b0a0908}, read->hi);
    for (const char* text : {"", "00", "000102030405060708090a0b0c0d0e0", "000102030405060708090a0b0c0d0e0f0",
                             "g00102030405060708090a0b0c0d0e0f", "000102030405060708090a0b0c0d0e0-"}) {
        EQUAL(status::secret, lately::secret::from_hex(text).code());
    }
}

TEST(time_before_the_snapshot_is_named_in_the_message) {
    using std::chrono::hours;
    const lately::filter filter(lately::options::window(hours(1)));
    const auto bytes = filter.snapshot();
    lately::failure why;
    EQUAL(status::elapsed, lately::filter::try_load(bytes, hours(-1), {}, &why).code());
    EQUAL(std::string("elapsed = -3600000000000 ns: must be at least 0 ns"), std::string(why.message));
    EQUAL(status::elapsed, lately::filter::try_load(bytes, hours(-24 * 365 * 1000), {}, &why).code());
    EQUAL(std::string("elapsed = -9223372036854775808 ns: must be at least 0 ns"), std::string(why.message));
}

#if defined(__cpp_lib_format)
TEST(formats_are_what_streams_show) {
    EQUAL(std::string("new|duplicate|in time"),
          std::format("{}|{}|{}", lately::verdict::new_, lately::verdict::duplicate, lately::committed::in_time));
    EQUAL(std::string("  TICK|lease_ns "), std::format("{:>6}|{:9}", status::tick, lately::field::lease_ns));
    EQUAL(std::string("keep_first|(secret)"), std::format("{}|{}", lately::repeat::keep_first, lately::secret{1, 2}));
    const lately::filter filter(lately::options::window(std::chrono::hours(1)));
    EQUAL(std::format("lately::filter({})", filter.describe()), std::format("{}", filter));
    CHECK(std::format("{}", lately::options::last(5)).find("window_keys") != std::string::npos);
}
#endif
