/* How a function of the algebra says why not. Private to model/. */
#ifndef SWIZZLEBENCH_MODEL_REFUSE_H
#define SWIZZLEBENCH_MODEL_REFUSE_H

#include "model/swizzlebench.h"

/* Fills *refusal, if there is one, and returns false. `column` counts from 1; 0: not about text. */
bool swb_refuse(struct swb_refusal *refusal, unsigned column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
