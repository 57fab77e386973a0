# Which cases take longer on another GPU, and is that its clock?
#
# scripts/compare-plot sets work (folder of compare-plot.awk's output), name (FAMILY-COLUMN) and ext
# (svg, png), and starts this in the folder of the plots.

load work."/".name.".vars"

svg = ext eq "svg"
if (svg) {
    set terminal svg size 1000,540 font 'Helvetica,Arial,sans-serif,12' background '#ffffff'
} else {
    set terminal pngcairo size 2000,1080 font 'DejaVu Sans,9' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'
}
set output "compare-".name.".".ext

set border 3 lc rgb "#555555"
set tics nomirror out
set grid back lc rgb "#e4e4e4" lt 1
set logscale x
set key at screen 0.98,0.985 right top vertical noenhanced samplen 1
set label 1 name.": the other side over the first" at screen 0.02,0.96 left noenhanced
set label 2 "first: ".first at screen 0.02,0.92 left noenhanced
set tmargin at screen 0.80
set bmargin at screen 0.14
array colour[7] = ["#0b3c6f", "#e08214", "#2f8f4e", "#8a3ffc", "#c0392b", "#555555", "#1f9bcf"]

# A rate in seconds is the same in both; without a clock in the files there are no seconds.
panels = exists("seconds_unit") && seconds_unit ne clocks_unit ? 2 : 1
set multiplot
do for [panel=1:panels] {
    what = panel == 1 ? "clocks" : "seconds"
    set lmargin at screen 0.09 + (panel - 1) * 0.49
    set rmargin at screen 0.09 + (panel - 1) * 0.49 + 0.39
    eval "set xrange ".value(what."_range")
    set yrange [value(what."_low") : value(what."_high")]
    set xlabel "first, ".value(what."_unit") noenhanced
    set ylabel "ratio of ".value(what."_unit") noenhanced
    if (panel == 2) { unset key }
    plot for [i=1:value(what."_others")] work."/".name."-".what.".dat" index i-1 \
            using 1:($2 / $1) with points pt 7 ps 0.35 lc rgb colour[i] title value(what."_name".i), \
        1 with lines lc rgb "#a8a8a8" notitle
}
unset multiplot
