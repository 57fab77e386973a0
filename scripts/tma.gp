# How fast does TMA move a box of which geometry, how much does it move in vain, how long does one
# box take, and how many must be in flight?

load scripts."/plot.gp"

# ---- Bytes per clock over width and height: loads, then stores --------------------------------

array panel[4] = ["no swizzle", "32B", "64B", "128B"]
array from[4] = [0.065, 0.615, 0.695, 0.795]
array to[4] = [0.575, 0.655, 0.755, 0.905]
array last[4] = [512, 32, 64, 128]
array picture[2] = ["tma-rate", "tma-rate-stores"]
array cells[2] = [work."/rate.dat", work."/stored.dat"]
do for [way=1:(rate_cells > 0 ? 2 : 0)] {
    eval open(picture[way], 1100, 560)
    eval head(way == 1 ? rate_title : stored_title, "One SM alone ".(way == 1 ? "from" : "to")." L2, bf16 boxes of rank 2 at the best of 1, 2, 4 and 8 in flight that there is room for")
    set palette defined (0 "#f4f8fc", 1 "#c3d9ec", 2 "#7fabd4", 3 "#2f6aa8", 4 "#08264a")
    set cbrange [0 : way == 1 ? rate_most : stored_most]
    set tmargin at screen 0.80
    set bmargin at screen 0.13
    set logscale y 2
    set yrange [0.8 : 290]
    set multiplot
    do for [p=1:4] {
        set lmargin at screen from[p]
        set rmargin at screen to[p]
        set xrange [8 : last[p] + 8]
        set xtics (16, 32) textcolor rgb ink
        if (p == 1) { set xtics (16, 64, 128, 192, 256, 320, 384, 448, 512) }
        if (p == 2) { set xtics ("16" 16, "32" 32) }
        if (p == 3) { set xtics ("16" 16, "64" 64) }
        if (p == 4) { set xtics ("16" 16, "64" 64, "128" 128) }
        set label 3 panel[p] at graph 0,1.05 left textcolor rgb ink
        if (p == 1) { set ylabel "lines" textcolor rgb ink; set ytics textcolor rgb ink; set format y "%g" } else { unset ylabel; set format y "" }
        if (p == 1) { set xlabel "bytes a line" textcolor rgb ink } else { unset xlabel }
        if (p == 4) {
            set colorbox user origin 0.93,0.13 size 0.015,0.67
            set cblabel "B/clk" textcolor rgb ink
        } else {
            unset colorbox
        }
        plot cells[way] using ($1 == p ? $2 : NaN):3:($2 - 8):($2 + 8):4:5:6 with boxxyerror \
            fillstyle solid 1 noborder lc palette
        if (p == 1) { unset label 1; unset label 2; unset label 4 } # drawn once
    }
    unset multiplot
    set output
    unset colorbox
    unset logscale
    unset label
    unset xlabel
    unset ylabel
    set format y "%g"
    set xtics autofreq
    set ytics autofreq
}

set lmargin at screen 0.08
set rmargin at screen 0.97
set tmargin at screen 0.84
set bmargin at screen 0.13
set grid y back lc rgb pale lt 1

# ---- Waste ------------------------------------------------------------------------------------

if (waste_points > 0) {
    eval open("tma-waste", 900, 460)
    eval head(waste_title, "Sectors between SM and L2, ".waste_unit.", over the least that hold the bytes; boxes without swizzle on a tensor of longer lines")
    set xrange [0 : 528]
    set yrange [0.95 : 2.1]
    set xtics 64
    set xlabel "bytes a line" textcolor rgb ink
    set ylabel "sectors moved over sectors needed" textcolor rgb ink
    set key at graph 0.98,0.95 right top reverse Left textcolor rgb ink
    plot 1 with lines lc rgb grey lw 1 notitle, \
        work."/waste.dat" using 1:2 with linespoints pt 7 ps 0.7 lc rgb dark title "load", \
        work."/waste.dat" using 1:3 with points pt 6 ps 1.1 lc rgb light lw 1.3 title "store"
    set output
    unset key
    unset label
}

# ---- Latency ----------------------------------------------------------------------------------

if (latency_points > 0) {
    eval open("tma-latency", 900, 520)
    eval head(latency_title, "One box at a time, from L2, every width, height and swizzle of bf16 boxes of rank 2")
    set logscale xy 2
    set xrange [12 : 200000]
    set yrange [*:*]
    set ytics autofreq
    set xtics (16, 64, 256, "1 Ki" 1024, "4 Ki" 4096, "16 Ki" 16384, "64 Ki" 65536, "128 Ki" 131072)
    set xlabel "bytes of the box" textcolor rgb ink
    set ylabel "clocks" textcolor rgb ink
    set key at graph 0.02,0.95 left top reverse Left textcolor rgb ink
    plot work."/latency.dat" using ($1 == 1 ? $2 : NaN):3 with points pt 7 ps 0.25 lc rgb dark notitle, \
        work."/latency.dat" using ($1 == 2 ? $2 : NaN):3 with points pt 7 ps 0.25 lc rgb light notitle, \
        NaN with points pt 7 ps 0.9 lc rgb dark title "load", \
        NaN with points pt 7 ps 0.9 lc rgb light title "store"
    set output
    unset key
    unset label
    unset logscale
    set xtics autofreq
}

# ---- Boxes in flight --------------------------------------------------------------------------

if (depth_points > 0) {
    eval open("tma-inflight", 900, 480)
    eval head(depth_title, "Loads by one SM from L2: lines of 128 bytes under 128B, and from 32 KiB on of 512 bytes without a swizzle")
    array colour[4] = ["#bcd3e8", "#7fabd4", "#2f6aa8", "#08264a"]
    set logscale x 2
    set xrange [100 : 160000]
    set yrange [0 : rate_most * 1.05]
    set xtics (128, 512, "2 Ki" 2048, "8 Ki" 8192, "32 Ki" 32768, "128 Ki" 131072)
    set ytics 20 format "%g"
    set xlabel "bytes of the box" textcolor rgb ink
    set ylabel "B/clk" textcolor rgb ink
    set key at graph 0.03,0.80 left top reverse Left textcolor rgb ink
    plot 0.95 * rate_most with lines lc rgb grey lw 1 dt 2 title "95 % of the best rate", \
        for [d=4:1:-1] work."/depth.dat" index d-1 using 2:3 with linespoints pt 7 ps 0.4 lw 1.5 \
            lc rgb colour[d] title sprintf("%d in flight", 2 ** (d - 1))
    set output
}
