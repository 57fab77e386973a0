# What does a wavefront cost, which layouts conflict with which instruction, and how near the peak
# of 128 B/clk/SM does each layout come?

load scripts."/plot.gp"

set datafile separator whitespace

# ---- What a wavefront costs -------------------------------------------------------------------

if (cost_points > 0) {
    eval open("shared-cost", 900, 760)
    # cp.async has limits of its own, global reads among them: grey, and in the upper panel alone.
    array kind[5] = ["ld.shared", "st.shared", "ldmatrix", "stmatrix", "cp.async"]
    array filled[5] = [7, 5, 9, 13, 2]
    array hollow[5] = [6, 4, 8, 12, 1]
    busy_colour(k) = k == 5 ? "#8a8a8a" : dark
    alone_colour(k) = k == 5 ? "#8a8a8a" : light
    beside(x, k) = x * 2 ** ((k - 2.5) * 0.11)
    set multiplot
    set label 1 cost_title at screen 0.02,0.965 left font big textcolor rgb ink
    set label 2 cost_range at screen 0.02,0.934 left font small textcolor rgb grey
    set label 5 source at screen 0.02,0.909 left font small textcolor rgb grey
    set grid y back lc rgb pale lt 1
    set logscale xy 2
    set xrange [0.7 : 1.45 * cost_most]
    set format x ""
    set lmargin at screen 0.09
    set rmargin at screen 0.97
    set tmargin at screen 0.88
    set bmargin at screen 0.40
    set ylabel "clocks an instruction" textcolor rgb ink
    set yrange [0.7 : 6 * cost_most]
    set key at graph 1,0.01 right bottom reverse Left samplen 1 spacing 1.05 maxrows 5 \
        width -3 textcolor rgb ink
    set label 3 "y = 2x" at 0.8 * cost_most,2.3 * cost_most right textcolor rgb grey
    set label 4 "y = x" at 0.95 * cost_most,0.7 * cost_most left textcolor rgb grey
    plot x with lines lc rgb grey lw 1 notitle, \
        2*x with lines lc rgb grey lw 1 dt 2 notitle, \
        for [k=1:5] work."/cost.dat" using 2:($1 == k ? $4 : NaN) with points \
            pt hollow[k] ps 0.8 lc rgb alone_colour(k) lw 1.3 title kind[k].", one warp alone", \
        for [k=1:5] work."/cost.dat" using 2:($1 == k ? $3 : NaN) with points \
            pt filled[k] ps 0.8 lc rgb busy_colour(k) title kind[k].", busy SM"
    unset label
    unset key
    unset logscale y
    set format x "%g"
    set tmargin at screen 0.36
    set bmargin at screen 0.085
    set yrange [0 : ceil(alone_most)]
    set ytics 1
    set ylabel "clocks a wavefront"
    set xlabel "wavefronts an instruction (below, the kinds stand side by side)" textcolor rgb ink
    plot 1 with lines lc rgb grey lw 1, 2 with lines lc rgb grey lw 1 dt 2, \
        for [k=1:4] work."/cost.dat" using (beside($2, k)):($1 == k ? $4 / $2 : NaN) with points \
            pt hollow[k] ps 0.8 lc rgb light lw 1.3, \
        for [k=1:4] work."/cost.dat" using (beside($2, k)):($1 == k ? $3 / $2 : NaN) with points \
            pt filled[k] ps 0.8 lc rgb dark
    unset multiplot
    set output
    unset logscale
    unset grid
    unset xlabel
    unset ylabel
    set ytics autofreq
}

# ---- Instruction x layout ---------------------------------------------------------------------

if (layout_cells > 0) {
    left = 40 + 6.6 * longest_label
    wide = left + 20 + 44 * (layout_span + 1)
    high = 215 + 30 * (layout_lines + 1)
    eval open("shared-layouts", wide, high)
    set border 0
    set lmargin at screen left / wide
    set rmargin at screen 1 - 20.0 / wide
    set tmargin at screen 1 - 88.0 / high
    set bmargin at screen 125.0 / high
    set xrange [-0.5 : layout_span + 0.5]
    set yrange [layout_lines - 0.5 : -1.8]
    unset xtics
    unset ytics
    set label layout_title at screen 20.0/wide,1 - 28.0/high left font big textcolor rgb ink
    set label "Wavefronts over the ideal, 16-bit tile of ".tile."; blank: does not apply" \
        at screen 20.0/wide,1 - 52.0/high left font small textcolor rgb grey
    set label source at screen 20.0/wide,1 - 70.0/high left font small textcolor rgb grey
    do for [i=1:row_tick_count] {
        set label row_tick[i] at -0.62,row_tick_at[i] right font small textcolor rgb ink
    }
    do for [i=1:row_heading_count] {
        set label row_heading[i] at -0.62,row_heading_at[i] - 0.72 right font small textcolor rgb grey
    }
    do for [i=1:layout_tick_count] {
        set label layout_tick[i] at layout_tick_at[i],layout_lines - 0.35 right rotate by 60 font small textcolor rgb ink
    }
    do for [i=1:group_count] {
        set label group[i] at group_at[i],-1.45 center textcolor rgb ink
    }
    eval blues
    set cbrange [0:5]
    unset colorbox
    log2(x) = log(x) / log(2)
    plot work."/layouts.dat" using 1:2:(0.48):(0.46):(log2($3)) with boxxyerror \
            fillstyle solid 1 border lc rgb "#bbbbbb" linecolor palette, \
        work."/layouts.dat" using 1:2:4:($3 > 5.6 ? 0xffffff : 0x1a1a1a) with labels font small \
            textcolor rgb variable
    set output
    unset label
}

# ---- Per cent of the peak ---------------------------------------------------------------------

if (peak_panels > 0) {
    panel_wide = 165
    wide = 180 + panel_wide * peak_panels + 15
    high = 168 + 22 * (layout_span + 1)
    eval open("shared-peak", wide, high)
    set border 0
    set tmargin at screen 1 - 133.0 / high
    set bmargin at screen 40.0 / high
    set yrange [layout_span + 0.6 : -0.6]
    set xrange [0:100]
    unset ytics
    set multiplot
    set label 1 peak_title at screen 20.0/wide,1 - 28.0/high left font big textcolor rgb ink
    set label 2 "Per cent of 128 B/clk/SM, 16-bit tile of ".tile."; blank: does not apply" \
        at screen 20.0/wide,1 - 52.0/high left font small textcolor rgb grey
    set label 3 source at screen 20.0/wide,1 - 70.0/high left font small textcolor rgb grey
    do for [i=1:layout_tick_count] {
        set label layout_name[i] at screen 170.0/wide,first layout_tick_at[i] right font small textcolor rgb ink
    }
    do for [p=1:peak_panels] {
        set lmargin at screen (180 + panel_wide * (p - 1)) / real(wide)
        set rmargin at screen (180 + panel_wide * p - 50) / real(wide)
        set label 101 panel[p] at graph 0,screen 1 - 100.0/high left textcolor rgb ink
        set label 102 panel_shape[p] at graph 0,screen 1 - 118.0/high left font small textcolor rgb grey
        set xtics 50 font small textcolor rgb grey scale 0 format "%g %%" offset 0,0.5
        set grid x front lc rgb "#ffffff" lt 1
        plot work."/peak.dat" using ($1 == p ? $3 / 2 : NaN):2:($3 / 2):(0.36): \
                ($3 >= 99 ? 0x0b3c6f : 0x9dbad6) with boxxyerror fillstyle solid 1 noborder \
                lc rgb variable, \
            work."/peak.dat" using ($1 == p ? ($3 < 100 ? $3 : 100) : NaN):2:(sprintf($3 < 99.95 ? "%.1f" : "%.0f", $3)) \
                with labels left offset 0.6,0 font small textcolor rgb ink
        unset label
    }
    unset multiplot
    set output
}
