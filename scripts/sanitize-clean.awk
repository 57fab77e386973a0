# Is a part of sanitize.csv clean? scripts/sanitize and its block of findings ask the same. Behind csv.awk.
#
# A part that came to its end, without a failed row, and of which the tool names no kernel but those that
# `known` of scripts/sanitize has. Errors and warnings of which it names no kernel are not known.
function is_clean()
{
    return get("ended") == "yes" && get("rows_failed") == 0 && get("unknown") == "" && \
        (get("errors") + get("warnings") == 0 || get("kernels") != "")
}
