// targets: 90a 100a 103a 120a
// What do ldmatrix and a TMA that fills another stage cost each other?
#include "kernels/contention.cuh"

CONTENTION_TMA_ENTRY(x4, CONTENTION_MOST_THREADS, contention_read<matrix_load_x4>(a, warp))
CONTENTION_TMA_ENTRY(x4_trans, CONTENTION_MOST_THREADS,
                     contention_read<matrix_load_x4_trans>(a, warp))
