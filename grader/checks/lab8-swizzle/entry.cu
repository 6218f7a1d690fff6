// Compiled once for each submission of lab8-swizzle, together with the student's file.

#include "runner/part_calls.h"

namespace tmagrade_entry {

// All that checks.cpp tries: rows, columns in bytes, and the offset, in lines of 128 bytes past the
// array's beginning. The swizzle is as wide as a row; that of 64 bytes is not named, as in the
// public course, which has no other.
using Tiles64 = Instances<Values<1, 64, 0>, Values<1, 64, 1>, Values<1, 64, 2>, Values<1, 64, 3>,
                          Values<16, 64, 0>>;
using Tiles32And128 = Instances<Values<1, 32, 0, 32>, Values<1, 32, 1, 32>, Values<32, 32, 0, 32>,
                                Values<1, 128, 0, 128>, Values<1, 128, 1, 128>,
                                Values<1, 128, 6, 128>, Values<64, 128, 0, 128>>;

using Elements = Instances<Type<float>, Type<bf16>>;

}  // namespace tmagrade_entry

#if __has_include("checks/lab8-swizzle/grader_entry.h")
#include "checks/lab8-swizzle/grader_entry.h"
#endif

#define ENTRY_PARTS "checks/lab8-swizzle/parts.def"
#include "runner/bind_parts.h"
