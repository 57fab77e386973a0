#!/bin/sh
# Do the scripts read quoted CSV, choose the right targets for nvcc, and plot what there is?
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

expect() {
    if [ "$2" != "$3" ]; then
        printf '%s: got\n%s\nnot\n%s\n' "$1" "$2" "$3"
        exit 1
    fi
}

# ---- csv.awk: quotes, commas, doubled quotes and line ends within fields, columns by name --------

cat >"$work/quoted.csv" <<'END'
# gpu: NVIDIA H200
b,a
"x, ""y""",1
"two
lines",2
,3
END
expect 'quoted CSV' \
    "$(awk -f scripts/csv.awk -f /dev/stdin "$work/quoted.csv" <<'END'
{ print meta["gpu"] "|" get("a") "|" get("b") "|" get("none") }
END
)" 'NVIDIA H200|1|x, "y"|
NVIDIA H200|2|two
lines|
NVIDIA H200|3||'

# ---- mutants of the kernels: every change fits its source, every filter names a case -------------

scripts/mutate-kernels --list >"$work/mutants"
sed -n 's/.* | \([a-z]*\) case=\(.*\)/\1 \2/p' "$work/mutants" | sort -u >"$work/wanted"
# shellcheck disable=SC2013 # words, one a line
for family in $(cut -d ' ' -f 1 "$work/wanted" | sort -u); do
    "$SWIZZLEBENCH" list "$family" --full | sed "s/^/$family /"
done >"$work/cases"
expect 'cases that mutants are run with' "$(grep -vxF -f "$work/cases" "$work/wanted" || true)" ''

# ---- gencode: plain PTX where a plain target shows that the source needs no letter ---------------

cat >"$work/nvcc" <<'END'
#!/bin/sh
printf 'sm_80\nsm_90\nsm_120\n'
END
chmod +x "$work/nvcc"
flag() { printf -- '-gencode arch=compute_%s,code=%s_%s' "$1" "$2" "$1"; }

echo '// targets: 80 90a 120a' >"$work/plain.cu"
expect 'plain source' "$(scripts/gencode "$work/nvcc" "$work/plain.cu")" \
    "$(flag 80 sm) $(flag 90a sm) $(flag 120a sm) $(flag 120 compute)"
echo '// targets: 90a' >"$work/arch.cu"
expect 'source of one architecture' "$(scripts/gencode "$work/nvcc" "$work/arch.cu")" \
    "$(flag 90a sm) $(flag 90a compute)"
echo '// targets: 90a 100a ptx90' >"$work/old.cu"
expect 'nvcc without a target' "$(scripts/gencode "$work/nvcc" "$work/old.cu" 2>/dev/null)" \
    "$(flag 90a sm) $(flag 90 compute)"
status=0
: >"$work/none.cu"
scripts/gencode "$work/nvcc" "$work/none.cu" 2>/dev/null || status=$?
expect 'no targets line' "$status" 2

# ---- find-cuda: a mistyped CUDA_HOME is an error, not another toolkit ---------------------------

for what in nvcc include; do
    status=0
    CUDA_HOME=$work/none scripts/find-cuda "$what" >"$work/stdout" 2>"$work/stderr" || status=$?
    expect 'CUDA_HOME without a toolkit' "$status $(cat "$work/stdout" "$work/stderr")" \
        "2 find-cuda: CUDA_HOME=$work/none holds neither bin/nvcc nor include/cuda.h"
done
mkdir -p "$work/toolkit/bin"
: >"$work/toolkit/bin/nvcc"
expect 'CUDA_HOME of a toolkit' "$(CUDA_HOME=$work/toolkit scripts/find-cuda nvcc)" \
    "$work/toolkit/bin/nvcc"

# ---- plot: predictions alone give the heat map and say what is missing ---------------------------

if command -v gnuplot >/dev/null; then
    cat >"$work/shared.csv" <<'END'
# schema: swizzlebench 1
# backend: model
# date: 2026-01-01T00:00:00Z
family,case,status,reason,verified,instruction,layout,swizzle,elem_bits,access,tile,model_wavefronts,hw_wavefronts,ideal_wavefronts
shared,a,ok,,-,ldmatrix.x4,linear,linear,16,block,64x64,32,,4
shared,b,ok,,-,ldmatrix.x4,K/128B,128B,16,block,64x64,4,,4
shared,c,skipped,"no, really",-,ldmatrix.x4,MN/128B,128B,16,block,64x64,,,
END
    scripts/plot "$work" >/dev/null 2>"$work/stderr"
    expect 'plots' "$(cd "$work" && echo *.svg *.png)" 'shared-layouts.svg shared-layouts.png'
    expect 'plots left out' "$(grep -c 'so no plot of' "$work/stderr")" 2
    grep -q 'K.128B feeds .* linear costs them 8 times' "$work/shared-layouts.svg"

    # ---- report: draws too; predictions are reported without findings, and are said to be that ---

    rm "$work"/*.svg "$work"/*.png
    scripts/report "$work" >/dev/null 2>"$work/stderr"
    expect 'report' "$(cd "$work" && echo report.* *.svg)" 'report.html report.md shared-layouts.svg'
    grep -q "report: $work: goes on without findings" "$work/stderr"
    grep -q 'K.128B feeds .* linear costs them 8 times' "$work/report.html"
    grep -q 'Backend: model' "$work/report.md"
    if [ -f results/nvidia-h200/mma.csv ]; then
        mkdir "$work/mma"
        head -n 60 results/nvidia-h200/mma.csv >"$work/mma/mma.csv"
        scripts/report "$work/mma" >/dev/null 2>&1
        grep -q '^#### mma' "$work/mma/report.md"
    fi
    status=0
    scripts/report "$work/none" >/dev/null 2>&1 || status=$?
    expect 'report of a folder that is none' "$status" 2
fi

# ---- compare-plot: a plot for each time, each side by its GPU's name -----------------------------

if command -v gnuplot >/dev/null; then
    mkdir "$work/a" "$work/b"
    cat >"$work/a/mma.csv" <<'END'
# schema: swizzlebench 1
# gpu: NVIDIA H100
family,case,status,reason,verified,cycles_per_mma,cycles_per_mma_min,cycles_per_mma_max,sm_clock_mhz
mma,x,ok,,yes,10,10,10,1000
mma,y,ok,,yes,20,20,20,1000
END
    sed 's/H100/H200/; s/,10,10,10,/,12,12,12,/' "$work/a/mma.csv" >"$work/b/mma.csv"
    scripts/compare-plot "$work/plots" "$work/a" "$work/b" >/dev/null 2>"$work/stderr"
    expect 'compare-plot: no warnings' "$(cat "$work/stderr")" ''
    expect 'plots of a comparison' "$(cd "$work/plots" && echo *)" \
        'compare-mma-cycles_per_mma.png compare-mma-cycles_per_mma.svg'
    grep -q 'NVIDIA H200' "$work/plots/compare-mma-cycles_per_mma.svg"
    grep -q 'ns/mma' "$work/plots/compare-mma-cycles_per_mma.svg"
    status=0
    scripts/compare-plot "$work/plots" "$work/a" "$work/none" >/dev/null 2>&1 || status=$?
    expect 'compare-plot of a folder that is none' "$status" 2
fi
