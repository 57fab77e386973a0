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

# Lines on stdin, parts of those of $work/findings.
expect_findings() {
    while IFS= read -r line; do
        if ! grep -qF -e "$line" "$work/findings"; then
            echo "findings: no '$line' in:"
            cat "$work/findings"
            exit 1
        fi
    done
}

# ---- --help: what a script is for and takes, and nothing done ------------------------------------

for script in scripts/*; do
    [ "$(head -n 1 "$script" | cut -c 1-2)" = '#!' ] || continue
    status=0
    "$script" --help >"$work/help" 2>"$work/stderr" || status=$?
    expect "$script --help" "$status $(cat "$work/stderr")" '0 '
    expect "first line of $script --help" "$(head -n 1 "$work/help")" "$(sed -n '2s/^# //p' "$script")"
    expect "last line of $script --help" "# $(tail -n 1 "$work/help")" \
        "$(sed '/^#/!q' "$script" | tail -n 2 | head -n 1)"
done

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

    # ---- plot: TMPDIR may be a path from here ------------------------------------------------------

    mkdir "$work/from" "$work/from/here"
    cp "$work/shared.csv" "$work/from/here"
    plot=$PWD/scripts/plot
    (cd "$work/from" && TMPDIR=. "$plot" here >/dev/null 2>"$work/stderr") || true
    expect 'plots with a relative TMPDIR' "$(grep -v 'so no plot of' "$work/stderr")$(cd "$work/from" && echo * here/*g)" \
        'here here/shared-layouts.png here/shared-layouts.svg'

    # ---- plot: where CUTLASS's choice is not the fastest layout, the title says what it loses -------

    mkdir "$work/pipeline"
    cat >"$work/pipeline/pipeline.csv" <<'END'
# schema: swizzlebench 1
# backend: cuda
# gpu: NVIDIA H200
family,case,status,reason,verified,layout,k_block,n,stages,b_layout,boxes,boxes_per_stage,cutlass_choice,bound_cycles,cycles_per_k_block
pipeline,a,ok,,yes,64B,32,64,4,K/64B,one,2,yes,100,110
pipeline,b,ok,,yes,32B,32,64,4,K/32B,one,2,no,100,200
pipeline,c,ok,,yes,32B,32,64,4,K/32B,many,4,no,100,100
pipeline,d,ok,,yes,64B,32,128,4,K/64B,one,2,yes,100,100
pipeline,e,ok,,yes,32B,32,128,4,K/32B,one,2,no,200,300
END
    scripts/plot "$work/pipeline" >/dev/null 2>"$work/stderr"
    expect 'plots of pipeline: no warnings' "$(cat "$work/stderr")" ''
    grep -q 'is the fastest for 1 of 2 tiles, and loses 10.0 % at most' \
        "$work/pipeline/pipeline-choice.svg"
    grep -q 'of what TMA and wgmma take: 2 of 5 with 4 stages' "$work/pipeline/pipeline-bound.svg"

    # ---- plot: a title says which of the ways that are drawn it speaks of, and of which types -------

    mkdir "$work/titles"
    cat >"$work/titles/tma.csv" <<'END'
# schema: swizzlebench 1
# backend: cuda
# gpu: NVIDIA H200
family,case,status,reason,verified,direction,dtype,rank,box,inner_bytes,rows,swizzle,interleave,l2_promotion,smem_offset,oob_fill,box_bytes,rule,latency_cycles,cycles_per_box,bytes_per_clk_sm
tma,a,ok,,yes,load,bf16,2,8x1,16,1,none,none,none,0,zero,16,,350,340,1
tma,b,ok,,yes,load,bf16,2,64x256,128,256,none,none,none,0,zero,32768,,900,800,40
tma,c,ok,,yes,store,bf16,2,8x1,16,1,none,none,none,0,zero,16,,60,50,1
tma,d,ok,,yes,store,bf16,2,64x256,128,256,none,none,none,0,zero,32768,,1700,1600,20
END
    cat >"$work/titles/mma.csv" <<'END'
# schema: swizzlebench 1
# backend: cuda
# gpu: NVIDIA H200
family,case,status,reason,verified,dtype,a_layout,b_layout,load,model_wavefronts,model_conflicts,bound_cycles,cycles_per_mma,cycles_per_mma_without_loads
mma,a,ok,,yes,bf16,K/128B,K/128B,ldmatrix.x4,1,0,1.5,1.72,1.498
mma,b,ok,,yes,bf16,K/64B,K/64B,ldmatrix.x4,1,0,1.5,1.72,1.502
mma,c,ok,,yes,s8,K/128B,K/128B,ldmatrix.x4,1,0,1.5,1.74,1.507
mma,d,ok,,yes,tf32,MN/32B,MN/32B,ld.shared.b32,1,0,1.5,2.24,1.5
END
    scripts/plot "$work/titles" >/dev/null 2>&1
    grep -q '350 clocks at least to load and 60 to store; 32 KiB take 900 to load and 1700 to store' \
        "$work/titles/tma-latency.svg"
    grep -q 'mma: 1.50 to 1.51 alone, 1.72 to 1.74 with ldmatrix, 2.24 with plain loads;' \
        "$work/titles/mma-loads.svg"

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

    # A folder's name is one word for make, too.
    spaced="$work/it's a \$folder"
    mkdir "$spaced"
    cp "$work/shared.csv" "$spaced"
    for goal in plots report; do
        status=0
        make $goal BUILD="$(dirname "$SWIZZLEBENCH")" DIR="$spaced" >"$work/stderr" 2>&1 || status=$?
        expect "make $goal" "$status $(grep -v -e '^plot: .* so no plot of ' -e '^findings: ' \
            -e 'goes on without findings' -e "^$spaced/" -e '^[A-Z]* ' -e '^make' "$work/stderr")" '0 '
    done
    expect 'files of both' "$(cd "$spaced" && echo *)" \
        'claims.csv report.html report.md shared-layouts.png shared-layouts.svg shared.csv'
    status=0
    make plots >"$work/stderr" 2>&1 || status=$?
    expect 'make plots of no folder' "$status $(grep -c '^plot: which folder' "$work/stderr")" '2 1'
    status=0
    scripts/report "$work/none" >/dev/null 2>&1 || status=$?
    expect 'report of a folder that is none' "$status" 2
fi

# ---- findings of copy and transpose: what disagrees is counted, what is not there is left out -----

mkdir "$work/few"
cat >"$work/few/copy.csv" <<'END'
# schema: swizzlebench 1
# backend: cuda
# gpu: NVIDIA H200
# driver: 1
# date: 2026-01-01T00:00:00Z
family,case,status,reason,verified,path,layout,tile,stacking,source,instructions,model_sectors,hw_sectors,requests,bytes_per_clk_sm,gbytes_per_s,pct_of_peak,order,stages,bytes,run_bytes,model_requests,hw_l2_requests,model_wavefronts,ideal_wavefronts,hw_wavefronts,inst_expected,inst_executed,cycles_per_tile,ctas_per_sm,peak_gbytes_per_s
copy,plain-load L2,ok,,yes,plain-load,,,,L2,,,,,,1000,100,,,,,,,,,,,,,2,1000
copy,a,ok,,yes,ld-st.4,K/128B,64x128B,,L2,64,256,256,64,40,900,90,shared,4,8192,128,64,64,64,64,64,9,9,200,1,1000
copy,b,ok,,yes,ld-st.4,K/none,64x128B,col,L2,64,512,511,64,10,400,40,shared,4,8192,16,64,230,64,64,64,9,9,800,1,1000
copy,c,ok,,no,tma-load,K/128B,64x128B,,L2,1,256,256,,50,990,99,,4,8192,128,,64,,,,9,8,160,1,1000
copy,d,failed,wrong,no,tma-load,K/none,64x128B,col,L2,,,,,,,,,4,8192,16,,,,,,,,,,
END
cat >"$work/few/transpose.csv" <<'END'
# schema: swizzlebench 1
# backend: cuda
# gpu: NVIDIA H200
# driver: 1
# date: 2026-01-01T00:00:00Z
family,case,status,reason,verified,method,layout,tile,elem_bits,model_wavefronts_in,hw_wavefronts_in,ideal_wavefronts_in,inst_expected_in,inst_executed_in,model_wavefronts_out,hw_wavefronts_out,ideal_wavefronts_out,inst_expected_out,inst_executed_out,model_wavefronts_put,hw_wavefronts_put,inst_expected_put,inst_executed_put,cycles,gbytes_per_s,pct_of_copy,l2_gbytes_per_s,l2_pct_of_copy
transpose,copy,ok,,yes,copy,,,32,,,,,,,,,,,,,,,,1000,100,2000,100
transpose,a,ok,,yes,elements,K/128B,64x64,32,128,128,128,9,9,512,512,128,9,9,,,,,650,800,80,1500,75
transpose,b,ok,,yes,elements,4B-xor-packed,64x64,32,128,128,128,9,9,128,127,128,9,8,,,,,250,960,96,1400,70
END
scripts/findings "$work/few" >"$work/findings"
expect_findings <<'END'
4 rows ok, 0 skipped, 1 failed. Every byte where it must be in 3 of 4; `model_sectors` = `hw_sectors` in 2 of 3, `model_requests` = `requests` in all 2, `model_wavefronts` = `hw_wavefronts` in all 2; instructions executed as in the source in 2 of 3.
Within 2 % of it: `tma-load` 99.0 %; not: `ld-st.4` 90.0 %.
in all 2 rows of `ld-st` in that order
512, -, -, 256 sectors, 40, -, -, 90 % of the plain copy from L2, -, -, -, - % from DRAM
predicted on 3 of 4, and instructions executed those of the source on 3 of 4.
| 32-bit, 64x64 | 256 | `elements 4B-xor-packed` | 960 | 96.0 % | `elements K/128B` | 1500 | 75.0 % |
1 of 2 rows reach 95 % of the copy from DRAM, 0 within L2
In 1 rows, of `elements`, the clocks are fewer than the wavefronts, by up to 2.3 %.
in `4B-xor-packed` (32-bit elements); of the 1 rows in MMA layouts, in 0.
END
expect 'blocks without rows' "$(grep -c 'copy-s15\|copy-stages' "$work/findings")" 0
if command -v gnuplot >/dev/null; then
    scripts/plot "$work/few" >/dev/null 2>&1
    expect 'plots of few rows' "$(cd "$work/few" && echo *.svg)" \
        'copy-inflight.svg copy-paths.svg transpose-dram.svg transpose-l2.svg'
    grep -q 'Into 128B a tile loads at up to 99 %' "$work/few/copy-paths.svg"
    grep -q 'reaches 96 % (32 bits) of a plain copy' "$work/few/transpose-dram.svg"
fi

# ---- findings of contention: laws over all pairs, a few shown, verdicts of the row's numbers --------

mkdir "$work/contention"
cat >"$work/contention/contention.csv" <<'END'
# schema: swizzlebench 1
# backend: cuda
# gpu: NVIDIA H200
# driver: 1
# date: 2026-01-01T00:00:00Z
family,case,status,reason,verified,report,reader,writer,mode,reader_layout,writer_layout,reader_warps,writer_warps,predicted,counted_sass,counted_hw,arbitration,verdict,wavefronts_per_clk,reader_model_wavefronts,reader_model_conflicts,reader_hw_conflicts,reader_cycles_alone,reader_cycles_together,reader_slowdown,writer_model_wavefronts,writer_model_conflicts,writer_hw_conflicts,writer_cycles_together,writer_slowdown
contention,a,ok,,yes,,ldmatrix.x4,st.shared.b128,,K/128B,K/none,8,8,0,0,0,0,as predicted,1,4,0,0,4,68,17,32,28,28,34,1.06
contention,b,ok,,yes,,ldmatrix.x4,st.shared.b128,,K/none,K/none,8,8,0,0,0,0,as predicted,1,4,0,0,4,69,17.25,32,28,28,34.5,1.08
contention,c,ok,,yes,,ldmatrix.x4,st.shared.b128,,K/128B,K/none,4,4,0,0,0,0,as predicted,1,4,0,0,4,48,12,32,28,28,34.5,1.08
contention,d,ok,,yes,,wgmma.n64,cp.async.16.ca,ca,K/128B,K/128B,4,8,0,0,0,0.01,as predicted,1,32,0,0,32,33,1.0313,4,0,0.5,96,16
contention,e,ok,,yes,ca-or-cg,,cp.async.16.ca,ca,,linear,0,8,0,0,0.5,0,VERDICT,,,,,,,,4,0,0.5,,
contention,f,ok,,yes,ca-or-cg,,cp.async.16.ca,ca,,K/none,0,8,28,28,28.2,0.00002,arbitration,,,,,,,,32,28,28.2,,
contention,g,ok,,yes,ca-or-cg,,tma,,,32B,0,8,0,,,0,,,,,,,,,64,0,,,
END
sed 's/VERDICT/other turns/' "$work/contention/contention.csv" >"$work/contention/new"
sed -i 's/VERDICT/arbitration/' "$work/contention/contention.csv"
scripts/findings "$work/contention" >"$work/findings"
expect_findings <<'END'
The readers' conflicts by the hardware's counter are more than predicted in 0 of 4 pairs
In 1 of these rows the column `verdict` says other than
and 0.0 to 1.5 % more, in all 2 pairs. One without conflicts takes at most 17.25 times its clocks beside stores of 32 wavefronts.
differ by at most 1.47 % over the layouts.
| writers | ldmatrix.x4 K/128B | wgmma.n64 K/128B |
| `cp.async` through L1 | `wgmma` | 1 | 1 (0.5) | - | 1 (0.01) |
| cp.async.16.ca linear | 0 | 0 | 0.5 | 0 | other turns |
| cp.async.16.ca K/none | 28 | 28 | 28.2 | 0.00002 | arbitration |
| tma 32B | 0 |  |  | 0 |  |
what was predicted in 0 of 3 rows. The hardware's alone says more in 1 where `arbitration` is not 0, and in 1 where it is 0;
END
mv "$work/contention/new" "$work/contention/contention.csv"
scripts/findings "$work/contention" >"$work/findings"
expect 'verdicts as the numbers' "$(grep -c 'column .verdict. says other' "$work/findings")" 0
if command -v gnuplot >/dev/null; then
    scripts/plot "$work/contention" >/dev/null 2>"$work/stderr"
    expect 'plot of contention: no warnings' "$(cat "$work/stderr")" ''
    grep -q 'wgmma up to 1.03 times, ldmatrix up to 17.00 times' \
        "$work/contention/contention-slowdown.svg"
fi

# ---- compare-plot: a plot for each time, each side by its GPU's name -----------------------------

mkdir "$work/a" "$work/b"
cat >"$work/a/mma.csv" <<'END'
# schema: swizzlebench 1
# gpu: NVIDIA H100
family,case,status,reason,verified,cycles_per_mma,cycles_per_mma_min,cycles_per_mma_max,sm_clock_mhz
mma,x,ok,,yes,10,10,10,1000
mma,y,ok,,yes,20,20,20,1000
END
sed 's/H100/H200/; s/,10,10,10,/,12,12,12,/' "$work/a/mma.csv" >"$work/b/mma.csv"
if command -v gnuplot >/dev/null; then
    scripts/compare-plot "$work/plots" "$work/a" "$work/b" >/dev/null 2>"$work/stderr"
    expect 'compare-plot: no warnings' "$(cat "$work/stderr")" ''
    expect 'plots of a comparison' "$(cd "$work/plots" && echo *)" \
        'compare-mma-cycles_per_mma.png compare-mma-cycles_per_mma.svg'
    grep -q 'NVIDIA H200' "$work/plots/compare-mma-cycles_per_mma.svg"
    grep -q 'ns/mma' "$work/plots/compare-mma-cycles_per_mma.svg"
    status=0
    scripts/compare-plot "$work/plots" "$work/a" "$work/none" >/dev/null 2>&1 || status=$?
    expect 'compare-plot of a folder that is none' "$status" 2

    mkdir "$work/from/comparison"
    program=$(realpath "$SWIZZLEBENCH")
    compare_plot=$PWD/scripts/compare-plot
    (cd "$work/from" && SWIZZLEBENCH=$program TMPDIR=. "$compare_plot" comparison ../a ../b >/dev/null)
    expect 'comparison with a relative TMPDIR' "$(cd "$work/from" && echo * comparison/*.svg)" \
        'comparison here comparison/compare-mma-cycles_per_mma.svg'

    # All ratios, and all values, are one.
    mkdir "$work/one"
    head -n 4 "$work/a/mma.csv" >"$work/one/mma.csv"
    for side in a one; do
        scripts/compare-plot "$work/equal" "$work/$side" "$work/$side" >/dev/null 2>"$work/stderr"
        expect 'compare-plot of equal sides: no warnings' "$(cat "$work/stderr")" ''
    done
    status=0
    scripts/compare-plot "$work/a/mma.csv/x" "$work/a" "$work/b" >"$work/stderr" 2>&1 || status=$?
    expect 'compare-plot where nothing can be written' "$status $(cat "$work/stderr")" \
        "2 compare-plot: cannot write to the folder '$work/a/mma.csv/x': Not a directory"
fi

status=0
mkdir "$work/untimed"
sed 's/,[0-9]*,[0-9]*,[0-9]*,1000$/,,,,/' "$work/a/mma.csv" >"$work/untimed/mma.csv"
scripts/compare-plot "$work/nothing" "$work/untimed" "$work/untimed" >"$work/stderr" 2>&1 || status=$?
expect 'compare-plot of nothing that was timed' "$status $(cat "$work/stderr")" \
    '2 compare-plot: no case was timed on both sides'
expect 'folder of no plots' "$(ls -d "$work/nothing" 2>/dev/null)" ''

# ---- both, ended from outside: no folder that is drawn into stays ---------------------------------

mkdir "$work/bin" "$work/ended"
cat >"$work/bin/gnuplot" <<'END'
#!/bin/sh
ls -A "$DRAWN_INTO" >>"$LOG"
kill -"$SIGNAL" "$DRAWS"
END
chmod +x "$work/bin/gnuplot"
cp "$work/a/mma.csv" "$work/ended"
for signal in HUP INT TERM; do
    for command in "plot $work/ended" "compare-plot $work/ended $work/a $work/b"; do
        status=0
        : >"$work/log"
        # shellcheck disable=SC2016,SC2086 # the inner shell's number; several words
        PATH=$work/bin:$PATH SIGNAL=$signal LOG=$work/log DRAWN_INTO=$work/ended env --default-signal \
            sh -c 'export DRAWS=$$; exec "$@"' sh scripts/$command >/dev/null 2>&1 || status=$?
        expect "SIG$signal while $command draws" "$status $(grep -c '^.drawn' "$work/log")" '130 1'
        expect "what SIG$signal leaves" "$(ls -A "$work/ended")" mma.csv
    done
done

# ---- aside: pictures come into a folder whole, or not at all --------------------------------------

mkdir "$work/pictures"
echo old >"$work/pictures/mma-one.svg"
aside=$(scripts/aside open plot "$work/pictures")
echo '<svg>new</svg>' >"$aside/mma-one.svg"
printf '\211PNG cut' >"$aside/mma-one.png"
status=0
scripts/aside close plot "$aside" >"$work/stderr" 2>&1 || status=$?
expect 'a picture that is cut' "$status $(cat "$work/stderr")" \
    "1 plot: cannot write $work/pictures/mma-one.png: it is cut; is the disk full?"
expect 'the picture before' "$(cat "$work/pictures"/*)" old
printf '\211PNG IEND\256B`\202' >"$aside/mma-one.png"
expect 'whole pictures' "$(scripts/aside close plot "$aside")" "$work/pictures/mma-one.png
$work/pictures/mma-one.svg"
expect 'the new picture' "$(ls -A "$work/pictures"; cat "$work/pictures/mma-one.svg")" 'mma-one.png
mma-one.svg
<svg>new</svg>'
expect 'no picture' "$(scripts/aside close plot "$(scripts/aside open plot "$work/pictures")")" ''

# What a program says that fails is said in the name of the one who asked.
aside=$(scripts/aside open plot "$work/pictures")
echo '<svg>new</svg>' >"$aside/taken.svg"
mkdir "$work/pictures/taken.svg"
status=0
scripts/aside close plot "$aside" >"$work/stderr" 2>&1 || status=$?
expect 'a picture that cannot be moved' "$status $(sed 's/svg: [a-z].*/svg: why/' "$work/stderr")" \
    "2 plot: cannot write $work/pictures/taken.svg: why"
