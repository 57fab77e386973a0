# shellcheck shell=sh
# What does a fault on purpose cost? Read by tests/faults.sh and tests/gpu/faults.sh, which say
# which cases ($few) of family shared are run and where ($work).

: "${few:?}" "${work:?}"
program=${SWIZZLEBENCH:-build/swizzlebench}

fail() {
    echo "$fault: $*"
    tail -n 5 "$work/stderr"
    exit 1
}

# run_with FAULT STATUS VARIABLE=VALUE... [-- OPTION...]: runs the cases into $work/FAULT under these
# variables; the exit status must be STATUS.
run_with() {
    fault=$1 wanted=$2 status=0
    shift 2
    variables=
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        variables="$variables
$1"
        shift
    done
    [ $# -eq 0 ] || shift
    (
        IFS='
'
        # shellcheck disable=SC2086 # a line each
        exec env $variables "$program" run shared --filter "$few" --quiet --out "$work/$fault" "$@"
    ) 2>"$work/stderr" || status=$?
    [ "$status" -eq "$wanted" ] || fail "exit status $status, not $wanted"
}

# rows COUNT STATUS VERIFIED REASON: so many rows of the last run are so, their reason beginning so.
rows() {
    found=$(awk -v status="$2" -v verified="$3" -v reason="$4" -f scripts/csv.awk -f /dev/stdin \
        "$work/$fault/shared.csv" <<'AWK'
get("status") == status && get("verified") == verified && index(get("reason"), reason) == 1 {
    count++
}

END {
    print count + 0
}
AWK
    )
    [ "$found" -eq "$1" ] || fail "$found rows are $2, verified $3, '$4', not $1"
    echo "$fault: $1 rows $2${4:+: $4}"
}

# values COUNT COLUMN: so many rows of the last run have a value in the column.
values() {
    found=$(awk -v column="$2" -f scripts/csv.awk -f /dev/stdin "$work/$fault/shared.csv" <<'AWK'
get(column) != "" {
    count++
}

END {
    print count + 0
}
AWK
    )
    [ "$found" -eq "$1" ] || fail "$found rows have a value in $2, not $1"
    echo "$fault: $1 rows with a value in $2"
}

# says WORDS: one line of the last run's standard error has them.
says() {
    [ "$(grep -c -F -- "$1" "$work/stderr")" -eq 1 ] || fail "no line, or several, say: $1"
    echo "$fault: $(grep -F -- "$1" "$work/stderr")"
}

# head_says KEY VALUE: the head of the last run's file begins so.
head_says() {
    grep -q -F "# $1: $2" "$work/$fault/shared.csv" || fail "the head does not say '$1: $2'"
}

# make_cupti FOLDER: a libcupti.so that denies counters, and what it needs beside it.
make_cupti() {
    # shellcheck disable=SC2046 # flags are words
    cc -shared -fPIC $(scripts/find-cuda include) -o "$1/libcupti.so" tests/fake/libcupti.c
    cc -shared -fPIC -x c -o "$1/libnvperf_host.so" /dev/null
}
