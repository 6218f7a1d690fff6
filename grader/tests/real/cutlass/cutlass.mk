# Programs of CUTLASS's kernels, as cutlass_cases.py runs them; `make test-cutlass`. As real.mk does, only PTX is built.
# NDEBUG: with assert() CUTLASS's kernels have calls in them, over which no wgmma stays in flight.
CUTLASS := ../.venv/cutlass/cutlass_library/source
CUTLASS_TESTS := tests/real/cutlass
CUTLASS_PROGRAMS := $(patsubst $(CUTLASS_TESTS)/%.cu,$(BUILD)/tests/real/cutlass/%,$(wildcard $(CUTLASS_TESTS)/*.cu))
CUTLASS_CODE = arch=compute_90a,code=compute_90a

$(BUILD)/tests/real/cutlass/%: $(CUTLASS_TESTS)/%.cu $(wildcard $(CUTLASS_TESTS)/*.h $(CUTLASS_TESTS)/*.cuh) tests/programs/runtime_test.h
	@mkdir -p $(@D)
	@start=$$(date +%s); nice $(CUDA_HOME)/bin/nvcc -cudart shared -lineinfo -std=c++17 -O3 -DNDEBUG \
	    --expt-relaxed-constexpr --expt-extended-lambda -gencode $(CUTLASS_CODE) -Itests/programs \
	    -isystem $(CUTLASS)/include -isystem $(CUTLASS)/tools/util/include -isystem $(CUTLASS)/examples -o $@ $< \
	    && echo "built $* in $$(($$(date +%s) - start)) s"

.PHONY: cutlass-all
cutlass-all: $(CUTLASS_PROGRAMS)
