# How is a block of findings written? Behind csv.awk and sort.awk; scripts/findings gives it to all of them.

function begin(name)
{
    printf "<!-- findings: %s -->\n", name
}

function end()
{
    print "<!-- end -->"
}

# "all 5", "3 of 5".
function all_of(part, whole)
{
    return part == whole ? "all " whole : part " of " whole
}

# A value of the row that is predicted and counted: counts by name how often there is one, and how often
# the two are the same. A row without a prediction does not count.
function add_agreement(what, model, counted)
{
    if (get(model) == "")
        return
    judged[what]++
    agreed[what] += get(model) == get(counted)
}

function agreement(what)
{
    return all_of(agreed[what] + 0, judged[what] + 0)
}
