# How much slower are readers of one stage, and writers of another, beside each other?
#
# scripts/plot sets work (folder of contention.awk's output), out (results folder) and ext (svg, png).

load work."/vars.gp"

svg = ext eq "svg"
grey = "#555555"
ink = "#1a1a1a"

# Sizes in pixels of the SVG; the PNG has twice as many each way.
open(name, wide, high) = svg ? \
    sprintf("set terminal svg size %d,%d font 'Helvetica,Arial,sans-serif,12' background '#ffffff'; set output '%s/%s.svg'", \
            wide, high, out, name) : \
    sprintf("set terminal pngcairo size %d,%d font 'DejaVu Sans,9' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'; set output '%s/%s.png'", \
            2 * wide, 2 * high, out, name)
big = svg ? ",16" : ",12"
small = svg ? ",11" : ",8"

# ---- Readers x writers: the slow-down of each side -----------------------------------------------

if (pairs > 0) {
    eval open("contention-slowdown", 1300, 300 + 26 * writers)
    top = 1 - 28.0 / (300 + 26 * writers)
    step = 24.0 / (300 + 26 * writers)
    set label 1 title at screen 0.02,top left font big textcolor rgb ink
    set label 2 what at screen 0.02,top - step left font small textcolor rgb grey
    set label 3 source at screen 0.02,top - 2 * step left font small textcolor rgb grey
    set xrange [0.5 : readers + 0.5]
    set yrange [writers + 0.5 : 0.5]
    set palette defined (0 "#f4f8fc", 1 "#c3d9ec", 2 "#7fabd4", 3 "#2f6aa8", 4 "#08264a")
    set logscale cb 2
    set cbrange [1 : most > 2 ? most : 2]
    set cbtics textcolor rgb ink
    unset border
    unset key
    set tics scale 0 textcolor rgb ink
    set xtics rotate by 35 right
    set tmargin at screen top - 4.5 * step
    set bmargin at screen 130.0 / (300 + 26 * writers)
    set multiplot
    do for [side=0:1] {
        set lmargin at screen 0.20 + 0.37 * side
        set rmargin at screen 0.20 + 0.37 * side + 0.34
        set label 4 (side ? "writers' slow-down" : "readers' slow-down") at graph 0,1.03 left textcolor rgb ink
        if (side) { set colorbox user origin 0.93,0.35 size 0.014,0.4; } else { unset colorbox }
        data = work.(side ? "/writer.dat" : "/reader.dat")
        plot data using 1:2:($1 - 0.48):($1 + 0.48):($2 - 0.48):($2 + 0.48):3 \
                with boxxyerror fillstyle solid 1 noborder lc palette, \
            work."/readers.dat" using 1:(NaN):xtic(2), \
            work.(side ? "/blank.dat" : "/writers.dat") using (NaN):1:ytic(2), \
            data using 1:2:(sprintf("%.2f", $3)):($3 > sqrt(most > 2 ? most : 2) ? 0xffffff : 0x1a1a1a) \
                with labels font small textcolor rgb variable
        unset label
    }
    unset multiplot
    set output
}
