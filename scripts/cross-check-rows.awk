# Are the rows that come of ncu's counts those that come of ours?
#
#   awk -v group=mma -v ours_s=2.1 -v ncu_s=7.5 -v alone_s=1.4 -v times=FILE -f scripts/csv.awk \
#       -f scripts/cross-check-rows.awk ours.counts ncu.counts ours/mma.csv theirs/mma.csv
#
# Prints a line a value that comes of counters: family, case, column, ours, ncu's, equal, held. The
# line on the group goes to FILE. What is not held to be equal depends on more than the launch.

BEGIN {
    OFS = ","
}

csv_file <= 2 {
    if (csv_file == 1)
        raw[get("launch"), get("metric")] = get("value")
    else {
        counts++
        equal_counts += raw[get("launch"), get("metric")] == get("value")
        launches = get("launch") + 1
    }
    next
}

csv_file == 3 {
    if (rows++ == 0)
        for (name in csv_column)
            names[csv_column[name]] = name
    for (i = 1; i in names; i++)
        ours[get("case"), names[i]] = get(names[i])
    next
}

{
    theirs++
    if (!((get("case"), "status") in ours)) {
        print "cross-check: " get("case") " is in one run alone" > "/dev/stderr"
        exit failed = 1
    }
    for (i = 1; i in names; i++)
        if (from_counters(names[i]))
            compare(names[i])
}

function from_counters(name)
{
    return name ~ /^(status|requests|arbitration)$/ || name ~ /executed|tma_cycles_active$/ || \
        (name ~ /(^|_)(hw|sass)(_|$)/ && name !~ /wrong_share$/)
}

# Clocks; what earlier launches left in the caches; for cp.async the turns at the banks that its writes
# lose, as its data comes back from L1 or L2 when it does; for TMA the requests that reach L2, some of
# which are merged on the way or ask for more than the box, and the reads of banks, which hold those
# of a barrier that is polled. Where two sides contend, or CTAs beside each other, all that holds lost
# turns.
function is_held(name)
{
    if (name ~ /tma_cycles_active$/)
        return 0
    if (get("family") == "shared" && name ~ /^hw_(l2|dram)_sectors$/)
        return 0
    if (get("family") == "tma" && name ~ /^hw_(requests|l2_sectors|bank_reads)$/)
        return 0
    if (get("family") == "transpose" && name ~ /conflicts/)
        return 0
    if (get("family") == "contention" && name ~ /arbitration|hw_conflicts$|hw_bank|counted_hw/)
        return 0
    if (get("family") == "contention" && get("reader") != "" && name == "writer_hw_wavefronts")
        return 0
    return !(get("instruction") ~ /^cp\.async/ && \
             name ~ /^hw_(total_wavefronts|other_wavefronts|arbitration_conflicts)$/)
}

function quoted(text)
{
    return text ~ /[",]/ ? "\"" text "\"" : text
}

function compare(name,    mine, held, equal)
{
    mine = ours[get("case"), name]
    if (mine == "" && get(name) == "")
        return
    held = is_held(name)
    equal = mine "" == get(name) ""
    values++
    equal_values += equal
    held_differ += held && !equal
    print get("family"), quoted(get("case")), name, mine, get(name), equal ? "yes" : "no", \
        held ? "yes" : "no"
}

END {
    if (failed)
        exit 1
    if (rows == 0 || rows != theirs || values <= rows) {
        print "cross-check: " rows + 0 " rows and " theirs + 0 ", with " values + 0 " values" \
            > "/dev/stderr"
        exit 1
    }
    family = get("family")
    print group, family, rows, launches, counts, equal_counts + 0, values, equal_values + 0, \
        held_differ + 0, ours_s, ncu_s, alone_s, sprintf("%.1f", 1000 * ours_s / rows), \
        sprintf("%.1f", 1000 * ncu_s / rows), sprintf("%.3f", ours_s / ncu_s) > times
}
