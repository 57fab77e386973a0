# What do the two plots of the family copy draw, and what do their titles say?
#
#   awk -v work=FOLDER -f csv.awk -f sort.awk -f plot.awk -f copy.awk copy.csv
#
# Writes paths.dat, inflight.dat and vars.gp (titles, names and counts, for copy.gp) to the folder.
# A plot that has no data gets a count of zero and a line on stderr.

BEGIN {
    TILE = "64x128B"  # every K-major layout goes with it, and 128B fills a line
    GAP = 0.4         # rows between loads and stores
    layouts = numbered("linear padded K/none K/32B K/64B K/128B", layout_of, layout_number)
    paths = numbered("ld-st.4 ld-st.8 ld-st.16 cp.async.ca.4 cp.async.ca.8 cp.async.ca.16 " \
                     "cp.async.cg.16 bulk-load tma-load tma-load.whole back.4 back.8 back.16 " \
                     "bulk-store tma-store tma-store.whole", path_of, path_number)
    panels = numbered("L2 DRAM", panel_of, panel_number)
    series = numbered("ld-st.16 cp.async.cg.16 tma-load", series_of, series_number)
}

get("status") == "failed" {
    failed++
}

get("status") != "ok" || get("gbytes_per_s") == "" || get("layout") == "" || \
get("case") ~ / packed / {
    next
}

get("tile") == TILE && get("stages") == 4 && (get("path") in path_number) && \
(get("layout") in layout_number) {
    add_cell()
}

(get("path") in series_number) {
    add_depth()
}

# ---- A row of the file --------------------------------------------------------------------------

# The better order and the better stacking.
function add_cell(    key)
{
    key = panel_number[get("source")] SUBSEP path_number[get("path")] SUBSEP \
        layout_number[get("layout")]
    if (!(key in best) || get("pct_of_peak") + 0 > best[key])
        best[key] = get("pct_of_peak") + 0
    cells++
}

# Tiles in the layout whose span is a line of theirs, or the widest.
function add_depth(    bytes_a_line)
{
    bytes_a_line = get("tile")
    sub(/.*x/, "", bytes_a_line)
    bytes_a_line += 0
    if (get("layout") != (bytes_a_line == 64 ? "K/64B" : "K/128B") || get("stacking") == "row" || \
        get("order") == "shared")
        return
    depth[panel_number[get("source")], series_number[get("path")], ++depths] = \
        sprintf("%g %d %.2f", get("bytes") * get("stages") * get("ctas_per_sm") / 1024, \
                bytes_a_line, get("gbytes_per_s") / 1000)
    if (get("pct_of_peak") + 0 > most[get("source"), bytes_a_line] + 0)
        most[get("source"), bytes_a_line] = get("pct_of_peak") + 0
    peak[panel_number[get("source")]] = get("peak_gbytes_per_s") / 1000
}

# ---- Titles and files ---------------------------------------------------------------------------

END {
    set_source(failed)
    set_number("cells", cells + 0)
    set_number("depths", depths + 0)
    if (cells)
        end_paths()
    else
        skip("paths and layouts", "measured tiles of " TILE)
    if (depths)
        end_depths()
    else
        skip("bytes in flight", "measured paths in K/64B or K/128B")
}

# The best of loads in a layout.
function best_load(panel, layout,    p, key, most)
{
    for (p = 1; p <= paths && path_of[p] !~ /^back/; p++) {
        key = panel SUBSEP p SUBSEP layout_number[layout]
        if ((key in best) && best[key] > most)
            most = best[key]
    }
    return most
}

# Paths that have no row leave no line.
function end_paths(    panel, p, l, key, row, rows)
{
    for (p = 1; p <= paths; p++) {
        row = 0
        for (panel = 1; panel <= panels; panel++)
            for (l = 1; l <= layouts; l++) {
                key = panel SUBSEP p SUBSEP l
                if (!(key in best))
                    continue
                if (!row) {
                    row = ++rows
                    if (path_of[p] ~ /^back/ && !stores_from)
                        stores_from = row
                    set_text("path_" row, path_of[p])
                    set_number("path_at_" row, row + GAP * (stores_from > 0))
                }
                printf "%d %d %.1f %.2f\n", panel, l, row + GAP * (stores_from > 0), best[key] \
                    > (work "/paths.dat")
            }
    }
    set_number("path_rows", rows)
    for (l = 1; l <= layouts; l++)
        set_text("layout_" l, layout_of[l])
    set_text("paths_title", sprintf("Into 128B a tile loads at up to %.0f %% of a plain copy from L2, " \
                                    "%.0f %% from DRAM; into none at %.0f and %.0f %%", \
                                    best_load(1, "K/128B"), best_load(2, "K/128B"), \
                                    best_load(1, "K/none"), best_load(2, "K/none")))
    set_text("paths_what", "Per cent of the best plain copy of the same run, tile of 64 lines of 128 " \
             "bytes, 4 stages, all SMs; the better order of lanes and stacking of atoms; stores below")
}

function end_depths(    panel, s, d)
{
    for (panel = 1; panel <= panels; panel++)
        for (s = 1; s <= series; s++) {
            for (d = 1; d <= depths; d++)
                if ((panel SUBSEP s SUBSEP d) in depth)
                    print depth[panel, s, d] > (work "/inflight.dat")
            print "? ? ?" > (work "/inflight.dat")
            printf "\n\n" > (work "/inflight.dat")
        }
    for (panel = 1; panel <= panels; panel++)
        set_number("peak_" panel, peak[panel])
    for (s = 1; s <= series; s++)
        set_text("series_" s, series_of[s])
    set_text("depth_title", sprintf("Lines of 64, 128, 256 bytes: up to %.0f, %.0f, %.0f %% of a plain " \
                                    "copy from L2, %.0f, %.0f, %.0f %% from DRAM", \
                                    most["L2", 64], most["L2", 128], most["L2", 256], \
                                    most["DRAM", 64], most["DRAM", 128], most["DRAM", 256]))
    set_text("depth_what", "All SMs, 1 to 4 stages, tiles of 8 to 128 lines in K/64B (lines of 64 " \
             "bytes) or K/128B; dashed: the best plain copy of the same run")
}
