#!/bin/sh
# Do several GPUs side by side end with the same rows as each of them alone?
#
# Runs a few cheap cases with --device all, then with --device N for each, and compares what does
# not depend on time: cases, status, verified, predictions, counters. Then a run of all GPUs is
# killed, and resumed. Needs two GPUs. `make test-gpu` runs it; $SWIZZLEBENCH is the program.
set -eu
export LC_ALL=C

cd "$(dirname "$0")/../.."

program=${SWIZZLEBENCH:-build/swizzlebench}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
few='instruction=ldmatrix.x4,tile=64x64'

fail() {
    echo "two_gpus: $*"
    exit 1
}

# Everything in a row that must not change from run to run.
rows() {
    awk -f scripts/csv.awk -f /dev/stdin "$1/shared.csv" <<'AWK'
{
    print get("case") "|" get("status") "|" get("reason") "|" get("verified") \
        "|" get("model_wavefronts") "|" get("hw_wavefronts") "|" get("model_conflicts") \
        "|" get("hw_conflicts") "|" get("inst_expected") "|" get("inst_executed")
}
AWK
}

run() {
    "$program" run shared --filter "$few" --quiet "$@" 2>"$work/stderr"
}

status=0
run --device 1 --out "$work/1" || status=$?
if [ "$status" -eq 3 ]; then
    echo "two_gpus: skipped: $(tail -n 1 "$work/stderr")"
    exit 77
fi
[ "$status" -eq 0 ] || fail "--device 1 alone: exit status $status: $(cat "$work/stderr")"

began=$(date +%s)
run --device all --out "$work/all" || fail "--device all: exit status $?: $(cat "$work/stderr")"
took=$(($(date +%s) - began))

gpus=0
uuids=
for folder in "$work"/all/*-[0-9]*; do
    device=${folder##*-}
    [ "$device" -eq 1 ] || run --device "$device" --out "$work/$device" ||
        fail "--device $device alone: exit status $?: $(cat "$work/stderr")"
    rows "$folder" >"$work/side-by-side"
    rows "$work/$device" >"$work/alone"
    [ -s "$work/alone" ] || fail "GPU $device: no rows"
    diff "$work/alone" "$work/side-by-side" || fail "GPU $device: other rows than alone (<)"
    uuid=$(sed -n 's/^# gpu_uuid: //p' "$folder/shared.csv")
    [ "$uuid" = "$(sed -n 's/^# gpu_uuid: //p' "$work/$device/shared.csv")" ] ||
        fail "GPU $device: another GPU than --device $device opens"
    case " $uuids " in
    *" $uuid "*) fail "two folders hold one GPU: $uuid" ;;
    esac
    uuids="$uuids $uuid"
    gpus=$((gpus + 1))
    echo "GPU $device: $(wc -l <"$work/alone") rows, the same side by side and alone"
done
[ "$gpus" -ge 2 ] || fail "$gpus folders of GPUs"

# Killed when every GPU has a row, or nearly so.
run --device all --out "$work/cut" &
victim=$!
tries=0
while [ "$(cat "$work"/cut/*/shared.csv 2>/dev/null | grep -c '^shared,')" -lt "$gpus" ] &&
    [ "$tries" -lt 300 ] && kill -0 "$victim" 2>/dev/null; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -9 "$victim" 2>/dev/null || true
wait "$victim" 2>/dev/null || true
# The processes of the GPUs die with it; the driver takes a moment to clear the GPUs.
sleep 2
run --device all --out "$work/cut" --resume || fail "--resume: exit status $?: $(cat "$work/stderr")"
for folder in "$work"/cut/*-[0-9]*; do
    rows "$folder" >"$work/resumed"
    rows "$work/all/${folder##*/}" | diff - "$work/resumed" || fail "${folder##*/}: --resume differs"
done
echo "$gpus GPUs side by side in $took s, killed and resumed: all rows as alone"
