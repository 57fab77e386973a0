/* How does the work of a launch get to one SM? */
#include "bench/one_sm.h"

void one_sm_put(struct gpu *gpu, struct timed_kernel *timed, struct one_sm *choice, uint32_t sm)
{
    choice->sm = sm;
    timed->one_sm = choice;
    timed->launch.grid_x = (unsigned)gpu_info(gpu)->sm_count;
}
