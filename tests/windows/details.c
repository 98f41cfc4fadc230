/* The version resource of a file, asked for as Windows and installers do: it is what its first argument's file has, and
 * must be the version of the library's header. The second argument is the name that the file must have inside. */
#include <windows.h>

#include <lately.h>
#include <stdio.h>
#include <string.h>

static char resource[1 << 16];

/* A text of the resource; empty if there is none. */
static const char *text(const char *name) {
    char path[128];
    void *value = NULL;
    UINT size = 0;
    snprintf(path, sizeof path, "\\StringFileInfo\\040904b0\\%s", name);
    return VerQueryValueA(resource, path, &value, &size) && size > 0 ? (const char *)value : "";
}

/* The numbers of the resource, as one. */
static unsigned number(void) {
    void *value = NULL;
    UINT size = 0;
    if (!VerQueryValueA(resource, "\\", &value, &size) || size < sizeof(VS_FIXEDFILEINFO)) {
        return 0;
    }
    const VS_FIXEDFILEINFO *fixed = (const VS_FIXEDFILEINFO *)value;
    unsigned major = HIWORD(fixed->dwFileVersionMS), minor = LOWORD(fixed->dwFileVersionMS);
    return major * 1000000 + minor * 1000 + HIWORD(fixed->dwFileVersionLS);
}

static int same(const char *what, const char *want, const char *have) {
    printf("%s: %s\n", what, have);
    return strcmp(want, have) == 0;
}

int main(int count, char **arguments) {
    if (count != 3 || !GetFileVersionInfoA(arguments[1], 0, sizeof resource, resource)) {
        puts("no version resource");
        return 1;
    }
    int good = same("ProductVersion", LATELY_VERSION_STRING, text("ProductVersion"));
    good &= same("FileVersion", LATELY_VERSION_STRING, text("FileVersion"));
    good &= same("OriginalFilename", arguments[2], text("OriginalFilename"));
    printf("number: %u\n", number());
    return good && number() == LATELY_VERSION_NUMBER ? 0 : 1;
}
