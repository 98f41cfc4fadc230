// A filter in a file: opened or made, compared with what is asked for, saved. What is done on the disk is tested in c_tests/file.c.
#include "check.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using lately::status;
using lately::verdict;

namespace {

// An empty folder that goes with the test.
class folder {
public:
    folder() : path_(fs::temp_directory_path() / ("lately_files_" + std::to_string(lately::hash64(name(), 0)))) {
        fs::remove_all(path_);
        fs::create_directory(path_);
    }
    ~folder() { fs::remove_all(path_); }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;
    fs::path operator/(const char* name) const { return path_ / name; }

private:
    // Others may run the same test.
    static std::string name() {
        std::ostringstream text;
        text << &text << std::chrono::steady_clock::now().time_since_epoch().count();
        return text.str();
    }
    fs::path path_;
};

lately::options ten_minutes() { return lately::options::window(10min).memory(1 << 20); }

std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// What opening the file comes to; it leaves the file as it is.
template <class Handle>
lately::failure refused(const fs::path& file, const lately::options& request) {
    const std::string before = content(file);
    lately::failure why;
    const status code = Handle::try_open(file, request, &why).code();
    EQUAL(code, why.code);
    CHECK(content(file) == before);
    CHECK(std::string(why.message).find(file.string()) == 0);
    return why;
}

} // namespace

TEST_BOTH(a_saved_filter_is_opened) {
    const folder room;
    lately::origin from;
    auto first = handle::open(room / "seen", ten_minutes(), &from);
    CHECK(!from.was_saved);
    CHECK(first.first("a"));
    first.save(room / "seen");
    first.save(room / "seen"); // also over one that is there
    CHECK(!fs::exists(room / "seen.new"));
    auto second = handle::open(room / "seen", ten_minutes(), &from);
    CHECK(from.was_saved && from.elapsed >= 0ns && from.elapsed < 1min && from.ahead == 0ns);
    CHECK(!second.first("a"));
    second.expect(ten_minutes());
    EQUAL(std::uint64_t{600000000000}, second.options().raw().window_ns);
}

TEST_BOTH(time_on_disk_counts_and_a_file_from_the_future_is_not_old) {
    const folder room;
    auto seen = handle::open(room / "seen", ten_minutes());
    seen.insert("a");
    seen.save(room / "seen");
    lately::origin from;
    fs::last_write_time(room / "seen", fs::file_time_type::clock::now() - 1h);
    EQUAL(verdict::new_, handle::open(room / "seen", ten_minutes(), &from).contains("a"));
    CHECK(from.elapsed >= 59min && from.ahead == 0ns);
    fs::last_write_time(room / "seen", fs::file_time_type::clock::now() + 1h);
    EQUAL(verdict::duplicate, handle::open(room / "seen", ten_minutes(), &from).contains("a"));
    CHECK(from.elapsed == 0ns && from.ahead > 59min);
}

TEST_BOTH(a_manual_clock_goes_on_from_its_tick) {
    const folder room;
    const auto request = lately::options::window(10min).clock(lately::clock_source::manual_s);
    auto seen = handle::open(room / "seen", request);
    seen.insert("a", 100s);
    EQUAL(std::uint64_t{100}, seen.stats().clock);
    seen.save(room / "seen");
    fs::last_write_time(room / "seen", fs::file_time_type::clock::now() - 1h);
    auto again = handle::open(room / "seen", request);
    EQUAL(std::uint64_t{100}, again.stats().clock);
    EQUAL(verdict::duplicate, again.observe("a", 101s + 999ms));
    EQUAL(std::uint64_t{101}, again.stats().clock);
    lately::batch nanoseconds;
    nanoseconds.push_back("b", 102s);
    EQUAL(status::clock, again.try_insert_many(nanoseconds).code);
    lately::batch seconds(lately::clock_source::manual_s);
    seconds.push_back("b", 102s);
    OK(again.try_insert_many(seconds).code);
    EQUAL(std::uint64_t{102}, again.stats().clock);
}

TEST_BOTH(a_state_that_does_not_fit_is_refused_and_stays) {
    const folder room;
    handle(ten_minutes()).save(room / "seen");
    const auto other = refused<handle>(room / "seen", lately::options::window(5min).memory(1 << 20));
    EQUAL(status::options_differ, other.code);
    EQUAL(lately::field::window_ns, other.field);
    std::ofstream(room / "empty").close();
    lately::origin from;
    from.was_saved = true;
    CHECK(handle::try_open(room / "empty", ten_minutes(), nullptr, &from) && !from.was_saved);
    EQUAL(status::io, handle::try_open(room / ".", ten_minutes()).code());
    const auto gone = refused<handle>(room / "gone" / "seen", ten_minutes());
    EQUAL(status::io, gone.code);
    CHECK(std::strstr(gone.message, std::strerror(ENOENT)) != nullptr);
    EQUAL(status::options_differ, handle(ten_minutes()).try_expect(lately::options::last(7)));
    EQUAL(status::closed, handle().try_expect(ten_minutes()));
    EQUAL(status::closed, handle().try_save(room / "seen"));
    lately::failure why;
    EQUAL(status::io, handle(ten_minutes()).try_save(room / "gone" / "seen", &why));
    CHECK(std::string(why.message).find("seen: not saved: ") != std::string::npos);
}
