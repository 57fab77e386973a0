# Which points does each plot of a comparison have, and in which units?
#
#   awk -v work=FOLDER -v what=clocks -f csv.awk -f compare-plot.awk clocks.csv
#
# Of the rows of `swizzlebench compare --csv --all`, with FOLDER/first and FOLDER/others from
# compare-plot: FAMILY-COLUMN-WHAT.dat has both values, a block of lines for each other side that has
# some, and FAMILY-COLUMN.vars the texts.

BEGIN {
    getline first < (work "/first")
    while ((getline line < (work "/others")) > 0) {
        split(line, part, "\t")
        number[part[1]] = ++others
        name[others] = part[2]
    }
}

get("difference") !~ /^(none|slower|faster)$/ {
    next
}

{
    plot = get("family") "-" get("column")
    unit[plot] = get("unit")
    points[plot, number[get("against")]] = points[plot, number[get("against")]] \
        get("first") " " get("other") "\n"
}

END {
    for (plot in unit)
        write_plot(work "/" plot "-" what ".dat", work "/" plot ".vars")
}

function write_plot(data, vars,    i, blocks)
{
    for (i = 1; i <= others; i++) {
        if (points[plot, i] == "")
            continue
        printf "%s\n\n", points[plot, i] > data
        printf "%s_name%d = \"%s\"\n", what, ++blocks, quoted(name[i]) >> vars
    }
    printf "%s_others = %d\n%s_unit = \"%s\"\nfirst = \"%s\"\n", what, blocks, what, unit[plot], \
        quoted(first) >> vars
    close(data)
    close(vars)
}

function quoted(text)
{
    gsub(/["\\]/, "'", text)
    return text
}
