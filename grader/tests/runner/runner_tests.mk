# Tests of the runner: what its process may still do once it is confined.

RUNNER_TEST_OBJECTS := $(call objects,tests/runner/*_test.cpp)

$(BUILD)/tests/runner_tests: $(RUNNER_TEST_OBJECTS) $(OBJ)/runner/confinement.o
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ $(LDLIBS_TEST)

-include $(RUNNER_TEST_OBJECTS:.o=.d)
