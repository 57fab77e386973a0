#!/bin/sh
# Does the default sweep hold on this GPU what the project promises?
#
#   sweep.sh [FOLDER]     keeps the results of both runs in FOLDER/first and FOLDER/second
#
# Runs it twice and checks the rows (tests/gpu/sweep.awk says what and why); then kills a run and
# resumes it, asks for a metric that does not exist, and runs as a user without privileges. Prints
# a line a check. `make test-gpu` runs it; $SWIZZLEBENCH is the program.
set -eu
export LC_ALL=C

cd "$(dirname "$0")/../.."

program=$(realpath "${SWIZZLEBENCH:-build/swizzlebench}")
kernels=${SWIZZLEBENCH_KERNELS:-$(dirname "$program")/kernels}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
keep=${1:-$work}
# A case each of which costs little, for what is not about the numbers.
few='instruction=ldmatrix.x4,tile=64x64'
failed=0

line() {
    printf '%-5s %-44s %-36s %s\n' "$@"
}

# check TITLE VALUE BAR COMMAND...: passes when the command succeeds.
check() {
    title=$1 value=$2 bar=$3
    shift 3
    if "$@"; then
        line pass "$title" "$value" "$bar"
    else
        line FAIL "$title" "$value" "$bar"
        failed=$((failed + 1))
    fi
}

rows_of() {
    if [ -f "$1" ]; then
        grep -c '^shared,' "$1" || true
    else
        echo 0
    fi
}

# between LEAST NUMBER MOST
between() {
    [ "$1" -le "$2" ] && [ "$2" -le "$3" ]
}

head_of() {
    sed -n "s/^# $2: //p" "$1"
}

# ---- Two runs -----------------------------------------------------------------------------------

seconds=
for run in first second; do
    began=$(date +%s)
    status=0
    "$program" run shared --out "$keep/$run" --quiet 2>"$work/stderr" || status=$?
    seconds="$seconds $(($(date +%s) - began))"
    if [ ! -f "$keep/$run/shared.csv" ]; then
        echo "the $run run wrote nothing, exit status $status:"
        cat "$work/stderr"
        exit 1
    fi
    check "$run run, exit status" "$status" 0 test "$status" -eq 0
    [ "$status" -eq 0 ] || tail -n 5 "$work/stderr"
done
table=0
awk -v seconds="$seconds" -f scripts/csv.awk -f tests/gpu/sweep.awk \
    "$keep/first/shared.csv" "$keep/second/shared.csv" || table=$?
failed=$((failed + (table != 0)))

# ---- A run that is killed in the middle, and resumed --------------------------------------------

"$program" list shared --filter 'instruction=st.shared.*' >"$work/list"
sed 's/  (skipped:.*//' "$work/list" >"$work/expected"
cases=$(wc -l <"$work/expected")
cut="$work/cut/shared.csv"
"$program" run shared --filter 'instruction=st.shared.*' --out "$work/cut" --quiet \
    2>"$work/stderr" &
victim=$!
tries=0
while [ "$(rows_of "$cut")" -lt 40 ] && [ "$tries" -lt 300 ] && kill -0 "$victim" 2>/dev/null; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -9 "$victim" 2>/dev/null || true
wait "$victim" 2>/dev/null || true
# Its worker dies with it, and the driver takes a moment to clear the GPU and its counters.
sleep 2
rows=$(rows_of "$cut")
check 'kill -9 leaves rows, and not all' "$rows of $cases" 'some' \
    between 1 "$rows" $((cases - 1))

# As a crash of the machine may leave it: the last row is unfinished.
size=$(wc -c <"$cut")
head -c "$((size - 9))" "$cut" >"$work/torn"
cp "$work/torn" "$cut"
sed '$d' "$work/torn" >"$work/whole"

status=0
"$program" run shared --filter 'instruction=st.shared.*' --out "$work/cut" --quiet --resume \
    2>"$work/stderr" || status=$?
check '--resume, exit status' "$status" 0 test "$status" -eq 0
[ "$status" -eq 0 ] || tail -n 5 "$work/stderr"
head -n "$(wc -l <"$work/whole")" "$cut" >"$work/kept"
check '--resume keeps every whole row' "$((rows - 1)) rows" 'byte for byte' \
    cmp -s "$work/whole" "$work/kept"
awk -f scripts/csv.awk -f /dev/stdin "$cut" >"$work/found" <<'AWK'
{
    print get("case")
}
AWK
check '--resume ends with the same rows' "$(rows_of "$cut") of $cases" 'each once, in order' \
    cmp -s "$work/expected" "$work/found"

# ---- A metric that does not exist ---------------------------------------------------------------

if [ "$(head_of "$keep/first/shared.csv" counters)" = yes ]; then
    status=0
    "$program" run shared --filter "$few" --out "$work/metric" --quiet \
        --metrics smsp__inst_executed.sum,no__such_metric.sum 2>"$work/stderr" || status=$?
    check '--metrics with an unknown name, exit status' "$status" 2 test "$status" -eq 2
    check '--metrics names it' "$(wc -l <"$work/stderr") line" 'one, with the name' \
        test "$(grep -c "'no__such_metric.sum'" "$work/stderr")/$(wc -l <"$work/stderr")" = 1/1
    check '--metrics leaves nothing behind' "$(ls "$work/metric" 2>/dev/null)" 'no file' \
        test ! -e "$work/metric/shared.csv"
else
    line - '--metrics with an unknown name' 'no counters' 'not checked'
fi

# ---- A user without privileges ------------------------------------------------------------------
#
# The tree may lie where that user cannot go, so that the program, its kernels and a CUPTI of .deps
# are copied. The driver decides whether this user may count; both answers have a form.

as_nobody() {
    (cd "$work/nobody" && env HOME="$work/nobody" SWIZZLEBENCH_KERNELS="$work/bin/kernels" \
        LD_LIBRARY_PATH="$work/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" \
        setpriv --reuid 65534 --regid 65534 --clear-groups "$work/bin/swizzlebench" "$@")
}

check_without_counters() {
    for column in hw_wavefronts hw_conflicts inst_executed; do
        check "no counters: $column is empty" "$(values_of "$column") values" 0 \
            test "$(values_of "$column")" -eq 0
    done
    check 'no counters: one line says why' "$(grep -c 'times alone: ' "$work/stderr") line" 1 \
        test "$(grep -c 'no hardware counters, times alone: ' "$work/stderr")" -eq 1
}

check_with_counters() {
    for column in wavefronts conflicts; do
        check "counters: hw_$column = model_$column" "$(same_in "$column") rows" "$ok_rows" \
            test "$(same_in "$column")" -eq "$ok_rows"
    done
}

# In how many rows the counter is what the model says.
same_in() {
    awk -v what="$1" -f scripts/csv.awk -f /dev/stdin "$nobody" <<'AWK'
get("status") == "ok" && get("hw_" what) != "" && get("hw_" what) == get("model_" what) {
    count++
}

END {
    print count + 0
}
AWK
}

# How many rows have a value in the column.
values_of() {
    awk -v column="$1" -f scripts/csv.awk -f /dev/stdin "$nobody" <<'AWK'
get("status") == "ok" && get(column) != "" {
    count++
}

END {
    print count + 0
}
AWK
}

if [ "$(id -u)" -ne 0 ] || ! command -v setpriv >/dev/null; then
    line - 'as a user without privileges' 'needs root and setpriv' 'not checked'
else
    chmod 755 "$work"
    mkdir -p "$work/bin/kernels" "$work/lib" "$work/nobody"
    cp "$program" "$work/bin/swizzlebench"
    cp "$kernels"/*.fatbin "$work/bin/kernels"
    find .deps \( -name 'libcupti.so*' -o -name 'libnvperf_*.so*' \) -exec cp {} "$work/lib" \; \
        2>/dev/null || true
    chmod -R a+rX "$work/bin" "$work/lib"
    chown 65534:65534 "$work/nobody"
    nobody=$work/nobody/out/shared.csv
    status=0
    as_nobody run shared --filter "$few" --out out --quiet 2>"$work/stderr" || status=$?
    if [ "$status" -eq 3 ]; then
        line - 'as a user without privileges' 'may not use the GPU' 'not checked'
        tail -n 1 "$work/stderr"
    else
        check 'without privileges, exit status' "$status" 0 test "$status" -eq 0
        [ "$status" -eq 0 ] || tail -n 5 "$work/stderr"
        counters=$(head_of "$nobody" counters)
        admin_only=$(sed -n 's/^RmProfilingAdminOnly: *//p' /proc/driver/nvidia/params 2>/dev/null ||
            true)
        ok_rows=$(values_of status)
        check 'without privileges, rows with a throughput' "$(values_of throughput_cycles)" \
            "$ok_rows, not 0" between 1 "$ok_rows" "$(values_of throughput_cycles)"
        echo "      RmProfilingAdminOnly: ${admin_only:-unknown}; counters: $counters"
        case $counters in
        yes) check_with_counters ;;
        'no: '*)
            case $counters in
            *NVreg_RestrictProfilingToAdminUsers=0*)
                check 'no counters: as the driver is set' \
                    "RmProfilingAdminOnly ${admin_only:-unknown}" 'not 0' \
                    test "$admin_only" != 0
                ;;
            *) line - 'no counters: for another reason' 'see above' 'not checked' ;;
            esac
            check_without_counters
            ;;
        *) check 'counters: in the head' "$counters" 'yes or no: why' false ;;
        esac
    fi
fi

if [ "$failed" -gt 0 ]; then
    echo "sweep: FAILED"
    exit 1
fi
echo 'sweep: all checks passed'
