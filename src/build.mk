# Compiler flags, libraries, and the sources that make writes. Read by the Makefile.

# `make install` uses the settings of the last build, whatever user and environment it has.
INSTALLING := $(filter install,$(MAKECMDGOALS))
ifneq ($(INSTALLING),)
-include $(GEN)/settings
endif

# ---- Flags ----

STANDARD := -std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700
WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla \
            -Wformat=2 -Wundef -Wcast-qual -Wwrite-strings
# No contraction into fused multiply-adds: a result must not depend on the machine that it was computed on. No code reads
# errno or uses traps of arithmetic, so that roots and choices may vectorise.
CODE := -ffp-contract=off -fno-math-errno -fno-trapping-math -fPIC -fno-semantic-interposition -fvisibility=hidden -fopenmp

sanitize-asan := -O1 -g -DCOSTAB_CHECK_VERSIONS -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
sanitize-tsan := -O1 -g -fsanitize=thread -fno-omit-frame-pointer
sanitize-fuzz := -O1 -g -DCOSTAB_CHECK_VERSIONS -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
BUILD_FLAGS := $(strip $(STANDARD) $(CFLAGS) $(sanitize-$(VARIANT)) $(CODE))

# Vectors of how many doubles kernels are compiled for (src/base/lane.h), and the instructions for those; the program chooses when it
# runs. Powers may be contracted: their verdicts hold whatever the rounding. On a bare machine `deps` brings the compiler later.
WIDTHS := 1 2 $(if $(filter x86_64% amd64%,$(or $(shell $(CC) -dumpmachine 2>/dev/null),$(shell uname -m))),4 8)
width-4 := -mavx2 -mfma
width-8 := -mavx512f

# Asked for once, when first used: on a bare machine pkg-config is there only after the set-up. A library that pkg-config
# does not know is searched in the compiler's own folders.
once = $(eval $(1) := $(2))$($(1))
pkg = $(shell { $(PKG_CONFIG) --silence-errors $(1) $(2); } 2>/dev/null)
LIBRARIES := lapacke openblas yaml-0.1 zlib flint arb gmp $(if $(filter fmu,$(PARTS)),libxml-2.0 libzip)
PKG_CFLAGS = $(call once,PKG_CFLAGS,$(patsubst -I%,-isystem %,$(filter-out -I/usr/include/%-linux-gnu,$(sort \
    $(or $(call pkg,--cflags,hdf5-serial),$(call pkg,--cflags,hdf5)) $(foreach m,$(LIBRARIES),$(call pkg,--cflags,$(m)))))))
PKG_LIBS = $(call once,PKG_LIBS,$(or $(call pkg,--libs,hdf5-serial),$(call pkg,--libs,hdf5),-lhdf5) \
    $(foreach m,$(LIBRARIES),$(or $(call pkg,--libs,$(m)),$(library-$(m)))) -lm)
library-lapacke := -llapacke
library-openblas := -lopenblas
library-yaml-0.1 := -lyaml
library-zlib := -lz
library-flint := -lflint
library-gmp := -lgmp
library-libxml-2.0 := -lxml2
library-libzip := -lzip
# Beside FLINT 2, Debian's name or Arb's own; FLINT 3 has Arb inside.
library-arb = $(call once,library-arb,$(firstword $(foreach l,-lflint-arb -larb,$(call links,$(l)))))
links = $(shell echo 'int main(void) { return 0; }' | $(CC) $(LDFLAGS) -x c -o /dev/null - $(1) 2>/dev/null && echo '$(1)')

# The program has HDF5 and LAPACKE inside where their archives can be linked, and then starts in half the time: Debian's shared HDF5
# loads 28 libraries (curl, Kerberos, LDAP) for files in the cloud. STATIC_LIBS=0: all libraries are shared.
PROGRAM_LIBS = $(call once,PROGRAM_LIBS,$(or $(if $(filter 1,$(STATIC_LIBS)),$(program-archives)),$(PKG_LIBS)))
program-archives = $(or $(call program-links,$(archived)),$(call program-links,$(archived) -lsz))
archived = $(foreach l,$(PKG_LIBS),$(if $(filter -lhdf5% -llapacke,$(l)),-Wl$(comma)-Bstatic $(l) -Wl$(comma)-Bdynamic,$(l)))
program-links = $(shell echo 'int H5open(void), LAPACKE_dgeev(void); int main(void) { return H5open() + LAPACKE_dgeev(); }' | \
    $(CC) $(LDFLAGS) -x c -w -o /dev/null - $(1) 2>/dev/null && echo '$(1)')
comma := ,

INCLUDES = -Iinclude -Isrc -I$(GEN) $(PKG_CFLAGS)
COMPILE_FLAGS = $(BUILD_FLAGS) $(WARNINGS) $(if $(filter-out 0,$(WERROR)),-Werror) $(INCLUDES)
LINK_FLAGS = $(BUILD_FLAGS) $(LDFLAGS)
COMPILE = $(CC) $(COMPILE_FLAGS)
# A recipe writes a file under a name that has the shell's number, and publishes it when it is complete: a make that is killed, or that
# runs beside another, leaves none half written.
begin = mkdir -p $(@D) && new=$@.$$$$ && rm -rf $$new $$new.parts
publish = mv $$new $@
compile-it = $(begin) && $(COMPILE) -MMD -MP -MT $@ -MF $$new.d -c -o $$new $< && mv $$new.d $(@:.o=.d) && $(publish)
LINK = $(CC) $(LINK_FLAGS)
SYSTEM := $(shell uname -s)
# Changes when programs that use COSTAB_API functions have to be compiled again, independently of VERSION.
SOVERSION := 1
ifeq ($(SYSTEM),Darwin)
SONAME := libcostab.$(SOVERSION).dylib
SHARED_FLAGS = -dynamiclib -Wl,-install_name,@rpath/$(SONAME)
else
SONAME := libcostab.so.$(SOVERSION)
SHARED_FLAGS = -shared -Wl,-soname,$(SONAME) $(if $(VARIANT),,-Wl,--no-undefined)
LINK_FLAGS += -Wl,--as-needed
endif

# ---- Generated files; each is written only when its text changes ----

define if-changed
text=$$(cat) && { printf '%s\n' "$$text" | cmp -s - $@ || { $(begin) && printf '%s\n' "$$text" >$$new && $(publish); } || \
    { echo 'costab: $(B) cannot be written: make BUILDDIR=FOLDER builds elsewhere' >&2; exit 1; }; }
endef

# A file whose text is known when make starts: NAME has that of the variable text-NAME, and is written only if it has another.
define text-file
$(GEN)/$(1): export FILE_TEXT = $$(text-$(1))
$(GEN)/$(1): $(if $(subst <$(text-$(1))>,,<$(file <$(GEN)/$(1))>),FORCE) | needs
	@printf '%s\n' "$$$$FILE_TEXT" | { $$(if-changed); }
endef

# Another compiler or other flags: all is compiled again. (-Werror changes nothing that is compiled.)
text-flags = $(CC) $(BUILD_FLAGS) $(WARNINGS) $(LDFLAGS)
# For `make install`.
define text-settings
CC := $(CC)
AR := $(AR)
CFLAGS := $(CFLAGS)
LDFLAGS := $(LDFLAGS)
FMU := $(FMU)
PAGES := $(PAGES)
STATIC_LIBS := $(STATIC_LIBS)
endef
# A source taken away: the libraries are made again.
text-sources = $(LIB_OBJECTS) $(SUPPORT_OBJECTS)
# Another revision: one file is compiled again. Where git refuses to tell (root about a user's folder), what it told at the
# last build stays. Changed figures do not make the source another one. Changes without a commit have a hash of their own.
revision := $(or $(shell if [ -z "$$(git rev-parse --show-prefix 2>&1)" ] && short=$$(git rev-parse --short=12 HEAD 2>/dev/null); then \
    git diff --quiet HEAD -- . ':!results' 2>/dev/null && echo "$$short" || \
    echo "$$short-dirty-$$(git diff HEAD -- . ':!results' | git hash-object --stdin | cut -c 1-8)"; fi),$(REVISION),unknown)
c-text = $(subst ",\",$(subst \,\\,$(1)))
define text-new-version
#define BUILD_REVISION "$(call c-text,$(revision))"
#define BUILD_FLAGS "$(call c-text,$(filter-out $(STANDARD) -ffile-prefix-map=% -fdebug-prefix-map=%,$(BUILD_FLAGS)))"
endef
text-version.h = $(or $(if $(INSTALLING),$(if $(filter unknown,$(revision)),$(file <$(GEN)/version.h))),$(text-new-version))

# A page's template: the lines `/* page.css */` and `/* page.js */` become what the pages share. Its Content-Security-Policy names
# the only script and the only style that a browser runs by their SHA-256 in base64: the bytes between the tags, each in a line of its own.
SHA256 = $(call once,SHA256,$(or $(shell command -v sha256sum 2>/dev/null),shasum -a 256))
$(GEN)/%.html: plots/%.html $(PAGE_PARTS)
	@page=$$(sed $(foreach p,$(PAGE_PARTS),-e '/^.\* $(notdir $(p)) \*.$$/{r $(p)' -e 'd}') $<); \
	hash() { printf '%s\n' "$$page" | sed -n "/^<$$1>$$/,/^<.$$1>$$/p" | sed -e '1s/.*//' -e '$$d' | $(SHA256) | awk '{ \
	    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"; \
	    for (i = 1; i <= 64; i += 3) { \
	        for (n = k = 0; k < 3; k++) n = 16 * n + index("123456789abcdef", substr($$1 "00", i + k, 1)); \
	        printf "%s%s", substr(digits, int(n / 64) + 1, 1), i < 64 ? substr(digits, n % 64 + 1, 1) : "=" } }'; }; \
	script=$$(hash script) && style=$$(hash style) && [ $${#script} = 44 ] && [ $${#style} = 44 ] && \
	printf '%s\n' "$$page" | sed -e "s|sha256-SCRIPT|sha256-$$script|" -e "s|sha256-STYLE|sha256-$$style|" | { $(if-changed); }
	@touch $@

# Files become texts in C: plots/NAME.gp and plots/NAME.html are `plot_template_NAME`, sweeps/SOURCE/models/NAME.yaml the row "SOURCE/NAME" of
# `claims_models`, sweeps/SOURCE/claims.csv the row "SOURCE" of `claims_sources`. Escapes byte by byte: a string literal this
# long is no C11.
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

# The program that runs FMUs. It loads them, so it is linked dynamically whatever costab is, with the C library alone.
$(GEN)/fmu_program: $(call object,$(RUNNER_SOURCES) $(RUNNER_SHARED)) $(GEN)/flags
	$(call say,LINK,$@)
	$(Q)$(begin) && $(AR) rcs $$new.a $(call object,$(RUNNER_SHARED)) && $(CC) $(filter-out -fopenmp -static -static-pie,$(LINK_FLAGS)) -s -o $$new \
	    $(call object,$(RUNNER_SOURCES)) $$new.a -Wl,--no-as-needed -lm -ldl -lpthread && rm $$new.a && $(publish)

$(GEN)/fmu_program.c: $(GEN)/fmu_program
	@{ echo '#include "fmu/child.h"'; $(call embed,$<,child_program) \
	   echo 'const size_t child_program_size = sizeof child_program - 1;'; } | { $(if-changed); }
	@touch $@

# A list of such texts: its name, the files, what is left of their paths.
text-list = $(foreach f,$(2),$(call embed,$(f),$(call text-name,$(f)),static )) echo 'const claims_text $(1)[] = {'; \
    $(foreach f,$(2),echo '{"$(call $(3),$(f))", $(call text-name,$(f))},';) echo '{0, 0}};';
model-name = $(subst /models/,/,$(1:sweeps/%.yaml=%))
source-name = $(1:sweeps/%/claims.csv=%)

$(GEN)/models.c: $(MODELS) $(CLAIMS) $(GEN)/sources
	@{ echo '#include "claims/claims.h"'; $(call text-list,claims_models,$(MODELS),model-name) \
	   $(call text-list,claims_sources,$(CLAIMS),source-name) } | { $(if-changed); }
	@touch $@
