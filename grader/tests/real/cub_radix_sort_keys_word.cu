// cub::DeviceRadixSort, keys of type int, unsigned.
#include "cub_radix_sort_keys.cuh"

int main() {
  real_test::sort_keys_of(real_test::TypeList<int, unsigned>{});
  return runtime_test::result();
}
