// Compiled once for each submission of lab2-split-barrier, together with the student's file.
#define ENTRY_PARTS "checks/lab2-split-barrier/parts.def"
#include "runner/bind_parts.h"
