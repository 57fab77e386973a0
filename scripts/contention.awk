# What does the plot of the family contention draw, and what does its title say?
#
#   awk -v work=FOLDER -f csv.awk -f sort.awk -f plot.awk -f contention-rows.awk -f contention.awk \
#       contention.csv
#
# Writes reader.dat, writer.dat (row, column, slow-down), readers.dat, writers.dat (names), blank.dat
# (none) and vars.gp (titles and counts, for contention.gp) to the folder. Without measured pairs there
# is no plot, and a line on stderr.

get("status") == "failed" {
    failed++
}

is_pair() && is_shown() {
    add_pair()
}

function number_of(name, names, count)
{
    if (!(name in names))
        names[name] = count + 1
    return names[name]
}

function add_pair(    r, w, kind)
{
    r = number_of(name_of("reader"), reader_number, readers)
    w = number_of(name_of("writer"), writer_number, writers)
    readers = r > readers ? r : readers
    writers = w > writers ? w : writers
    print r, w, get("reader_slowdown") > (work "/reader.dat")
    print r, w, get("writer_slowdown") > (work "/writer.dat")
    pairs++
    kind = get("reader")
    sub(/\..*/, "", kind)
    keep_most(kind, get("reader_slowdown") + 0)
    keep_most("writers", get("writer_slowdown") + 0)
    keep_most("all", most[kind] > most["writers"] ? most[kind] : most["writers"])
}

function keep_most(kind, slowdown)
{
    if (slowdown > most[kind])
        most[kind] = slowdown
}

# "wgmma up to 1.04 times"
function up_to(kind)
{
    return (kind in most) ? sprintf("%s up to %.2f times", kind, most[kind]) : ""
}

function title(    wgmma, lanes)
{
    wgmma = up_to("wgmma")
    lanes = up_to("ldmatrix")
    return "Slow-down beside another stage's writers: " wgmma (wgmma != "" && lanes != "" ? ", " : "") lanes
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
    set_number("readers", readers)
    set_number("writers", writers)
    set_number("most", most["all"])
    set_text("title", title())
    set_text("what", sprintf("Clocks while the other side fills, or reads, another stage, over clocks alone; " \
                             "%d warps a side (wgmma: a warpgroup; tma: %d boxes in flight), one CTA on one SM", \
                             WARPS, WARPS))
}
