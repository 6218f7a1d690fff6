// What nearly every test of the emulator includes: see PRECOMPILED in the grader's Makefile.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/diagnostics/places.h"
#include "emulator/program/program.h"
