#!/bin/sh
# Does each fault on purpose cost its row or its column, with a reason, and nothing else?
#
# The program itself, under a driver that is made up (tests/fake/libcuda.c): launches do nothing, so
# that a row is `failed` for its wrong bytes unless something worse happens to it. The families are
# tried on GPUs that are made up (tests/test_*_run.c), real faults by tests/gpu/faults.sh.
set -eu
export LC_ALL=C

cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2034 # read by the next file
few='instruction=ld.shared.b64,tile=64x64,access=rows,layout=K/*,layout!=*atom*'
# shellcheck source=tests/lib/faults.sh
. tests/lib/faults.sh

cc -shared -fPIC -Wl,-soname,libcuda.so.1 -o "$work/libcuda.so.1" tests/fake/libcuda.c
cc -shared -fPIC -o "$work/libnvml.so" tests/fake/libnvml.c
driver=LD_LIBRARY_PATH=$work
# As scripts/gencode's fatbins: the made-up driver takes any.
mkdir "$work/kernels"
printf '\120\355\125\272\001\000\020\000\000\000\000\000\000\000\000\000' \
    >"$work/kernels/ld_st_shared.fatbin"
export SWIZZLEBENCH_KERNELS="$work/kernels"
export SWIZZLEBENCH_NVML="$work/libnvml.so"
# A real one, where there is one, does not go with a driver that is made up.
export SWIZZLEBENCH_CUPTI=/nowhere/libcupti.so

if ! scripts/find-cuda include >/dev/null; then
    echo 'faults: skipped: this build has no CUDA headers, so that it opens no driver'
    exit 77
fi

run_with 'wrong bytes' 1 "$driver"
rows 4 failed no 'wrong bytes: position 0 copy 0 lane 0 register 0 holds a5a5a5a5, not '
head_says driver 580.1

# The launch after the family is opened is that of the first case.
run_with 'illegal address' 1 "$driver" FAKE_CUDA_FAULT_AT=4
rows 1 failed - 'running ld_shared_b64_show: CUDA_ERROR_ILLEGAL_ADDRESS'
rows 3 failed no 'wrong bytes'

run_with 'endless loop' 1 "$driver" FAKE_CUDA_HANG_AT=3 -- --time-limit 0.5
rows 2 failed - 'no answer within 0.5 s: the time limit of a case'
rows 2 failed no 'wrong bytes'

run_with 'missing kernel' 1 "$driver" FAKE_CUDA_LACKS=ld_shared_b64_show
rows 4 failed - 'ld_st_shared.fatbin has no kernel ld_shared_b64_show for compute capability 75.76'

run_with 'missing code' 3 "$driver" 'FAKE_CUDA=no code'
says 'has no code that compute capability 75.76'

run_with 'libcupti missing' 1 "$driver"
rows 4 failed no 'wrong bytes'
says 'no hardware counters, times alone: cannot open SWIZZLEBENCH_CUPTI: /nowhere/libcupti.so'
head_says counters 'no: cannot open SWIZZLEBENCH_CUPTI'
values 0 hw_wavefronts
values 4 model_wavefronts

make_cupti "$work"
run_with 'counters denied' 1 "$driver" FAKE_CUPTI=35 "SWIZZLEBENCH_CUPTI=$work/libcupti.so"
says 'NVreg_RestrictProfilingToAdminUsers=0 (CUPTI error 35)'
head_says counters 'no: the driver keeps counters for administrators'
values 0 hw_wavefronts

run_with 'NVML missing' 1 "$driver" SWIZZLEBENCH_NVML=/nowhere/libnvml.so
rows 4 failed no 'wrong bytes'
says 'throttled_samples is empty: cannot open SWIZZLEBENCH_NVML: /nowhere/libnvml.so'
head_says driver 'unknown: no NVML'

# The GPU faults at the second case, and no worker can open it after that.
run_with 'GPU lost' 1 "$driver" FAKE_CUDA_FAULT_AT=3 SWIZZLEBENCH_INJECT=noopen:2
rows 1 failed no 'wrong bytes'
rows 1 failed - 'running ld_shared_b64_show: CUDA_ERROR_ILLEGAL_ADDRESS'
says 'gave up after 3 tries: cannot open the GPU'
says '2 of 4 rows are in'
run_with 'GPU lost' 1 "$driver" -- --resume
rows 3 failed no 'wrong bytes'
rows 1 failed - 'running ld_shared_b64_show: CUDA_ERROR_ILLEGAL_ADDRESS'
