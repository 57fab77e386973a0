# How many rows are there, in all families together? A block for README.md from their files, behind
# csv.awk and block.awk.
{
    status[get("status")]++
    verified += get("status") == "ok" && get("verified") == "yes"
    rows++
    if (!(meta["gpu_uuid"] in seen)) {
        seen[meta["gpu_uuid"]]
        cards++
    }
    gpu = meta["gpu"]
}

END {
    begin("all")
    printf "**%d rows of %d families** on %s%s: %d ok, of which %d are verified byte for byte, value for " \
        "value or sum for sum; %d refused or skipped, each with its reason; %d failed.\n", rows, csv_file, \
        cards == 1 ? "one " : cards " cards of the kind ", gpu, status["ok"], verified, \
        status["refused"] + status["skipped"], status["failed"]
    end()
}
