# Debian packages in build/deb: costab, libcostab1, libcostab-dev, python3-costab. Read by the Makefile.

.PHONY: deb build-deb

DEB := $(B)/deb
DEB_TREE := $(DEB)/costab-$(VERSION)

deb: build-deb
	$(Q)ls $(DEB)/*.deb

# A copy of the tree as git knows it (all of it where there is no git), with debian/ where dpkg wants it.
build-deb: needs
	$(Q)grep -q '^costab ($(VERSION)-' packaging/debian/changelog || { echo 'packaging/debian/changelog is not of version $(VERSION)' >&2; exit 1; }
	$(call say,COPY,$(DEB_TREE))
	$(Q)rm -rf $(DEB) && mkdir -p $(DEB_TREE)
	$(Q){ git ls-files -z --cached --others --exclude-standard -- . ':!results' 2>/dev/null || \
	    find . \( -path './build*' -o -path ./results \) -prune -o -type f -print0; } | \
	    xargs -0 sh -c 'for f; do [ ! -f "$$f" ] || printf "./%s\0" "$$f"; done' sh | tar -cf - --null -T - | tar -xf - -C $(DEB_TREE)
	$(Q)mv $(DEB_TREE)/packaging/debian $(DEB_TREE)/debian && rm $(DEB_TREE)/debian/deb.mk
	$(call say,DEB,costab $(VERSION))
	$(Q)revision=$$(git rev-parse --short=12 HEAD 2>/dev/null); cd $(DEB_TREE) && unset MAKEFLAGS MFLAGS MAKELEVEL && \
	    COSTAB_REVISION=$$revision DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=$$JOBS" SOURCE_DATE_EPOCH=$$(dpkg-parsechangelog -S Timestamp) \
	    dpkg-buildpackage -b -us -uc >../build.log 2>&1 || { tail -n 40 ../build.log >&2; exit 1; }
