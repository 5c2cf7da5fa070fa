# costab: `make help` lists what there is to make. GNU make 4.2 or later.
#
# This file makes programs and libraries and installs them. It reads, from top to bottom:
#   src/build.mk             compiler, flags and libraries; files that are generated
#   src/install.mk           what is installed where
#   src/python/python.mk     python: the Python module
#   packaging/debian/deb.mk  deb: packages for Debian
#   sweeps/figures.mk        figures, gallery, sweep, reproduce: specs to results/
#   src/cli/batch/batch.mk   batch: Slurm scripts; batch-status: how far they are
#   tests/tests.mk           check, lint and their relatives, fuzz, bench, format, tidy

ifeq ($(filter-out 4.0 4.1,$(filter 4.% 5.%,$(MAKE_VERSION))),)
$(error GNU make 4.2 or later is needed, this is $(MAKE_VERSION). macOS: `brew install make`, then gmake)
endif

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

# ---- What may be set on the command line or in the environment ----
#
# Names, numbers and paths are taken as they are written: `$(...)` in one is text. Recipes read them from the environment, as "$$SPEC",
# because the shell runs nothing that a variable of its own holds. A tool and its flags are the words of a command. There, and in targets,
# make refuses the characters with which the shell would run something else.

SETTINGS := BUILDDIR VARIANT FMU PAGES STATIC_LIBS WERROR JOBS V CI MPI DEPS REVISION PREFIX BINDIR LIBDIR INCLUDEDIR DATADIR DOCDIR DESTDIR MODULE_RPATH \
    EFFORT SEED SPEC OUT RANKS THREADS SLICES TIME MEM ACCOUNT PARTITION SBATCH MODULES LAUNCHER SUBMIT NOTICE FUZZ FUZZ_SECONDS
TOOLS := CC AR CFLAGS LDFLAGS PYTHON PKG_CONFIG OBJCOPY INSTALL

given = $(filter command environment,$(firstword $(origin $(1))))
$(foreach v,$(SETTINGS),$(if $(call given,$(v)),$(eval override $(v) := $$(value $(v)))$(eval export $(v))))

define newline


endef
SPECIAL := ` $$ ; & | < > \#
QUOTES := ' " \ ( ) * ? [ ] !
special = $(strip $(foreach c,$(SPECIAL) $(1),$(findstring $(c),$(2)))$(if $(findstring $(newline),$(2)),end of line))
$(foreach v,$(TOOLS),$(if $(call given,$(v)),$(if $(call special,,$(value $(v))),$(error $(v) is '$(value $(v))': expected \
    the words of a command, but found $(call special,,$(value $(v))), which has the shell run more than that))))
$(if $(call special,$(QUOTES),$(MAKECMDGOALS)),$(error a target has the characters $(call special,$(QUOTES),$(MAKECMDGOALS)): `make help` \
    lists the targets; a file of such a name is made by build/costab))

ifeq ($(origin CC),default)
CC = gcc
endif
ifeq ($(origin AR),default)
AR = ar
endif
CFLAGS ?= -O3 -g
LDFLAGS ?=
BUILDDIR ?= build
VARIANT ?=
# Optional parts: 0 leaves out FMUs (libxml2, libzip), pages for browsers.
FMU ?= 1
PAGES ?= 1
STATIC_LIBS ?= 1
$(foreach v,FMU PAGES STATIC_LIBS,$(if $(filter-out 0 1,$($(v))),$(error $(v) is '$($(v))': expected 0 or 1)))
WERROR ?= $(if $(CI),1,0)
JOBS := $(or $(JOBS),$(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2))
$(if $(filter override,$(origin JOBS)),$(if $(filter-out $(shell seq 1024),$(JOBS))$(filter-out 1,$(words $(JOBS))),$(error \
    JOBS is '$(JOBS)': expected a number from 1 to 1024)))
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
export CC PYTHON PKG_CONFIG JOBS

$(if $(filter 1,$(MPI)),$(error costab is built without MPI: its processes share a sweep with `--slice auto`, see docs/how-to/cluster.md))

Q := $(if $(filter-out 0,$(V)),,@)
say = $(if $(Q),@printf '  %-7s %s\n' '$(1)' '$(2)')

# ---- Sources, found by their place, and what is made of them ----

# Make splits names at blanks and writes them into recipes. Every file that it finds by its place needs a plain name.
PLACES := src/*/*.[ch] src/python/costab/*.py include/costab/*.h plots/*.gp plots/*.html plots/*.css plots/*.js tests/*/*.[ch] tests/*/*.sh \
    tests/*/*.py docs/*.md docs/*/*.md sweeps/*.md sweeps/*/*.yaml sweeps/*/*.md sweeps/*/*.csv sweeps/*/models/*.yaml
STRANGE := $(shell LC_ALL=C; for f in $(PLACES); do case $$f in (*[!A-Za-z0-9/_.+-]*) \
    if [ -e "$$f" ] || [ -L "$$f" ]; then printf '%s' "$$f" | tr -c ' -~' '?'; break; fi ;; esac; done)
$(if $(STRANGE),$(error $(STRANGE): make finds files here whose names have letters of ASCII, digits and _ . + - alone. Rename it or move \
    it; build/costab takes every name))

$(if $(or $(call special,$(QUOTES),$(BUILDDIR)),$(filter-out 1,$(words $(BUILDDIR)))),$(error BUILDDIR is '$(BUILDDIR)': expected a folder without \
    blanks, quotes and other characters of the shell))
$(if $(filter-out asan tsan fuzz,$(VARIANT)),$(error there is no variant '$(VARIANT)': use asan, tsan or fuzz))
B := $(BUILDDIR)$(if $(VARIANT),-$(VARIANT))
GEN := $(B)/gen
VERSION := $(shell sed -n 's/^.define COSTAB_VERSION *"\(.*\)"/\1/p' include/costab/base.h)
HEADERS := $(sort $(wildcard include/costab/*.h))
PARTS := $(if $(filter 1,$(FMU)),fmu) $(if $(filter 1,$(PAGES)),page)
LEFT_OUT := $(foreach p,fmu page,$(if $(filter $(p),$(PARTS)),src/$(p)/absent.c,$(filter-out %/absent.c,$(wildcard src/$(p)/*.c))))
SOURCES := $(filter-out $(LEFT_OUT),$(sort $(wildcard src/*/*.c)))
CLI_SOURCES := $(filter src/cli/%,$(SOURCES))
# The program that runs FMUs, which the library has inside: see src/fmu/process.c.
RUNNER_SOURCES := $(if $(filter fmu,$(PARTS)),$(addprefix src/fmu/,child.c calls.c guardian.c linearise.c))
RUNNER_SHARED := src/fmu/protocol.c $(filter-out src/base/flint.c,$(wildcard src/base/*.c))
KERNELS := $(filter %_kernel.c,$(SOURCES))
LIB_SOURCES := $(filter-out src/cli/% $(RUNNER_SOURCES) $(KERNELS),$(SOURCES))
PAGE_PARTS := $(sort $(wildcard plots/*.css plots/*.js))
TEMPLATES := $(sort $(wildcard plots/*.gp)) $(patsubst plots/%,$(GEN)/%,$(sort $(wildcard plots/*.html)))
SPECS := $(sort $(wildcard sweeps/*/*.yaml))
MODELS := $(sort $(wildcard sweeps/*/models/*.yaml))
CLAIMS := $(sort $(wildcard sweeps/*/claims.csv))

object = $(patsubst %.c,$(B)/obj/%.o,$(1))
# A kernel is compiled once per width of vectors (src/base/lane.h); those of method for single matrices, too.
kernel-objects = $(foreach w,$(WIDTHS),$(patsubst %.c,$(B)/obj/%.$(w).o,$(if $(filter 1,$(w)),$(filter src/method/%,$(KERNELS)),$(KERNELS))))
LIB_OBJECTS = $(call object,$(LIB_SOURCES)) $(kernel-objects) $(addprefix $(B)/obj/gen/,plots.o models.o $(if $(RUNNER_SOURCES),fmu_program.o))
CLI_OBJECTS := $(call object,$(CLI_SOURCES))
COSTAB := $(B)/costab
# The build folder as a word of the shell, whatever folder the tree is in.
HERE = "$$(CDPATH= cd $(B) && pwd)"
STATIC := $(B)/libcostab.a
SHARED := $(B)/libcostab.so
PACKED := $(B)/install/libcostab.a
MANUAL := $(B)/install/costab.1 $(B)/install/costab.bash

# ---- The targets to call ----

# On all cores unless -j says otherwise. What is printed of a figure or page stays together.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(JOBS) $(if $(filter figures gallery pages,$(MAKECMDGOALS)),-Otarget)
endif
SUB = +$(Q)$(MAKE) --no-print-directory

.PHONY: all deps needs clean info help build-all FORCE

all: build-all

# Only this target installs, and before all others that are called with it.
deps:
	$(Q).ci/deps --install build $(filter fmu,$(PARTS)) figures check

# Everything that is made waits for this: make stops with what to do if the system lacks something that the goals need. It is looked at
# while the recipe is expanded, which then has no line: `make -n` lists only work to do.
needs-figures := figures
needs-gallery := figures
needs-check := figures check
needs-check-fast := figures check
needs-check-tenth := figures check
needs-check-long := figures check long
needs-lint := check
needs-python := python
needs-deb := python deb
needs-check-all := figures check long python deb sanitizers
needs-fuzz := check fuzz
needs-bench := bench python
needs-format := format
needs-tidy := tidy
NEEDS = build $(filter fmu,$(PARTS)) $(foreach g,$(MAKECMDGOALS),$(needs-$(g)))
in-quotes = '$(subst ','\'',$(1))'
needs: $(filter deps,$(MAKECMDGOALS))
	$(if $(filter skip,$(DEPS)),,$(if $(shell CC=$(call in-quotes,$(CC)) PYTHON=$(call in-quotes,$(PYTHON)) .ci/deps $(NEEDS) && echo yes),,$(error \
	    `make deps` installs it, as root or with sudo; DEPS=skip goes on without)))

clean:
	$(if $(filter-out build,$(BUILDDIR)),$(error make clean removes build, build-asan, build-tsan and build-fuzz; remove $(BUILDDIR) yourself))
	$(Q)rm -rf build build-asan build-tsan build-fuzz

info:
	$(foreach v,CC CFLAGS LDFLAGS BUILD_FLAGS WARNINGS WERROR PKG_CFLAGS PKG_LIBS PROGRAM_LIBS VARIANT JOBS PYTHON,$(info $(v) = $($(v))))
	$(info modules = $(sort $(notdir $(patsubst %/,%,$(dir $(SOURCES))))))
	$(info sources = $(words $(SOURCES)), test programs = $(words $(TESTS) $(CLI_TESTS)), specs = $(words $(SPECS)))
	@:

print-%:
	$(info $(if $(filter environment,$(origin $*)),$(value $*),$($*)))
	@:

help:
	@echo 'make              build/costab, build/libcostab.a, build/libcostab.so'
	@echo 'make python       the Python module, for PYTHONPATH=build/python'
	@echo 'make deb          Debian packages of program, library, headers and Python module, to build/deb/'
	@echo 'make figures      all figures: every spec under sweeps/ to results/, HDF5, PDF and PNG'
	@echo 'make check        all tests but the long ones, lint included; EFFORT=0.1|1|10: how many random cases, how large models'
	@echo 'make check-fast   the quick ones, while you work;  make check-long: all with EFFORT=10, and those of tests/long'
	@echo 'make lint         those of the source alone: who includes and calls whom, format'
	@echo 'make gallery      the pictures of sweeps/README.md, to results/gallery/'
	@echo 'make pages        a page to look around in for each chart, to results/SOURCE/NAME.html'
	@echo 'make examples     two small FMUs and a system of them (SSP), to build/examples: those of docs/how-to/fmu.md'
	@echo 'make docs-c       the public headers as pages, by Doxygen: BUILD/docs-c/html/index.html'
	@echo 'make docs         the references in docs/reference: commands, keys, Python module'
	@echo 'make sweep SPEC=FILE [OUT=FILE.h5]    one spec to results/'
	@echo 'make batch SPEC=FILE... [RANKS= THREADS= SLICES= TIME= MEM= ACCOUNT= PARTITION= MODULES= SBATCH= LAUNCHER=srun|mpirun SUBMIT=0]'
	@echo '                  Slurm scripts to results/batch/, submitted where sbatch is: a job, or an array over specs or slices'
	@echo 'make batch-status [SPEC=FILE...]      how far those jobs are: slices done, failed, running, time left'
	@echo 'make check-all    these and the long ones (tests/long), again with the address, undefined-behaviour and thread sanitizers and valgrind'
	@echo 'make fuzz         the fuzzers of tests/fuzz, FUZZ_SECONDS each (60); FUZZ="NAME..." some of them'
	@echo 'make reproduce    published numbers beside computed ones, to results/reproduction.md'
	@echo 'make bench        speed against memset, NumPy and SciPy'
	@echo 'make deps         install what building, figures and tests need; before others: make deps figures, make deps check'
	@echo 'make format       clang-format (14, which make lint expects) on all sources;  make tidy: clang-tidy'
	@echo 'make install [PREFIX=/usr/local] [LIBDIR=PREFIX/lib] [DESTDIR=]    program, libraries, headers, man page;  make uninstall'
	@echo 'make info         compiler, flags, libraries;   make print-VAR: one variable'
	@echo 'make clean        remove the build folders; results/ stays'
	@echo
	@echo 'Optional parts: FMU=0 leaves out FMUs, libxml2 and libzip; PAGES=0 leaves out reports and explorers'
	@echo 'STATIC_LIBS=0 takes shared HDF5 and LAPACKE for the program, which then starts more slowly'
	@echo 'Settings: CC=clang  CFLAGS=-O2  V=1 (show commands)  WERROR=1  JOBS=N  DEPS=skip (do not look for what is missing)'
	@echo '          BUILDDIR=FOLDER (build there: of a source tree that is read-only)'

# ---- Programs and libraries ----

include src/build.mk

build-all: $(COSTAB) $(STATIC) $(SHARED) $(PACKED) $(MANUAL) $(GEN)/settings

$(COSTAB): $(CLI_OBJECTS) $(STATIC)
	$(call say,LINK,$@)
	$(Q)$(begin) && $(LINK) -o $$new $^ $(PROGRAM_LIBS) && $(publish)

$(STATIC): $(LIB_OBJECTS) $(GEN)/sources
	$(call say,AR,$@)
	$(Q)$(begin) && $(AR) rcs $$new $(LIB_OBJECTS) && $(publish)

$(SHARED): $(LIB_OBJECTS) $(GEN)/sources
	$(call say,LINK,$@)
	$(Q)$(begin) && $(LINK) $(SHARED_FLAGS) -o $$new $(LIB_OBJECTS) $(PKG_LIBS) && $(publish)
	$(Q)find $(@D) -maxdepth 1 -name '$(@F).*' -type l ! -name $(SONAME) -delete && ln -sf $(@F) $(@D)/$(SONAME)

# The archive that is installed: one object, whose internal names are hidden and cannot clash with those of another
# program. (Our own programs and tests take the plain one.)
$(PACKED): $(STATIC)
	$(call say,PACK,$@)
ifeq ($(SYSTEM),Darwin)
	$(Q)$(begin) && cp $< $$new && $(publish)
else
	$(Q)$(begin) && mkdir $$new.parts && $(CC) -r -nostdlib -o $$new.parts/costab.o -Wl,--whole-archive $< && \
	    $(OBJCOPY) --localize-hidden $$new.parts/costab.o && $(AR) rcs $$new $$new.parts/costab.o && rm -r $$new.parts && $(publish)
endif

$(B)/install/costab.1: $(COSTAB)
	$(call say,PAGE,$@)
	$(Q)$(begin) && $(COSTAB) help --man >$$new && $(publish)

$(B)/install/costab.bash: $(COSTAB)
	$(call say,PAGE,$@)
	$(Q)$(begin) && $(COSTAB) help --completion bash >$$new && $(publish)

$(B)/obj/gen/%.o: $(GEN)/%.c $(GEN)/flags
	$(call say,CC,$<)
	$(Q)$(compile-it)

define kernel-rule
$(B)/obj/%_kernel.$(1).o: %_kernel.c $(GEN)/flags
	$$(call say,CC,$$< for $(1))
	$$(Q)$$(compile-it)
$(B)/obj/%_kernel.$(1).o: private COMPILE_FLAGS += -DW=$(1) $(width-$(1))
endef
$(foreach w,$(WIDTHS),$(eval $(call kernel-rule,$(w))))
$(B)/obj/src/method/powers_kernel.%: private COMPILE_FLAGS += -ffp-contract=fast

$(B)/obj/%.o: %.c $(GEN)/flags | $(GEN)/version.h $(GEN)/plots.h
	$(call say,CC,$<)
	$(Q)$(compile-it)

-include $(patsubst %.o,%.d,$(LIB_OBJECTS) $(CLI_OBJECTS) $(call object,$(RUNNER_SOURCES)))

include src/install.mk src/python/python.mk $(wildcard packaging/debian/deb.mk sweeps/figures.mk src/cli/batch/batch.mk tests/tests.mk)

$(foreach f,flags settings sources version.h,$(eval $(call text-file,$(f))))
