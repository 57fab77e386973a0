# What do the two plots of the family mma draw, and what do their titles say?
#
#   awk -v work=FOLDER -f csv.awk -f sort.awk -f plot.awk -f mma.awk mma.csv
#
# Writes layouts.dat, loads.dat, names.dat and vars.gp (titles and counts, for mma.gp) to the folder.
# A plot that has no data gets a count of zero and a line on stderr. Of predictions alone the map of
# layouts shows wavefronts.

BEGIN {
    layouts = numbered("linear padded K/none K/32B K/64B K/128B MN/none MN/32B MN/64B MN/128B", \
                       layout_of, layout_number)
    types = split("bf16 f16 tf32 s8", type_of, " ")
    MAPPED = "bf16"
}

get("status") == "failed" {
    failed++
}

get("status") != "ok" || get("wrong") != "" || get("model_wavefronts") == "" {
    next
}

get("dtype") == MAPPED {
    add_pair()
}

get("a_layout") == get("b_layout") && get("cycles_per_mma") != "" {
    add_loads()
}

# ---- A row of the file --------------------------------------------------------------------------

function add_pair(    key)
{
    key = get("a_layout") SUBSEP get("b_layout")
    pair[key] = (get("cycles_per_mma") != "" ? get("cycles_per_mma") : get("model_wavefronts")) + 0
    timed += get("cycles_per_mma") != ""
    pairs++
    if (get("model_conflicts") == 0)
        free[++frees] = pair[key]
}

function add_loads(    key)
{
    key = get("dtype") SUBSEP get("a_layout")
    with_loads[key] = get("cycles_per_mma") + 0
    without[key] = get("cycles_per_mma_without_loads") + 0
    bound[key] = get("bound_cycles") + 0
    add_to_title()
}

# Rows without conflicts, by what loads them; and how near those with conflicts are to the bound.
function add_to_title(    loads, off)
{
    loads = get("load") ~ /^ldmatrix/ ? "ldmatrix" : "plain"
    off = get("cycles_per_mma") / get("bound_cycles") - 1
    if (get("model_conflicts") == 0) {
        hidden[loads, ++hiddens[loads]] = get("cycles_per_mma") + 0
        alone[++alones] = get("cycles_per_mma_without_loads") + 0
    } else if (off > worst_conflict) {
        worst_conflict = off
    }
}

# ---- Titles and files ---------------------------------------------------------------------------

END {
    set_source(failed)
    set_number("cells", pairs + 0)
    set_number("points", alones + 0)
    if (pairs)
        end_layouts()
    else
        skip("layouts of A and B", "pairs of " MAPPED)
    if (alones)
        end_loads()
    else
        skip("loads", "measured mma")
}

# "1.50 to 1.51", or one of them where both round to it.
function range(list, count,    least, most)
{
    sort(list, count)
    least = sprintf("%.2f", list[1])
    most = sprintf("%.2f", list[count])
    return least == most ? least : least " to " most
}

function pair_text(a, b)
{
    return sprintf("%.1f", pair[a, b])
}

function end_layouts(    a, b, key, most, text, unit)
{
    for (b = 1; b <= layouts; b++)
        for (a = 1; a <= layouts; a++) {
            key = layout_of[a] SUBSEP layout_of[b]
            if (!(key in pair))
                continue
            printf "%d %d %.4f\n", b, a, pair[key] > (work "/layouts.dat")
            if (pair[key] > most)
                most = pair[key]
        }
    for (a = 1; a <= layouts; a++)
        printf "%d %s\n", a, layout_of[a] > (work "/names.dat")
    sort(free, frees)
    unit = timed ? "clocks" : "wavefronts"
    text = frees " of " pairs " pairs of layouts take "
    text = text (free[1] == free[frees] ? free[1] : range(free, frees)) " " unit " per mma"
    if (("linear", "linear") in pair)
        text = text sprintf("; B linear %s, A linear %s, both %s", \
                            pair_text("K/128B", "linear"), pair_text("linear", "K/128B"), \
                            pair_text("linear", "linear"))
    set_text("layouts_title", text)
    set_text("layouts_what", (timed ? "Clocks" : "Predicted wavefronts") " per mma of " MAPPED \
             ", loads of both operands " (timed ? "in the loop, 8 warps on every SM" : "included"))
    set_number("layouts_most", most)
    set_text("layouts_unit", unit " per mma")
}

function range_hidden(loads,    list, i)
{
    for (i = 1; i <= hiddens[loads]; i++)
        list[i] = hidden[loads, i]
    return range(list, hiddens[loads])
}

function end_loads(    t, l, key, text)
{
    for (t = 1; t <= types; t++) {
        for (l = 1; l <= layouts; l++) {
            key = type_of[t] SUBSEP layout_of[l]
            if (key in bound)
                print l, with_loads[key], without[key], bound[key] > (work "/loads.dat")
            else
                print l, "? ? ?" > (work "/loads.dat")
        }
        printf "\n\n" > (work "/loads.dat")
    }
    text = "Clocks per mma: " range(alone, alones) " alone"
    if (hiddens["ldmatrix"])
        text = text ", " range_hidden("ldmatrix") " with ldmatrix"
    if (hiddens["plain"])
        text = text ", " range_hidden("plain") " with plain loads"
    text = text sprintf("; with conflicts the bound + %.1f %% at most", 100 * worst_conflict)
    set_text("loads_title", text)
}
