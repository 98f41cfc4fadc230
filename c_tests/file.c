/* A filter in a file (lately_file.h): opened, saved, and opened again, on good days and on bad ones. */
#if !defined(_WIN32)
#ifndef __cplusplus
#define _POSIX_C_SOURCE 200809L
#endif
#include <stdio.h>
#include <unistd.h>
static int watched_fsync(int descriptor);
static size_t watched_fwrite(const void *bytes, size_t size, size_t count, FILE *file);
#define fsync watched_fsync
#define fwrite watched_fwrite
#endif
#include "lately_file.h"
#undef fsync
#undef fwrite

#include "check.h"

#include <dirent.h>
#include <stdlib.h>
#if defined(_WIN32)
#include <direct.h>
#include <sys/utime.h>
#define make_folder(path) _mkdir(path)
#define remove_folder _rmdir
#define utimbuf _utimbuf
#define utime _utime
#else
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <utime.h>
#define make_folder(path) mkdir(path, 0777)
#define remove_folder rmdir
#endif

#define HOUR 3600
#define ROOM 300

static lately_error error;
static lately_opened opened;
static char folder[ROOM / 3];

/* A path in the folder of one test, to be used before the next two are asked for. */
static const char *in_folder(const char *name) {
    static char paths[3][2 * ROOM];
    static unsigned turn;
    char *path = paths[turn++ % 3];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

/* The request of most tests: the last thousand keys. */
static lately_options options;

/* A new folder; the path of the file that a test saves there. */
static const char *begin(void) {
    static char path[ROOM];
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(folder, sizeof folder, "file-%u-%lx", i, (unsigned long)(time(NULL) & 0xFFFFFF));
        if (make_folder(folder) == 0) {
            break;
        }
    }
    error.struct_size = sizeof error;
    opened.struct_size = sizeof opened;
    snprintf(path, sizeof path, "%s/seen", folder);
    return path;
}

/* Empties the folder, or only counts what is in it. */
static unsigned names(int and_remove) {
    unsigned count = 0;
    DIR *all = opendir(folder);
    if (!CHECK(all != NULL)) {
        return 0;
    }
    for (struct dirent *one = readdir(all); one != NULL; one = readdir(all)) {
        if (strcmp(one->d_name, ".") != 0 && strcmp(one->d_name, "..") != 0) {
            count++;
            if (and_remove) {
                lately_file_remove(in_folder(one->d_name));
            }
        }
    }
    closedir(all);
    return count;
}

static void end(void) {
    names(1);
    CHECK(remove_folder(folder) == 0);
}

static void put(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (CHECK(file != NULL)) {
        CHECK(fwrite(bytes, 1, size, file) == size);
        CHECK(fclose(file) == 0);
    }
}

/* What is in a file, to be freed. */
static uint8_t *content(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = (uint8_t *)malloc(1 << 16);
    *size = file == NULL || bytes == NULL ? 0 : fread(bytes, 1, 1 << 16, file);
    if (file != NULL) {
        fclose(file);
    }
    return bytes;
}

static int has(const char *path, const void *bytes, size_t size) {
    size_t now = 0;
    uint8_t *have = content(path, &now);
    int same = have != NULL && now == size && memcmp(have, bytes, size) == 0;
    free(have);
    return same;
}

static lately_options last_keys(uint64_t keys) {
    lately_options options = LATELY_OPTIONS_INIT;
    OK(lately_options_last(&options, keys));
    return options;
}

static lately_options hour(void) {
    lately_options options = LATELY_OPTIONS_INIT;
    OK(lately_options_window(&options, LATELY_HOUR));
    return options;
}

/* The filter of a file, which must open. */
static lately_filter *opened_from(const char *path, const lately_options *options) {
    lately_filter *filter = NULL;
    OK(lately_filter_open(path, options, &filter, &opened, &error));
    CHECK(filter != NULL && error.code == LATELY_OK && error.field == 0 && error.message[0] == 0);
    return filter;
}

/* Why a file does not open. Nothing is written but the error. */
static lately_status refusal(const char *path, const lately_options *options) {
    lately_filter *const untouched = (lately_filter *)&error;
    lately_filter *filter = untouched;
    memset(&opened, 0x5A, sizeof opened);
    opened.struct_size = sizeof opened;
    const lately_opened before = opened;
    lately_status status = lately_filter_open(path, options, &filter, &opened, &error);
    CHECK(status != LATELY_OK && filter == untouched && memcmp(&opened, &before, sizeof opened) == 0);
    CHECK(error.code == status && error.message[0] != 0);
    return status;
}

static void saved_to(const lately_filter *filter, const char *path) {
    OK(lately_filter_save(filter, path, &error));
    CHECK(error.code == LATELY_OK && error.message[0] == 0);
}

/* Saves a filter that has the key `a`. */
static void save_a(const char *path, const lately_options *options) {
    lately_filter *filter = opened_from(path, options);
    CHECK(opened.found == 0 && opened.elapsed_ns == 0 && opened.ahead_ns == 0);
    CHECK(observe_at(filter, "a", LATELY_NOW) == LATELY_NEW);
    CHECK(names(0) == 0); /* nothing is written before it is saved */
    saved_to(filter, path);
    lately_filter_free(filter);
}

/* Makes a file older, or one of the future. */
static void date(const char *path, int64_t age_s) {
    struct utimbuf times;
    times.actime = times.modtime = time(NULL) - (time_t)age_s;
    CHECK(utime(path, &times) == 0);
}

/* Puts such a file there. */
static void aged(const char *name, int64_t age_s) {
    put(in_folder(name), "half a snapshot", 15);
    date(in_folder(name), age_s);
}

/* Whether a handle has many holders. */
static void expect_many(lately_filter *filter, int many) {
    lately_status status = lately_filter_retain(filter);
    CHECK(status == (many ? LATELY_OK : LATELY_ERR_UNSUPPORTED));
    if (status == LATELY_OK) {
        lately_filter_free(filter);
    }
}

/* ---- good days ---- */

static void a_saved_filter_continues(void) {
    const char *path = begin();
    save_a(path, &options);
    for (int round = 0; round < 3; round++) {
        lately_filter *filter = opened_from(path, &options), *other = NULL;
        CHECK(opened.found == 1 && contains_at(filter, "a", LATELY_NOW) == LATELY_DUPLICATE);
        saved_to(filter, path);
        OK((lately_shared_open)(path, &options, &other, NULL, NULL)); /* by the other handle, asked for nothing else */
        OK(lately_filter_save(other, path, NULL));
        expect_many(other, 1);
        expect_many(filter, lately_filter_open == lately_shared_open);
        lately_filter_free(filter);
        lately_filter_free(other);
    }
    CHECK(names(0) == 1);
    put(path, "", 0); /* an empty file is only a name */
    lately_filter *filter = opened_from(path, &options);
    CHECK(opened.found == 0 && contains_at(filter, "a", LATELY_NOW) == LATELY_NEW);
    saved_to(filter, path);
    lately_filter_free(filter);
    end();
}

static void the_time_of_a_file_is_the_age_of_its_keys(void) {
    const struct { int64_t age_s; uint8_t verdict; } rows[] = {
        { 0, LATELY_DUPLICATE }, { HOUR / 2, LATELY_DUPLICATE }, { 3 * HOUR, LATELY_NEW }, { -3 * HOUR, LATELY_DUPLICATE } };
    const uint64_t slack = 2 * LATELY_SECOND; /* files of whole seconds */
    lately_options options = hour();
    const char *path = begin();
    save_a(path, &options);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t age = (uint64_t)(rows[i].age_s < 0 ? -rows[i].age_s : rows[i].age_s) * LATELY_SECOND;
        date(path, rows[i].age_s);
        lately_filter *filter = opened_from(path, &options);
        CHECK(contains_at(filter, "a", LATELY_NOW) == rows[i].verdict);
        CHECK(rows[i].age_s < 0 ? opened.elapsed_ns == 0 && opened.ahead_ns + 600 * LATELY_SECOND > age && opened.ahead_ns <= age
                                : opened.ahead_ns == 0 && opened.elapsed_ns + slack > age);
        lately_filter_free(filter);
    }
    end();
}

static void the_time_of_a_file_is_nothing_to_a_manual_clock(void) {
    lately_options options = hour();
    options.clock = LATELY_CLOCK_MANUAL_S;
    const char *path = begin();
    lately_filter *filter = opened_from(path, &options);
    CHECK(observe_at(filter, "a", 1000) == LATELY_NEW);
    saved_to(filter, path);
    lately_filter_free(filter);
    date(path, 10 * HOUR);
    filter = opened_from(path, &options);
    CHECK(opened.found == 1 && opened.elapsed_ns == 0 && stats_of(filter).clock == 1000);
    CHECK(observe_at(filter, "a", 1000 + HOUR) == LATELY_DUPLICATE);
    lately_filter_free(filter);
    end();
}

static int is_there(const char *name) {
    FILE *file = fopen(in_folder(name), "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

/* ---- the drafts of programs that were killed ---- */

static void drafts_not_written_for_ten_minutes_go_and_the_rest_stays(void) {
    const char *const drafts[] = { "seen.0123456789abcdef.new", "seen.ffffffffffffffff.new", "seen.0000000000000000.new" };
    const char *const young = "seen.1123456789abcdef.new", *const future = "seen.2123456789abcdef.new";
    const char *const similar[] = { "seen.new", "seen..new", "seen.0123456789abcde.new", "seen.0123456789abcdef0.new",
        "seen.3123456789ABCDEF.new", "seen.0123456789abcdeg.new", "seen.0123456789abcdef.old", "seen.0123456789abcdef",
        "seen.0123456789abcdef.new.old", "seen-0123456789abcdef.new", "other.0123456789abcdef.new",
        "soon.0123456789abcdef.new", "my.seen.0123456789abcdef.new" };
    const size_t draft_count = sizeof drafts / sizeof *drafts;
    const size_t similar_count = sizeof similar / sizeof *similar;
    lately_filter *filter = new_filter(&options);
    begin();
    for (size_t i = 0; i < draft_count; i++) {
        aged(drafts[i], 610);
    }
    for (size_t i = 0; i < similar_count; i++) {
        aged(similar[i], 10 * HOUR);
    }
    aged(young, 590);
    aged(future, -HOUR);
    saved_to(filter, in_folder("seen"));
    for (size_t i = 0; i < draft_count; i++) {
        CHECK(!is_there(drafts[i]));
    }
    for (size_t i = 0; i < similar_count; i++) {
        CHECK(is_there(similar[i]));
    }
    CHECK(is_there(young) && is_there(future) && names(0) == similar_count + 3);
    lately_filter_free(filter);
    end();
}

static void what_a_saver_draws_is_the_name_of_a_draft(void) {
    char draft[LATELY_FILE_PATH + 32];
    begin();
    for (int i = 0; i < 64; i++) { /* one number in 16 begins with a zero */
        FILE *file = lately_file_draft(in_folder("seen"), NULL, draft);
        CHECK(file != NULL && lately_file_is_draft(draft + strlen(folder) + 1, "seen"));
        if (file != NULL) {
            fclose(file);
        }
    }
    CHECK(names(0) == 64);
    end();
}

/* ---- bad days, on every system ---- */

static void other_options_are_refused_by_name(void) {
    lately_options keys = last_keys(1001), seed = options, none = last_keys(0);
    size_t size = 0;
    const char *path = begin();
    save_a(path, &options);
    uint8_t *before = content(path, &size);
    seed.seed = 7;
    const struct { const lately_options *options; uint32_t field; } rows[] = {
        { &keys, LATELY_FIELD_WINDOW_KEYS }, { &seed, LATELY_FIELD_SEED } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        STATUS(LATELY_ERR_OPTIONS_DIFFER, refusal(path, rows[i].options));
        CHECK(error.field == rows[i].field && strncmp(error.message, path, strlen(path)) == 0);
    }
    CHECK(has(path, before, size));
    STATUS(LATELY_ERR_OPTION, refusal(in_folder("none"), &none)); /* the options of a new filter */
    CHECK(error.field == LATELY_FIELD_WINDOW_NS && strncmp(error.message, "window_ns = ", 12) == 0);
    free(before);
    end();
}

/* What the file has is refused by both, and stays. */
static void is_foreign(const lately_filter *filter, const char *path, const void *bytes, size_t size, lately_status status) {
    put(path, bytes, size);
    refusal(path, &options);
    STATUS(status, lately_filter_save(filter, path, &error));
    CHECK(error.code == status && strstr(error.message, "seen: not replaced: ") != NULL);
    CHECK(has(path, bytes, size) && names(0) == 1);
}

static void what_is_no_state_is_neither_opened_nor_replaced(void) {
    size_t size = 0;
    const char *path = begin();
    save_a(path, &options);
    lately_filter *filter = opened_from(path, &options);
    uint8_t *good = content(path, &size), *bytes = (uint8_t *)malloc(size + 1);
    CHECK(size > 100);
    is_foreign(filter, path, "my thesis, chapter 1", 20, LATELY_ERR_MAGIC);
    is_foreign(filter, path, good, 5, LATELY_ERR_MAGIC);
    is_foreign(filter, path, good, 8, LATELY_ERR_CORRUPT);
    memcpy(bytes, good, size);
    bytes[8] = 99;
    is_foreign(filter, path, bytes, size, LATELY_ERR_VERSION);
    memcpy(bytes, good, size);
    bytes[size] = '{';
    put(path, bytes, size + 1);
    STATUS(LATELY_ERR_CORRUPT, refusal(path, &options));
    CHECK(strstr(error.message, "bytes follow the filter") != NULL);
    put(path, bytes, size - 1);
    STATUS(LATELY_ERR_CORRUPT, refusal(path, &options));
    bytes[size - 1] ^= 1;
    put(path, bytes, size);
    STATUS(LATELY_ERR_CHECKSUM, refusal(path, &options));
    saved_to(filter, path); /* a damaged state is a state: the caller decides */
    CHECK(has(path, good, size));
    free(good);
    free(bytes);
    lately_filter_free(filter);
    end();
}

static void a_missing_folder_is_found_at_the_start(void) {
    lately_filter *filter = new_filter(&options);
    begin();
    const char *path = in_folder("gone/seen");
    STATUS(LATELY_ERR_IO, refusal(path, &options));
    CHECK(strstr(error.message, "gone/seen: its folder: ") != NULL && strstr(error.message, strerror(ENOENT)) != NULL);
    STATUS(LATELY_ERR_IO, lately_filter_save(filter, path, &error));
    CHECK(errno == ENOENT && error.field == 0);
    STATUS(LATELY_ERR_IO, refusal(folder, &options)); /* a folder is no file */
    CHECK(errno == EISDIR);
    STATUS(LATELY_ERR_IO, lately_filter_save(filter, folder, &error));
    CHECK(strstr(error.message, ": not replaced: ") != NULL && errno == 0);
    CHECK(names(0) == 0);
    lately_filter_free(filter);
    end();
}

static void a_keyed_filter_needs_the_secret_that_no_file_has(void) {
    lately_options keyed = options;
    const char *path = begin();
    keyed.keyed = 1;
    STATUS(LATELY_ERR_OPTION, refusal(path, &keyed));
    CHECK(error.field == LATELY_FIELD_SECRET_LO);
    keyed.secret_lo = 1;
    keyed.secret_hi = 2;
    save_a(path, &keyed);
    lately_filter_free(opened_from(path, &keyed));
    CHECK(opened.found == 1);
    keyed.secret_hi = 3;
    STATUS(LATELY_ERR_SECRET, refusal(path, &keyed));
    end();
}

static void names_that_are_too_long(void) {
    char *path = (char *)malloc(LATELY_FILE_PATH + 2);
    begin();
    memset(path, 'x', LATELY_FILE_PATH + 1);
    path[LATELY_FILE_PATH + 1] = 0;
    STATUS(LATELY_ERR_IO, refusal(path, &options)); /* for this header */
    CHECK(strncmp(error.message, "...xxx", 6) == 0 && strstr(error.message, strerror(ENAMETOOLONG)) != NULL);
    CHECK(strstr(error.message, "x: cannot be opened: ") == error.message + LATELY_FILE_NAME - 1);
    path[LATELY_FILE_PATH - 1] = 0;
    STATUS(LATELY_ERR_IO, refusal(path, &options)); /* for the system */
    free(path);
    end();
}

static void pointers_and_sizes(void) {
    lately_filter *filter = new_filter(&options), *other = NULL;
    const char *path = begin();
    STATUS(LATELY_ERR_NULL, lately_filter_open(NULL, &options, &other, NULL, &error));
    CHECK(error.code == LATELY_ERR_NULL && error.message[0] != 0);
    STATUS(LATELY_ERR_NULL, lately_filter_open(path, NULL, &other, NULL, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_open(path, &options, NULL, NULL, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_save(NULL, path, NULL));
    STATUS(LATELY_ERR_NULL, lately_filter_save(filter, NULL, NULL));
    opened.struct_size--;
    STATUS(LATELY_ERR_STRUCT_SIZE, lately_filter_open(path, &options, &other, &opened, NULL));
    error.struct_size++;
    STATUS(LATELY_ERR_STRUCT_SIZE, lately_filter_open(path, &options, &other, NULL, &error));
    STATUS(LATELY_ERR_STRUCT_SIZE, lately_filter_save(filter, path, &error));
    CHECK(other == NULL && names(0) == 0);
    lately_filter_free(filter);
    end();
}

/* ---- bad days that POSIX can make ---- */

#if !defined(_WIN32)

/* How many files are open. */
static int open_files(void) {
    int count = 0;
    for (int descriptor = 0; descriptor < 256; descriptor++) {
        count += fcntl(descriptor, F_GETFD) >= 0;
    }
    return count;
}

static void a_link_still_leads_to_the_file_whose_mode_stays(void) {
    struct stat facts;
    begin();
    const char *path = in_folder("seen"), *link = in_folder("link");
    CHECK(symlink("seen", link) == 0);
    lately_filter *filter = opened_from(link, &options);
    CHECK(opened.found == 0);
    saved_to(filter, link); /* which leads to nothing yet */
    CHECK(stat(path, &facts) == 0 && S_ISREG(facts.st_mode));
    CHECK(chmod(path, 0640) == 0);
    if (geteuid() == 0) {
        CHECK(chown(path, 1234, 2345) == 0);
    }
    const ino_t first = facts.st_ino;
    saved_to(filter, link);
    CHECK(lstat(link, &facts) == 0 && S_ISLNK(facts.st_mode));
    CHECK(stat(path, &facts) == 0 && (facts.st_mode & 07777) == 0640 && facts.st_ino != first);
    CHECK(geteuid() != 0 || (facts.st_uid == 1234 && facts.st_gid == 2345));
    CHECK(names(0) == 2);
    CHECK(symlink("circle", in_folder("circle")) == 0);
    STATUS(LATELY_ERR_IO, lately_filter_save(filter, in_folder("circle"), &error));
    CHECK(errno == ELOOP && strstr(error.message, strerror(ELOOP)) != NULL);
    STATUS(LATELY_ERR_IO, refusal(in_folder("circle"), &options));
    lately_filter_free(filter);
    end();
}

/* Saves where a file may have `most` bytes, as on a disk that has no more. */
static void full(const lately_filter *filter, const char *path, rlim_t most) {
    struct rlimit limit, before;
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit = before;
    limit.rlim_cur = most;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    lately_status status = lately_filter_save(filter, path, &error);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    STATUS(LATELY_ERR_IO, status);
    CHECK(strstr(error.message, "seen: not saved: ") != NULL && strstr(error.message, strerror(EFBIG)) != NULL);
}

static void a_full_disk_leaves_the_old_state(void) {
    lately_options large = last_keys(100000);
    size_t size = 0;
    const char *path = begin();
    save_a(path, &options);
    uint8_t *before = content(path, &size);
    lately_filter *filter = opened_from(path, &options), *much = new_filter(&large);
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    full(filter, path, 100); /* found when all is written */
    full(much, path, 100);   /* found by the writer */
    signal(SIGXFSZ, old);
    CHECK(has(path, before, size) && names(0) == 1);
    free(before);
    lately_filter_free(filter);
    lately_filter_free(much);
    end();
}

/* What another saver does while this one stalls, before its draft is on the disk. */
static const lately_filter *overtaker;
static const char *overtaken;

/* Ages every draft, and saves. */
static void overtake(void) {
    const lately_filter *filter = overtaker;
    overtaker = NULL; /* it saves, too */
    DIR *all = opendir(folder);
    for (struct dirent *one = readdir(all); one != NULL; one = readdir(all)) {
        if (strstr(one->d_name, ".new") != NULL) {
            date(in_folder(one->d_name), 601);
        }
    }
    closedir(all);
    saved_to(filter, overtaken);
}

static unsigned synced, refused_sync, names_at[3];

/* The disk: what is in the folder whenever something is brought to it; or it fails, once. */
static int watched_fsync(int descriptor) {
    if (overtaker != NULL) {
        overtake();
    }
    synced++;
    names_at[synced % 3] = names(0);
    errno = EIO;
    return synced == refused_sync ? -1 : fsync(descriptor);
}

static int refuse_writes;

/* A disk that was full for a moment. */
static size_t watched_fwrite(const void *bytes, size_t size, size_t count, FILE *file) {
    errno = ENOSPC;
    return refuse_writes-- > 0 ? 0 : fwrite(bytes, size, count, file);
}

/* The draft is on the disk before it takes the name of the old file, and the name after that. */
static void what_is_saved_is_on_the_disk(void) {
    const char *path = begin();
    save_a(path, &options);
    lately_filter *filter = opened_from(path, &options);
    synced = refused_sync = 0;
    saved_to(filter, path);
    CHECK(synced == 2 && names_at[1] == 2 && names_at[2] == 1);
    for (unsigned i = 1; i <= 2; i++) {
        synced = 0;
        refused_sync = i;
        STATUS(LATELY_ERR_IO, lately_filter_save(filter, path, &error));
        CHECK(synced == i && strstr(error.message, strerror(EIO)) != NULL && names(0) == 1);
    }
    refused_sync = 0;
    refuse_writes = 1;
    STATUS(LATELY_ERR_IO, lately_filter_save(filter, path, &error));
    CHECK(strstr(error.message, strerror(ENOSPC)) != NULL && names(0) == 1);
    refuse_writes = 0;
    lately_filter_free(filter);
    end();
}

static void a_saver_that_stalled_finds_its_draft_gone_and_the_file_as_it_was(void) {
    lately_filter *filter = new_filter(&options), *other = new_filter(&options);
    const char *path = begin();
    CHECK(observe_at(other, "b", LATELY_NOW) == LATELY_NEW);
    overtaker = other;
    overtaken = path;
    STATUS(LATELY_ERR_IO, lately_filter_save(filter, path, &error));
    CHECK(overtaker == NULL && strstr(error.message, "seen: not saved: its draft is gone: a save removes drafts") != NULL);
    CHECK(names(0) == 1);
    lately_filter_free(filter);
    lately_filter_free(other);
    filter = opened_from(path, &options);
    CHECK(opened.found == 1 && contains_at(filter, "b", LATELY_NOW) == LATELY_DUPLICATE);
    lately_filter_free(filter);
    end();
}

/* What is named as a draft, and is none; and the drafts of the file that a link leads to. */
static void links_and_folders_stay_and_the_drafts_behind_a_link_go(void) {
    const char *const folder_name = "seen.0123456789abcdef.new", *const link_name = "seen.1123456789abcdef.new";
    const char *const of_file = "seen.2123456789abcdef.new", *const of_link = "link.2123456789abcdef.new";
    const struct timespec old[2] = { { 0, 0 }, { 0, 0 } };
    lately_filter *filter = new_filter(&options);
    struct stat facts;
    begin();
    aged("target", HOUR);
    aged(of_file, HOUR);
    aged(of_link, HOUR);
    CHECK(symlink("target", in_folder(link_name)) == 0 && symlink("seen", in_folder("link")) == 0);
    CHECK(utimensat(AT_FDCWD, in_folder(link_name), old, AT_SYMLINK_NOFOLLOW) == 0);
    CHECK(make_folder(in_folder(folder_name)) == 0 && utimensat(AT_FDCWD, in_folder(folder_name), old, 0) == 0);
    saved_to(filter, in_folder("link"));
    CHECK(lstat(in_folder(link_name), &facts) == 0 && S_ISLNK(facts.st_mode) && is_there("target"));
    CHECK(lstat(in_folder(folder_name), &facts) == 0 && S_ISDIR(facts.st_mode));
    CHECK(!is_there(of_file) && is_there(of_link));
    CHECK(remove_folder(in_folder(folder_name)) == 0);
    lately_filter_free(filter);
    end();
}

/* Saves again and again: the exit code is the number of failures. */
static int save_often(const lately_filter *filter, const char *path) {
    int failed = 0;
    for (int i = 0; i < 100; i++) {
        failed += lately_filter_save(filter, path, NULL) != LATELY_OK;
    }
    return failed;
}

static void two_savers_leave_one_whole_state(void) {
    lately_options options = last_keys(2000);
    pid_t savers[2];
    const char *path = begin();
    save_a(path, &options);
    lately_filter *filter = opened_from(path, &options);
    fflush(NULL);
    for (int i = 0; i < 2; i++) {
        savers[i] = fork();
        if (savers[i] == 0) {
            _exit(save_often(filter, path));
        }
    }
    for (int i = 0; i < 100; i++) {
        lately_filter *other = opened_from(path, &options);
        CHECK(opened.found == 1 && contains_at(other, "a", LATELY_NOW) == LATELY_DUPLICATE);
        lately_filter_free(other);
    }
    for (int i = 0; i < 2; i++) {
        int status = -1;
        CHECK(savers[i] > 0 && waitpid(savers[i], &status, 0) == savers[i] && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    CHECK(names(0) == 1);
    lately_filter_free(filter);
    end();
}

/* The first folder of the list of mounts is one, whatever machine this is. */
static void a_file_that_is_mounted_by_itself_is_refused(void) {
    lately_filter *filter = new_filter(&options);
    char place[LATELY_FILE_PATH] = "";
    FILE *mounts = fopen("/proc/self/mountinfo", "r");
    begin();
    if (mounts != NULL) {
        CHECK(fscanf(mounts, "%*s %*s %*s %*s %4095s", place) == 1 && strchr(place, '\\') == NULL);
        fclose(mounts);
        STATUS(LATELY_ERR_IO, refusal(place, &options));
        CHECK(strstr(error.message, "mount its folder") != NULL);
        STATUS(LATELY_ERR_IO, lately_filter_save(filter, place, &error));
        CHECK(strstr(error.message, "mount its folder") != NULL);
    }
    char name[] = "/a\\040b\\134c\\012";
    lately_file_unescape(name);
    CHECK(strcmp(name, "/a b\\c\n") == 0);
    lately_filter_free(filter);
    end();
}

static void on_posix(void) {
    a_link_still_leads_to_the_file_whose_mode_stays();
    a_full_disk_leaves_the_old_state();
    what_is_saved_is_on_the_disk();
    a_saver_that_stalled_finds_its_draft_gone_and_the_file_as_it_was();
    links_and_folders_stay_and_the_drafts_behind_a_link_go();
    two_savers_leave_one_whole_state();
    a_file_that_is_mounted_by_itself_is_refused();
}

#else

static int open_files(void) {
    return 0;
}

static void on_posix(void) {}

#endif

int main(void) {
    int files = open_files();
    options = last_keys(1000);
    a_saved_filter_continues();
    the_time_of_a_file_is_the_age_of_its_keys();
    the_time_of_a_file_is_nothing_to_a_manual_clock();
    other_options_are_refused_by_name();
    what_is_no_state_is_neither_opened_nor_replaced();
    drafts_not_written_for_ten_minutes_go_and_the_rest_stays();
    what_a_saver_draws_is_the_name_of_a_draft();
    a_missing_folder_is_found_at_the_start();
    a_keyed_filter_needs_the_secret_that_no_file_has();
    names_that_are_too_long();
    pointers_and_sizes();
    on_posix();
    CHECK(open_files() == files); /* all that was opened is closed */
    return check_done("file");
}
