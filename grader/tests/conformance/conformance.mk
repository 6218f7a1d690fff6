# The conformance suites: what an H200 answered, replayed on the emulator.
#   conformance-fast    a part, in seconds
#   conformance         all of it
#   conformance-gpu     all of it on this machine's sm_90 GPU, to see that the answers are the chip's
#   conformance-record  writes the answers anew (on an sm_90 GPU)

CONFORMANCE := tests/conformance
CONFORMANCE_COMMON := $(addprefix $(CONFORMANCE)/,answers.cpp machine.cpp run.cpp)
CONFORMANCE_HEADERS := $(addprefix $(CONFORMANCE)/,answers.h machine.h run.h)
CONFORMANCE_TMA := $(BUILD)/tests/conformance_tma
CONFORMANCE_TMA_ANSWERS := $(CONFORMANCE)/tma-h200.bin
CONFORMANCE_ARITHMETIC := $(BUILD)/tests/conformance_arithmetic
CONFORMANCE_ARITHMETIC_ANSWERS := $(CONFORMANCE)/arithmetic-h200.bin

$(CONFORMANCE_TMA): $(wildcard $(CONFORMANCE)/*tma*) $(CONFORMANCE_COMMON) $(CONFORMANCE_HEADERS)
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -std=c++20 -O2 -cudart shared -lineinfo \
	    -gencode arch=compute_90a,code=[sm_90a,compute_90a] -I. -o $@ \
	    $(filter %.cu %.cpp,$^) -lcuda

# Host code alone: its kernels are PTX that it writes itself.
CONFORMANCE_ARITHMETIC_OBJECTS := $(patsubst %.cpp,$(OBJ)/%.o,$(CONFORMANCE_COMMON)) \
    $(call objects,$(CONFORMANCE)/*arithmetic*.cpp)

$(CONFORMANCE_ARITHMETIC): $(CONFORMANCE_ARITHMETIC_OBJECTS)
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -cudart shared -o $@ $^ -lcuda

-include $(CONFORMANCE_ARITHMETIC_OBJECTS:.o=.d)

.PHONY: conformance-fast conformance conformance-gpu conformance-record
conformance-fast: $(CONFORMANCE_TMA) $(CONFORMANCE_ARITHMETIC) emulator
	$(BIN)/tmaemu $(CONFORMANCE_TMA) check $(CONFORMANCE_TMA_ANSWERS) --every 16
	$(BIN)/tmaemu $(CONFORMANCE_ARITHMETIC) check $(CONFORMANCE_ARITHMETIC_ANSWERS)

conformance: $(CONFORMANCE_TMA) $(CONFORMANCE_ARITHMETIC) emulator
	$(BIN)/tmaemu $(CONFORMANCE_TMA) check $(CONFORMANCE_TMA_ANSWERS)
	$(BIN)/tmaemu $(CONFORMANCE_ARITHMETIC) check $(CONFORMANCE_ARITHMETIC_ANSWERS)

conformance-gpu: $(CONFORMANCE_TMA) $(CONFORMANCE_ARITHMETIC)
	$(CONFORMANCE_TMA) check $(CONFORMANCE_TMA_ANSWERS) --workers 4
	$(CONFORMANCE_ARITHMETIC) check $(CONFORMANCE_ARITHMETIC_ANSWERS) --workers 4

conformance-record: $(CONFORMANCE_TMA) $(CONFORMANCE_ARITHMETIC)
	$(CONFORMANCE_TMA) record $(CONFORMANCE_TMA_ANSWERS) --workers 4
	$(CONFORMANCE_ARITHMETIC) record $(CONFORMANCE_ARITHMETIC_ANSWERS) --workers 4
