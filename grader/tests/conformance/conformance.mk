# The conformance suites: what an H200 answered, replayed on the emulator.
#   conformance-fast    a part, in seconds
#   conformance         all of it
#   conformance-gpu     all of it on this machine's sm_90 GPU, to see that the answers are the chip's
#   conformance-record  writes the answers anew (on an sm_90 GPU)
#   conformance-random  other random programs, those of SEED: what the emulator gives is kept, or
#                       compared with what is there; with a GPU, the GPU's is there first

CONFORMANCE := tests/conformance
CONFORMANCE_COMMON := $(addprefix $(CONFORMANCE)/,answers.cpp machine.cpp run.cpp)
CONFORMANCE_HEADERS := $(addprefix $(CONFORMANCE)/,answers.h machine.h options.h run.h) common/split_mix.h
CONFORMANCE_TMA := $(BUILD)/tests/conformance_tma
CONFORMANCE_TMA_ANSWERS := $(CONFORMANCE)/tma-h200.bin
CONFORMANCE_ARITHMETIC := $(BUILD)/tests/conformance_arithmetic
# Of two machines, each with forms that the other has not.
CONFORMANCE_ARITHMETIC_H200 := $(CONFORMANCE)/arithmetic-h200.bin
CONFORMANCE_ARITHMETIC_H100 := $(CONFORMANCE)/arithmetic-h100.bin
CONFORMANCE_ARITHMETIC_ANSWERS := $(CONFORMANCE_ARITHMETIC_H200) $(CONFORMANCE_ARITHMETIC_H100)

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

# Of programs that are made of the forms above, among others.
CONFORMANCE_RANDOM := $(BUILD)/tests/conformance_random
CONFORMANCE_RANDOM_ANSWERS := $(CONFORMANCE)/random-h200.bin
CONFORMANCE_RANDOM_OBJECTS := $(patsubst %.cpp,$(OBJ)/%.o,$(CONFORMANCE_COMMON)) \
    $(call objects,$(CONFORMANCE)/*random*.cpp) \
    $(addprefix $(OBJ)/$(CONFORMANCE)/,ptxas_differences.o ptxas_table.o) \
    $(filter-out %/conformance_arithmetic.o,$(call objects,$(CONFORMANCE)/*arithmetic*.cpp))

$(OBJ)/$(CONFORMANCE)/ptxas_table.cpp: $(CONFORMANCE)/ptxas_differences.py $(CONFORMANCE)/ptxas_differences.toml
	@mkdir -p $(@D)
	python3 $< --cpp >$@.part && mv $@.part $@

$(OBJ)/$(CONFORMANCE)/ptxas_table.o: $(OBJ)/$(CONFORMANCE)/ptxas_table.cpp
	$(CXX) $(CXXFLAGS) -c $< -o $@

$(CONFORMANCE_RANDOM): $(sort $(CONFORMANCE_RANDOM_OBJECTS))
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -cudart shared -o $@ $^ -lcuda

-include $(CONFORMANCE_RANDOM_OBJECTS:.o=.d)

# Of matrix instructions, in programs like those of the random suite.
CONFORMANCE_MATRIX := $(BUILD)/tests/conformance_matrix
CONFORMANCE_MATRIX_ANSWERS := $(CONFORMANCE)/matrix-h100.bin
CONFORMANCE_MATRIX_OBJECTS := $(patsubst %.cpp,$(OBJ)/%.o,$(CONFORMANCE_COMMON)) \
    $(call objects,$(CONFORMANCE)/*matrix_*.cpp) $(OBJ)/$(CONFORMANCE)/conformance_matrix.o \
    $(addprefix $(OBJ)/$(CONFORMANCE)/,random_device.o random_text.o)

$(CONFORMANCE_MATRIX): $(sort $(CONFORMANCE_MATRIX_OBJECTS))
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -cudart shared -o $@ $^ -lcuda

-include $(CONFORMANCE_MATRIX_OBJECTS:.o=.d)

# Of wgmma.mma_async, whose kernels it writes as PTX, too.
CONFORMANCE_PRODUCTS := $(BUILD)/tests/conformance_products
CONFORMANCE_PRODUCTS_ANSWERS := $(CONFORMANCE)/products-h100.bin
CONFORMANCE_PRODUCTS_OBJECTS := $(patsubst %.cpp,$(OBJ)/%.o,$(CONFORMANCE_COMMON)) \
    $(call objects,$(CONFORMANCE)/*product*.cpp)

$(CONFORMANCE_PRODUCTS): $(CONFORMANCE_PRODUCTS_OBJECTS)
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -cudart shared -o $@ $^ -lcuda

-include $(CONFORMANCE_PRODUCTS_OBJECTS:.o=.d)

# Of generated kernels, each file of forty compiled in several ways. The fast program holds a part.
CONFORMANCE_SHARED := $(BUILD)/tests/conformance_shared
CONFORMANCE_SHARED_FAST := $(CONFORMANCE_SHARED)_fast
# A line for each of 2,700 kernels, kept packed.
CONFORMANCE_SHARED_ANSWERS := $(BUILD)/tests/shared-h200.txt
CONFORMANCE_SHARED_PACKED := $(CONFORMANCE)/shared-h200.txt.gz
CONFORMANCE_SHARED_OBJECTS := $(patsubst %.cpp,$(OBJ)/%.o,$(CONFORMANCE_COMMON)) \
    $(call objects,$(CONFORMANCE)/*shared*.cpp)
SHARED_KERNELS := $(OBJ)/$(CONFORMANCE)/shared
SHARED_FILES := 0 1 2 3 4 5 6 7 8 9 10 11 12 13
SHARED_KERNEL_OBJECTS_FAST := $(SHARED_KERNELS)/lineinfo-0.o $(SHARED_KERNELS)/debug-14.o
SHARED_KERNEL_OBJECTS := $(SHARED_KERNEL_OBJECTS_FAST) $(SHARED_KERNELS)/debug-15.o \
    $(SHARED_FILES:%=$(SHARED_KERNELS)/plain-%.o) $(SHARED_FILES:%=$(SHARED_KERNELS)/lineinfo-%.o)

$(CONFORMANCE_SHARED_ANSWERS): $(CONFORMANCE_SHARED_PACKED)
	@mkdir -p $(@D)
	gzip -dc $< >$@.part && mv $@.part $@

$(SHARED_KERNELS)/%.cu: $(CONFORMANCE)/shared_kernels.py
	@mkdir -p $(@D)
	python3 $< $* >$@.part && mv $@.part $@

# What is never used must stay so: 177 and 550 warn of it.
COMPILE_SHARED_KERNELS = $(CUDA_HOME)/bin/nvcc -std=c++20 -cudart shared -diag-suppress 177,550 \
    -gencode arch=compute_90a,code=[sm_90a,compute_90a] -I. -c -o $@ $<
$(SHARED_KERNELS)/plain-%.o: $(SHARED_KERNELS)/%.cu $(CONFORMANCE)/shared_kernels.h
	$(COMPILE_SHARED_KERNELS) -DWAY=plain
$(SHARED_KERNELS)/lineinfo-%.o: $(SHARED_KERNELS)/%.cu $(CONFORMANCE)/shared_kernels.h
	$(COMPILE_SHARED_KERNELS) -DWAY=lineinfo -lineinfo
$(SHARED_KERNELS)/debug-%.o: $(SHARED_KERNELS)/%.cu $(CONFORMANCE)/shared_kernels.h
	$(COMPILE_SHARED_KERNELS) -DWAY=debug -G

$(CONFORMANCE_SHARED): $(sort $(SHARED_KERNEL_OBJECTS))
$(CONFORMANCE_SHARED_FAST): $(SHARED_KERNEL_OBJECTS_FAST)
$(CONFORMANCE_SHARED) $(CONFORMANCE_SHARED_FAST): $(CONFORMANCE_SHARED_OBJECTS)
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -cudart shared -o $@ $^ -lcuda

-include $(CONFORMANCE_SHARED_OBJECTS:.o=.d)

# Calls that are wrong, and what CUDA answers to them.
CONFORMANCE_CALLS := $(BUILD)/tests/conformance_calls
CONFORMANCE_CALLS_ANSWERS := $(CONFORMANCE)/wrong-calls-h100.txt
CONFORMANCE_CALLS_OBJECTS := $(OBJ)/$(CONFORMANCE)/run.o $(call objects,$(CONFORMANCE)/*calls*.cpp)

$(CONFORMANCE_CALLS): $(CONFORMANCE_CALLS_OBJECTS) $(CONFORMANCE)/wrong_calls_kernels.cu
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc -std=c++20 -cudart shared -diag-suppress 224 \
	    -gencode arch=compute_90a,code=[sm_90a,compute_90a] -I. -o $@ $^ -lcuda

-include $(CONFORMANCE_CALLS_OBJECTS:.o=.d)

# The recorded tensor maps, for the test of the book's explorer.
MAP_QUESTIONS := $(BUILD)/tests/map_questions
MAP_QUESTION_OBJECTS := $(patsubst %.cpp,$(OBJ)/%.o,$(addprefix $(CONFORMANCE)/,map_questions.cpp answers.cpp \
    tma_cases.cpp tma_map_cases.cpp tma_im2col_cases.cpp))

$(MAP_QUESTIONS): $(MAP_QUESTION_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -o $@ $^

$(BUILD)/explorer/map-questions.bin: $(MAP_QUESTIONS) $(CONFORMANCE_TMA_ANSWERS)
	@mkdir -p $(@D)
	$< $(CONFORMANCE_TMA_ANSWERS) $@

-include $(MAP_QUESTION_OBJECTS:.o=.d)

.PHONY: map-questions
map-questions: $(BUILD)/explorer/map-questions.bin

.PHONY: conformance-fast conformance conformance-gpu conformance-record conformance-random
conformance-fast: $(CONFORMANCE_CALLS) $(CONFORMANCE_TMA) $(CONFORMANCE_ARITHMETIC) $(CONFORMANCE_SHARED_FAST) $(CONFORMANCE_SHARED_ANSWERS) $(CONFORMANCE_RANDOM) $(CONFORMANCE_MATRIX) $(CONFORMANCE_PRODUCTS) emulator
	$(BIN)/tmaemu $(CONFORMANCE_CALLS) check $(CONFORMANCE_CALLS_ANSWERS)
	$(BIN)/tmaemu $(CONFORMANCE_TMA) check $(CONFORMANCE_TMA_ANSWERS) --every 16
	$(BIN)/tmaemu $(CONFORMANCE_ARITHMETIC) check $(CONFORMANCE_ARITHMETIC_ANSWERS)
	$(BIN)/tmaemu $(CONFORMANCE_SHARED_FAST) check $(CONFORMANCE_SHARED_ANSWERS) --part
	$(BIN)/tmaemu $(CONFORMANCE_RANDOM) check $(CONFORMANCE_RANDOM_ANSWERS) --every 16
	$(BIN)/tmaemu $(CONFORMANCE_MATRIX) check $(CONFORMANCE_MATRIX_ANSWERS) --every 16
	$(BIN)/tmaemu $(CONFORMANCE_PRODUCTS) check $(CONFORMANCE_PRODUCTS_ANSWERS) --every 16

conformance: $(CONFORMANCE_CALLS) $(CONFORMANCE_TMA) $(CONFORMANCE_ARITHMETIC) $(CONFORMANCE_SHARED) $(CONFORMANCE_SHARED_ANSWERS) $(CONFORMANCE_RANDOM) $(CONFORMANCE_MATRIX) $(CONFORMANCE_PRODUCTS) emulator
	$(BIN)/tmaemu $(CONFORMANCE_CALLS) check $(CONFORMANCE_CALLS_ANSWERS)
	$(BIN)/tmaemu $(CONFORMANCE_TMA) check $(CONFORMANCE_TMA_ANSWERS)
	$(BIN)/tmaemu $(CONFORMANCE_ARITHMETIC) check $(CONFORMANCE_ARITHMETIC_ANSWERS)
	$(BIN)/tmaemu $(CONFORMANCE_SHARED) check $(CONFORMANCE_SHARED_ANSWERS)
	$(BIN)/tmaemu $(CONFORMANCE_RANDOM) check $(CONFORMANCE_RANDOM_ANSWERS)
	$(BIN)/tmaemu $(CONFORMANCE_MATRIX) check $(CONFORMANCE_MATRIX_ANSWERS)
	$(BIN)/tmaemu $(CONFORMANCE_PRODUCTS) check $(CONFORMANCE_PRODUCTS_ANSWERS)

conformance-gpu: $(CONFORMANCE_CALLS) $(CONFORMANCE_TMA) $(CONFORMANCE_ARITHMETIC) $(CONFORMANCE_SHARED) $(CONFORMANCE_SHARED_ANSWERS) $(CONFORMANCE_RANDOM) $(CONFORMANCE_MATRIX) $(CONFORMANCE_PRODUCTS)
	$(CONFORMANCE_CALLS) check $(CONFORMANCE_CALLS_ANSWERS)
	$(CONFORMANCE_TMA) check $(CONFORMANCE_TMA_ANSWERS) --workers 4
	$(CONFORMANCE_ARITHMETIC) check $(CONFORMANCE_ARITHMETIC_ANSWERS) --workers 4
	$(CONFORMANCE_SHARED) check $(CONFORMANCE_SHARED_ANSWERS)
	$(CONFORMANCE_RANDOM) check $(CONFORMANCE_RANDOM_ANSWERS) --workers 4
	$(CONFORMANCE_MATRIX) check $(CONFORMANCE_MATRIX_ANSWERS) --workers 4
	$(CONFORMANCE_PRODUCTS) check $(CONFORMANCE_PRODUCTS_ANSWERS) --workers 4

conformance-record: $(CONFORMANCE_CALLS) $(CONFORMANCE_TMA) $(CONFORMANCE_ARITHMETIC) $(CONFORMANCE_SHARED) $(CONFORMANCE_RANDOM) $(CONFORMANCE_MATRIX) $(CONFORMANCE_PRODUCTS)
	$(CONFORMANCE_CALLS) record $(CONFORMANCE_CALLS_ANSWERS)
	$(CONFORMANCE_TMA) record $(CONFORMANCE_TMA_ANSWERS) --workers 4
	$(CONFORMANCE_ARITHMETIC) record $(CONFORMANCE_ARITHMETIC_H100) --beside $(CONFORMANCE_ARITHMETIC_H200) --workers 4
	$(CONFORMANCE_SHARED) record $(CONFORMANCE_SHARED_ANSWERS)
	gzip -9nc $(CONFORMANCE_SHARED_ANSWERS) >$(CONFORMANCE_SHARED_PACKED)
	$(CONFORMANCE_RANDOM) record $(CONFORMANCE_RANDOM_ANSWERS) --workers 4
	$(CONFORMANCE_MATRIX) record $(CONFORMANCE_MATRIX_ANSWERS) --workers 4
	$(CONFORMANCE_PRODUCTS) record $(CONFORMANCE_PRODUCTS_ANSWERS) --workers 4

SEED ?= 1
CONFORMANCE_RANDOM_OTHER := $(BUILD)/tests/random-$(SEED).bin
conformance-random: $(CONFORMANCE_RANDOM) emulator
	if [ ! -e $(CONFORMANCE_RANDOM_OTHER) ] && nvidia-smi -L >/dev/null 2>&1; then \
	    $(CONFORMANCE_RANDOM) record $(CONFORMANCE_RANDOM_OTHER) --seed $(SEED) --workers 4; fi
	if [ -e $(CONFORMANCE_RANDOM_OTHER) ]; then \
	    $(BIN)/tmaemu $(CONFORMANCE_RANDOM) check $(CONFORMANCE_RANDOM_OTHER); \
	else \
	    $(BIN)/tmaemu $(CONFORMANCE_RANDOM) record $(CONFORMANCE_RANDOM_OTHER) --seed $(SEED); fi
