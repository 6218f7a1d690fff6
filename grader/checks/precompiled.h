// What every lab's checks include: see PRECOMPILED in the grader's Makefile.
#include <algorithm>
#include <string>
#include <vector>

#include "judge/check.h"
#include "judge/parts.h"
