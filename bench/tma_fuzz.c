/* Does the driver take the tensor maps that the model says it takes? */
#include "bench/tma_fuzz.h"

#include <string.h>

#include "bench/tma_map.h"
#include "bench/tma_row.h"
#include "harness/tensor_map.h"

enum { PROGRESS_STEP = 8192, MOST_SHRUNK = 256 };

bool tma_driver_encode(void *context, const struct swb_tma_map *map, int *code, struct error *error)
{
    const struct tma_driver *driver = context;
    struct tensor_map_request request = tma_map_request(map, driver->base);
    struct tensor_map encoded;
    return gpu_tensor_map(driver->gpu, &request, &encoded, code, error);
}

static bool model_takes(const struct tma_fuzz *fuzz, const struct swb_tma_map *map)
{
    return swb_tma_check(map, fuzz->compute_capability, NULL, 0) == 0;
}

/* ---- Making a mismatch small -------------------------------------------------------------- */

/* The first mismatch, as far as it is shrunk; a change is kept when the driver still says the
 * same and the model still differs. */
struct shrink {
    const struct tma_fuzz *fuzz;
    struct swb_tma_map map;
    int code;
    struct error *error;
    bool lost; /* the driver no longer answers */
};

static bool keep(struct shrink *shrink, const struct swb_tma_map *smaller)
{
    int code;
    if (shrink->lost)
        return false;
    if (!shrink->fuzz->encode(shrink->fuzz->context, smaller, &code, shrink->error)) {
        shrink->lost = true;
        return false;
    }
    if (code != shrink->code || (code == 0) == model_takes(shrink->fuzz, smaller))
        return false;
    shrink->map = *smaller;
    return true;
}

static bool drop_dimension(struct shrink *shrink, unsigned dim)
{
    struct swb_tma_map smaller = shrink->map;
    smaller.rank--;
    for (unsigned i = dim; i + 1 < SWB_TMA_MAX_RANK; i++) {
        smaller.dims[i] = smaller.dims[i + 1];
        smaller.box[i] = smaller.box[i + 1];
        smaller.element_strides[i] = smaller.element_strides[i + 1];
    }
    for (unsigned i = dim > 0 ? dim - 1 : 0; i + 2 < SWB_TMA_MAX_RANK; i++)
        smaller.strides[i] = smaller.strides[i + 1];
    return keep(shrink, &smaller);
}

/* A number of the tensor map, and the value that says least. */
struct number {
    size_t offset_bytes;
    bool is_wide; /* 64 bits */
    uint64_t simplest;
};

static uint64_t get(const struct swb_tma_map *map, const struct number *number)
{
    uint64_t wide;
    uint32_t narrow;
    const char *from = (const char *)map + number->offset_bytes;
    if (number->is_wide) {
        memcpy(&wide, from, sizeof wide);
        return wide;
    }
    memcpy(&narrow, from, sizeof narrow);
    return narrow;
}

static void set(struct swb_tma_map *map, const struct number *number, uint64_t value)
{
    uint32_t narrow = (uint32_t)value;
    char *to = (char *)map + number->offset_bytes;
    if (number->is_wide)
        memcpy(to, &value, sizeof value);
    else
        memcpy(to, &narrow, sizeof narrow);
}

static bool try_value(struct shrink *shrink, const struct number *number, uint64_t value)
{
    struct swb_tma_map smaller = shrink->map;
    set(&smaller, number, value);
    return keep(shrink, &smaller);
}

/* The simplest value, or one nearer to it: steps of the whole way, half of it, a quarter ... */
static bool simplify(struct shrink *shrink, const struct number *number)
{
    bool simpler = false;
    uint64_t value = get(&shrink->map, number), simplest = number->simplest;
    uint64_t distance = value > simplest ? value - simplest : simplest - value;
    for (uint64_t step = distance; step > 0;) {
        value = get(&shrink->map, number);
        distance = value > simplest ? value - simplest : simplest - value;
        if (step > distance)
            step = distance;
        if (step == 0)
            break;
        if (try_value(shrink, number, value > simplest ? value - step : value + step))
            simpler = true;
        else
            step /= 2;
    }
    return simpler;
}

#define NARROW(member, value)                                                                      \
    {                                                                                              \
        offsetof(struct swb_tma_map, member), false, (value)                                       \
    }
#define WIDE(member, value)                                                                        \
    {                                                                                              \
        offsetof(struct swb_tma_map, member), true, (value)                                        \
    }

static const struct number numbers[] = {
    NARROW(dtype, 0),
    NARROW(interleave, 0),
    NARROW(swizzle, 0),
    NARROW(l2_promotion, 0),
    NARROW(oob_fill, 0),
    WIDE(address, 0),
    WIDE(dims[0], 1),
    WIDE(dims[1], 1),
    WIDE(dims[2], 1),
    WIDE(dims[3], 1),
    WIDE(dims[4], 1),
    WIDE(strides[0], 32),
    WIDE(strides[1], 32),
    WIDE(strides[2], 32),
    WIDE(strides[3], 32),
    NARROW(box[0], 16),
    NARROW(box[1], 1),
    NARROW(box[2], 1),
    NARROW(box[3], 1),
    NARROW(box[4], 1),
    NARROW(element_strides[0], 1),
    NARROW(element_strides[1], 1),
    NARROW(element_strides[2], 1),
    NARROW(element_strides[3], 1),
    NARROW(element_strides[4], 1),
};

enum { NUMBER_COUNT = sizeof numbers / sizeof numbers[0] };

bool tma_fuzz_shrink(const struct tma_fuzz *fuzz, struct swb_tma_map *map, int *code,
                     struct error *error)
{
    struct shrink shrink = {.fuzz = fuzz, .map = *map, .code = *code, .error = error};
    for (bool smaller = true; smaller && !shrink.lost;) {
        smaller = false;
        for (unsigned dim = shrink.map.rank; dim-- > 0;)
            smaller = (dim < SWB_TMA_MAX_RANK && drop_dimension(&shrink, dim)) || smaller;
        for (size_t i = 0; i < NUMBER_COUNT; i++)
            smaller = simplify(&shrink, &numbers[i]) || smaller;
    }
    *map = shrink.map;
    return !shrink.lost;
}

/* ---- The comparison ----------------------------------------------------------------------- */

static void keep_smallest(const struct tma_fuzz *fuzz, const struct swb_tma_map *map, int code,
                          struct tma_fuzz_result *result)
{
    char row[TMA_ROW_BYTES], known[TMA_ROW_BYTES];
    tma_row_print(map, row);
    for (unsigned i = 0; i < result->kept; i++) {
        tma_row_print(&result->smallest[i].map, known);
        if (strcmp(row, known) == 0)
            return;
    }
    struct tma_mismatch *mismatch = &result->smallest[result->kept++];
    *mismatch = (struct tma_mismatch){.map = *map, .code = code};
    swb_tma_check(map, fuzz->compute_capability, &mismatch->broken, 1);
}

static bool compare(const struct tma_fuzz *fuzz, const struct swb_tma_map *map,
                    struct tma_fuzz_result *result, struct error *error)
{
    int code;
    if (!fuzz->encode(fuzz->context, map, &code, error))
        return false;
    result->done++;
    result->taken += code == 0;
    if ((code == 0) == model_takes(fuzz, map))
        return true;
    result->mismatches++;
    if (result->kept == TMA_FUZZ_KEPT || result->mismatches > MOST_SHRUNK)
        return true;
    struct swb_tma_map smallest = *map;
    if (!tma_fuzz_shrink(fuzz, &smallest, &code, error))
        return false;
    keep_smallest(fuzz, &smallest, code, result);
    return true;
}

bool tma_fuzz(const struct tma_fuzz *fuzz, struct tma_fuzz_result *result, struct error *error)
{
    *result = (struct tma_fuzz_result){.done = 0};
    for (uint64_t i = 0; i < fuzz->count; i++) {
        struct fuzz_random random = fuzz_random_of(fuzz->seed, fuzz->first + i);
        struct swb_tma_map map;
        tma_fuzz_map(&random, &map);
        if (!compare(fuzz, &map, result, error))
            return false;
        if (fuzz->progress && (i + 1) % PROGRESS_STEP == 0)
            fuzz->progress(fuzz->progress_context, i + 1);
    }
    return true;
}

void tma_fuzz_print(FILE *to, const struct tma_fuzz_result *result)
{
    fprintf(to, "%s,result\n", tma_row_header);
    for (unsigned i = 0; i < result->kept; i++) {
        const struct tma_mismatch *mismatch = &result->smallest[i];
        char row[TMA_ROW_BYTES];
        tma_row_print(&mismatch->map, row);
        if (mismatch->code == 0)
            fprintf(to, "# the driver takes it, the model has: %s: %s\n", mismatch->broken.rule,
                    mismatch->broken.sentence);
        else
            fprintf(to, "# the driver refuses it with code %d, the model takes it\n",
                    mismatch->code);
        fprintf(to, "%s,%d\n", row, mismatch->code);
    }
}
