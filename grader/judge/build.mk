# A judge for each lab: the same program with the lab's own checks, and the kernels that fill and check the arrays of
# timed calls. So who works on one lab builds one judge, and a changed check concerns no other lab's records. LINK_CUDART
# is runner/build.mk's.

JUDGE_LIBRARY_OBJECTS := $(filter-out %/main.o,$(call objects_of,judge,$(wildcard judge/*/*.cpp))) $(FINDING_OBJECTS)
kernel_objects = $(patsubst %.cu,$(OBJ)/%.o,$(wildcard $(1)))
JUDGE_KERNEL_OBJECTS := $(call kernel_objects,judge/*/*.cu checks/*/bandwidth.cu)
JUDGE_COMMON_OBJECTS := $(JUDGE_LIBRARY_OBJECTS) $(OBJ)/judge/session/main.o $(call kernel_objects,judge/*/*.cu)

# No -lineinfo: it names the folder that they were compiled in.
$(JUDGE_KERNEL_OBJECTS): $(OBJ)/%.o: %.cu judge/build.mk
	@mkdir -p $(@D)
	$(tell_progress)$(CUDA_HOME)/bin/nvcc -ccbin $(CXX) -cudart shared -std=c++20 -O2 \
	    -gencode arch=compute_90a,code=[sm_90a,compute_90a] -Xcompiler -fPIC,-Wall -Werror all-warnings \
	    -I. -MMD -MP -c $< -o $@

# Half of what a student waits for of a whole lab is the judge's: it draws, copies and compares arrays.
$(OBJ)/judge/together.o: OPTIMIZE = $(OPTIMIZE_LANES)

$(BIN)/judges/%: $(JUDGE_COMMON_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ $(LINK_CUDART) -lgtest -lpthread

$(OBJ)/checks/%: OPTIMIZE = $(OPTIMIZE_CHECKS)
CHECKED := $(sort $(patsubst checks/%/,%,$(dir $(wildcard checks/*/checks.cpp))))
$(foreach lab,$(CHECKED),$(eval $(BIN)/judges/$(lab): \
    $(call objects,checks/$(lab)/*.cpp) $(call kernel_objects,checks/$(lab)/bandwidth.cu)))

# All judges, or those of JUDGES_OF="lab3" and the known program's, which each grading begins with.
JUDGES := $(if $(JUDGES_OF),$(filter canary $(JUDGES_OF) $(JUDGES_OF:=-%),$(CHECKED)),$(CHECKED))

-include $(JUDGE_COMMON_OBJECTS:.o=.d) $(patsubst %.cpp,$(OBJ)/%.d,$(wildcard checks/*/*.cpp)) $(JUDGE_KERNEL_OBJECTS:.o=.d)
