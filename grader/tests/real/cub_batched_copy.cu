// cub::DeviceMemcpy::Batched and cub::DeviceCopy::Batched: many ranges of very different sizes.
#include <algorithm>
#include <cub/device/device_copy.cuh>
#include <cub/device/device_memcpy.cuh>

#include "real_test.h"

using namespace real_test;

template <class T, class Size, bool counts_bytes>
void copy_ranges(const std::vector<Size>& lengths) {
  std::vector<T> values;
  std::vector<std::size_t> offsets;
  for (const Size length : lengths) {
    offsets.push_back(values.size());
    values.resize(values.size() + length);
  }
  values = any_values<T>(values.size());
  const DeviceArray<T> in(values), out(values.size());
  std::vector<T*> sources, destinations;
  std::vector<Size> sizes_given;
  std::vector<T> expected(values.size());
  std::size_t next = 0;
  for (std::size_t r = lengths.size(); r-- > 0; next += lengths[r]) {  // in reverse order
    sources.push_back(in.data() + offsets[r]);
    destinations.push_back(out.data() + next);
    sizes_given.push_back(static_cast<Size>(lengths[r] * (counts_bytes ? sizeof(T) : 1)));
    std::copy_n(values.begin() + offsets[r], lengths[r], expected.begin() + next);
  }
  const DeviceArray<T*> device_sources(sources), device_destinations(destinations);
  const DeviceArray<Size> device_sizes(sizes_given);
  with_storage([&](void* storage, std::size_t& bytes) {
    const auto ranges = static_cast<unsigned>(lengths.size());
    if constexpr (counts_bytes) {
      return cub::DeviceMemcpy::Batched(
          storage, bytes, reinterpret_cast<void**>(device_sources.data()),
          reinterpret_cast<void**>(device_destinations.data()), device_sizes.data(), ranges);
    } else {
      return cub::DeviceCopy::Batched(storage, bytes, device_sources.data(),
                                      device_destinations.data(), device_sizes.data(), ranges);
    }
  });
  expect_equal("copied ranges", out, expected);
}

int main() {
  const std::vector<unsigned> lengths{1, 0, 3, 17, 128, 1000, 5, 40'007, 2, 31, 8191, 64, 0, 9};
  copy_ranges<unsigned char, unsigned, true>(lengths);
  copy_ranges<unsigned short, unsigned, true>(lengths);
  copy_ranges<int, unsigned, true>(lengths);
  copy_ranges<double, unsigned, true>(lengths);
  copy_ranges<unsigned char, unsigned, false>(lengths);
  copy_ranges<int, unsigned, false>(lengths);
  copy_ranges<double, unsigned, false>(lengths);
  copy_ranges<int, unsigned, true>(std::vector<unsigned>(500, 3));
  return runtime_test::result();
}
