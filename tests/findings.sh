#!/bin/sh
# Do the numbers in README.md and in the documents come from the committed results?
#
# The blocks between <!-- findings --> and <!-- end --> must be what scripts/findings and swizzlebench
# claims print, a number with a decimal point outside of them and of code must be among those, and
# claims.csv must be what the files beside it say.
set -eu

results=results/nvidia-h200/shared.csv
if [ ! -f "$results" ]; then
    echo "there is no $results to compare the documents with"
    exit 77
fi

scripts/docs --check advise compare findings

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$SWIZZLEBENCH" claims "$(dirname "$results")" --out "$work" >/dev/null
for file in "$work" "$(dirname "$results")"; do
    grep -v '^# command: ' "$file/claims.csv" >"$work/claims-${file##*/}"
done
if ! diff "$work/claims-nvidia-h200" "$work/claims-${work##*/}"; then
    echo "claims.csv is not of these files: swizzlebench claims results/nvidia-h200 --out" \
        "results/nvidia-h200"
    exit 1
fi

with_findings=$(grep -l '^<!-- findings: ' README.md docs/*.md)
# scripts/docs has shown above that the blocks are what is printed, all of it.
# shellcheck disable=SC2086 # names without spaces
awk '/^<!-- findings:/ { block = 1 } block; /^<!-- end -->/ { block = 0 }' $with_findings |
    grep -oE '[0-9]+\.[0-9]+' | sort -u >"$work/printed"
# shellcheck disable=SC2016,SC2086 # backquotes of Markdown; names without spaces
awk '
    /^```/ { code = !code; next }
    /^<!-- findings:/ { block = 1 }
    !code && !block && !/^    /
    /^<!-- end -->/ { block = 0 }
' $with_findings | sed 's/`[^`]*`//g; s/([^ )]*)//g' | grep -oE '[0-9]+\.[0-9]+' |
    sort -u >"$work/quoted" || true
if ! awk 'NR == FNR { printed[$0]; next } !($0 in printed) { print; bad = 1 } END { exit bad }' \
    "$work/printed" "$work/quoted" >"$work/unknown"; then
    echo "a document quotes what neither scripts/findings $results nor swizzlebench claims prints:"
    cat "$work/unknown"
    exit 1
fi
