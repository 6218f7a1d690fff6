# The conformance suite: what an H200 answered, replayed on the emulator.
#   conformance-fast    a part, in seconds
#   conformance         all of it
#   conformance-gpu     all of it on this machine's sm_90 GPU, to see that the answers are the chip's
#   conformance-record  writes the answers anew (on an sm_90 GPU)

CONFORMANCE := tests/conformance
CONFORMANCE_TMA := $(BUILD)/tests/conformance_tma
CONFORMANCE_TMA_ANSWERS := $(CONFORMANCE)/tma-h200.bin

$(CONFORMANCE_TMA): $(wildcard $(CONFORMANCE)/*tma*)
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -std=c++20 -O2 -cudart shared -lineinfo \
	    -gencode arch=compute_90a,code=[sm_90a,compute_90a] -I. -o $@ \
	    $(filter %.cu %.cpp,$^) -lcuda

.PHONY: conformance-fast conformance conformance-gpu conformance-record
conformance-fast: $(CONFORMANCE_TMA) emulator
	$(BIN)/tmaemu $(CONFORMANCE_TMA) check $(CONFORMANCE_TMA_ANSWERS) --every 16

conformance: $(CONFORMANCE_TMA) emulator
	$(BIN)/tmaemu $(CONFORMANCE_TMA) check $(CONFORMANCE_TMA_ANSWERS)

conformance-gpu: $(CONFORMANCE_TMA)
	$(CONFORMANCE_TMA) check $(CONFORMANCE_TMA_ANSWERS) --workers 4

conformance-record: $(CONFORMANCE_TMA)
	$(CONFORMANCE_TMA) record $(CONFORMANCE_TMA_ANSWERS) --workers 4
