/*
 * lately: a filter in a file, from run to run. Inline functions over lately.h, for POSIX and Windows; C11 and C++17.
 *
 *     if (lately_filter_open("seen.lately", &options, &filter, NULL, &error) != LATELY_OK) { puts(error.message); return 1; }
 *     ...
 *     if (lately_filter_save(filter, "seen.lately", &error) != LATELY_OK) { puts(error.message); }
 *
 *     open   no file, or an empty one: a new filter; otherwise that of the file, if the options make such a one
 *     save   the snapshot -> FILE.RANDOM.new, on the disk -> renamed to FILE; RANDOM is 16 hex digits
 *
 * A program that is killed at any moment leaves the old file or the new one, whole. What could not be read is never replaced.
 * The draft of a killed program goes with a later save.
 * A snapshot does not say when it was written: the file does. Neither function needs memory for the whole snapshot, except
 * for the copy of a filter for many threads. A path is UTF-8 on Windows.
 *
 * A program in strict C11 (-std=c11) includes this header first, or defines _POSIX_C_SOURCE as 200809L.
 *
 * License: MIT OR Apache-2.0.
 */
#ifndef LATELY_FILE_H
#define LATELY_FILE_H

/* In strict C the headers of the system declare no files of POSIX, unless the first of them is asked to. */
#if defined(__STRICT_ANSI__) && !defined(__cplusplus) && !defined(__APPLE__) && !defined(_POSIX_C_SOURCE)
#define _POSIX_C_SOURCE 200809L
#endif

#include "lately.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#if defined(_WIN32)
#include <io.h>
#include <wchar.h>
#else
#include <dirent.h>
#include <unistd.h>
#if !defined(O_CLOEXEC)
#error "lately_file.h needs POSIX 2008: include it first, or define _POSIX_C_SOURCE as 200809L before the first header"
#endif
#endif

#ifdef __cplusplus
#define LATELY_FILE_CAST(type, value) static_cast<type>(value)
extern "C" {
#else
#define LATELY_FILE_CAST(type, value) ((type)(value))
#endif

/* ---- Open and save ---------------------------------------------------------------------------------------------- */

/** What `lately_filter_open` found. Set `struct_size` (LATELY_OPENED_INIT does). */
typedef struct lately_opened {
    size_t struct_size; /**< sizeof(lately_opened), set by the caller. */
    uint64_t found; /**< 1 if there was a file, whose filter continues; 0 if the filter is new. */
    /** The time since the file was written, by which every age grew; 0 with a manual clock, where the next tick shows
     * what passed. */
    uint64_t elapsed_ns;
    /** By how much the file is from the future, 0 if it is not: the machine's clock was set back, or the file is from
     * another machine. `elapsed_ns` is 0 then, and keys are kept for that much too long. */
    uint64_t ahead_ns;
} lately_opened;

#define LATELY_OPENED_INIT { sizeof(lately_opened), 0, 0, 0 }

/** The filter that `lately_filter_save` wrote to a file, or a new one if there is no file or an empty one, for one
 * owner at a time. It must be as the options make it. Nothing is written before the filter is saved, and whatever the
 * status, the file stays as it is.
 * - `path` (in): the file; its folder must be there. A link is followed, also to where nothing is yet.
 * - `options` (in): not NULL, set up by `lately_options_init`. Those of a keyed filter give the secret, since one that
 *   is drawn is in no file.
 * - `filter` (out): not NULL; the new handle, written only on LATELY_OK.
 * - `opened` (out): what there was; may be NULL, else with `struct_size` set; written only on LATELY_OK.
 * - `error` (out): the reason of a failure; may be NULL, else with `struct_size` set. A message about the file begins
 *   with its name, of which only the end is there if it is long.
 * Status: LATELY_ERR_IO if the system refuses the file or its folder, or the file is mounted by itself: errno is then the
 * system's reason, or 0; LATELY_ERR_OPTIONS_DIFFER, and `error->field` is the first option that differs;
 * LATELY_ERR_OPTION without the secret of a keyed filter, and as `lately_filter_new`; LATELY_ERR_CORRUPT also if bytes
 * follow the filter; else as `lately_filter_load`, but never LATELY_ERR_ELAPSED for a time ahead. Ownership: the caller
 * owns the handle and passes it to `lately_filter_free` once. Cost: that of `lately_filter_load_pieces` and
 * `lately_filter_expect`. */
LATELY_NODISCARD static inline lately_status lately_filter_open(const char *path, const lately_options *options,
    lately_filter **filter, lately_opened *opened, lately_error *error);
/** As `lately_filter_open`, for any number of threads at once. */
LATELY_NODISCARD static inline lately_status lately_shared_open(const char *path, const lately_options *options,
    lately_filter **filter, lately_opened *opened, lately_error *error);
/** Saves a filter of either handle in a file, whole or not at all, where `lately_filter_open` finds it. What was there
 * is replaced in one step, once the new file is on the disk. Its mode stays, and its owner as far as this user may give
 * it; of a link the file behind it is replaced. A file that begins as no snapshot of this version is not replaced.
 * Several may save to one file at once: that of the last one stays. A program that is killed meanwhile leaves a draft,
 * FILE.RANDOM.new: each save first removes the drafts of its file that were not written for ten minutes.
 * - `path` (in): the file; its folder must be there, and may be written.
 * - `error` (out): as of `lately_filter_open`.
 * Status: LATELY_ERR_IO if the system refuses, the disk is full, what is there is not a file, or it is mounted by
 * itself, or if this save stalled for ten minutes and its draft was removed, with errno as above; LATELY_ERR_MAGIC, LATELY_ERR_VERSION,
 * LATELY_ERR_CORRUPT if it is not replaced for what is in it; else as `lately_filter_snapshot_pieces`. Cost: that, the
 * disk's, and a look at every name in the folder. */
LATELY_NODISCARD static inline lately_status lately_filter_save(const lately_filter *filter, const char *path,
    lately_error *error);

/* ---- The system: each gives 0 or errno, if its comment says nothing else ------------------------------------------ */

/** The longest path, with its NUL. */
#define LATELY_FILE_PATH 4096

/** The saver of a draft that was not written for these seconds was killed. */
#define LATELY_FILE_GIVEN_UP 600

/** Whether a name is that of a draft of the file, from any language. */
static inline int lately_file_is_draft(const char *name, const char *file) {
    const size_t len = strlen(file), digits = 16;
    return strncmp(name, file, len) == 0 && name[len] == '.' && strspn(name + len + 1, "0123456789abcdef") == digits
        && strcmp(name + len + 1 + digits, ".new") == 0;
}

/** What is known of an open file. */
typedef struct lately_file_facts {
    int is_regular;
    int is_empty;
    int64_t passed_ns; /* since it was written; below 0 if it is from the future */
} lately_file_facts;

/** Nanoseconds for seconds, up to 285 years. */
static inline int64_t lately_file_ns(int64_t from_s, int64_t to_s) {
    const int64_t most = INT64_C(9000000000);
    return INT64_C(1000000000) * (from_s < to_s - most ? most : from_s > to_s + most ? -most : to_s - from_s);
}

#if defined(_WIN32)

#define LATELY_FILE_SLASHES "/\\"

/* Three of <windows.h>, which would bring its macros along. */
__declspec(dllimport) int __stdcall MoveFileExW(const wchar_t *from, const wchar_t *to, unsigned long flags);
__declspec(dllimport) int __stdcall MultiByteToWideChar(unsigned int page, unsigned long flags, const char *text, int len,
    wchar_t *wide, int room);
__declspec(dllimport) int __stdcall WideCharToMultiByte(unsigned int page, unsigned long flags, const wchar_t *wide, int len,
    char *text, int room, const char *unknown, int *was_unknown);

/** The name as Windows has it; empty, which names no file, if it is not UTF-8 or too long. */
static inline const wchar_t *lately_file_wide(const char *path, wchar_t wide[LATELY_FILE_PATH]) {
    const unsigned int utf8 = 65001;
    const unsigned long strict = 8;
    if (MultiByteToWideChar(utf8, strict, path, -1, wide, LATELY_FILE_PATH) == 0) {
        wide[0] = 0;
    }
    return wide;
}

/** A file to read; NULL and errno. */
static inline FILE *lately_file_read(const char *path) {
    wchar_t wide[LATELY_FILE_PATH];
    return _wfopen(lately_file_wide(path, wide), L"rb");
}

/** A new file to write; NULL and errno. Its folder decides who may do what with it. */
static inline FILE *lately_file_create(const char *path, FILE *old) {
    wchar_t wide[LATELY_FILE_PATH];
    int new_one = _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT;
    int descriptor = _wopen(lately_file_wide(path, wide), new_one, _S_IREAD | _S_IWRITE);
    (void)old;
    return descriptor < 0 ? NULL : _fdopen(descriptor, "wb");
}

static inline int lately_file_look(FILE *file, lately_file_facts *facts) {
    struct _stat64 system;
    if (_fstat64(_fileno(file), &system) != 0) {
        return errno;
    }
    facts->is_regular = (system.st_mode & _S_IFMT) == _S_IFREG;
    facts->is_empty = system.st_size == 0;
    facts->passed_ns = lately_file_ns(system.st_mtime, time(NULL));
    /* The time of the file was cut to whole seconds: no key is older than it is. */
    facts->passed_ns -= facts->passed_ns > 0 ? INT64_C(1000000000) : 0;
    return 0;
}

/** Whether there is such a file or folder. */
static inline int lately_file_look_for(const char *folder) {
    wchar_t wide[LATELY_FILE_PATH];
    struct _stat64 system;
    return _wstat64(lately_file_wide(folder, wide), &system) == 0 ? 0 : errno;
}

/** Where a path leads. */
static inline int lately_file_follow(const char *path, char place[LATELY_FILE_PATH]) {
    size_t len = strlen(path);
    memcpy(place, path, len < LATELY_FILE_PATH ? len + 1 : 0);
    return len < LATELY_FILE_PATH ? 0 : ENAMETOOLONG;
}

static inline int lately_file_is_mounted(FILE *file) {
    (void)file;
    return 0;
}

/** Brings what was written to the disk. */
static inline int lately_file_flush(FILE *file) {
    return fflush(file) == 0 && _commit(_fileno(file)) == 0 ? 0 : errno;
}

/** Gives a file another name, on the disk too; ENOENT if it is gone. */
static inline int lately_file_rename(const char *from, const char *to, const char *folder) {
    const unsigned long replace = 1, write_through = 8;
    wchar_t wide_from[LATELY_FILE_PATH], wide_to[LATELY_FILE_PATH];
    (void)folder;
    lately_file_wide(from, wide_from);
    if (MoveFileExW(wide_from, lately_file_wide(to, wide_to), replace | write_through) != 0) {
        return 0;
    }
    return lately_file_look_for(from) == ENOENT ? ENOENT : EACCES;
}

static inline void lately_file_remove(const char *path) {
    wchar_t wide[LATELY_FILE_PATH];
    (void)_wremove(lately_file_wide(path, wide));
}

/** Removes the drafts of a file, whose name follows that of its folder in the path, if they were not written for ten
 * minutes. What cannot be listed or removed stays. */
static inline void lately_file_remove_drafts(const char *place, const char *folder) {
    const unsigned int utf8 = 65001, is_link = 0x400;
    const size_t start = strlen(folder) - 1;
    wchar_t wide[LATELY_FILE_PATH];
    char path[LATELY_FILE_PATH + 1024];
    struct _wfinddata64_t found;
    struct _stat64 system;
    snprintf(path, sizeof path, "%s.*.new", place);
    intptr_t all = _wfindfirst64(lately_file_wide(path, wide), &found);
    for (int is_one = all != -1; is_one; is_one = _wfindnext64(all, &found) == 0) {
        const int room = LATELY_FILE_CAST(int, sizeof path - start);
        if (WideCharToMultiByte(utf8, 0, found.name, -1, path + start, room, NULL, NULL) > 0
            && lately_file_is_draft(path + start, place + start) && (found.attrib & (_A_SUBDIR | is_link)) == 0
            && _wstat64(lately_file_wide(path, wide), &system) == 0
            && system.st_mtime < time(NULL) - LATELY_FILE_GIVEN_UP) {
            lately_file_remove(path);
        }
    }
    if (all != -1) {
        _findclose(all);
    }
}

#else

#define LATELY_FILE_SLASHES "/"
#if defined(__APPLE__)
#define LATELY_FILE_WRITTEN st_mtimespec
#else
#define LATELY_FILE_WRITTEN st_mtim
#endif

/** A stream of a file that the system opened, or not; NULL and errno. */
static inline FILE *lately_file_stream(int descriptor, const char *mode) {
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, mode);
    if (descriptor >= 0 && file == NULL) {
        int number = errno;
        close(descriptor);
        errno = number;
    }
    return file;
}

/** A file to read; NULL and errno. */
static inline FILE *lately_file_read(const char *path) {
    return lately_file_stream(open(path, O_RDONLY | O_CLOEXEC), "rb");
}

/** Gives a file the mode of an old one, and its owner and group as far as this user may. */
static inline int lately_file_succeed(int descriptor, FILE *old) {
    struct stat was, is;
    if (fstat(fileno(old), &was) != 0 || fstat(descriptor, &is) != 0) {
        return errno;
    }
    if ((was.st_uid != is.st_uid || was.st_gid != is.st_gid) && fchown(descriptor, was.st_uid, was.st_gid) != 0) {
        const uid_t same = is.st_uid;
        was.st_mode &= 0777; /* nobody runs with the rights of another owner */
        if (fchown(descriptor, same, was.st_gid) != 0) {
            errno = 0;
        }
    }
    return fchmod(descriptor, was.st_mode & 07777) == 0 ? 0 : errno;
}

/** A new file to write, with the mode and the owner of the old one, if there is one; NULL and errno. */
static inline FILE *lately_file_create(const char *path, FILE *old) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    int number = descriptor < 0 || old == NULL ? 0 : lately_file_succeed(descriptor, old);
    FILE *file = number == 0 ? lately_file_stream(descriptor, "wb") : NULL;
    if (descriptor >= 0 && file == NULL) {
        number = number == 0 ? errno : (close(descriptor), number);
        unlink(path);
        errno = number;
    }
    return file;
}

static inline int lately_file_look(FILE *file, lately_file_facts *facts) {
    struct stat system;
    struct timespec now;
    if (fstat(fileno(file), &system) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0) {
        return errno;
    }
    facts->is_regular = S_ISREG(system.st_mode) != 0;
    facts->is_empty = system.st_size == 0;
    facts->passed_ns = lately_file_ns(system.LATELY_FILE_WRITTEN.tv_sec, now.tv_sec);
    facts->passed_ns += now.tv_nsec - system.LATELY_FILE_WRITTEN.tv_nsec;
    return 0;
}

/** Whether there is such a file or folder. */
static inline int lately_file_look_for(const char *folder) {
    struct stat system;
    return stat(folder, &system) == 0 ? 0 : errno;
}

/** Where a link leads, also if nothing is there yet. */
static inline int lately_file_follow(const char *path, char place[LATELY_FILE_PATH]) {
    const int most_links = 40;
    char target[LATELY_FILE_PATH];
    size_t len = strlen(path), start = 0;
    if (len >= LATELY_FILE_PATH) {
        return ENAMETOOLONG;
    }
    memcpy(place, path, len + 1);
    for (int i = 0; i < most_links; i++) {
        ssize_t size = readlink(place, target, sizeof target);
        if (size < 0) {
            return 0;
        }
        const char *slash = strrchr(place, '/');
        len = LATELY_FILE_CAST(size_t, size);
        start = target[0] == '/' || slash == NULL ? 0 : LATELY_FILE_CAST(size_t, slash - place) + 1;
        if (start + len >= LATELY_FILE_PATH) {
            return ENAMETOOLONG;
        }
        memcpy(place + start, target, len);
        place[start + len] = 0;
    }
    return ELOOP;
}

/** Puts the blanks and the backslashes into a name of the list of mounts, where they are octal numbers. */
static inline void lately_file_unescape(char *name) {
    char *to = name;
    for (; *name != 0; to++) {
        unsigned int code;
        int is_number = sscanf(name, "\\%3o", &code) == 1;
        *to = is_number ? LATELY_FILE_CAST(char, code) : *name;
        name += is_number ? 4 : 1;
    }
    *to = 0;
}

/** Whether a file is a place where something is mounted, as a container has a single file of its host: no other file can
 * take its name. Systems that list no mounts answer no. */
static inline int lately_file_is_mounted(FILE *file) {
    char link[40], place[LATELY_FILE_PATH], name[LATELY_FILE_PATH];
    int is_one = 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fileno(file));
    ssize_t size = readlink(link, place, sizeof place - 1);
    FILE *mounts = size < 0 ? NULL : lately_file_read("/proc/self/mountinfo");
    if (mounts == NULL) {
        return 0;
    }
    place[size] = 0;
    while (!is_one && fscanf(mounts, "%*s %*s %*s %*s %4095s%*[^\n]", name) == 1) {
        lately_file_unescape(name);
        is_one = strcmp(name, place) == 0;
    }
    fclose(mounts);
    return is_one;
}

/** Brings what was written to the disk. */
static inline int lately_file_flush(FILE *file) {
    return fflush(file) == 0 && fsync(fileno(file)) == 0 ? 0 : errno;
}

/** Gives a file another name in its folder, on the disk too; ENOENT if it is gone. Where the folder may not be read, or
 * its system has no such call, the file is whole under its name. */
static inline int lately_file_rename(const char *from, const char *to, const char *folder) {
    if (rename(from, to) != 0) {
        return errno;
    }
    int descriptor = open(folder, O_RDONLY | O_CLOEXEC);
    int number = descriptor < 0 || fsync(descriptor) != 0 ? errno : 0;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return number == EACCES || number == EINVAL ? 0 : number;
}

static inline void lately_file_remove(const char *path) {
    (void)unlink(path);
}

/** Removes the drafts of a file, whose name follows that of its folder in the path, if they were not written for ten
 * minutes. What cannot be listed or removed stays. */
static inline void lately_file_remove_drafts(const char *place, const char *folder) {
    struct stat system;
    DIR *all = opendir(folder);
    for (struct dirent *one = all == NULL ? NULL : readdir(all); one != NULL; one = readdir(all)) {
        if (lately_file_is_draft(one->d_name, place + strlen(folder) - 1)
            && fstatat(dirfd(all), one->d_name, &system, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(system.st_mode)
            && system.st_mtime < time(NULL) - LATELY_FILE_GIVEN_UP) {
            (void)unlinkat(dirfd(all), one->d_name, 0);
        }
    }
    if (all != NULL) {
        closedir(all);
    }
}

#endif

/* ---- Names and errors ------------------------------------------------------------------------------------------- */

/** The folder of a file, as a path that ends in a dot. */
static inline void lately_file_folder(const char *path, char folder[LATELY_FILE_PATH + 1]) {
    size_t end = strlen(path);
    while (end > 0 && strchr(LATELY_FILE_SLASHES, path[end - 1]) == NULL) {
        end--;
    }
    memcpy(folder, path, end);
    memcpy(folder + end, ".", 2);
}

/** A new file next to another, of a name that no other saver has; NULL and errno. */
static inline FILE *lately_file_draft(const char *place, FILE *old, char draft[LATELY_FILE_PATH + 32]) {
    const int most_tries = 100;
    const void *here = draft;
    uint64_t seed[4] = { LATELY_FILE_CAST(uint64_t, time(NULL)), LATELY_FILE_CAST(uint64_t, clock()), 0, 0 };
    FILE *file = NULL;
    memcpy(&seed[2], &here, sizeof here);
    for (int i = 0; file == NULL && i < most_tries && (i == 0 || errno == EEXIST); i++) {
        seed[3]++;
        snprintf(draft, LATELY_FILE_PATH + 32, "%s.%016" PRIx64 ".new", place, lately_hash64(seed, sizeof seed, 0));
        file = lately_file_create(draft, old);
    }
    return file;
}

static inline void lately_file_add(lately_error *why, const char *text) {
    size_t used = strlen(why->message), room = sizeof why->message - 1 - used, len = strlen(text);
    memcpy(why->message + used, text, len < room ? len : room);
    why->message[used + (len < room ? len : room)] = 0;
}

/** How much of a long name is in a message. */
#define LATELY_FILE_NAME 120

static inline void lately_file_add_name(lately_error *why, const char *path) {
    size_t len = strlen(path);
    if (len > LATELY_FILE_NAME) {
        path += len - (LATELY_FILE_NAME - 3);
        while ((*path & 0xC0) == 0x80) {
            path++; /* inside a character */
        }
        lately_file_add(why, "...");
    }
    lately_file_add(why, path);
    lately_file_add(why, ": ");
}

/** Fails with "path: what: message"; without a message, by what the status means. The field of an IO is errno, which
 * lately_file_report takes from there. */
static inline lately_status lately_file_fail(lately_error *why, lately_status code, const char *path, const char *what,
    const char *message) {
    lately_error inner = LATELY_ERROR_INIT;
    lately_file_add(&inner, message[0] != 0 ? message : lately_status_text(code));
    why->code = code;
    why->field = code == LATELY_ERR_IO ? 0 : why->field;
    why->message[0] = 0;
    lately_file_add_name(why, path);
    lately_file_add(why, what);
    lately_file_add(why, inner.message);
    return code;
}

/** The same of what the system refused. */
static inline lately_status lately_file_refused(lately_error *why, const char *path, const char *what, int number) {
    lately_status code = lately_file_fail(why, LATELY_ERR_IO, path, what, strerror(number));
    why->field = LATELY_FILE_CAST(uint32_t, number);
    return code;
}

/** Gives the caller the reason, or none. */
static inline lately_status lately_file_report(lately_error *error, lately_error *why) {
    if (why->code == LATELY_ERR_IO) {
        errno = LATELY_FILE_CAST(int, why->field);
        why->field = 0;
    }
    if (error != NULL) {
        *error = *why;
    }
    return why->code;
}

/** An error if the file is mounted by itself. */
static inline lately_status lately_file_expect_replaceable(FILE *file, const char *place, lately_error *why) {
    if (!lately_file_is_mounted(file)) {
        return LATELY_OK;
    }
    return lately_file_fail(why, LATELY_ERR_IO, place, "",
        "the file is mounted by itself, and a saved filter replaces it: mount its folder");
}

/* ---- How they are made ------------------------------------------------------------------------------------------ */

/** A file in use, and why it failed. */
typedef struct lately_file_use {
    FILE *file;
    int number;
} lately_file_use;

static inline size_t lately_file_reader(void *context, void *buffer, size_t len) {
    lately_file_use *use = LATELY_FILE_CAST(lately_file_use *, context);
    size_t came = fread(buffer, 1, len, use->file);
    use->number = came < len && ferror(use->file) ? errno : 0;
    return use->number == 0 ? came : len + 1;
}

static inline size_t lately_file_writer(void *context, const void *bytes, size_t len) {
    lately_file_use *use = LATELY_FILE_CAST(lately_file_use *, context);
    size_t went = fwrite(bytes, 1, len, use->file);
    use->number = went == len ? 0 : errno;
    return went;
}

typedef lately_status (*lately_file_maker)(const lately_options *options, lately_filter **filter, lately_error *error);
typedef lately_status (*lately_file_loader)(lately_reader reader, void *context, int64_t elapsed_ns,
    const lately_load_options *options, lately_filter **filter, lately_error *error);

/** The filter of a file, which has nothing else and is what the options make. */
static inline lately_status lately_file_load(FILE *file, const char *place, int64_t elapsed_ns,
    const lately_options *options, lately_file_loader load, lately_filter **filter, lately_error *why) {
    lately_load_options given = LATELY_LOAD_OPTIONS_INIT;
    lately_file_use use = { file, 0 };
    lately_filter *loaded = NULL;
    given.secret_lo = options->secret_lo;
    given.secret_hi = options->secret_hi;
    lately_status status = load(lately_file_reader, &use, elapsed_ns, &given, &loaded, why);
    if (status != LATELY_OK) {
        return status == LATELY_ERR_IO ? lately_file_refused(why, place, "cannot be read: ", use.number)
                                       : lately_file_fail(why, status, place, "", why->message);
    }
    if (fgetc(file) != EOF) {
        status = lately_file_fail(why, LATELY_ERR_CORRUPT, place, "",
            "bytes follow the filter, as in a state of the command lately: load that as a stream");
    } else if (ferror(file)) {
        status = lately_file_refused(why, place, "cannot be read: ", errno);
    } else if ((status = lately_filter_expect(loaded, options, why)) != LATELY_OK) {
        status = lately_file_fail(why, status, place, "", why->message);
    }
    if (status != LATELY_OK) {
        lately_filter_free(loaded);
        return status;
    }
    *filter = loaded;
    return LATELY_OK;
}

/** The filter of a file that is open, or a new one if it is empty. */
static inline lately_status lately_file_continue(FILE *file, const char *place, const lately_options *options,
    lately_file_maker make, lately_file_loader load, lately_filter **filter, lately_opened *opened, lately_error *why) {
    lately_file_facts facts = {0, 0, 0};
    int number = lately_file_look(file, &facts);
    if (number != 0) {
        return lately_file_refused(why, place, "cannot be read: ", number);
    }
    if (lately_file_expect_replaceable(file, place, why) != LATELY_OK) {
        return why->code;
    }
    if (facts.is_regular && facts.is_empty) {
        return make(options, filter, why);
    }
    int is_manual = options->clock > LATELY_CLOCK_SYSTEM;
    opened->found = 1;
    opened->elapsed_ns = is_manual || facts.passed_ns < 0 ? 0 : LATELY_FILE_CAST(uint64_t, facts.passed_ns);
    opened->ahead_ns = facts.passed_ns < 0 ? LATELY_FILE_CAST(uint64_t, -facts.passed_ns) : 0;
    return lately_file_load(file, place, LATELY_FILE_CAST(int64_t, opened->elapsed_ns), options, load, filter, why);
}

/** The filter of a file, or a new one if there is none. */
static inline lately_status lately_file_open(const char *path, const lately_options *options, lately_file_maker make,
    lately_file_loader load, lately_filter **filter, lately_opened *opened, lately_error *why) {
    char place[LATELY_FILE_PATH], folder[LATELY_FILE_PATH + 1];
    if (options->keyed != 0 && options->secret_lo == 0 && options->secret_hi == 0) {
        why->field = LATELY_FIELD_SECRET_LO;
        why->code = LATELY_ERR_OPTION;
        lately_file_add(why, "secret_lo = (none): required to open a file: a secret that is drawn is not in it");
        return why->code;
    }
    int number = lately_file_follow(path, place);
    if (number != 0) {
        return lately_file_refused(why, path, "cannot be opened: ", number);
    }
    FILE *file = lately_file_read(place);
    if (file != NULL) {
        lately_status status = lately_file_continue(file, place, options, make, load, filter, opened, why);
        fclose(file);
        return status;
    }
    number = errno;
    lately_file_folder(place, folder);
    if (number != ENOENT) {
        return lately_file_refused(why, place, "cannot be opened: ", number);
    }
    number = lately_file_look_for(folder);
    return number == 0 ? make(options, filter, why) : lately_file_refused(why, place, "its folder: ", number);
}

/** Opens for either handle. */
static inline lately_status lately_file_open_checked(const char *path, const lately_options *options,
    lately_file_maker make, lately_file_loader load, lately_filter **filter, lately_opened *opened, lately_error *error) {
    lately_error why = LATELY_ERROR_INIT;
    lately_opened found = LATELY_OPENED_INIT;
    if ((error != NULL && error->struct_size != sizeof *error) || (opened != NULL && opened->struct_size != sizeof *opened)) {
        return LATELY_ERR_STRUCT_SIZE;
    }
    if (path == NULL || options == NULL || filter == NULL) {
        why.code = LATELY_ERR_NULL;
        lately_file_add(&why, lately_status_text(why.code));
        return lately_file_report(error, &why);
    }
    why.code = lately_file_open(path, options, make, load, filter, &found, &why);
    if (why.code == LATELY_OK && opened != NULL) {
        *opened = found;
    }
    return lately_file_report(error, &why);
}

static inline lately_status lately_filter_open(const char *path, const lately_options *options, lately_filter **filter,
    lately_opened *opened, lately_error *error) {
    return lately_file_open_checked(path, options, lately_filter_new, lately_filter_load_pieces, filter, opened, error);
}

static inline lately_status lately_shared_open(const char *path, const lately_options *options, lately_filter **filter,
    lately_opened *opened, lately_error *error) {
    return lately_file_open_checked(path, options, lately_shared_new, lately_shared_load_pieces, filter, opened, error);
}

/** What there is must be empty, or begin as a snapshot that this library reads. */
static inline lately_status lately_file_expect_old(FILE *old, const char *place, lately_error *why) {
    const lately_load_options plain = LATELY_LOAD_OPTIONS_INIT;
    const char *const refusal = "not replaced: ";
    lately_file_facts facts = {0, 0, 0};
    lately_filter *none = NULL;
    uint8_t start[12]; /* the magic and the version */
    int number = lately_file_look(old, &facts);
    if (number != 0) {
        return lately_file_refused(why, place, refusal, number);
    }
    if (!facts.is_regular) {
        return lately_file_fail(why, LATELY_ERR_IO, place, refusal, "not a file");
    }
    size_t size = fread(start, 1, sizeof start, old);
    if (ferror(old)) {
        return lately_file_refused(why, place, refusal, errno);
    }
    lately_status status = size == 0 ? LATELY_OK : lately_filter_load(start, size, 0, &plain, &none, why);
    lately_filter_free(none);
    if (size == 0 || (size == sizeof start && status == LATELY_ERR_CORRUPT)) {
        return LATELY_OK; /* so short, no snapshot is more than one that was cut */
    }
    return lately_file_fail(why, status, place, refusal, why->message);
}

/** Writes the snapshot, up to the disk, and closes the file. */
static inline lately_status lately_file_write(FILE *file, const lately_filter *filter, const char *place,
    lately_error *why) {
    lately_file_use use = { file, 0 };
    lately_status status = lately_filter_snapshot_pieces(filter, lately_file_writer, &use);
    int number = status == LATELY_OK ? lately_file_flush(file) : use.number;
    if (fclose(file) != 0 && number == 0) {
        number = errno;
    }
    if (status == LATELY_OK && number == 0) {
        return LATELY_OK;
    }
    return status == LATELY_OK || status == LATELY_ERR_IO
        ? lately_file_refused(why, place, "not saved: ", number)
        : lately_file_fail(why, status, place, "not saved: ", "");
}

/** Replaces what there is by a draft. */
static inline lately_status lately_file_replace(const lately_filter *filter, FILE *old, const char *place,
    lately_error *why) {
    char draft[LATELY_FILE_PATH + 32], folder[LATELY_FILE_PATH + 1];
    lately_file_folder(place, folder);
    lately_file_remove_drafts(place, folder);
    FILE *file = lately_file_draft(place, old, draft);
    if (old != NULL) {
        int number = errno;
        fclose(old);
        errno = number;
    }
    if (file == NULL) {
        return lately_file_refused(why, place, "not saved: ", errno);
    }
    lately_status status = lately_file_write(file, filter, place, why);
    int number = status == LATELY_OK ? lately_file_rename(draft, place, folder) : 0;
    if (number != 0) {
        status = number != ENOENT
            ? lately_file_refused(why, place, "not saved: ", number)
            : lately_file_fail(why, LATELY_ERR_IO, place, "not saved: ",
                "its draft is gone: a save removes drafts that were not written for ten minutes");
    }
    if (status != LATELY_OK) {
        lately_file_remove(draft);
    }
    return status;
}

/** Saves to where the path leads. */
static inline lately_status lately_file_save(const lately_filter *filter, const char *path, lately_error *why) {
    char place[LATELY_FILE_PATH];
    int number = lately_file_follow(path, place);
    FILE *old = number == 0 ? lately_file_read(place) : NULL;
    number = number == 0 && old == NULL && errno != ENOENT ? errno : number;
    if (number != 0) {
        return lately_file_refused(why, path, "not replaced: ", number);
    }
    if (old != NULL
        && (lately_file_expect_replaceable(old, place, why) != LATELY_OK
            || lately_file_expect_old(old, place, why) != LATELY_OK)) {
        fclose(old);
        return why->code;
    }
    why->code = LATELY_OK;
    why->message[0] = 0;
    return lately_file_replace(filter, old, place, why);
}

static inline lately_status lately_filter_save(const lately_filter *filter, const char *path, lately_error *error) {
    lately_error why = LATELY_ERROR_INIT;
    if (error != NULL && error->struct_size != sizeof *error) {
        return LATELY_ERR_STRUCT_SIZE;
    }
    if (filter == NULL || path == NULL) {
        why.code = LATELY_ERR_NULL;
        lately_file_add(&why, lately_status_text(why.code));
        return lately_file_report(error, &why);
    }
    why.code = lately_file_save(filter, path, &why);
    return lately_file_report(error, &why);
}

#ifdef __cplusplus
}
#endif

#endif /* LATELY_FILE_H */
