// Compiled once for each submission of lab5-tensor-Ranks, together with the student's file.

#include <array>

#include "runner/part_calls.h"

namespace tmagrade_entry {

using Elements = Instances<Type<float>, Type<int>, Type<bf16>>;
using Ranks = Instances<Values<2>, Values<3>, Values<4>, Values<5>>;
using ElementsAndRanks =
    Instances<Type<float, 1>, Type<float, 2>, Type<float, 3>, Type<float, 4>, Type<float, 5>,
              Type<int, 1>, Type<int, 2>, Type<int, 3>, Type<int, 4>, Type<int, 5>, Type<bf16, 1>,
              Type<bf16, 2>, Type<bf16, 3>, Type<bf16, 4>, Type<bf16, 5>>;

}  // namespace tmagrade_entry

#define ENTRY_PARTS "checks/lab5-tensor-ranks/parts.def"
#include "runner/bind_parts.h"
