// Compiled with the canary's program, as every submission is with the entry of its lab.
#define ENTRY_PARTS "checks/canary/parts.def"
#include "runner/bind_parts.h"
