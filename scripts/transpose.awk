# What do the two plots of the family transpose draw, and what do their titles say?
#
#   awk -v work=FOLDER -f csv.awk -f sort.awk -f plot.awk -f transpose.awk transpose.csv
#
# Writes dram.dat, l2.dat and vars.gp (titles, names and counts, for transpose.gp) to the folder. A plot
# that has no data gets a count of zero and a line on stderr.

BEGIN {
    TILE = "64x64"
    layouts = numbered("linear padded4 padded16 4B-xor 4B-xor-packed 16B-xor-packed K/none K/32B " \
                       "K/64B K/128B", layout_of, layout_number)
    methods = numbered("elements words ldmatrix.trans ldmatrix.trans-8x16B stmatrix.trans " \
                       "tma-elements tma-words tma-ldmatrix.trans tma-ldmatrix.trans-8x16B " \
                       "tma-elements-tma tma-words-tma tma-ldmatrix.trans-tma " \
                       "tma-ldmatrix.trans-8x16B-tma", method_of, method_number)
    panels = numbered("8 16 32", bits_of, panel_number)
    sources = split("dram l2", source_of, " ")
    split("From DRAM to DRAM,Within L2", way_of, ",")
}

get("status") == "failed" {
    failed++
}

get("status") != "ok" || get("tile") != TILE || !(get("method") in method_number) || \
!(get("layout") in layout_number) {
    next
}

{
    add_cell("dram", "pct_of_copy")
    add_cell("l2", "l2_pct_of_copy")
}

# ---- A row of the file --------------------------------------------------------------------------

function add_cell(source, column,    p)
{
    if (get(column) == "")
        return
    p = panel_number[get("elem_bits")]
    printf "%d %d %d %.2f\n", p, layout_number[get("layout")], method_number[get("method")], \
        get(column) > (work "/" source ".dat")
    cells[source]++
    if (get(column) + 0 > most[source, p] + 0) {
        most[source, p] = get(column) + 0
        best[source, p] = get("method") " in " get("layout")
    }
}

# ---- Titles and files ---------------------------------------------------------------------------

END {
    set_source(failed)
    for (m = 1; m <= methods; m++)
        set_text("method_" m, method_of[m])
    for (l = 1; l <= layouts; l++)
        set_text("layout_" l, layout_of[l])
    for (s = 1; s <= sources; s++)
        end_source(source_of[s], way_of[s])
}

function end_source(source, way,    p, text, named)
{
    set_number(source "_cells", cells[source] + 0)
    if (!cells[source]) {
        skip("transposes, " tolower(substr(way, 1, 1)) substr(way, 2), "measured tiles of " TILE)
        return
    }
    for (p = panels; p >= 1; p--) {
        if (!((source, p) in most))
            continue
        text = text (text == "" ? "" : ", ") sprintf("%.0f %% (%s bits)", most[source, p], bits_of[p])
        named = named (named == "" ? "" : ", ") sprintf("%s bits: %s", bits_of[p], best[source, p])
    }
    set_text(source "_title", way " the best transpose reaches " text " of a plain copy")
    set_text(source "_what", "Per cent of the plain copy of the same run, tiles of 64 x 64; best of " named)
}
