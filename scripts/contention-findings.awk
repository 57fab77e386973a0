# What does a contention.csv say: who loses how much beside whom, and is what public reports call bank
# conflicts any? Blocks of Markdown, behind csv.awk, sort.awk and block.awk:
#
#   awk -f csv.awk -f sort.awk -f block.awk -f contention-findings.awk contention.csv

BEGIN {
    SAME = 0.01 # part of the clocks: less is no slow-down
    WARPS = 8   # of a side that goes lane by lane: others are left out of the table
}

{
    status[get("status")]++
    gpu = meta["gpu"] ", driver " meta["driver"] ", " substr(meta["date"], 1, 10)
}

get("status") != "ok" {
    next
}

{
    rows++
    verified += get("verified") == "yes"
    add_side("reader")
    add_side("writer")
}

get("report") != "" {
    add_report()
    next
}

get("reader") != "" && get("writer") != "" && get("reader_slowdown") != "" && is_usual() {
    add_pair()
}

# ---- Rows ---------------------------------------------------------------------------------------

function add_side(side)
{
    if (get(side) == "" || get(side "_inst_executed") == "")
        return
    counted++
    executed += get(side "_inst_expected") == get(side "_inst_executed")
    if (get(side "_sass_wavefronts") != "") {
        own++
        own_agree += get(side "_sass_wavefronts") == get(side "_model_wavefronts")
    }
}

# Warps of a warpgroup and of TMA are what they are.
function is_usual()
{
    return get("writer_warps") == WARPS && (get("reader") ~ /^wgmma/ || get("reader_warps") == WARPS)
}

function name_of(side)
{
    return get(side) " " get(side "_layout")
}

function add_pair(    r, w)
{
    r = name_of("reader")
    w = name_of("writer")
    if (!(r in reader_seen)) {
        reader_seen[r] = 1
        readers[++reader_count] = r
    }
    if (!(w in writer_seen)) {
        writer_seen[w] = 1
        writers[++writer_count] = w
    }
    slow_reader[r, w] = get("reader_slowdown") + 0
    slow_writer[r, w] = get("writer_slowdown") + 0
    served[r, w] = get("wavefronts_per_clk") + 0
    if (served[r, w] > most_served) {
        most_served = served[r, w]
        most_served_at = r " beside " w
    }
    if (get("writer") != "tma" && get("reader") !~ /^wgmma/ && served[r, w] > most_lanes)
        most_lanes = served[r, w]
    if (get("reader_hw_conflicts") != "") {
        beyond = get("reader_hw_conflicts") - get("reader_model_conflicts")
        lost_pairs++
        lost_rows += beyond > 0.00005
        share = beyond / get("reader_model_wavefronts")
        if (share > most_lost) {
            most_lost = share
            most_lost_at = r " beside " w
        }
    }
    if (get("arbitration") != "")
        arbitration[r, w] = get("arbitration") + 0
}

function setting(    text)
{
    text = get("reader") != "" ? name_of("reader") : ""
    if (get("writer") != "")
        text = text (text == "" ? "" : " beside ") name_of("writer")
    if (get("case") ~ / smem=/)
        text = text sprintf(", %d KiB", get("smem_bytes") / 1024)
    if (get("carveout_pct") != "")
        text = text ", carve-out " get("carveout_pct") " %"
    if (get("case") ~ / ctas=/)
        text = text (get("ctas") == 1 ? ", 1 CTA" : ", " get("ctas") " CTAs")
    return text
}

function add_report(    name)
{
    name = get("report")
    n = ++report_rows[name]
    line[name, n] = sprintf("| %s | %s | %s | %s | %s | %s |", setting(), get("predicted"), \
                            get("counted_sass"), get("counted_hw"), get("arbitration"), \
                            get("verdict"))
    told[name, get("verdict")]++
    if (get("writer") == "" || get("reader") == "")
        told[name, "alone", get("verdict")]++
}

# ---- Blocks -------------------------------------------------------------------------------------

END {
    if (!rows)
        exit
    print_checks()
    if (reader_count) {
        print_slowdown()
        print_table()
    }
    print_report("sw334-ldmatrix-trans")
    print_report("ca-or-cg")
    print_report("smem-size")
    print_report("grid")
}

function print_checks()
{
    begin("contention-checks")
    printf "%s: %d rows ok, %d skipped, %d failed. What was read and what was written is right in %s; " \
        "instructions executed as in the source on %s sides that were counted; wavefronts by the " \
        "instruction's own counter as predicted on %s.\n", gpu, status["ok"], status["skipped"], \
        status["failed"], all_of(verified, rows), all_of(executed + 0, counted + 0), \
        all_of(own_agree + 0, own + 0)
    end()
}

function print_slowdown(    i, j, r, w, values, count)
{
    begin("contention-slowdown")
    for (j = 1; j <= writer_count; j++) {
        w = writers[j]
        count = 0
        free = 0
        split("", values)
        for (i = 1; i <= reader_count; i++)
            if ((readers[i], w) in slow_reader) {
                values[++count] = slow_reader[readers[i], w]
                free += slow_reader[readers[i], w] < 1 + SAME
            }
        sort(values, count)
        printf "- Beside **%s** readers take %.2f to %.2f times their clocks alone; %s lose less than " \
            "%d %%.\n", w, values[1], values[count], all_of(free + 0, count), 100 * SAME
    }
    printf "- **Wavefronts of both sides a clock**: at most %.2f, %s", most_served, most_served_at
    if (most_lanes)
        printf "; of lanes beside lanes at most %.2f", most_lanes
    print "."
    if (lost_pairs)
        printf "- **The hardware's counter of conflicts says more than was predicted** of the readers " \
            "in %s pairs, by up to %.2f conflicts a wavefront (%s). The wavefronts of the instruction " \
            "itself are those predicted.\n", all_of(lost_rows + 0, lost_pairs), most_lost, \
            most_lost_at == "" ? "none" : most_lost_at
    end()
}

function print_table(    i, j, r, w)
{
    begin("contention-table")
    printf "| readers |"
    for (j = 1; j <= writer_count; j++)
        printf " %s |", writers[j]
    printf "\n| --- |"
    for (j = 1; j <= writer_count; j++)
        printf " --- |"
    print ""
    for (i = 1; i <= reader_count; i++) {
        printf "| %s |", readers[i]
        for (j = 1; j <= writer_count; j++) {
            r = readers[i]
            w = writers[j]
            if ((r, w) in slow_reader)
                printf " %.2f, %.2f (%.2f; %s) |", slow_reader[r, w], slow_writer[r, w], \
                    served[r, w], (r, w) in arbitration ? sprintf("%.2f", arbitration[r, w]) : "-"
            else
                printf " |"
        }
        print ""
    }
    end()
}

function print_report(name,    i)
{
    if (!report_rows[name])
        return
    begin("contention-" name)
    printf "%s of the rows are as predicted by both counters, %d have turns lost to others in the " \
        "hardware's counter alone, and %d have other conflicts.\n\n", \
        all_of(told[name, "as predicted"] + 0, report_rows[name]), told[name, "arbitration"], \
        told[name, "other conflicts"]
    print "| row | predicted | instruction's counter | hardware's counter | arbitration | verdict |"
    print "| --- | --: | --: | --: | --: | --- |"
    for (i = 1; i <= report_rows[name]; i++)
        print line[name, i]
    end()
}
