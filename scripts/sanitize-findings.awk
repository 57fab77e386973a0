# What did compute-sanitizer find? A block for docs/sanitizers.md from sanitize.csv, behind csv.awk,
# block.awk and sanitize-clean.awk.
{
    tool = get("tool")
    if (!(tool in parts))
        order[++tools] = tool
    parts[tool]++
    ended[tool] += get("ended") == "yes"
    rows[tool] += get("rows")
    failed[tool] += get("rows_failed")
    errors[tool] += get("errors")
    warnings[tool] += get("warnings")
    seconds[tool] += get("seconds")
    if (!is_clean())
        unclean[tool] = unclean[tool] (unclean[tool] == "" ? "" : "; ") sprintf("`%s`, %d rows, " \
            "%d of them failed, %d errors%s%s", get("part"), get("rows"), get("rows_failed"), \
            get("errors"), get("warnings") > 0 ? sprintf(", %d warnings", get("warnings")) : "", \
            get("ended") == "yes" ? "" : ", ended by force")
    count = split(get("kernels"), names, " ")
    for (i = 1; i <= count; i++)
        if (!((tool, names[i]) in seen)) {
            seen[tool, names[i]]
            kernels[tool] = kernels[tool] (kernels[tool] == "" ? "" : ", ") "`" names[i] "`"
        }
    version = meta["tools"]
}

END {
    begin("sanitize")
    printf "compute-sanitizer %s, over the default sweep:\n\n", version
    print "| tool | rows | rows failed | errors | warnings | parts that came to their end | seconds, all parts added up |"
    print "| --- | --: | --: | --: | --: | --: | --: |"
    for (i = 1; i <= tools; i++) {
        tool = order[i]
        printf "| %s | %d | %d | %d | %d | %s | %.0f |\n", tool, rows[tool], failed[tool], \
            errors[tool], warnings[tool], all_of(ended[tool], parts[tool]), seconds[tool]
    }
    for (i = 1; i <= tools; i++)
        if (unclean[order[i]] != "")
            printf "\nNot clean under %s: %s.\n", order[i], unclean[order[i]]
    for (i = 1; i <= tools; i++)
        if (kernels[order[i]] != "")
            printf "\n%s names %s.\n", order[i], kernels[order[i]]
    end()
}
