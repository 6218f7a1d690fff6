# The test of labs/common: every function of its interfaces compiles for the architecture that
# has it, without a warning, and what must not compile says why. `make interface-test` runs it.
LABS_COMMON := ../labs/common
INTERFACE_OUT := $(BUILD)/tests/interface
INTERFACE_OBJECTS := $(patsubst tests/interface/%.cu,$(INTERFACE_OUT)/%.o,\
                       $(wildcard tests/interface/*.cu))
INTERFACE_NVCC = $(CUDA_HOME)/bin/nvcc -std=c++20 -I$(LABS_COMMON) -Xcompiler -Wall,-Wextra \
                 -Werror all-warnings
# The cta_group forms exist from sm_100a on, all else is for sm_90a.
SM_90A = -gencode 'arch=compute_90a,code=[sm_90a,compute_90a]'
SM_100A = -gencode 'arch=compute_100a,code=[sm_100a,compute_100a]'

.PHONY: interface-test
interface-test: $(INTERFACE_OUT)/every_function_is_called.ok \
                $(INTERFACE_OUT)/wrong_architectures_are_refused.ok $(INTERFACE_OBJECTS)

$(INTERFACE_OUT)/cta_groups.o: INTERFACE_ARCH = $(SM_100A)
$(INTERFACE_OUT)/%.o: INTERFACE_ARCH = $(SM_90A)
$(INTERFACE_OUT)/%.o: tests/interface/%.cu
	@mkdir -p "$(@D)"
	$(INTERFACE_NVCC) $(INTERFACE_ARCH) -MMD -MP -MF $@.d -c $< -o $@

INTERFACE_FILES := $(wildcard $(LABS_COMMON)/*.cuh $(LABS_COMMON)/*/*.cuh \
                              tests/interface/*.cu tests/interface/*.cuh)

$(INTERFACE_OUT)/every_function_is_called.ok: tests/interface/every_function_is_called.py \
                                              $(INTERFACE_FILES)
	@mkdir -p "$(@D)"
	python3 $< $(LABS_COMMON) tests/interface
	@touch $@

$(INTERFACE_OUT)/wrong_architectures_are_refused.ok: \
    tests/interface/wrong_architectures_are_refused.sh $(INTERFACE_FILES)
	@mkdir -p "$(@D)"
	sh $< "$(CUDA_HOME)/bin/nvcc -std=c++20 -I$(LABS_COMMON)"
	@touch $@

-include $(wildcard $(INTERFACE_OUT)/*.d)
