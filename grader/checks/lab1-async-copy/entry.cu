// Compiled once for each submission of lab1-async-copy, together with the student's file.
#define ENTRY_PARTS "checks/lab1-async-copy/parts.def"
#include "runner/bind_parts.h"
