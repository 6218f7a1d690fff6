// cub::DeviceRunLengthEncode: values and lengths of all runs, and where the longer runs lie.
#include <cub/device/device_run_length_encode.cuh>

#include "real_test.h"

using namespace real_test;

template <class T>
void encode(int count) {
  std::vector<T> values = small_values<T>(count, 1, 2);
  for (int i = 1000; i < count && i < 9000; ++i) values[i] = T{7};  // a run longer than a tile
  std::vector<T> run_values;
  std::vector<int> lengths, long_offsets, long_lengths;
  for (int i = 0; i < count;) {
    int end = i + 1;
    while (end < count && values[end] == values[i]) ++end;
    run_values.push_back(values[i]);
    lengths.push_back(end - i);
    if (end - i > 1) {
      long_offsets.push_back(i);
      long_lengths.push_back(end - i);
    }
    i = end;
  }

  const DeviceArray<T> in(values), unique(count);
  const DeviceArray<int> device_lengths(count), device_offsets(count), runs(1);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRunLengthEncode::Encode(storage, bytes, in.data(), unique.data(),
                                              device_lengths.data(), runs.data(), count);
  });
  expect_equal("number of runs", runs, static_cast<int>(lengths.size()));
  expect_equal("values of runs", unique, run_values);
  expect_equal("lengths of runs", device_lengths, lengths);

  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRunLengthEncode::NonTrivialRuns(storage, bytes, in.data(),
                                                      device_offsets.data(), device_lengths.data(),
                                                      runs.data(), count);
  });
  expect_equal("number of longer runs", runs, static_cast<int>(long_lengths.size()));
  expect_equal("offsets of longer runs", device_offsets, long_offsets);
  expect_equal("lengths of longer runs", device_lengths, long_lengths);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) encode<decltype(zero)>(count);
  });
  return runtime_test::result();
}
