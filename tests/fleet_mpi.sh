#!/bin/sh
# Does the line of docs/fleet.md run a fleet under Open MPI? In model mode, all tasks on this machine.
set -eu

if ! mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
    echo "no mpirun of Open MPI here (scripts/setup fleet)"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=
[ "$(id -u)" -ne 0 ] || root=--allow-run-as-root

# shellcheck disable=SC2086 # a word or none
mpirun $root --oversubscribe -n 4 scripts/fleet run "$work/out" --backend model shared \
    --filter layout=K/128B
scripts/fleet compare "$work/out" 4
