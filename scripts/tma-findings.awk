# What does a tma.csv say, in sentences and tables? Blocks for README.md and docs/tma.md, behind
# csv.awk, sort.awk and block.awk.

BEGIN {
    STEADY = 100 # clocks: below, 8 boxes in flight do not fill the unit
    HEIGHT = 128
    split("1 2 4 8", depths, " ")
}

{
    status[get("status")]++
    name = get("case")
    for (column in csv_column)
        cell[name, column] = get(column)
    order[++names] = name
}

get("status") == "refused" {
    add_refused()
}

get("status") != "ok" {
    next
}

get("chip") ~ /L2|DRAM/ {
    chips[++chip_count] = name
}

get("chip") == "each-SM" {
    each[++each_count] = name
}

get("sm") != "" && !(get("sm") in chosen) {
    chosen[get("sm")]
    typical = typical (typical == "" ? "" : ", ") get("sm")
}

get("direction") == "plain-load" {
    next
}

{
    add_l2_requests("model_requests", "hw_requests")
    boxes++
    prefetches += get("direction") == "prefetch"
    if (get("direction") != "prefetch") {
        verified[get("direction") ~ /store|reduce/ ? "global" : "shared"] += \
            get("verified") == "yes"
        sent += get("inst_expected") == get("inst_executed")
    }
    agree += get("model_sectors") == get("hw_sectors")
}

is_geometry() {
    geometry++
    if (get("direction") == "load" && get("bytes_per_clk_sm") + 0 > best_rate) {
        best_rate = get("bytes_per_clk_sm") + 0
        best_box = name
    }
}

function is_geometry()
{
    return get("direction") ~ /^(load|store)$/ && get("dtype") == "bf16" && get("rank") == 2 && \
           get("chip") == "" && get("start") == "" && get("element_strides") == "" && \
           get("l2_promotion") == "none" && get("interleave") == "none" && \
           get("smem_offset") == 0 && get("oob_fill") == "zero"
}

function add_refused(    rule)
{
    rule = get("rule")
    if (!(rule in refused)) {
        rules[++rule_count] = rule
        refused_example[rule] = get("case")
        refused_reason[rule] = get("reason")
        sub(/^[^:]*: /, "", refused_reason[rule])
    }
    refused[rule]++
}

END {
    print_summary()
    print_checks()
    print_law()
    print_widths()
    print_depths()
    print_each()
    print_chip()
    print_ways()
    print_stackings()
    print_refused()
}

# ---- Helpers ------------------------------------------------------------------------------------

function box(direction, bytes, lines, swizzle)
{
    return direction " bf16 " bytes / 2 "x" lines " " swizzle
}

# The fastest of some boxes that begin with these words.
function fastest(direction, chip,    i, name, best, at)
{
    for (i = 1; i <= chip_count; i++) {
        name = chips[i]
        if (cell[name, "chip"] == chip && index(cell[name, "direction"], direction) && \
            cell[name, "direction"] != "plain-load" && cell[name, "gbytes_per_s"] > best + 0) {
            best = cell[name, "gbytes_per_s"]
            at = name
        }
    }
    return at
}

function rate(name)
{
    return cell[name, "gbytes_per_s"] / 1000
}

# Lines of 128 bytes under 128B: from how many bytes on do so many in flight reach 95 % of the best
# rate? 0 where they never do.
function saturates_from(depth,    lines, name, cycles, from)
{
    for (lines = 256; lines >= 1; lines--) {
        name = box("load", 128, lines, "128B")
        cycles = cell[name, "inflight_" depth "_cycles"]
        if (cycles == "")
            continue
        if (cell[name, "box_bytes"] / cycles < 0.95 * best_rate)
            break
        from = cell[name, "box_bytes"]
    }
    return from
}

# ---- Clocks against the model -------------------------------------------------------------------

# How far measured clocks are from the bound, of the boxes that fill the unit.
function compare(direction,    i, name, bound, off)
{
    split("", near)
    for (i = 1; i <= names; i++) {
        name = order[i]
        if (cell[name, "status"] != "ok" || cell[name, "direction"] != direction || \
            cell[name, "chip"] != "" || cell[name, "model_cycles"] == "")
            continue
        bound = cell[name, "model_cycles"] + 0
        if (direction == "load" && cell[name, "box_bytes"] / best_rate > bound)
            bound = cell[name, "box_bytes"] / best_rate
        if (bound < STEADY)
            continue
        off = cell[name, "cycles_per_box"] / bound - 1
        near["all"]++
        near["half"] += off <= 0.005 && off >= -0.005
        near["above"] += off > 0.005
        near["crowded"] += off > 0.005 && cell[name, "inflight_8_cycles"] == ""
        near["below"] += off < -0.005
        if (off > near["most"] + 0 && cell[name, "inflight_8_cycles"] != "")
            near["most"] = off
    }
}

function print_law()
{
    begin("tma-law")
    compare("load")
    if (!near["all"]) {
        end()
        return
    }
    printf "- **Loads** take `model_cycles`, or their bytes at %.1f B/clk where that is more: " \
        "within 0.5 %% in %d of %d rows of at least %d clocks (%.1f %%), below it in %d. Of the %d " \
        "that take longer %d have no room for 8 boxes in flight; the others are up to %.1f %% " \
        "above.\n", best_rate, near["half"], near["all"], STEADY, 100 * near["half"] / near["all"], \
        near["below"], near["above"], near["crowded"], 100 * near["most"]
    compare("store")
    printf "- **Stores** take `model_cycles`: within 0.5 %% in %d of %d rows (%.1f %%), below it " \
        "in %d, at most %.1f %% above.\n", near["half"], near["all"], \
        100 * near["half"] / near["all"], near["below"], 100 * near["most"]
    printf "- So a store moves 32 B/clk at best (%s: %.2f), and a load a line of at most 128 bytes " \
        "a clock: %.1f B/clk in lines of 16 bytes, %.1f in lines of 32, %.1f in lines of 64.\n", \
        "`" box("store", 512, 64, "none") "`", cell[box("store", 512, 64, "none"), "bytes_per_clk_sm"], \
        cell[box("load", 16, 256, "none"), "bytes_per_clk_sm"], \
        cell[box("load", 32, 256, "none"), "bytes_per_clk_sm"], \
        cell[box("load", 64, 256, "none"), "bytes_per_clk_sm"]
    end()
}

# ---- Blocks -------------------------------------------------------------------------------------

function print_summary(    l2, dram)
{
    l2 = fastest("load", "L2")
    dram = fastest("load", "DRAM")
    begin("tma")
    printf "- **Every byte where the model says**: %d boxes in shared memory, %d in global memory; " \
        "and `model_sectors` = counter in %s rows. %d more are refused, each with its rule, and %d skipped.\n", \
        verified["shared"], verified["global"], all_of(agree, boxes), status["refused"], \
        status["skipped"]
    if (cell[box("load", 128, 256, "128B"), "latency_cycles"] != "")
        printf "- **Latency** of a load from L2: %.0f clocks for a line of 16 bytes, %.0f for 8 KiB (64 lines of " \
        "128 bytes), %.0f for 32 KiB.\n", cell[box("load", 16, 1, "none"), "latency_cycles"], \
        cell[box("load", 128, 64, "128B"), "latency_cycles"], \
        cell[box("load", 128, 256, "128B"), "latency_cycles"]
    if (best_rate)
        printf "- **One SM loads %.1f B/clk at best**, in lines of 128 bytes or more; the unit takes a " \
        "line of up to 128 bytes a clock, so that lines of 16 bytes reach %.1f, of 32 %.1f, of 64 " \
        "%.1f. Three, five or seven 16-byte chunks take two: %.1f at 48 bytes (96 bytes reach %.1f), " \
        "%.1f at 112, all under 128B.\n", best_rate, \
        cell[box("load", 16, HEIGHT, "128B"), "bytes_per_clk_sm"], \
        cell[box("load", 32, HEIGHT, "128B"), "bytes_per_clk_sm"], \
        cell[box("load", 64, HEIGHT, "128B"), "bytes_per_clk_sm"], \
        cell[box("load", 48, HEIGHT, "128B"), "bytes_per_clk_sm"], \
        cell[box("load", 96, HEIGHT, "128B"), "bytes_per_clk_sm"], \
        cell[box("load", 112, HEIGHT, "128B"), "bytes_per_clk_sm"]
    if (saturates_from(8))
        printf "- **Boxes in flight**: 95 %% of that takes 8 of %.2f KiB or more, or 4 of %.2f KiB.\n", \
        saturates_from(8) / 1024, saturates_from(4) / 1024
    if (cell[box("store", 512, 64, "none"), "bytes_per_clk_sm"] != "")
        printf "- **One SM stores %.1f B/clk at best**, a sector a clock, and %.1f in lines of 16 " \
        "bytes.\n", cell[box("store", 512, 64, "none"), "bytes_per_clk_sm"], \
        cell[box("store", 16, HEIGHT, "none"), "bytes_per_clk_sm"]
    if (l2 != "" && dram != "")
        printf "- **All SMs, from L2: %.2f TB/s** (`%s`; plain 16-byte loads %.2f in the same run); " \
        "**from DRAM: %.2f TB/s** (`%s`; plain loads %.2f). Lines of 16 bytes: %.2f and %.2f.\n", \
        rate(l2), l2, rate("plain-load chip=L2"), rate(dram), dram, rate("plain-load chip=DRAM"), \
        rate("load bf16 8x256 none chip=L2"), rate("load bf16 8x256 none chip=DRAM")
    end()
}

function print_checks()
{
    begin("tma-checks")
    printf "%s, driver %s, %s: %d rows ok, %d refused, %d skipped, %d failed; of them %d are every " \
        "width, height and swizzle of a bf16 box of rank 2, loaded and stored.\n\n", meta["gpu"], \
        meta["driver"], substr(meta["date"], 1, 10), status["ok"], status["refused"], \
        status["skipped"], status["failed"], geometry
    printf "- Bytes: %d loads verified in all of shared memory in use, %d stores and reductions in " \
        "global memory, against random data, without a mismatch.\n", verified["shared"], \
        verified["global"]
    printf "- Sectors: `model_sectors` = `hw_sectors` in %s rows.\n", all_of(agree, boxes)
    if (judged["L2"])
        printf "- As predicted: %s.\n", l2_agreement("model_requests", "hw_requests")
    printf "- Boxes sent, by the hardware's count: those of the source in %s rows.\n", \
        all_of(sent, boxes - prefetches)
    printf "- %d prefetches bring the SM nothing: their sectors are those that L2 was asked for, and " \
        "their instructions are not counted.\n", prefetches
    end()
}

function print_widths(    i, count, widths, line, w)
{
    count = split("16 32 48 64 80 96 112 128 192 256 384 512", widths, " ")
    begin("tma-widths")
    print "| bytes a line | load, no swizzle | load, 128B | store, no swizzle | store, 128B | waste, " \
        "no swizzle |"
    print "| --: | --: | --: | --: | --: | --: |"
    for (i = 1; i <= count; i++) {
        w = widths[i]
        printf "| %d | %s | %s | %s | %s | %.2f |\n", w, \
            cell[box("load", w, HEIGHT, "none"), "bytes_per_clk_sm"], \
            cell[box("load", w, HEIGHT, "128B"), "bytes_per_clk_sm"], \
            cell[box("store", w, HEIGHT, "none"), "bytes_per_clk_sm"], \
            cell[box("store", w, HEIGHT, "128B"), "bytes_per_clk_sm"], \
            cell[box("load", w, HEIGHT, "none"), "waste"]
    }
    end()
}

function print_depths(    i, j, count, list, name)
{
    count = split("load bf16 8x1 none,load bf16 64x8 128B,load bf16 64x32 128B,load bf16 64x64 128B," \
                  "load bf16 64x128 128B,load bf16 64x256 128B,store bf16 8x1 none," \
                  "store bf16 64x8 128B,store bf16 64x64 128B,store bf16 64x256 128B", list, ",")
    begin("tma-inflight")
    print "| box | bytes | latency, clk | 1 in flight, clk a box | 2 | 4 | 8 | `model_cycles` |"
    print "| --- | --: | --: | --: | --: | --: | --: | --: |"
    for (i = 1; i <= count; i++) {
        name = list[i]
        printf "| `%s` | %s | %s |", name, cell[name, "box_bytes"], cell[name, "latency_cycles"]
        for (j = 1; j <= 4; j++)
            printf " %s |", cell[name, "inflight_" depths[j] "_cycles"]
        printf " %s |\n", cell[name, "model_cycles"]
    }
    end()
}

function print_each(    i, name, bytes)
{
    begin("tma-each-sm")
    if (each_count) {
        print "| box | SMs | B/clk: the slowest SM | the median | the fastest | latency, clk: the least | the median | the most |"
        print "| --- | --: | --: | --: | --: | --: | --: | --: |"
    }
    for (i = 1; i <= each_count; i++) {
        name = each[i]
        bytes = cell[name, "box_bytes"]
        sub(/ chip=.*/, "", name)
        printf "| `%s` | %d | %.2f | %.2f | %.2f | %s | %s | %s |\n", name, \
            cell[each[i], "samples"], bytes / cell[each[i], "cycles_per_box_max"], \
            bytes / cell[each[i], "cycles_per_box"], bytes / cell[each[i], "cycles_per_box_min"], \
            cell[each[i], "latency_min_cycles"], cell[each[i], "latency_cycles"], \
            cell[each[i], "latency_max_cycles"]
    }
    if (typical != "")
        printf "\nThe other clocks of this file are those of SM %s.\n", typical
    end()
}

function print_chip(    i, name)
{
    begin("tma-chip")
    print "| all SMs | from or to | GB/s | least | most |"
    print "| --- | --- | --: | --: | --: |"
    for (i = 1; i <= chip_count; i++) {
        name = chips[i]
        sub(/ chip=.*/, "", name)
        printf "| `%s` | %s | %s | %s | %s |\n", name, cell[chips[i], "chip"], \
            cell[chips[i], "gbytes_per_s"], cell[chips[i], "gbytes_per_s_min"], \
            cell[chips[i], "gbytes_per_s_max"]
    }
    end()
}

function print_ways(    i, count, list, name)
{
    count = split("load bf16 64x64 128B,load bf16 64x64 none,load bf16 64x8x8 128B," \
                  "load bf16 64x64 128B l2=256B,load bf16 64x64 128B steps=1;2," \
                  "load bf16 64x8x2 none interleave=16B,load bf16 16x16x4 32B interleave=32B," \
                  "im2col bf16 64x64 128B window=-1;-1 to=-1;-1 tap=1;1 start=0;-1;-1;0," \
                  "bulk-load 8192,bulk-store 8192,reduce-add f32 32x64 128B," \
                  "multicast bf16 64x64 128B cluster=2,multicast bf16 64x64 128B cluster=4," \
                  "multicast bf16 8x64 none cluster=2,prefetch bf16 64x64 128B", list, ",")
    begin("tma-ways")
    print "| box | bytes | sectors | latency, clk | clk a box | B/clk |"
    print "| --- | --: | --: | --: | --: | --: |"
    for (i = 1; i <= count; i++) {
        name = list[i]
        printf "| `%s` | %s | %s | %s | %s | %s |\n", name, cell[name, "box_bytes"], \
            cell[name, "hw_sectors"], cell[name, "latency_cycles"], cell[name, "cycles_per_box"], \
            cell[name, "bytes_per_clk_sm"]
    }
    end()
}

# The two ways to bring a tile of 64 lines x 64 bytes in 32B.
function print_stackings(    i, boxes_of, list, name)
{
    split("2 16", boxes_of, " ")
    split("load bf16 16x64 32B,load bf16 16x8 32B", list, ",")
    begin("tma-stackings")
    print "| atoms stacked along | boxes | sectors in all | bytes a request | clk a box, 8 in flight | " \
        "clk in all |"
    print "| --- | --- | --: | --: | --: | --: |"
    for (i = 1; i <= 2; i++) {
        name = list[i]
        printf "| %s | %d x `%s` | %d | %d | %s | %.0f |\n", i == 1 ? "columns" : "rows", \
            boxes_of[i], name, boxes_of[i] * cell[name, "hw_sectors"], \
            32 * cell[name, "hw_l2_sectors"] / cell[name, "hw_requests"], \
            cell[name, "cycles_per_box"], \
            boxes_of[i] * cell[name, "cycles_per_box"]
    }
    end()
}

function print_refused(    i)
{
    begin("tma-refused")
    print "| rule | rows | for example | why |"
    print "| --- | --: | --- | --- |"
    for (i = 1; i <= rule_count; i++)
        printf "| `%s` | %d | `%s` | %s |\n", rules[i], refused[rules[i]], \
            refused_example[rules[i]], refused_reason[rules[i]]
    end()
}
