# The judge: all of its parts but main.cpp, and the checks of every lab, with the kernels that fill
# and check the arrays of timed calls. LINK_CUDART is runner/build.mk's.

# The registry of findings is all that it has in common with the emulator.
JUDGE_LIBRARY_OBJECTS := $(filter-out %/main.o,$(call objects,judge/*.cpp)) $(call objects,emulator/model/*.cpp)
JUDGE_KERNELS := $(wildcard judge/*.cu checks/*/bandwidth.cu)
JUDGE_KERNEL_OBJECTS := $(JUDGE_KERNELS:%.cu=$(OBJ)/%.o)

# All labs' checks.cpp are compiled as one file, and all grader_checks.cpp, which a release for students lacks: each lab
# has a namespace of its own.
CHECKS := $(foreach file,checks grader_checks,$(if $(wildcard checks/*/$(file).cpp),$(file)))
CHECK_OBJECTS := $(if $(TOGETHER),$(CHECKS:%=$(OBJ)/checks/all_%.o),$(call each,$(wildcard checks/*/*.cpp)))
$(CHECKS:%=$(OBJ)/checks/all_%.cpp): $(OBJ)/checks/all_%.cpp: $(wildcard checks/*/.)
	@mkdir -p $(@D)
	@printf '#include "%s"\n' $(wildcard checks/*/$*.cpp) > $@
$(CHECKS:%=$(OBJ)/checks/all_%.o): %.o: %.cpp
	$(CXX) $(CXXFLAGS) -c $< -o $@

JUDGE_OBJECTS := $(JUDGE_LIBRARY_OBJECTS) $(OBJ)/judge/main.o $(CHECK_OBJECTS)

$(JUDGE_KERNEL_OBJECTS): $(OBJ)/%.o: %.cu
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -ccbin $(CXX) -cudart shared -std=c++20 -O2 -lineinfo \
	    -gencode arch=compute_90a,code=[sm_90a,compute_90a] -Xcompiler -fPIC,-Wall -Werror all-warnings \
	    -I. -MMD -MP -c $< -o $@

$(BIN)/judge: $(JUDGE_OBJECTS) $(JUDGE_KERNEL_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ $(LINK_CUDART) -lgtest -lpthread

-include $(JUDGE_OBJECTS:.o=.d) $(JUDGE_KERNEL_OBJECTS:.o=.d)
