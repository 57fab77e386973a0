# Which points does each plot of a comparison have, and in which units?
#
#   awk -v work=FOLDER -v what=clocks -f csv.awk -f compare-plot.awk clocks.csv
#
# Of the rows of `swizzlebench compare --csv --all`, with FOLDER/first and FOLDER/others from
# compare-plot: FAMILY-COLUMN-WHAT.dat has both values, a block of lines for each other side that has
# some, and FAMILY-COLUMN.vars the texts and the ranges of both axes.

BEGIN {
    getline first < (work "/first")
    while ((getline line < (work "/others")) > 0) {
        split(line, part, "\t")
        number[part[1]] = ++others
        name[others] = part[2]
    }
}

# Of nothing there is no ratio.
get("difference") !~ /^(none|slower|faster)$/ || get("first") + 0 <= 0 {
    next
}

{
    plot = get("family") "-" get("column")
    unit[plot] = get("unit")
    points[plot, number[get("against")]] = points[plot, number[get("against")]] \
        get("first") " " get("other") "\n"
    widen(values, plot, get("first") + 0)
    widen(ratios, plot, get("other") / get("first"))
}

END {
    for (plot in unit)
        write_plot(plot, work "/" plot "-" what ".dat", work "/" plot ".vars")
}

function widen(range, plot, value)
{
    if (!((plot, "least") in range) || value < range[plot, "least"])
        range[plot, "least"] = value
    if (!((plot, "most") in range) || value > range[plot, "most"])
        range[plot, "most"] = value
}

# Ratios of 0.95 to 1.05 at least; and values with room around them where all are one.
function write_ranges(plot, vars,    low, high, least, most, range)
{
    low = 0.99 * ratios[plot, "least"]
    high = 1.01 * ratios[plot, "most"]
    if (low > 0.95)
        low = 0.95
    if (high < 1.05)
        high = 1.05
    printf "%s_low = %.6g\n%s_high = %.6g\n", what, low, what, high >> vars
    least = values[plot, "least"]
    most = values[plot, "most"]
    range = least < most ? "*:*" : sprintf("%.6g:%.6g", least / 2, most * 2)
    printf "%s_range = \"[%s]\"\n", what, range >> vars
}

function write_plot(plot, data, vars,    i, blocks)
{
    for (i = 1; i <= others; i++) {
        if (points[plot, i] == "")
            continue
        printf "%s\n\n", points[plot, i] > data
        printf "%s_name%d = \"%s\"\n", what, ++blocks, quoted(name[i]) >> vars
    }
    printf "%s_others = %d\n%s_unit = \"%s\"\nfirst = \"%s\"\n", what, blocks, what, unit[plot], \
        quoted(first) >> vars
    write_ranges(plot, vars)
    close(data)
    close(vars)
}

function quoted(text)
{
    gsub(/["\\]/, "'", text)
    return text
}
