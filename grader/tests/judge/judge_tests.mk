# Tests of the judge: everything but its use of CUDA, which tests replace by host memory and by
# runners that misbehave on demand. What they are linked with is the judges' own object: to compile
# it again file by file would take as long as the tests themselves.

JUDGE_TESTED_OBJECTS := $(JUDGE_LIBRARY_OBJECTS) $(call kernel_objects,judge/*/*.cu)
JUDGE_TEST_OBJECTS := $(call objects,tests/judge/*_test.cpp)
# The file of all forms of findings is read from where it lies.
$(JUDGE_TEST_OBJECTS): CXXFLAGS += -DGRADER_FOLDER='"$(CURDIR)"'

MISBEHAVING_RUNNER_OBJECTS := $(OBJ)/tests/judge/misbehaving_runner.o $(OBJ)/runner/channel.o

$(BUILD)/tests/judge_tests: $(JUDGE_TEST_OBJECTS) $(JUDGE_TESTED_OBJECTS) \
                            | $(BUILD)/tests/misbehaving_runner
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ $(LINK_CUDART) -lgtest -lgtest_main -lpthread

$(BUILD)/tests/misbehaving_runner: $(MISBEHAVING_RUNNER_OBJECTS)
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ -lpthread

-include $(JUDGE_TEST_OBJECTS:.o=.d) $(MISBEHAVING_RUNNER_OBJECTS:.o=.d)
