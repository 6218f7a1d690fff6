// cub::DeviceTransform: one, two and three inputs. On sm_90 the inputs come to shared memory by
// bulk copies; their addresses need not be multiples of 16.
#include <cub/device/device_transform.cuh>

#include "real_test.h"

using namespace real_test;

struct Combine {
  template <class... T>
  __host__ __device__ auto operator()(T... x) const {
    using Result = std::common_type_t<T...>;
    Result result{3};
    ((result = static_cast<Result>(result * 2 + x)), ...);
    return result;
  }
};

template <class T>
void transform(int count, int offset) {
  const std::vector<T> a = small_values<T>(count + offset, 1), b = small_values<T>(count + 1, 2);
  const std::vector<T> c = small_values<T>(count, 3);
  const DeviceArray<T> in_a(a), in_b(b), in_c(c), out(count);
  const T* const first = in_a.data() + offset;  // not aligned where the offset is odd
  std::vector<T> expected(count);

  CHECK_OK(cub::DeviceTransform::Transform(first, out.data(), count, Combine{}));
  for (int i = 0; i < count; ++i) expected[i] = Combine{}(a[offset + i]);
  expect_equal("of one input", out, expected);

  CHECK_OK(cub::DeviceTransform::Transform(cuda::std::make_tuple(first, in_b.data() + 1),
                                           out.data(), count, Combine{}));
  for (int i = 0; i < count; ++i) expected[i] = Combine{}(a[offset + i], b[1 + i]);
  expect_equal("of two inputs", out, expected);

  CHECK_OK(cub::DeviceTransform::Transform(
      cuda::std::make_tuple(first, in_b.data() + 1, in_c.data()), out.data(), count, Combine{}));
  for (int i = 0; i < count; ++i) expected[i] = Combine{}(a[offset + i], b[1 + i], c[i]);
  expect_equal("of three inputs", out, expected);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : sizes) {
      transform<decltype(zero)>(count, 0);
      transform<decltype(zero)>(count, 3);
    }
  });
  return runtime_test::result();
}
