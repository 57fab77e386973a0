# Which rows of a contention.csv are pairs of a reader and a writer, and which of them are shown?
# Functions for contention-findings.awk and contention.awk, behind csv.awk.

BEGIN {
    WARPS = 8 # of a side that goes lane by lane, in what is shown
    # Those of the default sweep: others cost what these do, which contention-slowdown says.
    show("ldmatrix.x4 K/128B|ldmatrix.x4 linear|ldmatrix.x4.trans MN/128B")
    show("wgmma.n64 K/128B|wgmma.n128 K/128B|wgmma.n256 K/128B")
    show("st.shared.b32 linear|st.shared.b128 K/128B|st.shared.b128 K/none|cp.async.4.ca linear")
    show("cp.async.16.ca K/128B|cp.async.16.ca K/none|cp.async.16.cg K/128B|cp.async.16.cg K/none")
    show("tma 128B|tma 32B")
}

function show(names,    name, count, i)
{
    count = split(names, name, "|")
    for (i = 1; i <= count; i++)
        shown[name[i]] = 1
}

function name_of(side)
{
    return get(side) " " get(side "_layout")
}

# Both sides, with clocks, and of no public report.
function is_pair()
{
    return get("status") == "ok" && get("report") == "" && get("reader") != "" && get("writer") != "" && \
        get("reader_slowdown") != "" && get("writer_slowdown") != ""
}

# A warpgroup and TMA have the warps that they have.
function has_usual_warps()
{
    return get("writer_warps") == WARPS && (get("reader") ~ /^wgmma/ || get("reader_warps") == WARPS)
}

function is_shown()
{
    return has_usual_warps() && (name_of("reader") in shown) && (name_of("writer") in shown)
}
