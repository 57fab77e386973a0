# Which layout is the fastest for which tile, how far are the others from it, and when does the pipeline
# run at the bound that the models of TMA and wgmma give?

load scripts."/plot.gp"

# ---- Layout by tile ---------------------------------------------------------------------------

if (choice_tiles > 0) {
    # Columns and lines of the awk script: k_block and in it N; stages and in them the layouts.
    block = n_count + 0.3
    panel = k_count * block + 1
    group = layouts + 0.5
    columns = majors * panel
    lines = stages_count * group
    left = 130
    wide = left + 37 * columns
    high = 150 + 24 * lines + 75
    eval open("pipeline-choice", wide, high)
    set border 0
    set lmargin at screen left / real(wide)
    set rmargin at screen 1 - 10.0 / wide
    set tmargin at screen 1 - 130.0 / high
    set bmargin at screen 75.0 / high
    set xrange [0.4 : columns]
    set yrange [lines + 0.2 : 0.4]
    unset xtics
    unset ytics
    set label choice_title at screen 20.0/wide,1 - 28.0/high left font big textcolor rgb ink
    set label "Clocks a k-block over those of the tile's best layout; framed: CUTLASS's choice; blank: wider than the tile, no room for the stages, or not measured" \
        at screen 20.0/wide,1 - 52.0/high left font small textcolor rgb grey
    set label source at screen 20.0/wide,1 - 70.0/high left font small textcolor rgb grey
    do for [m=1:majors] {
        from = (m - 1) * panel
        set label value(sprintf("major_%d", m)) at from + 0.55,screen 1 - 108.0/high left textcolor rgb ink
        do for [k=1:k_count] {
            first_n = from + (k - 1) * block
            set label sprintf("%d", value(sprintf("k_%d", k))) \
                at first_n + (n_count + 1) / 2.0,screen 34.0/high center textcolor rgb ink
            do for [n=1:n_count] {
                set label sprintf("%d", value(sprintf("n_%d", n))) \
                    at first_n + n,screen 58.0/high center font small textcolor rgb grey
            }
        }
    }
    set label "N" at 0.3,screen 58.0/high right font small textcolor rgb grey
    set label "k_block" at 0.3,screen 34.0/high right noenhanced textcolor rgb ink
    do for [s=1:stages_count] {
        set label sprintf("%d stages", value(sprintf("stages_%d", s))) \
            at -0.9,(s - 1) * group + (layouts + 1) / 2.0 right textcolor rgb ink
        do for [l=1:layouts] {
            set label value(sprintf("layout_%d", l)) at 0.3,(s - 1) * group + l right font small textcolor rgb ink
        }
    }
    eval blues
    set cbrange [0 : 3.2]
    unset colorbox
    plot work."/choice.dat" using 1:2:(0.47):(0.45):(log($3) / log(2)) with boxxyerror \
            fillstyle solid 1 border lc rgb "#bbbbbb" linecolor palette, \
        work."/choice.dat" using ($4 > 0 ? $1 : NaN):2:(0.46):(0.44) with boxxyerror \
            fillstyle empty lc rgb light lw 2, \
        work."/choice.dat" using 1:2:(sprintf("%.2f", $3)):($3 > 3.3 ? 0xffffff : 0x1a1a1a) \
            with labels font small textcolor rgb variable
    set output
    unset label
    set border 3 lc rgb grey
    set xtics
    set ytics
}

# ---- Clocks over the bound, by what the stages cover --------------------------------------------

if (bound_points > 0) {
    eval open("pipeline-bound", 900, 560)
    set label bound_title at screen 0.02,0.96 left font big textcolor rgb ink
    set label bound_range at screen 0.02,0.92 left font small textcolor rgb grey
    set label source at screen 0.02,0.885 left font small textcolor rgb grey
    set lmargin at screen 0.09
    set rmargin at screen 0.97
    set tmargin at screen 0.84
    set bmargin at screen 0.11
    set grid back lc rgb pale lt 1
    set logscale xy 2
    set xrange [200 : 1.2 * most_covered]
    set yrange [0.9 : 1.1 * most_ratio]
    set xlabel "clocks that the stages last at the bound: stages x the larger of TMA and wgmma" textcolor rgb ink
    set ylabel "clocks a k-block over the bound" textcolor rgb ink
    set key at graph 0.98,0.96 right top reverse Left textcolor rgb ink
    array colour[3] = ["#e08214", "#0b3c6f", "#2f8f4e"]
    array filled[3] = [5, 7, 9]
    array hollow[3] = [4, 6, 8]
    kind(s) = 1 + (s - 1) % 3
    of(s, stages) = stages == value(sprintf("stages_%d", s))
    # Hollow: more boxes than operands, which one lane sends one after another.
    plot 1 with lines lc rgb grey lw 1 notitle, \
        for [s=1:stages_count] work."/bound.dat" using 2:(of(s, $1) && $4 > 2 ? $3 : NaN) with points \
            pt hollow[kind(s)] ps 0.9 lc rgb colour[kind(s)] \
            title sprintf("%d stages, more boxes", value(sprintf("stages_%d", s))), \
        for [s=1:stages_count] work."/bound.dat" using 2:(of(s, $1) && $4 <= 2 ? $3 : NaN) with points \
            pt filled[kind(s)] ps 0.7 lc rgb colour[kind(s)] \
            title sprintf("%d stages, a box an operand", value(sprintf("stages_%d", s)))
    set output
}
