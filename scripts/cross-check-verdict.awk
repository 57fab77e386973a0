# What do the files of a cross-check say?
#
#   awk -f scripts/csv.awk -f scripts/cross-check-verdict.awk cross-check.csv cross-check-times.csv
#
# Exits 1 where a value that is held to be equal differs.

BEGIN {
    MOST = 20
    SHARE = 1 / 3
}

csv_file == 1 {
    values++
    if (get("equal") == "yes")
        equal++
    else if (get("held") == "yes") {
        if (++differ <= MOST)
            print "differs: " get("family") " " get("case") ": " get("column") " " get("ours") \
                ", ncu " get("ncu")
    } else
        free++
    next
}

{
    rows += get("rows")
    ours += get("ours_s")
    ncu += get("ncu_s")
    alone += get("alone_s")
    launches += get("launches")
}

END {
    if (rows == 0 || ncu == 0) {
        print "cross-check: nothing was compared"
        exit 1
    }
    printf "%d of %d values equal, %d others differ where that is not held against them, " \
        "%d differ\n", equal, values, free, differ
    printf "%d rows: counted and timed by us %.1f ms a row, counted by ncu %.1f ms a row: %.2f of " \
        "it (at most %.2f: %s)\n", rows, 1000 * ours / rows, 1000 * ncu / rows, ours / ncu, SHARE, \
        ours <= SHARE * ncu ? "holds" : "does not hold"
    printf "ncu adds %.1f ms a launch to the same run without it, its start included\n", \
        1000 * (ncu - alone) / launches
    exit differ > 0
}
