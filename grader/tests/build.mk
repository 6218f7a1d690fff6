# The tests of the grader's C++. `make tests` builds them all; the Makefile at the top runs them.

LDLIBS_TEST = -lgtest -lgtest_main -lpthread

# Their precompiled headers, too.
$(foreach folder,emulator judge runner,$(eval $(OBJ)/tests/$(folder)/%: OPTIMIZE = $(OPTIMIZE_TESTS)))

include tests/fuzz/fuzz.mk

EMULATOR_TEST_OBJECTS := $(call objects,tests/emulator/*.cpp)

# The kept corpus of the fuzzers and the file of all forms of findings are read from where they lie.
$(OBJ)/tests/emulator/fuzz_corpus_test.o $(OBJ)/tests/emulator/finding_text_test.o: CXXFLAGS += -DGRADER_FOLDER='"$(CURDIR)"'

# Matrix instructions are tested by the programs of their conformance suite.
MATRIX_PROGRAM_OBJECTS := $(patsubst %.cpp,$(OBJ)/%.o,$(addprefix tests/conformance/,matrix_forms.cpp matrix_programs.cpp \
    matrix_values.cpp random_text.cpp))

# What the tests call is hidden in libtmaemu.so and in tmaemu, so they are linked with their objects.
TESTED_LAUNCHER_OBJECTS := $(filter-out %/main.o,$(LAUNCHER_OBJECTS))
$(BUILD)/tests/emulator_tests: $(EMULATOR_TEST_OBJECTS) $(EMULATOR_OBJECTS) $(TESTED_LAUNCHER_OBJECTS) $(FUZZ_OBJECTS) \
    $(MATRIX_PROGRAM_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ $(LDLIBS_TEST) $(LDLIBS_EMULATOR)

-include $(EMULATOR_TEST_OBJECTS:.o=.d)

# What pages of the book run as WebAssembly, for this machine.
$(BUILD)/tests/run-launch: $(OBJ)/emulator/browser/run_launch.o $(EMULATOR_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ $(LDLIBS_EMULATOR)
-include $(OBJ)/emulator/browser/run_launch.d

include tests/judge/judge_tests.mk
include tests/runner/runner_tests.mk
include tests/interface/interface.mk
include tests/programs/programs.mk
include tests/conformance/conformance.mk
include tests/real/real.mk
include tests/real/cutlass/cutlass.mk
include tests/speed/speed.mk
include tests/stats/stats.mk
include tests/hazards/hazards.mk
include tests/experiments/experiments.mk

.PHONY: unit-tests
unit-tests: $(BUILD)/tests/emulator_tests $(BUILD)/tests/judge_tests $(BUILD)/tests/runner_tests
tests: unit-tests $(BUILD)/tests/run-launch interface-test programs stats-programs hazard-programs real-quick
# Programs that no test runs: what a GPU, a benchmark or the site's tests want. `make bench-programs` compiles them.
.PHONY: run-by-hand
run-by-hand: bench speed experiments map-questions
