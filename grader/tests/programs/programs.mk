# Whole CUDA programs that check themselves: each prints "ok" as its last line and exits with 0, on
# an H200 and under tmaemu alike, but for those with instructions that no sm_90 chip has.
#
# Those of cuBLAS include its headers, which not every toolkit has (test_cublas.py needs none).
OF_CUBLAS := $(wildcard tests/programs/cublas_*.cu)
WITHOUT_HEADERS := $(if $(wildcard $(CUDA_HOME)/include/cublasLt.h),,$(OF_CUBLAS))
PROGRAMS := $(patsubst tests/programs/%.cu,$(BUILD)/tests/programs/%,$(filter-out $(WITHOUT_HEADERS),$(wildcard tests/programs/*.cu)))

$(BUILD)/tests/programs/%: tests/programs/%.cu $(wildcard tests/programs/*.h) $(wildcard ../labs/common/*.cuh ../labs/common/*/*.cuh)
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -cudart shared $(PROGRAM_ARCH) \
	    -lineinfo -std=c++20 -I../labs/common -o $@ $< $(PROGRAM_LIBRARIES) -lcuda

$(OF_CUBLAS:tests/programs/%.cu=$(BUILD)/tests/programs/%): PROGRAM_LIBRARIES = \
    -L$(EMULATOR_LIB) -l:libcublas.so.13 -l:libcublasLt.so.13
$(OF_CUBLAS:tests/programs/%.cu=$(BUILD)/tests/programs/%): $(EMULATOR_LIB)/libcublas.so.13 $(EMULATOR_LIB)/libcublasLt.so.13

$(BUILD)/tests/programs/%: PROGRAM_ARCH = -gencode arch=compute_90a,code=[sm_90a,compute_90a]
$(BUILD)/tests/programs/device_cta_group: PROGRAM_ARCH = -gencode arch=compute_100a,code=compute_100a
$(BUILD)/tests/programs/device_later_kernel: PROGRAM_ARCH = \
    -gencode arch=compute_90a,code=[sm_90a,compute_90a] -gencode arch=compute_100a,code=compute_100a

.PHONY: programs
programs: $(PROGRAMS)
