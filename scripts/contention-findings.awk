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

function note(name)
{
    if (!(name in seen)) {
        seen[name] = 1
        return 1
    }
    return 0
}

function add_pair(    r, w)
{
    r = name_of("reader")
    w = name_of("writer")
    if (note("reader " r))
        readers[++reader_count] = r
    if (note("writer " w))
        writers[++writer_count] = w
    pairs++
    slow_reader[r, w] = get("reader_slowdown") + 0
    slow_writer[r, w] = get("writer_slowdown") + 0
    served[r, w] = get("wavefronts_per_clk") + 0
    arbitration[r, w] = get("arbitration")
    add_served(r, w)
    add_counters(r, w)
}

# Past L1 a wavefront of cp.async is no pass through the banks.
function add_served(r, w,    kind)
{
    kind = get("writer") == "tma" ? "tma" : get("mode") == "cg" ? "cg" : "lanes"
    kind = (get("reader") ~ /^wgmma/ ? "wgmma" : "lanes") " " kind
    keep(kind, served[r, w], r " beside " w)
    if (get("reader") ~ /^ldmatrix/ && get("writer") ~ /^st\./)
        keep("turns", get("reader_cycles_together") / get("writer_cycles_together"), w)
}

# What the counters of the kind of access say beyond the prediction.
function add_counters(r, w)
{
    if (get("arbitration") != "") {
        with_arbitration += get("arbitration") > 0.00005
        keep("arbitration", get("arbitration") + 0, r " beside " w)
    }
    beyond("reader", "conflicts", r " beside " w)
    beyond("writer", "conflicts", w " beside " r)
    beyond("reader", "wavefronts", r " beside " w)
    beyond("writer", "wavefronts", w " beside " r)
}

function beyond(side, what, where,    over)
{
    if (get(side "_hw_" what) == "")
        return
    over = get(side "_hw_" what) - get(side "_model_" what)
    told_by[side, what]++
    if (over > 0.00005) {
        more[side, what]++
        keep(side what, over, where)
    }
}

# Least and most of a kind, and where the most is.
function keep(kind, value, where)
{
    if (!(kind in most) || value > most[kind]) {
        most[kind] = value
        most_at[kind] = where
    }
    if (!(kind in least) || value < least[kind])
        least[kind] = value
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

function range(list, count)
{
    sort(list, count)
    return sprintf("%.2f to %.2f", list[1], list[count])
}

function print_slowdown(    i, j, r, w, of_readers, of_writers, count, free)
{
    begin("contention-slowdown")
    for (j = 1; j <= writer_count; j++) {
        w = writers[j]
        count = free = 0
        split("", of_readers)
        split("", of_writers)
        for (i = 1; i <= reader_count; i++) {
            r = readers[i]
            if (!((r, w) in slow_reader))
                continue
            of_readers[++count] = slow_reader[r, w]
            of_writers[count] = slow_writer[r, w]
            free += slow_reader[r, w] < 1 + SAME
        }
        printf "- Beside **%s** readers take %s times their clocks alone (%s lose less than %d %%), and it " \
            "takes %s times its own.\n", w, range(of_readers, count), all_of(free + 0, count), \
            100 * SAME, range(of_writers, count)
    }
    end()
    begin("contention-banks")
    print_served("ldmatrix beside stores and cp.async through L1", "lanes lanes")
    print_served("ldmatrix beside TMA", "lanes tma")
    print_served("wgmma beside stores and cp.async through L1", "wgmma lanes")
    print_served("wgmma beside TMA", "wgmma tma")
    if ("turns" in most)
        printf "- **Turns go by instructions**: beside `ldmatrix` %.2f to %.2f stores run for each " \
            "`ldmatrix`, whatever the wavefronts of either.\n", least["turns"], most["turns"]
    end()
    begin("contention-counters")
    print_beyond("reader", "conflicts")
    print_beyond("writer", "conflicts")
    print_beyond("reader", "wavefronts")
    print_beyond("writer", "wavefronts")
    printf "- `arbitration` is more than 0 in %s pairs, %.4f a wavefront at the most%s.\n", \
        all_of(with_arbitration + 0, pairs), most["arbitration"], \
        (most["arbitration"] > 0) ? " (" most_at["arbitration"] ")" : ""
    end()
}

function print_served(what, kind)
{
    if (kind in most)
        printf "- **%s**: %.2f to %.2f wavefronts of both a clock, most with %s.\n", what, \
            least[kind], most[kind], most_at[kind]
}

function print_beyond(side, what)
{
    if (!told_by[side, what])
        return
    printf "- The %ss' %s by the hardware's counter are more than predicted in %s pairs", side, what, \
        all_of(more[side, what] + 0, told_by[side, what])
    if (more[side, what])
        printf ", by up to %.4g an instruction (%s)", most[side what], most_at[side what]
    print "."
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
                printf " %.2f, %.2f (%.2f) |", slow_reader[r, w], slow_writer[r, w], served[r, w]
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
    printf "Both counters say what was predicted in %s rows. The hardware's alone says more in %d where " \
        "`arbitration` is not 0, and in %d where it is; the instruction's own says other than predicted " \
        "in %d.\n\n", all_of(told[name, "as predicted"] + 0, report_rows[name]), \
        told[name, "arbitration"], told[name, "other turns"], told[name, "other conflicts"]
    print "| row | predicted | instruction's counter | hardware's counter | arbitration | verdict |"
    print "| --- | --: | --: | --: | --: | --- |"
    for (i = 1; i <= report_rows[name]; i++)
        print line[name, i]
    end()
}
