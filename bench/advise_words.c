/* Which tile, writer and reader does the user ask about? */
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "bench/advise.h"
#include "bench/tma_words.h"
#include "harness/options.h"
#include "harness/text.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* ---- The words of argv --------------------------------------------------------------------- */

#define WORD(name, member)                                                                         \
    {                                                                                              \
        name, offsetof(struct advise_words, member), 1, false                                      \
    }
#define FLAG(name, member)                                                                         \
    {                                                                                              \
        name, offsetof(struct advise_words, member), 1, true                                       \
    }
static const struct option_word table[] = {
    WORD("dtype", dtype),
    WORD("tile", tile),
    WORD("major", major),
    WORD("reader", reader),
    WORD("writer", writer),
    WORD("operand", operand),
    WORD("n", n),
    WORD("gpu", gpu),
    FLAG("csv", csv),
    FLAG("help", help),
    FLAG("check", check),
    WORD("writer-box", writer_box),
    WORD("writer-swizzle", writer_swizzle),
    WORD("writer-layout", writer_layout),
    WORD("reader-layout", reader_layout),
    WORD("stack", stack),
    WORD("base", base),
    WORD("descriptor", descriptor),
    WORD("lbo", lbo),
    WORD("sbo", sbo),
    WORD("mode", mode),
    WORD("base-offset", base_offset),
};

static const char *given(const struct advise_words *words, size_t i)
{
    return *(const char *const *)((const char *)words + table[i].at);
}

/* Those of one mode do not go with the other. */
static bool check_modes(const struct advise_words *words, struct error *error)
{
    for (size_t i = 0; i < LENGTH(table) && !words->check; i++)
        if (table[i].at > offsetof(struct advise_words, check) && given(words, i))
            return error_set(error, ERROR_INPUT, "--%s goes with --check", table[i].name);
    if (words->check && (words->gpu || words->csv))
        return error_set(error, ERROR_INPUT, "--%s does not go with --check",
                         words->gpu ? "gpu" : "csv");
    return true;
}

bool advise_words_read(int argc, char **argv, struct advise_words *words, struct error *error)
{
    if (!option_read_words(argc, argv, table, LENGTH(table), 1, words, error))
        return false;
    return words->help || (option_no_words(argc, argv, error) && check_modes(words, error));
}

/* ---- Names --------------------------------------------------------------------------------- */

static const struct advise_type types[] = {
    {"bf16", "bf16", "SM80_16x8x16_F32BF16BF16F32_TN"},
    {"f16", "f16", "SM80_16x8x16_F32F16F16F32_TN"},
    {"tf32", "tf32", "SM80_16x8x8_F32TF32TF32F32_TN"},
    {"e4m3", "u8", "SM89_16x8x32_F32E4M3E4M3F32_TN"},
    {"e5m2", "u8", "SM89_16x8x32_F32E5M2E5M2F32_TN"},
    {"s8", "u8", "SM80_16x8x32_S32S8S8S32_TN"},
    {"u8", "u8", "SM80_16x8x32_S32U8U8S32_TN"},
};

static const char *const writers[] = {
    [ADVISE_TMA] = "tma", [ADVISE_CP_ASYNC] = "cp.async", [ADVISE_ST] = "st"};
static const char *const readers[] = {
    [ADVISE_WGMMA] = "wgmma", [ADVISE_MMA] = "mma", [ADVISE_LDMATRIX] = "ldmatrix"};
static const char *const majors[] = {[SWB_K_MAJOR] = "K", [SWB_MN_MAJOR] = "MN"};
static const char *const operands[] = {[SWB_MMA_A] = "A", [SWB_MMA_B] = "B"};

const char *advise_writer_name(enum advise_writer writer)
{
    return writers[writer];
}

const char *advise_reader_name(enum advise_reader reader)
{
    return readers[reader];
}

bool advise_choose(const char *option, const char *word, const char *const *known, size_t count,
                   size_t *chosen, struct error *error)
{
    char hint[320];
    for (*chosen = 0; *chosen < count; ++*chosen)
        if (strcasecmp(word, known[*chosen]) == 0)
            return true;
    text_suggest(word, known, count, hint, sizeof hint);
    return error_set(error, ERROR_INPUT, "unknown %s '%s'; %s", option, word, hint);
}

static bool read_type(const char *word, struct advise_question *question, struct error *error)
{
    const char *names[LENGTH(types)];
    size_t chosen;
    for (size_t i = 0; i < LENGTH(types); i++)
        names[i] = types[i].name;
    if (!advise_choose("--dtype", word, names, LENGTH(types), &chosen, error))
        return false;
    question->type = &types[chosen];
    question->tma_dtype = tma_words_number(SWB_TMA_DTYPE, types[chosen].tma);
    while (strcmp(wgmma_type_at(question->wgmma_type)->name, types[chosen].name) != 0)
        question->wgmma_type++;
    question->bits = wgmma_type_at(question->wgmma_type)->bits;
    return true;
}

static bool read_names(const struct advise_words *words, struct advise_question *question,
                       struct error *error)
{
    size_t major, reader, operand = SWB_MMA_A, writer;
    if (!words->dtype || !words->tile || !words->major || !words->reader)
        return error_set(error, ERROR_INPUT, "%s is needed; see --help",
                         !words->dtype   ? "--dtype"
                         : !words->tile  ? "--tile"
                         : !words->major ? "--major"
                                         : "--reader");
    if (!read_type(words->dtype, question, error) ||
        !placed_tile_extents(words->tile, &question->rows, &question->cols, error) ||
        !advise_choose("--major", words->major, majors, LENGTH(majors), &major, error) ||
        !advise_choose("--reader", words->reader, readers, LENGTH(readers), &reader, error) ||
        (words->operand &&
         !advise_choose("--operand", words->operand, operands, LENGTH(operands), &operand, error)))
        return false;
    for (size_t i = 0; i < ADVISE_WRITERS; i++)
        question->writers[i] = !words->writer;
    if (words->writer) {
        if (!advise_choose("--writer", words->writer, writers, LENGTH(writers), &writer, error))
            return false;
        question->writers[writer] = true;
    }
    question->major = (enum swb_major)major;
    question->reader = (enum advise_reader)reader;
    question->operand = (enum swb_mma_operand)operand;
    return true;
}

/* ---- What goes together -------------------------------------------------------------------- */

static bool check_reader(const struct advise_question *question, struct error *error)
{
    const char *name = question->type->name;
    if (question->major == SWB_K_MAJOR || question->bits == 16)
        return true;
    if (question->reader == ADVISE_WGMMA)
        return error_set(error, ERROR_INPUT,
                         "wgmma reads MN-major operands of 16 bits alone, and %s has %u: lay the "
                         "tile out K-major",
                         name, question->bits);
    if (question->reader == ADVISE_LDMATRIX)
        return error_set(error, ERROR_INPUT,
                         "an MN-major operand needs ldmatrix.trans, which turns elements of 16 "
                         "bits alone, and %s has %u: --reader mma takes plain loads",
                         name, question->bits);
    return true;
}

/* What the tile's extents must be multiples of, and because of what. */
struct step {
    unsigned rows, cols;
    const char *why;
};

static struct step step_of(const struct advise_question *question)
{
    unsigned chunk = 128 / question->bits, k = 256 / question->bits;
    bool of_a = question->operand == SWB_MMA_A, k_major = question->major == SWB_K_MAJOR;
    if (question->reader == ADVISE_WGMMA)
        return (struct step){of_a ? WGMMA_M : 8, k,
                             of_a ? "a wgmma reads 64 rows of A and 32 bytes of K"
                                  : "a wgmma reads 8 rows or more of B and 32 bytes of K"};
    if (question->reader == ADVISE_MMA)
        return (struct step){16, k, "a warp loads 16 rows and 32 bytes of K"};
    return (struct step){k_major ? 8 : chunk, k_major ? chunk : 8,
                         "an atom has 8 lines of 16 bytes or more"};
}

static unsigned nearest_multiple(unsigned number, unsigned step)
{
    unsigned multiple = (number + step / 2) / step * step;
    return multiple ? multiple : step;
}

static bool check_tile(const struct advise_question *question, struct error *error)
{
    struct step step = step_of(question);
    uint64_t bytes = (uint64_t)question->rows * question->cols * question->bits / 8;
    if (question->rows % step.rows || question->cols % step.cols)
        return error_set(error, ERROR_INPUT,
                         "--tile %ux%u of %s: %u rows and %u columns, or multiples of them, are "
                         "needed, as %s; the nearest legal tile is %ux%u",
                         question->rows, question->cols, question->type->name, step.rows, step.cols,
                         step.why, nearest_multiple(question->rows, step.rows),
                         nearest_multiple(question->cols, step.cols));
    return bytes <= PLACED_SMEM_BYTES ||
           error_set(error, ERROR_INPUT,
                     "--tile %ux%u of %s has %llu bytes, and the shared memory of an SM %d",
                     question->rows, question->cols, question->type->name,
                     (unsigned long long)bytes, PLACED_SMEM_BYTES);
}

static bool is_legal_n(const struct advise_question *question, unsigned n)
{
    struct swb_mma_atom atom;
    const struct wgmma_case c = {.type = question->wgmma_type, .n = n, .a_in_shared = true};
    return wgmma_case_atom(&c, &atom);
}

/* By default the widest there is, which for B must divide the tile. */
static bool read_n(const char *word, struct advise_question *question, struct error *error)
{
    bool of_b = question->operand == SWB_MMA_B;
    bool is_integer = wgmma_type_at(question->wgmma_type)->exponent_bits == 0;
    uint64_t n;
    if (question->reader != ADVISE_WGMMA)
        return !word || error_set(error, ERROR_INPUT, "--n goes with --reader wgmma");
    if (!word) {
        question->n = WGMMA_MAX_N;
        while (!is_legal_n(question, question->n) || (of_b && question->rows % question->n))
            question->n -= 8;
        return true;
    }
    if (!option_whole("--n", word, 8, WGMMA_MAX_N, &n, error))
        return false;
    question->n = (unsigned)n;
    if (!is_legal_n(question, question->n))
        return error_set(error, ERROR_INPUT,
                         "--n %s: there is no such wgmma of %s; N is a multiple of %s", word,
                         question->type->name, is_integer ? "16, or 8 or 24" : "8");
    return !of_b || question->rows % question->n == 0 ||
           error_set(error, ERROR_INPUT, "--n %s does not divide the %u rows of B", word,
                     question->rows);
}

unsigned advise_wgmma_rows(const struct advise_question *question)
{
    return question->operand == SWB_MMA_A ? (unsigned)WGMMA_M : question->n;
}

bool advise_question_read(const struct advise_words *words, struct advise_question *question,
                          struct error *error)
{
    *question = (struct advise_question){.rows = 0};
    return read_names(words, question, error) && check_reader(question, error) &&
           check_tile(question, error) && read_n(words->n, question, error);
}
