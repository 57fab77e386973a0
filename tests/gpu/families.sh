#!/bin/sh
# Does the default sweep of every family but `shared`, which sweep.sh has, end with all rows right on
# this GPU?
#
#   families.sh [FAMILY...]     all of them, or these
#
# Every row must be ok and verified, or refused or skipped with a reason. `make test-gpu` runs it;
# $SWIZZLEBENCH is the program.
set -eu
export LC_ALL=C

cd "$(dirname "$0")/../.."

program=${SWIZZLEBENCH:-build/swizzlebench}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
failed=0

# shellcheck disable=SC2046 # names without spaces
[ $# -gt 0 ] || set -- $("$program" list --csv | sed -e 1d -e '/^shared,/d' -e 's/,.*//')
for family; do
    began=$(date +%s)
    status=0
    "$program" run "$family" --out "$work" --quiet 2>"$work/stderr" || status=$?
    if [ ! -f "$work/$family.csv" ]; then
        echo "FAIL  $family wrote nothing, exit status $status: $(cat "$work/stderr")"
        exit 1
    fi
    awk -v family="$family" -v status="$status" -v seconds="$(($(date +%s) - began))" \
        -f scripts/csv.awk -f /dev/stdin "$work/$family.csv" <<'AWK' || failed=$((failed + 1))
{
    rows++
    ok += get("status") == "ok"
    verified += get("status") == "ok" && get("verified") == "yes"
    told += get("status") ~ /^(refused|skipped)$/ && get("reason") != ""
    if (get("status") == "failed" && ++failures <= 5)
        print "      " get("case") ": " get("reason")
}

END {
    good = rows > 0 && ok > 0 && verified == ok && ok + told == rows && status == 0
    printf "%s  %-10s %d rows in %d s: %d ok, %d verified, %d refused or skipped, %d failed; exit status %d\n", \
        good ? "pass" : "FAIL", family, rows, seconds, ok, verified, told, failures, status
    exit !good
}
AWK
done
[ "$failed" -eq 0 ]
