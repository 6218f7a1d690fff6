# The programs of `make bench-emulator`. No test: nothing that the machine's load can change is one.
SPEED := $(patsubst tests/speed/%.cu,$(BUILD)/tests/speed/%,$(wildcard tests/speed/*.cu))

$(BUILD)/tests/speed/%: tests/speed/%.cu $(wildcard ../labs/common/*.cuh ../labs/common/*/*.cuh)
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -cudart shared -gencode arch=compute_90a,code=[sm_90a,compute_90a] \
	    -lineinfo -std=c++20 -I../labs/common -o $@ $<

.PHONY: speed
speed: $(SPEED)
