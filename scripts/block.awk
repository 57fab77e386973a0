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

# The same of requests to L2, less than one more or fewer; those that are merged on the way make it fewer.
function add_l2_requests(model, counted,    more)
{
    if (get(model) == "" || get(counted) == "")
        return
    more = get(counted) - get(model)
    judged["L2"]++
    agreed["L2"] += more > -1 && more < 1
    fewer["L2"] += more <= -1
}

# "requests to L2 (`model_requests`, `hw_requests`) to less than one in all 5, fewer in none"
function l2_agreement(model, counted)
{
    return sprintf("requests to L2 (`%s`, `%s`) to less than one in %s rows that have a prediction, " \
        "fewer in %d, more in %d", model, counted, agreement("L2"), fewer["L2"], \
        judged["L2"] - agreed["L2"] - fewer["L2"])
}

function agreement(what)
{
    return all_of(agreed[what] + 0, judged[what] + 0)
}
