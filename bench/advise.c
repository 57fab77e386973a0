/* Which layout, box and path for a tile, and do those that there are agree? `swizzlebench advise`
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/advise.h"
#include "bench/commands.h"
#include "harness/options.h"

static const char help[] =
    "usage: swizzlebench advise --dtype T --tile RxC --major K|MN --reader R [--writer W]\n"
    "                           [--operand A|B] [--n N] [--gpu FOLDER] [--csv]\n"
    "       swizzlebench advise --check --dtype T --tile RxC --major K|MN --reader R ...\n"
    "\n"
    "The layout in shared memory for the tile of an operand, the box that fills it, the "
    "descriptor\n"
    "that reads it, what both cost, and what each other way loses. No GPU is needed.\n"
    "\n"
    "  --dtype T        bf16 f16 tf32 e4m3 e5m2 s8 u8\n"
    "  --tile RxC       rows (M of A, N of B) and columns (K) in shared memory\n"
    "  --major K|MN     the dimension that is contiguous in global memory\n"
    "  --reader R       wgmma: a descriptor; mma: the loads of mma.sync; ldmatrix\n"
    "  --writer W       tma; cp.async (16 bytes a lane, past L1); st (st.shared.b128). Default: "
    "all\n"
    "  --operand A|B    (default A)\n"
    "  --n N            of the wgmma (default 256; for B the widest that divides the tile)\n"
    "  --gpu FOLDER     results of a GPU, as results/nvidia-h200: what was measured, with the row\n"
    "  --csv            a line for each candidate\n"
    "\n"
    "  --check          do writer and reader agree? Exit status 0 yes, 1 no, and where\n"
    "  --writer-box N,N...    the box of the tensor map, in elements; several boxes follow each\n"
    "                   other in shared memory, and\n"
    "  --writer-swizzle S     none 32B 64B 128B\n"
    "  --writer-layout L      or, of cp.async and st: K/128B, MN/none, linear ...\n"
    "  --stack col|row  the next box (or atom) in memory is the next down a column, or along a "
    "row\n"
    "                   (default: the next across the contiguous dimension)\n"
    "  --base BYTES     where the tile begins in shared memory (default: the descriptor's start)\n"
    "  --descriptor X   of wgmma, 64 bits; or its fields:\n"
    "  --mode M, --sbo BYTES, --lbo BYTES, --base-offset N\n"
    "                   M: none 32B 64B 128B, or its number in the descriptor; the others "
    "default to 0\n"
    "  --reader-layout L      of mma and ldmatrix: the layout that they take it for\n"
    "  --help\n";

static bool advise(const struct advise_words *words, const struct advise_question *question,
                   struct error *error)
{
    struct advice *advice = malloc(sizeof *advice);
    bool done = advice ? advise_find(question, advice, error)
                       : error_set(error, ERROR_MACHINE, "no memory for the candidates");
    if (done && words->gpu)
        done = advise_measured(words->gpu, advice, error);
    if (done && words->csv)
        advise_print_csv(advice);
    else if (done)
        advise_print(advice);
    free(advice);
    return done;
}

static int advise_main(int argc, char **argv)
{
    struct advise_words words = {.csv = false};
    struct advise_question question;
    struct error error = {.kind = ERROR_NONE};
    bool agree = true;
    if (!advise_words_read(argc, argv, &words, &error))
        return complain("advise", &error);
    if (words.help) {
        fputs(help, stdout);
        return 0;
    }
    bool answered = advise_question_read(&words, &question, &error) &&
                    (words.check ? advise_check(&question, &words, &agree, &error)
                                 : advise(&words, &question, &error));
    return !answered ? complain("advise", &error) : agree ? 0 : 1;
}

const struct command command_advise = {
    .name = "advise",
    .summary = "layout, box and path for a tile, with the numbers why; do two of them agree?",
    .run = advise_main,
};
