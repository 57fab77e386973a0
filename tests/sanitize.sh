#!/bin/sh
# Does scripts/sanitize tell errors, and runs that did not come to their end, from clean ones? With a
# stand-in for compute-sanitizer and one for the program.
set -eu

cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
touch "$work/planted"
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

expect 0 '48 of 48 clean' "$work/out"
grep -qx '# tools: 0.0 (fake)' "$work/out/sanitize.csv"
FAKE_SANITIZER=hazard expect 1 'racecheck  loads            2      0      2        0' "$work/out" \
    racecheck
grep -q '15 of 16 clean' "$work/text"
grep -q ' some_sweep$' "$work/text"
FAKE_SANITIZER=known expect 0 '16 of 16 clean' "$work/out" racecheck
grep -q ',2,0,yes,[0-9.]*,cp_async_4_ca_sweep,$' "$work/out/sanitize.csv"
FAKE_SANITIZER=known expect 1 '15 of 16 clean' "$work/out" memcheck
FAKE_SANITIZER=blind expect 3 'racecheck does not find the planted fault' "$work/out" racecheck
FAKE_SANITIZER=silent expect 3 'memcheck does not find the planted fault' "$work/out"
FAKE_ROWS=1 expect 1 '(did not come to its end)' "$work/out" synccheck
PLANTED=/nowhere expect 3 'make test-gpu-programs' "$work/out"
SANITIZER=/nowhere expect 3 'needs compute-sanitizer' "$work/out"
expect 2 "no tool 'initcheck'" "$work/out" initcheck
expect 2 'a whole number' --seconds soon "$work/out"
echo 'sanitize: errors are found'
