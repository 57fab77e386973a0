# What do the plots of every family have in common?
#
# Each begins with `load scripts."/plot.gp"`. scripts/plot sets scripts (this folder), work (folder of the
# family's awk output) and ext (svg, png), and starts it in the folder of the plots.

load work."/vars.gp"

svg = ext eq "svg"
grey = "#555555"
ink = "#1a1a1a"
pale = "#e4e4e4"
dark = "#0b3c6f"
light = "#e08214"
# From little to much, white to dark: eval blues.
blues = 'set palette defined (0 "#ffffff", 1 "#cfe0ef", 2 "#8fb5d8", 3 "#3f78b0", 5 "#08264a")'

# Sizes in pixels of the SVG; the PNG has twice as many each way.
open(name, wide, high) = svg ? \
    sprintf("set terminal svg size %d,%d font 'Helvetica,Arial,sans-serif,12' background '#ffffff'; set output '%s.svg'", \
            wide, high, name) : \
    sprintf("set terminal pngcairo size %d,%d font 'DejaVu Sans,9' fontscale 2 linewidth 2 pointscale 2 background '#ffffff'; set output '%s.png'", \
            2 * wide, 2 * high, name)
big = svg ? ",16" : ",12"
small = svg ? ",11" : ",8"
head(title, sub) = sprintf("set label 1 \"%s\" at screen 0.02,0.96 left font big textcolor rgb ink; set label 2 \"%s\" at screen 0.02,0.92 left font small textcolor rgb grey; set label 4 \"%s\" at screen 0.02,0.885 left font small textcolor rgb grey", title, sub, source)

set datafile missing "?"
set border 3 lc rgb grey
set tics nomirror out textcolor rgb ink
unset key
