# Read by the Makefile.

.PHONY: batch batch-status

# Slurm scripts to results/batch/, and off to the queue: one job, or an array over specs or slices.
batch:
	$(if $(SPEC),,$(error say which spec: make batch SPEC=sweeps/gomes2018/two-mass.yaml [RANKS=4 THREADS=8 TIME=2:00:00]))
	$(DEPS_SCRIPT) --report build
	$(SUB) build/costab
	$(Q)PROGRAM=$(call quoted,$(CURDIR)/build/costab) $(foreach v,$(BATCH_SETTINGS),$(v)=$(call quoted,$($(v)))) src/cli/batch/write

BATCH_SETTINGS = SPEC RANKS THREADS SLICES TIME MEM ACCOUNT PARTITION SBATCH MODULES LAUNCHER SUBMIT NOTICE

# How far they are.
batch-status:
	$(Q)SPEC='$(SPEC)' PROGRAM='$(CURDIR)/build/costab' src/cli/batch/status
