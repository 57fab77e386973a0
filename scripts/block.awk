# How is a block of findings written? Behind sort.awk; scripts/findings gives it to all of them.

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
