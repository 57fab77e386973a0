/* A file to write and read in a test. */
#ifndef SWIZZLEBENCH_TESTS_SCRATCH_H
#define SWIZZLEBENCH_TESTS_SCRATCH_H

#include <stddef.h>

extern char scratch_path[];

/* For cmocka_run_group_tests. */
int scratch_make(void **state);
int scratch_remove(void **state);

void scratch_write(const char *text);
void scratch_read(char *text, size_t bytes);

#endif
