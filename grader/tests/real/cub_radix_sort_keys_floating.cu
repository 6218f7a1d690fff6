// cub::DeviceRadixSort, keys of type float, double.
#include "cub_radix_sort_keys.cuh"

int main() {
  real_test::sort_keys_of(real_test::TypeList<float, double>{});
  return runtime_test::result();
}
