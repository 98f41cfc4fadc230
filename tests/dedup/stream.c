/* Writes the stream that the five dedup programs are compared on, and to its argument what an exact memory would say:
 * "read new duplicate". Half of the records are fresh. A quarter are repeats of one within the last 9,000 records,
 * which are duplicates; a quarter are the second sighting of one that is 30,000 records old, which is new again.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

#define RECORDS 160000u
#define NEAR 9000u
#define FAR 30000u

/* What record n is: its own text, or that of another. */
static uint32_t says[RECORDS];

static uint64_t dice = 88172645463325252u;

static uint32_t roll(uint32_t sides) {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (uint32_t)((dice >> 32) % sides);
}

/* Records by their number: 1 and 2 mod 4 are fresh, 0 repeats a near one (1 mod 4), 3 an old one (2 mod 4). */
static uint32_t text_of(uint32_t n) {
    if (n % 4 == 0 && n > NEAR) {
        return (n - 4 * (1 + roll(NEAR / 4 - 1))) + 1;
    }
    return n % 4 == 3 && n > FAR ? n - FAR - 1 : n;
}

/* Texts of all sorts: with a NUL, with bytes that are no UTF-8, ending in a carriage return, long, and one empty. */
static void print_text(uint32_t text) {
    static const char odd[] = "nul\0inside";
    switch (text % 97) {
    case 5:
        fwrite(odd, 1, sizeof odd - 1, stdout);
        break;
    case 6:
        fputs("\xff\xfe\x80 no text ", stdout);
        break;
    case 7:
        printf("%0300u", 0u);
        break;
    default:
        break;
    }
    if (text != 77) {
        printf("order-%u%s", (unsigned)text, text % 97 == 8 ? "\r" : "");
    }
}

int main(int count, char **arguments) {
    uint32_t fresh = 0;
    FILE *output = count == 2 ? fopen(arguments[1], "w") : NULL;
    if (output == NULL) {
        return 1;
    }
#ifdef _WIN32
    /* Or line ends would be written as two bytes. */
    _setmode(_fileno(stdout), _O_BINARY);
#endif
    for (uint32_t n = 0; n < RECORDS; n++) {
        says[n] = text_of(n);
        fresh += says[n] == n || n % 4 == 3;
        print_text(says[n]);
        /* The last line has no newline, and is a record all the same. */
        fputs(n + 1 < RECORDS ? "\n" : "", stdout);
    }
    fprintf(output, "%u;%u;%u", (unsigned)RECORDS, (unsigned)fresh, (unsigned)(RECORDS - fresh));
    return fclose(output) != 0 || fflush(stdout) != 0;
}
