// The judge's own limit of memory. What it does with the bytes of a submission is bounded where it
// is done; this is for what was forgotten.
#pragma once

#include <cstddef>

namespace judge {

// Several times what the largest lab takes. Beside a GPU, CUDA has much of its own.
inline constexpr std::size_t own_memory_bytes = std::size_t{4} << 30;
inline constexpr std::size_t own_memory_bytes_with_gpu = std::size_t{16} << 30;

// The judge's status where it came to its limit: no other end of it is so.
inline constexpr int out_of_own_memory_status = 4;

// From now on this process has no more private memory than that, and ends with the status above
// where it wants more. Only the soft limit is set: a runner takes its own from the hard one.
void limit_own_memory(std::size_t bytes);

}  // namespace judge
