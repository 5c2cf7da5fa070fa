# Specs of this folder, and others, to results/. Read by the Makefile.

.PHONY: figures gallery pages docs docs-c sweep reproduce build-figures build-pages

# Four are no sweeps, but the margins, the limits, the worst sequence of steps and the loci of a model.
FIGURES := $(SPECS:sweeps/%.yaml=results/%) results/quarter-car/margin results/quarter-car/limit results/lim/pattern \
    results/findings/locus

# Those with an axis of several values: time histories and margins have none.
CHARTS := $(patsubst sweeps/%.yaml,results/%,$(shell grep -l '^axes:' $(SPECS) /dev/null))

figures: build-figures
	@echo '$(words $(FIGURES)) figures, each with its HDF5 grid, script and data, are in results/'

# The pictures of sweeps/README.md, at the resolution of a screen.
gallery: figures
	$(Q)mkdir -p results/gallery && rm -f results/gallery/*.png
	$(Q)for f in $(FIGURES:results/%=%); do \
	    (cd "results/$${f%/*}" && gnuplot -d -e "FMT='png'; DPI=130; \
	        NAME='../gallery/$${f%/*}-$${f##*/}'; DATA='$${f##*/}.dat'" "$${f##*/}.gp") || exit 1; \
	done

# A page of each chart and curve, results/SOURCE/NAME.html. What is neither has none.
pages: build-pages
	@echo '$(words $(CHARTS)) pages to look around in are in results/: results/SOURCE/NAME.html'

docs-c:
	$(if $(shell command -v doxygen),,$(error doxygen is missing: install it with the system's package manager))
	$(Q)mkdir -p $(B)/docs-c && { cat docs/reference/c-api.doxyfile; echo 'OUTPUT_DIRECTORY = $(B)/docs-c'; } | doxygen -
	$(call say,DOCS,$(B)/docs-c/html/index.html)

docs: build-all
	$(Q)for page in commands keys; do $(COSTAB) help --markdown $$page > docs/reference/$$page.md || exit 1; done
	$(Q)$(PYTHON) src/python/reference.py > docs/reference/python-api.md

# Specs of sweeps/ keep their folder.
sweep: $(COSTAB)
	$(if $(SPEC),,$(error say which spec: make sweep SPEC=sweeps/kns2014/fig09.yaml))
	$(Q)case $$SPEC in sweeps/*) stem=$${SPEC#sweeps/} ;; *) stem=$${SPEC##*/} ;; esac; out=$${OUT:-results/$${stem%.*}.h5}; \
	    mkdir -p -- "$$(dirname -- "$$out")" && $(COSTAB) sweep -o "$$out" -- "$$SPEC" && printf 'wrote %s\n' "$$out"

# Published numbers beside computed ones.
reproduce: $(COSTAB)
	$(Q)mkdir -p results
	$(Q)$(COSTAB) reproduce --format md > results/reproduction.md.part
	$(Q)mv results/reproduction.md.part results/reproduction.md && echo 'wrote results/reproduction.md'

# ---- One figure ----

build-pages: $(CHARTS:=.html)

results/%.html: results/%.h5
	$(call say,PAGE,$@)
	$(Q)$(COSTAB) plot $< -o $@ --force --quiet

build-figures: $(FIGURES:=.pdf) $(FIGURES:=.png)

# Forced: results/ is this makefile's own folder, and may have scripts of older versions, which say nothing of who wrote them.
PLOT = $(COSTAB) plot $(@:$(suffix $@)=.h5) -o $(@D) --force $(TITLE)

# A network's spec may name a model beside it. What an interrupted make computed is continued, unless it is older than that.
results/%.h5: sweeps/%.yaml $(COSTAB) $(MODELS)
	$(call say,SWEEP,$<)
	$(Q)mkdir -p $(@D) && for f in $^; do [ $@.checkpoint -nt $$f ] || rm -f $@.checkpoint; done && $(COSTAB) sweep $< -o $@ --resume

results/quarter-car/margin.h5: sweeps/quarter-car/models/quarter-car.yaml $(COSTAB)
	$(call say,MARGIN,$<)
	$(Q)mkdir -p $(@D) && $(COSTAB) margin $< --coupling jacobi,jacobi-cubic,iterated-linear --connections --quiet -o $@ --force 2>/dev/null

results/quarter-car/limit.h5: sweeps/quarter-car/models/quarter-car.yaml $(COSTAB)
	$(call say,LIMIT,$<)
	$(Q)mkdir -p $(@D) && $(COSTAB) limit $< --over H=1e-3:1 --over kC=1e3:1e7 --quiet -o $@ --force \
	    --coupling jacobi,jacobi-linear,jacobi-cubic,gauss-seidel,gauss-seidel-linear,iterated,iterated-linear 2>/dev/null

results/lim/pattern.h5: sweeps/lim/pairs.yaml $(COSTAB)
	$(call say,PATTERN,$<)
	$(Q)mkdir -p $(@D) && $(COSTAB) pattern $< --over H1=0.01:0.275 --coupling jacobi,jacobi-linear -o $@ --force

results/findings/locus.h5: sweeps/findings/models/drive.yaml $(COSTAB)
	$(call say,LOCUS,$<)
	$(Q)mkdir -p $(@D) && $(COSTAB) map $< --over H=0.0005:0.1 --coupling jacobi,gauss-seidel --quiet -o $@ --force

# What is no sweep has its model's title otherwise.
override TITLE :=
results/quarter-car/margin.pdf results/quarter-car/margin.png: override TITLE = --title 'Quarter car: factors at which the class changes, nearest first'
results/quarter-car/limit.pdf results/quarter-car/limit.png: override TITLE = --title 'Quarter car: where each coupling is stable'
results/findings/locus.pdf results/findings/locus.png: override TITLE = --title 'Drive: eigenvalues for H from 0.0005 to 0.1'
results/lim/pattern.pdf results/lim/pattern.png: override TITLE = --title 'Two springs with dampers: the sequence of macro steps that grows most'

results/%.pdf: results/%.h5 $(COSTAB)
	$(call say,PLOT,$@)
	$(Q)rm -f $(@:.pdf=.png) && $(PLOT) --format pdf,png || { rm -f $@ $(@:.pdf=.png); exit 1; }

# Drawn with the PDF; alone only if it was removed.
results/%.png: results/%.pdf
	$(Q)if [ -e $@ ]; then touch $@; else $(PLOT) --format png; fi
