# Code that nobody here wrote, as tests of the emulator: CUB, Thrust, libcu++ and cooperative groups of
# the toolkit, compared with the CPU's answer. `make test` has those that quick.txt names, since
# building all of them takes minutes; `make test-real` has all. Only PTX is built, which is what the
# emulator takes; a driver compiles it for an H200.
REAL := tests/real
REAL_PROGRAMS := $(patsubst $(REAL)/%.cu,$(BUILD)/tests/real/%,$(wildcard $(REAL)/*.cu))
REAL_QUICK := $(addprefix $(BUILD)/tests/real/,$(file < $(REAL)/quick.txt))

$(BUILD)/tests/real/%: $(REAL)/%.cu $(wildcard $(REAL)/*.h $(REAL)/*.cuh) tests/programs/runtime_test.h
	@mkdir -p $(@D)
	@start=$$(date +%s); nice $(CUDA_HOME)/bin/nvcc -cudart shared -lineinfo -std=c++20 \
	    -gencode arch=compute_90a,code=compute_90a -Itests/programs -o $@ $< \
	    && echo "built $* in $$(($$(date +%s) - start)) s"

.PHONY: real-quick real-all
real-quick: $(REAL_QUICK)
real-all: $(REAL_PROGRAMS)
