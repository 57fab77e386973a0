/* What can be measured: `swizzlebench list`? */
#include <stdio.h>
#include <string.h>

#include "harness/commands.h"
#include "harness/csv.h"
#include "harness/options.h"
#include "harness/plan.h"
#include "harness/result.h"

static const char help[] =
    "usage: swizzlebench list [--csv]\n"
    "       swizzlebench list FAMILY [--filter EXPR] [--full] [--csv]\n"
    "       swizzlebench list FAMILY --columns [--csv]\n"
    "\n"
    "Without a family: the families, the question each answers, and how many cases it has. One\n"
    "that is on request is run only where it is named.\n"
    "With one: its cases, or the columns of its result file.\n"
    "\n"
    "  --filter EXPR  only these cases, as in `swizzlebench run --help`\n"
    "  --full         the whole space instead of the default sweep\n"
    "  --columns      name, unit and meaning of each column, in the order of the file\n"
    "  --csv          as CSV; of the cases, with every predicted column\n"
    "  --help\n";

static const struct option known[] = {
    {"filter", required_argument, NULL, 'f'}, {"full", no_argument, NULL, 'a'},
    {"columns", no_argument, NULL, 'o'},      {"csv", no_argument, NULL, 'c'},
    {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0},
};

struct list_options {
    const char *filter;
    bool full, columns, csv, help;
};

static bool read_options(int argc, char **argv, struct list_options *options, struct error *error)
{
    for (int answer; (answer = option_next(argc, argv, known, error)) != -1;) {
        if (answer == 'f')
            options->filter = optarg;
        options->full = options->full || answer == 'a';
        options->columns = options->columns || answer == 'o';
        options->csv = options->csv || answer == 'c';
        options->help = options->help || answer == 'h';
    }
    if (error->kind != ERROR_NONE)
        return false;
    if (argc - optind > 1)
        return error_set(error, ERROR_INPUT, "one family at a time: '%s' is too many",
                         argv[optind + 1]);
    if (options->help)
        return true;
    if (options->filter && argc == optind)
        return error_set(error, ERROR_INPUT, "--filter chooses cases: name a family");
    if (options->columns && argc == optind)
        return error_set(error, ERROR_INPUT, "--columns are those of a family: name one");
    if (options->columns && (options->filter || options->full))
        return error_set(error, ERROR_INPUT, "--columns lists no cases: leave %s out",
                         options->filter ? "--filter" : "--full");
    return true;
}

static void list_families(bool csv)
{
    printf(csv ? "family,cases_default,cases_full,question,on_request\n"
               : "family        default     full  question\n");
    for (size_t i = 0; registry_families[i]; i++) {
        const struct family *family = registry_families[i];
        printf(csv ? "%s,%zu,%zu," : "%-12s %8zu %8zu  ", family->name,
               family->case_count(family, false), family->case_count(family, true));
        if (csv) {
            csv_put(stdout, family->question);
            puts(family->on_request ? ",yes" : ",no");
        } else {
            printf("%s%s\n", family->question, family->on_request ? " (on request)" : "");
        }
    }
}

static void print_csv_line(const struct result_form *form, const struct row *row)
{
    const char *name;
    for (size_t i = 0; (name = result_column_name(form, i)); i++) {
        if (i > 0)
            putchar(',');
        csv_put(stdout, row ? result_row_value(form, row, i) : name);
    }
    putchar('\n');
}

static void list_cases(const struct plan_family *planned, bool csv)
{
    struct result_form form = {.family = planned->family};
    struct row row;
    if (csv)
        print_csv_line(&form, NULL);
    for (size_t i = 0; i < planned->case_count; i++) {
        row_predict(planned->family, planned->cases[i], &row);
        if (csv)
            print_csv_line(&form, &row);
        else if (row.status == ROW_OK)
            puts(row.case_name);
        else
            printf("%s  (%s: %s)\n", row.case_name, row_status_name(row.status), row.reason);
    }
}

static void print_column(const struct column *column, bool csv)
{
    const char *const texts[] = {column->name, column->unit, column->meaning};
    for (size_t i = 0; csv && i < 3; i++) {
        csv_put(stdout, texts[i]);
        putchar(i < 2 ? ',' : '\n');
    }
    if (!csv)
        printf("%-34s %-23s %s\n", column->name, column->unit, column->meaning);
}

static bool list_columns(const char *name, bool csv, struct error *error)
{
    static const struct column heading = {"name", "unit", "meaning"};
    const struct family *family = plan_find_family(name, error);
    if (!family)
        return false;
    print_column(&heading, csv);
    for (size_t i = 0; i < RESULT_COMMON_COLUMNS; i++)
        print_column(&result_common_columns[i], csv);
    for (size_t i = 0; i < family->column_count; i++)
        print_column(&family->columns[i], csv);
    return true;
}

static int list_main(int argc, char **argv)
{
    struct list_options options = {.filter = NULL};
    struct error error = {.kind = ERROR_NONE};
    struct plan plan;
    if (!read_options(argc, argv, &options, &error))
        return complain("list", &error);
    if (options.help) {
        fputs(help, stdout);
        return 0;
    }
    if (optind == argc) {
        list_families(options.csv);
        return 0;
    }
    if (options.columns)
        return list_columns(argv[optind], options.csv, &error) ? 0 : complain("list", &error);
    bool planned = plan_make(&plan, argv + optind, 1, options.filter, options.full, &error);
    if (planned)
        list_cases(&plan.families[0], options.csv);
    plan_free(&plan);
    return planned ? 0 : complain("list", &error);
}

const struct command command_list = {
    .name = "list",
    .summary = "the families, the question each answers, and its cases",
    .run = list_main,
};
