// What the TMA engine asks of a tensor copy beyond a valid tensor map.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "contract/findings/finding_codes.h"
#include "emulator/tma/tensor_map.h"

namespace tmaemu::tma {

enum class Direction : std::uint8_t {
  from_global,  // loads
  to_global,    // stores and reductions
};

// An operation that the engine does not take.
struct RefusedOperation {
  Sentence sentence;  // the kind of rule that it breaks, which says what to do instead
  std::string rule;   // in words, with the values involved
};

// Nothing where the engine takes an operation in `mode` at `coordinates` (innermost first, as many
// as the instruction has; `offsets` are those of an im2col load) of this tensor. Where it does not,
// an H200 ends the kernel with "an illegal instruction was encountered". Which reductions a data
// type has is reduce_type_of's to say.
std::optional<RefusedOperation> check_operation(const TensorMap& map, Mode mode,
                                                std::span<const std::int32_t> coordinates,
                                                std::span<const std::int32_t> offsets,
                                                Direction direction);

}  // namespace tmaemu::tma
