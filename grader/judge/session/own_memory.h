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

// What is freed stays for what is made next. Every case makes several arrays of up to some 50 MiB,
// and to have each of their pages from the kernel anew took a third of the judge's time.
void keep_own_memory();

}  // namespace judge
