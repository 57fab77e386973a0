# How near to a plain copy does which path come in which layout, and how much must be in flight?

load scripts."/plot.gp"

array panel[2] = ["L2", "DRAM"]

# ---- Path x layout ----------------------------------------------------------------------------

if (cells > 0) {
    eval open("copy-paths", 900, 620)
    eval head(paths_title, paths_what)
    set border 0
    set tmargin at screen 0.78
    set bmargin at screen 0.11
    set xrange [0.5 : 6.5]
    set yrange [path_rows + 1 : 0.5]
    set tics scale 0
    set xtics ("" 1) font small
    set ytics ("" 1) font small
    do for [i=1:6] {
        set xtics add (value(sprintf("layout_%d", i)) i)
    }
    eval blues
    set cbrange [0 : 110]
    unset colorbox
    set multiplot
    do for [p=1:2] {
        set lmargin at screen 0.15 + 0.43 * (p - 1)
        set rmargin at screen 0.55 + 0.43 * (p - 1)
        set label 3 panel[p] at graph 0,1.04 left textcolor rgb ink
        if (p == 1) {
            do for [i=1:path_rows] { set ytics add (value(sprintf("path_%d", i)) value(sprintf("path_at_%d", i))) }
        } else {
            unset ytics
        }
        plot work."/paths.dat" using ($1 == p ? $2 : NaN):3:(0.47):(0.46):4 \
                with boxxyerror fillstyle solid 1 noborder lc palette, \
            "" using ($1 == p ? $2 : NaN):3:(sprintf("%.0f", $4)):($4 > 60 ? 0xffffff : 0x1a1a1a) \
                with labels font small textcolor rgb variable
        unset label
    }
    unset multiplot
    set output
    set border 3 lc rgb grey
    set tics scale 1
    unset xtics
    unset ytics
}

# ---- Bytes in flight --------------------------------------------------------------------------

if (depths > 0) {
    eval open("copy-inflight", 1000, 560)
    eval head(depth_title, depth_what)
    array colour[3] = ["#e08214", "#7fabd4", "#0b3c6f"]
    above(peak) = peak > 0 ? ceil(1.08 * peak) : 1 # a panel without points is drawn, too
    array high[2] = [above(peak_1), above(peak_2)]
    array highest[2] = [peak_1, peak_2]
    set tmargin at screen 0.78
    set bmargin at screen 0.28
    set grid y back lc rgb pale lt 1
    set logscale x 2
    set xrange [1.6 : 256]
    set xtics (2, 4, 8, 16, 32, 64, 128) nomirror
    set ytics autofreq nomirror
    set xlabel "KiB in flight on an SM" textcolor rgb ink
    set multiplot
    do for [p=1:2] {
        set lmargin at screen 0.07 + 0.49 * (p - 1)
        set rmargin at screen 0.49 + 0.49 * (p - 1)
        set yrange [0 : high[p]]
        set label 3 "from ".panel[p] at graph 0,1.05 left textcolor rgb ink
        if (p == 1) { set ylabel "TB/s" textcolor rgb ink } else { unset ylabel }
        if (p == 2) { set key at screen 0.98,0.03 right bottom horizontal maxrows 1 reverse Left textcolor rgb ink } else { unset key }
        plot highest[p] with lines dt 2 lw 1 lc rgb grey notitle, \
            for [s=1:3] work."/inflight.dat" index 3*(p-1)+s-1 using ($2 == 64 ? $1 : NaN):3 with points pt 6 ps 0.8 lw 1.3 lc rgb colour[s] notitle, \
            for [s=1:3] work."/inflight.dat" index 3*(p-1)+s-1 using ($2 == 128 ? $1 : NaN):3 with points pt 7 ps 0.8 lc rgb colour[s] notitle, \
            for [s=1:3] work."/inflight.dat" index 3*(p-1)+s-1 using ($2 == 256 ? $1 : NaN):3 with points pt 13 ps 1.0 lc rgb colour[s] notitle, \
            for [s=1:3] NaN with points pt 5 ps 0.9 lc rgb colour[s] title value(sprintf("series_%d", s)), \
            NaN with points pt 6 ps 0.8 lw 1.3 lc rgb grey title "lines of 64 bytes", \
            NaN with points pt 7 ps 0.8 lc rgb grey title "128", \
            NaN with points pt 13 ps 1.0 lc rgb grey title "256"
        unset label
    }
    unset multiplot
    set output
}
