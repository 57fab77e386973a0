# What did a fuzz run find? A block for README.md from fuzz.csv, and that of
# descriptors, behind csv.awk, sort.awk and block.awk.
{
    what = get("what")
    if (get("status") == "ok")
        compared[what] += get("count")
    mismatches[what] += get("mismatches")
    failed[what] += get("status") == "failed"
    seconds[what] += get("seconds")
    if (!((what, get("instruction")) in seen)) {
        seen[what, get("instruction")]
        forms[what]++
    }
    seed = get("seed")
}
END {
    begin("fuzz")
    line("accesses", "random accesses", "instructions")
    line("cp.async", "random `cp.async`", "forms")
    if (compared["descriptors"])
        printf "- **%.1f million random tensor maps**, near the borders of the rules too, compared " \
            "with the driver in %.0f s (seed %s): %d mismatches.\n", \
            compared["descriptors"] / 1e6, seconds["descriptors"], seed, mismatches["descriptors"]
    printf "- On an %s, %s.\n", meta["gpu"], substr(meta["date"], 1, 10)
    end()
}

function line(what, name, kinds) {
    if (forms[what])
        printf "- **%.1f million %s** of %d %s, compared with the counters in %.0f s (seed %s): " \
            "%d mismatches%s.\n", compared[what] / 1e6, name, forms[what], kinds, seconds[what],
            seed, mismatches[what], failed[what] ? ", " failed[what] " parts failed" : ""
}
