# What do the two plots of the family pipeline draw, and what do their titles say?
#
#   awk -v work=FOLDER -f csv.awk -f sort.awk -f plot.awk -f pipeline-rows.awk -f pipeline.awk pipeline.csv
#
# Writes choice.dat, bound.dat and vars.gp (titles, names and counts, for pipeline.gp) to the folder. A
# plot that has no data gets a count of zero and a line on stderr.

BEGIN {
    majors = split("K MN", major_order, " ")
}

get("status") == "failed" {
    failed++
}

get("status") != "ok" || get("cycles_per_k_block") == "" {
    next
}

{
    add_tile()
    add_bound()
}

# ---- A row of the file --------------------------------------------------------------------------

# How long the stages last at the bound, beside what the pipeline takes over it.
function add_bound(    covered, ratio)
{
    covered = get("stages") * get("bound_cycles")
    ratio = get("cycles_per_k_block") / get("bound_cycles")
    printf "%d %d %.4f %d\n", get("stages"), covered, ratio, get("boxes_per_stage") > (work "/bound.dat")
    bound_points++
    if (!(get("stages") in stages_seen)) {
        stages_seen[get("stages")] = 1
        stages_list[++stages_count] = get("stages") + 0
    }
    if (covered > most_covered)
        most_covered = covered
    if (ratio > most_ratio)
        most_ratio = ratio
    stages_rows[get("stages")]++
    at_bound[get("stages")] += ratio <= 1.01
}

# ---- Titles and files ---------------------------------------------------------------------------

END {
    set_source(failed)
    set_number("choice_tiles", tile_count + 0)
    set_number("bound_points", bound_points + 0)
    if (!tile_count) {
        skip("the choice of a layout", "measured tiles")
        exit
    }
    sort(stages_list, stages_count)
    end_choice()
    end_bound()
}

# The numbers of a field of all tiles, each once and sorted, into list[1...].
function distinct(field, list,    i, parts, seen, count)
{
    for (i = 1; i <= tile_count; i++) {
        split(tiles[i], parts, " ")
        if (!(parts[field] in seen)) {
            seen[parts[field]] = 1
            list[++count] = parts[field] + 0
        }
    }
    sort(list, count)
    return count
}

# A cell for each layout of each tile: column, line, clocks over those of the best, whether CUTLASS
# takes it. Columns are k_block and in it N, lines are stages and in them the layouts, widest first.
function end_choice(    k_count, k_list, n_count, n_list, m, k, n, s, l, key, layout, left, top)
{
    k_count = distinct(1, k_list)
    n_count = distinct(2, n_list)
    for (m = 1; m <= majors; m++)
        for (k = 1; k <= k_count; k++)
            for (n = 1; n <= n_count; n++)
                for (s = 1; s <= stages_count; s++)
                    for (l = 1; l <= layouts; l++) {
                        key = k_list[k] " " n_list[n] " " stages_list[s] " " major_order[m]
                        layout = layout_order[layouts + 1 - l]
                        if (!((key, layout) in best))
                            continue
                        rank(key)
                        left = (m - 1) * (k_count * (n_count + 0.3) + 1) + (k - 1) * (n_count + 0.3) + n
                        top = (s - 1) * (layouts + 0.5) + l
                        printf "%.1f %.1f %.4f %d\n", left, top, best[key, layout] / best[key, ranked[1]], \
                            choice[key] == layout > (work "/choice.dat")
                    }
    set_axes(k_count, k_list, n_count, n_list)
    judge_choices()
    if (!choices)
        set_text("choice_title", "Clocks by layout of a tile")
    else if (good_choices == choices)
        set_text("choice_title", sprintf("The widest span that divides the contiguous extent is the " \
            "fastest for all %d tiles", choices))
    else
        set_text("choice_title", sprintf("The widest span that divides the contiguous extent is the " \
            "fastest for %d of %d tiles, and loses %.1f %% at most", good_choices, choices, \
            100 * most_lost))
}

# Where the names of columns and lines stand.
function set_axes(k_count, k_list, n_count, n_list,    m, k, n, s, l)
{
    set_number("k_count", k_count)
    set_number("n_count", n_count)
    set_number("stages_count", stages_count)
    set_number("layouts", layouts)
    set_number("majors", majors)
    for (k = 1; k <= k_count; k++)
        set_number("k_" k, k_list[k])
    for (n = 1; n <= n_count; n++)
        set_number("n_" n, n_list[n])
    for (s = 1; s <= stages_count; s++)
        set_number("stages_" s, stages_list[s])
    for (l = 1; l <= layouts; l++)
        set_text("layout_" l, layout_order[layouts + 1 - l])
    for (m = 1; m <= majors; m++)
        set_text("major_" m, major_order[m] "-major B")
}

function end_bound(    s, text, few, many)
{
    set_number("most_covered", most_covered)
    set_number("most_ratio", most_ratio)
    few = stages_list[1]
    many = stages_list[stages_count]
    for (s = 1; s <= stages_count; s++)
        text = text (s == 1 ? "" : ", ") sprintf("%d of %d with %d stages", at_bound[stages_list[s]], \
            stages_rows[stages_list[s]], stages_list[s])
    set_text("bound_title", at_bound[few] / stages_rows[few] < at_bound[many] / stages_rows[many] ? \
        "Few stages wait for L2, many run at the bound that the models give" : \
        "Clocks over the bound that the models give")
    set_text("bound_range", "Rows within 1 % of the larger of what TMA and wgmma take: " text)
}
