# Installing. Read by the Makefile.

.PHONY: install uninstall

DOCDIR = $(DATADIR)/doc/costab
ifeq ($(SYSTEM),Darwin)
SHARED_NAME = libcostab.dylib
else
SHARED_NAME = libcostab.so
endif

# All that is installed, one file per line: mode, source (for a link: what it points to), target.
define INSTALLED_FILES
755 $(COSTAB) $(BINDIR)/costab
755 $(SHARED) $(LIBDIR)/$(SONAME)
link $(SONAME) $(LIBDIR)/$(SHARED_NAME)
644 $(PACKED) $(LIBDIR)/libcostab.a
644 - $(LIBDIR)/pkgconfig/costab.pc
$(foreach h,$(HEADERS),644 $(h) $(INCLUDEDIR)/costab/$(notdir $(h))$(newline))
644 $(B)/install/costab.1 $(DATADIR)/man/man1/costab.1
644 $(B)/install/costab.bash $(DATADIR)/bash-completion/completions/costab
$(foreach f,README.md LICENSE CITATION.cff $(wildcard docs/*.md docs/*/*.md),644 $(f) $(DOCDIR)/$(f)$(newline))
$(foreach f,$(wildcard tests/examples/*.c tests/examples/*.py),644 $(f) $(DOCDIR)/examples/$(notdir $(f))$(newline))
$(foreach f,$(SPECS) $(MODELS) $(wildcard sweeps/*.md sweeps/*/*.md sweeps/*/*.csv),644 $(f) $(DATADIR)/costab/$(f)$(newline))
endef

# The static archive needs what it was linked with: by name where pkg-config knows it, else as the linker's options.
known = $(shell $(PKG_CONFIG) --exists $(1) 2>/dev/null && echo $(1))
PC_MODULES = $(call once,PC_MODULES,$(or $(call known,hdf5-serial),$(call known,hdf5)) $(foreach m,$(LIBRARIES),$(call known,$(m))))
OPENMP_LIBS = $(if $(shell $(CC) --version 2>/dev/null | grep -i clang),-L$(patsubst %/,%,$(dir $(shell $(CC) -print-file-name=libomp.so))) -lomp,-lgomp)
# A path as pkg-config reads it.
pc-path = $(subst \#,\\#,$(subst $$,$$$$,$(subst ",\",$(subst ',\',$(subst `,\`,$(subst $(blank),\$(blank),$(subst \,\\,$(1))))))))
pc-folder = $(patsubst $(call pc-path,$(PREFIX))/%,$${prefix}/%,$(call pc-path,$(1)))
blank := $(subst ,, )
define COSTAB_PC
prefix=$(call pc-path,$(PREFIX))
libdir=$(call pc-folder,$(LIBDIR))
includedir=$(call pc-folder,$(INCLUDEDIR))

Name: costab
Description: stability charts of co-simulation
Version: $(VERSION)
Requires.private: $(PC_MODULES)
Libs: -L$${libdir} -lcostab
Libs.private: $(if $(filter hdf5%,$(PC_MODULES)),,-lhdf5) $(foreach m,$(filter-out $(PC_MODULES),$(LIBRARIES)),$(library-$(m))) $(OPENMP_LIBS) -lm
Cflags: -I$${includedir}
endef

install uninstall: export INSTALL_LIST = $(INSTALLED_FILES)
install uninstall: export INSTALL_BELOW = $(DESTDIR)$(PREFIX)
install: export INSTALL_PC = $(COSTAB_PC)
install: export INSTALL_LIBDIR = $(LIBDIR)
uninstall: export INSTALL_FOLDERS = $(INCLUDEDIR)/costab$(newline)$(DATADIR)/costab$(newline)$(DOCDIR)

# Files of one mode and folder that follow each other are installed by one command, if they keep their names.
install: build-all
	$(if $(VARIANT),$(error VARIANT=$(VARIANT) is made for tests, not to be installed))
	$(Q)set -e; umask 022; printf '%s\nend\n' "$$INSTALL_LIST" | { set --; while read -r mode source target; do \
	    [ "$$mode" ] || continue; \
	    target=$$DESTDIR$$target; \
	    [ $$# = 0 ] || [ "$$mode $${target%/*}" = "$$group $$folder" ] || { $(INSTALL) -m "$$group" -- "$$@" "$$folder/"; set --; }; \
	    [ "$$mode" != end ] || break; \
	    [ "$$folder" = "$${target%/*}" ] || { folder=$${target%/*} && mkdir -p -- "$$folder"; }; \
	    case $$mode,$$source in \
	    link,*) ln -sfn -- "$$source" "$$target" ;; \
	    *,-) printf '%s\n' "$$INSTALL_PC" >"$$target" && chmod "$$mode" "$$target" ;; \
	    *"/$${target##*/}") group=$$mode && set -- "$$@" "$$source" ;; \
	    *) $(INSTALL) -m "$$mode" -- "$$source" "$$target" ;; \
	    esac; \
	done; }
ifeq ($(SYSTEM),Darwin)
	$(Q)install_name_tool -id "$$INSTALL_LIBDIR/$(SONAME)" "$$DESTDIR$$INSTALL_LIBDIR/$(SONAME)"
endif
	@printf 'installed below %s\n' "$$INSTALL_BELOW"
	$(if $(DESTDIR),,@printf 'run ldconfig once as root if programs do not find $(SONAME) in %s\n' "$$INSTALL_LIBDIR")

# Folders that others use, too, stay.
uninstall:
	$(Q)printf '%s\n' "$$INSTALL_LIST" | { set --; while read -r mode source target; do \
	    [ -z "$$mode" ] || set -- "$$@" "$$DESTDIR$$target"; \
	done; rm -f -- "$$@"; }
	$(Q)printf '%s\n' "$$INSTALL_FOLDERS" | while read -r folder; do \
	    [ ! -d "$$DESTDIR$$folder" ] || find "$$DESTDIR$$folder" -depth -type d -exec rmdir {} + 2>/dev/null || :; \
	done
	@printf 'uninstalled from %s\n' "$$INSTALL_BELOW"
