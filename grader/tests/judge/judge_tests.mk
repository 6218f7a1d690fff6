# Tests of the judge: everything but its use of CUDA, which tests replace by host memory and by
# runners that misbehave on demand. So they take the judge's files one by one.

JUDGE_USES_CUDA := $(addprefix $(OBJ)/judge/,memory/cuda_device.o session/check.o \
                   $(addprefix time/,bandwidth.o baseline.o product_library.o rehearsal.o timed_sets.o \
                     roofline.o))
JUDGE_TESTED_OBJECTS := $(filter-out $(JUDGE_USES_CUDA) %/main.o,$(call each,$(wildcard judge/*/*.cpp))) \
                        $(FINDING_OBJECTS)
JUDGE_TEST_OBJECTS := $(call objects,tests/judge/*_test.cpp)
# The file of all forms of findings is read from where it lies.
$(JUDGE_TEST_OBJECTS): CXXFLAGS += -DGRADER_FOLDER='"$(CURDIR)"'

MISBEHAVING_RUNNER_OBJECTS := $(OBJ)/tests/judge/misbehaving_runner.o $(OBJ)/runner/channel.o

$(BUILD)/tests/judge_tests: $(JUDGE_TEST_OBJECTS) $(JUDGE_TESTED_OBJECTS) \
                            | $(BUILD)/tests/misbehaving_runner
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ -lgtest -lgtest_main -lpthread

$(BUILD)/tests/misbehaving_runner: $(MISBEHAVING_RUNNER_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ -lpthread

-include $(JUDGE_TEST_OBJECTS:.o=.d) $(JUDGE_TESTED_OBJECTS:.o=.d) $(MISBEHAVING_RUNNER_OBJECTS:.o=.d)
