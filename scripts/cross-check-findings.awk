# What did the cross-check with ncu find? A block for docs/cross-check.md from cross-check.csv and
# cross-check-times.csv, behind csv.awk, sort.awk and block.awk.

BEGIN {
    SHARE = 1 / 3
}

csv_file == 2 {
    name[++groups] = get("group")
    rows[groups] = get("rows")
    launches[groups] = get("launches")
    counts[groups] = get("counts")
    equal_counts[groups] = get("equal_counts")
    values[groups] = get("values")
    equal_values[groups] = get("equal_values")
    ours[groups] = get("ours_s")
    ncu[groups] = get("ncu_s")
    all_rows += get("rows")
    all_launches += get("launches")
    all_ours += get("ours_s")
    all_ncu += get("ncu_s")
    all_alone += get("alone_s")
    version = meta["ncu"]
    next
}

{
    compared++
    if (get("equal") == "yes")
        equal++
    else if (get("held") == "yes")
        differ++
    else
        free[get("family") "." get("column")]++
}

END {
    begin("cross-check")
    printf "- **%d of %d values equal** in %d rows, with ncu %s; %d that are held to be equal differ.\n", \
        equal, compared, all_rows, version, differ
    for (column in free)
        keys[++count] = column
    sort(keys, count)
    for (i = 1; i <= count; i++)
        list = list (i > 1 ? ", " : "") "`" keys[i] "` in " free[keys[i]]
    printf "- Not held to be equal, and not equal: %s.\n", list == "" ? "none" : list
    printf "- **Time**: %.1f ms a row for us, verified, counted and timed; %.1f ms a row under ncu, " \
        "counted alone: %.2f of it, where at most %.2f is wanted.\n", 1000 * all_ours / all_rows, \
        1000 * all_ncu / all_rows, all_ours / all_ncu, SHARE
    printf "- ncu adds %.1f ms a launch to the same run without it, its start included.\n\n", \
        1000 * (all_ncu - all_alone) / all_launches
    print "| group | rows | launches | raw counts equal | values equal | ours, ms a row | ncu, ms a row | " \
        "ours / ncu |"
    print "| --- | --: | --: | --: | --: | --: | --: | --: |"
    for (i = 1; i <= groups; i++)
        printf "| `%s` | %d | %d | %s | %s | %.1f | %.1f | %.2f |\n", name[i], rows[i], launches[i], \
            all_of(equal_counts[i], counts[i]), all_of(equal_values[i], values[i]), \
            1000 * ours[i] / rows[i], 1000 * ncu[i] / rows[i], ours[i] / ncu[i]
    end()
}
