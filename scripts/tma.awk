# What do the four plots of the family tma draw, and what do their titles say?
#
#   awk -v work=FOLDER -f csv.awk -f sort.awk -f plot.awk -f tma.awk tma.csv
#
# Writes rate.dat, waste.dat, latency.dat, depth.dat and vars.gp (titles and counts, for tma.gp) to
# the folder. A plot that has no data gets a count of zero and a line on stderr.

BEGIN {
    panels = numbered("none 32B 64B 128B", panel_of, panel_number)
    split("1 2 4 8", depth_of, " ")
    # Of the heights measured, the heat map shows so many that their marks can be told apart.
    FINE = 16
    MIDDLE = 64
}

get("status") == "failed" {
    failed++
}

get("status") != "ok" || get("dtype") != "bf16" || get("rank") != 2 || get("chip") != "" {
    next
}

get("start") != "" || get("element_strides") != "" || get("l2_promotion") != "none" {
    next
}

get("interleave") != "none" || get("smem_offset") != 0 || get("oob_fill") != "zero" {
    next
}

get("direction") !~ /^(load|store)$/ || !(get("swizzle") in panel_number) || get("rule") != "" {
    next
}

{
    direction = get("direction")
    width = get("inner_bytes") + 0
    height = get("rows") + 0
    swizzle = get("swizzle")
    bytes = get("box_bytes") + 0
    add_waste()
    if (get("cycles_per_box") == "" || get("latency_cycles") == "")
        next
    rows++
    add_rate()
    add_latency()
    add_depth()
}

# ---- A row of the file --------------------------------------------------------------------------

function is_shown(h)
{
    return h <= FINE || (h <= MIDDLE && h % 4 == 0) || h % 16 == 0 || h == 100
}

function add_rate(    value)
{
    value = get("bytes_per_clk_sm") + 0
    rate[direction, swizzle, width, height] = value
    if (value > best[direction] + 0) {
        best[direction] = value
        best_box[direction] = get("box")
    }
    if (width == 16 && value > narrow[direction] + 0)
        narrow[direction] = value
    if (is_shown(height) && !(height in height_seen)) {
        height_seen[height] = 1
        height_list[++heights] = height
    }
    if (width > widest[swizzle] + 0)
        widest[swizzle] = width
}

# The tallest box of each width, where no sector is shared out by rounding.
function add_waste(    moved, key)
{
    if (swizzle != "none" || get("needed_sectors") + 0 == 0)
        return
    moved = get("hw_sectors") != "" ? get("hw_sectors") : get("model_sectors")
    counted += get("hw_sectors") != ""
    key = direction SUBSEP width
    if (height < waste_height[key] + 0)
        return
    waste_height[key] = height
    waste[key] = moved / get("needed_sectors")
}

function add_latency(    value, key)
{
    value = get("latency_cycles") + 0
    # Points that fall on one another at the plot's resolution are drawn once.
    key = direction SUBSEP int(30 * log(bytes)) SUBSEP int(60 * log(value))
    if (!(key in latency_seen)) {
        latency_seen[key] = 1
        printf "%d %d %.2f\n", direction == "load" ? 1 : 2, bytes, value > (work "/latency.dat")
        latencies++
    }
    if (!((direction, "least") in latency) || value < latency[direction, "least"])
        latency[direction, "least"] = value
    if (bytes >= largest[direction] + 0) {
        largest[direction] = bytes
        latency[direction, "largest"] = value
    }
}

# Lines of 128 bytes under 128B, and for larger boxes of 512: bytes a clock at each depth.
function add_depth(    d, cycles)
{
    if (direction != "load" || !((swizzle == "128B" && width == 128) || \
        (swizzle == "none" && width == 512 && bytes > 32768)))
        return
    for (d = 1; d <= 4; d++) {
        cycles = get("inflight_" depth_of[d] "_cycles")
        if (cycles == "")
            continue
        depth_sizes[++depth_size_count] = bytes
        depth_rate[bytes, d] = bytes / cycles
    }
}

# ---- Titles and files ---------------------------------------------------------------------------

function size_of(n)
{
    return n >= 1024 ? sprintf("%.3g KiB", n / 1024) : n " bytes"
}

END {
    gpu = set_source(failed)
    set_number("rate_cells", rows && heights ? 1 : 0)
    set_number("latency_points", latencies + 0)
    set_number("depth_points", rows && depth_size_count ? 1 : 0)
    if (rows) {
        end_rate()
        end_latency()
        end_depth()
    } else {
        skip("bytes per clock", "measured boxes")
        skip("latency", "measured boxes")
        skip("boxes in flight", "measured boxes")
    }
    end_waste()
}

function end_rate()
{
    sort(height_list, heights)
    end_rate_of("load", "rate")
    end_rate_of("store", "stored")
}

function end_rate_of(way, file,    p, w, i, low, high, key)
{
    for (p = 1; p <= panels; p++)
        for (w = 16; w <= widest[panel_of[p]]; w += 16)
            for (i = 1; i <= heights; i++) {
                key = way SUBSEP panel_of[p] SUBSEP w SUBSEP height_list[i]
                if (!(key in rate))
                    continue
                low = i > 1 ? sqrt(height_list[i - 1] * height_list[i]) : 0.8
                high = i < heights ? sqrt(height_list[i] * height_list[i + 1]) : \
                       height_list[i] * 1.15
                printf "%d %d %d %.4f %.4f %.3f\n", p, w, height_list[i], low, high, rate[key] \
                    > (work "/" file ".dat")
            }
    set_number(file "_most", best[way])
    set_text(file "_title", sprintf("One SM %ss %.1f B/clk at best (bf16 %s), %.1f in lines of 16 bytes", \
                                    way, best[way], best_box[way], narrow[way]))
}

function end_latency(    text)
{
    text = "One box takes"
    if (("load", "least") in latency)
        text = text sprintf(" %.0f clocks at least to load", latency["load", "least"])
    if (("store", "least") in latency)
        text = text sprintf("%s %.0f to store", ("load", "least") in latency ? " and" : "", \
                            latency["store", "least"])
    if (("load", "largest") in latency)
        text = text sprintf("; %s take %.0f to load", size_of(largest["load"]), latency["load", "largest"])
    if (("load", "largest") in latency && largest["store"] == largest["load"])
        text = text sprintf(" and %.0f to store", latency["store", "largest"])
    set_text("latency_title", text)
}

# From how many bytes on do so many in flight reach 95 % of the best rate?
function saturates_from(d,    i, from)
{
    for (i = depth_size_count; i >= 1; i--) {
        if (!((depth_sizes[i], d) in depth_rate))
            continue
        if (depth_rate[depth_sizes[i], d] < 0.95 * best["load"])
            break
        from = depth_sizes[i]
    }
    return from
}

function end_depth(    d, i, from, text)
{
    sort(depth_sizes, depth_size_count)
    for (d = 1; d <= 4; d++) {
        for (i = 1; i <= depth_size_count; i++)
            if (((depth_sizes[i], d) in depth_rate) && depth_sizes[i] != depth_sizes[i - 1])
                printf "%d %d %.3f\n", d, depth_sizes[i], depth_rate[depth_sizes[i], d] \
                    > (work "/depth.dat")
        printf "\n\n" > (work "/depth.dat")
    }
    for (d = 4; d >= 1; d--) {
        from = saturates_from(d)
        if (from)
            text = text sprintf(text == "" ? "%d boxes in flight from %s on" : ", %d from %s", \
                                depth_of[d], size_of(from))
    }
    set_text("depth_title", sprintf("95 %% of %.1f B/clk takes %s", best["load"], text))
}

function end_waste(    w, load, store, count, worst, worst_width, odd)
{
    for (w = 16; w <= 512; w += 16) {
        load = (("load", w) in waste) ? waste["load", w] : "?"
        store = (("store", w) in waste) ? waste["store", w] : "?"
        if (load == "?" && store == "?")
            continue
        count++
        print w, load, store > (work "/waste.dat")
        value = load == "?" ? store : load
        if (value > worst) {
            worst = value
            worst_width = w
        }
        if (w % 32 == 16 && value > 1.0005)
            odd++
        if (w % 32 == 0 && value > 1.0005)
            even++
    }
    set_number("waste_points", count + 0)
    if (!count) {
        skip("waste", "boxes without swizzle")
        return
    }
    set_text("waste_unit", counted ? "counted" : "predicted")
    set_text("waste_title", sprintf("Lines of %d bytes move %.3g times the sectors that they need; " \
                                    "lines of whole sectors %s", worst_width, worst, \
                                    even ? "waste some too" : "waste none"))
}
