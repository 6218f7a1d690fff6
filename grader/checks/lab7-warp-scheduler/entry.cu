// Compiled once for each submission of lab7-warp-scheduler, together with the student's file.
#define ENTRY_PARTS "checks/lab7-warp-scheduler/parts.def"
#include "runner/bind_parts.h"
