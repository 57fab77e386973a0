# What do the plots of every family have in common?
#
# Functions, behind csv.awk and sort.awk and before the family's own script, which runs with -v work=FOLDER.

function set_text(name, text)
{
    gsub(/"/, "'", text)
    printf "%s = \"%s\"\n", name, text > (work "/vars.gp")
}

function set_number(name, value)
{
    printf "%s = %.6g\n", name, value > (work "/vars.gp")
}

function skip(plot, why)
{
    printf "plot: %s: no %s, so no plot of %s\n", FILENAME, why, plot > "/dev/stderr"
}

# Says in the picture where its numbers come from. Returns the GPU's name, or "model".
function set_source(failed,    gpu, source)
{
    gpu = meta["gpu"] !~ /^-?$/ ? meta["gpu"] : "model"
    source = meta["backend"] == "model" ? "Predicted by the model" : "Measured on " gpu
    if (meta["driver"] !~ /^-?$/)
        source = source ", driver " meta["driver"]
    source = source ", " substr(meta["date"], 1, 10) ", swizzlebench " meta["version"]
    if (failed)
        source = source "; " failed " failed rows left out"
    set_text("source", source)
    return gpu
}

# The words of a text, in order, into list[1...], and the place of each word into number[word]. Returns how
# many there are.
function numbered(text, list, number,    count, i)
{
    count = split(text, list, " ")
    for (i = 1; i <= count; i++)
        number[list[i]] = i
    return count
}
