// Compiled once for each submission of lab3-bulk-copy, together with the student's file.
#define ENTRY_PARTS "checks/lab3-bulk-copy/parts.def"
#include "runner/bind_parts.h"
