# Tests of the runner: what its process may still do once it is confined, and how a submission is bound to its parts.

RUNNER_TEST_OBJECTS := $(call objects,tests/runner/*_test.cpp)

$(BUILD)/tests/runner_tests: $(RUNNER_TEST_OBJECTS) $(OBJ)/runner/confinement.o
	@mkdir -p $(@D)
	$(CXX) -o $@ $^ $(LDLIBS_TEST)

# Where a student's file is found.
$(OBJ)/tests/runner/entry_test.o: CXXFLAGS += -Itests/runner/entry

-include $(RUNNER_TEST_OBJECTS:.o=.d)
