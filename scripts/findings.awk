# What does a shared.csv say, in sentences and tables?
#
#   awk -f csv.awk -f sort.awk -f block.awk -f findings.awk shared.csv
#
# A sentence that claims something of all rows counts the rows for which it holds, so that it stays
# true when they change.

BEGIN {
    EXAMPLE = "st.shared.b32 linear 64x64x16b fragment"
    TILE = "64x64"
    widths = split("ld.shared.b32 ld.shared.b64 ld.shared.b128 st.shared.b32 st.shared.b64 " \
                   "st.shared.b128 ldmatrix.x1 ldmatrix.x2 ldmatrix.x4 stmatrix.x1 stmatrix.x2 " \
                   "stmatrix.x4", form_order, " ")
    layouts = split("linear padded K/none K/32B K/64B K/128B K/128B-atom32B K/128B-atom64B " \
                    "K/4B-atom", layout_order, " ")
    accesses = split("ldmatrix.x4 stmatrix.x4 block,ld.shared.b32 st.shared.b32 rows," \
                     "ld.shared.b64 st.shared.b64 rows,ld.shared.b128 st.shared.b128 rows," \
                     "ld.shared.b32 st.shared.b32 columns,ld.shared.b64 st.shared.b64 columns," \
                     "ld.shared.b128 st.shared.b128 columns,ld.shared.b32 st.shared.b32 fragment", \
                     access_order, ",")
    copies = split("cp.async.4 ca,cp.async.8 ca,cp.async.16 ca,cp.async.16 cg", copy_order, ",")
}

# ---- Rows ---------------------------------------------------------------------------------------

{
    status[get("status")]++
    if (get("case") == EXAMPLE)
        for (name in csv_column)
            example[name] = get(name)
}

get("status") != "ok" {
    next
}

{
    verified += get("verified") == "yes"
    executed += get("inst_executed") == get("inst_expected")
    throttled += get("throttled_samples") + 0 > 0
    note("clock", get("sm_clock_mhz"))
    instruction = get("instruction")
    busy = get("bytes_per_clk_sm")
}

{
    wavefronts = get("model_wavefronts") + 0
    modelled++
    agree += get("model_wavefronts") == get("hw_wavefronts") && \
             get("model_conflicts") == get("hw_conflicts")
}

get("cache") != "" {
    key = instruction " " get("cache")
    note("copy " key, busy)
    sector_rows++
    sectors_equal += get("model_sectors") == get("hw_sectors")
    if (get("cache") == "ca")
        add_through_l1()
    if (get("cache") == "cg" && get("hw_sectors") + 0 > 16)
        add_resent()
    next
}

{
    note("busy", get("cycles_per_wavefront"))
    note("other", get("hw_other_wavefronts"))
    if (wavefronts >= 8)
        note("alone", get("one_warp_cycles_per_wavefront"))
    note("issue", get("one_warp_cycles"))
    plain = instruction
    sub(/\.trans$/, "", plain)
    if (get("model_conflicts") == 0)
        note("free " plain, busy)
    if (get("access") == "ladder")
        add_ladder()
    else
        add_tiled()
}

# cp.async past L1 that asks for more sectors than its bytes fill: "none 32 for 16".
function add_resent(    text)
{
    text = sprintf("%s %s for 16", get("swizzle"), get("hw_sectors"))
    if (text in resent_seen)
        return
    resent_seen[text] = 1
    resent = resent (resent == "" ? "" : ", ") text
}

# cp.async through L1, whose own counter can say more than the total of shared memory.
function add_through_l1(    ratio)
{
    ratio = get("throughput_cycles") / get("hw_wavefronts")
    note("clocks over total", get("throughput_cycles") / get("hw_total_wavefronts"))
    if (get("hw_wavefronts") - get("hw_total_wavefronts") < 0.5)
        return
    below_own++
    if (!((get("swizzle")) in below_seen))
        below_layouts = below_layouts (below_layouts == "" ? "" : ", ") get("swizzle")
    below_seen[get("swizzle")]
    if (lowest_ratio == 0 || ratio < lowest_ratio) {
        lowest_ratio = ratio
        lowest_copy = sprintf("`%s`: %d counted as its own, %.2f in all, %.2f clocks", \
                              get("case"), get("hw_wavefronts"), get("hw_total_wavefronts"), \
                              get("throughput_cycles"))
    }
}

function add_ladder()
{
    note("ladder", get("cycles_per_wavefront"))
    alone[instruction, wavefronts] = get("one_warp_cycles")
    if (!((instruction, "first") in ladder)) {
        ladder[instruction, "first"] = wavefronts
        ladder[instruction, "latency"] = get("latency_cycles")
        ladder[instruction, "alone"] = get("one_warp_cycles")
    }
    if (wavefronts == 8) {
        ladder[instruction, "eight"] = wavefronts
        ladder[instruction, "alone at eight"] = get("one_warp_cycles")
    }
    ladder[instruction, "last"] = wavefronts
    ladder[instruction, "last latency"] = get("latency_cycles")
    ladder[instruction, "last alone"] = get("one_warp_cycles")
    ladders[instruction] = 1
}

function add_tiled(    key, twin, sides, stack)
{
    stack = get("stack")
    key = instruction " " get("access") " " get("layout") " " get("tile") " " get("elem_bits")
    all_ways[key, stack] = wavefronts / get("ideal_wavefronts")
    if (get("major") == "K") {
        split(get("tile"), sides, "x")
        twin = instruction " " get("access") " MN/" get("swizzle") " " sides[2] "x" sides[1] " " \
               get("elem_bits")
        twin_of[key, stack] = twin SUBSEP (stack == "row" ? "col" : stack == "col" ? "row" : "")
    }
    if (key in way)
        return # stacked the other way; the tables show the first
    way[key] = wavefronts / get("ideal_wavefronts")
    rate[key] = busy
    latency[key] = get("latency_cycles")
}

# Keeps every value of a quantity, for least, median and most.
function note(name, value)
{
    value_of[name, ++value_count[name]] = value + 0
}

function median_of(name,    list, n, i, median_value)
{
    n = value_count[name]
    for (i = 1; i <= n; i++)
        list[i] = value_of[name, i]
    median_value = median(list, n)
    for (i = 1; i <= n; i++)
        value_of[name, i] = list[i]
    return median_value
}

# Of a quantity whose median was asked for, and which so is sorted.
function least_of(name)
{
    return value_of[name, 1]
}

function most_of(name)
{
    return value_of[name, value_count[name]]
}

# ---- Blocks -------------------------------------------------------------------------------------

END {
    begin("summary")
    printf "%s, %d SMs, driver %s, %s; `shared`: %d rows measured, %d skipped, %d failed%s.\n", meta["gpu"], \
        meta["sm_count"], meta["driver"], substr(meta["date"], 1, 10), status["ok"], \
        status["skipped"], status["failed"], \
        meta["command"] ~ / --full/ ? " (the whole space, as `make bench-full` measures it)" : ""
    end()
    print_row()
    print_checks()
    print_wavefronts()
    print_instructions()
    print_layouts()
    print_paths()
    print_copies()
}

function print_row()
{
    begin("row")
    print "| column | value | what it says |"
    print "| --- | --- | --- |"
    field("case", "the instruction, the layout, the tile (64 x 64 elements of 16 bits), and how " \
          "the lanes share it out; unique in the file and the same on every GPU")
    field("status", "measured; else `refused`, `skipped` or `failed`, and `reason` says why")
    field("verified", "every byte of shared memory was as expected after the timed kernel ran")
    field("access", "as an epilogue stores the accumulators of `m16n8`: lane 4g+t holds two " \
          "neighbours of row g")
    field("positions", "places of the instruction in the tile; all of them were visited")
    field("model_wavefronts", "passes through the 32 banks that the model predicts for an " \
          "instruction")
    field("hw_wavefronts", "the same, counted by the hardware")
    field("ideal_wavefronts", "what no layout goes below: so this one is an " \
          example["model_wavefronts"] / example["ideal_wavefronts"] "-way conflict")
    field("model_conflicts", "predicted: wavefronts less the ideal")
    field("hw_conflicts", "counted")
    field("hw_other_wavefronts", "what else shared memory did in the meantime, an instruction: " \
          "noise")
    field("inst_expected", "instructions in the counted launch, from the source")
    field("inst_executed", "counted: the compiler has merged and dropped none")
    field("latency_cycles", "clocks until a one-word load behind the store comes back, one warp, " \
          "one at a time")
    field("one_warp_cycles", "clocks an instruction of one warp alone, back to back")
    field("throughput_cycles", "clocks an instruction with 32 warps on every SM")
    field("cycles_per_wavefront", "and so a wavefront")
    field("bytes_per_clk_sm", "bytes of all lanes over `throughput_cycles`")
    field("pct_of_peak", "of 128 B/clk/SM")
    end()
}

function field(name, meaning)
{
    printf "| `%s` | %s | %s |\n", name, example[name], meaning
}

function print_checks()
{
    begin("checks")
    printf "- **Model and counter agree** in %s rows: wavefronts and conflicts, to the last one.\n", \
        all_of(agree, modelled)
    printf "- **Verified** byte for byte: %s measured rows. Instructions executed are the " \
        "instructions of the source in %s.\n", all_of(verified, status["ok"]), \
        all_of(executed, status["ok"])
    median_of("other")
    median_of("clock")
    printf "- What shared memory did besides the instruction measured is at most %.4f wavefront " \
        "an instruction.\n", most_of("other")
    printf "- The SM clock was %d to %d MHz; rows with a sample taken while the card throttled: " \
        "%d.\n", least_of("clock"), most_of("clock"), throttled
    end()
}

# Clocks that each further wavefront adds, over the ladders that have both ends.
function print_wavefronts(    name, first)
{
    for (name in ladders) {
        if (ladder[name, "last"] > ladder[name, "first"])
            note("latency slope", (ladder[name, "last latency"] - ladder[name, "latency"]) / \
                 (ladder[name, "last"] - ladder[name, "first"]))
        if ((name, "eight") in ladder && ladder[name, "last"] > 8)
            note("alone slope", (ladder[name, "last alone"] - ladder[name, "alone at eight"]) / \
                 (ladder[name, "last"] - 8))
    }
    begin("wavefronts")
    printf "- **Busy SM: %.3f clock a wavefront**", median_of("busy")
    printf " (%.4f to %.4f in %d rows, the ladders from 1 to 32 wavefronts %.4f to %.4f), " \
        "whichever the instruction and however bad the conflict.\n", least_of("busy"), \
        most_of("busy"), modelled - sector_rows, sorted_least("ladder"), most_of("ladder")
    printf "- **One warp alone: %.2f clocks a wavefront** more from 8 wavefronts on (%.3f to " \
        "%.3f), and never less than %.2f clocks an instruction.", median_of("alone slope"), \
        least_of("alone slope"), most_of("alone slope"), \
        int(sorted_least("issue") * 100) / 100
    printf " Below that part of a conflict hides behind the issue: at 1, 2 and 4 wavefronts " \
        "`ld.shared.b32` takes %s clocks and `st.shared.b32` %s.\n", \
        alone_text("ld.shared.b32"), alone_text("st.shared.b32")
    printf "- **Latency: %.2f clocks a wavefront** more (%.2f to %.2f) on top of what the table " \
        "below shows.\n", median_of("latency slope"), least_of("latency slope"), \
        most_of("latency slope")
    end()
}

# "4.27, 4.31 and 8.25": one warp alone, by wavefronts.
function alone_text(name)
{
    return sprintf("%.2f, %.2f and %.2f", alone[name, 1], alone[name, 2], alone[name, 4])
}

function sorted_least(name)
{
    median_of(name)
    return least_of(name)
}

function print_instructions(    i, name, below, bytes)
{
    begin("instructions")
    print "| without conflicts | bytes | wavefronts | busy SM, B/clk | lowest | of rows | " \
        "one warp, clk | one warp, B/clk | latency, clk |"
    print "| --- | --: | --: | --: | --: | --: | --: | --: | --: |"
    for (i = 1; i <= widths; i++) {
        name = form_order[i]
        if (!(("free " name) in value_count))
            continue
        bytes = 128 * ladder[name, "first"]
        printf "| `%s`%s | %d | %d | %.2f | %.2f | %d | %.2f | %.1f | %.1f |\n", name, \
            (name ".trans") in ladders ? ", `.trans`" : "", bytes, ladder[name, "first"], \
            median_of("free " name), least_of("free " name), value_count["free " name], \
            ladder[name, "alone"], bytes / ladder[name, "alone"], ladder[name, "latency"]
        if (least_of("free " name) < 127.9)
            below = below (below == "" ? "" : ", ") sprintf("`%s` %.2f to %.2f", name, \
                    least_of("free " name), most_of("free " name))
    }
    if (below != "")
        printf "\nForms with a row below 127.9 B/clk: %s.\n", below
    end()
}

# "1", "8", "1.5"; "" where the layout does not take the access.
function way_text(key)
{
    return key in way ? sprintf("%.3g", way[key]) : ""
}

function layout_line(name, access,    j, line, text)
{
    for (j = 1; j <= layouts; j++) {
        text = way_text(name " " access " " layout_order[j] " " TILE " 16")
        line = line " " (text == "1" ? "1" : text == "" ? "" : "**" text "**") " |"
    }
    return line
}

function print_layouts(    i, j, words, line, key, plain, pairs, same, forms, same_forms)
{
    begin("layouts")
    printf "| 16-bit tile of %s: wavefronts over the ideal |", TILE
    for (j = 1; j <= layouts; j++)
        printf " %s |", layout_order[j]
    printf "\n| --- |"
    for (j = 1; j <= layouts; j++)
        printf " --: |"
    print ""
    for (i = 1; i <= accesses; i++) {
        split(access_order[i], words, " ")
        line = layout_line(words[1], words[3])
        if (line == layout_line(words[2], words[3])) {
            printf "| %s: `%s`, `%s` |%s\n", words[3], words[1], words[2], line
        } else {
            printf "| %s: `%s` |%s\n", words[3], words[1], line
            printf "| %s: `%s` |%s\n", words[3], words[2], layout_line(words[2], words[3])
        }
    }
    for (key in twin_of)
        if (twin_of[key] in all_ways) {
            pairs++
            same += all_ways[key] == all_ways[twin_of[key]]
        }
    for (key in all_ways) {
        plain = key
        if (sub(/\.trans /, " ", plain) && plain in all_ways) {
            forms++
            same_forms += all_ways[key] == all_ways[plain]
        }
    }
    printf "\nAn MN-major layout costs the wavefronts of its K-major twin in %s cases that have " \
        "both, and `.trans` those of the plain form in %s.\n", all_of(same, pairs), \
        all_of(same_forms, forms)
    end()
}

# "8 wavefronts, 16.00 B/clk/SM" of one tiled case.
function cost_text(instruction, access, layout, tile, bits,    key)
{
    key = instruction " " access " " layout " " tile " " bits
    return sprintf("%.3g-way, %.2f B/clk/SM", way[key], rate[key])
}

function print_paths(    widths_text, i, tiles, line_bytes, key)
{
    split("64x16 64x32 64x64 32x128", tiles, " ")
    split("32 64 128 256", line_bytes, " ")
    for (i = 1; i <= 4; i++) {
        key = "ldmatrix.x4 block linear " tiles[i] " 16"
        widths_text = widths_text (i == 1 ? "" : i == 4 ? " and " : ", ") way_text(key) \
                      "-way at " line_bytes[i]
    }
    begin("paths")
    printf "- **Operand reads.** `ldmatrix.x4` of a linear tile: %s bytes a line. Padded by 16 " \
        "bytes a line: %s; in K/128B: %s.\n", widths_text, \
        cost_text("ldmatrix.x4", "block", "padded", TILE, 16), \
        cost_text("ldmatrix.x4", "block", "K/128B", TILE, 16)
    printf "- **Filling a tile of 128-byte lines row by row**, 16 bytes a lane: K/none %s; " \
        "K/32B %s; K/64B %s; K/128B %s.\n", \
        cost_text("st.shared.b128", "rows", "K/none", TILE, 16), \
        cost_text("st.shared.b128", "rows", "K/32B", TILE, 16), \
        cost_text("st.shared.b128", "rows", "K/64B", TILE, 16), \
        cost_text("st.shared.b128", "rows", "K/128B", TILE, 16)
    printf "- **Epilogue, 16-bit** (`st.shared.b32` of two neighbours): linear %s; K/128B %s; " \
        "padded %s. Latency %.0f clocks against %.0f.\n", \
        cost_text("st.shared.b32", "fragment", "linear", TILE, 16), \
        cost_text("st.shared.b32", "fragment", "K/128B", TILE, 16), \
        cost_text("st.shared.b32", "fragment", "padded", TILE, 16), \
        latency["st.shared.b32 fragment linear " TILE " 16"], \
        latency["st.shared.b32 fragment K/128B " TILE " 16"]
    printf "- **Epilogue, 32-bit** (`st.shared.b64` of two floats): linear %s; padded and K/128B " \
        "%s and %s; K/32B %s; K/128B-atom32B %s.\n", \
        cost_text("st.shared.b64", "fragment", "linear", "32x64", 32), \
        cost_text("st.shared.b64", "fragment", "padded", "32x64", 32), \
        cost_text("st.shared.b64", "fragment", "K/128B", "32x64", 32), \
        cost_text("st.shared.b64", "fragment", "K/32B", "32x64", 32), \
        cost_text("st.shared.b64", "fragment", "K/128B-atom32B", "32x64", 32)
    printf "- **Columns**, 4 bytes a lane, as a transpose reads them: linear %s; padded %s; " \
        "K/128B %s; K/4B-atom %s.\n", \
        cost_text("ld.shared.b32", "columns", "linear", TILE, 16), \
        cost_text("ld.shared.b32", "columns", "padded", TILE, 16), \
        cost_text("ld.shared.b32", "columns", "K/128B", TILE, 16), \
        cost_text("ld.shared.b32", "columns", "K/4B-atom", TILE, 16)
    end()
}

function print_copies(    i, words, text)
{
    for (i = 1; i <= copies; i++) {
        split(copy_order[i], words, " ")
        if (!(("copy " copy_order[i]) in value_count))
            continue
        median_of("copy " copy_order[i])
        text = text (text == "" ? "" : "; ") sprintf("`%s` (.%s) %.1f to %.1f", words[1], \
               words[2], least_of("copy " copy_order[i]), most_of("copy " copy_order[i]))
    }
    begin("cp.async")
    printf "- B/clk/SM from L1 or L2 into shared memory, worst to best layout: %s.\n", text
    printf "- The 32-byte sectors that it asks for are those predicted, in %s rows.", \
        all_of(sectors_equal, sector_rows)
    if (resent != "")
        printf " Past L1 (.cg) they can be more than the bytes fill: by layout, %s.", resent
    print ""
    median_of("clocks over total")
    printf "- Through L1 (.ca) the clocks are at least %.3f of the *total* of shared memory's " \
        "wavefronts, in all %d rows. The instruction's own counter, which is what the model " \
        "predicts, is no such bound", least_of("clocks over total"), \
        value_count["clocks over total"]
    printf below_own ? ": in %d rows, by layout %s, it says more than the total (%s).\n" : ".\n", \
        below_own, below_layouts, lowest_copy
    end()
}
