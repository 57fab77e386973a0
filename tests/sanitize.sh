#!/bin/sh
# Does scripts/sanitize tell errors, and runs that did not come to their end, from clean ones, and does the
# block of findings say the same? With a stand-in for compute-sanitizer and one for the program.
set -eu

cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/planted"
program=${SWIZZLEBENCH:-build/swizzlebench}
export SANITIZER=tests/fake/compute-sanitizer SWIZZLEBENCH=tests/fake/swizzlebench
export PLANTED="$work/planted"

# The exit status must be as said, and the output have the text.
expect() {
    wanted=$1
    text=$2
    shift 2
    status=0
    scripts/sanitize "$@" >"$work/text" 2>&1 || status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -qF -- "$text" "$work/text"; then
        echo "exit status $status, not $wanted, or the output has no '$text':"
        cat "$work/text"
        exit 1
    fi
}

# So many parts are not clean, as scripts/findings has it for the documents.
expect_unclean() {
    { scripts/findings "$work/out" 2>/dev/null || true; } >"$work/block"
    grep -q '^<!-- findings: sanitize -->' "$work/block"
    unclean=$(grep '^Not clean' "$work/block" | grep -o '[0-9]* rows, ' | wc -l)
    if [ "$unclean" -ne "$1" ]; then
        echo "$unclean parts are not clean in the block of findings, not $1:"
        cat "$work/block"
        exit 1
    fi
}

expect 0 '87 of 87 clean' "$work/out"
expect_unclean 0
grep -qx '# tools: 0.0 (fake)' "$work/out/sanitize.csv"

# What is not run stays as it was, and counts.
FAKE_SANITIZER=hazard expect 1 'racecheck  ld.b64           2      0      2        0' --jobs 2 \
    "$work/out" racecheck
grep -q '84 of 87 clean' "$work/text"
expect_unclean 3
grep -q ' some_sweep$' "$work/text"
expect 1 '85 of 87 clean' --part ld.b64 "$work/out" racecheck memcheck
expect 0 '87 of 87 clean' --part ld.b32 --part ld.b128 "$work/out" racecheck
for change in 's/^# tools: .*/# tools: another/' 's/^# kernels: .*/# kernels: 1 2/' \
    's/"instruction=ld/"instruction=other/'; do
    cp "$work/out/sanitize.csv" "$work/whole"
    sed -i "$change" "$work/out/sanitize.csv"
    expect 0 ' clean' --part mma "$work/out" synccheck
    if grep -q 'ld.b64' "$work/out/sanitize.csv"; then
        echo "rows stay in spite of: $change"
        exit 1
    fi
    cp "$work/whole" "$work/out/sanitize.csv"
done
rm "$work/out/sanitize.csv"

FAKE_SANITIZER=known expect 0 '29 of 29 clean' "$work/out" racecheck
expect_unclean 0
grep -q ',2,0,yes,[0-9.]*,cp_async_4_ca_sweep,,20[-0-9]*T[0-9:]*Z$' "$work/out/sanitize.csv"
for kernel in x4_trans_ld_st_16 st_shared_b32_chain stmatrix_x4_chain; do
    grep -q ",2,0,yes,[0-9.]*,$kernel,," "$work/out/sanitize.csv"
done
rm "$work/out/sanitize.csv"
FAKE_SANITIZER=known expect 1 '21 of 29 clean' "$work/out" memcheck
expect_unclean 8
rm "$work/out/sanitize.csv"
FAKE_SANITIZER=nameless expect 1 '26 of 29 clean' "$work/out" memcheck
expect_unclean 3
rm "$work/out/sanitize.csv"
FAKE_STATUS=failed expect 1 '0 of 29 clean' "$work/out" memcheck
expect_unclean 29
rm "$work/out/sanitize.csv"
FAKE_SANITIZER=slow expect 1 '0 of 2 clean' --seconds 2 --jobs 1 --part mma --part pipeline "$work/out" \
    memcheck
grep -q 'pipeline .*  0.0 (did not come to its end)' "$work/text"
rm "$work/out/sanitize.csv"
FAKE_SANITIZER=blind expect 3 'racecheck does not find the planted fault' "$work/out" racecheck
FAKE_SANITIZER=silent expect 3 'memcheck does not find the planted fault' "$work/out"
FAKE_ROWS=1 expect 1 '(did not come to its end)' "$work/out" synccheck
grep -q '^0 of 29 clean' "$work/text"
PLANTED=/nowhere expect 3 'make test-gpu-programs' "$work/out"
SANITIZER=/nowhere expect 3 'needs compute-sanitizer' "$work/out"
expect 2 "no tool 'initcheck'" "$work/out" initcheck
expect 2 "no part 'loads': wgmma-bf16, " --part loads "$work/out"
expect 2 'a whole number' --seconds soon "$work/out"
expect 2 'a whole number' --jobs 0 "$work/out"

# The parts are the default sweep, each case once.
sed -n "/^parts()/,/^END/s/^\([a-z][^ ]*\)  *\([a-z]*\)  *\([a-z].*=.*\)/\2 \3/p" scripts/sanitize |
    while read -r family filter; do
        "$program" list "$family" --filter "$filter" --csv | sed 1d
    done | sort >"$work/parts"
"$program" list --csv | sed -e 1d -e 's/,.*//' | while read -r family; do
    "$program" list "$family" --csv | sed 1d
done | sort >"$work/sweep"
cmp "$work/parts" "$work/sweep"
[ -s "$work/sweep" ]
echo 'sanitize: errors are found'
