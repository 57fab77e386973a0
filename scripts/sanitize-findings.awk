# What did compute-sanitizer find? A block for docs/sanitizers.md from sanitize.csv, behind csv.awk,
# block.awk and sanitize-clean.awk.
{
    tool = get("tool")
    if (!(tool in parts))
        order[++tools] = tool
    parts[tool]++
    ended[tool] += get("ended") == "yes"
    clean[tool] += is_clean()
    rows[tool] += get("rows")
    failed[tool] += get("rows_failed")
    errors[tool] += get("errors")
    warnings[tool] += get("warnings")
    seconds[tool] += get("seconds")
    part = get("part")
    if (get("rows") + 0 > most[part] + 0)
        most[part] = get("rows")
    if (get("rows_failed") + get("errors") + get("warnings") > 0 && !is_clean())
        add(wrong, tool, sprintf("`%s`, %d rows, %d of them failed, %d errors, %d warnings%s", part, \
            get("rows"), get("rows_failed"), get("errors"), get("warnings"), \
            get("ended") == "yes" ? "" : ", ended by force"))
    else if (get("ended") != "yes" && get("rows") > 0) {
        forced[tool, ++forced_count[tool]] = part
        rows_of[tool, part] = get("rows")
    } else if (get("ended") != "yes")
        add(waiting, tool, "`" part "`")
    count = split(get("kernels"), names, " ")
    for (i = 1; i <= count; i++)
        if (!((tool, names[i]) in seen)) {
            seen[tool, names[i]]
            kernels[tool] = kernels[tool] (kernels[tool] == "" ? "" : ", ") "`" names[i] "`"
        }
    version = meta["tools"]
}

function add(list, tool, text)
{
    list[tool] = list[tool] (list[tool] == "" ? "" : ", ") text
}

function of_rows(tool,    i, part, text)
{
    for (i = 1; i <= forced_count[tool]; i++) {
        part = forced[tool, i]
        text = text (text == "" ? "" : ", ") sprintf("`%s` %d of %d", part, rows_of[tool, part], \
            most[part])
    }
    return text
}

END {
    begin("sanitize")
    printf "compute-sanitizer %s, over the default sweep:\n\n", version
    print "| tool | rows | rows failed | errors | warnings | parts that came to their end | clean | seconds, all parts added up |"
    print "| --- | --: | --: | --: | --: | --: | --: | --: |"
    for (i = 1; i <= tools; i++) {
        tool = order[i]
        printf "| %s | %d | %d | %d | %d | %s | %s | %.0f |\n", tool, rows[tool], failed[tool], \
            errors[tool], warnings[tool], all_of(ended[tool], parts[tool]), \
            all_of(clean[tool], parts[tool]), seconds[tool]
    }
    for (i = 1; i <= tools; i++) {
        tool = order[i]
        if (wrong[tool] != "")
            printf "\nNot clean under %s: %s.\n", tool, wrong[tool]
        if (forced_count[tool])
            printf "\nEnded by force under %s, without an error by then; rows: %s.\n", tool, \
                of_rows(tool)
        if (waiting[tool] != "")
            printf "\nNot begun under %s: %s.\n", tool, waiting[tool]
    }
    for (i = 1; i <= tools; i++)
        if (kernels[order[i]] != "")
            printf "\nThe errors and warnings of %s are of %s.\n", order[i], kernels[order[i]]
    end()
}
