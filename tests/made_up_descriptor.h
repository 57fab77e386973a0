/* Where does a made-up wgmma find the bytes of an operand? As the PTX documentation says, with none
 * of the code of model/matrix_descriptor.c. */
#ifndef SWIZZLEBENCH_TESTS_MADE_UP_DESCRIPTOR_H
#define SWIZZLEBENCH_TESTS_MADE_UP_DESCRIPTOR_H

#include <stdbool.h>
#include <stdint.h>

struct made_up_descriptor {
    uint32_t start, lbo, sbo, base;
    unsigned mode; /* 0 none, 1 128B, 2 64B, 3 32B */
};

static struct made_up_descriptor made_up_descriptor_of(uint64_t bits)
{
    return (struct made_up_descriptor){.start = (uint32_t)(bits & 0x3fff) * 16,
                                       .lbo = (uint32_t)(bits >> 16 & 0x3fff) * 16,
                                       .sbo = (uint32_t)(bits >> 32 & 0x3fff) * 16,
                                       .base = (uint32_t)(bits >> 49 & 7),
                                       .mode = (unsigned)(bits >> 62)};
}

/* Byte `along` of line `line`. A line of an MN-major operand is one k. */
static uint32_t made_up_descriptor_find(const struct made_up_descriptor *d, bool mn_major,
                                        unsigned line, unsigned along)
{
    static const unsigned spans[] = {16, 128, 64, 32};
    unsigned span = spans[d->mode];
    uint32_t address = d->start + line % 8 * span;
    if (!mn_major && d->mode != 0)
        address += line / 8 * d->sbo + along;
    else if (!mn_major)
        address += line / 8 * d->sbo + along / 16 * d->lbo + along % 16;
    else if (d->mode != 0)
        address += line / 8 * d->sbo + along / span * d->lbo + along % span;
    else
        address += line / 8 * d->lbo + along / 16 * d->sbo + along % 16;
    uint32_t row = (address / 128 + 8 - d->base) % 8;
    if (d->mode != 0)
        address ^= row % (span / 16) * 16;
    return address;
}

#endif
