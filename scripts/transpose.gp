# How near to a plain copy does a transpose come, by method and layout?

load scripts."/plot.gp"

set border 0
set tics nomirror scale 0 textcolor rgb ink
unset colorbox
set tmargin at screen 0.78
set bmargin at screen 0.20
set xrange [0.5 : 10.5]
set yrange [13.5 : 0.5]
set xtics ("" 1) rotate by 60 right font small
do for [i=1:10] {
    set xtics add (value(sprintf("layout_%d", i)) i)
}
eval blues
set cbrange [0 : 110]

array bits[3] = ["8 bits", "16 bits", "32 bits"]
array picture[2] = ["transpose-dram", "transpose-l2"]
array cells[2] = [dram_cells, l2_cells]
array data[2] = [work."/dram.dat", work."/l2.dat"]
do for [way=1:2] {
    if (cells[way] > 0) {
        eval open(picture[way], 1100, 560)
        eval head(way == 1 ? dram_title : l2_title, way == 1 ? dram_what : l2_what)
        set multiplot
        do for [p=1:3] {
            set lmargin at screen 0.20 + 0.27 * (p - 1)
            set rmargin at screen 0.45 + 0.27 * (p - 1)
            set label 3 bits[p] at graph 0,1.04 left textcolor rgb ink
            set ytics ("" 1) font small
            if (p == 1) {
                do for [i=1:13] { set ytics add (value(sprintf("method_%d", i)) i) }
            }
            plot data[way] using ($1 == p ? $2 : NaN):3:(0.47):(0.45):4 \
                    with boxxyerror fillstyle solid 1 noborder lc palette, \
                "" using ($1 == p ? $2 : NaN):3:(sprintf("%.0f", $4)):($4 > 60 ? 0xffffff : 0x1a1a1a) \
                    with labels font small textcolor rgb variable
            unset label
        }
        unset multiplot
        set output
    }
}
