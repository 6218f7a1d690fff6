// For processors with AVX-512: build.mk compiles this file, and no other, for x86-64-v4. What it
// shares with other files must not be compiled here, or it might be what they are linked with.
#ifdef __x86_64__

#include "emulator/tensor/block_lanes.h"

namespace tmaemu::tensor {

u32 add_sixteen_lanes(const BlockRule& rule, const BlockRow& row, unsigned& column) {
  return add_block_lanes<16>(rule, row, column);
}

}  // namespace tmaemu::tensor

#endif
