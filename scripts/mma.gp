# What does an mma.sync cost in which layouts of A and B, and how much of that is its loads?

load scripts."/plot.gp"

head(title, sub, top) = sprintf("set label 1 \"%s\" at screen 0.02,%g left font big textcolor rgb ink; set label 2 \"%s\" at screen 0.02,%g left font small textcolor rgb grey; set label 3 \"%s\" at screen 0.02,%g left font small textcolor rgb grey", title, top, sub, top - 0.04, source, top - 0.075)

# ---- Layout of A x layout of B ----------------------------------------------------------------

if (cells > 0) {
    eval open("mma-layouts", 900, 600)
    eval head(layouts_title, layouts_what, 0.96)
    set lmargin at screen 0.11
    set rmargin at screen 0.87
    set tmargin at screen 0.84
    set bmargin at screen 0.12
    set xrange [0.5 : 10.5]
    set yrange [10.5 : 0.5]
    set xlabel "layout of B" textcolor rgb ink
    set ylabel "layout of A" textcolor rgb ink
    set palette defined (0 "#f4f8fc", 1 "#c3d9ec", 2 "#7fabd4", 3 "#2f6aa8", 4 "#08264a")
    set logscale cb 2
    set cbrange [1 : layouts_most]
    set colorbox user origin 0.90,0.12 size 0.018,0.72
    set cblabel layouts_unit textcolor rgb ink
    set cbtics (1, 2, 4, 8)
    unset border
    set tics scale 0
    plot work."/layouts.dat" using 1:2:($1 - 0.48):($1 + 0.48):($2 - 0.48):($2 + 0.48):3:xtic("") \
            with boxxyerror fillstyle solid 1 noborder lc palette, \
        work."/names.dat" using 1:(NaN):xtic(2), \
        work."/names.dat" using (NaN):1:ytic(2), \
        work."/layouts.dat" using 1:2:(sprintf("%.2f", $3)):($3 > 4 ? 0xffffff : 0x1a1a1a) \
            with labels font small textcolor rgb variable
    set output
    unset logscale
    unset label
    unset colorbox
    unset xlabel
    unset ylabel
    set border 3 lc rgb grey
    set tics scale 1
    set xtics autofreq
    set ytics autofreq
}

# ---- Loads in the loop, and not ---------------------------------------------------------------

if (points > 0) {
    eval open("mma-loads", 1100, 500)
    loads_what = "A and B in one layout, 8 warps on every SM; bound: the larger of wavefronts, at a clock each, and clocks without loads; empty where skipped"
    array type[4] = ["bf16", "f16", "tf32", "s8"]
    eval head(loads_title, loads_what, 0.95)
    set tmargin at screen 0.74
    set bmargin at screen 0.20
    set errorbars 0
    set logscale y 2
    set xrange [0.4 : 10.6]
    set yrange [1 : 16]
    set grid y back lc rgb pale lt 1
    set multiplot
    do for [t=1:4] {
        set lmargin at screen 0.06 + (t - 1) * 0.237
        set rmargin at screen 0.06 + (t - 1) * 0.237 + 0.215
        set label 4 type[t] at graph 0,1.05 left textcolor rgb ink
        set xtics rotate by 60 right
        if (t == 1) { set ylabel "clocks per mma" textcolor rgb ink } else { unset ylabel; set format y "" }
        if (t == 4) { set key at screen 0.98,0.855 right top horizontal maxrows 1 reverse Left textcolor rgb ink } else { unset key }
        plot work."/loads.dat" index t-1 using 1:4:(0.4) with xerrorbars pt -1 lw 3 lc rgb "#a8a8a8" title "bound", \
            "" index t-1 using 1:3 with points pt 6 ps 1.0 lw 1.3 lc rgb light title "without loads", \
            "" index t-1 using 1:2 with points pt 7 ps 0.8 lc rgb dark title "with loads", \
            work."/names.dat" using 1:(NaN):xtic(2) notitle
        unset label
    }
    unset multiplot
    set output
}
