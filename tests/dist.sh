#!/bin/sh
# Is the source archive the same whenever it is made, and does its tree build and work without git?
set -eu

if ! git rev-parse --verify --quiet HEAD >/dev/null 2>&1; then
    echo "no git checkout here, of which an archive could be made"
    exit 77
fi
case $SWIZZLEBENCH in
*/sanitize/*)
    echo "the archive is the same without sanitizers"
    exit 77
    ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for time in first second; do
    make dist BUILD="$work/$time" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
done
archive=$(cd "$work/first" && echo *.tar.gz)
cmp "$work/first/$archive" "$work/second/$archive"

tar -xzf "$work/first/$archive" -C "$work"
tree=$work/${archive%.tar.gz}
git ls-tree -r --name-only HEAD | sort >"$work/tracked"
(cd "$tree" && find . ! -type d | sed 's,^\./,,' | sort) | diff "$work/tracked" -

# Without git, and with no optimization, which takes half of the time.
cd "$tree"
mkdir "$work/bin"
printf '#!/bin/sh\necho "git is called: $*" >>"%s/git"\nexit 1\n' "$work" >"$work/bin/git"
chmod +x "$work/bin/git"
PATH=$work/bin:$PATH
unset MAKEFLAGS MAKELEVEL
make host lib CFLAGS=-O0 >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
SWIZZLEBENCH=build/swizzlebench
export SWIZZLEBENCH
for test in docs library; do
    "tests/$test.sh" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
done
if [ -e "$work/git" ]; then
    cat "$work/git"
    exit 1
fi
rm "$work/bin/git"
status=0
make dist >"$work/log" 2>&1 || status=$?
if [ "$status" -ne 2 ] || [ "$(wc -l <"$work/log")" -ne 1 ] ||
    ! grep -q 'this is no git checkout' "$work/log"; then
    echo "make dist without git: exit status $status"
    cat "$work/log"
    exit 1
fi
