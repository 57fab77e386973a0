/* How do the bytes of the fuzzer become a text, words or a file? */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_broken(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

bool fuzz_read_or_refused(bool read, const struct error *error)
{
    if (read)
        return true;
    FUZZ_CHECK(error->kind == ERROR_INPUT);
    FUZZ_CHECK(error->text[0] != '\0');
    return false;
}

char *fuzz_text(const uint8_t *data, size_t bytes)
{
    const uint8_t *stop = bytes ? memchr(data, '\0', bytes) : NULL;
    size_t length = stop ? (size_t)(stop - data) : bytes;
    char *text = malloc(length + 1);
    FUZZ_CHECK(text);
    if (length > 0)
        memcpy(text, data, length);
    text[length] = '\0';
    return text;
}

struct fuzz_words fuzz_words(const uint8_t *data, size_t bytes)
{
    struct fuzz_words words = {.text = fuzz_text(data, bytes)};
    char *rest = words.text;
    for (size_t i = 0; rest && i < sizeof words.at / sizeof words.at[0]; i++) {
        const char *word = strsep(&rest, "\n");
        words.at[i] = *word ? word : NULL;
    }
    return words;
}

void fuzz_words_free(struct fuzz_words *words)
{
    free(words->text);
}

const char *fuzz_file(unsigned number, const uint8_t *data, size_t bytes)
{
    static int files[2] = {-1, -1};
    static char paths[2][32];
    if (files[number] < 0) {
        files[number] = memfd_create("fuzzed", 0);
        snprintf(paths[number], sizeof paths[number], "/proc/self/fd/%d", files[number]);
    }
    FUZZ_CHECK(files[number] >= 0 && ftruncate(files[number], 0) == 0);
    FUZZ_CHECK(pwrite(files[number], data, bytes, 0) == (ssize_t)bytes);
    return paths[number];
}

static char *printed;
static size_t printed_bytes;

FILE *fuzz_print(void)
{
    free(printed);
    printed = NULL;
    FILE *to = open_memstream(&printed, &printed_bytes);
    FUZZ_CHECK(to);
    return to;
}

const char *fuzz_printed(FILE *to)
{
    FUZZ_CHECK(fclose(to) == 0);
    return printed;
}
