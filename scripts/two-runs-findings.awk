# How alike are two full runs on one GPU? A block for docs/compare.md from two-runs.txt, which is what
# `swizzlebench compare FIRST SECOND` prints.
/^[a-z]+, A and B$/ {
    family = $1
    sub(",", "", family)
}

/^all [0-9]+ families, A and B$/ {
    families = $2
    all = 1
}

$1 == "gpu" {
    line = $0
    sub(/^ *gpu +/, "", line)
    split(line, side, /   */)
    gpu = side[1]
}

/there in . alone:/ {
    alone = alone (alone == "" ? "" : ", ") "`" family "`"
}

# "10203 rows in both, 387 in A alone, 0 in B alone; ..."
!all && /rows in both/ && $5 + $9 > 0 {
    alone = alone (alone == "" ? "" : ", ") $5 + $9 " rows of `" family "`"
}

all && /rows in both/ {
    rows = $1
}

# "the same GPU on both sides: in 8 of 8 families (2 GPUs)"
all && /^  the same GPU on both sides:/ {
    same = $8
    gpus = substr($12, 2) + 0
}

all && /^  counters with a prediction:/ {
    counters = $0
    sub(/^[^:]*: /, "", counters)
}

all && /^  medians:/ {
    medians = $2 + 0
    within_half = $3
    within_one = $8
}

/, B over A / {
    name = $1
    sub(",", "", name)
    table[++count] = sprintf("| `%s` | `%s` | %s | %s | %s | %s %% | %s %% |", family, name, $6, $7, \
        $11, $12, $14)
}

# "on the same NVIDIA H200", where that is so.
function where() {
    if (same == families && gpus == 1)
        return "the same " gpu
    if (same == families)
        return gpu ", each family twice on the same one of " gpus " cards"
    return gpu ", " same + 0 " of " families + 0 " families twice on the same card"
}

END {
    print "<!-- findings: two-runs -->"
    printf "Two full runs on %s: %s rows of %s families%s. Counters with a prediction: %s. " \
        "Of %d medians %s %% are within 0.5 %%, %s %% within 1 %%.\n\n", where(), rows, families, \
        alone == "" ? "" : " (" alone " ran once)", counters, medians, within_half, within_one
    print "| family | median | rows | least, second over first | most | within 0.5 % | within 1 % |"
    print "| --- | --- | --: | --: | --: | --: | --: |"
    for (i = 1; i <= count; i++)
        print table[i]
    print "<!-- end -->"
}
