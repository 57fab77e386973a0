# What does a contention.csv say: who loses how much beside whom, and is what public reports call bank
# conflicts any? Blocks of Markdown, behind csv.awk, sort.awk, block.awk and contention-rows.awk:
#
#   awk -f csv.awk -f sort.awk -f block.awk -f contention-rows.awk -f contention-findings.awk contention.csv

BEGIN {
    writer_words["stores"] = "stores out of registers"
    writer_words["loads"] = "stores of what loads have brought"
    writer_words["through"] = "`cp.async` through L1"
    writer_words["past"] = "`cp.async` past L1"
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
    other_verdicts += get("verdict") != verdict_of_row()
    add_side("reader")
    add_side("writer")
}

get("report") != "" {
    add_report()
    next
}

is_pair() {
    add_pair()
}

# ---- Rows ---------------------------------------------------------------------------------------

function add_side(side)
{
    if (get(side "_inst_executed") == "")
        return
    add_agreement("instructions", side "_inst_expected", side "_inst_executed")
    if (get(side "_sass_wavefronts") != "")
        add_agreement("wavefronts", side "_model_wavefronts", side "_sass_wavefronts")
}

# By the rule that docs/contention.md states, of the row's own numbers.
function verdict_of_row(    predicted, by_instruction, by_kind)
{
    predicted = get("predicted") + 0
    by_instruction = get("counted_sass")
    by_kind = get("counted_hw")
    if (by_instruction != "" && by_instruction + 0 != predicted)
        return "other conflicts"
    if (by_instruction == "" && by_kind == "")
        return ""
    if (by_kind == "" || by_kind + 0 == predicted)
        return "as predicted"
    if (by_instruction == "")
        return ""
    return get("arbitration") + 0 > 0 ? "arbitration" : "other turns"
}

# wgmma.n64, .n128 and .n256; ldmatrix with conflicts, and without.
function kind_of_reader()
{
    if (get("reader") ~ /^wgmma/)
        return get("reader")
    return get("reader_model_conflicts") + 0 > 0 ? "conflicts" : "free"
}

# Stores out of registers, of what loads have brought; cp.async through L1, and past it; tma.
function kind_of_writer()
{
    return get("writer") == "tma" ? "tma" : get("mode") == "cg" ? "past" : get("mode") == "ca" ? "through" : \
        get("writer") ~ /^st/ ? "stores" : "loads"
}

function add_pair(    r, w, reads, writes)
{
    r = name_of("reader")
    w = name_of("writer")
    reads = kind_of_reader()
    writes = kind_of_writer()
    pairs++
    add_slowdown(reads, writes)
    add_spread(w, reads, writes)
    add_counters(reads, writes)
    if (has_usual_warps())
        add_served(reads, writes, r " beside " w)
    if (is_shown())
        add_cell(r, w)
}

# Least and most of what is kept under a name, and where the most is.
function keep(name, value, where)
{
    if (!(name in most) || value > most[name]) {
        most[name] = value
        most_at[name] = where
    }
    if (!(name in least) || value < least[name])
        least[name] = value
}

function add_slowdown(reads, writes,    group, by, reader, writer)
{
    group = writes == "past" || writes == "tma" ? writes : "banks"
    by = has_usual_warps() ? "usual" : "few"
    reader = get("reader_slowdown") + 0
    writer = get("writer_slowdown") + 0
    keep("reader " reads " " group, reader)
    keep("writer " reads " " group, writer)
    keep("writer " group, writer)
    keep("reader " reads " " by " " writes, reader)
    if (by == "usual")
        keep("reader " reads " " writes " " get("writer_model_wavefronts"), reader)
    if (reads ~ /^wgmma/) {
        keep("reader wgmma " group, reader)
        keep("writer wgmma " group, writer)
        alone[reads] = sprintf("%d wavefronts in %.0f clocks", get("reader_model_wavefronts"), \
                               get("reader_cycles_alone"))
    } else if (writes == "stores") {
        add_turns(reads, by)
    }
}

# How many stores run for an ldmatrix, and how far is the clocks' sum from that of two?
function add_turns(reads, by,    together)
{
    together = get("reader_cycles_together") + 0
    keep("turns " by, together / get("writer_cycles_together"))
    if (by == "usual") {
        turns++
        keep("two stores", together / (get("reader_model_wavefronts") + 2 * get("writer_model_wavefronts")))
        if (get("writer_model_wavefronts") == 1)
            keep("narrow store " reads, get("writer_slowdown") + 0)
    }
}

# The same writer beside readers of one kind: what do the layouts of the readers change?
function add_spread(w, reads, writes,    set)
{
    set = reads " " w " " get("reader_warps") " " get("writer_warps")
    keep("spread " set, get("reader_slowdown") + 0)
    set_size[set]++
    if (!(set in spread_of)) {
        sets[++set_count] = set
        spread_of[set] = (reads ~ /^wgmma/ ? "wgmma" : reads) " " (writes == "past" ? "past" : "others")
    }
}

# Past L1 a wavefront of cp.async is no pass through the banks.
function add_served(reads, writes, here)
{
    if (writes != "past")
        keep("served " (reads ~ /^wgmma/ ? "wgmma" : "lanes") " " (writes == "tma" ? "tma" : "lanes"), \
             get("wavefronts_per_clk") + 0, here)
}

# What the counters of the kind of access say beyond the prediction.
function add_counters(reads, writes,    by)
{
    beyond("reader", "conflicts", "readers")
    beyond("reader", "wavefronts", "readers")
    by = writes " " (reads ~ /^wgmma/ ? "wgmma" : "ldmatrix")
    counted_pairs[by]++
    beyond("writer", "conflicts", by)
    beyond("writer", "wavefronts", by)
    if (get("arbitration") != "")
        add_beyond("arbitration " by, get("arbitration") + 0, 0)
}

function beyond(side, what, by)
{
    if (get(side "_hw_" what) != "")
        add_beyond(what " " by, get(side "_hw_" what) - get(side "_model_" what), 0.00005)
}

function add_beyond(name, over, least_over)
{
    told[name]++
    more[name] += over > least_over
    keep("beyond " name, over)
}

function add_cell(r, w)
{
    if (!(r in reader_seen)) {
        reader_seen[r] = 1
        readers[++reader_count] = r
    }
    if (!(w in writer_seen)) {
        writer_seen[w] = 1
        writers[++writer_count] = w
    }
    cell[r, w] = sprintf("%.2f, %.2f (%.2f)", get("reader_slowdown"), get("writer_slowdown"), \
                         get("wavefronts_per_clk"))
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

function add_report(    name, n, verdict)
{
    name = get("report")
    verdict = verdict_of_row()
    n = ++report_rows[name]
    line[name, n] = sprintf("| %s | %s | %s | %s | %s | %s |", setting(), get("predicted"), \
                            get("counted_sass"), get("counted_hw"), get("arbitration"), \
                            verdict)
    verdicts[name, verdict]++
}

# ---- Blocks -------------------------------------------------------------------------------------

END {
    if (!rows)
        exit
    print_checks()
    if (pairs) {
        print_slowdown()
        print_banks()
        print_counters()
    }
    if (reader_count)
        print_table()
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
        status["failed"], all_of(verified, rows), agreement("instructions"), agreement("wavefronts")
    if (other_verdicts)
        printf "\nIn %d of these rows the column `verdict` says other than the row's numbers do by the rule " \
            "below: the program that wrote the file had an earlier rule. Verdicts here are of the numbers.\n", \
            other_verdicts
    end()
}

# "1.00 to 1.51", or one number where both are that.
function range(name,    low, high)
{
    low = sprintf("%.2f", least[name])
    high = sprintf("%.2f", most[name])
    return low == high ? low : low " to " high
}

# For each N: the most of the readers' slow-downs; the writers' from least to most, and what N takes alone.
function by_n(side, group,    n, count, i, name, text)
{
    count = split("64 128 256", n, " ")
    for (i = 1; i <= count; i++) {
        name = side " wgmma.n" n[i] " " group
        if (!(name in most))
            continue
        text = text (text == "" ? "" : ", ")
        if (side == "reader")
            text = text sprintf("%.2f (N = %d)", most[name], n[i])
        else
            text = text sprintf("%s (N = %d, %s)", range(name), n[i], alone["wgmma.n" n[i]])
    }
    return text
}

# "at most 1.51, 3.06 times its clocks beside stores of 1, 4 wavefronts".
function by_wavefronts(reads, writes, what,    n, times, of, name)
{
    for (n = 1; n <= 32; n *= 2) {
        name = "reader " reads " " writes " " n
        if (name in most) {
            times = times (times == "" ? "" : ", ") sprintf("%.2f", most[name])
            of = of (of == "" ? "" : ", ") n
        }
    }
    return "at most " times " times its clocks beside " what " of " of " wavefronts"
}

function print_slowdown()
{
    begin("contention-slowdown")
    if ("reader wgmma banks" in most)
        print_wgmma()
    if ("turns usual" in most)
        print_turns()
    if (("reader free past" in most) && ("reader wgmma past" in most))
        print_copies()
    if (("reader free tma" in most) && ("reader conflicts tma" in most) && ("reader wgmma tma" in most))
        print_tma()
    print_layouts()
    end()
}

function print_wgmma()
{
    printf "- **`wgmma` reads first.** Beside stores and `cp.async` through L1 it takes at most %s times its " \
        "clocks alone.\n", by_n("reader", "banks")
    printf "- **Those get what it leaves**, and take %s times their clocks alone.\n", by_n("writer", "banks")
}

function print_turns()
{
    printf "- **`ldmatrix` and stores take turns by instructions.** With %d warps a side an `ldmatrix` takes " \
        "the clocks of its own wavefronts and of two stores', whatever the layouts, and %.1f to %.1f %% more, " \
        "in all %d pairs.", WARPS, 100 * (least["two stores"] - 1), 100 * (most["two stores"] - 1), turns
    if ("reader free usual stores" in most)
        printf " One without conflicts takes %s.", by_wavefronts("free", "stores", "stores")
    if (("narrow store free" in most) && ("narrow store conflicts" in most))
        printf " Stores of one wavefront take %s times their clocks beside it, and %s beside an `ldmatrix` of " \
            "a linear tile.", range("narrow store free"), range("narrow store conflicts")
    if ("turns few" in most)
        printf " With 4 or 2 warps a side it is %s stores.", range("turns few")
    print ""
}

function print_copies()
{
    printf "- **Beside `cp.async`**, %d warps a side, an `ldmatrix` without conflicts takes %s through L1, and %s " \
        "times past it", WARPS, by_wavefronts("free", "through", "copies"), range("reader free usual past")
    if ("reader free few past" in most)
        printf " (%s with 4 or 2 warps a side)", range("reader free few past")
    printf ". `wgmma` takes %s beside those past L1, and they %s times their own clocks alone.\n", \
        range("reader wgmma past"), range("writer wgmma past")
}

function print_tma()
{
    printf "- **TMA writes beside all of them.** It takes at most %.3f times its clocks alone, `wgmma` beside it " \
        "at most %.3f, an `ldmatrix` without conflicts %s, one of a linear tile %s.\n", most["writer tma"], \
        most["reader wgmma tma"], range("reader free tma"), range("reader conflicts tma")
}

# By how many per cent the slow-downs in a set of several differ at the most: "" without such a set.
function apart(kind,    i, set, by, most_apart)
{
    most_apart = -1
    for (i = 1; i <= set_count; i++) {
        set = sets[i]
        by = 100 * (most["spread " set] / least["spread " set] - 1)
        if (spread_of[set] == kind && set_size[set] > 1 && by > most_apart)
            most_apart = by
    }
    return most_apart < 0 ? "" : sprintf("%.2f %%", most_apart)
}

function print_layouts(    lanes, past, wgmma)
{
    lanes = apart("free others")
    past = apart("free past")
    wgmma = apart("wgmma others")
    if (lanes == "")
        return
    printf "- **The layout of what is read does not matter**, so long as it has no conflicts: beside the same " \
        "writer the slow-downs of `ldmatrix`, plain and `.trans`, differ by at most %s over the layouts", lanes
    if (past != "")
        printf " (%s beside `cp.async` past L1, whose own clocks vary)", past
    if (wgmma != "")
        printf ", those of `wgmma` by %s", wgmma
    print "."
}

function print_banks()
{
    begin("contention-banks")
    print_served("ldmatrix beside stores and cp.async through L1", "lanes lanes")
    print_served("ldmatrix beside TMA", "lanes tma")
    print_served("wgmma beside stores and cp.async through L1", "wgmma lanes")
    print_served("wgmma beside TMA", "wgmma tma")
    end()
}

function print_served(what, kind)
{
    if (("served " kind) in most)
        printf "- **%s**: %s wavefronts of both a clock, most with %s.\n", what, range("served " kind), \
            most_at["served " kind]
}

# "74 (0.823)": in how many pairs the counter says more, and by how much at the most.
function over(name)
{
    return !(name in told) ? "-" : !more[name] ? "0" : sprintf("%d (%.4g)", more[name], most["beyond " name])
}

function print_counters(    kind, count, i)
{
    begin("contention-counters")
    if (told["conflicts readers"])
        printf "The readers' conflicts by the hardware's counter are more than predicted in %s pairs, their " \
            "wavefronts in %s. Of the writers, in how many pairs, and by how much at the most:\n\n", \
            all_of(more["conflicts readers"] + 0, told["conflicts readers"] + 0), \
            all_of(more["wavefronts readers"] + 0, told["wavefronts readers"] + 0)
    print "| writers | beside | pairs | conflicts an instruction | wavefronts an instruction | `arbitration` |"
    print "| --- | --- | --: | --: | --: | --: |"
    count = split("stores past through loads", kind, " ")
    for (i = 1; i <= count; i++) {
        print_beyond(kind[i], "ldmatrix")
        print_beyond(kind[i], "wgmma")
    }
    end()
}

function print_beyond(writes, reads,    by)
{
    by = writes " " reads
    if (by in counted_pairs)
        printf "| %s | `%s` | %d | %s | %s | %s |\n", writer_words[writes], reads, counted_pairs[by], \
            over("conflicts " by), over("wavefronts " by), over("arbitration " by)
}

function print_table(    i, j)
{
    begin("contention-table")
    printf "| writers |"
    for (i = 1; i <= reader_count; i++)
        printf " %s |", readers[i]
    printf "\n| --- |"
    for (i = 1; i <= reader_count; i++)
        printf " --: |"
    print ""
    for (j = 1; j <= writer_count; j++) {
        printf "| %s |", writers[j]
        for (i = 1; i <= reader_count; i++)
            printf " %s |", cell[readers[i], writers[j]]
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
        "`arbitration` is not 0, and in %d where it is 0; the instruction's own says other than predicted " \
        "in %d.\n\n", all_of(verdicts[name, "as predicted"] + 0, report_rows[name]), \
        verdicts[name, "arbitration"], verdicts[name, "other turns"], verdicts[name, "other conflicts"]
    print "| row | predicted | instruction's counter | hardware's counter | arbitration | verdict |"
    print "| --- | --: | --: | --: | --: | --- |"
    for (i = 1; i <= report_rows[name]; i++)
        print line[name, i]
    end()
}
