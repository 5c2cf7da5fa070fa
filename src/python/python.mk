# The Python module, in build/python/costab: for PYTHONPATH=build/python. Read by the Makefile. (src/python/setup.py makes the same
# for pip.)

.PHONY: python build-python

MODULE := $(B)/python/costab
MODULE_FILES := $(sort $(wildcard src/python/costab/*.py src/python/costab/py.typed))
MODULE_COPIES := $(patsubst src/python/costab/%,$(MODULE)/%,$(MODULE_FILES))
PYTHON_INCLUDE = $(call once,PYTHON_INCLUDE,$(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_paths()["include"])'))
# Whether the module can be made here, or after `deps`; another compiler's sanitizers do not go with Python.
HAS_CFFI = $(if $(VARIANT),,$(or $(filter deps,$(MAKECMDGOALS)),$(call once,CFFI_FOUND,$(shell $(PYTHON) -c 'import importlib.util as u, os, sysconfig; \
    print(u.find_spec("cffi") and u.find_spec("numpy") and os.path.exists(sysconfig.get_paths()["include"] + "/Python.h") or "")' 2>/dev/null))))

python: build-all build-python

build-python: $(MODULE)/_costab.abi3.so $(MODULE_COPIES)

$(GEN)/_costab.c: src/python/declare.py $(HEADERS) | needs
	$(call say,CFFI,$@)
	$(Q)$(begin) && $(PYTHON) src/python/declare.py $$new >/dev/null && $(publish)

# It finds its library two folders above itself; of a package where the system has it.
MODULE_RPATH ?= $$ORIGIN/../..
export MODULE_RPATH
$(MODULE)/_costab.abi3.so: $(GEN)/_costab.c $(GEN)/flags $(SHARED)
	$(call say,CC,$@)
	$(Q)$(begin) && $(CC) -O1 -g -w -DPy_LIMITED_API=0x03060000 -Iinclude -I$(PYTHON_INCLUDE) -fPIC -shared $(LDFLAGS) -o $$new $< \
	    -L$(B) -lcostab $${MODULE_RPATH:+-Wl,-rpath,"$$MODULE_RPATH"} && $(publish)

$(MODULE)/%: src/python/costab/%
	$(Q)$(begin) && cp $< $$new && $(publish)
