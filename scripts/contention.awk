# What does the plot of the family contention draw, and what does its title say?
#
#   awk -v work=FOLDER -f csv.awk -f sort.awk -f plot.awk -f contention.awk contention.csv
#
# Writes reader.dat, writer.dat (row, column, slow-down), readers.dat, writers.dat (names), blank.dat (none) and vars.gp
# (titles and counts, for contention.gp) to the folder. Without measured pairs there is no plot, and a
# line on stderr.

BEGIN {
    WARPS = 8
}

get("status") == "failed" {
    failed++
}

get("status") != "ok" || get("report") != "" || get("reader_slowdown") == "" {
    next
}

get("writer_warps") == WARPS && (get("reader") ~ /^wgmma/ || get("reader_warps") == WARPS) {
    add_pair()
}

function number_of(name, names, count)
{
    if (!(name in names))
        names[name] = count + 1
    return names[name]
}

function add_pair(    r, w)
{
    r = number_of(get("reader") " " get("reader_layout"), reader_number, readers)
    w = number_of(get("writer") " " get("writer_layout"), writer_number, writers)
    readers = r > readers ? r : readers
    writers = w > writers ? w : writers
    print r, w, get("reader_slowdown") > (work "/reader.dat")
    print r, w, get("writer_slowdown") > (work "/writer.dat")
    reader_slow[++pairs] = get("reader_slowdown") + 0
    writer_slow[pairs] = get("writer_slowdown") + 0
    if (get("mode") != "cg" && get("wavefronts_per_clk") + 0 > served)
        served = get("wavefronts_per_clk") + 0
}

END {
    set_source(failed)
    set_number("pairs", pairs + 0)
    if (!pairs) {
        skip("slow-down", "measured pairs")
        exit
    }
    for (name in reader_number)
        printf "%d \"%s\"\n", reader_number[name], name > (work "/readers.dat")
    for (name in writer_number) {
        printf "%d \"%s\"\n", writer_number[name], name > (work "/writers.dat")
        printf "%d \" \"\n", writer_number[name] > (work "/blank.dat")
    }
    sort(reader_slow, pairs)
    sort(writer_slow, pairs)
    set_number("readers", readers)
    set_number("writers", writers)
    set_number("most", reader_slow[pairs] > writer_slow[pairs] ? reader_slow[pairs] : writer_slow[pairs])
    set_text("title", sprintf("Beside each other readers take %.2f to %.2f times their clocks, writers %.2f to %.2f", \
                              reader_slow[1], reader_slow[pairs], writer_slow[1], writer_slow[pairs]))
    set_text("what", sprintf("Clocks while the other side fills, or reads, another stage, over clocks alone; one CTA on one SM; banks serve up to %.2f predicted wavefronts a clock (cp.async past L1 left out)", \
                             served))
}
