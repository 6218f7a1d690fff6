// What nearly every test of the judge includes: see PRECOMPILED in the grader's Makefile.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>
