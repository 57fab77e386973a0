/* Is every way in which opening a GPU, loading a kernel or running one can fail told in a line that
 * says what was being done to what? Under a fake driver (tests/fake/libcuda.c), which is compiled
 * here; its soname is that of the real one, so whoever opens libcuda.so.1 later gets it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/gpu.h"
#include "harness/tensor_map.h"

enum { PATH_BYTES = 256 };

static void path_in(const char *folder, const char *name, char path[PATH_BYTES])
{
    snprintf(path, PATH_BYTES, "%s/%s", folder, name);
}

static bool compile_fake(const char *folder, const char *name, const char *flags)
{
    char command[3 * PATH_BYTES];

    snprintf(command, sizeof command,
             "cc -shared -fPIC %s -Wl,-soname,libcuda.so.1 -o %s/%s tests/fake/libcuda.c", flags,
             folder, name);
    return system(command) == 0;
}

/* A fatbin as long as its header says, or `cut` bytes shorter. */
static void write_fatbin(const char *folder, const char *name, size_t cut)
{
    struct {
        uint32_t magic;
        uint16_t version, header_bytes;
        uint64_t bytes;
        unsigned char body[64];
    } image = {.magic = 0xBA55ED50, .version = 1, .header_bytes = 16, .bytes = sizeof image.body};
    char path[PATH_BYTES];

    path_in(folder, name, path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(&image, 1, sizeof image - cut, file), sizeof image - cut);
    assert_int_equal(fclose(file), 0);
}

static void *load(const char *folder, const char *name)
{
    char path[PATH_BYTES];

    path_in(folder, name, path);
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static int set_up(void **state)
{
    char folder[] = "/tmp/swizzlebench-test-XXXXXX";

    if (!mkdtemp(folder) || !compile_fake(folder, "libcuda.so.1", "") ||
        !compile_fake(folder, "old.so", "-DFAKE_CUDA_IS_OLD"))
        return -1;
    write_fatbin(folder, "whole.fatbin", 0);
    write_fatbin(folder, "cut.fatbin", 10);
    setenv("SWIZZLEBENCH_KERNELS", folder, 1);
    *state = strdup(folder);
    return *state ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[PATH_BYTES];

    snprintf(command, sizeof command, "rm -r '%s'", (char *)*state);
    free(*state);
    return system(command);
}

static void skip_without_cuda(void)
{
    static bool said;
    struct error error = {.kind = ERROR_NONE};
    int count;

    if (!gpu_count(&count, &error) && strstr(error.text, "no CUDA headers")) {
        if (!said) /* in the form that scripts/run-tests shows */
            print_message("[  SKIPPED ] why: %s\n", error.text);
        said = true;
        skip();
    }
}

static void assert_error(const struct error *error, enum error_kind kind, const char *text)
{
    if (error->kind != kind || !strstr(error->text, text))
        fail_msg("kind %d: \"%s\" does not say \"%s\"", error->kind, error->text, text);
}

/* In a process of its own, since a soname is loaded once. */
static void test_old_driver(void **state)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        struct error error = {.kind = ERROR_NONE};
        int count;
        bool told = load(*state, "old.so") && !gpu_count(&count, &error) &&
                    (strstr(error.text, "no CUDA headers") ||
                     strstr(error.text, "the NVIDIA driver is too old: its libcuda.so.1 (CUDA "
                                        "12.4) has no cuLaunchKernelEx"));
        _exit(told ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static struct gpu *open_fake(void **state)
{
    struct error error = {.kind = ERROR_NONE};
    struct gpu *gpu;

    unsetenv("FAKE_CUDA");
    assert_non_null(load(*state, "libcuda.so.1"));
    skip_without_cuda();
    if (!gpu_open(0, &gpu, &error))
        fail_msg("%s", error.text);
    return gpu;
}

static void test_open(void **state)
{
    struct gpu *gpu = open_fake(state), *none;
    struct error error;

    assert_string_equal(gpu_info(gpu)->name, "Fake GPU");
    assert_string_equal(gpu_info(gpu)->uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
    assert_int_equal(gpu_info(gpu)->driver_version, 12040);
    assert_int_equal(gpu_info(gpu)->compute_major, 75); /* the fake's answer is the number asked */
    gpu_close(gpu);

    int count;
    setenv("FAKE_CUDA_GPUS", "2", 1);
    assert_true(gpu_count(&count, &error));
    assert_int_equal(count, 2);
    assert_true(gpu_open(1, &gpu, &error));
    assert_string_equal(gpu_info(gpu)->uuid, "GPU-01122334-4556-6778-899a-abbccddeef00");
    gpu_close(gpu);
    unsetenv("FAKE_CUDA_GPUS");

    assert_false(gpu_open(1, &none, &error));
    assert_null(none);
    assert_error(&error, ERROR_MACHINE, "there is no GPU 1 here");
    setenv("FAKE_CUDA", "no device", 1);
    assert_false(gpu_open(0, &none, &error));
    assert_error(&error, ERROR_MACHINE, "sees no GPU");
}

static void test_kernels(void **state)
{
    struct gpu *gpu = open_fake(state);
    struct gpu_kernel kernel, again;
    struct error error;

    assert_false(gpu_kernel_find(gpu, "absent", "entry", &kernel, &error));
    assert_error(&error, ERROR_MACHINE, "no kernel file");
    assert_false(gpu_kernel_find(gpu, "cut", "entry", &kernel, &error));
    assert_error(&error, ERROR_MACHINE, "cut.fatbin is not a whole fatbin: run `make kernels`");
    setenv("FAKE_CUDA", "no code", 1);
    assert_false(gpu_kernel_find(gpu, "whole", "entry", &kernel, &error));
    assert_error(&error, ERROR_MACHINE, "has no code that compute capability 75.76");
    unsetenv("FAKE_CUDA");
    assert_true(gpu_kernel_find(gpu, "whole", "entry", &kernel, &error));
    assert_true(gpu_kernel_find(gpu, "whole", "entry", &again, &error));
    assert_ptr_equal(kernel.function, again.function);
    assert_false(gpu_kernel_find(gpu, "whole", "missing", &kernel, &error));
    assert_error(&error, ERROR_MACHINE, "whole.fatbin has no kernel missing");
    gpu_close(gpu);
}

static void test_launch_and_fault(void **state)
{
    struct gpu *gpu = open_fake(state);
    struct gpu_launch launch = {.grid_x = 2, .block_x = 32, .dynamic_smem_bytes = 64 * 1024};
    gpu_address address;
    struct error error;
    char sent[] = "seven bytes", back[sizeof sent] = "";

    assert_true(gpu_kernel_find(gpu, "whole", "entry", &launch.kernel, &error));
    assert_true(gpu_run(gpu, &launch, &error));
    assert_true(gpu_wait(gpu, &error));
    launch.dynamic_smem_bytes = 1 << 20;
    assert_false(gpu_run(gpu, &launch, &error));
    assert_error(&error, ERROR_FAILED,
                 "preparing the launch of entry (2 CTAs of 32 threads, "
                 "1048576 bytes of shared memory");
    launch.dynamic_smem_bytes = 16 * 1024;
    launch.carveout_pct = 75;
    assert_true(gpu_run(gpu, &launch, &error));
    launch.carveout_pct = 101;
    assert_false(gpu_run(gpu, &launch, &error));
    assert_error(&error, ERROR_FAILED, "preparing the launch of entry");

    assert_true(gpu_alloc(gpu, sizeof sent, &address, &error));
    assert_true(gpu_upload(gpu, address, sent, sizeof sent, &error));
    assert_true(gpu_fill(gpu, address, 'e', 1, &error));
    setenv("FAKE_CUDA", "fault", 1);
    assert_false(gpu_wait(gpu, &error));
    assert_error(&error, ERROR_FAILED, "running entry: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal");
    assert_false(gpu_download(gpu, back, address, sizeof back, &error));
    assert_error(&error, ERROR_FAILED, "copying from the GPU, 12 bytes, after running entry");
    unsetenv("FAKE_CUDA");
    assert_true(gpu_download(gpu, back, address, sizeof back, &error));
    assert_string_equal(back, "eeven bytes");
    gpu_free(gpu, address);
    gpu_close(gpu);
}

static void test_tensor_map(void **state)
{
    struct gpu *gpu = open_fake(state);
    struct tensor_map_request request = {.rank = 5};
    struct tensor_map map = {{0}};
    struct error error;
    int code = -1;

    assert_true(gpu_tensor_map(gpu, &request, &map, &code, &error));
    assert_int_equal(code, 0);
    assert_int_equal(map.bytes[127], 0x5a);
    map.bytes[0] = 1;
    request.rank = TENSOR_MAP_ENTRIES;
    assert_true(gpu_tensor_map(gpu, &request, &map, &code, &error));
    assert_int_equal(code, 1);
    assert_int_equal(map.bytes[0], 1);
    request.rank = TENSOR_MAP_ENTRIES + 1;
    assert_false(gpu_tensor_map(gpu, &request, &map, &code, &error));
    assert_error(&error, ERROR_INPUT, "rank 9 is not tried");
    request.rank = 1;
    setenv("FAKE_CUDA", "no context", 1);
    assert_false(gpu_tensor_map(gpu, &request, &map, &code, &error));
    assert_error(&error, ERROR_FAILED, "encoding a tensor map");
    gpu_close(gpu);
}

static void test_counters_that_cannot_be_had(void **state)
{
    struct gpu *gpu = open_fake(state);
    const char *const metric = "l1tex__data_bank_reads.sum";
    struct counter_set *set;
    struct error error;

    setenv("SWIZZLEBENCH_CUPTI", "/nowhere/libcupti.so.13", 1);
    assert_non_null(strstr(counters_why_not(gpu), "/nowhere/libcupti.so.13"));
    assert_false(counters_has_metric(gpu, metric));
    assert_false(counter_set_open(gpu, &metric, 1, &set, &error));
    assert_error(&error, ERROR_MACHINE, "cannot open SWIZZLEBENCH_CUPTI");
    unsetenv("SWIZZLEBENCH_CUPTI");
    gpu_close(gpu);
}

static void write_text(void **state, const char *name, const char *text, char path[PATH_BYTES])
{
    path_in(*state, name, path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Another profiler sees what is counted and nothing else, and the counts are what it wrote. */
static void test_counts_of_another_profiler(void **state)
{
    static const char *const metrics[] = {"reads.sum", "writes.sum"};
    struct counter_set *set;
    struct gpu_launch launches[2] = {{.grid_x = 1, .block_x = 32}, {.grid_x = 1, .block_x = 32}};
    struct error error = {.kind = ERROR_NONE};
    double values[4];
    char path[PATH_BYTES];
    write_text(state, "counts.csv",
               "launch,kernel,metric,value\n0,entry,reads.sum,12288\n0,entry,writes.sum,0.5\n"
               "1,entry,reads.sum,7\n1,entry,writes.sum,8\n2,other,reads.sum,1\n",
               path);
    gpu_close(open_fake(state)); /* skips where there are no headers */
    const int *seen = dlsym(load(*state, "libcuda.so.1"), "fake_seen_launches");
    assert_non_null(seen);

    setenv("SWIZZLEBENCH_REPLAY_COUNTS", path, 1);
    struct gpu *gpu = open_fake(state);
    unsetenv("SWIZZLEBENCH_REPLAY_COUNTS");
    assert_null(counters_why_not(gpu));
    assert_true(counters_has_metric(gpu, "writes.sum"));
    assert_false(counters_has_metric(gpu, "writes"));
    assert_true(counter_set_open(gpu, metrics, 2, &set, &error));
    for (int i = 0; i < 2; i++)
        assert_true(gpu_kernel_find(gpu, "whole", "entry", &launches[i].kernel, &error));
    int before = *seen;
    assert_true(gpu_run(gpu, launches, &error));
    assert_int_equal(*seen, before);
    assert_true(counters_collect(gpu, set, launches, 2, values, &error));
    assert_int_equal(*seen, before + 2);
    assert_true(gpu_run(gpu, launches, &error));
    assert_int_equal(*seen, before + 2);
    const double expected[] = {12288, 0.5, 7, 8};
    assert_memory_equal(values, expected, sizeof values);

    assert_false(counters_collect(gpu, set, launches, 1, values, &error));
    assert_error(
        &error, ERROR_INPUT,
        "counts.csv: line 6 has launch 2, other, reads.sum; this is launch 2, entry, reads");
    counter_set_close(set);
    gpu_close(gpu);
}

static void test_counts_that_cannot_be_read(void **state)
{
    static const struct {
        const char *text, *says;
    } files[] = {
        {"launch,kernel\n", "counts.csv: line 1 must be launch,kernel,metric,value"},
        {"launch,kernel,metric,value\n0,entry,reads.sum,many\n",
         "counts.csv: line 2 is not a launch, a kernel, a metric and its value"},
    };
    struct error error = {.kind = ERROR_NONE};
    struct gpu *gpu;
    char path[PATH_BYTES];
    gpu_close(open_fake(state));
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_text(state, "counts.csv", files[i].text, path);
        setenv("SWIZZLEBENCH_REPLAY_COUNTS", path, 1);
        assert_false(gpu_open(0, &gpu, &error));
        assert_error(&error, ERROR_INPUT, files[i].says);
    }
    setenv("SWIZZLEBENCH_REPLAY_COUNTS", "/nowhere/counts.csv", 1);
    assert_false(gpu_open(0, &gpu, &error));
    assert_error(&error, ERROR_INPUT, "/nowhere/counts.csv: cannot be read: No such file");
    unsetenv("SWIZZLEBENCH_REPLAY_COUNTS");
    setenv("SWIZZLEBENCH_RECORD_COUNTS", "/nowhere/counts.csv", 1);
    assert_false(gpu_open(0, &gpu, &error));
    assert_error(&error, ERROR_INPUT, "/nowhere/counts.csv: cannot be written: No such file");
    unsetenv("SWIZZLEBENCH_RECORD_COUNTS");
}

static void assert_no_nvml(void **state, const char *wrong, const char *says)
{
    struct gpu_clocks clocks;
    setenv("FAKE_NVML", wrong, 1);
    struct gpu *gpu = open_fake(state);
    if (!strstr(gpu_info(gpu)->no_nvml, says))
        fail_msg("'%s' does not say '%s'", gpu_info(gpu)->no_nvml, says);
    gpu_clocks(gpu, &clocks);
    assert_true(clocks.unknown);
    assert_false(clocks.throttled);
    assert_int_equal(clocks.throttle_reasons, 0);
    gpu_close(gpu);
    unsetenv("FAKE_NVML");
}

static void test_clocks(void **state)
{
    char path[PATH_BYTES], command[3 * PATH_BYTES];
    struct gpu_clocks clocks;
    path_in(*state, "libnvml.so", path);
    snprintf(command, sizeof command, "cc -shared -fPIC -o %s tests/fake/libnvml.c", path);
    assert_int_equal(system(command), 0);
    setenv("SWIZZLEBENCH_NVML", path, 1);

    setenv("FAKE_NVML", "0x24", 1);
    struct gpu *gpu = open_fake(state);
    assert_string_equal(gpu_info(gpu)->driver, "580.1");
    assert_string_equal(gpu_info(gpu)->no_nvml, "");
    gpu_clocks(gpu, &clocks);
    assert_false(clocks.unknown);
    assert_true(clocks.throttled);
    assert_int_equal(clocks.sm_mhz, 1980);
    assert_int_equal(clocks.memory_mhz, 3201);
    assert_string_equal(clocks.reasons, "power cap, thermal limit");
    setenv("FAKE_NVML", "1", 1);
    gpu_clocks(gpu, &clocks);
    assert_false(clocks.throttled);
    gpu_close(gpu);

    assert_no_nvml(state, "no driver", "NVML does not start (NVML error 9)");
    assert_no_nvml(state, "no card", "NVML does not know GPU-00112233-");
    assert_no_nvml(state, "no reasons", "");
    setenv("SWIZZLEBENCH_NVML", "/nowhere/libnvidia-ml.so.1", 1);
    assert_no_nvml(state, "", "cannot open SWIZZLEBENCH_NVML: /nowhere/libnvidia-ml.so.1: ");
    setenv("SWIZZLEBENCH_NVML", "libm.so.6", 1);
    assert_no_nvml(state, "", "has no nvmlInit_v2");
    unsetenv("SWIZZLEBENCH_NVML");
}

/* Every way in which the driver can refuse counters is told with what its owner can do. */
static void test_counters_that_are_denied(void **state)
{
    static const struct {
        const char *code, *says;
    } refusals[] = {
        {"35", "the driver keeps counters for administrators; run as root or with CAP_SYS_ADMIN, "
               "start the container with --cap-add=SYS_ADMIN, or load the nvidia module with "
               "NVreg_RestrictProfilingToAdminUsers=0 (CUPTI error 35)"},
        {"39", "another profiler or debugger is attached"},
        {"43", "this is a slice of a GPU (MIG)"},
        {"7", "asking CUPTI which counters Fake GPU has: FAKE_CUPTI_ERROR (7)"},
    };
    char path[PATH_BYTES], command[4 * PATH_BYTES];
    path_in(*state, "libcupti.so", path);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct gpu *gpu = open_fake(state); /* skips where there are no headers to compile with */
        snprintf(command, sizeof command,
                 "cc -shared -fPIC $(scripts/find-cuda include) -o %s tests/fake/libcupti.c", path);
        assert_int_equal(i == 0 ? system(command) : 0, 0);
        setenv("SWIZZLEBENCH_CUPTI", path, 1);
        setenv("FAKE_CUPTI", refusals[i].code, 1);
        if (!strstr(counters_why_not(gpu), refusals[i].says))
            fail_msg("%s: %s", refusals[i].code, counters_why_not(gpu));
        gpu_close(gpu);
    }
    unsetenv("SWIZZLEBENCH_CUPTI");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_old_driver),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_launch_and_fault),
        cmocka_unit_test(test_tensor_map),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_counters_that_cannot_be_had),
        cmocka_unit_test(test_counters_that_are_denied),
        cmocka_unit_test(test_counts_of_another_profiler),
        cmocka_unit_test(test_counts_that_cannot_be_read),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
