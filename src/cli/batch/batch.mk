# Read by the Makefile.

.PHONY: batch batch-status

# Slurm scripts to results/batch/, and off to the queue: one job, or an array over specs or slices.
batch:
	$(if $(SPEC),,$(error say which spec: make batch SPEC=sweeps/gomes2018/two-mass.yaml [RANKS=4 THREADS=8 TIME=2:00:00]))
	$(DEPS_SCRIPT) --report build $(BATCH_MPI)
	$(SUB) $(if $(BATCH_MPI),MPI=1) build/costab $(if $(BATCH_MPI),$(BATCH_PROGRAM))
	$(Q)PROGRAM=$(call quoted,$(CURDIR)/$(BATCH_PROGRAM)) CHECK=$(call quoted,$(CURDIR)/build/costab) \
	    $(foreach v,$(BATCH_SETTINGS),$(v)=$(call quoted,$($(v)))) src/cli/batch/write

BATCH_SETTINGS = SPEC RANKS THREADS SLICES TIME MEM ACCOUNT PARTITION SBATCH MODULES LAUNCHER SUBMIT NOTICE
BATCH_RANKED = $(filter-out 1,$(RANKS))
BATCH_PROGRAM = $(if $(BATCH_RANKED),build-mpi,build)/costab
# The program of several ranks is made here, but for scripts that run elsewhere where there is no MPI.
BATCH_MPI = $(if $(BATCH_RANKED),$(if $(and $(filter 0,$(SUBMIT)),$(call lacks,$(MPICC))),,mpi))
lacks = $(shell command -v $(1) >/dev/null || echo $(1))

# How far they are.
batch-status:
	$(Q)SPEC='$(SPEC)' PROGRAM='$(CURDIR)/build/costab' src/cli/batch/status
