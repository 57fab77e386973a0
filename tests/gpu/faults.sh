#!/bin/sh
# Does each fault on purpose cost its row or its column, with a reason, and nothing else, on a real
# GPU? Kernels of ld.shared.b32 that do one thing wrong (tests/gpu/kernels) run before healthy ones of
# ld.shared.b64; libraries are hidden, or a driver that denies counters is played.
#
# `make test-gpu` runs it; $SWIZZLEBENCH is the program, $BROKEN_KERNELS where the kernels are built.
# tests/faults.sh does the same without a GPU.
set -eu
export LC_ALL=C

cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Two rows of each instruction.
few='instruction=ld.shared.b[36]*,tile=64x64,access=rows,layout=K/[16]*,layout!=*atom*'
# shellcheck source=tests/lib/faults.sh
. tests/lib/faults.sh
broken=${BROKEN_KERNELS:-build/tests/gpu/kernels}

run_with 'nothing' 0
rows 4 ok yes ''
counted=$(sed -n 's/^# counters: yes/4/p' "$work/nothing/shared.csv")
values "${counted:-0}" hw_wavefronts
nvml=$(sed -n 's/^# driver: unknown.*/no/p' "$work/nothing/shared.csv")

run_with 'illegal address' 1 "SWIZZLEBENCH_KERNELS=$broken/illegal_address"
rows 2 failed - 'running ld_shared_b32_show: CUDA_ERROR_ILLEGAL_ADDRESS'
rows 2 ok yes ''

run_with 'endless loop' 1 "SWIZZLEBENCH_KERNELS=$broken/endless_loop" -- --time-limit 3
rows 2 failed - 'no answer within 3 s: the time limit of a case'
rows 2 ok yes ''

run_with 'wrong bytes' 1 "SWIZZLEBENCH_KERNELS=$broken/wrong_bytes"
rows 2 failed no 'wrong bytes: position 0 copy 0 lane 5 register 0 holds '
rows 2 ok yes ''

# Its kernels of ld.shared.b64 are not there at all.
if [ -n "$counted" ]; then
    run_with 'missing instruction' 1 "SWIZZLEBENCH_KERNELS=$broken"
    rows 2 failed yes 'wrong count: the kernel executed '
    rows 2 failed - 'ld_st_shared.fatbin has no kernel ld_shared_b64_show'
else
    echo 'missing instruction: not tried, there are no counters here'
fi

run_with 'libcupti missing' 0 SWIZZLEBENCH_CUPTI=/nowhere/libcupti.so
rows 4 ok yes ''
says 'no hardware counters, times alone: cannot open SWIZZLEBENCH_CUPTI: /nowhere/libcupti.so'
values 0 hw_wavefronts
values 4 throughput_cycles

make_cupti "$work"
run_with 'counters denied' 0 FAKE_CUPTI=35 "SWIZZLEBENCH_CUPTI=$work/libcupti.so"
rows 4 ok yes ''
says 'NVreg_RestrictProfilingToAdminUsers=0 (CUPTI error 35)'
values 0 hw_wavefronts
values 4 throughput_cycles

run_with 'NVML missing' 0 SWIZZLEBENCH_NVML=/nowhere/libnvidia-ml.so.1
rows 4 ok yes ''
says 'throttled_samples is empty: cannot open SWIZZLEBENCH_NVML: /nowhere/libnvidia-ml.so.1'
values 0 throttled_samples
values "${counted:-0}" hw_wavefronts
values 4 throughput_cycles
if [ -z "$nvml" ]; then
    fault=nothing
    values 4 throttled_samples
fi

# It faults at the first case, and no worker can open it after that.
run_with 'GPU lost' 1 "SWIZZLEBENCH_KERNELS=$broken/illegal_address" SWIZZLEBENCH_INJECT=noopen:2
rows 1 failed - 'running ld_shared_b32_show: CUDA_ERROR_ILLEGAL_ADDRESS'
says 'gave up after 3 tries: cannot open the GPU'
says '1 of 4 rows are in'
run_with 'GPU lost' 1 -- --resume
rows 1 failed - 'running ld_shared_b32_show: CUDA_ERROR_ILLEGAL_ADDRESS'
rows 3 ok yes ''
echo 'faults: each costs its row or its column'
