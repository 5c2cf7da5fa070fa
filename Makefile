# costab: `make help` lists what there is to make. GNU make 4.0 or later.

ifeq ($(filter 4.% 5.%,$(MAKE_VERSION)),)
$(error GNU make 4.0 or later is needed, this is $(MAKE_VERSION). macOS: `brew install make`, then gmake)
endif

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

# ---- What may be set on the command line ------------------------------------------------------------------------

ifeq ($(origin CC),default)
CC = gcc
endif
ifeq ($(origin AR),default)
AR = ar
endif
CFLAGS ?= -O3 -g
LDFLAGS ?=
VARIANT ?=
WERROR ?= $(if $(CI),1,0)
JOBS ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PYTHON ?= $(if $(wildcard /usr/bin/python3),/usr/bin/python3,python3)
PKG_CONFIG ?= pkg-config
OBJCOPY ?= objcopy
INSTALL ?= install
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
DESTDIR ?=
export CC PYTHON PKG_CONFIG

# MPI=1: the same program, whose ranks share a sweep, in a folder of its own. Only src/cli/ranks.c knows of MPI.
MPICC ?= mpicc
WITH_MPI := $(filter-out 0 no,$(MPI))
COMPILER = $(if $(WITH_MPI),OMPI_CC='$(CC)' MPICH_CC='$(CC)' $(MPICC),$(CC))

Q := $(if $(filter-out 0,$(V)),,@)
say = $(if $(Q),@printf '  %-7s %s\n' '$(1)' '$(2)')

# ---- Sources: found by their place ------------------------------------------------------------------------------

B := build$(if $(VARIANT),-$(VARIANT))$(if $(WITH_MPI),-mpi)
GEN := $(B)/gen
VERSION := $(shell sed -n 's/^.define COSTAB_VERSION *"\(.*\)"/\1/p' include/costab/base.h)
HEADERS := $(sort $(wildcard include/costab/*.h))

# `make install` goes on with the settings of the last build, whoever calls it and with whatever environment.
ifneq ($(INSTALLING),)
-include $(GEN)/settings
endif

SOURCES := $(sort $(wildcard src/*/*.c))
CLI_SOURCES := $(filter src/cli/%,$(SOURCES))
LIB_SOURCES := $(filter-out src/cli/%,$(SOURCES))
TEMPLATES := $(sort $(wildcard plots/*.gp))
TEST_SOURCES := $(sort $(wildcard $(foreach kind,unit property literature golden,tests/$(kind)/*.c)))
SUPPORT_SOURCES := $(sort $(wildcard tests/support/*.c))
SHIM_SOURCES := $(sort $(wildcard tests/shim/*.c))
FUZZ_SOURCES := $(filter-out tests/fuzz/replay.c,$(sort $(wildcard tests/fuzz/*.c)))
BENCH_SOURCES := $(sort $(wildcard tests/bench/*.c))
CLI_TESTS := $(sort $(wildcard tests/cli/*.sh tests/cli/*.py))
LONG_TESTS := $(sort $(wildcard tests/long/*.sh tests/long/*.py))
SPECS := $(sort $(wildcard sweeps/*/*.yaml))
MODELS := $(sort $(wildcard sweeps/*/models/*.yaml))
FORMATTED = $(wildcard include/costab/*.h src/*/*.[ch] tests/*/*.[ch])

object = $(patsubst %.c,$(B)/obj/%.o,$(1))
LIB_OBJECTS := $(call object,$(LIB_SOURCES)) $(B)/obj/gen/plots.o $(B)/obj/gen/models.o
CLI_OBJECTS := $(call object,$(CLI_SOURCES))
SUPPORT_OBJECTS := $(call object,$(SUPPORT_SOURCES))
SUPPORT := $(if $(SUPPORT_SOURCES),$(B)/tests/libsupport.a)
TESTS := $(patsubst tests/%.c,$(B)/tests/%,$(TEST_SOURCES))
SHIMS := $(patsubst tests/shim/%.c,$(B)/tests/shim/%.so,$(SHIM_SOURCES))
REPLAYS := $(patsubst tests/fuzz/%.c,$(B)/tests/fuzz/%,$(FUZZ_SOURCES))
FUZZERS := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(FUZZ_SOURCES))
TESTS += $(REPLAYS)
BENCHES := $(patsubst tests/bench/%.c,$(B)/bench/%,$(BENCH_SOURCES))
FIGURES := $(patsubst sweeps/%.yaml,results/%,$(SPECS))

COSTAB := $(B)/costab
STATIC := $(B)/libcostab.a
SHARED := $(B)/libcostab.so
SONAME := libcostab.so.$(firstword $(subst ., ,$(VERSION)))
PACKED := $(B)/install/libcostab.a
PAGES := $(B)/install/costab.1 $(B)/install/costab.bash

# ---- Flags ------------------------------------------------------------------------------------------------------

STANDARD := -std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
            -Wformat=2 -Wundef -Wcast-qual -Wwrite-strings
# No contraction into fused multiply-adds: a result must not depend on the machine that it was computed on. Nobody asks
# errno or traps about arithmetic, so that roots and choices may vectorise.
CODE := -ffp-contract=off -fno-math-errno -fno-trapping-math -fPIC -fno-semantic-interposition -fvisibility=hidden -fopenmp

sanitize-asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
sanitize-tsan := -O1 -g -fsanitize=thread -fno-omit-frame-pointer
sanitize-fuzz := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
ifneq ($(VARIANT),)
ifeq ($(sanitize-$(VARIANT)),)
$(error there is no variant '$(VARIANT)': use asan, tsan or fuzz)
endif
endif
BUILD_FLAGS := $(strip $(STANDARD) $(CFLAGS) $(sanitize-$(VARIANT)) $(CODE) $(if $(WITH_MPI),-DCOSTAB_MPI))

# Asked for once, when first used: on a bare machine pkg-config is there only after the set-up. A library that pkg-config
# does not know is looked for in the compiler's own folders. (HDF5's list of libraries lacks hdf5_hl.)
once = $(eval $(1) := $(2))$($(1))
pkg = $(shell { $(PKG_CONFIG) --silence-errors $(1) $(2); } 2>/dev/null)
MODULES := lapacke openblas yaml-0.1 zlib flint arb
PKG_CFLAGS = $(call once,PKG_CFLAGS,$(patsubst -I%,-isystem %,$(filter-out -I/usr/include/%-linux-gnu,$(sort \
    $(or $(call pkg,--cflags,hdf5-serial),$(call pkg,--cflags,hdf5)) $(foreach m,$(MODULES),$(call pkg,--cflags,$(m)))))))
PKG_LIBS = $(call once,PKG_LIBS,-lhdf5_hl $(or $(call pkg,--libs,hdf5-serial),$(call pkg,--libs,hdf5),-lhdf5) \
    $(foreach m,$(MODULES),$(or $(call pkg,--libs,$(m)),$(library-$(m)))) -lm)
library-lapacke := -llapacke
library-openblas := -lopenblas
library-yaml-0.1 := -lyaml
library-zlib := -lz
library-flint := -lflint
# Beside FLINT 2, Debian's name or Arb's own; FLINT 3 has Arb inside.
library-arb = $(call once,library-arb,$(firstword $(foreach l,-lflint-arb -larb,$(call links,$(l)))))
links = $(shell echo 'int main(void) { return 0; }' | $(CC) $(LDFLAGS) -x c -o /dev/null - $(1) 2>/dev/null && echo '$(1)')
# The tests alone use cmocka, and muParser as an independent reader of expressions.
TEST_LIBS = $(call once,TEST_LIBS,$(or $(call pkg,--libs,cmocka),-lcmocka) $(or $(call pkg,--libs,muparser),-lmuparser))
TEST_CFLAGS = $(call once,TEST_CFLAGS,$(patsubst -I%,-isystem %,$(call pkg,--cflags,cmocka muparser)))

INCLUDES = -Iinclude -Isrc -I$(GEN) $(PKG_CFLAGS)
TEST_INCLUDES = -Itests -Itests/support $(TEST_CFLAGS)
COMPILE = $(COMPILER) $(BUILD_FLAGS) $(WARNINGS) $(if $(filter-out 0,$(WERROR)),-Werror) $(INCLUDES) -MMD -MP
LINK = $(COMPILER) $(BUILD_FLAGS) $(LDFLAGS)
ifeq ($(shell uname -s),Darwin)
SONAME := libcostab.$(firstword $(subst ., ,$(VERSION))).dylib
SHARED_FLAGS = -dynamiclib -Wl,-install_name,@rpath/$(SONAME)
else
SHARED_FLAGS = -shared -Wl,-soname,$(SONAME) $(if $(VARIANT),,-Wl,--no-undefined)
LINK += -Wl,--as-needed
endif

# ---- The targets to call ----------------------------------------------------------------------------------------
# Each first sees to what it needs from the system, then calls make again: only then are the compiler and pkg-config
# there on a bare machine.

SUB = +$(Q)$(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))
DEPS_SCRIPT = $(Q)DEPS='$(DEPS)' .ci/deps
# Leaks are the address sanitizer's: a test that fails leaves its memory behind.
MEMCHECK = valgrind --quiet --error-exitcode=99 --leak-check=no
RUN_TESTS = COSTAB='$(CURDIR)/$(COSTAB)' COSTAB_SHIMS='$(CURDIR)/$(B)/tests/shim' JOBS='$(JOBS)' tests/run

.PHONY: all batch gallery install uninstall figures sweep check check-all check-long check-asan check-tsan check-valgrind fuzz bench reproduce deps format tidy clean \
        info help build-all build-tests build-fuzzers build-benches build-figures FORCE

all:
	$(DEPS_SCRIPT) --report build $(if $(WITH_MPI),mpi)
	$(SUB) build-all

figures:
	$(DEPS_SCRIPT) build figures
	$(SUB) -Otarget build-figures
	@echo '$(words $(FIGURES)) figures, each with its HDF5 grid, script and data, are in results/'

# The pictures of sweeps/README.md, at the resolution of a screen.
gallery: figures
	$(Q)mkdir -p results/gallery && rm -f results/gallery/*.png
	$(Q)for f in $(SPECS:sweeps/%.yaml=%); do \
	    (cd "results/$${f%/*}" && gnuplot -d -e "FMT='png'; DPI=130; \
	        NAME='../gallery/$${f%/*}-$${f##*/}'; DATA='$${f##*/}.dat'" "$${f##*/}.gp") || exit 1; \
	done

sweep:
	$(if $(SPEC),,$(error say which spec: make sweep SPEC=sweeps/kns2014/fig09.yaml))
	$(DEPS_SCRIPT) --report build
	$(SUB) build-all
	$(Q)mkdir -p '$(dir $(SWEEP_OUT))'
	$(Q)$(COSTAB) sweep '$(SPEC)' -o '$(SWEEP_OUT)' && echo 'wrote $(SWEEP_OUT)'

SWEEP_OUT = $(or $(OUT),$(call results-of,$(SPEC)))
# Specs of sweeps/ keep their folder.
results-of = results/$(patsubst sweeps/%,%,$(filter sweeps/%,$(1:.yaml=.h5)))$(notdir $(filter-out sweeps/%,$(1:.yaml=.h5)))

# Slurm scripts to results/batch/, and off to the queue: one job, or an array over specs or slices.
batch:
	$(if $(SPEC),,$(error say which spec: make batch SPEC=sweeps/gomes2018/two-mass.yaml [RANKS=4 THREADS=8 TIME=2:00:00]))
	$(DEPS_SCRIPT) --report build $(BATCH_MPI)
	$(SUB) $(if $(BATCH_MPI),MPI=1) $(BATCH_PROGRAM)
	$(Q)SPEC='$(SPEC)' OUTPUT='$(foreach s,$(SPEC),$(call results-of,$(s)))' PROGRAM='$(CURDIR)/$(BATCH_PROGRAM)' \
	    RANKS='$(RANKS)' THREADS='$(THREADS)' TIME='$(TIME)' PARTITION='$(PARTITION)' SLICES='$(SLICES)' \
	    LAUNCHER='$(LAUNCHER)' SUBMIT='$(SUBMIT)' NOTICE='$(NOTICE)' src/cli/batch/write

BATCH_MPI = $(if $(filter-out 1,$(RANKS)),mpi)
BATCH_PROGRAM = $(if $(BATCH_MPI),build-mpi,build)/costab

# Published numbers beside computed ones.
reproduce:
	$(DEPS_SCRIPT) --report build
	$(SUB) build-all
	$(Q)mkdir -p results
	$(Q)$(COSTAB) reproduce --format md > results/reproduction.md.part
	$(Q)mv results/reproduction.md.part results/reproduction.md && echo 'wrote results/reproduction.md'

check:
	$(DEPS_SCRIPT) build figures check mpi
	$(SUB) build-all build-tests
	$(SUB) MPI=1 build-mpi/costab
	$(Q)$(RUN_TESTS) $(TESTS) $(CLI_TESTS)

check-all: check
	$(DEPS_SCRIPT) build figures check mpi long sanitizers
	$(SUB) -j1 check-long
	$(SUB) -j1 check-asan
	$(SUB) -j1 check-tsan
	$(SUB) -j1 check-valgrind

# Tests that take minutes or large packages.
check-long:
	$(SUB) build-all build-tests
	$(Q)$(if $(LONG_TESTS),TEST_TIMEOUT=1800 $(RUN_TESTS) $(LONG_TESTS))

check-asan:
	$(SUB) VARIANT=asan build-all build-tests
	$(Q)ASAN_OPTIONS=verify_asan_link_order=0 UBSAN_OPTIONS=print_stacktrace=1 \
	    $(MAKE) --no-print-directory -s VARIANT=asan run-tests

check-tsan:
	$(SUB) VARIANT=tsan CC=clang build-all build-tests
	$(Q)archer=$$(clang -print-resource-dir)/../../libarcher.so; \
	    if [ -e "$$archer" ]; then export OMP_TOOL_LIBRARIES="$$archer"; \
	    else echo 'libarcher.so was not found: the thread sanitizer may report races that are none' >&2; fi; \
	    TSAN_OPTIONS=ignore_noninstrumented_modules=1 $(MAKE) --no-print-directory -s VARIANT=tsan CC=clang run-tests

check-valgrind:
	$(SUB) build-all build-tests
	$(Q)$(RUN_TESTS) --memcheck '$(MEMCHECK)' $(filter $(B)/tests/unit/%,$(TESTS))

.PHONY: run-tests
run-tests:
	$(Q)$(RUN_TESTS) $(TESTS) $(CLI_TESTS)

# What is found lies in tests/fuzz/found then, and fails `make check` until it is mended.
FUZZ_SECONDS ?= 60
FUZZ ?= $(notdir $(FUZZERS))
fuzz:
	$(DEPS_SCRIPT) build check fuzz
	$(SUB) VARIANT=fuzz CC=clang build-fuzzers
	+$(Q)CC=clang VARIANT=fuzz FUZZ='$(FUZZ)' tests/fuzz/run build-fuzz $(FUZZ_SECONDS)

bench:
	$(DEPS_SCRIPT) build bench mpi
	$(SUB) build-all build-benches
	$(SUB) MPI=1 build-mpi/costab
	$(Q)for b in $(BENCHES); do $$b || exit 1; done
	$(Q)if [ -x tests/bench/run ]; then COSTAB='$(CURDIR)/$(COSTAB)' tests/bench/run; fi

deps:
	$(DEPS_SCRIPT) build figures check

format:
	$(DEPS_SCRIPT) format
	$(Q)clang-format -i $(FORMATTED)

tidy:
	$(DEPS_SCRIPT) build tidy
	$(SUB) $(GEN)/version.h $(GEN)/plots.h
	$(Q)printf '%s\n' $(SOURCES) | xargs -P $(JOBS) -I FILE clang-tidy --quiet FILE -- $(STANDARD) -fopenmp $(INCLUDES)

clean:
	$(Q)rm -rf build build-asan build-tsan build-fuzz build-mpi

info:
	$(foreach v,CC CFLAGS LDFLAGS BUILD_FLAGS WARNINGS WERROR PKG_CFLAGS PKG_LIBS VARIANT JOBS PYTHON,$(info $(v) = $($(v))))
	$(info rooms = $(sort $(notdir $(patsubst %/,%,$(dir $(SOURCES))))))
	$(info sources = $(words $(SOURCES)), test programs = $(words $(TESTS) $(CLI_TESTS)), specs = $(words $(SPECS)))
	@:

print-%:
	$(info $($*))
	@:

help:
	@echo 'make              build/costab, build/libcostab.a, build/libcostab.so'
	@echo 'make MPI=1        the same in build-mpi/, for mpirun and srun: its ranks share a sweep'
	@echo 'make figures      all figures: every spec under sweeps/ to results/, HDF5, PDF and PNG'
	@echo 'make check        all tests'
	@echo 'make gallery      the pictures of sweeps/README.md, to results/gallery/'
	@echo 'make sweep SPEC=FILE [OUT=FILE.h5]    one spec to results/'
	@echo 'make batch SPEC=FILE... [RANKS= THREADS= TIME= PARTITION= SLICES= LAUNCHER=mpirun|srun SUBMIT=0]'
	@echo '                  Slurm scripts to results/batch/, submitted where sbatch is: a job, or an array over specs or slices'
	@echo 'make check-all    all tests and the long ones (tests/long), again with the address, undefined-behaviour and thread sanitizers and valgrind'
	@echo 'make fuzz         the fuzzers of tests/fuzz, FUZZ_SECONDS each (60); FUZZ="NAME..." some of them'
	@echo 'make reproduce    published numbers beside computed ones, to results/reproduction.md'
	@echo 'make bench        speed against memset, NumPy and SciPy'
	@echo 'make deps         install what costab and its tests need (figures and check do it themselves)'
	@echo 'make format       clang-format on all sources;  make tidy: clang-tidy'
	@echo 'make install [PREFIX=/usr/local] [LIBDIR=PREFIX/lib] [DESTDIR=]    program, libraries, headers, man page;  make uninstall'
	@echo 'make info         compiler, flags, libraries;   make print-VAR: one variable'
	@echo 'make clean        remove the build folders; results/ stays'
	@echo
	@echo 'Settings: CC=clang  CFLAGS=-O2  V=1 (show commands)  WERROR=1  JOBS=N  DEPS=skip (install nothing)'

# ---- Programs and libraries -------------------------------------------------------------------------------------

build-all: $(COSTAB) $(STATIC) $(SHARED) $(PACKED) $(PAGES) $(GEN)/settings
	@:
build-tests: $(TESTS) $(SHIMS)
	@:
build-fuzzers: $(FUZZERS)
	@:
build-benches: $(BENCHES)
	@:
build-figures: $(FIGURES:=.pdf) $(FIGURES:=.png)
	@:

$(COSTAB): $(CLI_OBJECTS) $(STATIC)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $(CLI_OBJECTS) $(STATIC) $(PKG_LIBS)

$(STATIC): $(LIB_OBJECTS) $(GEN)/sources
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(LIB_OBJECTS)

$(SHARED): $(LIB_OBJECTS) $(GEN)/sources
	$(call say,LINK,$@)
	$(Q)$(LINK) $(SHARED_FLAGS) -o $@ $(LIB_OBJECTS) $(PKG_LIBS)
	$(Q)ln -sf $(@F) $(@D)/$(SONAME)

# The archive that is installed: one object, whose internal names are nobody else's business and cannot clash with
# theirs. (Our own programs and tests take the plain one.)
$(PACKED): $(STATIC)
	$(call say,PACK,$@)
	$(Q)mkdir -p $(@D) && rm -f $@
ifeq ($(shell uname -s),Darwin)
	$(Q)cp $< $@
else
	$(Q)$(CC) -r -nostdlib -o $(@D)/costab.o -Wl,--whole-archive $< && $(OBJCOPY) --localize-hidden $(@D)/costab.o
	$(Q)$(AR) rcs $@ $(@D)/costab.o
endif

$(B)/install/costab.1: $(COSTAB)
	$(call say,PAGE,$@)
	$(Q)mkdir -p $(@D) && $(COSTAB) help --man >$@

$(B)/install/costab.bash: $(COSTAB)
	$(call say,PAGE,$@)
	$(Q)mkdir -p $(@D) && $(COSTAB) help --completion bash >$@

$(B)/obj/gen/%.o: $(GEN)/%.c $(GEN)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) -c -o $@ $<

$(B)/obj/%.o: %.c $(GEN)/flags | $(GEN)/version.h $(GEN)/plots.h
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) -c -o $@ $<

$(B)/obj/tests/%.o: tests/%.c $(GEN)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) $(TEST_INCLUDES) -c -o $@ $<

$(SUPPORT): $(SUPPORT_OBJECTS) $(GEN)/sources
	$(Q)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $(SUPPORT_OBJECTS)

$(filter-out $(REPLAYS),$(TESTS)): $(B)/tests/%: $(B)/obj/tests/%.o $(SUPPORT) $(STATIC)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $< $(SUPPORT) $(STATIC) $(TEST_LIBS) $(PKG_LIBS)

# A harness, with the files on disk or with a fuzzer. It may call what the program has beside the library.
FUZZ_PARTS = $(SUPPORT) $(filter-out %/main.o,$(CLI_OBJECTS)) $(STATIC)

$(REPLAYS): $(B)/tests/fuzz/%: $(B)/obj/tests/fuzz/%.o $(B)/obj/tests/fuzz/replay.o $(FUZZ_PARTS)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $^ $(TEST_LIBS) $(PKG_LIBS)

$(FUZZERS): $(B)/fuzz/%: $(B)/obj/tests/fuzz/%.o $(FUZZ_PARTS)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -fsanitize=fuzzer -o $@ $^ $(TEST_LIBS) $(PKG_LIBS)

# Libraries to preload that make system calls fail; never instrumented.
$(SHIMS): $(B)/tests/shim/%.so: tests/shim/%.c
	$(call say,SHIM,$<)
	$(Q)mkdir -p $(@D) && $(CC) $(STANDARD) $(CFLAGS) $(WARNINGS) -fPIC -shared -o $@ $< -ldl

$(BENCHES): $(B)/bench/%: $(B)/obj/tests/bench/%.o $(STATIC)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(LINK) -o $@ $< $(STATIC) $(PKG_LIBS)

# ---- Generated files; each is touched only when its text changes ------------------------------------------------

define if-changed
mkdir -p $(@D) && cat >$@.new && if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
endef

# Another compiler or other flags: all is compiled again. (-Werror changes nothing that is compiled.)
$(GEN)/flags: FORCE
	@printf '%s\n' '$(CC) $(BUILD_FLAGS) $(WARNINGS) $(LDFLAGS)' | { $(if-changed); }

# For `make install`.
$(GEN)/settings: FORCE
	@printf '%s\n' 'CC := $(CC)' 'AR := $(AR)' 'CFLAGS := $(CFLAGS)' 'LDFLAGS := $(LDFLAGS)' | { $(if-changed); }

# A source taken away: the libraries are made again.
$(GEN)/sources: FORCE
	@printf '%s\n' $(LIB_OBJECTS) $(SUPPORT_OBJECTS) | { $(if-changed); }

# Another revision: one file is compiled again. Where git refuses to tell (root about a user's folder), what it told at the
# last build stays. Changed figures do not make the source another one.
$(GEN)/version.h: FORCE
	@revision=unknown; \
	if [ -z "$$(git rev-parse --show-prefix 2>&1)" ] && short=$$(git rev-parse --short=12 HEAD 2>/dev/null); then \
	    revision=$$short; git diff --quiet HEAD -- . ':!results' 2>/dev/null || revision=$$short-dirty; \
	fi; \
	if [ "$$revision" = unknown ] && [ '$(INSTALLING)' ] && [ -e $@ ]; then exit 0; fi; \
	{ printf '#define BUILD_REVISION "%s"\n' "$$revision"; \
	  printf '#define BUILD_FLAGS "%s"\n' "$$(printf '%s' '$(filter-out $(STANDARD),$(BUILD_FLAGS))' | \
	      sed 's/[\\"]/\\&/g')"; } | { $(if-changed); }

# Files become texts in C: plots/NAME.gp is `plot_template_NAME`, sweeps/SOURCE/models/NAME.yaml the row "SOURCE/NAME" of
# `claims_models`. Escapes byte by byte: a string literal this long is no C11.
text-name = $(subst -,_,$(subst /,_,$(basename $(1))))
template-name = plot_template_$(call text-name,$(notdir $(1)))
embed = echo '$(3)const char $(2)[] = {'; od -An -v -to1 $(1) | sed "s/ *\([0-7][0-7]*\)/'\\\\\1',/g"; echo '0};';

$(GEN)/plots.h: $(TEMPLATES) $(GEN)/sources
	@{ echo '/* Made from plots/ by the Makefile. */'; \
	   $(foreach t,$(TEMPLATES),echo 'extern const char $(call template-name,$(t))[];';) } | { $(if-changed); }
	@touch $@

$(GEN)/plots.c: $(TEMPLATES) $(GEN)/plots.h
	@{ echo '#include "plots.h"'; $(foreach t,$(TEMPLATES),$(call embed,$(t),$(call template-name,$(t)))) } | { $(if-changed); }
	@touch $@

$(GEN)/models.c: $(MODELS) $(GEN)/sources
	@{ echo '#include "claims/claims.h"'; $(foreach m,$(MODELS),$(call embed,$(m),$(call text-name,$(m)),static )) \
	   echo 'const claims_text claims_models[] = {'; \
	   $(foreach m,$(MODELS),echo '{"$(subst /models/,/,$(m:sweeps/%.yaml=%))", $(call text-name,$(m))},';) \
	   echo '{0, 0}};'; } | { $(if-changed); }
	@touch $@

# ---- Figures ----------------------------------------------------------------------------------------------------

PLOT = $(COSTAB) plot $(@:$(suffix $@)=.h5) -o $(@D)

# A network's spec may name a model beside it.
results/%.h5: sweeps/%.yaml $(COSTAB) $(MODELS)
	$(call say,SWEEP,$<)
	$(Q)mkdir -p $(@D) && $(COSTAB) sweep $< -o $@

results/%.pdf: results/%.h5 $(COSTAB)
	$(call say,PLOT,$@)
	$(Q)$(PLOT) --format pdf,png || { rm -f $@ $(@:.pdf=.png); exit 1; }

# Drawn with the PDF; alone only if somebody took it away.
results/%.png: results/%.pdf
	$(Q)if [ -e $@ ]; then touch $@; else $(PLOT) --format png; fi

# ---- Installing -------------------------------------------------------------------------------------------------

DOCDIR = $(DATADIR)/doc/costab
ifeq ($(shell uname -s),Darwin)
SHARED_REAL = libcostab.$(VERSION).dylib
SHARED_NAME = libcostab.dylib
else
SHARED_REAL = libcostab.so.$(VERSION)
SHARED_NAME = libcostab.so
endif

define newline


endef

# All that is installed, one a line: mode, source (for a link: what it points to), target.
define INSTALLED_FILES
755 $(COSTAB) $(BINDIR)/costab
755 $(SHARED) $(LIBDIR)/$(SHARED_REAL)
link $(SHARED_REAL) $(LIBDIR)/$(SONAME)
link $(SONAME) $(LIBDIR)/$(SHARED_NAME)
644 $(PACKED) $(LIBDIR)/libcostab.a
644 - $(LIBDIR)/pkgconfig/costab.pc
$(foreach h,$(HEADERS),644 $(h) $(INCLUDEDIR)/costab/$(notdir $(h))$(newline))
644 $(B)/install/costab.1 $(DATADIR)/man/man1/costab.1
644 $(B)/install/costab.bash $(DATADIR)/bash-completion/completions/costab
$(foreach f,README.md LICENSE CITATION.cff,644 $(f) $(DOCDIR)/$(f)$(newline))
$(foreach f,$(wildcard tests/examples/*.c),644 $(f) $(DOCDIR)/examples/$(notdir $(f))$(newline))
$(foreach f,$(SPECS) $(MODELS) $(wildcard sweeps/*.md sweeps/*/*.md),644 $(f) $(DATADIR)/costab/$(f)$(newline))
endef

# The static archive needs what it was linked with: by name where pkg-config knows it, else as the linker's options.
# (HDF5's list of libraries lacks hdf5_hl.)
known = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo $(1))
PC_MODULES = $(call once,PC_MODULES,$(or $(call known,hdf5-serial),$(call known,hdf5)) $(foreach m,$(MODULES),$(call known,$(m))))
OPENMP_LIBS = $(if $(shell $(CC) --version 2>/dev/null | grep -i clang),-L$(patsubst %/,%,$(dir $(shell $(CC) \
    -print-file-name=libomp.so))) -lomp,-lgomp)
define COSTAB_PC
prefix=$(PREFIX)
libdir=$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))
includedir=$(patsubst $(PREFIX)/%,$${prefix}/%,$(INCLUDEDIR))

Name: costab
Description: stability charts of co-simulation
Version: $(VERSION)
Requires.private: $(PC_MODULES)
Libs: -L$${libdir} -lcostab
Libs.private: -lhdf5_hl $(if $(filter hdf5%,$(PC_MODULES)),,-lhdf5) $(foreach m,$(filter-out $(PC_MODULES),$(MODULES)),$(library-$(m))) $(OPENMP_LIBS) -lm
Cflags: -I$${includedir}
endef

install uninstall: export INSTALL_LIST = $(INSTALLED_FILES)
install: export INSTALL_PC = $(COSTAB_PC)

install:
	$(if $(VARIANT),$(error VARIANT=$(VARIANT) is made for tests, not to be installed))
	$(DEPS_SCRIPT) --report build
	$(SUB) INSTALLING=1 build-all
	$(Q)set -e; umask 022; printf '%s\n' "$$INSTALL_LIST" | while read -r mode source target; do \
	    [ "$$mode" ] || continue; \
	    target='$(DESTDIR)'$$target; \
	    mkdir -p "$${target%/*}"; \
	    case $$mode,$$source in \
	    link,*) ln -sfn "$$source" "$$target" ;; \
	    *,-) printf '%s\n' "$$INSTALL_PC" >"$$target" && chmod "$$mode" "$$target" ;; \
	    *) $(INSTALL) -m "$$mode" "$$source" "$$target" ;; \
	    esac; \
	done
ifeq ($(shell uname -s),Darwin)
	$(Q)install_name_tool -id '$(LIBDIR)/$(SONAME)' '$(DESTDIR)$(LIBDIR)/$(SHARED_REAL)'
endif
	@echo 'installed below $(DESTDIR)$(PREFIX)'
	$(if $(DESTDIR),,@echo 'run ldconfig once as root if programs do not find $(SONAME) in $(LIBDIR)')

# Folders that others use, too, stay.
uninstall:
	$(Q)printf '%s\n' "$$INSTALL_LIST" | while read -r mode source target; do \
	    [ -z "$$mode" ] || rm -f '$(DESTDIR)'"$$target"; \
	done
	$(Q)for folder in '$(INCLUDEDIR)/costab' '$(DATADIR)/costab' '$(DOCDIR)'; do \
	    [ ! -d '$(DESTDIR)'"$$folder" ] || find '$(DESTDIR)'"$$folder" -depth -type d -exec rmdir {} + 2>/dev/null || :; \
	done
	@echo 'uninstalled from $(DESTDIR)$(PREFIX)'

.SECONDARY:

-include $(patsubst %.o,%.d,$(LIB_OBJECTS) $(CLI_OBJECTS) $(SUPPORT_OBJECTS) \
    $(call object,$(TEST_SOURCES) $(FUZZ_SOURCES) tests/fuzz/replay.c $(BENCH_SOURCES)))
