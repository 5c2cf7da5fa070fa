# Tests, benches, fuzzers, and checks of the source. Read by the Makefile.

.PHONY: check check-fast check-tenth lint check-all check-long check-asan check-tsan check-valgrind run-tests fuzz bench format tidy \
        build-tests test-module build-fuzzers build-benches examples

# The tests alone use cmocka, and muParser as an independent reader of expressions.
TEST_LIBS = $(call once,TEST_LIBS,$(or $(call pkg,--libs,cmocka),-lcmocka) $(or $(call pkg,--libs,muparser),-lmuparser))
TEST_CFLAGS = $(call once,TEST_CFLAGS,$(patsubst -I%,-isystem %,$(call pkg,--cflags,cmocka muparser)))
TEST_INCLUDES = -Itests -Itests/support $(TEST_CFLAGS)

# ---- Sources, found by their place ----

TEST_SOURCES := $(sort $(wildcard $(foreach kind,unit property literature golden,tests/$(kind)/*.c)))
SUPPORT_SOURCES := $(sort $(wildcard tests/support/*.c))
SHIM_SOURCES := $(sort $(wildcard tests/shim/*.c))
FUZZ_SOURCES := $(filter-out tests/fuzz/replay.c,$(sort $(wildcard tests/fuzz/*.c)))
FMU_SOURCES := $(filter-out tests/fmu/kit.c,$(sort $(wildcard tests/fmu/*.c)))
BENCH_SOURCES := $(sort $(wildcard tests/bench/*.c))
CLI_TESTS := $(sort $(wildcard tests/cli/*.sh tests/cli/*.py))
LINT_TESTS := $(sort $(wildcard tests/lint/*.sh tests/lint/*.py))
LONG_TESTS := $(sort $(wildcard tests/long/*.sh tests/long/*.py))
# C tests that take more than two seconds, and tests of the command line that take a few.
SLOW_TESTS := $(foreach t,property/area_grid property/planar_map property/rows property/strangers literature/areas_random \
    literature/areas literature/network_bound literature/planar_points unit/area unit/boundary unit/limit_branch unit/network_bound \
    unit/network_refine unit/refine unit/store_damage unit/study,$(B)/tests/$(t))
FAST_TESTS := $(foreach t,classify.sh compare.py completion.py contours.py decay.py delays.py fmu_links.py gains.py \
    open_file.py plot_iteration.py removed.py reproduce.sh strangers.py \
    time_varying.py turns.py units.py unreadable.py vacuous.py,tests/cli/$(t))
# Long tests that need packages which `make deps` does not install.
PACKAGED_TESTS := $(foreach t,axe.py deb.sh determinism.sh latex.sh notebook.sh pip.sh slurm.sh,tests/long/$(t))
FORMATTED = $(wildcard include/costab/*.h src/*/*.[ch] tests/*/*.[ch])

SUPPORT_OBJECTS := $(call object,$(SUPPORT_SOURCES))
SUPPORT_MEMORY := $(call object,tests/support/memory.c)
SUPPORT := $(if $(SUPPORT_SOURCES),$(B)/tests/libsupport.a)
SHIMS := $(patsubst tests/shim/%.c,$(B)/tests/shim/%.so,$(SHIM_SOURCES))
FMUS := $(foreach v,2 3,$(patsubst tests/fmu/%.c,$(B)/tests/fmu/%-$(v).fmu,$(FMU_SOURCES)))
REPLAYS := $(patsubst tests/fuzz/%.c,$(B)/tests/fuzz/%,$(FUZZ_SOURCES))
FUZZERS := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(FUZZ_SOURCES))
UNITS := $(patsubst tests/%.c,$(B)/tests/%,$(TEST_SOURCES))
TESTS := $(UNITS) $(REPLAYS)
BENCHES := $(patsubst tests/bench/%.c,$(B)/bench/%,$(BENCH_SOURCES))
CHECK := $(TESTS) $(CLI_TESTS) $(LINT_TESTS)
FAST := $(filter-out $(SLOW_TESTS),$(TESTS)) $(FAST_TESTS) $(LINT_TESTS)

# ---- Running them ----

# Leaks are the address sanitizer's: a test that fails leaves its memory behind.
MEMCHECK = valgrind --quiet --error-exitcode=99 --leak-check=no
RUN_TESTS = COSTAB=$(HERE)/costab COSTAB_SHIMS=$(HERE)/tests/shim COSTAB_FMUS=$(HERE)/tests/fmu tests/run

check: build-all build-tests
	$(Q)$(RUN_TESTS) $(CHECK)

# The source: who includes and calls whom, cited sources, format.
lint: build-all
	$(Q)$(RUN_TESTS) $(LINT_TESTS)

check-all: check
	$(SUB) check-long
	$(SUB) check-asan
	$(SUB) check-tsan
	$(SUB) check-valgrind

# A minute after a change of one file.
check-fast: build-all build-tests
	$(Q)$(RUN_TESTS) $(FAST)

# All with more effort, and tests that take minutes or large packages.
check-long: build-all build-tests
	$(Q)EFFORT=10 TEST_TIMEOUT=3600 $(RUN_TESTS) $(LONG_TESTS) $(TESTS) $(CLI_TESTS)

# A tenth of check-long, which the commit's hash chooses: as much of it as three minutes allow.
check-tenth: build-all build-tests
	$(Q)hash=$$(git rev-parse --short=7 HEAD 2>/dev/null || echo 0) && \
	    EFFORT=10 TEST_BUDGET=180 $(RUN_TESTS) $$(printf '%s\n' $(filter-out $(PACKAGED_TESTS),$(LONG_TESTS)) $(TESTS) $(CLI_TESTS) | \
	    awk -v part=$$((0x$$hash % 10)) 'NR % 10 == part')

check-asan:
	$(SUB) VARIANT=asan build-all build-tests
	$(Q)ASAN_OPTIONS=verify_asan_link_order=0 UBSAN_OPTIONS=print_stacktrace=1 TEST_TIMEOUT=1800 \
	    $(MAKE) --no-print-directory -s VARIANT=asan run-tests

check-tsan:
	$(SUB) VARIANT=tsan CC=clang build-all build-tests
	$(Q)archer=$$(clang -print-resource-dir)/../../libarcher.so; \
	    if [ -e "$$archer" ]; then export OMP_TOOL_LIBRARIES="$$archer"; \
	    else echo 'libarcher.so was not found: the thread sanitizer may report races that are none' >&2; fi; \
	    TSAN_OPTIONS=ignore_noninstrumented_modules=1 TEST_TIMEOUT=1800 $(MAKE) --no-print-directory -s VARIANT=tsan CC=clang run-tests

check-valgrind: build-all build-tests
	$(Q)$(RUN_TESTS) --memcheck '$(MEMCHECK)' $(filter $(B)/tests/unit/%,$(TESTS))

run-tests:
	$(Q)$(RUN_TESTS) $(TESTS) $(CLI_TESTS)

# What is found lies in tests/fuzz/found then, and fails `make check` until it is mended.
FUZZ_SECONDS ?= 60
FUZZ ?= $(notdir $(FUZZERS))
export FUZZ FUZZ_SECONDS
fuzz: needs
	$(SUB) VARIANT=fuzz CC=clang build-fuzzers
	+$(Q)CC=clang VARIANT=fuzz tests/fuzz/run $(BUILDDIR)-fuzz "$$FUZZ_SECONDS"

bench: build-all build-benches test-module
	$(Q)for b in $(BENCHES); do $$b || exit 1; done
	$(if $(HAS_CFFI),$(Q)PYTHONPATH='$(B)/python' $(PYTHON) tests/bench/module.py)
	$(Q)if [ -x tests/bench/run ]; then COSTAB=$(HERE)/costab tests/bench/run; fi
	$(if $(shell command -v chromium chromium-browser google-chrome),$(Q)$(PYTHON) tests/bench/pages.py $(HERE)/costab)

format: needs
	$(Q)clang-format -i $(FORMATTED)

tidy: $(GEN)/version.h $(GEN)/plots.h
	$(Q)printf '%s\n' $(filter-out $(KERNELS),$(SOURCES)) | xargs -P "$$JOBS" -I FILE clang-tidy --quiet FILE -- $(STANDARD) -fopenmp $(INCLUDES)
	$(Q)printf '%s\n' $(KERNELS) | xargs -P "$$JOBS" -I FILE clang-tidy --quiet FILE -- $(STANDARD) -DW=2 $(INCLUDES)

# ---- Building them ----

build-tests: $(TESTS) $(B)/tests/costab $(SHIMS) $(FMUS) test-module
# The Python module, where it can be made: tests/cli/python.py says so where it is not.
.SECONDEXPANSION:
test-module: $(SHARED) $$(if $$(HAS_CFFI),build-python)
build-fuzzers: $(FUZZERS)
build-benches: $(BENCHES)

# Tests spend their time in the library.
$(B)/obj/tests/%.o: private BUILD_FLAGS += -O1
$(B)/obj/tests/%.o: INCLUDES += $(TEST_INCLUDES)
$(B)/obj/tests/%.o: tests/%.c $(GEN)/flags
	$(call say,CC,$<)
	$(Q)$(compile-it)

$(SUPPORT): $(SUPPORT_OBJECTS) $(GEN)/sources
	$(Q)$(begin) && $(AR) rcs $$new $(SUPPORT_OBJECTS) && $(publish)

# One program has all tests in C; by which of these names it is called says whose it runs (tests/support/main.c).
$(B)/tests/units: $(call object,$(TEST_SOURCES)) $(SUPPORT) $(STATIC)
	$(call say,LINK,$@)
	$(Q)$(begin) && $(LINK) -o $$new $^ $(TEST_LIBS) $(PKG_LIBS) && $(publish)

$(UNITS): $(B)/tests/units
	$(Q)mkdir -p $(@D) && ln -sf ../units $@

# The program whose allocations fail (tests/support/memory.c).
$(B)/tests/costab: $(CLI_OBJECTS) $(SUPPORT_MEMORY) $(STATIC)
	$(call say,LINK,$@)
	$(Q)$(begin) && $(LINK) -o $$new $^ $(PKG_LIBS) && $(publish)

# A harness, with the files on disk or with a fuzzer. It may call what the program has beside the library.
FUZZ_PARTS = $(SUPPORT) $(filter-out %/main.o,$(CLI_OBJECTS)) $(STATIC)

$(REPLAYS): $(B)/tests/fuzz/%: $(B)/obj/tests/fuzz/%.o $(B)/obj/tests/fuzz/replay.o $(FUZZ_PARTS)
	$(call say,LINK,$@)
	$(Q)$(begin) && $(LINK) -o $$new $^ $(TEST_LIBS) $(PKG_LIBS) && $(publish)

$(FUZZERS): $(B)/fuzz/%: $(B)/obj/tests/fuzz/%.o $(FUZZ_PARTS)
	$(call say,LINK,$@)
	$(Q)$(begin) && $(LINK) -fsanitize=fuzzer -o $$new $^ $(TEST_LIBS) $(PKG_LIBS) && $(publish)

# Libraries to preload that make system calls fail; never instrumented.
$(SHIMS): $(B)/tests/shim/%.so: tests/shim/%.c | needs
	$(call say,SHIM,$<)
	$(Q)$(begin) && $(CC) $(STANDARD) $(CFLAGS) $(WARNINGS) -fPIC -shared -o $$new $< -ldl && $(publish)

# FMUs of FMI 2.0 and 3.0: each model is compiled as what prints its description, and as a program; never instrumented.
$(B)/tests/fmu/%-2.fmu $(B)/tests/fmu/%-3.fmu: tests/fmu/%.c tests/fmu/kit.c tests/fmu/kit.h tests/fmu/pack.py | needs
	$(call say,FMU,$<)
	$(Q)$(begin) && mkdir $$new.parts && for v in 2 3; do \
	    name=$$new.parts/$*-$$v && $(CC) -std=c11 -O1 -DDESCRIBE -DFMI=$$v -o $$name.describe $< && \
	    $(CC) -std=c11 -O1 -fPIC -shared -fvisibility=hidden -DFMI=$$v -o $$name.so $< -lm && \
	    $(PYTHON) tests/fmu/pack.py $$v $$name.describe $$name.so $$name.fmu || exit 1; done && mv $$new.parts/* $(@D) && rm -r $$new.parts

# What docs/how-to/fmu.md asks about, in build/examples.
examples: $(B)/tests/fmu/mass-2.fmu $(B)/tests/fmu/coupled-2.fmu
	$(Q)PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/support COSTAB_FMUS=$(HERE)/tests/fmu $(PYTHON) tests/fmu/examples.py $(B)/examples
	$(Q)echo 'wrote $(B)/examples: mass.fmu, coupled.fmu, two-masses.ssp'

$(BENCHES): $(B)/bench/%: $(B)/obj/tests/bench/%.o $(STATIC)
	$(call say,LINK,$@)
	$(Q)$(begin) && $(LINK) -o $$new $< $(STATIC) $(PKG_LIBS) && $(publish)

-include $(patsubst %.o,%.d,$(call object,$(SUPPORT_SOURCES) $(TEST_SOURCES) $(FUZZ_SOURCES) tests/fuzz/replay.c $(BENCH_SOURCES)))
