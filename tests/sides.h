/* Folders of results to compare in a test, in a folder of their own. */
#ifndef SWIZZLEBENCH_TESTS_SIDES_H
#define SWIZZLEBENCH_TESTS_SIDES_H

/* For cmocka_run_group_tests. The test then runs in a new folder, which has folders a, b, c and
 * empty; sides_home is where it came from. */
int sides_make(void **state);
int sides_remove(void **state);
extern char *sides_home;

extern const char sides_schema[];
extern const char sides_header[]; /* of rows of mma: model, counter, median, its ends, clock */
extern const char sides_rows[];   /* of cases one, two and three */

void sides_text(const char *path, const char *text);

/* A result file of GPU X, X being the first letter of its path. */
void sides_file(const char *path, const char *schema, const char *header, const char *rows);

/* Folder a with sides_rows, and b with others. */
void sides_write(const char *rows_of_b);

/* Wants exit status 2 of "compare WORDS", and one line with `part`. */
void sides_bad(const char *words, const char *part);

#endif
