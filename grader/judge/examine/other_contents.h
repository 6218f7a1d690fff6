// What a submission's own process gets on the emulator instead of the inputs that are judged.
#pragma once

#include "judge/arrays/tensor.h"

namespace judge {

// Other contents of the same kind: elements of the buffer, drawn anew; of a large one in pieces,
// since fetching each element from another place of the memory takes ten times as long. On the
// emulator a submission's process gets these, and the replay gets those that are judged: what the
// process computes by itself and hands to the device as a result is the result of something else.
Tensor other_contents(const Tensor& contents);

}  // namespace judge
