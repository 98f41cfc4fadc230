// Errors: numbers, names, sentences, and the exception itself.
#include "check.hpp"

#include <exception>
#include <type_traits>

using lately::status;

TEST(numbers_without_a_name_have_none) {
    const auto strange = static_cast<status>(12345);
    EQUAL(std::string("UNKNOWN"), std::string(lately::name(strange)));
    CHECK(std::string(lately::describe(strange)) != lately::describe(status::full));
    EQUAL(std::string(), std::string(lately::name(static_cast<lately::field>(99))));
}

static_assert(std::is_base_of_v<std::exception, lately::error>);
static_assert(std::is_nothrow_copy_constructible_v<lately::error>);
static_assert(noexcept(std::declval<const lately::error&>().what()));

TEST_BOTH(an_error_of_a_request_is_whole) {
    const lately::error error = thrown([] { handle never(manual().fill(0.95)); });
    EQUAL(status::option, error.code());
    EQUAL(lately::field::fill, error.field());
    EQUAL(std::string("fill"), std::string(error.field_name()));
    EQUAL(std::string("fill = 0.95: must be 0.1 to 0.9"), std::string(error.what()));
    EQUAL(std::size_t{0}, error.done());
}

TEST_BOTH(noexcept_forms_are_noexcept) {
    static_assert(noexcept(std::declval<handle&>().try_observe("a")));
    static_assert(noexcept(handle::try_new(std::declval<const lately::options&>())));
    static_assert(noexcept(std::declval<handle&>().try_observe_many(std::declval<const lately::keys&>(), {})));
    static_assert(noexcept(std::declval<const handle&>().try_stats()));
    static_assert(!noexcept(std::declval<handle&>().observe("a")));
    CHECK(noexcept(lately::try_plan(std::declval<const lately::options&>())));
}

TEST_BOTH(a_failure_is_written_only_on_failure) {
    lately::failure why;
    why.message[0] = '?';
    CHECK(handle::try_new(manual(), &why));
    CHECK(why.message[0] == '?' && why.code == status::ok);
    CHECK(!handle::try_new(manual().error_rate(2), &why));
    EQUAL(status::option, why.code);
    CHECK(!handle::try_new(manual().error_rate(2)));
}
