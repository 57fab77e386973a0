# Do two runs of the default sweep agree with the model, with each other, and with what the GPU is
# known to reach?
#
#   awk -v seconds='41 40' -f scripts/csv.awk -f tests/gpu/sweep.awk first.csv second.csv
#
# Prints a line a check and exits 1 when one fails. What cannot be checked here (no counters, other
# GPU) says so and fails nothing.
#
# Counters must be the same in both runs to the last digit. Not so what depends on more than the
# instruction: L2 and DRAM sectors, which are what earlier launches happened to leave in the caches;
# and for cp.async the turns that its writes lose at the banks, with the totals that hold them, as
# its data comes back from L1 or L2 when it does.

BEGIN {
    FORM_BYTES_PER_CLK = 127.85
    LADDER_TOLERANCE = 0.002
    REPEAT_TOLERANCE = 0.005
    REPEAT_SHARE = 0.99
    LIMIT_S = 60
    LEAST_ROWS = 800
}

{
    run = csv_file
    counters[run] = meta["counters"]
    gpu = meta["gpu"]
    backend[run] = meta["backend"]
    name = get("case")
    rows[run]++
    twice += (run, name) in seen
    seen[run, name] = get("status")
    by_status[run, get("status")]++
    if (run == 1)
        order[rows[1]] = name
    else if (order[rows[2]] != name)
        misplaced = misplaced == "" ? name : misplaced
}

get("status") == "failed" {
    tell("failed", name ": " get("reason"))
}

get("status") != "ok" {
    next
}

{
    ok_rows++
    verified += get("verified") == "yes"
    if (get("verified") != "yes")
        tell("verified", name ": " get("verified"))
    copies = get("instruction") ~ /^cp\.async/
    check_times()
}

counters[run] == "yes" {
    counted_rows++
    if (get("inst_executed") == get("inst_expected") && get("inst_expected") != "")
        executed++
    else
        tell("executed", name ": " get("inst_executed") ", not " get("inst_expected"))
    check_model()
    check_counters()
}

function check_model()
{
    if (get("model_wavefronts") == "")
        return
    modelled++
    if (get("model_wavefronts") == get("hw_wavefronts") && \
        get("model_conflicts") == get("hw_conflicts"))
        agreed++
    else
        tell("agreed", name ": " get("model_wavefronts") " wavefronts and " \
             get("model_conflicts") " conflicts predicted, " get("hw_wavefronts") " and " \
             get("hw_conflicts") " counted")
}

function check_counters(    column)
{
    for (column in csv_column) {
        if (column !~ /^hw_/ || column ~ /^hw_(l2|dram)_sectors$/ || \
            (copies && column ~ /^hw_(total_wavefronts|other_wavefronts|arbitration_conflicts)$/))
            continue
        if (run == 1)
            value_of[name, column] = get(column)
        else if ((name, column) in value_of) {
            counts_compared++
            if (value_of[name, column] == get(column))
                counts_same++
            else
                tell("same", name " " column ": " value_of[name, column] ", then " get(column))
        }
    }
}

function check_times(    form, busy, off)
{
    busy = get("throughput_cycles") + 0
    if (busy <= 0)
        tell("timed", name ": no throughput")
    else
        timed++
    if (run == 1)
        busy_of[name] = busy
    else if (busy_of[name] > 0) {
        off = busy / busy_of[name] - 1
        off = off < 0 ? -off : off
        times_compared++
        times_same += off <= REPEAT_TOLERANCE
        if (off > worst_off) {
            worst_off = off
            worst_off_case = name
        }
    }
    if (copies)
        return
    if (get("model_conflicts") != "" && get("model_conflicts") == 0) {
        form = get("instruction") SUBSEP run
        rate[form, ++rates[form]] = get("bytes_per_clk_sm") + 0
    }
    if (get("access") == "ladder") {
        off = get("cycles_per_wavefront") - 1
        off = off < 0 ? -off : off
        ladder_rows++
        if (off <= LADDER_TOLERANCE)
            ladder_good++
        else
            tell("ladder", name ": " get("cycles_per_wavefront") " clocks a wavefront")
        ladder_off = off > ladder_off ? off : ladder_off
    }
}

# The first few of each kind are shown under their check.
function tell(kind, text)
{
    if (++told[kind] <= 3)
        story[kind, told[kind]] = text
}

function line(verdict, what, value, bar)
{
    printf "%-5s %-44s %-36s %s\n", verdict, what, value, bar
    if (verdict == "FAIL")
        failures++
}

function check(good, what, value, bar, kind,    i)
{
    line(good ? "pass" : "FAIL", what, value, bar)
    for (i = 1; kind != "" && i <= told[kind] && i <= 3; i++)
        printf "          %s\n", story[kind, i]
}

function of(count, all)
{
    return sprintf("%d of %d", count, all)
}

# Sorts the rates of a form and returns their median.
function median_rate(form,    n, i, j, held)
{
    n = rates[form]
    for (i = 2; i <= n; i++) {
        held = rate[form, i]
        for (j = i - 1; j >= 1 && rate[form, j] > held; j--)
            rate[form, j + 1] = rate[form, j]
        rate[form, j + 1] = held
    }
    return n % 2 ? rate[form, (n + 1) / 2] : (rate[form, n / 2] + rate[form, n / 2 + 1]) / 2
}

END {
    known = gpu == "NVIDIA H200"
    line("", "check", gpu " (two runs)", "bar")
    check(csv_file == 2 && backend[1] == "cuda" && backend[2] == "cuda", "two files, measured", \
          csv_file + 0, "2")
    check(rows[1] >= LEAST_ROWS && rows[1] == rows[2] && !twice && misplaced == "", \
          "the same cases in the same order", rows[1] + 0 " and " rows[2] + 0, \
          "equal, at least " LEAST_ROWS)
    check(!by_status[1, "failed"] && !by_status[2, "failed"], "rows failed", \
          by_status[1, "failed"] + 0 " and " by_status[2, "failed"] + 0, "0", "failed")
    check(same_status(), "status is the same in both runs", \
          of(by_status[1, "ok"], rows[1]) " ok", "same")
    check(verified == ok_rows && ok_rows > 0, "verified byte for byte", of(verified, ok_rows), \
          "all", "verified")
    check(timed == ok_rows, "timed", of(timed, ok_rows), "all", "timed")
    if (counters[1] == "yes" && counters[2] == "yes")
        end_counters()
    else
        line("-", "counters", counters[1], "not to be had here, so not checked")
    check(times_compared > 0 && times_same >= REPEAT_SHARE * times_compared, \
          "median throughput within 0.5 %", sprintf("%.2f %% of %d rows", \
          times_compared ? 100 * times_same / times_compared : 0, times_compared), \
          "at least 99 %")
    printf "          furthest apart: %.2f %%, %s\n", 100 * worst_off, worst_off_case
    end_known()
    printf "%d checks failed\n", failures
    exit failures > 0
}

function same_status(    i)
{
    for (i = 1; i <= rows[1]; i++)
        if (seen[1, order[i]] != seen[2, order[i]])
            return 0
    return 1
}

function end_counters()
{
    check(executed == counted_rows && counted_rows > 0, "inst_executed = inst_expected", \
          of(executed, counted_rows), "all", "executed")
    check(agreed == modelled && modelled > 0, "model = counter, wavefronts and conflicts", \
          of(agreed, modelled), "all", "agreed")
    check(counts_same == counts_compared && counts_compared > 0, \
          "counters are the same in both runs", of(counts_same, counts_compared) " values", \
          "all", "same")
}

# What an H200 is known to reach; of another GPU it is shown.
function end_known(    i, n, name, words, middle, part)
{
    check_known(ladder_good == ladder_rows && ladder_rows > 0, \
                "ladder, clocks a wavefront off 1.000", \
                sprintf("at most %.4f in %d rows", ladder_off, ladder_rows), \
                "at most " LADDER_TOLERANCE, "ladder")
    n = split("ld.shared.b32 ld.shared.b64 ld.shared.b128 st.shared.b32 st.shared.b64 " \
              "st.shared.b128 ldmatrix.x1 ldmatrix.x2 ldmatrix.x4 ldmatrix.x1.trans " \
              "ldmatrix.x2.trans ldmatrix.x4.trans stmatrix.x1 stmatrix.x2 stmatrix.x4 " \
              "stmatrix.x1.trans stmatrix.x2.trans stmatrix.x4.trans", words, " ")
    for (i = 1; i <= n; i++)
        for (run = 1; run <= 2; run++) {
            name = words[i] SUBSEP run
            middle = rates[name] ? median_rate(name) : 0
            check_known(rate[name, 1] >= FORM_BYTES_PER_CLK, words[i] ", run " run ", B/clk/SM", \
                        rates[name] ? sprintf("%.3f, %.3f to %.3f in %d rows", middle, \
                        rate[name, 1], rate[name, rates[name]], rates[name]) : "no rows", \
                        "lowest at least " FORM_BYTES_PER_CLK)
        }
    n = split(seconds, part, " ")
    for (i = 1; i <= n; i++)
        check_known(part[i] <= LIMIT_S, "run " i ", seconds", part[i], "at most " LIMIT_S)
}

function check_known(good, what, value, bar, kind)
{
    if (known)
        check(good, what, value, bar, kind)
    else
        line("-", what, value, "no bar for this GPU")
}
