// What every lab's checks include: see PRECOMPILED in the grader's Makefile.
#include <algorithm>
#include <string>
#include <vector>

#include "judge/cases/parts.h"
#include "judge/session/check.h"
