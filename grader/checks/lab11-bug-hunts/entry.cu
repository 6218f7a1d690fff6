// Compiled once for each submission of lab11-bug-hunts, together with the student's file.
#define ENTRY_PARTS "checks/lab11-bug-hunts/parts.def"
#include "runner/bind_parts.h"
