# Programs whose kernels use memory well or badly, and what Nsight Compute counts for them on an
# H200: ncu-h200.json. tests/python/test_stats.py compares `tmaemu --stats=json` with it.
#   stats-record   writes it anew (on a machine with an sm_90 GPU and ncu)
STATS := tests/stats
STATS_PROGRAMS := $(patsubst $(STATS)/%.cu,$(BUILD)/$(STATS)/%,$(wildcard $(STATS)/*.cu))

$(BUILD)/$(STATS)/%: $(STATS)/%.cu $(wildcard ../labs/common/*.cuh ../labs/common/*/*.cuh)
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -cudart shared -gencode arch=compute_90a,code=[sm_90a,compute_90a] \
	    -lineinfo -std=c++20 -I../labs/common -o $@ $<

.PHONY: stats-programs stats-record
stats-programs: $(STATS_PROGRAMS)

stats-record: stats-programs
	python3 $(STATS)/record.py $(BUILD)/$(STATS) $(STATS)/ncu-h200.json
