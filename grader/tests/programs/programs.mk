# Whole CUDA programs that check themselves: each prints "ok" as its last line and exits with 0, on
# an H200 and under tmaemu alike, but for those with instructions that no sm_90 chip has.
PROGRAMS := $(patsubst tests/programs/%.cu,$(BUILD)/tests/programs/%,$(wildcard tests/programs/*.cu))

$(BUILD)/tests/programs/%: tests/programs/%.cu $(wildcard tests/programs/*.h) $(wildcard ../labs/common/*.cuh ../labs/common/*/*.cuh)
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -cudart shared $(PROGRAM_ARCH) \
	    -lineinfo -std=c++20 -I../labs/common -o $@ $< -lcuda

$(BUILD)/tests/programs/%: PROGRAM_ARCH = -gencode arch=compute_90a,code=[sm_90a,compute_90a]
$(BUILD)/tests/programs/device_cta_group: PROGRAM_ARCH = -gencode arch=compute_100a,code=compute_100a
$(BUILD)/tests/programs/device_later_kernel: PROGRAM_ARCH = \
    -gencode arch=compute_90a,code=[sm_90a,compute_90a] -gencode arch=compute_100a,code=compute_100a

.PHONY: programs
programs: $(PROGRAMS)
