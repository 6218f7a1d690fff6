// Compiled once for each submission of lab6-memcpy, together with the student's file.
#define ENTRY_PARTS "checks/lab6-memcpy/parts.def"
#include "runner/bind_parts.h"
