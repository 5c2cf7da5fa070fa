# Read by the Makefile.

.PHONY: batch batch-status

# Slurm scripts to results/batch/, and off to the queue: one job, or an array over specs or slices.
batch: $(COSTAB)
	$(if $(SPEC),,$(error say which spec: make batch SPEC=sweeps/gomes2018/two-mass.yaml [RANKS=4 THREADS=8 TIME=2:00:00]))
	$(Q)PROGRAM=$(HERE)/costab src/cli/batch/write

# How far they are.
batch-status:
	$(Q)PROGRAM=$(HERE)/costab src/cli/batch/status
