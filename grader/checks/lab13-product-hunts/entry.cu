// Compiled once for each submission of lab13-product-hunts, together with the student's file.
#define ENTRY_PARTS "checks/lab13-product-hunts/parts.def"
#include "runner/bind_parts.h"
