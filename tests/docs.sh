#!/bin/sh
# Do docs/columns.md, docs/questions.md, docs/fragments.md and README.md say what the program says,
# does the program name the columns of its files, and do the diffs in the documents still apply?
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

refuse() {
    wanted=$1
    shift
    status=0
    "$SWIZZLEBENCH" "$@" >/dev/null 2>"$work/stderr" || status=$?
    if [ "$status" -ne 2 ] || ! grep -q -e "$wanted" "$work/stderr"; then
        echo "swizzlebench $*: exit status $status, not 2, or no word of '$wanted':"
        cat "$work/stderr"
        exit 1
    fi
}

"$SWIZZLEBENCH" list --csv | tail -n +2 | cut -d, -f1 >"$work/families"
while IFS= read -r family; do
    "$SWIZZLEBENCH" list "$family" --csv >"$work/cases"
    head -n 1 "$work/cases" >"$work/header"
    "$SWIZZLEBENCH" list "$family" --columns --csv | tail -n +2 | cut -d, -f1 |
        paste -s -d , - >"$work/columns"
    diff "$work/header" "$work/columns"
    "$SWIZZLEBENCH" list "$family" --columns | tail -n +2 | cut -d ' ' -f1 | paste -s -d , - |
        diff "$work/header" -
done <"$work/families"

refuse 'name one' list --columns
refuse 'leave --full out' list "$(head -n 1 "$work/families")" --columns --full
refuse 'leave --filter out' list "$(head -n 1 "$work/families")" --columns --filter x
refuse 'unknown family' list none --columns
refuse 'cases of shared; see .swizzlebench list shared., and' list shared --filter layout=zz
refuse 'of shared is known only after measuring; before it, known: family, case' \
    run shared --filter hw_wavefronts=3
refuse "no column 'colour' in shared; before measuring, known: family, case, [^(]*model_sectors$" \
    run shared --filter colour=red

scripts/docs --check columns questions fragments readme

# Every line that a diff shows as it is, or takes away, stands in the file that it names.
awk '
    /^```/ { diff = $0 == "```diff"; file = ""; next }
    !diff { next }
    /^--- a\// {
        file = substr($0, 7)
        known = 0
        while ((getline line <file) > 0) {
            stands[file, line] = 1
            known = 1
        }
        close(file)
        if (!known) {
            print FILENAME ": no file " file
            bad = 1
        }
        next
    }
    /^[ -]/ && file != "" && !((file, substr($0, 2)) in stands) {
        print FILENAME ": not in " file ": " substr($0, 2)
        bad = 1
    }
    END { exit bad }
' README.md docs/adding-a-case.md
