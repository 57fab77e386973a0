# What does a pipeline.csv say: which layout is best for a tile, what does CUTLASS's choice lose, and
# is 32B slow? Blocks of Markdown, behind csv.awk, sort.awk, block.awk and pipeline-rows.awk:
#
#   awk -f csv.awk ... -f pipeline-findings.awk pipeline.csv wgmma.csv
#
# Without wgmma.csv nothing is said of reading operands alone.

get("family") == "wgmma" {
    add_reads()
    next
}

{
    status[get("status")]++
    gpu = meta["gpu"] ", driver " meta["driver"] ", " substr(meta["date"], 1, 10)
}

get("status") != "ok" || get("cycles_per_k_block") == "" {
    next
}

{
    rows++
    verified += get("verified") == "yes"
    sectors_agree += get("model_sectors") == get("hw_sectors")
    wavefronts_agree += get("model_wavefronts") == get("hw_wavefronts")
    sent += get("boxes_expected") == get("boxes_executed")
    multiplied += get("inst_expected") == get("inst_executed")
    add_bounds()
    add_tile()
}

# ---- Rows ---------------------------------------------------------------------------------------

function add_bounds(    clocks, deep, ratio, shortfall)
{
    clocks = get("cycles_per_k_block") + 0
    deep = get("stages") + 0 >= 4
    ratio = clocks / get("bound_cycles")
    if (ratio < least_ratio || least_ratio == "")
        least_ratio = ratio
    if (get("cycles_per_k_block_max") + 0 < get("bound_cycles") + 0) {
        beyond_spread++
        shortfall = 1 - get("cycles_per_k_block_max") / get("bound_cycles")
        if (shortfall > most_shortfall + 0)
            most_shortfall = shortfall
    }
    deep_rows += deep
    deep_at_bound += deep && ratio < 1.01
    if (deep && get("tma_model_cycles") + 0 > get("wgmma_model_cycles") + 0) {
        fed_rows++
        fed_at_bound += ratio < 1.01
    }
    ratio = clocks / get("smem_model_cycles")
    shared_beaten += ratio < 0.99
    if (ratio < shared_least || shared_least == "")
        shared_least = ratio
}

# Clocks of wgmma with both operands in the same K-major layout.
function add_reads(    layout, key)
{
    if (get("status") != "ok" || get("a_source") != "shared" || get("wrong") != "" || \
        get("a_layout") != get("b_layout") || get("a_layout") !~ /^K\// || \
        get("a_base_bytes") != 0)
        return
    layout = substr(get("a_layout"), 3)
    key = get("dtype") " " get("n") " " get("stack")
    read_clocks[key, layout] = get("cycles_per_mma") + 0
    if (layout == "128B")
        reads[++read_count] = key
}

# ---- Blocks -------------------------------------------------------------------------------------

END {
    print_bound()
    if (!rows)
        exit
    print_checks()
    print_choice()
    print_ranking()
    print_32b()
    print_boxes()
}

function print_checks()
{
    begin("pipeline-checks")
    printf "%s: %d rows ok, %d skipped, %d failed. Products exact in %s; `model_sectors` = " \
        "`hw_sectors` in %s, `model_wavefronts` = `hw_wavefronts` in %s; boxes and wgmma executed " \
        "as in the source in %s and %s.\n", gpu, status["ok"], status["skipped"], \
        status["failed"], all_of(verified, rows), all_of(sectors_agree, rows), \
        all_of(wavefronts_agree, rows), all_of(sent, rows), all_of(multiplied, rows)
    end()
}

# Claim S10.
function print_choice(    at)
{
    judge_choices()
    if (!choices)
        return
    split(lost_at, at, " ")
    begin("pipeline-choice")
    printf "- **CUTLASS's choice**, the widest span that divides the contiguous extent, is the " \
        "fastest layout or within %.1f %% of it for %s tiles", 100 * EQUAL, \
        all_of(good_choices, choices)
    if (most_lost > 0)
        printf "; it loses most, %.2f %%, at k_block = %d, N = %d, %d stages, %s-major B", \
            100 * most_lost, at[1], at[2], at[3], at[4]
    print "."
    end()
}

function print_ranking(    i, j, key, parts, count, line)
{
    begin("pipeline-ranking")
    print "| k_block | N | stages | B | clk a k-block, best first (of the best; bound) | CUTLASS " \
        "takes | it loses |"
    print "| --: | --: | --: | --- | --- | --- | --: |"
    for (i = 1; i <= tile_count; i++) {
        key = tiles[i]
        split(key, parts, " ")
        count = rank(key)
        line = ""
        for (j = 1; j <= count; j++)
            line = line sprintf("%s%s %.1f (%.2f; %d)", j > 1 ? ", " : "", ranked[j], \
                                best[key, ranked[j]], best[key, ranked[j]] / best[key, ranked[1]], \
                                bound[key, ranked[j]])
        printf "| %d | %d | %d | %s-major | %s | %s | %s |\n", parts[1], parts[2], parts[3], \
            parts[4], line, choice[key], key in choice ? sprintf("%.1f %%", 100 * loss(key)) : ""
    }
    end()
}

# Are operands in 32B slow: for reading, and for the pipeline?
function print_32b(    i, key, off, most, pairs, ratio, least, largest, least_at, largest_at, wide)
{
    begin("pipeline-32B")
    for (i = 1; i <= read_count; i++) {
        key = reads[i]
        if (!((key, "32B") in read_clocks))
            continue
        pairs++
        off = read_clocks[key, "32B"] / read_clocks[key, "128B"] - 1
        off = off < 0 ? -off : off
        most = off > most ? off : most
    }
    if (pairs)
        printf "- **Reading** operands in 32B is as fast as in 128B: clocks of wgmma alone differ " \
            "by at most %.3f %% in %d pairs of rows of wgmma.csv.\n", 100 * most, pairs
    for (i = 1; i <= tile_count; i++) {
        key = tiles[i]
        if (!((key, "32B") in best) || !((key, "128B") in best) || key !~ / K$/)
            continue
        wide++
        ratio = best[key, "32B"] / best[key, "128B"]
        if (least_at == "" || ratio < least) {
            least = ratio
            least_at = key
        }
        if (largest_at == "" || ratio > largest) {
            largest = ratio
            largest_at = key
        }
    }
    if (wide)
        printf "- **The whole pipeline**, TMA writing what wgmma reads, takes %.2f to %.2f times as " \
            "long in 32B as in 128B where both fit the extent (%s; %s), in %d tiles: " \
            "TMA takes a line of a box a clock, and lines of 32 bytes are four times as many.\n", \
            least, largest, describe(least_at), describe(largest_at), wide
    end()
}

function describe(key,    parts)
{
    split(key, parts, " ")
    return "k_block = " parts[1] ", N = " parts[2] ", " parts[3] " stages"
}

# How much faster or slower is one box of rank 3 than a box for each span?
function print_boxes(    i, j, key, layout, ratio, pairs, least, largest, least_at, largest_at)
{
    for (i = 1; i <= tile_count; i++)
        for (j = 1; j <= layouts; j++) {
            key = tiles[i]
            layout = layout_order[j]
            if (!((key, layout, "one") in all) || !((key, layout, "many") in all))
                continue
            pairs++
            ratio = all[key, layout, "one"] / all[key, layout, "many"]
            if (least_at == "" || ratio < least) {
                least = ratio
                least_at = describe(key) ", " layout
            }
            if (largest_at == "" || ratio > largest) {
                largest = ratio
                largest_at = describe(key) ", " layout
            }
        }
    if (!pairs)
        return
    begin("pipeline-boxes")
    printf "- **One box of rank 3** for all spans of an operand takes %.3f (%s) to %.3f (%s) of the " \
        "clocks of a box for each, in %d pairs of rows.\n", least, least_at, largest, largest_at, \
        pairs
    end()
}

function print_bound()
{
    begin("pipeline-bound")
    printf "- **The models add up to a pipeline.** All take the larger of what TMA and wgmma take, or " \
        "more (%.3f of it at the least; with all samples below it %d rows, by %.3f %% at most), and %d of %d with 4 stages or more are within 1 %% of " \
        "it: of those that TMA bounds %d of %d. The others wait for L2: fewer stages, or smaller " \
        "k-blocks, have fewer bytes in flight.\n", least_ratio, \
        beyond_spread, 100 * most_shortfall, deep_at_bound, deep_rows, \
        fed_at_bound, fed_rows
    printf "- **TMA writes beside what wgmma reads**: %d rows take fewer clocks than writing and " \
        "reading the operands would at 128 B/clk together, %.2f of them at the least.\n", \
        shared_beaten, shared_least
    end()
}
