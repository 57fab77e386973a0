# How are numbers sorted in awk? Functions for the other scripts.

function sort(values, n,    gap, i, j, held)
{
    for (gap = int(n / 2); gap > 0; gap = int(gap / 2))
        for (i = gap + 1; i <= n; i++) {
            held = values[i]
            for (j = i; j > gap && values[j - gap] > held; j -= gap)
                values[j] = values[j - gap]
            values[j] = held
        }
}

# Sorts them.
function median(values, n)
{
    sort(values, n)
    return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
}
