// The macros of the generated cover.cpp: each line checks that lately.hpp has one thing of lately.h, and the same thing.
#ifndef COVER_HPP
#define COVER_HPP

#include "check.hpp"

#include <cstring>
#include <type_traits>

// A number under its C++ name.
#define COVER_CONSTANT(type, member, constant)                                                                         \
    static_assert(static_cast<long long>(lately::type::member) == static_cast<long long>(constant), #constant);

// A verb in both forms, throwing and noexcept.
#define COVER_VERB(type, verb)                                                                                         \
    struct covers_##verb##_of_##type : lately::type {                                                                  \
        using lately::type::verb;                                                                                      \
        using lately::type::try_##verb;                                                                                \
    };

// A member of a struct that the library fills.
#define COVER_MEMBER(type, member) static_assert(sizeof(lately::type::member) > 0);

// A setter that sets its own field of lately_options and no other.
#define COVER_OPTION(option, member)                                                                                   \
    TEST(sets_##option) {                                                                                              \
        const auto set = [](lately::options& request, auto value) -> decltype((void)request.option(value)) {           \
            request.option(value);                                                                                     \
        };                                                                                                             \
        const lately::options untouched(lately::kind::quotient);                                                       \
        lately::options request = untouched;                                                                           \
        set_to_one(request, set);                                                                                      \
        lately_options raw = request.raw();                                                                            \
        CHECK(raw.member == 1);                                                                                        \
        raw.member = untouched.raw().member;                                                                           \
        CHECK(std::memcmp(&raw, &untouched.raw(), sizeof raw) == 0);                                                   \
        EQUAL(lately::status::ok, request.unfit().code);                                                               \
    }

// A setter that sets its own field of lately_load_options and no other.
#define COVER_LOAD_OPTION(option)                                                                                      \
    TEST(loads_with_##option) {                                                                                        \
        const lately_load_options untouched = LATELY_LOAD_OPTIONS_INIT;                                                \
        lately::load_options given;                                                                                    \
        given.option(std::uint64_t{1});                                                                                \
        lately_load_options raw = given.raw();                                                                         \
        CHECK(raw.option == 1);                                                                                        \
        raw.option = 0;                                                                                                \
        CHECK(std::memcmp(&raw, &untouched, sizeof raw) == 0);                                                         \
    }

// A status has a sentence, an option its name.
#define COVER_STATUS(member)                                                                                           \
    TEST(describes_##member) {                                                                                         \
        CHECK(std::strcmp(lately::describe(lately::status::member),                                                    \
                          lately::describe(static_cast<lately::status>(54321))) != 0);                                 \
    }
#define COVER_FIELD(member)                                                                                            \
    TEST(names_##member) { EQUAL(std::string(#member), std::string(lately::name(lately::field::member))); }

// Calls the setter with the 1 that it takes: of a duration, an enumeration, or a number.
template <class Set>
void set_to_one(lately::options& request, Set set) {
    if constexpr (std::is_invocable_v<Set, lately::options&, std::chrono::nanoseconds>) {
        set(request, std::chrono::nanoseconds(1));
    } else if constexpr (std::is_invocable_v<Set, lately::options&, lately::kind>) {
        set(request, lately::kind::time_limited);
    } else if constexpr (std::is_invocable_v<Set, lately::options&, lately::clock_source>) {
        set(request, lately::clock_source::system);
    } else if constexpr (std::is_invocable_v<Set, lately::options&, lately::repeat>) {
        set(request, lately::repeat::refresh);
    } else if constexpr (std::is_invocable_v<Set, lately::options&, lately::on_limit>) {
        set(request, lately::on_limit::forget_oldest);
    } else if constexpr (std::is_invocable_v<Set, lately::options&, lately::variant>) {
        set(request, lately::variant::qht);
    } else {
        set(request, std::uint8_t{1});
    }
}

#endif
