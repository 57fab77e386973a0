#!/bin/sh
# Can another program use the installed library, as docs/library.md says?
set -eu

build=$(dirname "$SWIZZLEBENCH")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! make install BUILD="$build" DESTDIR="$work" PREFIX=/opt/swb >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
root=$work/opt/swb

"$root/bin/swizzlebench" --version

# Nothing but the model's own names goes out, and nothing but libc comes in.
nm -g --defined-only "$root/lib/libswizzlebench.a" >"$work/symbols"
awk 'NF == 3 && $2 ~ /[A-Z]/ && $3 !~ /^(swb_|__odr_asan)/ { print "exports " $3; bad = 1 }
    END { exit bad }' "$work/symbols"

sanitizer=
if nm "$root/lib/libswizzlebench.a" | grep -q __asan; then
    sanitizer=-fsanitize=address,undefined
fi

# Flags by pkg-config, which knows nothing of DESTDIR: that is its system root.
if command -v pkg-config >/dev/null; then
    flags=$(PKG_CONFIG_SYSROOT_DIR=$work PKG_CONFIG_PATH=$root/lib/pkgconfig \
        pkg-config --cflags --libs swizzlebench)
else
    flags="-I$root/include -L$root/lib -lswizzlebench"
fi

# The blocks between <!-- NAME --> and the next comment, without the fences.
block() {
    awk -v name="$1" '/^<!--/ { inside = $2 == name; next } inside && !/^```/' docs/library.md
}
block example >"$work/example.c"
block output >"$work/expected"

# shellcheck disable=SC2086 # flags are words
cc -std=c11 -Wall -Wextra -Wpedantic -Werror -o "$work/example" "$work/example.c" $flags $sanitizer
"$work/example" | diff "$work/expected" -

if command -v g++ >/dev/null; then
    cat >"$work/use.cc" <<'END'
#include <swizzlebench.h>

int main()
{
    swb_access access = {};
    swb_cost cost;
    return !swb_bank_cost(swb_instruction_find("ld.shared.b32"), &access, &cost);
}
END
    for standard in c++11 c++20; do
        # shellcheck disable=SC2086
        g++ -std=$standard -Wall -Wextra -Wpedantic -Werror -o "$work/use" "$work/use.cc" $flags \
            $sanitizer
        "$work/use"
    done
fi
echo "the example of docs/library.md: $(cat "$work/expected")"
