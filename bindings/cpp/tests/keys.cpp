// Whatever is bytes is a key, and the same key in every form.
#include "script.hpp"

#include <array>
#include <cstddef>
#include <list>
#include <string_view>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace {

const std::uint64_t ABC = lately_hash64(reinterpret_cast<const std::uint8_t*>("abc"), 3, 0);
const std::uint64_t EMPTY = lately_hash64(nullptr, 0, 0);

} // namespace

TEST(text_is_a_key) {
    EQUAL(ABC, lately::hash64("abc"));
    EQUAL(ABC, lately::hash64(std::string("abc")));
    EQUAL(ABC, lately::hash64(std::string_view("abcd").substr(0, 3)));
    EQUAL(ABC, lately::hash64({"abcd", 3}));
    char buffer[16] = "abc";
    EQUAL(ABC, lately::hash64(buffer));
    EQUAL(ABC, lately::hash64(u8"abc"));
}

TEST(octets_are_a_key) {
    const unsigned char octets[] = {'a', 'b', 'c'};
    const signed char small[] = {'a', 'b', 'c'};
    const std::byte raw[] = {std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
    EQUAL(ABC, lately::hash64(octets));
    EQUAL(ABC, lately::hash64(small));
    EQUAL(ABC, lately::hash64(raw));
    EQUAL(ABC, lately::hash64({static_cast<const void*>(raw), 3}));
    EQUAL(ABC, lately::hash64(std::vector<std::byte>(raw, raw + 3)));
    EQUAL(ABC, lately::hash64(std::vector<char>{'a', 'b', 'c'}));
    EQUAL(ABC, lately::hash64(std::array<std::uint8_t, 3>{'a', 'b', 'c'}));
    std::vector<std::uint8_t> changing(octets, octets + 3);
    EQUAL(ABC, lately::hash64(changing));
}

TEST(views_are_a_key) {
#if __cplusplus >= 202002L
    const std::array<std::byte, 3> raw = {std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
    EQUAL(ABC, lately::hash64(std::span<const std::byte>(raw)));
    EQUAL(ABC, lately::hash64(std::u8string_view(u8"abc")));
#endif
    const std::uint8_t octets[] = {'a', 'b', 'c'};
    EQUAL(ABC, lately::hash64(lately::bytes(octets)));
}

TEST_BOTH(the_empty_key_is_one) {
    EQUAL(EMPTY, lately::hash64(""));
    EQUAL(EMPTY, lately::hash64({}));
    EQUAL(EMPTY, lately::hash64({static_cast<const void*>(nullptr), 0}));
    EQUAL(EMPTY, lately::hash64(std::vector<std::byte>()));
    EQUAL(EMPTY, lately::hash64(std::string_view()));
    auto filter = begun<handle>();
    EQUAL(lately::verdict::new_, filter.observe({}));
    EQUAL(lately::verdict::duplicate, filter.observe(""));
}

TEST(a_nul_inside_belongs_to_the_key) {
    CHECK(lately::hash64(std::string("a\0b", 3)) != lately::hash64("a"));
    const unsigned char octets[] = {'a', 0};
    EQUAL(std::size_t{2}, lately::bytes(octets).size());
}

TEST(integers_are_keys_of_8_bytes_lowest_first) {
    const std::uint8_t octets[] = {8, 7, 6, 5, 4, 3, 2, 1};
    EQUAL(lately::hash64(octets), lately::hash64(lately::le64(0x0102030405060708)));
    static_assert(lately::le64(258)[0] == 2 && lately::le64(258)[1] == 1);
}

TEST_BOTH(a_null_key_is_a_status) {
    auto filter = begun<handle>();
    const char* none = nullptr;
    EQUAL(lately::status::null, filter.try_observe(none).code());
    EQUAL(lately::status::null, filter.try_observe({static_cast<const void*>(nullptr), 5}).code());
    EQUAL(lately::status::offsets, filter.try_observe({"a", static_cast<std::size_t>(-1)}).code());
    EQUAL(std::uint64_t{0}, lately::hash64(none));
    lately::batch batch;
    batch.push_back("a");
    batch.push_back(none);
    lately::verdict verdicts[2];
    EQUAL(lately::status::null, filter.try_observe_many(batch, verdicts).code);
    CHECK(filter.try_observe("a").value_or(lately::verdict::duplicate) == lately::verdict::new_);
}

TEST(type_that_is_not_bytes_is_no_key) {
    static_assert(!std::is_convertible_v<int, lately::bytes>);
    static_assert(!std::is_convertible_v<std::uint64_t, lately::bytes>);
    static_assert(!std::is_convertible_v<std::vector<int>, lately::bytes>);
    static_assert(!std::is_convertible_v<const int*, lately::bytes>);
    static_assert(!std::is_convertible_v<std::nullptr_t, lately::bytes>);
    static_assert(!std::is_convertible_v<std::list<char>, lately::bytes>);
    CHECK(std::is_convertible_v<std::string, lately::bytes>);
}

// Values that C++ has a key for. Composite keys and UUIDs are bytes that a program puts together.
TEST(values_are_the_keys_of_every_language) {
    unsigned lines = 0;
    for (const std::string& line : script::lines("keys.txt")) {
        const script::words w = script::split(line);
        const std::string type = w[0].substr(0, 4), text = w[0].substr(w[0].find(':') + 1);
        if (w.size() == 3 && (type == "str:" || type == "int:")) {
            const std::uint64_t hash = std::stoull(w[2], nullptr, 16);
            EQUAL(hash, type == "str:" ? lately::hash64(text) : lately::hash64(lately::le64(script::number(text))));
            ++lines;
        }
    }
    CHECK(lines >= 10);
}
