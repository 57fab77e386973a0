# How much slower are readers of one stage, and writers of another, beside each other?

load scripts."/plot.gp"

# ---- Readers x writers: the slow-down of each side -----------------------------------------------

if (pairs > 0) {
    eval open("contention-slowdown", 1060, 560)
    eval head(title, what)
    unset border
    set tics scale 0 font small
    set xtics rotate by 35 right
    set tmargin at screen 0.79
    set bmargin at screen 0.20
    set xrange [0.5 : readers + 0.5]
    set yrange [writers + 0.5 : 0.5]
    dark_from = most > 2 ? sqrt(most) : 2
    eval blues
    set logscale cb 2
    set cbrange [1 : most > 2 ? most : 2]
    unset colorbox
    set multiplot
    do for [side=0:1] {
        set lmargin at screen 0.17 + 0.415 * side
        set rmargin at screen 0.56 + 0.415 * side
        set label 3 (side ? "writers' slow-down" : "readers' slow-down") at graph 0,1.04 left textcolor rgb ink
        data = work.(side ? "/writer.dat" : "/reader.dat")
        plot data using 1:2:(0.48):(0.47):($3 < 1 ? 1 : $3) with boxxyerror fillstyle solid 1 noborder lc palette, \
            work."/readers.dat" using 1:(NaN):xtic(2), \
            work.(side ? "/blank.dat" : "/writers.dat") using (NaN):1:ytic(2), \
            data using 1:2:(sprintf("%.2f", $3)):($3 > dark_from ? 0xffffff : 0x1a1a1a) \
                with labels font small textcolor rgb variable
        unset label
    }
    unset multiplot
    set output
}
