# What did ncu count for the launches that we recorded?
#
#   awk -f scripts/csv.awk -f scripts/cross-check-counts.awk ours.counts ncu-rows.csv >ncu.counts
#
# Out: the form of harness/count_log.h, with the launches and metrics of the first file and the
# values of the second: ncu's `--csv --page raw`, from its header on. That has a column a metric, a
# second row with units, then a row a launch, and commas within numbers. Exits 1 where a launch or a
# value is missing, or is of another kernel.

function wrong(text)
{
    print "cross-check: " text > "/dev/stderr"
    failed = 1
    exit 1
}

csv_file == 1 {
    launch[lines] = get("launch")
    kernel[lines] = get("kernel")
    metric[lines++] = get("metric")
    next
}

# The units; with base units asked for none has a prefix.
get("ID") == "" {
    for (name in csv_column)
        if (get(name) ~ /^[KMGT][a-z]/)
            wrong("ncu gives " name " in " get(name))
    next
}

{
    kernels[launches] = get("Kernel Name")
    sub(/\(.*/, "", kernels[launches])
    for (i = 0; i < lines; i++)
        if (launch[i] == launches) {
            if (kernel[i] != kernels[launches])
                wrong("launch " launches " is " kernel[i] ", and ncu saw " kernels[launches])
            if (!(metric[i] in csv_column))
                wrong("ncu has no column " metric[i])
            value[i] = get(metric[i])
            gsub(/,/, "", value[i])
            if (value[i] !~ /^[0-9.]+(e\+?[0-9]+)?$/)
                wrong("ncu has " metric[i] " = '" get(metric[i]) "' for launch " launches)
        }
    launches++
}

BEGIN {
    launches = lines = 0
}

END {
    if (failed)
        exit 1
    if (lines == 0)
        wrong("we recorded no launch")
    if (launches != launch[lines - 1] + 1)
        wrong("we recorded " launch[lines - 1] + 1 " launches, and ncu saw " launches)
    print "launch,kernel,metric,value"
    for (i = 0; i < lines; i++)
        printf "%s,%s,%s,%.17g\n", launch[i], kernel[i], metric[i], value[i]
}
