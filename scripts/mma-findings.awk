# What does an mma.csv say, in sentences and tables? Blocks for README.md and docs/mma.md, behind
# csv.awk, sort.awk and block.awk.

{
    status[get("status")]++
}

get("status") == "skipped" {
    add_skipped()
}

get("status") != "ok" {
    next
}

{
    verified += get("verified") == "yes"
    agree += get("model_wavefronts") == get("hw_wavefronts") && \
             get("model_conflicts") == get("hw_conflicts")
    executed += get("inst_expected") == get("inst_executed") && \
                get("tensor_inst_expected") == get("tensor_inst_executed")
    throttled += get("throttled_samples") + 0 > 0
    clocks = get("cycles_per_mma") + 0
    alone = get("cycles_per_mma_without_loads") + 0
    wavefronts = get("model_wavefronts") + 0
    above = clocks / get("bound_cycles") - 1
    note("mhz", get("sm_clock_mhz"))
}

get("wrong") != "" {
    add_wrong()
    next
}

{
    right += get("product_wrong_share") == 0
    by_case[get("case")] = clocks
    ways[get("case")] = wavefronts / get("ideal_wavefronts")
    loads = get("load")
    transposed = loads ~ /\.trans/
    gsub(/\.trans/, "", loads)
    if (loads == "ldmatrix.x4, ldmatrix.x4")
        loads = "ldmatrix.x4"
    add_overlap()
    if (loads == "ldmatrix.x4" && get("model_conflicts") == 0)
        add_free()
    if (get("a_layout") == get("b_layout"))
        add_layout()
}

# ---- Rows ---------------------------------------------------------------------------------------

# A value of a quantity, for least, median and most.
function note(name, value)
{
    value_of[name, ++value_count[name]] = value + 0
}

# Without conflicts, and with fragments that one ldmatrix.x4 loads whole.
function add_free()
{
    note(get("dtype") " free", clocks)
    note("free", clocks)
    note("free above", above)
    note("free wavefronts", wavefronts)
    note("free alone", alone)
    note("free peak", get("pct_of_peak"))
    note("alone peak", get("pct_of_peak") * clocks / alone)
    if (get("dtype") == "bf16")
        note(transposed ? "trans" : "plain", clocks)
}

# Of all pairs of layouts: instructions and wavefronts that an mma needs, and its clocks.
function add_overlap(    key)
{
    key = loads SUBSEP wavefronts
    if (!(key in overlap_loads)) {
        overlap_order[++overlaps] = key
        overlap_loads[key] = get("inst_expected") / get("tensor_inst_expected")
    }
    note("overlap " key, clocks)
    note("overlap above " key, above)
}

# Of equal layouts: those that cost the same.
function add_layout(    key)
{
    key = get("dtype") SUBSEP get("load") SUBSEP wavefronts
    if (!(key in layouts_of)) {
        layout_order[++layout_groups] = key
        layouts_of[key] = get("a_layout")
    } else {
        layouts_of[key] = layouts_of[key] ", " get("a_layout")
    }
    note("with " key, clocks)
    note("alone " key, alone)
    note("bound " key, get("bound_cycles"))
    note("peak " key, get("pct_of_peak"))
    note("share " key, get("pct_of_without_loads"))
}

function add_wrong(    key)
{
    key = get("wrong")
    sub(/ without \.trans/, "", key)
    if (!(key in wrong_rows))
        wrong_order[++wrongs] = key
    wrong_rows[key]++
    wrong_total++
    note("misplaced a " key, get("a_misplaced_share"))
    note("misplaced b " key, get("b_misplaced_share"))
    note("misplaced", 100 * (key == "B" ? get("b_misplaced_share") : get("a_misplaced_share")))
    note("wrong " key, get("product_wrong_share"))
    note("wrong", 100 * get("product_wrong_share"))
    note("wrong clocks " key, clocks)
}

function add_skipped(    reason)
{
    reason = get("reason")
    if (!(reason in skipped)) {
        skip_order[++skips] = reason
        skip_example[reason] = get("case")
    }
    skipped[reason]++
}

# ---- Helpers ------------------------------------------------------------------------------------

# Sets least_value and most_value too.
function median_of(name,    list, i, n)
{
    n = value_count[name]
    for (i = 1; i <= n; i++)
        list[i] = value_of[name, i]
    sort(list, n)
    least_value = list[1]
    most_value = list[n]
    return median(list, n)
}

function most_of(name)
{
    median_of(name)
    return most_value
}

# "1.72", or "1.72 to 1.73".
function range(name, format,    low, high)
{
    median_of(name)
    low = sprintf(format, least_value)
    high = sprintf(format, most_value)
    return low == high ? low : low " to " high
}

function clock_text(name)
{
    return sprintf("%.2f", by_case[name])
}

# ---- Blocks -------------------------------------------------------------------------------------

END {
    print_summary()
    print_checks()
    print_layouts()
    print_overlap()
    print_wrong()
    print_skipped()
}

function print_summary()
{
    begin("mma")
    printf "- **%d products of 128 x 128, every element right**, and wavefronts and conflicts as " \
        "predicted in %s rows; %d more skipped, each with its reason.\n", right, \
        all_of(agree, status["ok"]), status["skipped"]
    printf "- **Layouts without conflicts cost the same**: %s clocks an mma of bf16 in %d of %d " \
        "pairs. A linear B takes %s clocks, a linear A %s, both %s: their wavefronts.", \
        range("bf16 free", "%.2f"), value_count["bf16 free"], bf16_pairs(), \
        clock_text("bf16 A=K/128B B=linear"), clock_text("bf16 A=linear B=K/128B"), \
        clock_text("bf16 A=linear B=linear")
    printf " `.trans` costs nothing: %.3f clocks in the median of pairs with an MN-major operand, " \
        "%.3f of the others.\n", median_of("trans"), median_of("plain")
    printf "- **Loads and mma do not overlap entirely.** An mma takes %.2f clocks alone, its " \
        "`ldmatrix` %.2f wavefronts, both together %.2f, with 8 warps on an SM: %.0f %% more than " \
        "the larger. Of the tensor core's dense peak that is %.0f %% alone and %.0f %% with the " \
        "loads.\n", median_of("free alone"), median_of("free wavefronts"), \
        median_of("free"), 100 * median_of("free above"), \
        median_of("alone peak"), median_of("free peak")
    printf "- **MN-major tf32 has no `ldmatrix`.** Plain loads take %s clocks in MN/32B, where " \
        "nothing conflicts, and %s in MN/none, MN/64B and MN/128B, which are %d-way.\n", \
        clock_text("tf32 A=MN/32B B=MN/32B"), clock_text("tf32 A=MN/128B B=MN/128B"), \
        ways["tf32 A=MN/128B B=MN/128B"]
    printf "- **A load without its `.trans` gives the transposed fragment**, at the same speed: %s %% " \
        "of the elements are in the wrong place, and %s %% of the product is wrong, as predicted.\n", \
        range("misplaced", "%.1f"), range("wrong", "%.2f")
    end()
}

function bf16_pairs(    name, count)
{
    for (name in by_case)
        count += name ~ /^bf16 /
    return count
}

function print_checks()
{
    begin("mma-checks")
    printf "%s, driver %s, %s: %d rows ok, %d skipped, %d failed.\n\n", meta["gpu"], \
        meta["driver"], substr(meta["date"], 1, 10), status["ok"], status["skipped"], \
        status["failed"]
    printf "- Products: every element of 128 x 128 as it must be in %s rows, with the loads in the " \
        "loop and without. In %s rows that is A x B; in the other %d a load lacks its `.trans` on " \
        "purpose, and the product is the one predicted.\n", all_of(verified, status["ok"]), right, \
        wrong_total
    printf "- Wavefronts and conflicts: model = counter in %s rows.\n", all_of(agree, status["ok"])
    printf "- Instructions: loads and mma executed are those of the source in %s rows.\n", \
        all_of(executed, status["ok"])
    printf "- The SM clock was %s MHz; rows with a sample taken while the card throttled: %d.\n", \
        range("mhz", "%d"), throttled
    end()
}

function print_layouts(    i, key, words)
{
    begin("mma-layouts")
    print "| type | A and B in | loads | wavefronts | clk with loads | clk without | bound | " \
        "% of peak | % of the loop without loads |"
    print "| --- | --- | --- | --: | --: | --: | --: | --: | --: |"
    for (i = 1; i <= layout_groups; i++) {
        key = layout_order[i]
        split(key, words, SUBSEP)
        printf "| %s | %s | `%s` | %s | %s | %.2f | %.2f | %.1f | %.1f |\n", words[1], \
            layouts_of[key], words[2], words[3], range("with " key, "%.2f"), \
            median_of("alone " key), median_of("bound " key), median_of("peak " key), \
            median_of("share " key)
    }
    end()
}

# By the loads that an mma takes, then by wavefronts.
function print_overlap(    i, key, words, ranks, key_of)
{
    for (i = 1; i <= overlaps; i++) {
        key = overlap_order[i]
        split(key, words, SUBSEP)
        ranks[i] = 1000 * overlap_loads[key] + words[2]
        key_of[ranks[i]] = key
    }
    sort(ranks, overlaps)
    begin("mma-overlap")
    print "| loads of A, of B | loads an mma | wavefronts an mma | pairs of layouts | clk an mma | " \
        "above the bound, at most |"
    print "| --- | --: | --: | --: | --: | --: |"
    for (i = 1; i <= overlaps; i++) {
        key = key_of[ranks[i]]
        split(key, words, SUBSEP)
        printf "| `%s` | %s | %s | %d | %s | %.1f %% |\n", words[1], overlap_loads[key], words[2], \
            value_count["overlap " key], range("overlap " key, "%.2f"), \
            100 * most_of("overlap above " key)
    }
    end()
}

function print_wrong(    i, key)
{
    begin("mma-wrong")
    print "| lacks its `.trans` | rows | A misplaced | B misplaced | product wrong | clk an mma |"
    print "| --- | --: | --: | --: | --: | --: |"
    for (i = 1; i <= wrongs; i++) {
        key = wrong_order[i]
        printf "| %s | %d | %s | %s | %s | %s |\n", key, wrong_rows[key], \
            range("misplaced a " key, "%.4g"), range("misplaced b " key, "%.4g"), \
            range("wrong " key, "%.6g"), range("wrong clocks " key, "%.2f")
    }
    end()
}

function print_skipped(    i)
{
    begin("mma-skipped")
    print "| rows | for example | why |"
    print "| --: | --- | --- |"
    for (i = 1; i <= skips; i++)
        printf "| %d | `%s` | %s |\n", skipped[skip_order[i]], skip_example[skip_order[i]], \
            skip_order[i]
    end()
}
