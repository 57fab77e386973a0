# Which words can come next? Bash completion of swizzlebench, asked of the program itself.
#
# Commands, options and their alternatives (--stack col|row) are read from its --help texts; families,
# instructions and layouts from `list`, atoms from `show fragment --list`.

# The words that a help text explains, an indented line each.
_swizzlebench_words() {
    sed -n 's/^  \([a-z][a-z.-]*\)  .*/\1/p'
}

# The options that a help text explains; several may share a line.
_swizzlebench_options() {
    sed -n 's/^  \(--[a-z].*\)/\1/p' | sed 's/  .*//' | grep -oE -e '--[a-z][a-z-]*'
}

# A column of a list of the program, each value once: _swizzlebench_list COLUMN WORDS...
_swizzlebench_list() {
    local column=$1
    shift
    "$_swizzlebench_program" "$@" --csv 2>/dev/null | awk -F, -v column="$column" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
        $at != "" && !seen[$at]++ { print $at }'
}

# The values of option $1 of the command whose help text is $2, where they are known.
_swizzlebench_values() {
    case $1 in
    --instruction) _swizzlebench_list instruction list shared ;;
    --layout | --layout-* | --reader-layout | --writer-layout)
        _swizzlebench_list layout list shared | grep -v -e '-way$'
        ;;
    --*)
        # "--stack col|row", "--major K|MN"; capitals beside small letters ("--device N|all") stand
        # for what is to be put there.
        grep -oE -e "$1 [A-Za-z0-9.-]+(\|[A-Za-z0-9.-]+)+" <<<"$2" | sed 's/.* //' | sort -u |
            awk -F'|' '{ for (i = 1; i <= NF; i++) if ($i ~ /[a-z]/ || $0 !~ /[a-z]/) print $i }'
        ;;
    esac
}

_swizzlebench() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local _swizzlebench_program=${COMP_WORDS[0]} help words values
    local -a command=()
    local at=1
    COMPREPLY=()

    # The command, and the word behind it where it parts into several.
    help=$("$_swizzlebench_program" --help 2>/dev/null) || return 0
    while [ "$at" -lt "$COMP_CWORD" ] && [ "${#command[@]}" -lt 2 ] &&
        grep -qxF -e "${COMP_WORDS[at]}" <<<"$(_swizzlebench_words <<<"$help")"; do
        command+=("${COMP_WORDS[at]}")
        help=$("$_swizzlebench_program" "${command[@]}" --help 2>/dev/null) || return 0
        at=$((at + 1))
        [[ ${help%%$'\n'*} == *' ...' ]] || break
    done

    values=$(_swizzlebench_values "$previous" "$help")
    if [[ $previous == --* && -n $values ]]; then
        words=$values
    elif [[ $previous == --filter ]]; then
        return 0
    elif [[ $current == -* ]]; then
        words=$(_swizzlebench_options <<<"$help")
        [ "${#command[@]}" -gt 0 ] || words='--help --version'
    elif [[ $previous == --* ]] && grep -qE -e "^ .*$previous [A-Z]" <<<"$help"; then
        words= # a file, most likely
    else
        case "${command[*]}" in
        '' | show | tma) words=$(_swizzlebench_words <<<"$help") ;;
        run | list) words=$(_swizzlebench_list family list) ;;
        fuzz) words=$(_swizzlebench_words <<<"$help") ;;
        'show fragment' | 'show tiled-mma') words=$(_swizzlebench_list atom show fragment --list) ;;
        'show layout') words=$(_swizzlebench_values --layout '') ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -o default -F _swizzlebench swizzlebench
