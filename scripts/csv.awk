# How is one of our result files read in awk?
#
# Use with a second -f. Rules here eat the `# key: value` head (meta["gpu"]), the header and
# unfinished records, so that the rules after them see whole rows: get("column") is a field of the
# row by name, "" where the file has no such column. Of several files each has a head of its own,
# and csv_file is the number of this one.
# RFC 4180: fields may be quoted, hold commas, doubled quotes and line ends.

function csv_split(text, fields,    count, field, at)
{
    split("", fields)
    count = 0
    for (;;) {
        field = ""
        if (substr(text, 1, 1) == "\"") {
            text = substr(text, 2)
            while ((at = index(text, "\"")) > 0 && substr(text, at + 1, 1) == "\"") {
                field = field substr(text, 1, at)
                text = substr(text, at + 2)
            }
            field = field substr(text, 1, at - 1)
            text = substr(text, at + 1)
        } else {
            match(text, /^[^,]*/)
            field = substr(text, 1, RLENGTH)
            text = substr(text, RLENGTH + 1)
        }
        fields[++count] = field
        if (text == "")
            return count
        text = substr(text, 2)
    }
}

function get(name)
{
    return (name in csv_column) ? csv_cell[csv_column[name]] : ""
}

FNR == 1 {
    csv_file++
    csv_have_header = 0
    csv_record = ""
    split("", csv_column)
    split("", meta)
}

{
    sub(/\r$/, "")
}

csv_record == "" && /^#/ {
    csv_key = $0
    sub(/^# */, "", csv_key)
    if ((csv_at = index(csv_key, ": ")) > 0)
        meta[substr(csv_key, 1, csv_at - 1)] = substr(csv_key, csv_at + 2)
    next
}

{
    csv_record = csv_record $0
    csv_quotes = csv_record
    if (gsub(/"/, "", csv_quotes) % 2 == 1) {
        csv_record = csv_record "\n"
        next
    }
    csv_whole = csv_record
    csv_record = ""
    if (csv_whole == "")
        next
    csv_count = csv_split(csv_whole, csv_cell)
    if (!csv_have_header) {
        for (csv_at = 1; csv_at <= csv_count; csv_at++)
            csv_column[csv_cell[csv_at]] = csv_at
        csv_have_header = 1
        next
    }
}
