#!/bin/sh
# Does scripts/cross-check find what differs from ncu, and does it say why where nothing can be
# compared? With a stand-in for ncu and one for the program.
set -eu

cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export NCU=tests/fake/ncu SWIZZLEBENCH=tests/fake/swizzlebench

# Runs it on mma; the exit status must be as said, and the output have the text.
expect() {
    wanted=$1
    text=$2
    status=0
    scripts/cross-check "$work/out" mma >"$work/text" 2>&1 || status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -qF -- "$text" "$work/text"; then
        echo "exit status $status, not $wanted, or the output has no '$text':"
        cat "$work/text"
        exit 1
    fi
}

expect 0 '6 of 6 values equal, 0 others differ where that is not held against them, 0 differ'
grep -qx 'mma,"case 2, quoted",hw_wavefronts,4,4,yes,yes' "$work/out/cross-check.csv"
grep -qx '# gpu: Fake GPU' "$work/out/cross-check.csv"
grep -qx '# ncu: 0.0 (fake)' "$work/out/cross-check-times.csv"
grep -q '^mma,mma,2,3,6,6,6,6,0,' "$work/out/cross-check-times.csv"

FAKE_NCU='more executed.sum' expect 1 'differs: mma case 2, quoted: inst_executed 6144, ncu 6145'
grep -q '^mma,mma,2,3,6,3,6,4,2,' "$work/out/cross-check-times.csv"
FAKE_NCU=fewer expect 3 'we recorded 3 launches, and ncu saw 2'
FAKE_NCU=none expect 3 'No kernels were profiled'
FAKE_NCU=kernel expect 3 'launch 0 is control, and ncu saw another'
FAKE_NCU='no wavefronts.sum' expect 3 "ncu has wavefronts.sum = 'n/a' for launch 0"
NCU=/nowhere/ncu expect 3 'needs ncu'
SWIZZLEBENCH=false expect 3 'our own run ends with exit status 1'

status=0
scripts/cross-check "$work/out" nonsense 2>"$work/text" || status=$?
[ "$status" -eq 2 ] && grep -q "no group 'nonsense': shared, cp.async, " "$work/text"
echo 'cross-check: what differs is found'
