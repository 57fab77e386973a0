/* Are the options of `tma check` and `tma place` read as what they say? A line of the input for
 * each. */
#include "bench/tma_words.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct fuzz_words lines = fuzz_words(data, bytes);
    const char *const *at = lines.at;
    const struct tma_words words = {.dtype = at[0],
                                    .dims = at[1],
                                    .strides = at[2],
                                    .box = at[3],
                                    .element_strides = at[4],
                                    .interleave = at[5],
                                    .swizzle = at[6],
                                    .l2_promotion = at[7],
                                    .fill = at[8],
                                    .address = at[9],
                                    .smem_offset = at[10],
                                    .start = at[11],
                                    .compute_capability = at[12]};
    struct swb_tma_broken broken[SWB_TMA_MAX_BROKEN];
    struct swb_tma_map map;
    struct swb_tma_box box;
    struct error error = {.kind = ERROR_NONE};
    int32_t start[SWB_TMA_MAX_RANK] = {0};
    unsigned capability = 0;

    if (fuzz_read_or_refused(tma_words_capability(&words, &capability, &error), &error))
        FUZZ_CHECK(capability < 1000);
    error = (struct error){.kind = ERROR_NONE};
    if (fuzz_read_or_refused(tma_words_map(&words, &map, &error), &error)) {
        FUZZ_CHECK(map.rank >= 1 && map.rank <= 8);
        FUZZ_CHECK(swb_tma_check(&map, capability, broken, SWB_TMA_MAX_BROKEN) <=
                   SWB_TMA_MAX_BROKEN);
    }
    error = (struct error){.kind = ERROR_NONE};
    if (fuzz_read_or_refused(tma_words_box(&words, &map, &box, start, &error), &error)) {
        FUZZ_CHECK(!swb_tma_box_refusal(&box));
        unsigned last = swb_tma_box_lines(&box) - 1;
        FUZZ_CHECK(swb_tma_box_address(&box, last, box.inner_bytes - 1) < SWB_TMA_MAX_BOX_BYTES);
        FUZZ_CHECK(swb_tma_filled_bytes(&map, start, last, 0) <= SWB_TMA_CHUNK_BYTES);
        FUZZ_CHECK(swb_tma_reading(&box, 16).sentence[0]);
    }
    fuzz_words_free(&lines);
    return 0;
}
