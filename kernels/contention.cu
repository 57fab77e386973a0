// targets: 80 86 89 90a 100a 103a 120a
// What do ldmatrix and the lanes that fill another stage cost each other?
#include "kernels/contention.cuh"

CONTENTION_ENTRIES(x4, CONTENTION_MOST_THREADS, contention_read<matrix_load_x4>(a, warp))
CONTENTION_ENTRIES(x4_trans, CONTENTION_MOST_THREADS,
                   contention_read<matrix_load_x4_trans>(a, warp))
