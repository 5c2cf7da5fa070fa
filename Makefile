# costab: `make help` lists what there is to make. GNU make 4.0 or later.
#
# This file makes programs and libraries and installs them. It reads, from top to bottom:
#   src/build.mk             compiler, flags and libraries; files that are generated
#   src/install.mk           what is installed where
#   src/python/python.mk     python: the Python module
#   src/debian/deb.mk        deb: packages for Debian
#   sweeps/figures.mk        figures, gallery, sweep, reproduce: specs to results/
#   src/cli/batch/batch.mk   batch: Slurm scripts; batch-status: how far they are
#   tests/tests.mk           check, lint and their relatives, fuzz, bench, format, tidy

ifeq ($(filter 4.% 5.%,$(MAKE_VERSION)),)
$(error GNU make 4.0 or later is needed, this is $(MAKE_VERSION). macOS: `brew install make`, then gmake)
endif

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

# ---- What may be set on the command line ----

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

$(if $(filter 1,$(MPI)),$(error costab is built without MPI: its processes share a sweep with `--slice auto`, see docs/cluster.md))

Q := $(if $(filter-out 0,$(V)),,@)
# A word of the shell, whatever is in it.
quoted = '$(subst ','\'',$(1))'
say = $(if $(Q),@printf '  %-7s %s\n' '$(1)' '$(2)')

# ---- Sources, found by their place, and what is made of them ----

B := build$(if $(VARIANT),-$(VARIANT))
GEN := $(B)/gen
VERSION := $(shell sed -n 's/^.define COSTAB_VERSION *"\(.*\)"/\1/p' include/costab/base.h)
HEADERS := $(sort $(wildcard include/costab/*.h))
SOURCES := $(sort $(wildcard src/*/*.c))
CLI_SOURCES := $(filter src/cli/%,$(SOURCES))
# The program that runs FMUs, which the library has inside: see src/fmu/process.c.
RUNNER_SOURCES := $(addprefix src/fmu/,child.c calls.c linearise.c)
RUNNER_SHARED := src/fmu/protocol.c $(filter-out src/base/flint.c,$(wildcard src/base/*.c))
LIB_SOURCES := $(filter-out src/cli/% $(RUNNER_SOURCES),$(SOURCES))
PAGE_PARTS := $(sort $(wildcard plots/*.css plots/*.js))
TEMPLATES := $(sort $(wildcard plots/*.gp)) $(patsubst plots/%,$(GEN)/%,$(sort $(wildcard plots/*.html)))
SPECS := $(sort $(wildcard sweeps/*/*.yaml))
MODELS := $(sort $(wildcard sweeps/*/models/*.yaml))
CLAIMS := $(sort $(wildcard sweeps/*/claims.csv))

object = $(patsubst %.c,$(B)/obj/%.o,$(1))
LIB_OBJECTS := $(call object,$(LIB_SOURCES)) $(addprefix $(B)/obj/gen/,plots.o models.o fmu_program.o)
CLI_OBJECTS := $(call object,$(CLI_SOURCES))
COSTAB := $(B)/costab
STATIC := $(B)/libcostab.a
SHARED := $(B)/libcostab.so
PACKED := $(B)/install/libcostab.a
PAGES := $(B)/install/costab.1 $(B)/install/costab.bash

# ---- The targets to call ----
# Each first sees to what it needs from the system, then calls make again: only then are the compiler and pkg-config
# there on a bare machine.

SUB = +$(Q)$(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))
DEPS_SCRIPT = $(Q)DEPS='$(DEPS)' .ci/deps

.PHONY: all deps clean info help build-all FORCE

all:
	$(DEPS_SCRIPT) --report build
	$(SUB) build-all

deps:
	$(DEPS_SCRIPT) build figures check

clean:
	$(Q)rm -rf build build-asan build-tsan build-fuzz

info:
	$(foreach v,CC CFLAGS LDFLAGS BUILD_FLAGS WARNINGS WERROR PKG_CFLAGS PKG_LIBS VARIANT JOBS PYTHON,$(info $(v) = $($(v))))
	$(info modules = $(sort $(notdir $(patsubst %/,%,$(dir $(SOURCES))))))
	$(info sources = $(words $(SOURCES)), test programs = $(words $(TESTS) $(CLI_TESTS)), specs = $(words $(SPECS)))
	@:

print-%:
	$(info $($*))
	@:

help:
	@echo 'make              build/costab, build/libcostab.a, build/libcostab.so'
	@echo 'make python       the Python module, for PYTHONPATH=build/python'
	@echo 'make deb          Debian packages of program, library, headers and Python module, to build/deb/'
	@echo 'make figures      all figures: every spec under sweeps/ to results/, HDF5, PDF and PNG'
	@echo 'make check        the tests of what costab does'
	@echo 'make lint         the tests of the source: who includes and calls whom, format'
	@echo 'make gallery      the pictures of sweeps/README.md, to results/gallery/'
	@echo 'make pages        a page to look around in for each chart, to results/SOURCE/NAME.html'
	@echo 'make examples     two small FMUs and a system of them (SSP), to build/examples: those of docs/fmu.md'
	@echo 'make docs         the references in docs/reference, from the tables of commands and keys'
	@echo 'make sweep SPEC=FILE [OUT=FILE.h5]    one spec to results/'
	@echo 'make batch SPEC=FILE... [RANKS= THREADS= SLICES= TIME= MEM= ACCOUNT= PARTITION= MODULES= SBATCH= LAUNCHER=srun|mpirun SUBMIT=0]'
	@echo '                  Slurm scripts to results/batch/, submitted where sbatch is: a job, or an array over specs or slices'
	@echo 'make batch-status [SPEC=FILE...]      how far those jobs are: slices done, failed, running, time left'
	@echo 'make check-all    these and the long ones (tests/long), again with the address, undefined-behaviour and thread sanitizers and valgrind'
	@echo 'make fuzz         the fuzzers of tests/fuzz, FUZZ_SECONDS each (60); FUZZ="NAME..." some of them'
	@echo 'make reproduce    published numbers beside computed ones, to results/reproduction.md'
	@echo 'make bench        speed against memset, NumPy and SciPy'
	@echo 'make deps         install what costab and its tests need (figures and check do it themselves)'
	@echo 'make format       clang-format (14, which make lint expects) on all sources;  make tidy: clang-tidy'
	@echo 'make install [PREFIX=/usr/local] [LIBDIR=PREFIX/lib] [DESTDIR=]    program, libraries, headers, man page;  make uninstall'
	@echo 'make info         compiler, flags, libraries;   make print-VAR: one variable'
	@echo 'make clean        remove the build folders; results/ stays'
	@echo
	@echo 'Settings: CC=clang  CFLAGS=-O2  V=1 (show commands)  WERROR=1  JOBS=N  DEPS=skip (install nothing)'

# ---- Programs and libraries ----

include src/build.mk

build-all: $(COSTAB) $(STATIC) $(SHARED) $(PACKED) $(PAGES) $(GEN)/settings
	@:

$(COSTAB): $(CLI_OBJECTS) $(STATIC)
	$(call say,LINK,$@)
	$(Q)$(LINK) -o $@ $^ $(PKG_LIBS)

$(STATIC): $(LIB_OBJECTS) $(GEN)/sources
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $(LIB_OBJECTS)

$(SHARED): $(LIB_OBJECTS) $(GEN)/sources
	$(call say,LINK,$@)
	$(Q)$(LINK) $(SHARED_FLAGS) -o $@ $(LIB_OBJECTS) $(PKG_LIBS)
	$(Q)rm -f $@.* && ln -sf $(@F) $(@D)/$(SONAME)

# The archive that is installed: one object, whose internal names are hidden and cannot clash with those of another
# program. (Our own programs and tests take the plain one.)
$(PACKED): $(STATIC)
	$(call say,PACK,$@)
	$(Q)mkdir -p $(@D) && rm -f $@
ifeq ($(SYSTEM),Darwin)
	$(Q)cp $< $@
else
	$(Q)$(CC) -r -nostdlib -o $(@D)/costab.o -Wl,--whole-archive $< && $(OBJCOPY) --localize-hidden $(@D)/costab.o
	$(Q)$(AR) rcs $@ $(@D)/costab.o
endif

$(B)/install/costab.1: $(COSTAB)
	$(call say,PAGE,$@)
	$(Q)mkdir -p $(@D) && $(COSTAB) help --man >$@.$$$$ && mv $@.$$$$ $@

$(B)/install/costab.bash: $(COSTAB)
	$(call say,PAGE,$@)
	$(Q)mkdir -p $(@D) && $(COSTAB) help --completion bash >$@.$$$$ && mv $@.$$$$ $@

$(B)/obj/gen/%.o: $(GEN)/%.c $(GEN)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) -c -o $@ $<

$(B)/obj/%.o: %.c $(GEN)/flags | $(GEN)/version.h $(GEN)/plots.h
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D) && $(COMPILE) -c -o $@ $<

-include $(patsubst %.o,%.d,$(LIB_OBJECTS) $(CLI_OBJECTS) $(call object,$(RUNNER_SOURCES)))

include src/install.mk src/python/python.mk $(wildcard src/debian/deb.mk sweeps/figures.mk src/cli/batch/batch.mk tests/tests.mk)
