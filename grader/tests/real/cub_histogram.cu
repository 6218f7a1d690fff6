// cub::DeviceHistogram: bins of equal and of given widths, of one channel and of three of four.
#include <algorithm>
#include <cub/device/device_histogram.cuh>
#include <cuda/std/array>

#include "real_test.h"

using namespace real_test;

template <class T>
void even_bins(int count) {
  constexpr int bins = 20;
  const std::vector<T> samples = small_values<T>(count, 1, 120);
  std::vector<int> expected(bins);
  for (const T sample : samples) {
    if (sample < T{100}) ++expected[static_cast<int>(sample) / 5];
  }
  const DeviceArray<T> in(samples);
  const DeviceArray<int> out(bins);
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramEven(storage, bytes, in.data(), out.data(), bins + 1,
                                               T{0}, T{100}, count);
  });
  expect_equal("bins of equal width", out, expected);
}

template <class T>
void given_bins(int count) {
  const std::vector<T> levels{T{0}, T{1}, T{10}, T{11}, T{50}, T{90}};
  const std::vector<T> samples = small_values<T>(count, 2, 120);
  std::vector<int> expected(levels.size() - 1);
  for (const T sample : samples) {
    const auto above = std::upper_bound(levels.begin(), levels.end(), sample);
    if (above != levels.end()) ++expected[above - levels.begin() - 1];
  }
  const DeviceArray<T> in(samples), bounds(levels);
  const DeviceArray<int> out(expected.size());
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceHistogram::HistogramRange(storage, bytes, in.data(), out.data(),
                                                static_cast<int>(levels.size()), bounds.data(),
                                                count);
  });
  expect_equal("bins of given widths", out, expected);
}

void channels(int pixels) {
  constexpr int bins = 256;
  const auto samples = small_values<unsigned char>(4 * pixels, 3, 256);
  std::vector<int> expected[3];
  for (int channel = 0; channel < 3; ++channel) {
    expected[channel].resize(bins);
    for (int i = 0; i < pixels; ++i) ++expected[channel][samples[4 * i + channel]];
  }
  const DeviceArray<unsigned char> in(samples);
  const DeviceArray<int> out0(bins), out1(bins), out2(bins);
  const cuda::std::array<int*, 3> histograms{out0.data(), out1.data(), out2.data()};
  const cuda::std::array<int, 3> levels{bins + 1, bins + 1, bins + 1};
  const cuda::std::array<int, 3> lower{0, 0, 0};
  const cuda::std::array<int, 3> upper{bins, bins, bins};
  with_storage([&](void* storage, std::size_t& bytes) {
    return cub::DeviceHistogram::MultiHistogramEven<4, 3>(storage, bytes, in.data(), histograms,
                                                          levels, lower, upper, pixels);
  });
  expect_equal("bins of channel 0", out0, expected[0]);
  expect_equal("bins of channel 1", out1, expected[1]);
  expect_equal("bins of channel 2", out2, expected[2]);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) {
      even_bins<decltype(zero)>(count);
      given_bins<decltype(zero)>(count);
    }
  });
  for (const int count : sizes) channels(count);
  return runtime_test::result();
}
