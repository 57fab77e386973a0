# What does a copy.csv say: which path is as fast as a plain copy, and what do the layout of the tile,
# the boxes, the order of the lanes and the tiles in flight cost it? Blocks of Markdown, behind
# csv.awk, sort.awk and block.awk:
#
#   awk -f csv.awk -f sort.awk -f block.awk -f copy-findings.awk copy.csv
#
# Per cent are of the plain copy of the same run: 16-byte loads, or stores, between global memory and
# registers. A cell without a row in the file is "-".

BEGIN {
    split("L2 DRAM", source_of, " ")
    modes = split("none 32B 64B 128B", mode_of, " ")
    TILE = "64x128B"  # the tables by layout: every K-major layout goes with it, and 128B fills a line
    SAME = 0.01       # part of the rate: rates that are no further apart are as good
    GOAL = 98         # per cent of the plain copy: the best path from DRAM
    ENOUGH = 0.95     # part of the best rate
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
    path = get("path")
    source = get("source")
    add_agreement("sectors", "model_sectors", "hw_sectors")
    add_agreement("requests", "model_requests", "requests")
    add_agreement("wavefronts", "model_wavefronts", "hw_wavefronts")
    add_agreement("instructions", "inst_expected", "inst_executed")
    add_l2_requests("model_l2_requests", "hw_l2_requests")
}

path ~ /^plain-/ {
    plain[path, source] = get("gbytes_per_s") + 0
    plains++
    plains_verified += get("verified") == "yes"
    next
}

{
    add_row()
    add_best()
}

# ---- Rows ---------------------------------------------------------------------------------------

function add_row(    key)
{
    if (!(path in path_seen)) {
        path_seen[path] = 1
        path_of[++paths] = path
        back[path] = path ~ /^back|store/
    }
    if (get("case") ~ / packed /) {
        packed[path, get("tile"), get("layout"), source, get("stages")] = get("pct_of_peak") + 0
        return
    }
    tile = get("tile")
    if (!(tile in tile_seen)) {
        tile_seen[tile] = 1
        tile_of[++tiles] = tile
    }
    key = name_of(path, tile, get("layout"), get("stacking"), get("order"), source, get("stages"))
    rate[key] = get("gbytes_per_s") + 0
    pct[key] = get("pct_of_peak") + 0
    clocks[key] = get("cycles_per_tile") + 0
    one_sm[key] = get("bytes_per_clk_sm") + 0
    boxes[key] = get("instructions")
    run[key] = get("run_bytes")
    sectors[key] = get("model_sectors")
    l2_requests[key] = get("hw_l2_requests") + 0
    wavefronts[key] = get("model_wavefronts")
    in_flight[key] = get("bytes") * get("stages") * get("ctas_per_sm")
    line[key] = get("bytes") / tile
    if (get("order") == "shared" && path ~ /^ld-st/) {
        along_shared++
        without_conflicts += get("model_wavefronts") == get("ideal_wavefronts")
    }
    name_list[++names] = key
}

function add_best(    key)
{
    key = path SUBSEP source
    if ((key in best) && best[key] >= get("pct_of_peak") + 0)
        return
    best[key] = get("pct_of_peak") + 0
    best_rate[key] = get("gbytes_per_s") + 0
    best_case[key] = get("case")
    best_at[key] = get("tile") " " get("layout") (get("case") ~ / packed / ? ", packed" : "") \
        ", " get("stages") (get("stages") == 1 ? " stage" : " stages")
}

# ---- Helpers ------------------------------------------------------------------------------------

function name_of(path, tile, layout, stacking, order, source, stages)
{
    return path SUBSEP tile SUBSEP layout SUBSEP stacking SUBSEP order SUBSEP source SUBSEP stages
}

# The same of four stages, with the tile's atoms along columns where there is a choice.
function of_tile(path, tile, layout, order, source,    key)
{
    key = name_of(path, tile, layout, "col", order, source, 4)
    return (key in rate) ? key : name_of(path, tile, layout, "", order, source, 4)
}

# The same of the tile of the tables.
function in_table(path, layout, order, source)
{
    return of_tile(path, TILE, layout, order, source)
}

function cell(values, key, format)
{
    return (key in values) ? sprintf(format, values[key]) : "-"
}

function note(name, value)
{
    value_of[name, ++value_count[name]] = value
}

# "0.98 to 1.02 (1.00 in the median of 20 pairs)", "1.01 in one pair".
function spread(name,    list, i, n, middle)
{
    n = value_count[name]
    if (!n)
        return "-"
    for (i = 1; i <= n; i++)
        list[i] = value_of[name, i]
    if (n == 1)
        return sprintf("%.2f in one pair", list[1])
    middle = median(list, n)
    return sprintf("%.2f to %.2f (%.2f in the median of %d pairs)", list[1], list[n], middle, n)
}

# ---- Blocks -------------------------------------------------------------------------------------

END {
    if (!rows)
        exit
    print_summary()
    print_checks()
    print_best()
    print_paths()
    print_run()
    print_runs()
    print_order()
    print_order_table()
    print_s15()
    print_boxes()
    print_stages()
    print_stages_table()
    print_async()
    print_back()
}

function print_summary(    path, source, s)
{
    begin("copy")
    printf "- **%d copies, every byte in its place in %s**; sectors are those predicted in %s rows, " \
        "requests in %s, wavefronts in %s.\n", rows - plains, all_of(verified - plains_verified, rows - plains), \
        agreement("sectors"), agreement("requests"), agreement("wavefronts")
    for (s = 2; s >= 1; s--) {
        source = source_of[s]
        path = fastest(source, 0)
        if (path == "")
            continue
        printf "- **From %s: %.1f %% of the plain copy** of the same run, %.0f GB/s, at best (`%s`)", \
            source, best[path, source], best_rate[path, source], best_case[path, source]
        printf "; TMA %s, `cp.async.cg.16` %s, through registers %s at most.\n", \
            cell(best, "tma-load" SUBSEP source, "%.1f %%"), \
            cell(best, "cp.async.cg.16" SUBSEP source, "%.1f %%"), registers_at_most(source)
    }
    end()
}

function registers_at_most(source,    i, most)
{
    for (i = 1; i <= paths; i++)
        if (path_of[i] ~ /^ld-st/ && best[path_of[i], source] > most)
            most = best[path_of[i], source]
    return most == "" ? "-" : sprintf("%.1f %%", most)
}

function print_checks()
{
    begin("copy-checks")
    printf "%s: %d rows ok, %d skipped, %d failed. Every byte where it must be in %s; " \
        "`model_sectors` = `hw_sectors` in %s, `model_requests` = `requests` in %s, " \
        "`model_wavefronts` = `hw_wavefronts` in %s; instructions executed as in the source in %s%s.\n", \
        gpu, status["ok"], status["skipped"], status["failed"], all_of(verified, rows), \
        agreement("sectors"), agreement("requests"), agreement("wavefronts"), \
        agreement("instructions"), \
        judged["L2"] ? "; " l2_agreement("model_l2_requests", "hw_l2_requests") : ""
    end()
}

# The path of loads, or of stores, that is best from this source.
function fastest(source, stores,    i, found)
{
    for (i = 1; i <= paths; i++)
        if (back[path_of[i]] == stores && ((path_of[i], source) in best) && \
            (found == "" || best[path_of[i], source] > best[found, source]))
            found = path_of[i]
    return found
}

# "`tma-load` 100.7 %, `bulk-load` 101.0 %", those that reach the goal or those that do not.
function paths_within(source, stores, within,    i, key, list)
{
    for (i = 1; i <= paths; i++) {
        key = path_of[i] SUBSEP source
        if (back[path_of[i]] == stores && (key in best) && (best[key] >= GOAL) == within)
            list = list (list == "" ? "" : ", ") sprintf("`%s` %.1f %%", path_of[i], best[key])
    }
    return list == "" ? "none" : list
}

function print_best(    s, stores, path, source)
{
    begin("copy-best")
    for (s = 2; s >= 1; s--)
        for (stores = 0; stores <= 1; stores++) {
            source = source_of[s]
            path = fastest(source, stores)
            if (path == "")
                continue
            printf "- **%s %s**: %.0f GB/s at best (`%s`), %.1f %% of the plain copy of the same run. " \
                "Within %d %% of it: %s; not: %s.\n", stores ? "To" : "From", source, \
                best_rate[path, source], best_case[path, source], best[path, source], 100 - GOAL, \
                paths_within(source, stores, 1), paths_within(source, stores, 0)
        }
    end()
}

function best_cell(path, source)
{
    if (!((path, source) in best))
        return "- | - | -"
    return sprintf("%.0f | %.1f %% | %s", best_rate[path, source], best[path, source], \
                   best_at[path, source])
}

function print_paths(    i)
{
    begin("copy-paths")
    print "| path | L2, GB/s | of plain | where | DRAM, GB/s | of plain | where |"
    print "| --- | --: | --: | --- | --: | --: | --- |"
    for (i = 1; i <= paths; i++)
        printf "| `%s` | %s | %s |\n", path_of[i], best_cell(path_of[i], "L2"), \
            best_cell(path_of[i], "DRAM")
    for (i = 1; i <= 2; i++)
        printf "| `plain-%s` | %s | | registers | %s | | registers |\n", i == 1 ? "load" : "store", \
            cell(plain, (i == 1 ? "plain-load" : "plain-store") SUBSEP "L2", "%.0f"), \
            cell(plain, (i == 1 ? "plain-load" : "plain-store") SUBSEP "DRAM", "%.0f")
    end()
}

# ---- Runs of global memory: claims S8 and S9 ----------------------------------------------------

# Of layouts none to 128B, of one path, tile and source: is a longer run never slower?
function add_series(path, tile, order, source,    m, key, before, slower, value, most)
{
    for (m = 1; m <= modes; m++) {
        key = of_tile(path, tile, "K/" mode_of[m], order, source)
        if (!(key in rate))
            return
        value[m] = rate[key]
        slower += m > 1 && value[m] < (1 - SAME) * before
        before = value[m]
        most = value[m] > most ? value[m] : most
    }
    series++
    rising += !slower
    widest_best += value[modes] >= (1 - SAME) * most
}

# "16, 32, 64, 128", from none to 128B: a value of the tile of the tables.
function by_mode(values, path, order, source, format,    m, text)
{
    for (m = 1; m <= modes; m++)
        text = text (m > 1 ? ", " : "") \
            cell(values, in_table(path, "K/" mode_of[m], order, source), format)
    return text
}

function put_run(path, order)
{
    printf "- **Runs of %s bytes**, `%s` of a tile of %s in none, 32B, 64B, 128B: %s sectors, %s %% of the " \
        "plain copy from L2, %s %% from DRAM.\n", by_mode(run, path, order, "L2", "%d"), path, TILE, \
        by_mode(sectors, path, order, "L2", "%d"), by_mode(pct, path, order, "L2", "%.0f"), \
        by_mode(pct, path, order, "DRAM", "%.0f")
}

function print_run(    i, t, s)
{
    for (i = 1; i <= paths; i++)
        for (t = 1; t <= tiles; t++)
            for (s = 1; s <= 2; s++)
                if (path_of[i] ~ /^(ld-st|cp\.async)/)
                    add_series(path_of[i], tile_of[t], "shared", source_of[s])
                else if (path_of[i] == "tma-load")
                    add_series(path_of[i], tile_of[t], "", source_of[s])
    begin("copy-run")
    if (along_shared)
        printf "- **Lanes along shared memory** fill it without a conflict in %s rows of `ld-st` in that " \
            "order, 4, 8 or 16 bytes a lane, whatever the layout. What they read of global memory in a " \
            "row is what the layout keeps together.\n", all_of(without_conflicts, along_shared)
    put_run("ld-st.4", "shared")
    put_run("tma-load", "")
    if (series)
        printf "- **The longer the run, the faster**, or no more than %d %% slower, in %s " \
            "series from none to 128B (by path, tile and source: lanes along shared memory, and TMA); " \
            "128B is best, or within %d %% of it, in %s.\n", 100 * SAME, all_of(rising, series), \
            100 * SAME, all_of(widest_best, series)
    end()
}

# A row of the tables by layout; the rates from both sources.
function put_layout(path, layout, order,    l2, dram)
{
    l2 = in_table(path, layout, order, "L2")
    dram = in_table(path, layout, order, "DRAM")
    if (!(l2 in rate) && !(dram in rate))
        return
    printf "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", path, layout, \
        cell(boxes, l2, "%d"), cell(run, l2, "%d"), cell(sectors, l2, "%d"), \
        cell(l2_requests, l2, "%.0f"), wavefronts[l2] == "" ? "" : wavefronts[l2], \
        cell(rate, l2, "%.0f"), cell(pct, l2, "%.1f"), cell(rate, dram, "%.0f"), \
        cell(pct, dram, "%.1f")
}

function put_layout_head()
{
    printf "Tile of %s, 4 stages:\n\n", TILE
    print "| path | layout | instructions | run, B | sectors | requests to L2 | wavefronts | L2, " \
        "GB/s | % of plain | DRAM, GB/s | % of plain |"
    print "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |"
}

function print_runs(    i, m)
{
    begin("copy-runs")
    put_layout_head()
    for (i = 1; i <= paths; i++) {
        if (back[path_of[i]] || path_of[i] !~ /^(tma|bulk)/)
            continue
        put_layout(path_of[i], "linear", "")
        for (m = 1; m <= modes; m++)
            put_layout(path_of[i], "K/" mode_of[m], "")
    }
    end()
}

# ---- Order of the lanes -------------------------------------------------------------------------

# Along shared memory over along global memory.
function add_orders(    i, parts, other)
{
    for (i = 1; i <= names; i++) {
        split(name_list[i], parts, SUBSEP)
        if (parts[5] != "shared")
            continue
        other = name_of(parts[1], parts[2], parts[3], parts[4], "global", parts[6], parts[7])
        if (other in rate)
            note("order " parts[3] " " parts[6], rate[name_list[i]] / rate[other])
    }
}

function print_order(    m, s)
{
    add_orders()
    begin("copy-order")
    for (m = 1; m <= modes; m++)
        if (value_count["order K/" mode_of[m] " L2"])
            printf "- K/%s, along shared memory over along global memory: %s from L2, %s from DRAM.\n", \
                mode_of[m], spread("order K/" mode_of[m] " L2"), spread("order K/" mode_of[m] " DRAM")
    end()
}

function order_cells(path, layout, order,    l2, dram)
{
    l2 = in_table(path, layout, order, "L2")
    dram = in_table(path, layout, order, "DRAM")
    return sprintf("%s | %s | %s | %s | %s", cell(run, l2, "%d"), cell(sectors, l2, "%d"), \
                   cell(wavefronts, l2, "%d"), cell(pct, l2, "%.1f"), cell(pct, dram, "%.1f"))
}

function print_order_table(    i, m)
{
    begin("copy-order-table")
    printf "Tile of %s, 4 stages:\n\n", TILE
    print "| path | layout | along global memory: run, B | sectors | wavefronts | L2, % of plain | " \
        "DRAM | along shared memory: run, B | sectors | wavefronts | L2, % of plain | DRAM |"
    print "| --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |"
    for (i = 1; i <= paths; i++)
        for (m = 1; m <= modes; m++)
            if (!back[path_of[i]] && in_table(path_of[i], "K/" mode_of[m], "shared", "L2") in rate)
                printf "| `%s` | K/%s | %s | %s |\n", path_of[i], mode_of[m], \
                    order_cells(path_of[i], "K/" mode_of[m], "global"), \
                    order_cells(path_of[i], "K/" mode_of[m], "shared")
    end()
}

# ---- Boxes: claim S15 ---------------------------------------------------------------------------

function s15(path, stacking,    l2, dram)
{
    l2 = name_of(path, "64x64B", "K/32B", stacking, "", "L2", 4)
    dram = name_of(path, "64x64B", "K/32B", stacking, "", "DRAM", 4)
    if (!(l2 in rate) || !(dram in rate))
        return ""
    return sprintf("%d (%d sectors in %.0f requests to L2; %.0f clocks a tile on one SM; %.0f GB/s " \
                   "from L2, %.0f from DRAM)", boxes[l2], sectors[l2], l2_requests[l2], clocks[l2], \
                   rate[l2], rate[dram])
}

# The stacking in which one atom follows the other along a line of the tile, and in which below it.
function along(layout)
{
    return layout ~ /^K/ ? "row" : "col"
}

function below(layout)
{
    return layout ~ /^K/ ? "col" : "row"
}

function add_stackings(    i, parts, other)
{
    for (i = 1; i <= names; i++) {
        split(name_list[i], parts, SUBSEP)
        if (parts[1] != "tma-load" || parts[4] != along(parts[3]) || parts[7] != 4)
            continue
        other = name_of(parts[1], parts[2], parts[3], below(parts[3]), parts[5], parts[6], parts[7])
        if (!(other in rate))
            continue
        note("stacking " parts[6], rate[name_list[i]] / rate[other])
        if (parts[6] == "L2")
            note("stacking clocks", clocks[name_list[i]] / clocks[other])
    }
}

function add_wholes(    i, parts, other, way)
{
    for (i = 1; i <= names; i++) {
        split(name_list[i], parts, SUBSEP)
        if (parts[1] != "tma-load.whole" || parts[4] == "" || parts[7] != 4)
            continue
        other = name_of("tma-load", parts[2], parts[3], parts[4], parts[5], parts[6], parts[7])
        if (!(other in rate))
            continue
        way = parts[4] == along(parts[3]) ? "along" : "below"
        note("whole " way " " parts[6], rate[name_list[i]] / rate[other])
        if (parts[6] == "L2")
            note("whole clocks " way, clocks[name_list[i]] / clocks[other])
    }
}

function print_s15(    row, col, whole)
{
    row = s15("tma-load", "row")
    col = s15("tma-load", "col")
    whole = s15("tma-load.whole", "col")
    if (row == "" || col == "")
        return
    add_stackings()
    add_wholes()
    begin("copy-s15")
    printf "- **A tile of 64 x 64 bytes in 32B**, loaded by TMA. Boxes where the atoms stack along rows: " \
        "%s; along columns: %s%s.\n", row, col, whole == "" ? "" : "; as one box of rank 4: " whole
    printf "- **Atoms along a tile's lines over one below the other** (K-major: along rows over along " \
        "columns; MN-major: the other way round), all tiles and layouts with a choice, 4 stages: clocks " \
        "of one SM %s; GB/s from L2 %s, from DRAM %s.\n", spread("stacking clocks"), \
        spread("stacking L2"), spread("stacking DRAM")
    if (value_count["whole clocks along"])
        printf "- **One box of rank 4 over a box for each atom or span**: of atoms along lines clocks " \
            "%s, GB/s from L2 %s; one below the other clocks %s, GB/s from L2 %s.\n", \
            spread("whole clocks along"), spread("whole along L2"), spread("whole clocks below"), \
            spread("whole below L2")
    end()
}

function box_cell(path, tile, layout, stacking,    l2, dram)
{
    l2 = name_of(path, tile, layout, stacking, "", "L2", 4)
    dram = name_of(path, tile, layout, stacking, "", "DRAM", 4)
    if (!(l2 in rate))
        return "-"
    return sprintf("%d: %.0f clk; %.0f, %s %%", boxes[l2], clocks[l2], pct[l2], \
                   cell(pct, dram, "%.0f"))
}

function print_boxes(    t, m, layout)
{
    begin("copy-boxes")
    print "Boxes: clocks a tile of one CTA alone, from L2; per cent of the plain copy with all SMs, from L2, " \
        "from DRAM. 4 stages.\n"
    print "| tile | layout | atoms along rows | atoms along columns | no choice | rank 4, rows | rank " \
        "4, columns | rank 4, no choice |"
    print "| --- | --- | --: | --: | --: | --: | --: | --: |"
    for (t = 1; t <= tiles; t++)
        for (m = 1; m <= modes; m++) {
            layout = "K/" mode_of[m]
            if (!(name_of("tma-load", tile_of[t], layout, "row", "", "L2", 4) in rate) && \
                !(name_of("tma-load", tile_of[t], layout, "", "", "L2", 4) in rate))
                continue
            printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", tile_of[t], layout, \
                box_cell("tma-load", tile_of[t], layout, "row"), \
                box_cell("tma-load", tile_of[t], layout, "col"), \
                box_cell("tma-load", tile_of[t], layout, ""), \
                box_cell("tma-load.whole", tile_of[t], layout, "row"), \
                box_cell("tma-load.whole", tile_of[t], layout, "col"), \
                box_cell("tma-load.whole", tile_of[t], layout, "")
        }
    end()
}

# ---- Stages -------------------------------------------------------------------------------------

# "99 % at most, and 95 % of that from 64 KiB on": tiles with lines of so many bytes, in the layout of
# that span.
function enough(path, source, bytes,    i, parts, list, count, most, short, from)
{
    for (i = 1; i <= names; i++) {
        split(name_list[i], parts, SUBSEP)
        if (parts[1] != path || parts[6] != source || line[name_list[i]] != bytes || \
            parts[3] != "K/" (bytes == 64 ? "64B" : "128B") || parts[4] == "row" || \
            parts[5] == "shared")
            continue
        list[++count] = name_list[i]
        most = pct[name_list[i]] > most ? pct[name_list[i]] : most
    }
    for (i = 1; i <= count; i++)
        if (pct[list[i]] < ENOUGH * most && in_flight[list[i]] > short)
            short = in_flight[list[i]]
    for (i = 1; i <= count; i++)
        if (in_flight[list[i]] > short && (!from || in_flight[list[i]] < from))
            from = in_flight[list[i]]
    return sprintf("%.0f %% at most, and %d %% of that %s", most, 100 * ENOUGH, \
                   from ? sprintf("from %g KiB on", from / 1024) : "at single depths alone")
}

function has_stages()
{
    return name_of("tma-load", TILE, "K/128B", "", "", "L2", 1) in rate
}

function print_stages(    s, bytes)
{
    if (!has_stages())
        return
    begin("copy-stages")
    printf "- **One CTA on one SM** fills %.1f, %.1f, %.1f and %.1f B/clk from L2 with 1, 2, 3 and 4 " \
        "tiles of %s in K/128B in flight by TMA, and %.1f, %.1f, %.1f and %.1f from DRAM.\n", \
        stage_clk("L2", 1), stage_clk("L2", 2), stage_clk("L2", 3), stage_clk("L2", 4), TILE, \
        stage_clk("DRAM", 1), stage_clk("DRAM", 2), stage_clk("DRAM", 3), stage_clk("DRAM", 4)
    for (s = 1; s <= 2; s++) {
        printf "- **All SMs by TMA from %s**, by bytes in flight on an SM", source_of[s]
        for (bytes = 64; bytes <= 256; bytes *= 2)
            printf "%s lines of %d bytes %s", bytes == 64 ? ":" : ";", bytes, \
                enough("tma-load", source_of[s], bytes)
        print "."
    }
    if (("bulk-load", "64x64B", "linear", "DRAM", 4) in packed)
        printf "- **A tile of 64-byte lines that lies packed**, 4 KiB in a row, comes at %.0f %% from DRAM by " \
            "one bulk copy into the linear layout.\n", packed["bulk-load", "64x64B", "linear", "DRAM", 4]
    end()
}

function stage_clk(source, stages)
{
    return one_sm[name_of("tma-load", TILE, "K/128B", "", "", source, stages)]
}

function stage_cell(path, tile, layout, stages,    l2, dram, order, stacking)
{
    order = path ~ /^tma/ ? "" : "global"
    stacking = tile == "64x256B" ? "col" : ""
    l2 = name_of(path, tile, layout, stacking, order, "L2", stages)
    dram = name_of(path, tile, layout, stacking, order, "DRAM", stages)
    if (!(l2 in rate))
        return "-"
    return sprintf("%.3g: %.0f, %s", in_flight[l2] / 1024, pct[l2], cell(pct, dram, "%.0f"))
}

function print_stages_table(    i, t, layout)
{
    if (!has_stages())
        return
    begin("copy-stages-table")
    print "KiB in flight on an SM (stages x CTAs): per cent of the plain copy from L2, from DRAM.\n"
    print "| path | tile | layout | 1 stage | 2 stages | 3 stages | 4 stages |"
    print "| --- | --- | --- | --: | --: | --: | --: |"
    for (i = 1; i <= paths; i++) {
        if (path_of[i] !~ /^(ld-st\.16|cp\.async\.cg\.16|tma-load)$/)
            continue
        for (t = 1; t <= tiles; t++) {
            layout = tile_of[t] ~ /x64B/ ? "K/64B" : "K/128B"
            printf "| `%s` | %s | %s | %s | %s | %s | %s |\n", path_of[i], tile_of[t], layout, \
                stage_cell(path_of[i], tile_of[t], layout, 1), \
                stage_cell(path_of[i], tile_of[t], layout, 2), \
                stage_cell(path_of[i], tile_of[t], layout, 3), \
                stage_cell(path_of[i], tile_of[t], layout, 4)
        }
    }
    end()
}

# ---- cp.async past L1 and through it ------------------------------------------------------------

function print_async(    i, parts, other, layouts, l, layout)
{
    for (i = 1; i <= names; i++) {
        split(name_list[i], parts, SUBSEP)
        if (parts[1] != "cp.async.cg.16")
            continue
        other = name_of("cp.async.ca.16", parts[2], parts[3], parts[4], parts[5], parts[6], parts[7])
        if (other in rate)
            note("cg " parts[3] " " parts[5] " " parts[6], rate[name_list[i]] / rate[other])
    }
    begin("copy-async")
    print "| layout | lanes along | GB/s of `.cg` over `.ca`, from L2 | from DRAM |"
    print "| --- | --- | --- | --- |"
    layouts = split("linear padded K/none K/32B K/64B K/128B", layout, " ")
    for (l = 1; l <= layouts; l++)
        for (i = 1; i <= 2; i++) {
            other = i == 1 ? "global" : "shared"
            if (value_count["cg " layout[l] " " other " L2"])
                printf "| %s | %s memory | %s | %s |\n", layout[l], other, \
                    spread("cg " layout[l] " " other " L2"), spread("cg " layout[l] " " other " DRAM")
        }
    end()
}

# ---- From shared memory -------------------------------------------------------------------------

function print_back(    i, m)
{
    begin("copy-back")
    put_layout_head()
    for (i = 1; i <= paths; i++) {
        if (!back[path_of[i]])
            continue
        put_layout(path_of[i], "linear", path_of[i] ~ /^back/ ? "global" : "")
        for (m = 1; m <= modes; m++)
            put_layout(path_of[i], "K/" mode_of[m], path_of[i] ~ /^back/ ? "global" : "")
    }
    end()
}
