# The judge: all of its parts but main.cpp, and the checks of every lab, with the kernels that fill
# and check the arrays of timed calls. LINK_CUDART is runner/build.mk's.

# The registry of findings is all that it has in common with the emulator.
JUDGE_LIBRARY_OBJECTS := $(filter-out %/main.o,$(call objects,judge/*.cpp)) $(call objects,emulator/model/*.cpp)
JUDGE_KERNELS := $(wildcard judge/*.cu checks/*/bandwidth.cu)
JUDGE_KERNEL_OBJECTS := $(JUDGE_KERNELS:%.cu=$(OBJ)/%.o)
JUDGE_OBJECTS := $(JUDGE_LIBRARY_OBJECTS) $(OBJ)/judge/main.o $(call objects,checks/*/*.cpp)

$(JUDGE_KERNEL_OBJECTS): $(OBJ)/%.o: %.cu
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -ccbin $(CXX) -cudart shared -std=c++20 -O2 -lineinfo \
	    -gencode arch=compute_90a,code=[sm_90a,compute_90a] -Xcompiler -fPIC,-Wall -Werror all-warnings \
	    -I. -MMD -MP -c $< -o $@

$(BIN)/judge: $(JUDGE_OBJECTS) $(JUDGE_KERNEL_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ $(LINK_CUDART) -lgtest -lpthread

-include $(JUDGE_OBJECTS:.o=.d) $(JUDGE_KERNEL_OBJECTS:.o=.d)
