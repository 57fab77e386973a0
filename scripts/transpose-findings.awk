# What does a transpose.csv say: which way is best and how near to a plain copy, what do conflicts
# cost, and which layouts have none? Blocks of Markdown, behind csv.awk, sort.awk and block.awk:
#
#   awk -f csv.awk -f sort.awk -f block.awk -f transpose-findings.awk transpose.csv
#
# Per cent are of the plain copy of the same run: 16 bytes a lane, from global memory to global memory.

BEGIN {
    GOAL = 95  # per cent of the plain copy: the best transpose
    BEST = 5   # rows of a table of the best
    TILE = "64x64"
    widths = split("8 16 32", width_of, " ")
    modes = split("none 32B 64B 128B", mode_of, " ")
}

{
    status[get("status")]++
    gpu = meta["gpu"] ", driver " meta["driver"] ", " substr(meta["date"], 1, 10)
}

get("status") != "ok" || get("gbytes_per_s") == "" {
    next
}

{
    rows++
    verified += get("verified") == "yes"
    bits = get("elem_bits")
    add_agreement("wavefronts", "model_wavefronts_in", "hw_wavefronts_in")
    add_agreement("wavefronts", "model_wavefronts_out", "hw_wavefronts_out")
    add_agreement("wavefronts", "model_wavefronts_put", "hw_wavefronts_put")
    add_agreement("instructions", "inst_expected_in", "inst_executed_in")
    add_agreement("instructions", "inst_expected_out", "inst_executed_out")
    add_agreement("instructions", "inst_expected_put", "inst_executed_put")
}

get("method") == "copy" {
    # The row is measured as the others are, and like them stands beside the copy of its width.
    copy[bits, "DRAM"] = copy_of("gbytes_per_s", "pct_of_copy")
    copy[bits, "L2"] = copy_of("l2_gbytes_per_s", "l2_pct_of_copy")
    next
}

{
    add_group()
    add_shared()
    add_conflicts()
}

# 0: not known.
function copy_of(rate_column, pct_column)
{
    return get(pct_column) + 0 ? 100 * get(rate_column) / get(pct_column) : 0
}

# ---- Rows ---------------------------------------------------------------------------------------

# Rows by width of an element and tile.
function add_group(    key, n)
{
    key = bits SUBSEP get("tile")
    if (!(key in group_rows))
        group_of[++groups] = key
    n = ++group_rows[key]
    name[key, n] = get("method") " " get("layout")
    pct[key, n, "DRAM"] = get("pct_of_copy") + 0
    pct[key, n, "L2"] = get("l2_pct_of_copy") + 0
    rate[key, n, "DRAM"] = get("gbytes_per_s") + 0
    rate[key, n, "L2"] = get("l2_gbytes_per_s") + 0
}

# Clocks of shared memory alone beside the wavefronts of both ways.
function add_shared(    both, off)
{
    if (get("cycles") == "")
        return
    both = get("model_wavefronts_in") + get("model_wavefronts_out")
    off = get("cycles") - both
    if (off < 0) {
        below++
        off = -100 * off / both
        most_below = off > most_below ? off : most_below
        if (index(", " below_methods ",", ", `" get("method") "`,") == 0)
            below_methods = below_methods (below_methods == "" ? "" : ", ") "`" get("method") "`"
        return
    }
    above[++timed] = off
    if (both > most_wavefronts) {
        most_wavefronts = both
        most_cycles = get("cycles")
        most_case = get("case")
    }
}

function over_ideal(way)
{
    return get("model_wavefronts_" way) / get("ideal_wavefronts_" way)
}

function add_conflicts(    key, kind)
{
    if (get("tile") != TILE || get("model_wavefronts_in") == "")
        return
    key = bits SUBSEP get("method")
    ways_in[key, get("layout")] = over_ideal("in")
    ways_out[key, get("layout")] = over_ideal("out")
    line_list[++lines] = sprintf("| %d | `%s` | %s | %d, %d | %d, %d | %.1f | %.1f | %.1f |", bits, \
        get("method"), get("layout"), get("hw_wavefronts_in"), get("hw_wavefronts_out"), \
        get("ideal_wavefronts_in"), get("ideal_wavefronts_out"), get("cycles"), \
        get("pct_of_copy"), get("l2_pct_of_copy"))
    kind = get("method") ~ /matrix/ ? "matrix" : "words"
    if (get("layout") ~ /^K\//)
        mma_rows[kind]++
    if (over_ideal("in") > 1 || over_ideal("out") > 1)
        return
    if (get("layout") ~ /^K\//)
        mma_free[kind]++
    key = kind SUBSEP get("layout")
    if (!(key in free_list))
        free_layouts[kind, ++free_count[kind]] = get("layout")
    free_list[key] = free_list[key] (free_list[key] == "" ? "" : ", ") bits "-bit " get("method")
}

# ---- Blocks -------------------------------------------------------------------------------------

END {
    if (!rows)
        exit
    print_checks()
    print_goal()
    print_copies()
    print_best()
    print_shared()
    print_conflicts()
    print_s17()
}

function print_checks()
{
    begin("transpose-checks")
    printf "%s: %d rows ok, %d skipped, %d failed. Every byte where it must be in %s. Of each row's ways " \
        "through shared memory (in, out, laid out for TMA), wavefronts counted are those predicted on %s, " \
        "and instructions executed those of the source on %s.\n", gpu, status["ok"], \
        status["skipped"], status["failed"], all_of(verified, rows), \
        agreement("wavefronts"), agreement("instructions")
    end()
}

# The numbers of a group's rows in order[], the best first.
function rank(key, source, order,    i, j, n)
{
    n = group_rows[key]
    for (i = 1; i <= n; i++) {
        for (j = i; j > 1 && pct[key, order[j - 1], source] < pct[key, i, source]; j--)
            order[j] = order[j - 1]
        order[j] = i
    }
    return n
}

function line_bytes(key,    parts)
{
    split(key, parts, SUBSEP)
    sub(/.*x/, "", parts[2])
    return parts[2] * parts[1] / 8
}

function group_name(key,    parts)
{
    split(key, parts, SUBSEP)
    return parts[1] "-bit, " parts[2]
}

function print_goal(    g, key, dram, l2)
{
    begin("transpose")
    print "| elements, tile | bytes of a line | best from DRAM to DRAM | GB/s | of the copy | best " \
        "within L2 | GB/s | of the copy |"
    print "| --- | --: | --- | --: | --: | --- | --: | --: |"
    for (g = 1; g <= groups; g++) {
        key = group_of[g]
        rank(key, "DRAM", dram)
        rank(key, "L2", l2)
        printf "| %s | %d | `%s` | %.0f | %.1f %% | `%s` | %.0f | %.1f %% |\n", group_name(key), \
            line_bytes(key), name[key, dram[1]], rate[key, dram[1], "DRAM"], \
            pct[key, dram[1], "DRAM"], name[key, l2[1]], rate[key, l2[1], "L2"], \
            pct[key, l2[1], "L2"]
    }
    end()
    begin("transpose-goal")
    for (g = 1; g <= groups; g++)
        printf "- %s: %d of %d rows reach %d %% of the copy from DRAM, %d within L2.\n", \
            group_name(group_of[g]), reach(group_of[g], "DRAM"), group_rows[group_of[g]], GOAL, \
            reach(group_of[g], "L2")
    end()
}

function reach(key, source,    i, count)
{
    for (i = 1; i <= group_rows[key]; i++)
        count += pct[key, i, source] >= GOAL
    return count
}

# "4062, 4275, 4070"; sets slowest[source] to a width.
function copies(source,    w, bits, text)
{
    for (w = 1; w <= widths; w++) {
        bits = width_of[w]
        text = text (w > 1 ? ", " : "") sprintf("%.0f", copy[bits, source])
        if (w == 1 || copy[bits, source] < copy[slowest[source], source])
            slowest[source] = bits
    }
    return text
}

# The best row of 16 bits, beside the copy of its own width and the slowest of all.
function print_best_over_copies(source, where,    g, i, rate_of, best)
{
    for (g = 1; g <= groups; g++) {
        if (group_of[g] !~ "^16" SUBSEP)
            continue
        for (i = 1; i <= group_rows[group_of[g]]; i++)
            if (rate[group_of[g], i, source] > rate_of) {
                rate_of = rate[group_of[g], i, source]
                best = name[group_of[g], i]
            }
    }
    if (best == "")
        return
    printf "- **The best row of 16 bits %s**, `%s` with %.0f GB/s, is %.1f %% of the copy of 16 bits, " \
        "and %.1f %% of the slowest of the copies, that of %d bits.\n", where, best, rate_of, \
        100 * rate_of / copy[16, source], 100 * rate_of / copy[slowest[source], source], \
        slowest[source]
}

function print_copies(    w)
{
    for (w = 1; w <= widths; w++)
        if (!copy[width_of[w], "DRAM"] || !copy[width_of[w], "L2"])
            return
    begin("transpose-copies")
    printf "- **The plain copy of 8, 16 and 32 bits**: %s GB/s from DRAM to DRAM, ", copies("DRAM")
    printf "%s within L2.\n", copies("L2")
    print_best_over_copies("DRAM", "from DRAM to DRAM")
    print_best_over_copies("L2", "within L2")
    end()
}

function print_best(    g, i, key, n, dram, l2)
{
    begin("transpose-best")
    print "| elements, tile | from DRAM to DRAM | of the copy | within L2 | of the copy |"
    print "| --- | --- | --: | --- | --: |"
    for (g = 1; g <= groups; g++) {
        key = group_of[g]
        n = rank(key, "DRAM", dram)
        rank(key, "L2", l2)
        for (i = 1; i <= BEST && i <= n; i++)
            printf "| %s | `%s` | %.1f %% | `%s` | %.1f %% |\n", group_name(key), \
                name[key, dram[i]], pct[key, dram[i], "DRAM"], name[key, l2[i]], \
                pct[key, l2[i], "L2"]
    }
    end()
}

function print_shared()
{
    if (!timed)
        return
    sort(above, timed)
    begin("transpose-shared")
    printf "- **Shared memory alone takes its wavefronts**, a clock each, and %.1f to %.1f clocks more a " \
        "tile in %d rows, two barriers included. At most: %d wavefronts, %.0f clocks (`%s`).\n", \
        above[1], above[timed], timed, most_wavefronts, most_cycles, most_case
    if (below)
        printf "- In %d rows, of %s, the clocks are fewer than the wavefronts, by up to %.1f %%.\n", \
            below, below_methods, most_below
    end()
}

function print_conflicts(    i)
{
    begin("transpose-conflicts")
    print "| bits | method | layout | wavefronts in, out | ideal | clk, shared memory alone | % of the " \
        "copy, DRAM | L2 |"
    print "| --: | --- | --- | --: | --: | --: | --: | --: |"
    for (i = 1; i <= lines; i++)
        print line_list[i]
    end()
}

# "8, 4, 2, 1", of none to 128B; "-" where a tile has no such layout.
function by_mode(ways, key,    m, text)
{
    for (m = 1; m <= modes; m++)
        text = text (m > 1 ? ", " : "") \
            ((key SUBSEP "K/" mode_of[m]) in ways ? ways[key, "K/" mode_of[m]] : "-")
    return text
}

function free_text(kind,    i, text)
{
    for (i = 1; i <= free_count[kind]; i++)
        text = text (i > 1 ? "; " : "") "`" free_layouts[kind, i] "` (" \
            free_list[kind, free_layouts[kind, i]] ")"
    return text == "" ? "no layout" : text
}

# Claim S17.
function print_s17()
{
    begin("transpose-s17")
    if (mma_rows["words"])
        printf "- **Elements or words down a column** (`elements`, `words`) have no conflicts either way in %s; " \
            "of the %d rows in MMA layouts, in %d.\n", free_text("words"), mma_rows["words"], \
            mma_free["words"]
    if (mma_rows["matrix"])
        printf "- **Matrices** (`ldmatrix.trans`, `stmatrix.trans`) have none in %s; of the %d rows in " \
            "MMA layouts, in %d.\n", free_text("matrix"), mma_rows["matrix"], mma_free["matrix"]
    printf "- **What the MMA swizzles serve**: wavefronts over the ideal in K/none, K/32B, K/64B, K/128B. In, " \
        "16 bytes a lane along rows: %s with lines of 128 bytes, %s with lines of 64. Out, with elements " \
        "of 16 bits: pieces of 8 rows x 16 bytes %s, pieces of 32 rows %s, words %s.\n", \
        by_mode(ways_in, "16" SUBSEP "ldmatrix.trans"), \
        by_mode(ways_in, "8" SUBSEP "ldmatrix.trans"), \
        by_mode(ways_out, "16" SUBSEP "ldmatrix.trans-8x16B"), \
        by_mode(ways_out, "16" SUBSEP "ldmatrix.trans"), by_mode(ways_out, "16" SUBSEP "words")
    end()
}
