/* Text that grows in a buffer of fixed size, with the length it would have. Private to model/. */
#ifndef SWIZZLEBENCH_MODEL_TEXT_H
#define SWIZZLEBENCH_MODEL_TEXT_H

#include <stddef.h>

struct text {
    char *start;
    size_t bytes;  /* of the buffer */
    size_t length; /* of the whole text, as far as it was written or would have been */
};

void swb_text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
