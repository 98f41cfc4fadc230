// Snapshots: a filter as bytes or in a stream, and back, in both forms and for both handles. What each status is for: c_tests/snapshot.c.
#include "check.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace std::chrono_literals;
using lately::elapsed;
using lately::load_options;
using lately::status;
using lately::verdict;
using octets = std::vector<std::uint8_t>;

namespace {

// The bytes of the head, up to the kind's own part: docs/reference/format.md.
constexpr std::size_t HEAD = 48;

std::string text(const octets& bytes) { return std::string(bytes.begin(), bytes.end()); }

// The status of loading, by both forms, from bytes and from a stream.
template <class Handle>
status loaded(const octets& bytes, elapsed passed = 0s, const load_options& given = {}) {
    lately::failure why;
    const status code = Handle::try_load(bytes, passed, given, &why).code();
    EQUAL(code, why.code);
    CHECK(code == status::ok || why.message[0] != 0);
    const lately::error error = thrown([&] { (void)Handle::load(bytes, passed, given); });
    EQUAL(code, error.code());
    EQUAL(std::string(why.message), std::string(error.what()));
    return code;
}

template <class Handle>
status streamed(const octets& bytes, elapsed passed = 0s, const load_options& given = {}) {
    std::istringstream in(text(bytes));
    lately::failure why;
    const status code = Handle::try_read_snapshot(in, passed, given, &why).code();
    EQUAL(code, why.code);
    CHECK(code == status::ok || why.message[0] != 0);
    return code;
}

// A stream of that many bytes that then breaks, on either side.
class breaking : public std::streambuf {
public:
    explicit breaking(octets bytes) : bytes_(std::move(bytes)) {
        auto* data = reinterpret_cast<char*>(bytes_.data());
        setg(data, data, data + bytes_.size());
        setp(data, data + bytes_.size());
    }

protected:
    int_type underflow() override { throw std::runtime_error("broken"); }
    int_type overflow(int_type) override { return traits_type::eof(); }

private:
    octets bytes_;
};

} // namespace

TEST_BOTH(snapshots_follow_one_another_in_one_stream) {
    std::stringstream stream;
    std::vector<octets> wanted;
    for (const char* key : {"a", "b"}) {
        auto filter = begun<handle>();
        filter.insert(key);
        filter.write_snapshot(stream);
        OK(filter.try_write_snapshot(stream));
        wanted.insert(wanted.end(), 2, filter.snapshot());
    }
    stream << "and more";
    for (const octets& bytes : wanted) {
        CHECK(handle::read_snapshot(stream, 0s).snapshot() == bytes);
    }
    std::string rest;
    std::getline(stream, rest);
    EQUAL(std::string("and more"), rest);
    CHECK(stream.eof());
}

TEST_BOTH(a_snapshot_is_written_into_a_buffer) {
    auto filter = begun<handle>();
    filter.insert("a");
    const std::size_t size = *filter.try_snapshot_size();
    octets room(size + 9, 0xAA);
    EQUAL(size, filter.snapshot_write(room));
    CHECK(octets(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(size)) == *filter.try_snapshot());
    CHECK(std::count(room.end() - 9, room.end(), 0xAA) == 9);
    octets brief(size - 1, 0xAA);
    EQUAL(status::short_buffer, filter.try_snapshot_write(brief).code());
    CHECK(std::count(brief.begin(), brief.end(), 0xAA) == static_cast<std::ptrdiff_t>(brief.size()));
    EQUAL(status::short_buffer, thrown([&] { filter.snapshot_write(brief); }).code());
}

TEST_BOTH(time_passes_on_disk) {
    auto filter = begun<handle>();
    filter.insert("a", 100s);
    const octets bytes = filter.snapshot();
    EQUAL(verdict::duplicate, handle::load(bytes, 10s).contains("a"));
    EQUAL(verdict::new_, handle::load(bytes, 1min).contains("a"));
    EQUAL(std::uint64_t{160000000000}, handle::load(bytes, 1min).stats().clock);
    for (const elapsed wrong : {elapsed(-1ns), elapsed(-1h), elapsed(std::chrono::hours(1 << 30)),
                                elapsed(std::chrono::nanoseconds::min())}) {
        CHECK(!wrong.in_range() && wrong.ns() < 0);
        EQUAL(status::elapsed, loaded<handle>(bytes, wrong));
        EQUAL(status::elapsed, streamed<handle>(bytes, wrong));
    }
    CHECK(elapsed(std::chrono::nanoseconds::max()).in_range());
    auto late = begun<handle>();
    late.insert("a", lately::tick::from_ns(~std::uint64_t{0} - 1));
    EQUAL(status::elapsed, loaded<handle>(late.snapshot(), 2ns));
    OK(loaded<handle>(late.snapshot(), 0ns));
}

TEST_BOTH(the_secret_is_asked_for) {
    const lately::secret words{0x1122334455667788, 0x99AABBCCDDEEFF01};
    auto filter = begun<handle>(manual().keyed(true).secret(words));
    filter.insert("a");
    const octets bytes = filter.snapshot();
    EQUAL(verdict::duplicate, handle::load(bytes, 0s, load_options().secret(words)).contains("a"));
    for (const load_options& wrong : {load_options(), load_options().secret({words.hi, words.lo}),
                                      load_options().secret_lo(words.lo), load_options().secret_hi(words.hi)}) {
        EQUAL(status::secret, loaded<handle>(bytes, 0s, wrong));
        EQUAL(status::secret, streamed<handle>(bytes, 0s, wrong));
    }
    EQUAL(status::secret, loaded<handle>(begun<handle>().snapshot(), 0s, load_options().secret(words)));
}

TEST_BOTH(cut_and_changed_bytes_are_refused) {
    auto filter = begun<handle>();
    filter.insert("a");
    octets bytes = filter.snapshot();
    for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{8}, HEAD, bytes.size() - 1}) {
        const octets cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        const status wanted = size < 8 ? status::magic : status::corrupt;
        EQUAL(wanted, loaded<handle>(cut));
        EQUAL(wanted, streamed<handle>(cut));
    }
    EQUAL(status::null, handle::try_load(lately::bytes(nullptr, 60), 0s).code());
    bytes.back() ^= 1;
    EQUAL(status::checksum, loaded<handle>(bytes));
    EQUAL(status::checksum, streamed<handle>(bytes));
    bytes.back() ^= 1;
    bytes.push_back(0);
    EQUAL(status::corrupt, loaded<handle>(bytes));
    OK(streamed<handle>(bytes));
}

TEST_BOTH(a_limit_of_memory_that_does_not_fit_is_named) {
    const octets bytes = begun<handle>().snapshot();
    for (const load_options& unfit : {load_options().memory(-1), load_options().new_memory(-1),
                                      load_options().memory(-1).new_memory(5)}) {
        EQUAL(status::option, loaded<handle>(bytes, 0s, unfit));
        EQUAL(status::option, streamed<handle>(bytes, 0s, unfit));
    }
    EQUAL(std::string("memory = -1 bytes: must be 1 to 18446744073709551615 bytes"),
          std::string(load_options().memory(-1).unfit().message));
    EQUAL(std::string("new_memory = -1 bytes: must be 1 to 18446744073709551615 bytes"),
          std::string(load_options().memory(5).new_memory(-1).unfit().message));
}

TEST_BOTH(a_stream_that_fails_is_an_error) {
    auto filter = begun<handle>();
    filter.insert("a");
    const octets bytes = filter.snapshot();
    for (const std::size_t room : {std::size_t{0}, std::size_t{5}, HEAD, bytes.size() - 1}) {
        breaking out_buffer{octets(room)};
        std::ostream out(&out_buffer);
        EQUAL(status::io, filter.try_write_snapshot(out));
        breaking in_buffer{octets(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(room))};
        std::istream in(&in_buffer);
        EQUAL(status::io, handle::try_read_snapshot(in, 0s).code());
        // Also if the stream throws by itself.
        std::istream loud(&in_buffer);
        loud.exceptions(std::ios::badbit | std::ios::failbit | std::ios::eofbit);
        EQUAL(status::io, handle::try_read_snapshot(loud, 0s).code());
    }
    std::ifstream missing("/there/is/no/such/file");
    EQUAL(status::io, handle::try_read_snapshot(missing, 0s).code());
    std::ofstream full("/dev/full");
    CHECK(!full.is_open() || filter.try_write_snapshot(full) == status::io);
    const lately::error error = thrown([&] { filter.write_snapshot(full); });
    EQUAL(status::io, error.code());
    EQUAL(std::string("write_snapshot: IO: reading or writing failed"), std::string(error.what()));
    EQUAL(status::io, thrown([&] { (void)handle::read_snapshot(missing, 0s); }).code());
}

TEST_BOTH(a_stream_that_throws_at_its_end_gives_what_it_has) {
    const auto filter = begun<handle>();
    std::istringstream in(text(filter.snapshot()));
    in.exceptions(std::ios::eofbit | std::ios::failbit | std::ios::badbit);
    OK(handle::try_read_snapshot(in, 0s).code());
    EQUAL(status::magic, handle::try_read_snapshot(in, 0s).code());
}
