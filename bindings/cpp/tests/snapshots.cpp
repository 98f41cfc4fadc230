// Snapshots: a filter as bytes or in a stream, and back, in both forms and for both handles.
#include "script.hpp"

#include <algorithm>

using namespace std::chrono_literals;
using lately::elapsed;
using lately::load_options;
using lately::status;
using lately::verdict;
using octets = std::vector<std::uint8_t>;

namespace {

// The bytes of the head, up to the kind's own part: docs/reference/format.md.
constexpr std::size_t HEAD = 48;

std::vector<std::string> kinds() { return script::lines("kinds.txt"); }

template <class Handle>
Handle of(const std::string& line) {
    return begun<Handle>(script::request(script::split(line), 4));
}

// The same keys for everyone, some again and again.
template <class Handle>
unsigned new_count(Handle& filter, std::uint64_t first, std::uint64_t end) {
    unsigned sum = 0;
    for (std::uint64_t i = first; i < end; ++i) {
        sum += filter.observe(lately::le64(i * i % 4999)) == verdict::new_ ? 1U : 0U;
    }
    return sum;
}

template <class Handle, class Other>
void same_figures(const Handle& one, const Other& other) {
    CHECK(one.snapshot() == other.snapshot());
    EQUAL(one.stats().new_count, other.stats().new_count);
    EQUAL(one.stats().items, other.stats().items);
}

std::string text(const octets& bytes) { return std::string(bytes.begin(), bytes.end()); }

// The status of loading, by both forms, from bytes and from a stream.
template <class Handle>
status loaded(const octets& bytes, elapsed passed = 0s, const load_options& given = {}) {
    lately::failure why;
    const status code = Handle::try_load(bytes, passed, given, &why).code();
    EQUAL(code, why.code);
    CHECK(code == status::ok || why.message[0] != 0);
    try {
        (void)Handle::load(bytes, passed, given);
        EQUAL(status::ok, code);
    } catch (const lately::error& error) {
        EQUAL(code, error.code());
        EQUAL(std::string(why.message), std::string(error.what()));
    }
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

TEST_BOTH(a_restored_filter_goes_on_as_the_original) {
    for (const std::string& line : kinds()) {
        for (const std::uint64_t cut : {0U, 1U, 700U, 9000U}) {
            auto original = of<handle>(line);
            new_count(original, 0, cut);
            const octets bytes = original.snapshot();
            EQUAL(bytes.size(), original.snapshot_size());
            auto restored = handle::load(bytes, 0s);
            auto quietly = *handle::try_load(bytes, 0s);
            same_figures(original, restored);
            const unsigned wanted = new_count(original, cut, cut + 3000);
            EQUAL(wanted, new_count(restored, cut, cut + 3000));
            EQUAL(wanted, new_count(quietly, cut, cut + 3000));
            same_figures(original, restored);
        }
    }
}

TEST(a_snapshot_of_either_handle_loads_into_the_other) {
    for (const std::string& line : kinds()) {
        auto alone = of<lately::filter>(line);
        auto shared = of<lately::shared_filter>(line);
        EQUAL(new_count(alone, 0, 2000), new_count(shared, 0, 2000));
        CHECK(alone.snapshot() == shared.snapshot());
        auto there = lately::shared_filter::load(alone.snapshot(), 0s);
        auto back = lately::filter::load(there.snapshot(), 0s);
        EQUAL(new_count(there, 2000, 4000), new_count(back, 2000, 4000));
        same_figures(there, back);
    }
}

TEST_BOTH(snapshots_follow_one_another_in_one_stream) {
    std::stringstream stream;
    std::vector<octets> wanted;
    for (const std::string& line : kinds()) {
        auto filter = of<handle>(line);
        new_count(filter, 0, 3000);
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
    try {
        filter.snapshot_write(brief);
        CHECK(!"it was long enough");
    } catch (const lately::error& error) {
        EQUAL(status::short_buffer, error.code());
    }
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

TEST_BOTH(the_systems_clock_goes_on) {
    handle filter(lately::options::window(1h));
    filter.insert("a");
    const octets bytes = filter.snapshot();
    EQUAL(verdict::duplicate, handle::load(bytes, 1s).contains("a"));
    EQUAL(verdict::new_, handle::load(bytes, 3h).contains("a"));
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
    EQUAL(std::string::npos, text(bytes).find(text({0x88, 0x77, 0x66, 0x55})));
}

TEST_BOTH(cut_bytes_are_refused_at_every_length) {
    handle filter(lately::options::quotient(32));
    filter.insert("a");
    octets bytes = filter.snapshot();
    const std::size_t whole = bytes.size();
    for (std::size_t n = 0; n < whole; ++n) {
        const octets cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
        const status wanted = n < 8 ? status::magic : status::corrupt;
        EQUAL(wanted, loaded<handle>(cut));
        EQUAL(wanted, streamed<handle>(cut));
    }
    bytes.push_back(0);
    EQUAL(status::corrupt, loaded<handle>(bytes));
    OK(streamed<handle>(bytes));
}

TEST_BOTH(flipped_bits_are_refused_wherever_they_are) {
    auto filter = begun<handle>(manual().capacity(1));
    filter.insert("a");
    const octets bytes = filter.snapshot();
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        octets flipped = bytes;
        flipped[bit / 8] = static_cast<std::uint8_t>(flipped[bit / 8] ^ (1U << bit % 8));
        const std::size_t at = bit / 8;
        const status wanted = at < 8                ? status::magic
                              : at < 12             ? status::version
                              : at < 16 || at >= 24 ? status::checksum
                                                    : status::corrupt;
        EQUAL(wanted, loaded<handle>(flipped));
        // Of a stream the checksum comes last.
        const status read = streamed<handle>(flipped);
        CHECK(read == wanted || (at >= 12 && (read == status::corrupt || read == status::checksum || read == status::too_large)));
    }
}

TEST_BOTH(what_is_no_snapshot_is_not_read_on) {
    for (const char* start : {"this is no snapshot, and no length is at 16", "\x89LTLY\r\n\x1a\x07 a version of far"}) {
        std::istringstream in(std::string(start) + std::string(1000, 'x'));
        EQUAL(start[0] == 't' ? status::magic : status::version, handle::try_read_snapshot(in, 0s).code());
        CHECK(in.tellg() <= 24);
    }
}

// A length that no stream has: nothing is taken for it, with a limit and without one.
TEST_BOTH(a_lying_length_takes_no_memory) {
    octets bytes = handle(manual()).snapshot();
    std::fill(bytes.begin() + 16, bytes.begin() + 24, std::uint8_t{0xFF});
    EQUAL(status::corrupt, streamed<handle>(bytes));
    EQUAL(status::corrupt, streamed<handle>(bytes, 0s, load_options().memory(1 << 20)));
    EQUAL(status::corrupt, streamed<handle>(bytes, 0s, load_options().new_memory(1 << 20)));
}

TEST_BOTH(memory_is_a_limit) {
    for (const std::string& line : kinds()) {
        auto filter = of<handle>(line);
        new_count(filter, 0, 5000);
        const octets bytes = filter.snapshot();
        // What is loaded has no spare lines.
        const std::uint64_t cells = handle::load(bytes, 0s).stats().bytes;
        OK(loaded<handle>(bytes, 0s, load_options().memory(cells)));
        OK(streamed<handle>(bytes, 0s, load_options().memory(cells)));
        EQUAL(status::too_large, loaded<handle>(bytes, 0s, load_options().memory(cells - 1)));
        EQUAL(status::too_large, streamed<handle>(bytes, 0s, load_options().memory(cells - 1)));
    }
    const octets bytes = begun<handle>().snapshot();
    EQUAL(status::option, loaded<handle>(bytes, 0s, load_options().memory(-1)));
    EQUAL(status::option, streamed<handle>(bytes, 0s, load_options().memory(-1)));
    EQUAL(std::string("memory = -1 bytes: must be 1 to 18446744073709551615 bytes"),
          std::string(load_options().memory(-1).unfit().message));
}

// 4000 keys in the second from `start` on, others than before.
template <class Handle>
void crowd(Handle& filter, std::chrono::seconds start) {
    for (unsigned i = 0; i < 4000; ++i) {
        const auto tick = start + i * 250us;
        filter.insert(lately::le64(static_cast<std::uint64_t>(tick / 1us)), tick);
    }
}

TEST_BOTH(a_new_limit_takes_the_place_of_the_snapshots_own) {
    handle filter(lately::options::window(60s).clock(lately::clock_source::manual_ns).memory(2048));
    crowd(filter, 0s);
    const octets bytes = filter.snapshot();
    const std::uint64_t cells = filter.stats().bytes;
    for (const std::uint64_t limit : {std::uint64_t{1} << 20, ~std::uint64_t{0}}) {
        handle wide = handle::load(bytes, 0s, load_options().new_memory(limit));
        crowd(wide, 120s);
        CHECK(wide.stats().bytes > 2048 && wide.stats().bytes <= limit);
        CHECK(wide.stats().reach() == 60s);
    }
    auto narrow = handle::load(bytes, 0s, load_options().new_memory(cells));
    crowd(narrow, 120s);
    CHECK(narrow.stats().bytes <= cells);
    EQUAL(status::too_large, loaded<handle>(bytes, 0s, load_options().new_memory(cells - 1)));
    EQUAL(status::too_large, loaded<handle>(bytes, 0s, load_options().new_memory(1 << 20).memory(cells - 1)));
    EQUAL(status::option, loaded<handle>(bytes, 0s, load_options().new_memory(-1)));
    EQUAL(std::string("new_memory = -1 bytes: must be 1 to 18446744073709551615 bytes"),
          std::string(load_options().memory(5).new_memory(-1).unfit().message));
    EQUAL(status::option, load_options().memory(-1).new_memory(5).unfit().code);
}

// Tables of many slices with few cells, as a limit of exactly the cells must let them through.
TEST_BOTH(tables_of_many_slices_with_few_cells_load_within_the_limit) {
    auto filter = begun<handle>(manual().k(2).l(1000).fill(0.5).error_rate(0).max_slices(1024));
    for (std::uint64_t i = 0; i < 4000; ++i) {
        filter.insert(lately::le64(i), i * 1ms);
    }
    const auto given = load_options().memory(filter.stats().bytes);
    CHECK(filter.stats().slices > 300);
    const octets bytes = filter.snapshot();
    EQUAL(loaded<handle>(bytes, 0s, given), streamed<handle>(bytes, 0s, given));
    OK(streamed<handle>(bytes, 0s, load_options().memory(std::uint64_t{1} << 20)));
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
    try {
        filter.write_snapshot(full);
        CHECK(!"it was written");
    } catch (const lately::error& error) {
        EQUAL(status::io, error.code());
        EQUAL(std::string("write_snapshot: IO: reading or writing failed"),
              std::string(error.what()));
    }
    try {
        (void)handle::read_snapshot(missing, 0s);
        CHECK(!"it was read");
    } catch (const lately::error& error) {
        EQUAL(status::io, error.code());
    }
}

TEST_BOTH(a_stream_that_throws_at_its_end_gives_what_it_has) {
    const auto filter = begun<handle>();
    std::istringstream in(text(filter.snapshot()));
    in.exceptions(std::ios::eofbit | std::ios::failbit | std::ios::badbit);
    OK(handle::try_read_snapshot(in, 0s).code());
    EQUAL(status::magic, handle::try_read_snapshot(in, 0s).code());
}

TEST_BOTH(a_closed_filter_has_no_snapshot) {
    auto filter = begun<handle>();
    filter.close();
    std::ostringstream out;
    octets room(9);
    EQUAL(status::closed, filter.try_snapshot_size().code());
    EQUAL(status::closed, filter.try_snapshot_write(room).code());
    EQUAL(status::closed, filter.try_snapshot().code());
    EQUAL(status::closed, filter.try_write_snapshot(out));
    CHECK(out.str().empty());
}

TEST_BOTH(no_bytes_and_null_are_refused) {
    EQUAL(status::magic, loaded<handle>({}));
    EQUAL(status::null, handle::try_load(lately::bytes(nullptr, 60), 0s).code());
}
