# Programs with one mistake each and their right twins: tests/python/test_hazard_programs.py compares what
# `tmaemu` finds in them with the comments in their sources.
HAZARDS := tests/hazards
HAZARD_PROGRAMS := $(patsubst $(HAZARDS)/programs/%.cu,$(BUILD)/$(HAZARDS)/%,$(wildcard $(HAZARDS)/programs/*.cu))

$(BUILD)/$(HAZARDS)/%: $(HAZARDS)/programs/%.cu $(wildcard $(HAZARDS)/*.h)
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -cudart shared -gencode arch=compute_90a,code=[sm_90a,compute_90a] \
	    -lineinfo -std=c++20 -Xcompiler -Wall $(HOST_LINES) -I$(HAZARDS) -o $@ $< -lcuda
# What is found there is about lines of the host's.
$(BUILD)/$(HAZARDS)/data-race.host $(BUILD)/$(HAZARDS)/refused-launch: HOST_LINES := -g

.PHONY: hazard-programs
hazard-programs: $(HAZARD_PROGRAMS)
