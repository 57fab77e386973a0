/* Does a result file survive quoting, a cut at any byte, and a full disk? */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/csv.h"
#include "harness/filter.h"
#include "harness/result.h"
#include "harness/text.h"

enum { ROWS = 6 };

const struct family *const registry_families[] = {NULL};
const struct command *const registry_commands[] = {NULL};

static const struct column columns[] = {{"layout", "-", "Text."}, {"clocks_cycles", "clk", "One."}};
static void predict(const struct family *self, size_t i, struct row *row);
static size_t case_count(const struct family *self, bool full);
static const struct family family = {.name = "fake",
                                     .columns = columns,
                                     .column_count = 2,
                                     .case_count = case_count,
                                     .predict = predict};
static const char *const metrics[] = {"some__metric.sum"};
static const struct result_form form = {&family, metrics, 1};

/* Everything that RFC 4180 quotes, and what it does not. */
static const char *const nasty[ROWS] = {
    "plain", "(8,64):(64,1)", "say \"so\"", "two\nlines", "", "\"",
};

static void fill_head(struct result_head *head, const char *gpu)
{
    memset(head, 0, sizeof *head);
    for (size_t i = 0; i < HEAD_KEYS; i++)
        result_head_set(head, (enum head_key)i, "value %zu, \"with\" signs: all", i);
    result_head_set(head, HEAD_GPU, "%s", gpu);
    result_head_set(head, HEAD_COUNTERS, "yes");
}

static void fill_row(struct row *row, size_t i)
{
    memset(row, 0, sizeof *row);
    snprintf(row->case_name, sizeof row->case_name, "case %zu", i);
    row_set_text(row, 0, "%s", nasty[i]);
    row_set_number(row, 1, (double)i + 0.5, 3);
    row_set_text(row, 2, "%zu", 1000 * i);
    if (i == 2)
        row_end(row, ROW_FAILED, "a \"reason\", with signs");
}

static size_t case_count(const struct family *self, bool full)
{
    (void)self, (void)full;
    return ROWS;
}

static void predict(const struct family *self, size_t i, struct row *row)
{
    (void)self;
    fill_row(row, i);
    row_set_text(row, 1, "%s", ""); /* as before measuring */
}

static void write_rows(struct result_writer *writer, const struct result_file *kept)
{
    struct error error;
    struct row row;
    for (size_t i = 0; i < ROWS; i++) {
        fill_row(&row, i);
        if (!kept || result_find_case(kept, row.case_name) < 0)
            assert_true(result_append(writer, &row, &error));
    }
    assert_true(result_close(writer, &error));
}

static void write_file(const char *path, const struct result_head *head)
{
    struct result_writer writer;
    struct error error;
    assert_true(result_create(&writer, path, &form, head, &error));
    write_rows(&writer, NULL);
}

static char *load(const char *path, size_t *length)
{
    static char text[1 << 16];
    FILE *from = fopen(path, "rb");
    assert_non_null(from);
    *length = fread(text, 1, sizeof text - 1, from);
    text[*length] = '\0';
    fclose(from);
    return text;
}

static void store(const char *path, const char *text, size_t length)
{
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(text, 1, length, to), length);
    fclose(to);
}

static void numbers_are_short_and_never_nan(void **state)
{
    (void)state;
    static const struct {
        double value;
        int digits;
        const char *text;
    } cases[] = {{1, 3, "1"},       {0.5, 3, "0.5"},   {1.23456, 3, "1.235"}, {-0.0001, 2, "0"},
                 {100, 0, "100"},   {NAN, 3, ""},      {INFINITY, 3, ""},     {1e99, 3, ""},
                 {1200, 2, "1200"}, {10.10, 3, "10.1"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct row row = {.status = ROW_OK};
        row_set_number(&row, 1, cases[i].value, cases[i].digits);
        assert_string_equal(row.values[1], cases[i].text);
    }
}

/* The last field of each line: \r\n ends a line, within quotes either is the field's. */
static void a_carriage_return_within_quotes_is_kept(void **state)
{
    (void)state;
    char text[] = "a,b\r\nc,\"d\r\"\r\ne,\"\r\"\nf,\r\n";
    static const char *const expected[] = {"b", "d\r", "\r", ""};
    struct csv_reader reader = {text, text + strlen(text), 1};
    char *fields[2];
    size_t count;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_true(csv_next(&reader, fields, 2, &count));
        assert_int_equal(count, 2);
        assert_string_equal(fields[1], expected[i]);
    }
}

static void the_first_reason_stays(void **state)
{
    (void)state;
    struct row row = {.status = ROW_OK};
    assert_false(row_end(&row, ROW_FAILED, "first\nline"));
    assert_false(row_end(&row, ROW_SKIPPED, "second"));
    assert_string_equal(row.reason, "first line");
    assert_int_equal(row.status, ROW_FAILED);
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct result_head head;
    struct result_file file;
    struct error error;
    fill_head(&head, "NVIDIA H200");
    write_file("r.csv", &head);
    assert_true(result_read("r.csv", &file, &error));
    assert_int_equal(file.row_count, ROWS);
    assert_int_equal(file.column_count, 8);
    assert_false(file.cut);
    assert_string_equal(result_key(&file, "gpu"), "NVIDIA H200");
    assert_string_equal(result_key(&file, "date"), head.values[HEAD_DATE]);
    assert_null(result_key(&file, "nothing"));
    assert_int_equal(result_column(&file, "verified"), 4);
    assert_int_equal(result_column(&file, "nothing"), -1);
    for (size_t i = 0; i < ROWS; i++) {
        struct row row;
        fill_row(&row, i);
        assert_int_equal(result_find_case(&file, row.case_name), i);
        assert_string_equal(result_value(&file, i, "layout"), nasty[i]);
        assert_string_equal(result_value(&file, i, "reason"), row.reason);
        assert_string_equal(result_value(&file, i, "clocks_cycles"), row.values[1]);
        assert_string_equal(result_value(&file, i, "some__metric.sum"), row.values[2]);
        assert_string_equal(result_value(&file, i, "nothing"), "");
    }
    assert_int_equal(result_find_case(&file, "case"), -1);
    result_free(&file);
}

/* How many rows stand whole in the first `length` bytes, by a count of its own. */
static size_t whole_rows(const char *text, size_t length)
{
    size_t lines = 0;
    bool quoted = false, head = true;
    for (size_t i = 0; i < length; i++) {
        if (i == 0 || text[i - 1] == '\n')
            head = text[i] == '#' && !quoted;
        if (text[i] == '"' && !head)
            quoted = !quoted;
        if (text[i] == '\n' && !quoted && !head)
            lines++;
    }
    return lines ? lines - 1 : 0;
}

/* A crash may end the file at any byte: the rest must come out the same, and only the row that
 * was cut is lost. */
static void resumed_from_a_cut_at_every_byte(void **state)
{
    (void)state;
    static char whole[1 << 16];
    struct result_head head;
    size_t length, again;
    fill_head(&head, "NVIDIA H200");
    write_file("r.csv", &head);
    memcpy(whole, load("r.csv", &length), sizeof whole);
    for (size_t cut = 0; cut <= length; cut++) {
        struct result_writer writer;
        struct result_file kept;
        struct error error;
        store("r.csv", whole, cut);
        assert_true(result_resume(&writer, "r.csv", &form, &head, &kept, &error));
        assert_int_equal(kept.row_count, whole_rows(whole, cut));
        if (writer.fd < 0)
            assert_true(result_create(&writer, "r.csv", &form, &head, &error));
        write_rows(&writer, &kept);
        result_free(&kept);
        char *resumed = load("r.csv", &again);
        assert_int_equal(again, length);
        assert_memory_equal(resumed, whole, length);
    }
}

static void resumed_from_other_damage_at_the_end(void **state)
{
    (void)state;
    static const struct {
        const char *end;
        size_t length;
    } ends[] = {{"fake,case 9\n", 12},
                {"\0\0\0\0", 4},
                {"fake,case 9,\"o\0\0", 16},
                {"fake,z,ok,,-,\0,1,1\n", 19},
                {"\n", 1}};
    struct result_head head;
    size_t length;
    fill_head(&head, "NVIDIA H200");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct result_writer writer;
        struct result_file kept;
        struct error error;
        write_file("r.csv", &head);
        char *text = load("r.csv", &length);
        memcpy(text + length, ends[i].end, ends[i].length);
        store("r.csv", text, length + ends[i].length);
        assert_true(result_resume(&writer, "r.csv", &form, &head, &kept, &error));
        assert_int_equal(kept.row_count, ROWS);
        assert_true(result_close(&writer, &error));
        result_free(&kept);
        struct stat now;
        assert_int_equal(stat("r.csv", &now), 0);
        assert_int_equal(now.st_size, length);
    }
}

static void expect_no_resume(const struct result_form *asked, const struct result_head *head,
                             const char *why)
{
    struct result_writer writer;
    struct result_file kept;
    struct error error;
    size_t before, after;
    load("r.csv", &before);
    assert_false(result_resume(&writer, "r.csv", asked, head, &kept, &error));
    assert_int_equal(error.kind, ERROR_INPUT);
    assert_non_null(strstr(error.text, why));
    result_free(&kept);
    load("r.csv", &after);
    assert_int_equal(before, after);
}

static void another_run_is_not_resumed(void **state)
{
    (void)state;
    static const struct {
        enum head_key key;
        const char *value, *why;
    } others[] = {
        {HEAD_GPU, "NVIDIA H100", "its gpu is 'NVIDIA H200' and this run's is 'NVIDIA H100'"},
        {HEAD_GPU_UUID, "GPU-2", "this run's is 'GPU-2'"},
        {HEAD_SCHEMA, "swizzlebench 0", "its schema is"},
        {HEAD_BACKEND, "model", "its backend is"},
        {HEAD_VERSION, "0.0.9", "its version is"},
        {HEAD_COUNTERS, "no: not allowed", "its counters is"},
    };
    static const struct column renamed[] = {{"layout", "-", "Text."}, {"clock_cycles", "", ""}};
    static const struct family changed = {.name = "fake", .columns = renamed, .column_count = 2};
    struct result_head head;
    struct result_form fewer = {&family, NULL, 0}, other_column = {&changed, metrics, 1};
    fill_head(&head, "NVIDIA H200");
    write_file("r.csv", &head);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct result_head other = head;
        result_head_set(&other, others[i].key, "%s", others[i].value);
        expect_no_resume(&form, &other, others[i].why);
    }
    expect_no_resume(&fewer, &head, "column 8");
    expect_no_resume(&other_column, &head,
                     "its column 7 is 'clocks_cycles' and this run's is 'clock_cycles'");
    store("r.csv", "a,b\n1,2\n", 8);
    expect_no_resume(&form, &head, "r.csv:1: not a result file");
}

/* Which of two rows of a case is right, nobody can say. */
static void a_case_that_is_there_twice_is_not_resumed(void **state)
{
    (void)state;
    struct result_head head;
    size_t length;
    fill_head(&head, "NVIDIA H200");
    write_file("r.csv", &head);
    char *text = load("r.csv", &length), *again = strstr(text, "fake,case 1");
    size_t row_length = (size_t)(strchr(again, '\n') + 1 - again);
    memmove(text + length, again, row_length);
    store("r.csv", text, length + row_length);
    expect_no_resume(&form, &head,
                     "r.csv: cannot be resumed: its rows 2 and 7 are both of case 'case 1'");
}

static void damage_in_the_middle_is_named(void **state)
{
    (void)state;
    struct result_head head;
    struct result_file file;
    struct error error;
    size_t length;
    fill_head(&head, "NVIDIA H200");
    write_file("r.csv", &head);
    char *text = load("r.csv", &length);
    char *row = strstr(text, "fake,case 1");
    memmove(row, row + 5, length - (size_t)(row - text) - 5);
    store("r.csv", text, length - 5);
    assert_false(result_read("r.csv", &file, &error));
    assert_string_equal(error.text, "r.csv:15: the row has 7 fields, the header 8");
    result_free(&file);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    struct result_writer writer;
    struct result_head head;
    struct error error;
    fill_head(&head, "NVIDIA H200");
    assert_int_equal(symlink("/dev/full", "full.csv"), 0);
    assert_true(result_set_aside("full.csv", &error));
    assert_false(result_create(&writer, "full.csv", &form, &head, &error));
    assert_non_null(strstr(error.text, "cannot write full.csv: No space left on device"));
    unlink("full.csv");
}

/* The limit falls into a row: what went of it must not stay. */
static void a_row_cut_by_a_full_disk_is_taken_back(void **state)
{
    (void)state;
    struct result_head head;
    struct result_writer writer;
    struct result_file file;
    struct error error;
    struct row row;
    struct rlimit before, limit;
    size_t length;
    fill_head(&head, "NVIDIA H200");
    write_file("r.csv", &head);
    load("r.csv", &length);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = length - 5;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_true(result_create(&writer, "r.csv", &form, &head, &error));
    size_t written = 0;
    for (bool fits = true; fits; written += fits) {
        fill_row(&row, written);
        fits = result_append(&writer, &row, &error);
    }
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(written, ROWS - 1);
    assert_int_equal(error.kind, ERROR_FAILED);
    assert_true(result_close(&writer, &error));
    assert_true(result_read("r.csv", &file, &error));
    assert_int_equal(file.row_count, ROWS - 1);
    assert_false(file.cut);
    result_free(&file);
}

static void an_old_file_is_set_aside(void **state)
{
    (void)state;
    struct error error;
    size_t length;
    store("old.csv", "old", 3);
    assert_true(result_set_aside("old.csv", &error));
    assert_int_equal(access("old.csv", F_OK), -1);
    assert_string_equal(load("old.csv.previous", &length), "old");
    assert_true(result_set_aside("old.csv", &error));
    assert_string_equal(load("old.csv.previous", &length), "old");
}

static bool passes(const char *text, size_t i)
{
    struct filter filter;
    struct error error;
    struct row row;
    const struct family *all[] = {&family};
    fill_row(&row, i);
    assert_true(filter_parse(text, &filter, &error));
    assert_true(filter_check(&filter, all, 1, &error));
    return filter_passes(&filter, &family, &row);
}

static void filters_choose_by_column_and_name(void **state)
{
    (void)state;
    assert_true(passes(NULL, 0));
    assert_true(passes("ase 1", 1));
    assert_false(passes("ase 1", 2));
    assert_true(passes("layout=(8\\,*", 1));
    assert_false(passes("layout=(8\\,*", 0));
    assert_true(passes("layout!=pl*,case=*0", 5) == false);
    assert_true(passes("layout=pl*,case=*0,family=fake", 0));
    assert_false(passes("layout!=pl*", 0));
    assert_true(passes("layout!=pl*", 1));
}

static void bad_filters_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"=x", ",a", "a,", "a,,b", "!=x"};
    struct filter filter;
    struct error error;
    const struct family *all[] = {&family};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(filter_parse(bad[i], &filter, &error));
    assert_true(filter_parse("layuot=x", &filter, &error));
    assert_false(filter_check(&filter, all, 1, &error));
    assert_non_null(strstr(error.text, "did you mean 'layout'?"));
    static const char *const measured[] = {"clocks_cycles=3", "verified=yes"};
    for (size_t i = 0; i < sizeof measured / sizeof measured[0]; i++) {
        assert_true(filter_parse(measured[i], &filter, &error));
        assert_false(filter_check(&filter, all, 1, &error));
        assert_int_equal(error.kind, ERROR_INPUT);
        assert_non_null(strstr(error.text, "of fake is known only after measuring; before it, "
                                           "known: family, case, status, reason, layout"));
    }
}

static void words_are_made_fit(void **state)
{
    (void)state;
    char text[64];
    char *words[] = {"run", "--filter", "a='b c'", ""};
    text_slug("NVIDIA H200", text, sizeof text);
    assert_string_equal(text, "nvidia-h200");
    text_slug(" NVIDIA  RTX(tm) 6000! ", text, sizeof text);
    assert_string_equal(text, "nvidia-rtx-tm-6000");
    text_command(4, words, text, sizeof text);
    assert_string_equal(text, "swizzlebench run --filter 'a='\\''b c'\\''' ''");
}

static void assert_put(const char *text, const char *shown)
{
    char *put = NULL;
    size_t bytes;
    FILE *to = open_memstream(&put, &bytes);
    assert_non_null(to);
    text_put(text, to);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(put, shown);
    free(put);
}

static void what_a_terminal_obeys_is_made_visible(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
    } cases[] = {
        {"plain, \"quoted\"", "plain, \"quoted\""},
        {"two\nlines", "two lines"},
        {"\033[31m\r\t\177", "\\x1b[31m\\x0d\\x09\\x7f"},
        {"\303\244 \342\202\254 \360\237\230\200", "\303\244 \342\202\254 \360\237\230\200"},
        {"\302\233m", "\\xc2\\x9bm"},                 /* C1: as good as ESC [ */
        {"\342\200\256", "\\xe2\\x80\\xae"},          /* turns the direction of writing */
        {"\200\377", "\\x80\\xff"},                   /* begins no sign */
        {"\300\233", "\\xc0\\x9b"},                   /* ESC, too long */
        {"\355\240\200", "\\xed\\xa0\\x80"},          /* half a surrogate */
        {"\364\220\200\200", "\\xf4\\x90\\x80\\x80"}, /* beyond the last code */
        {"\303", "\\xc3"},                            /* cut */
        {"\342\202", "\\xe2\\x82"},
    };
    char shown[64];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        text_visible(cases[i].text, shown, sizeof shown);
        assert_string_equal(shown, cases[i].shown);
        assert_put(cases[i].text, cases[i].shown);
    }
    text_visible("abc\033def", shown, 7); /* what does not fit is not begun */
    assert_string_equal(shown, "abc");
    text_visible("abc\033def", shown, 8);
    assert_string_equal(shown, "abc\\x1b");
}

static int enter_folder(void **state)
{
    static char folder[] = "/tmp/swizzlebench-test-XXXXXX";
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_short_and_never_nan),
        cmocka_unit_test(a_carriage_return_within_quotes_is_kept),
        cmocka_unit_test(the_first_reason_stays),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(resumed_from_a_cut_at_every_byte),
        cmocka_unit_test(resumed_from_other_damage_at_the_end),
        cmocka_unit_test(another_run_is_not_resumed),
        cmocka_unit_test(a_case_that_is_there_twice_is_not_resumed),
        cmocka_unit_test(damage_in_the_middle_is_named),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(a_row_cut_by_a_full_disk_is_taken_back),
        cmocka_unit_test(an_old_file_is_set_aside),
        cmocka_unit_test(filters_choose_by_column_and_name),
        cmocka_unit_test(bad_filters_are_refused),
        cmocka_unit_test(words_are_made_fit),
        cmocka_unit_test(what_a_terminal_obeys_is_made_visible),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
