# What do the three plots of the family shared draw, and what do their titles say?
#
#   awk -v work=FOLDER -f csv.awk -f sort.awk -f plot.awk -f shared.awk shared.csv
#
# Writes cost.dat, layouts.dat, peak.dat and vars.gp (titles and counts, for shared.gp) to the
# folder. A plot that has no data gets a count of zero and a line on stderr.

BEGIN {
    # Below this many wavefronts the issue rate of one warp hides what a wavefront costs it.
    SLOPE_FROM = 8
    accesses = split("subtile block rows columns fragment", access_order, " ")
    shape["subtile"] = "8 x 16 B sub-tiles"
    shape["block"] = "16 x 32 B blocks"
    shape["rows"] = "along the rows"
    shape["columns"] = "down the columns"
    shape["fragment"] = "m16n8 accumulators"
    # Those that shared.gp draws; another is number 0, and left out.
    numbered("ld.shared st.shared ldmatrix stmatrix cp.async", kinds, kind_number)

    paths = split("ldmatrix.x4 block,stmatrix.x4 block,st.shared.b128 rows," \
                  "ld.shared.b32 columns,st.shared.b32 fragment", path_list, ",")
}

get("status") == "failed" {
    failed++
}

get("status") != "ok" {
    next
}

# ---- A row of the file --------------------------------------------------------------------------

{
    instruction = get("instruction")
    kind = instruction
    sub(/\.x[124].*|\.b[0-9]+$|\.[0-9]+$/, "", kind)
    wavefronts = get("hw_wavefronts") != "" ? get("hw_wavefronts") : get("model_wavefronts")
    if (wavefronts == "" || wavefronts + 0 <= 0)
        next
    wavefronts += 0
    add_cost()
    if (get("elem_bits") + 0 == 16 && get("access") != "ladder" && get("layout") != "") {
        if (tile == "")
            tile = get("tile")
        if (get("tile") != tile)
            next
        if (get("cache") == "cg")
            sub(/async/, "async.cg", instruction)
        add_layout()
        add_ratio()
        add_peak()
    }
}

function add_cost(    busy, alone, key)
{
    busy = get("throughput_cycles")
    alone = get("one_warp_cycles")
    if (busy == "" && alone == "")
        return
    if (kind != "cp.async") {
        if (busy != "")
            busy_cost[++busy_rows] = busy / wavefronts
        if (alone != "") {
            if (wavefronts >= SLOPE_FROM)
                add_to_slope(instruction, wavefronts, alone)
            if (alone / wavefronts > alone_most)
                alone_most = alone / wavefronts
        }
    }
    # Points that fall on one another at the plot's resolution are drawn once.
    key = sprintf("%d %.3g %s %s", kind_number[kind], wavefronts,
                  busy == "" ? "?" : sprintf("%.3g", busy),
                  alone == "" ? "?" : sprintf("%.2g", alone))
    if (key in cost_seen)
        return
    cost_seen[key] = 1
    cost_points++
    if (wavefronts > cost_most)
        cost_most = wavefronts
    print kind_number[kind] + 0, wavefronts, busy == "" ? "?" : busy, alone == "" ? "?" : alone \
        > (work "/cost.dat")
}

# Sums for a least-squares line through (wavefronts, clocks) of each instruction.
function add_to_slope(name, x, y)
{
    slope_n[name]++
    slope_x[name] += x
    slope_y[name] += y
    slope_xx[name] += x * x
    slope_xy[name] += x * y
}

function add_layout(    name)
{
    name = get("layout")
    if (name in layout_number)
        return
    layout_number[name] = ++layouts
    layout_name[layouts] = name
    layout_group[layouts] = name ~ /^K\// ? 2 : name ~ /^MN\// ? 3 : 1
    layout_swizzle[layouts] = get("swizzle") != "" ? get("swizzle") : name
    layout_canonical[layouts] = name ~ /^(K|MN)\/(none|32B|64B|128B)$/
}

# .trans changes nothing in wavefronts, so that both forms share a cell; the dearer one counts.
function add_ratio(    plain, row, ratio)
{
    if (get("ideal_wavefronts") == "")
        return
    plain = instruction
    sub(/\.trans$/, "", plain)
    row = get("access") " " plain
    if (!(row in row_seen)) {
        row_seen[row] = 1
        row_name[++rows] = row
    }
    ratio = wavefronts / get("ideal_wavefronts")
    if (!((row, get("layout")) in cell) || cell[row, get("layout")] < ratio)
        cell[row, get("layout")] = ratio
}

function add_peak(    plain, key)
{
    if (get("pct_of_peak") == "")
        return
    plain = instruction
    sub(/\.trans$/, "", plain)
    key = plain " " get("access")
    if (!((key, get("layout")) in peak))
        peak[key, get("layout")] = get("pct_of_peak") + 0
}

# ---- The three plots ----------------------------------------------------------------------------

END {
    gpu = set_source(failed)
    set_text("tile", tile)
    place_layouts()
    end_cost()
    end_layouts()
    end_peak()
}

# Where each layout stands: the plain ones, then K-major, then MN-major, with a gap between.
function place_layouts(    g, j, place, label)
{
    split("plain,K-major,MN-major", group_label, ",")
    place = 0
    for (g = 1; g <= 3; g++) {
        for (j = 1; j <= layouts; j++) {
            if (layout_group[j] != g)
                continue
            if (!(g in group_first)) {
                place += place ? 1.4 : 0
                group_first[g] = place
            } else {
                place++
            }
            group_last[g] = place
            layout_place[j] = place
            label = layout_name[j]
            sub(/^(K|MN)\//, "", label)
            sub(/^128B-/, "128B ", label)
            layout_label[j] = label == "padded" ? "padded +16 B" : label
        }
        if (g in group_first) {
            group_name[++groups] = group_label[g]
            group_middle[groups] = (group_first[g] + group_last[g]) / 2
        }
    }
    if (!layouts)
        return
    set_number("layout_span", place)
    print_list("layout_tick", layout_label, layout_place, layouts)
    print_list("layout_name", layout_name, layout_place, layouts)
    print_list("group", group_name, group_middle, groups)
}

function end_cost(    name, slopes, n, title, d)
{
    set_number("cost_points", cost_points)
    if (!cost_points) {
        skip("what a wavefront costs", "measured clocks")
        return
    }
    title = "A wavefront costs "
    if (busy_rows)
        title = title sprintf("%.3f clock on a busy SM", median(busy_cost, busy_rows))
    n = 0
    for (name in slope_n) {
        d = slope_n[name] * slope_xx[name] - slope_x[name] ^ 2
        if (d > 1e-6 * slope_xx[name])
            slopes[++n] = (slope_n[name] * slope_xy[name] - slope_x[name] * slope_y[name]) / d
    }
    if (n)
        title = title sprintf("%s%.2f a further one for a lone warp", busy_rows ? ", " : "", \
                        median(slopes, n))
    set_number("cost_most", cost_most)
    set_number("alone_most", alone_most > 8 ? 8 : alone_most < 3 ? 3 : alone_most)
    set_text("cost_title", title " - " gpu)
    set_text("cost_range", !busy_rows ? "" : \
             sprintf("Busy SM: %.4f to %.4f clock a wavefront in %d rows. " \
                     "cp.async (grey) has limits of its own; one warp hides the first of a conflict.", \
                     busy_cost[1], busy_cost[busy_rows], busy_rows))
}

# Instructions with the same cell in every layout share a row of the heat map.
function end_layouts(    a, i, j, k, vector, group, lines, label, line, value)
{
    line = 0
    for (a = 1; a <= accesses; a++) {
        lines = 0
        split("", group)
        for (i = 1; i <= rows; i++) {
            if (index(row_name[i], access_order[a] " ") != 1)
                continue
            vector = ""
            for (j = 1; j <= layouts; j++)
                vector = vector " " ((row_name[i], layout_name[j]) in cell ? \
                                     sprintf("%.3f", cell[row_name[i], layout_name[j]]) : "-")
            if (!(vector in group)) {
                group[vector] = ++lines
                first[lines] = row_name[i]
                members[lines] = ""
            }
            k = group[vector]
            members[k] = members[k] " " substr(row_name[i], length(access_order[a]) + 2)
        }
        if (!lines)
            continue
        if (line)
            line += 0.7
        heading[++headings] = shape[access_order[a]]
        heading_line[headings] = line
        for (k = 1; k <= lines; k++) {
            label = merged_label(members[k])
            for (j = 1; j <= layouts; j++) {
                if (!((first[k], layout_name[j]) in cell))
                    continue
                value = cell[first[k], layout_name[j]]
                printf "%.2f %.2f %.4f %s\n", layout_place[j], line, value, \
                    sprintf(value < 9.95 ? "%.4g" : "%.0f", value) > (work "/layouts.dat")
                cells++
            }
            tick[++ticks] = label
            if (length(label) > longest)
                longest = length(label)
            tick_line[ticks] = line
            line++
        }
    }
    set_number("layout_cells", cells)
    if (!cells) {
        skip("instruction x layout", "wavefronts of 16-bit tiles")
        return
    }
    set_number("layout_lines", line)
    set_number("longest_label", longest)
    print_list("row_tick", tick, tick_line, ticks)
    print_list("row_heading", heading, heading_line, headings)
    set_text("layout_title", layout_finding())
}

# Two gnuplot arrays of n texts and places.
function print_list(name, texts, places, n,    i)
{
    printf "%s_count = %d\narray %s[%d]\narray %s_at[%d]\n", name, n, name, n, name, n \
        > (work "/vars.gp")
    for (i = 1; i <= n; i++)
        printf "%s[%d] = \"%s\"; %s_at[%d] = %.2f\n", name, i, texts[i], name, i, places[i] \
            > (work "/vars.gp")
}

# " ldmatrix.x1 ldmatrix.x2 ld.shared.b32" becomes "ldmatrix .x1 .x2, ld.shared .b32".
function merged_label(list,    names, n, i, base, last, suffix, text)
{
    n = split(list, names, " ")
    for (i = 1; i <= n; i++) {
        base = names[i]
        sub(/\.(x[124]|b[0-9]+|[0-9]+)$/, "", base)
        suffix = substr(names[i], length(base) + 1)
        if (base != last)
            text = text (text == "" ? "" : ", ") base " "
        text = text (base == last ? " " : "") suffix
        last = base
    }
    return text
}

function layout_finding(    i, j, good, total, clean, seen, worst, value, only, who)
{
    for (j = 1; j <= layouts; j++) {
        clean = 1
        seen = 0
        for (i = 1; i <= rows; i++) {
            if (row_name[i] !~ /^(subtile|block) (ld|st)matrix/)
                continue
            if (!((row_name[i], layout_name[j]) in cell))
                continue
            value = cell[row_name[i], layout_name[j]]
            seen = 1
            if (value > 1.0005)
                clean = 0
            if (layout_name[j] == "linear" && value > worst)
                worst = value
        }
        if (layout_canonical[j] && seen) {
            total++
            good += clean
            only = layout_name[j]
        }
    }
    if (!total)
        return "Wavefronts over the ideal, by instruction and layout"
    if (total == 1)
        who = only (good ? " feeds" : " does not feed")
    else
        who = (good == total ? "All " total : good " of " total) " tensor-core layouts feed"
    return sprintf("%s ldmatrix and stmatrix without a conflict%s", who, \
                   worst ? sprintf("; linear costs them %.3g times the ideal", worst) : "")
}

function end_peak(    p, j, n, key, value, panels, words, number)
{
    for (p = 1; p <= paths; p++) {
        n = 0
        for (j = 1; j <= layouts; j++) {
            key = path_list[p]
            if (!((key, layout_name[j]) in peak))
                continue
            value = peak[key, layout_name[j]]
            if (!n++) {
                panels++
                split(key, words, " ")
                panel_name[panels] = words[1]
                panel_shape[panels] = shape[words[2]]
                number[panels] = panels
            }
            printf "%d %.2f %.3f\n", panels, layout_place[j], value > (work "/peak.dat")
            full[layout_swizzle[j], p] += value >= 99
            have[layout_swizzle[j], p]++
        }
    }
    set_number("peak_panels", panels)
    if (!panels) {
        skip("per cent of 128 B/clk/SM", "measured bandwidths of 16-bit tiles")
        return
    }
    print_list("panel", panel_name, number, panels)
    print_list("panel_shape", panel_shape, number, panels)
    set_text("peak_title", peak_finding(panels))
}

# Counts, for each tensor-core swizzle and for linear, the paths on which every layout of it is at
# the peak.
function peak_finding(panels,    j, p, swizzle, count, best, best_count, linear)
{
    best_count = -1
    linear = -1
    for (j = 1; j <= layouts; j++) {
        swizzle = layout_swizzle[j]
        count = 0
        for (p = 1; p <= paths; p++)
            if (have[swizzle, p] && full[swizzle, p] == have[swizzle, p])
                count++
        if (swizzle == "linear")
            linear = count
        else if (layout_canonical[j] && count >= best_count) {
            best_count = count
            best = swizzle
        }
    }
    if (best_count < 0)
        return "Per cent of 128 B/clk/SM by layout"
    return sprintf("%s fills 128 B/clk/SM on %d of %d paths%s - %s", \
                   best == "none" ? "The unswizzled core-matrix layout" : "The " best " swizzle", \
                   best_count, panels, \
                   linear < 0 ? "" : sprintf(", the linear layout on %d", linear), gpu)
}
