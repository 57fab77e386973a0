# How many FLOP per clock does wgmma reach at which N, and do the layouts of its operands matter?

load scripts."/plot.gp"

# ---- FLOP per clock over N --------------------------------------------------------------------

if (rate_points > 0) {
    eval open("wgmma-rate", 900, 560)
    eval head(rate_title, rate_range)
    set lmargin at screen 0.09
    set rmargin at screen 0.80
    set tmargin at screen 0.84
    set bmargin at screen 0.11
    set grid y back lc rgb pale lt 1
    set logscale xy 2
    set xrange [7 : 290]
    set yrange [400 : 10000]
    set xtics (8, 16, 24, 32, 48, 64, 96, 128, 192, 256)
    set ytics (512, 1024, 2048, 4096, 8192)
    set xlabel "N of m64nN" textcolor rgb ink
    set ylabel "FLOP/clk/SM" textcolor rgb ink
    do for [i=1:rate_series] {
        set label 10 + i value(sprintf("rate_name_%d", i)) at 310,value(sprintf("rate_peak_%d", i)) \
            left textcolor rgb ink
    }
    set key at graph 0.98,0.04 right bottom reverse Left textcolor rgb ink
    plot for [i=0:rate_series-1] work."/rate.dat" index 2*i using 1:3 with lines lc rgb dark lw 1 notitle, \
        for [i=0:rate_series-1] work."/rate.dat" index 2*i+1 using 1:3 with lines lc rgb light lw 1 notitle, \
        for [i=0:rate_series-1] work."/rate.dat" index 2*i+1 using 1:2 with points pt 6 ps 1.1 lc rgb light lw 1.3 notitle, \
        for [i=0:rate_series-1] work."/rate.dat" index 2*i using 1:2 with points pt 7 ps 0.6 lc rgb dark notitle, \
        NaN with points pt 7 ps 0.6 lc rgb dark title "A from shared memory", \
        NaN with points pt 6 ps 1.1 lc rgb light lw 1.3 title "A from registers", \
        NaN with lines lc rgb grey lw 1 title "model"
    set output
    unset key
    unset label
    unset logscale
    unset grid
    unset xlabel
    unset ylabel
}

# ---- Layout of A x layout of B ----------------------------------------------------------------

if (layout_cells > 0) {
    eval open("wgmma-layouts", 1100, 490)
    eval head(layouts_title, layouts_range)
    set border 0
    set tmargin at screen 0.76
    set bmargin at screen 0.20
    set xrange [0.5 : 8.5]
    set yrange [9.75 : 0.5]
    set xtics rotate by 60 right scale 0 font small
    set ytics scale 0 font small
    do for [i=1:8] {
        set xtics add (value(sprintf("layout_%d", i)) i)
    }
    eval blues
    set cbrange [0 : 130]
    unset colorbox
    set multiplot
    do for [p=1:3] {
        set lmargin at screen 0.085 + 0.31 * (p - 1)
        set rmargin at screen 0.365 + 0.31 * (p - 1)
        set label 3 sprintf("N = %d", value(sprintf("panel_n_%d", p))) at graph 0,1.05 left textcolor rgb ink
        if (p == 1) {
            set ylabel "A" offset 1.5,0 textcolor rgb ink
            set xlabel "B" textcolor rgb ink
            do for [i=1:8] { set ytics add (value(sprintf("layout_%d", i)) i) }
            set ytics add ("registers" 9.25)
        } else {
            unset ylabel
            unset ytics
        }
        plot work."/layouts.dat" using ($1 == p ? $2 : NaN):($3 + 0.25 * ($3 > 8)):(0.47):(0.45):5 \
                with boxxyerror fillstyle solid 1 noborder lc palette, \
            work."/layouts.dat" using ($1 == p ? $2 : NaN):($3 + 0.25 * ($3 > 8)):(sprintf($4 < 99 ? "%.2f" : "%.1f", $4)):($5 > 60 ? 0xffffff : 0x1a1a1a) \
                with labels font small textcolor rgb variable
        unset label
    }
    unset multiplot
    set output
}
