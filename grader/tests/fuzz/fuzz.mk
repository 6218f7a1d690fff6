# The fuzzers of what reads foreign bytes: each target of targets.h under libFuzzer with the address and
# undefined-behavior sanitizers. `make fuzz` at the top runs them, one after the other.

FUZZ := tests/fuzz
FUZZ_TARGETS := read_fatbin parse_ptx decode_ptx read_elf
FUZZERS := $(FUZZ_TARGETS:%=$(BIN)/fuzz_%)
FUZZ_OBJECTS := $(FUZZ_TARGETS:%=$(OBJ)/$(FUZZ)/%.o)

# Only clang has libFuzzer: fuzz.sh gives this build its COMPILER, SANITIZE and BUILD.
.PHONY: fuzzers
fuzzers: $(FUZZERS)

$(BIN)/fuzz_read_fatbin: $(call objects,emulator/fatbin/*.cpp)
$(BIN)/fuzz_parse_ptx: $(call objects,emulator/ptx/*.cpp)
$(BIN)/fuzz_decode_ptx: $(EMULATOR_OBJECTS)
$(BIN)/fuzz_read_elf: $(OBJ)/emulator/loader/elf_file.o

$(FUZZERS): $(BIN)/fuzz_%: $(FUZZ)/fuzzer.cpp $(OBJ)/$(FUZZ)/%.o
	@mkdir -p $(@D)
	$(CXX) $(CXXFLAGS) -fsanitize=fuzzer -DFUZZ_TARGET=$* -o $@ $(filter %.cpp %.o,$^) $(LDLIBS_EMULATOR)

-include $(FUZZ_OBJECTS:.o=.d)
