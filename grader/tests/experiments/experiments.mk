# Kernels that leave a fence out, for a GPU to show what then happens: experiments.py runs them.
EXPERIMENTS := tests/experiments
EXPERIMENT_PROGRAMS := $(patsubst $(EXPERIMENTS)/%.cu,$(BUILD)/$(EXPERIMENTS)/%,$(wildcard $(EXPERIMENTS)/*.cu))

$(BUILD)/$(EXPERIMENTS)/%: $(EXPERIMENTS)/%.cu $(wildcard $(EXPERIMENTS)/*.h)
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -O3 -cudart static -gencode arch=compute_90a,code=sm_90a -lineinfo -std=c++20 \
	    -I$(EXPERIMENTS) -I../labs/common -o $@ $<

.PHONY: experiments
experiments: $(EXPERIMENT_PROGRAMS)
