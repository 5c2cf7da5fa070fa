# Read by the Makefile.

.PHONY: batch

# Slurm scripts to results/batch/, and off to the queue: one job, or an array over specs or slices.
batch:
	$(if $(SPEC),,$(error say which spec: make batch SPEC=sweeps/gomes2018/two-mass.yaml [RANKS=4 THREADS=8 TIME=2:00:00]))
	$(DEPS_SCRIPT) --report build $(BATCH_MPI)
	$(SUB) $(if $(BATCH_MPI),MPI=1) $(BATCH_PROGRAM)
	$(Q)SPEC='$(SPEC)' PROGRAM='$(CURDIR)/$(BATCH_PROGRAM)' RANKS='$(RANKS)' THREADS='$(THREADS)' SLICES='$(SLICES)' \
	    TIME='$(TIME)' MEM='$(MEM)' ACCOUNT='$(ACCOUNT)' PARTITION='$(PARTITION)' SBATCH='$(SBATCH)' MODULES='$(MODULES)' \
	    LAUNCHER='$(LAUNCHER)' SUBMIT='$(SUBMIT)' NOTICE='$(NOTICE)' src/cli/batch/write

BATCH_MPI = $(if $(filter-out 1,$(RANKS)),mpi)
BATCH_PROGRAM = $(if $(BATCH_MPI),build-mpi,build)/costab
