# The runner: loads a submission and calls it on the judge's behalf.

# The toolkit has libcudart.so; NVIDIA's wheels have only the versioned file, in lib/. Naming the
# file links either. The run path is the last resort: LD_LIBRARY_PATH, which is how the emulator
# takes CUDA's place, comes before it (a DT_RPATH would not let it).
CUDART := $(firstword $(wildcard $(foreach lib,lib64 lib,$(CUDA_HOME)/$(lib)/libcudart.so \
                                   $(CUDA_HOME)/$(lib)/libcudart.so.1[0-9])))
LINK_CUDART = $(or $(CUDART),$(error there is no libcudart.so in $(CUDA_HOME)/lib64 or \
                $(CUDA_HOME)/lib)) "-Wl,--enable-new-dtags,-rpath,$(abspath $(dir $(CUDART)))"

RUNNER_OBJECTS := $(call objects,runner/*.cpp)

$(BIN)/runner: $(RUNNER_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ $(LINK_CUDART) -ldl

-include $(RUNNER_OBJECTS:.o=.d)
