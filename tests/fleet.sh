#!/bin/sh
# Does a task of a fleet take its own GPU and its own folder, and does the comparison name what is off?
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=$work/out
unset SLURM_LOCALID OMPI_COMM_WORLD_LOCAL_RANK MPI_LOCALRANKID CUDA_VISIBLE_DEVICES
host=$(uname -n | cut -d. -f1)

expect() {
    if [ "$2" != "$3" ]; then
        printf '%s: got\n%s\nnot\n%s\n' "$1" "$2" "$3"
        exit 1
    fi
}

# ---- run: which GPU, which folder -------------------------------------------------------------------

cat >"$work/program" <<'END'
#!/bin/sh
echo "$@"
exit 1
END
chmod +x "$work/program"

# What the task asks of the program: asked FOLDER VARIABLE=VALUE...
asked() {
    folder=$1
    shift
    env SWIZZLEBENCH="$work/program" "$@" scripts/fleet run "$out" --full >/dev/null
    cat "$out/$folder/log" "$out/$folder/status"
}
expect 'alone' "$(asked "$host-0" A=a)" "run --device 0 --out $out/$host-0 --full
1"
expect 'Slurm shows one GPU' "$(asked "$host-3" SLURM_LOCALID=3 CUDA_VISIBLE_DEVICES=3)" \
    "run --device 0 --out $out/$host-3 --full
1"
expect 'Slurm shows all' "$(asked "$host-2" SLURM_LOCALID=2 CUDA_VISIBLE_DEVICES=0,1,2,3)" \
    "run --device 2 --out $out/$host-2 --full
1"
expect 'Open MPI' "$(asked "$host-1" OMPI_COMM_WORLD_LOCAL_RANK=1)" \
    "run --device 1 --out $out/$host-1 --full
1"
expect 'MPICH' "$(asked "$host-5" MPI_LOCALRANKID=5)" "run --device 5 --out $out/$host-5 --full
1"
rm -rf "$out"

# ---- compare: what is off ---------------------------------------------------------------------------

compare() {
    status=0
    scripts/fleet compare "$out" "$@" >"$work/said" 2>&1 || status=$?
}
for number in 0 1 2 3; do
    SLURM_LOCALID=$number scripts/fleet run "$out" --backend model shared --filter layout=K/128B >/dev/null
done
compare 4
expect 'alike' "$status $(head -n 1 "$work/said")" \
    "0 4 folders, $(grep -c '^shared,' "$out/median/shared.csv") rows of the median, 0 outliers"
expect 'files' "$(cd "$out" && ls -d outliers* median)" 'median
outliers.csv
outliers.md
outliers.txt'

compare 5
expect 'a task that never came' "$status $(head -n 1 "$work/said")" '1 fleet: 4 tasks wrote a folder, of 5'

echo 1 >"$out/$host-1/status"
echo 'swizzlebench run: it burns' >>"$out/$host-1/log"
compare 4
expect 'a run that failed' "$status $(head -n 1 "$work/said")" \
    "1 fleet: $out/$host-1: exit status 1: swizzlebench run: it burns"
echo 0 >"$out/$host-1/status"

# One prediction of one GPU is another.
awk -F, -v OFS=, '/^family,/ { for (i = 1; i <= NF; i++) if ($i == "model_wavefronts") at = i }
    /^shared,/ && !done && $3 == "ok" { $at += 1; done = 1 } { print }' "$out/$host-2/shared.csv" >"$work/csv"
cp "$work/csv" "$out/$host-2/shared.csv"
compare 4
expect 'an outlier' "$status $(grep ^/ "$work/said")" "1 $out/$host-2: another prediction in 1 row"

rm "$out/$host-3/shared.csv" "$out/$host-3/status"
compare 4
grep -q "^fleet: $out/$host-3: exit status none" "$work/said"
grep -q "^$out/$host-3: missing in " "$work/said"

# ---- Words ------------------------------------------------------------------------------------------

for words in '' run 'compare' 'find x' "compare $work/none" "compare $work" "compare $out four"; do
    status=0
    # shellcheck disable=SC2086 # words
    scripts/fleet $words >"$work/said" 2>&1 || status=$?
    expect "fleet $words" "$status $(wc -l <"$work/said")" '2 1'
done
