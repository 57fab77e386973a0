# Which layouts of a tile does a pipeline.csv have, which is the fastest, and what does CUTLASS's choice
# lose? Functions for pipeline-findings.awk and pipeline.awk, behind csv.awk.
#
# A tile is "K_BLOCK N STAGES MAJOR", MAJOR being that of B: K or MN.

BEGIN {
    EQUAL = 0.005 # part of the clocks: layouts that are no further apart are as good
    layouts = split("none 32B 64B 128B", layout_order, " ")
}

# Clocks of the faster way to load a tile, by one box or by many.
function add_tile(    key, layout, clocks, boxes)
{
    layout = get("layout")
    key = get("b_layout")
    sub(/\/.*/, "", key)
    key = get("k_block") " " get("n") " " get("stages") " " key
    clocks = get("cycles_per_k_block") + 0
    boxes = get("boxes")
    if (!(key in tile_seen)) {
        tile_seen[key] = 1
        tiles[++tile_count] = key
    }
    all[key, layout, boxes] = clocks
    if (!((key, layout) in best) || clocks < best[key, layout]) {
        best[key, layout] = clocks
        bound[key, layout] = get("bound_cycles") + 0
    }
    if (get("cutlass_choice") == "yes")
        choice[key] = layout
}

# Layouts of a tile into ranked[1...], the fastest first.
function rank(key,    count, i, j, layout)
{
    count = 0
    for (i = 1; i <= layouts; i++) {
        layout = layout_order[i]
        if (!((key, layout) in best))
            continue
        for (j = ++count; j > 1 && best[key, ranked[j - 1]] > best[key, layout]; j--)
            ranked[j] = ranked[j - 1]
        ranked[j] = layout
    }
    return count
}

# Part by which CUTLASS's choice is slower than the best.
function loss(key)
{
    rank(key)
    return best[key, choice[key]] / best[key, ranked[1]] - 1
}

# How many tiles have a choice and something to choose from (choices), in how many of them CUTLASS's is
# as good as the best (good_choices), and what it loses at most, at which tile (most_lost, lost_at).
function judge_choices(    i, key)
{
    choices = good_choices = most_lost = 0
    lost_at = ""
    for (i = 1; i <= tile_count; i++) {
        key = tiles[i]
        if (!(key in choice) || rank(key) < 2)
            continue
        choices++
        if (loss(key) <= EQUAL)
            good_choices++
        if (lost_at == "" || loss(key) > most_lost) {
            most_lost = loss(key)
            lost_at = key
        }
    }
}
