// Compiled once for each submission of lab9-clusters, together with the student's file.
#define ENTRY_PARTS "checks/lab9-clusters/parts.def"
#include "runner/bind_parts.h"
