# What does a wgmma.csv say, in sentences and tables? Blocks for README.md and docs/wgmma.md, behind
# csv.awk, sort.awk and block.awk.

BEGIN {
    layouts = split("K/none K/32B K/64B K/128B MN/none MN/32B MN/64B MN/128B", layout_of, " ")
    kinds = split("another mode,LBO and SBO swapped,base offset 0 for 1 or 3,base offset 1 for 0", \
                  kind_of, ",")
    split("shared registers", source_of, " ")
}

{
    status[get("status")]++
}

get("status") != "ok" {
    next
}

{
    name = get("case")
    for (column in csv_column)
        cell[name, column] = get(column)
    order[++rows] = name
    verified += get("verified") == "yes"
    sent += get("inst_expected") == get("inst_executed")
    agree += get("model_wavefronts") == get("hw_wavefronts")
    conflicts += get("hw_conflicts")
    if (deviation() > worst_off + 0)
        worst_off = deviation()
    throttled += get("throttled_samples")
    see_range("clock", get("sm_clock_mhz"))
    add_law()
}

get("wrong") != "" {
    add_wrong()
    next
}

get("case") ~ /-at-/ {
    moved++
    next
}

get("a_source") == "shared" && get("stack") == "col" {
    add_pair()
}

get("stack") == "row" {
    stacked++
}

# ---- A row of the file --------------------------------------------------------------------------

function see_range(what, value)
{
    if (!((what, "least") in range) || value + 0 < range[what, "least"])
        range[what, "least"] = value + 0
    if (!((what, "most") in range) || value + 0 > range[what, "most"])
        range[what, "most"] = value + 0
}

# How far are the clocks from the model?
function deviation(    off)
{
    off = get("cycles_over_model") - 1
    return off < 0 ? -off : off
}

function add_law(    type, key)
{
    type = get("dtype")
    key = type SUBSEP get("a_source")
    if (!(type in type_k)) {
        types[++type_count] = type
        type_k[type] = get("k")
    }
    if (deviation() > worst[key] + 0)
        worst[key] = deviation()
    law_rows[key]++
    if (get("flop_per_clk_sm") + 0 > best[key] + 0)
        best[key] = get("flop_per_clk_sm") + 0
}

# Pairs of layouts in shared memory, of one type and N.
function add_pair(    group)
{
    group = get("dtype") SUBSEP get("n")
    if (!(group in pairs))
        groups[++group_count] = group
    pairs[group]++
    see_range(group, get("cycles_per_mma"))
}

# By what is wrong, and by the major of the operand's layout.
function add_wrong(    what, key)
{
    what = get("wrong")
    key = kind_of[what ~ /-as-/ ? 1 : what ~ /swapped/ ? 2 : what ~ /no-base/ ? 3 : 4]
    key = key SUBSEP ((what ~ /^A/ ? get("a_layout") : get("b_layout")) ~ /^K/ ? "K" : "MN")
    wrongs++
    wrong_rows[key]++
    wrong_agree[key] += get("model_wrong_share") == get("hw_wrong_share")
    see_range(key SUBSEP "model", get("model_wrong_share"))
    see_range(key SUBSEP "hw", get("hw_wrong_share"))
    if (deviation() > wrong_off + 0)
        wrong_off = deviation()
}

# ---- Blocks -------------------------------------------------------------------------------------

END {
    print_summary()
    print_checks()
    print_law()
    print_extents()
    print_spread()
    print_stackings()
    print_moved()
    print_wrong()
}

function cycles(n, a)
{
    return cell["bf16 n" n " A=" a " B=K/128B col", "cycles_per_mma"]
}

# How far apart are the pairs of a type at one N, at most?
function spread(type,    i, part, value, most)
{
    most = 0
    for (i = 1; i <= group_count; i++) {
        split(groups[i], part, SUBSEP)
        value = range[groups[i], "most"] / range[groups[i], "least"] - 1
        if (part[1] == type && value > most)
            most = value
    }
    return 100 * most
}

function print_summary()
{
    begin("wgmma")
    printf "- **%d products, every output as it must be in %s**: 7 types, every N, every layout " \
        "that a descriptor can name. %d are exact; %d have a descriptor that is wrong on purpose, and " \
        "are the product of what the model says it reads.\n", rows, all_of(verified, rows), \
        rows - wrongs, wrongs
    printf "- **Clocks: the larger of N/2 and 16 + N/4**, what the tensor core takes, and what the " \
        "64 rows of A and the N of B take, 32 bytes each, at 128 B/clk. With A in registers: N/2, and 13 at " \
        "least. No row is further from this than %.2f %%.\n", 100 * worst_off
    printf "- So the peak (2048 FLOP/clk/SM of tf32, 4096 of 16 bits, 8192 of 8 bits) takes N = 64. " \
        "**A from registers pays below that alone**: %.1f clocks instead of %.1f at N = 8, %.1f of " \
        "%.1f at 32, %.1f of %.1f at 56, %.1f of %.1f at 64.\n", cycles(8, "registers"), \
        cycles(8, "K/128B"), cycles(32, "registers"), cycles(32, "K/128B"), \
        cycles(56, "registers"), cycles(56, "K/128B"), cycles(64, "registers"), \
        cycles(64, "K/128B")
    printf "- **All pairs of layouts cost the same**, the 64 of bf16 within %.2f %% at every N, the " \
        "swizzle \"none\" and MN-major included. Wavefronts are 16 of A in shared memory and N/4 of B, " \
        "counted as predicted in %s rows, with %d conflicts.\n", spread("bf16"), all_of(agree, rows), conflicts
    printf "- **Atoms may be stacked along rows or along columns**: both are exact, at the same " \
        "clocks (%d products each). For a K-major swizzled tile the two differ in the stride byte " \
        "offset of the descriptor.\n", stacked
    end()
}

function print_checks()
{
    begin("wgmma-checks")
    printf "%s, driver %s, %s: %d rows ok, %d skipped, %d failed.\n\n", meta["gpu"], meta["driver"], \
        substr(meta["date"], 1, 10), status["ok"], status["skipped"], status["failed"]
    printf "- Products: every accumulator of every thread as expected, in %s rows.\n", \
        all_of(verified, rows)
    printf "- Instructions executed, by the hardware's count: those of the source in %s rows.\n", \
        all_of(sent, rows)
    printf "- Wavefronts: `model_wavefronts` = `hw_wavefronts` in %s rows; conflicts: %d.\n", \
        all_of(agree, rows), conflicts
    printf "- The SM clock was %d to %d MHz; samples taken while the card throttled: %d.\n", \
        range["clock", "least"], range["clock", "most"], throttled
    end()
}

function print_law(    i, s, type, key)
{
    begin("wgmma-law")
    print "| type | K | A from | rows | peak, FLOP/clk/SM | best measured | furthest from the law |"
    print "| --- | --: | --- | --: | --: | --: | --: |"
    for (i = 1; i <= type_count; i++)
        for (s = 1; s <= 2; s++) {
            type = types[i]
            key = type SUBSEP source_of[s]
            printf "| `%s` | %d | %s | %d | %d | %.1f | %.3f %% |\n", type, type_k[type], \
                source_of[s], law_rows[key], 2 * 64 * 2 * type_k[type], best[key], 100 * worst[key]
        }
    end()
}

function print_extents(    i, count, list, n, shared, registers, saved)
{
    count = split("8 16 24 32 40 48 56 64 72 96 128 192 256", list, " ")
    begin("wgmma-extents")
    print "| N | A from shared memory, clk | of the peak | A from registers, clk | of the peak | saved |"
    print "| --: | --: | --: | --: | --: | --: |"
    for (i = 1; i <= count; i++) {
        n = list[i]
        shared = "bf16 n" n " A=K/128B B=K/128B col"
        registers = "bf16 n" n " A=registers B=K/128B col"
        saved = int(100 * (1 - cell[registers, "cycles_per_mma"] / cell[shared, "cycles_per_mma"]) + 0.5)
        printf "| %d | %s | %.1f %% | %s | %.1f %% | %d %% |\n", n, \
            cell[shared, "cycles_per_mma"], cell[shared, "pct_of_peak"], \
            cell[registers, "cycles_per_mma"], cell[registers, "pct_of_peak"], saved
    }
    end()
}

function print_spread(    i, j, part, most, least, extents, type)
{
    begin("wgmma-spread")
    print "| type | pairs of layouts | N | most apart at one N |"
    print "| --- | --: | --: | --: |"
    for (i = 1; i <= type_count; i++) {
        type = types[i]
        most = least = extents = 0
        for (j = 1; j <= group_count; j++) {
            split(groups[j], part, SUBSEP)
            if (part[1] != type)
                continue
            extents++
            if (pairs[groups[j]] > most)
                most = pairs[groups[j]]
            if (!least || pairs[groups[j]] < least)
                least = pairs[groups[j]]
        }
        printf "| `%s` | %s | %d | %.3f %% |\n", type, \
            least == most ? most : least " to " most, extents, spread(type)
    }
    end()
}

function offsets(name)
{
    return cell[name, "b_lbo_bytes"] ", " cell[name, "b_sbo_bytes"]
}

# Descriptors of B at N = 256, where every layout has more than one atom both ways; then all rows.
function print_stackings(    i, row, col, lbo, sbo, off, most)
{
    begin("wgmma-stackings")
    print "| B, N = 256 | LBO, SBO: along columns | along rows | differ in | clk | clk |"
    print "| --- | --- | --- | --- | --: | --: |"
    for (i = 1; i <= layouts; i++) {
        col = "bf16 n256 A=" layout_of[i] " B=" layout_of[i] " col"
        row = col
        sub(/col$/, "row", row)
        lbo = cell[col, "b_lbo_bytes"] != cell[row, "b_lbo_bytes"]
        sbo = cell[col, "b_sbo_bytes"] != cell[row, "b_sbo_bytes"]
        printf "| %s | %s | %s | %s | %s | %s |\n", layout_of[i], offsets(col), offsets(row), \
            lbo && sbo ? "LBO, SBO" : lbo ? "LBO" : "SBO", cell[col, "cycles_per_mma"], \
            cell[row, "cycles_per_mma"]
    }
    most = 0
    for (i = 1; i <= rows; i++) {
        row = order[i]
        if (cell[row, "stack"] != "row")
            continue
        col = row
        sub(/row$/, "col", col)
        off = cell[row, "cycles_per_mma"] / cell[col, "cycles_per_mma"] - 1
        if (off < 0)
            off = -off
        if (off > most)
            most = off
    }
    printf "\n%d rows are stacked along rows, all exact, and their clocks within %.2f %% of those of " \
        "the same layouts stacked along columns.\n", stacked, 100 * most
    end()
}

function print_moved()
{
    begin("wgmma-moved")
    printf "%d products with an operand that begins 128 or 384 bytes behind a multiple of 1024, and " \
        "the base offset 1 or 3 in its descriptor: all exact.\n", moved
    end()
}

function shares(key, whose)
{
    return sprintf("%.2f to %.2f %%", 100 * range[key SUBSEP whose, "least"], \
                   100 * range[key SUBSEP whose, "most"])
}

function print_wrong(    i, j, key, majors)
{
    split("K MN", majors, " ")
    begin("wgmma-wrong")
    print "| the descriptor has | of a layout that is | rows | outputs wrong, predicted | counted | " \
        "the same share |"
    print "| --- | --- | --: | --: | --: | --: |"
    for (i = 1; i <= kinds; i++)
        for (j = 1; j <= 2; j++) {
            key = kind_of[i] SUBSEP majors[j]
            printf "| %s | %s-major | %d | %s | %s | %s |\n", kind_of[i], majors[j], \
                wrong_rows[key], shares(key, "model"), shares(key, "hw"), \
                all_of(wrong_agree[key], wrong_rows[key])
        }
    printf "\nNone of the %d faulted or stalled: their clocks are within %.2f %% of the law too.\n", \
        wrongs, 100 * wrong_off
    end()
}
