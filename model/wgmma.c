/* What does a wgmma cost, and what bounds it: the tensor core, or the reading of its operands? */
#include "model/swizzlebench.h"

enum {
    M = 64,
    K_BYTES = 32,
    REGISTERS_CYCLES = 13, /* least, of an instruction that takes A from registers: measured */
};

unsigned swb_wgmma_tensor_cycles(unsigned n)
{
    return n / 2;
}

unsigned swb_wgmma_wavefronts(unsigned n, bool a_in_shared)
{
    return (n + (a_in_shared ? M : 0)) * K_BYTES / SWB_WAVEFRONT_BYTES;
}

unsigned swb_wgmma_cycles(unsigned n, bool a_in_shared, unsigned wavefronts)
{
    unsigned cycles = swb_wgmma_tensor_cycles(n);
    if (!a_in_shared && cycles < REGISTERS_CYCLES)
        cycles = REGISTERS_CYCLES;
    return cycles > wavefronts ? cycles : wavefronts;
}
