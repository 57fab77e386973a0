/* Do published figures stand beside ours, on either side of a comparison? */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "bench/commands.h"
#include "tests/ask.h"
#include "tests/sides.h"

static const char figures[] = "gpu,quantity,value,value_max,unit,source\n";

static void write_figures(const char *rows)
{
    char text[1024];
    snprintf(text, sizeof text, "# ours\n%s%s", figures, rows);
    sides_text("p.csv", text);
}

static void published_figures_stand_on_either_side(void **state)
{
    (void)state;
    static const char rows[] = "wgmma,less,ok,,yes,f16,256,,3000,1500\n"
                               "wgmma,n256,ok,,yes,f16,256,,4000,1500\n"
                               "wgmma,no less,ok,,yes,f16,256,,3900,1500\n"
                               "wgmma,wrong,ok,,yes,f16,256,A,9000,1500\n";
    sides_file("c/wgmma.csv", sides_schema,
               "family,case,status,reason,verified,dtype,n,wrong,flop_per_clk_sm,sm_clock_mhz",
               rows);
    write_figures("X,\"wgmma f16 N=256, random data\",500,,TFLOP/s,s\n"
                  "X,\"wgmma f16 N=256, random data\",700,800,TFLOP/s,t\n"
                  "X,speed of light,3,,m/s,u\n");
    const char *wanted =
        "\"wgmma f16 N=256, random data\",TFLOP/s,X,500,B: GPU c,600,+20.0 %,n256,s\n"
        "\"wgmma f16 N=256, random data\",TFLOP/s,X,700 to 800,B: GPU c,600,"
        "-14.3 %,n256,t\n"
        "speed of light,m/s,X,3,B: GPU c,no figure of ours,,,u\n";
    assert_contains(ask_well(&command_compare, "compare p.csv c --csv")->out, wanted);
    assert_contains(ask_well(&command_compare, "compare c p.csv --csv")->out, "A: GPU c,600");
    unlink("c/wgmma.csv");
}

static void wrong_figures_are_named(void **state)
{
    (void)state;
    sides_write(sides_rows);
    write_figures("X,speed,3,,m/s,u\n");
    sides_bad("p.csv p.csv", "are both published figures");
    sides_bad("a p.csv --fail-if counters", "there is one side of them");
    sides_bad("a b p.csv --csv", "--csv is one table");
    write_figures("");
    sides_bad("a p.csv", "there is no figure in it");
    write_figures("X,speed,fast,,m/s,u\n");
    sides_bad("a p.csv", "p.csv, line 3, value 'fast': a number above 0 is needed");
    write_figures("X,speed,3,4x,m/s,u\n");
    sides_bad("a p.csv", "p.csv, line 3, value_max '4x'");
    write_figures("X,speed,0,,m/s,u\n");
    sides_bad("a p.csv", "p.csv, line 3, value '0': a number above 0 is needed");
    write_figures("X,speed,3,2,m/s,u\n");
    sides_bad("a p.csv", "p.csv, line 3, value_max '2': it is the most, and below value");
    write_figures("X,speed,3,,m/s,u\nY,speed,3,3,m/s,\n");
    sides_bad("a p.csv", "p.csv, line 4, source '': it must not be empty");
    write_figures(",speed,3,,m/s,u\n");
    sides_bad("a p.csv", "p.csv, line 3, gpu '': it must not be empty");
    write_figures("X,speed,3,,m/s,u\nX,speed,4,,m/s,u\n");
    sides_bad("a p.csv", "p.csv: lines 3 and 4 are both 'speed' of X");
    write_figures("X,ld.shared latency,3,,ns,u\n");
    sides_bad("a p.csv",
              "p.csv, line 3: the unit of 'ld.shared latency' is 'ns'; ours is in 'clk'");
    sides_text("p.csv", "gpu,quantity,value,value_max,unit\n");
    sides_bad("a p.csv", "the header has no column source");
}

static void every_figure_that_is_shipped_is_shown(void **state)
{
    (void)state;
    struct answer *answer;
    char line[1024];
    snprintf(line, sizeof line, "compare %s/results/nvidia-h200 %s/results/published.csv",
             sides_home, sides_home);
    answer = ask_well(&command_compare, line);
    assert_contains(answer->out, "H100 SXM5         127.529  A: NVIDIA H200  12");
    assert_contains(answer->out, "364 to 369  A: NVIDIA H200  36");
    assert_contains(answer->out, "tcgen05");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_figures_stand_on_either_side),
        cmocka_unit_test(wrong_figures_are_named),
        cmocka_unit_test(every_figure_that_is_shipped_is_shown),
    };
    return cmocka_run_group_tests(tests, sides_make, sides_remove);
}
