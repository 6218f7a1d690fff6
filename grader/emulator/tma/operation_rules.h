// What the TMA engine asks of a tensor copy beyond a valid tensor map.
#pragma once

#include <cstdint>
#include <span>

#include "common/result.h"
#include "emulator/tma/tensor_map.h"

namespace tmaemu::tma {

enum class Direction : std::uint8_t {
  from_global,  // loads
  to_global,    // stores and reductions
};

// Whether the engine takes an operation in `mode` at `coordinates` (innermost first, as many as the
// instruction has; `offsets` are those of an im2col load) of this tensor. Where it does not, an
// H200 ends the kernel with "an illegal instruction was encountered"; the error says why. Which
// reductions a data type has is reduce_type_of's to say.
common::Status check_operation(const TensorMap& map, Mode mode,
                               std::span<const std::int32_t> coordinates,
                               std::span<const std::int32_t> offsets, Direction direction);

}  // namespace tmaemu::tma
