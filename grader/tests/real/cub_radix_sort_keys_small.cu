// cub::DeviceRadixSort, keys of type signed char, unsigned short.
#include "cub_radix_sort_keys.cuh"

int main() {
  real_test::sort_keys_of(real_test::TypeList<signed char, unsigned short>{});
  return runtime_test::result();
}
