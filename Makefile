# The only build file. `make help` lists what can be asked of it.

VERSION = $(shell sed -n 's/.*SWIZZLEBENCH_VERSION "\(.*\)"/\1/p' harness/version.h)
CC := gcc
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local

# As many jobs as there are cores; -jN on the command line wins.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
MAKEFLAGS += --no-print-directory

# V=1 shows the commands.
Q := $(if $(V),,@)

# SANITIZE=1 builds apart, with the address and undefined-behaviour sanitizers.
ifeq ($(SANITIZE),1)
BUILD := build/sanitize
SANITIZER_FLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined
else
BUILD := build
endif

# The path in a variable of the command line as one word of a shell, whatever signs are in it: a "$" is
# one, too. "~/" at its beginning is the home folder, which not every shell makes of it behind a "=";
# "//^" marks the beginning for that while it is looked for, so a path must be without that.
quoted = '$(subst ','\'',$(subst //^,,$(subst //^~/,$(value HOME)/,//^$(value $(1)))))'

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all host lib kernels test check test-gpu fuzz bench bench-full plots report docs lint install clean help
.PHONY: uninstall dist
.PHONY: test-gpu-programs

all: host

# ---- CUDA headers: used where they are found --------------------------------------------------

NVCC := $(shell scripts/find-cuda nvcc)
ifeq ($(.SHELLSTATUS),2)
$(error set CUDA_HOME to the folder of a CUDA toolkit, or not at all)
endif
CUDA_INCLUDE := $(shell scripts/find-cuda include)

ifneq ($(CUDA_INCLUDE),)
GPU_SOURCES := $(wildcard harness/cuda/*.c)
else
GPU_SOURCES := harness/no_cuda.c
endif

# ---- Host -------------------------------------------------------------------------------------

STRICT := -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror
CPPFLAGS := -I.
COMPILE = $(CC) $(STRICT) $(CPPFLAGS) $(CFLAGS) $(SANITIZER_FLAGS) -MMD -MP
LINK = $(CC) $(CFLAGS) $(SANITIZER_FLAGS) $(LDFLAGS)
LIBS := -ldl -lm

objects = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))

MODEL_OBJECTS := $(call objects,$(wildcard model/*.c))
MAIN_OBJECT := $(call objects,harness/main.c)
OTHER_OBJECTS := $(filter-out $(MAIN_OBJECT),$(call objects,\
    $(filter-out harness/no_cuda.c,$(wildcard harness/*.c)) $(GPU_SOURCES) $(wildcard bench/*.c)))

TEST_PROGRAMS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))
TEST_HELPERS := $(call objects,$(filter-out tests/test_%.c,$(wildcard tests/*.c)))
GPU_TEST_PROGRAMS := $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/gpu/test_*.c))

host: $(BUILD)/swizzlebench
lib: $(BUILD)/libswizzlebench.a

$(BUILD)/swizzlebench: $(MAIN_OBJECT) $(MODEL_OBJECTS) $(OTHER_OBJECTS) $(BUILD)/found
	@echo 'LINK $@'
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(LIBS)

$(BUILD)/libswizzlebench.a: $(MODEL_OBJECTS)
	@rm -f $@
	@echo 'AR $@'
	$(Q)$(AR) rcs $@ $^

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo 'CC $<'
	$(Q)$(COMPILE) -c -o $@ $<

# cupti_profiler_host.h includes the C++ header <string> and uses nothing of it: an empty one does.
$(BUILD)/obj/harness/cuda/%.o: harness/cuda/%.c Makefile $(BUILD)/found
	@mkdir -p $(@D)
	@echo 'CC $<'
	$(Q)$(COMPILE) $(CUDA_INCLUDE) -idirafter harness/cuda/compat -c -o $@ $<

# Changes, and so rebuilds, when the CUDA headers are found elsewhere or a source comes or goes.
FOUND := $(CUDA_INCLUDE) $(MODEL_OBJECTS) $(OTHER_OBJECTS)
$(BUILD)/found: FORCE
	@mkdir -p $(@D)
	@echo '$(FOUND)' | cmp -s - $@ || echo '$(FOUND)' >$@
.PHONY: FORCE
FORCE:

# ---- Kernels ----------------------------------------------------------------------------------
# The targets of each are in its head: `// targets: 90a 100a`, see scripts/gencode.

FATBINS := $(patsubst kernels/%.cu,build/kernels/%.fatbin,$(wildcard kernels/*.cu))
BROKEN_FATBINS := $(patsubst %.cu,build/%.fatbin,$(wildcard tests/gpu/kernels/*.cu \
    tests/gpu/kernels/*/*.cu tests/gpu/planted/*.cu))

ifeq ($(NVCC),)
kernels test-gpu-programs:
	@scripts/setup cuda
	@$(MAKE) $@
else
kernels: $(FATBINS)
test-gpu-programs: $(FATBINS) $(BROKEN_FATBINS) $(GPU_TEST_PROGRAMS) $(BUILD)/swizzlebench
endif

build/%.fatbin: %.cu Makefile scripts/gencode $(wildcard $(NVCC))
	@mkdir -p $(@D)
	@echo 'NVCC $<'
	$(Q)flags=$$(scripts/gencode $(NVCC) $<) && \
	$(NVCC) -fatbin -std=c++17 -O3 -I. -Werror all-warnings -Xptxas -warn-spills,-Werror \
	    -MMD -MP -MF $(@:.fatbin=.d) $$flags -o $@ $<

# ---- Tests ------------------------------------------------------------------------------------
# Each tests/test_*.c is a program of its own. It is linked with everything but main.o as an
# archive, so that what a test defines itself (a registry of broken families) takes precedence.

test:
	@scripts/setup test
	@$(MAKE) check

check: $(BUILD)/swizzlebench $(BUILD)/libswizzlebench.a $(TEST_PROGRAMS)
	@SWIZZLEBENCH=$(BUILD)/swizzlebench scripts/run-tests $(TEST_PROGRAMS) $(wildcard tests/*.sh)

test-gpu:
	@scripts/setup test
	@$(MAKE) test-gpu-programs
	@scripts/test-gpu

$(BUILD)/obj/all-but-main.a: $(TEST_HELPERS) $(MODEL_OBJECTS) $(OTHER_OBJECTS) $(BUILD)/found
	@rm -f $@
	@echo 'AR $@'
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(BUILD)/obj/all-but-main.a
	@mkdir -p $(@D)
	@echo 'LINK $@'
	$(Q)$(LINK) -o $@ $^ -lcmocka $(LIBS)

.SECONDARY:

# ---- Fuzzing ----------------------------------------------------------------------------------
# Each tests/fuzz/fuzz_*.c is a program of libFuzzer, see tests/fuzz/README.md. clang has it.

FUZZ_FLAGS := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_PROGRAMS := $(patsubst tests/fuzz/%.c,build/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
FUZZ_OBJECTS := $(patsubst %.c,build/fuzz/obj/%.o,tests/fuzz/fuzz.c $(wildcard model/*.c) \
    $(filter-out harness/main.c,$(wildcard harness/*.c)) $(wildcard bench/*.c))

fuzz:
	@scripts/setup fuzz
	@$(MAKE) $(FUZZ_PROGRAMS)

build/fuzz/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo 'CLANG $<'
	$(Q)clang $(STRICT) -Wno-missing-field-initializers $(CPPFLAGS) $(FUZZ_FLAGS) \
	    -fsanitize=fuzzer-no-link -MMD -MP -c -o $@ $<

build/fuzz/all-but-main.a: $(FUZZ_OBJECTS)
	@rm -f $@
	@echo 'AR $@'
	$(Q)$(AR) rcs $@ $^

build/fuzz/%: build/fuzz/obj/tests/fuzz/%.o build/fuzz/all-but-main.a
	@echo 'LINK $@'
	$(Q)clang $(FUZZ_FLAGS) -fsanitize=fuzzer -o $@ $^ $(LIBS)

# ---- Measuring and plotting -------------------------------------------------------------------

bench bench-full:
	@scripts/setup bench
	@$(MAKE) host $(shell scripts/has-gpu && echo kernels)
	@scripts/bench $(if $(filter bench-full,$@),--full)

plots:
	@scripts/setup plot
	@scripts/plot $(if $(value DIR),$(call quoted,DIR))

report: host
	@scripts/setup plot
	@SWIZZLEBENCH=$(BUILD)/swizzlebench scripts/report $(if $(value DIR),$(call quoted,DIR))

# What the program and the results say, put into docs/ and README.md.
docs: host
	@SWIZZLEBENCH=$(BUILD)/swizzlebench scripts/docs

# ---- Lint -------------------------------------------------------------------------------------

C_FILES := $(wildcard model/*.[ch] harness/*.[ch] harness/cuda/*.[ch] bench/*.[ch] \
    tests/*.[ch] tests/gpu/*.[ch] tests/fuzz/*.[ch])
SHELL_FILES = $(shell grep -lE '^\#!.*sh$$' scripts/* tests/*.sh tests/fake/* tests/gpu/*.sh .ci/run 2>/dev/null)

lint:
	@scripts/setup lint
	@echo 'clang-format'
	$(Q)clang-format --dry-run -Werror $(C_FILES) \
	    $(wildcard kernels/*.cu kernels/*.cuh tests/gpu/kernels/*.cu tests/gpu/kernels/*.cuh \
	    tests/gpu/kernels/*/*.cu tests/gpu/planted/*.cu)
	@echo 'cppcheck'
	$(Q)cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
	    --suppress=missingIncludeSystem --error-exitcode=1 -j 2 -I. $(filter %.c,$(C_FILES))
	@echo 'shellcheck'
	$(Q)shellcheck -x $(SHELL_FILES)

# ---- Install ----------------------------------------------------------------------------------

# scripts/ that go along: what draws, reports and measures a fleet with an installed program.
INSTALLED_SCRIPTS := plot report findings compare-plot fleet find-program aside usage
DESTINATION := $(call quoted,DESTDIR)$(call quoted,PREFIX)
SHARE := $(DESTINATION)/share

$(BUILD)/swizzlebench.1: $(BUILD)/swizzlebench scripts/man
	@echo 'MAN $@'
	$(Q)scripts/man $(abspath $<) >$@

install: host lib $(BUILD)/swizzlebench.1
	install -d $(DESTINATION)/bin $(DESTINATION)/lib/pkgconfig \
	    $(DESTINATION)/lib/swizzlebench/kernels $(DESTINATION)/include $(SHARE)/man/man1 \
	    $(SHARE)/bash-completion/completions $(SHARE)/swizzlebench/scripts $(SHARE)/doc/swizzlebench
	install -m 755 $(BUILD)/swizzlebench $(DESTINATION)/bin/
	install -m 644 $(BUILD)/libswizzlebench.a $(DESTINATION)/lib/
	install -m 644 model/swizzlebench.h $(DESTINATION)/include/
	printf '%s\n' prefix=$(call quoted,PREFIX) 'Name: swizzlebench' \
	    'Description: exact cost model of GPU shared memory' 'Version: $(VERSION)' \
	    'Cflags: -I"$${prefix}/include"' 'Libs: -L"$${prefix}/lib" -lswizzlebench' \
	    >$(DESTINATION)/lib/pkgconfig/swizzlebench.pc
	install -m 644 $(BUILD)/swizzlebench.1 $(SHARE)/man/man1/
	install -m 644 scripts/completion.bash $(SHARE)/bash-completion/completions/swizzlebench
	install -m 755 $(INSTALLED_SCRIPTS:%=scripts/%) $(SHARE)/swizzlebench/scripts/
	install -m 644 $(wildcard scripts/*.awk scripts/*.gp) $(SHARE)/swizzlebench/scripts/
	install -m 644 results/published.csv $(SHARE)/swizzlebench/
	install -m 644 LICENSE CHANGELOG.md $(SHARE)/doc/swizzlebench/
	@set -- $(wildcard build/kernels/*.fatbin); if [ $$# -eq 0 ]; then \
	    echo 'no kernels built (make kernels): installed without them, it predicts and compares'; \
	else \
	    install -m 644 "$$@" $(DESTINATION)/lib/swizzlebench/kernels/; \
	fi

uninstall:
	rm -f $(addprefix $(DESTINATION)/,bin/swizzlebench lib/libswizzlebench.a \
	    lib/pkgconfig/swizzlebench.pc include/swizzlebench.h share/man/man1/swizzlebench.1 \
	    share/bash-completion/completions/swizzlebench)
	rm -rf $(DESTINATION)/lib/swizzlebench $(SHARE)/swizzlebench $(SHARE)/doc/swizzlebench

# ---- Source archive ---------------------------------------------------------------------------
# What HEAD holds, the same bytes whenever it is made.

DIST := swizzlebench-$(VERSION)

dist:
	$(if $(shell git rev-parse --verify --quiet HEAD 2>/dev/null),,$(error \
	    this is no git checkout; the archive is made of a commit))
	@git diff --quiet HEAD -- || \
	    echo 'make dist: changes that are not committed are left out' >&2
	@mkdir -p $(BUILD)
	$(Q)git archive --prefix=$(DIST)/ HEAD >$(BUILD)/$(DIST).tar
	$(Q)gzip -9nf $(BUILD)/$(DIST).tar
	@echo '$(BUILD)/$(DIST).tar.gz'

clean:
	rm -rf build

# `make clean host` means first the one, then the other.
ifneq ($(filter clean,$(MAKECMDGOALS)),)
.NOTPARALLEL:
endif

help:
	@printf '%s\n' \
	    'make host        build/swizzlebench; needs gcc alone, measures where CUDA headers are found' \
	    'make kernels     build/kernels/*.fatbin; needs nvcc, or fetches it into .deps/' \
	    'make bench       set up, build, measure GPU 0 (default sweep), plot; predicts without a GPU' \
	    'make bench-full  the same over the whole space' \
	    'make test        all tests that need no GPU; SANITIZE=1 with sanitizers' \
	    'make test-gpu    the tests that need one' \
	    'make fuzz        the programs that scripts/fuzz-parsers runs; needs clang' \
	    'make plots DIR=results/nvidia-h200   the plots again' \
	    'make report DIR=results/nvidia-h200  plots, and one HTML page and its Markdown twin' \
	    'make docs        what the program prints and measured, into docs/ and README.md again' \
	    'make lint        clang-format, cppcheck, shellcheck' \
	    'make lib         build/libswizzlebench.a, the model alone' \
	    'make install     PREFIX=/usr/local DESTDIR=' \
	    'make uninstall   with the same PREFIX and DESTDIR' \
	    'make dist        build/swizzlebench-VERSION.tar.gz, of the commit that is checked out' \
	    'make clean       remove build/'

-include $(shell find build -name '*.d' 2>/dev/null)
