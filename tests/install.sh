#!/bin/sh
# Does `make install` put everything in its place, does it work from anywhere, and does uninstall leave nothing?
set -eu

build=$(dirname "$SWIZZLEBENCH")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A blank, too, may be in it, and a sign that says something to make.
# shellcheck disable=SC2016 # and to a shell
prefix='/opt/s $w'
root=$work/dest$prefix

fail() {
    echo "$*"
    exit 1
}

if ! make install BUILD="$build" DESTDIR="$work/dest" PREFIX="$prefix" >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
(cd "$root" && find . -type f ! -name '*.fatbin' ! -path './share/swizzlebench/scripts/*.awk' \
    ! -path './share/swizzlebench/scripts/*.gp' | sort) >"$work/files"
diff - "$work/files" <<'END'
./bin/swizzlebench
./include/swizzlebench.h
./lib/libswizzlebench.a
./lib/pkgconfig/swizzlebench.pc
./share/bash-completion/completions/swizzlebench
./share/doc/swizzlebench/CHANGELOG.md
./share/doc/swizzlebench/LICENSE
./share/man/man1/swizzlebench.1
./share/swizzlebench/published.csv
./share/swizzlebench/scripts/aside
./share/swizzlebench/scripts/compare-plot
./share/swizzlebench/scripts/find-program
./share/swizzlebench/scripts/findings
./share/swizzlebench/scripts/fleet
./share/swizzlebench/scripts/plot
./share/swizzlebench/scripts/report
./share/swizzlebench/scripts/usage
END
[ "$(find "$root/lib/swizzlebench/kernels" -name '*.fatbin' | wc -l)" -eq \
    "$(find build/kernels -name '*.fatbin' 2>/dev/null | wc -l)" ] || fail 'not every kernel is installed'
if grep -rl "$work" "$root"; then
    fail 'DESTDIR stands in the files above'
fi
if command -v pkg-config >/dev/null; then
    # pkgconf prints a "$" as it is, for a shell to replace.
    eval "set -- $(PKG_CONFIG_PATH="$root/lib/pkgconfig" pkg-config --cflags --libs swizzlebench |
        sed 's/\\*\$/\\$/g')"
    [ "$# $*" = "3 -I$prefix/include -L$prefix/lib -lswizzlebench" ] ||
        fail "pkg-config gives $# words: $*"
fi
version=$(sed -n 's/^Version: //p' "$root/lib/pkgconfig/swizzlebench.pc")
[ "$("$root/bin/swizzlebench" --version)" = "swizzlebench $version" ] || fail "version $version"
grep -q "^## \[$version\]" CHANGELOG.md || fail "CHANGELOG.md has no version $version"

# ---- From anywhere: nothing of this tree is needed ---------------------------------------------

results=$PWD/results/nvidia-h200
mkdir "$work/folder"
cd "$work/folder"
unset SWIZZLEBENCH
scripts=$root/share/swizzlebench/scripts
"$scripts/plot" --help | grep -q 'plot FOLDER' || fail 'no help of plot'
"$scripts/fleet" run fleet --backend model shared --filter layout=K/128B >/dev/null
PATH=$root/bin:$PATH
swizzlebench run shared --backend model --filter layout=K/128B --out model --quiet
diff -I "^# " model/shared.csv fleet/*/shared.csv ||
    fail "two runs of the model differ"
if command -v gnuplot >/dev/null; then
    "$scripts/plot" model >/dev/null 2>&1
    "$scripts/report" model >/dev/null 2>&1
    grep -q 'Backend: model' model/report.md
fi
if [ -f "$results/mma.csv" ]; then
    mkdir measured
    cp "$results/mma.csv" measured
    swizzlebench compare measured "$root/share/swizzlebench/published.csv" | grep -q 'H100 SXM5'
    "$scripts/findings" measured | grep -q '^<!-- findings: mma -->'
fi
cd - >/dev/null

# ---- The manual page ---------------------------------------------------------------------------

page=$root/share/man/man1/swizzlebench.1
options() {
    sed -n 's/^  \(--[a-z].*\)/\1/p' | sed 's/  .*//' | grep -oE -e '--[a-z][a-z-]*'
}
# Items of the page, of the command that these words are, without the backslashes of roff.
in_page() {
    awk -v section="\"swizzlebench $*\"" '/^\.S[HS] / { inside = substr($0, 5) == section; next }
        inside && /^\.B / { gsub(/\\-/, "-"); print "  " substr($0, 4) }' "$page" |
        options | sort >"$work/on_page"
    swizzlebench "$@" --help | options | sort | diff - "$work/on_page" ||
        fail "the manual page has other options of $*"
}
swizzlebench --help | sed -n 's/^  \([a-z]*\)  .*/\1/p' >"$work/commands"
while IFS= read -r name; do
    in_page "$name"
done <"$work/commands"
for part in 'show layout' 'show tiled-mma' 'tma check' 'tma place'; do
    # shellcheck disable=SC2086 # words
    in_page $part
done
# Hyphens to copy, and not to break lines at.
grep -q '^\.B \\-\\-no\\-counters$' "$page"
if command -v mandoc >/dev/null; then
    # The version stands where the date would.
    if mandoc -Tlint -W warning "$page" | grep -v 'missing date'; then
        fail 'mandoc finds fault with the manual page'
    fi
fi
if command -v groff >/dev/null; then
    groff -ww -man -Tutf8 "$page" >"$work/text" 2>"$work/warnings"
    [ ! -s "$work/warnings" ] || fail "groff: $(cat "$work/warnings")"
fi

# ---- Completion --------------------------------------------------------------------------------

cat >"$work/complete" <<'END'
. "$1"
shift
complete -p swizzlebench >/dev/null
COMP_WORDS=(swizzlebench "$@")
COMP_CWORD=$#
_swizzlebench
echo "${COMPREPLY[*]}"
END
# What stands behind these words, the last of which is begun: completes ANSWER WORD...
completes() {
    wanted=$1
    shift
    got=$(bash "$work/complete" "$root/share/bash-completion/completions/swizzlebench" "$@")
    [ "$got" = "$wanted" ] || fail "completion of '$*': '$got', not '$wanted'"
}
completes "$(paste -s -d ' ' "$work/commands")" ''
completes 'run report' r
completes '--help --version' -
completes "$(swizzlebench list --csv | sed 1d | cut -d, -f1 | paste -s -d ' ')" run ''
completes '--device' run shared --dev
completes 'gpu model' run --backend ''
completes 'all' run --device ''
completes 'K MN' advise --major ''
completes 'A B' advise --operand ''
completes 'layout box fragment tiled-mma' show ''
completes 'SM80_16x8x16_F16F16F16F16_TN' show fragment SM80_16x8x16_F16
completes '--swizzle' tma check --sw
completes 'ldmatrix.x4 ldmatrix.x4.trans' predict --instruction ldmatrix.x4
completes 'col row' predict --stack ''
completes '' compare ''
completes '' outliers a --lim 3
completes '--limit' outliers a --lim

# Whatever is offered as a layout or an instruction is taken.
for layout in $(bash "$work/complete" scripts/completion.bash predict --layout ''); do
    swizzlebench predict --layout "$layout" --elem-bits 16 --tile 64x64 --instruction ld.shared.b32 \
        --csv >/dev/null || fail "layout $layout is offered, but not taken"
done
for instruction in $(bash "$work/complete" scripts/completion.bash predict --instruction l) \
    $(bash "$work/complete" scripts/completion.bash predict --instruction st); do
    swizzlebench predict --layout linear --elem-bits 16 --tile 64x64 --instruction "$instruction" --csv \
        >/dev/null || fail "instruction $instruction is offered, but not taken"
done

# ---- Uninstall ---------------------------------------------------------------------------------

make uninstall BUILD="$build" DESTDIR="$work/dest" PREFIX="$prefix" >/dev/null
[ -z "$(find "$work/dest" -type f)" ] || fail "uninstall leaves $(find "$work/dest" -type f)"
