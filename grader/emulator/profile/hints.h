// What to do about a kernel's numbers, where they are bad.
#pragma once

#include <string>
#include <vector>

#include "emulator/profile/summary.h"

namespace tmaemu::profile {

// Sentences, the most important first; none where nothing is bad.
std::vector<std::string> hints(const Summary& kernel);

// How many times the bytes that were asked for the touched sectors hold; 0 where none were.
double overfetch(Count bytes, Count sectors);

}  // namespace tmaemu::profile
