# Programs that measure the solutions and their peers: one per lab, solutions/bench/<lab>.cu.

BENCH_LIBRARIES := $(BUILD)/bench/matmul_library.so
BENCH_PROGRAMS := $(filter-out $(BENCH_LIBRARIES:.so=),$(patsubst \
    ../solutions/bench/%.cu,$(BUILD)/bench/%,$(wildcard ../solutions/bench/*.cu)))
BENCH_OBJECTS := $(OBJ)/bench/race.o $(OBJ)/judge/time/roofline.o \
                 $(OBJ)/judge/arrays/stream_kernels.o

.PHONY: bench
bench: $(BENCH_PROGRAMS) $(BENCH_LIBRARIES)

$(OBJ)/bench/%.o: ../solutions/bench/%.cpp
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -I../solutions -c $< -o $@

# A lab whose peers are in a library of the toolkit names it here.
LIBRARIES_lab8-swizzle := -lcublas
LIBRARIES_lab12-matmul := -lcublasLt
$(BUILD)/bench/lab12-matmul: $(OBJ)/bench/cublas_lt.o
# The later GPUs than Hopper's for which a lab has kernels, as its lab.toml says.
later = $(foreach name,$(shell sed -n 's/^architecture = "\(.*\)"/\1/p' $(wildcard ../labs/$(1)/lab.toml) /dev/null), \
            -gencode arch=compute_$(name),code=compute_$(name))

BENCH_NVCC = $(CUDA_HOME)/bin/nvcc -ccbin $(CXX) -cudart shared -std=c++20 -O2 -lineinfo \
    -gencode arch=compute_90a,code=[sm_90a,compute_90a] $(call later,$*) -Xcompiler -Wall \
    -I../solutions -I../labs/common -I. -MMD -MP -MF $@.d -o $@ $<

# For what races in Python, with torch. It takes torch's copy of CUDA's runtime.
$(BENCH_LIBRARIES): $(BUILD)/bench/%.so: ../solutions/bench/%.cu
	@mkdir -p $(@D)
	$(BENCH_NVCC) -shared -Xcompiler -fPIC -lcuda

$(BENCH_PROGRAMS): $(BUILD)/bench/%: ../solutions/bench/%.cu $(BENCH_OBJECTS)
	@mkdir -p $(@D)
	$(BENCH_NVCC) $(filter %.o,$^) -Xlinker -rpath -Xlinker '"$(abspath $(dir $(CUDART)))"' -lcuda $(LIBRARIES_$*)

-include $(BENCH_OBJECTS:.o=.d) $(OBJ)/bench/cublas_lt.d $(BENCH_PROGRAMS:=.d) $(BENCH_LIBRARIES:=.d)
