# The programs of `make bench-emulator`. No test: nothing that the machine's load can change is one.
SPEED := $(patsubst tests/speed/%.cu,$(BUILD)/tests/speed/%,$(wildcard tests/speed/*.cu))

$(BUILD)/tests/speed/%: tests/speed/%.cu tests/speed/timing.h $(wildcard ../labs/common/*.cuh ../labs/common/*/*.cuh)
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -cudart shared -gencode arch=compute_90a,code=[sm_90a,compute_90a] \
	    -lineinfo -std=c++20 -I../labs/common -o $@ $<

# For the processor at hand, as a compiler that makes machine code of a kernel when it is launched would.
$(BUILD)/tests/speed/bound: tests/speed/bound.cpp tests/speed/timing.h
	@mkdir -p $(@D)
	$(CXX) -std=c++20 -O3 -march=native -Wall -Wextra -Werror -o $@ $<

.PHONY: speed
speed: $(SPEED) $(BUILD)/tests/speed/bound
