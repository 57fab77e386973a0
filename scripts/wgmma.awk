# What do the two plots of the family wgmma draw, and what do their titles say?
#
#   awk -v work=FOLDER -f csv.awk -f sort.awk -f plot.awk -f wgmma.awk wgmma.csv
#
# Writes rate.dat, layouts.dat and vars.gp (titles, names and counts, for wgmma.gp) to the folder. A
# plot that has no data gets a count of zero and a line on stderr.

BEGIN {
    layouts = numbered("K/none K/32B K/64B K/128B MN/none MN/32B MN/64B MN/128B", layout_of, layout_number)
    layout_number["registers"] = layouts + 1
    # Bounded by the operands, at the edge, bounded by the tensor core.
    panels = split("8 64 256", panel_n, " ")
    split("shared registers", source_of, " ")
}

get("status") == "failed" {
    failed++
}

get("status") != "ok" || get("cycles_per_mma") == "" || get("wrong") != "" {
    next
}

{
    add_rate()
}

get("dtype") == "bf16" && get("stack") == "col" && get("case") !~ /-at-/ {
    add_pair()
}

# ---- A row of the file --------------------------------------------------------------------------

# By K of an instruction, which is 32 bytes of any type.
function add_rate(    k, key, off)
{
    k = get("k") + 0
    key = k SUBSEP get("a_source") SUBSEP get("n")
    sum[key] += get("flop_per_clk_sm")
    count[key]++
    bound[key] = get("flop_per_clk_sm") * get("cycles_over_model")
    if (!(k in types))
        k_list[++k_count] = k
    if (index(" " types[k] ",", " " get("dtype") ",") == 0)
        types[k] = types[k] (types[k] == "" ? "" : ", ") get("dtype")
    if (!(get("n") in n_seen)) {
        n_seen[get("n")] = 1
        n_list[++n_count] = get("n") + 0
    }
    off = get("cycles_over_model") - 1
    if (off < 0)
        off = -off
    if (off > worst)
        worst = off
    rows++
    if (get("a_source") != "shared" || get("pct_of_peak") + 0 < 99.9)
        return
    if (!full_n || get("n") + 0 < full_n)
        full_n = get("n") + 0
}

function add_pair(    p, a, value)
{
    for (p = 1; p <= panels && get("n") != panel_n[p]; p++)
        continue
    if (p > panels)
        return
    value = get("cycles_per_mma") + 0
    a = get("a_source") == "shared" ? get("a_layout") : "registers"
    printf "%d %d %d %.2f %.2f\n", p, layout_number[get("b_layout")], layout_number[a], value, \
        get("pct_of_peak") > (work "/layouts.dat")
    cells++
    if (a == "registers")
        return
    pairs[p]++
    if (!(p in least) || value < least[p])
        least[p] = value
    if (value > most[p] + 0)
        most[p] = value
}

# ---- Titles and files ---------------------------------------------------------------------------

END {
    set_source(failed)
    set_number("rate_points", rows + 0)
    set_number("layout_cells", cells + 0)
    if (rows)
        end_rate()
    else
        skip("FLOP per clock", "measured products")
    if (cells)
        end_layouts()
    else
        skip("layouts", "measured products of bf16 at N = 8, 64 or 256")
}

# A block for each K and source, in the order of the legend.
function end_rate(    i, s, j, key)
{
    sort(k_list, k_count)
    sort(n_list, n_count)
    for (i = 1; i <= k_count; i++) {
        for (s = 1; s <= 2; s++) {
            for (j = 1; j <= n_count; j++) {
                key = k_list[i] SUBSEP source_of[s] SUBSEP n_list[j]
                if (key in sum)
                    printf "%d %.2f %.2f\n", n_list[j], sum[key] / count[key], bound[key] \
                        > (work "/rate.dat")
            }
            printf "\n\n" > (work "/rate.dat")
        }
        set_text("rate_name_" i, types[k_list[i]])
        set_number("rate_peak_" i, 2 * 64 * 2 * k_list[i])
    }
    set_number("rate_series", k_count)
    set_text("rate_title", full_n ? \
        sprintf("A wgmma reaches the peak of its type from N = %d on; below, A from registers is " \
                "faster", full_n) : "No wgmma reaches the peak of its type")
    set_text("rate_range", sprintf("A mark is the mean over all layouts of these types; of %d rows " \
                                   "the one farthest from the model is %.2f %% off", rows, \
                                   100 * worst))
}

function end_layouts(    p, spread, clocks, all, text)
{
    for (p = 1; p <= panels; p++) {
        if (!pairs[p])
            continue
        spread = most[p] / least[p] - 1
        if (spread > widest)
            widest = spread
        clocks = clocks (clocks == "" ? "" : ", ") sprintf("%.0f", (most[p] + least[p]) / 2)
        text = text (text == "" ? "" : ", ") panel_n[p]
        all = pairs[p]
    }
    for (p = 1; p <= panels; p++)
        set_number("panel_n_" p, panel_n[p])
    for (p = 1; p <= layouts; p++)
        set_text("layout_" p, layout_of[p])
    set_text("layouts_title", widest < 0.005 ? \
        sprintf("All %d pairs of layouts cost the same: %s clocks at N = %s", all, clocks, text) : \
        sprintf("Layouts differ by up to %.1f %% at the same N", 100 * widest))
    set_text("layouts_range", sprintf("Clocks a wgmma of bf16, the darker the nearer to the peak; " \
                                      "pairs in shared memory are %.2f %% apart at most", \
                                      100 * widest))
}
