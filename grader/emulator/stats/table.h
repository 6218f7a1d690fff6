// The statistics for people: a block a kernel, and under it what to do about numbers that are bad.
#pragma once

#include <span>
#include <string>

#include "emulator/stats/record.h"

namespace tmaemu::stats {

// Launches of one kernel are added up.
std::string to_table(std::span<const Record> records);

}  // namespace tmaemu::stats
