// Compiled once for each submission of lab10-rmsnorm, together with the student's file.
#define ENTRY_PARTS "checks/lab10-rmsnorm/parts.def"
#include "runner/bind_parts.h"
