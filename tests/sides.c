/* Folders of results to compare in a test. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/commands.h"
#include "tests/ask.h"
#include "tests/sides.h"

const char sides_schema[] = "swizzlebench 1";
const char sides_header[] = "family,case,status,reason,verified,model_wavefronts,hw_wavefronts,"
                            "cycles_per_mma,cycles_per_mma_min,cycles_per_mma_max,sm_clock_mhz";

/* A case a line: what the model says, what was counted, the median, and its ends. */
const char sides_rows[] = "mma,one,ok,,yes,2,2,100,99,101,2000\n"
                          "mma,two,ok,,yes,4,4,200,199,201,2000\n"
                          "mma,three,ok,,yes,4,4,200,190,210,2000\n";

char *sides_home;

void sides_text(const char *path, const char *text)
{
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    fputs(text, to);
    assert_int_equal(fclose(to), 0);
}

void sides_file(const char *path, const char *schema, const char *header, const char *rows)
{
    static char text[65536];
    int bytes = snprintf(text, sizeof text,
                         "# schema: %s\n# backend: cuda\n# gpu: GPU %c\n# sm_count: 100\n%s\n%s",
                         schema, path[0], header, rows);
    assert_true(bytes > 0 && (size_t)bytes < sizeof text);
    sides_text(path, text);
}

void sides_write(const char *rows_of_b)
{
    sides_file("a/mma.csv", sides_schema, sides_header, sides_rows);
    sides_file("b/mma.csv", sides_schema, sides_header, rows_of_b);
}

void sides_bad(const char *words, const char *part)
{
    char line[1024];
    snprintf(line, sizeof line, "compare %s", words);
    ask_bad(&command_compare, line, part);
}

int sides_make(void **state)
{
    static char folder[] = "/tmp/swizzlebench-compare-XXXXXX";
    (void)state;
    sides_home = getcwd(NULL, 0);
    return !sides_home || !mkdtemp(folder) || chdir(folder) || mkdir("a", 0777) ||
           mkdir("b", 0777) || mkdir("c", 0777) || mkdir("empty", 0777);
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *at)
{
    (void)about;
    (void)type;
    (void)at;
    return remove(path);
}

int sides_remove(void **state)
{
    char *folder = getcwd(NULL, 0);
    (void)state;
    int left = chdir(sides_home) | nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(folder);
    free(sides_home);
    return left;
}
