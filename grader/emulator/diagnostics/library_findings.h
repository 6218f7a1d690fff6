// What the checker finds inside CUB, Thrust and CUTLASS that is true by the letter, does no harm,
// and is not the reader's to mend: what a file of suppressions is to other tools.
#pragma once

#include "emulator/diagnostics/places.h"
#include "emulator/model/finding.h"

namespace tmaemu {

// Whether it is one of these. What a program does wrong with the libraries is none of them: two
// threads that share a TempStorage without a barrier, for example.
bool is_known_of_library(const Finding& finding, const Places& places);

}  // namespace tmaemu
