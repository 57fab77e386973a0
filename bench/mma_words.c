/* Which atom, and how is it tiled, as a user types it? */
#include "bench/mma_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/text.h"

enum { TILE_TEXT_BYTES = 256, MOST_COVERED = 4096 };

/* ---- Atoms --------------------------------------------------------------------------------- */

static bool unknown_atom(const char *name, struct error *error)
{
    struct swb_mma_atom atom;
    size_t count = 0;
    while (swb_mma_atom_at(count, &atom))
        count++;
    struct swb_mma_atom *atoms = calloc(count, sizeof *atoms);
    const char **names = calloc(count, sizeof *names);
    for (size_t i = 0; atoms && names && i < count; i++) {
        swb_mma_atom_at(i, &atoms[i]);
        names[i] = atoms[i].name;
    }
    const char *nearest = atoms && names ? text_nearest(name, names, count) : NULL;
    error_set(error, ERROR_INPUT,
              "no atom '%s'; %s%s%s`swizzlebench show fragment --list` has their names", name,
              nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? " : "");
    free(names);
    free(atoms);
    return false;
}

bool mma_words_atom(const char *name, struct swb_mma_atom *atom, struct error *error)
{
    return swb_mma_atom_find(name, atom) || unknown_atom(name, error);
}

const char *mma_words_kind(const struct swb_mma_atom *atom, char *text, size_t bytes)
{
    snprintf(text, bytes, "%s, sm_%u%s", atom->is_wgmma ? "wgmma" : "mma.sync", atom->sm,
             atom->is_wgmma ? "a" : " and later");
    return text;
}

/* ---- How they are tiled -------------------------------------------------------------------- */

static bool read_three(const char *option, const char *text, const char *example, unsigned *three,
                       struct error *error)
{
    const char *at = text;
    for (unsigned mode = 0; mode < SWB_MMA_MODES; mode++) {
        char *end;
        unsigned long number = strtoul(at, &end, 10);
        if (!isdigit((unsigned char)*at) || *end != (mode < SWB_MMA_K ? 'x' : '\0') || number < 1 ||
            number > SWB_TILE_MAX_EXTENT)
            return error_set(error, ERROR_INPUT,
                             "%s '%s': three numbers from 1 to %d are needed, along M, N and K, as "
                             "in %s",
                             option, text, SWB_TILE_MAX_EXTENT, example);
        three[mode] = (unsigned)number;
        at = end + 1;
    }
    return true;
}

/* "2x2x1", or a layout, for warps in another order than along M first. */
static bool read_atoms(const char *text, struct swb_layout *atoms, struct error *error)
{
    unsigned three[SWB_MMA_MODES];
    char compact[64];
    struct swb_refusal refusal;
    if (*text == '(') {
        return swb_layout_parse(text, atoms, &refusal) ||
               error_set(error, ERROR_INPUT, "--atoms '%s', column %u: %s", text, refusal.column,
                         refusal.sentence);
    }
    if (!read_three("--atoms", text, "2x2x1", three, error))
        return false;
    snprintf(compact, sizeof compact, "(%u,%u,%u)", three[SWB_MMA_M], three[SWB_MMA_N],
             three[SWB_MMA_K]);
    return swb_layout_parse(compact, atoms, &refusal) ||
           error_set(error, ERROR_INPUT, "--atoms %s: %s", text, refusal.sentence);
}

/* An extent, a layout, or _ for what the atoms cover. */
static bool read_tile_mode(const char *words, const char *text, unsigned covered,
                           struct swb_layout *layout, struct error *error)
{
    struct swb_refusal refusal;
    char extent[16];
    snprintf(extent, sizeof extent, "%u", covered);
    if (swb_layout_parse(strcmp(text, "_") == 0 ? extent : text, layout, &refusal))
        return true;
    return error_set(error, ERROR_INPUT, "--tile '%s', in '%s', column %u: %s", words, text,
                     refusal.column, refusal.sentence);
}

static bool read_tile(const char *words, const struct swb_tiled_mma *untiled,
                      struct swb_layout *tile, struct error *error)
{
    char text[TILE_TEXT_BYTES], *rest = text;
    if (snprintf(text, sizeof text, "%s", words) >= TILE_TEXT_BYTES)
        return error_set(error, ERROR_INPUT, "--tile: %zu characters; at most %d are read",
                         strlen(words), TILE_TEXT_BYTES - 1);
    for (unsigned mode = 0; mode < SWB_MMA_MODES; mode++) {
        const char *part = strsep(&rest, "x");
        if (!part || (mode == SWB_MMA_K && rest))
            return error_set(
                error, ERROR_INPUT,
                "--tile '%s': M, N and K are needed, each an extent, a layout or _, as "
                "in 32x32x16 or 32x(8,2,2):(1,16,8)x_",
                words);
        if (!read_tile_mode(words, part, swb_tiled_mma_extent(untiled, mode), &tile[mode], error))
            return false;
    }
    return true;
}

bool mma_words_tiled(const struct mma_words *words, const struct swb_mma_atom *atom,
                     struct swb_tiled_mma *tiled, unsigned *problem, struct error *error)
{
    const char *atoms_words = words->atoms ? words->atoms : "1x1x1";
    struct swb_layout atoms, tile[SWB_MMA_MODES];
    struct swb_refusal refusal;
    if (!read_atoms(atoms_words, &atoms, error))
        return false;
    if (!swb_tiled_mma_make(atom, &atoms, NULL, tiled, &refusal))
        return error_set(error, ERROR_INPUT, "--atoms %s of %s: %s", atoms_words, atom->name,
                         refusal.sentence);
    if (words->tile && !read_tile(words->tile, tiled, tile, error))
        return false;
    if (words->tile && !swb_tiled_mma_make(atom, &atoms, tile, tiled, &refusal))
        return error_set(error, ERROR_INPUT, "--tile %s of %s, --atoms %s: %s", words->tile,
                         atom->name, atoms_words, refusal.sentence);
    for (unsigned mode = 0; mode < SWB_MMA_MODES; mode++) {
        problem[mode] = swb_tiled_mma_extent(tiled, mode);
        if (problem[mode] > MOST_COVERED)
            return error_set(error, ERROR_INPUT,
                             "the tile covers %u along %c; at most %d are drawn", problem[mode],
                             "MNK"[mode], MOST_COVERED);
    }
    return !words->problem || read_three("--problem", words->problem, "64x64x32", problem, error);
}
