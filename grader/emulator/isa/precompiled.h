// What nearly every file of this folder and its wings includes: see PRECOMPILED in the grader's
// Makefile.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "emulator/isa/address.h"
#include "emulator/isa/lanes.h"
#include "emulator/isa/modifiers.h"
#include "emulator/program/decoder.h"
#include "emulator/sched/cluster.h"
