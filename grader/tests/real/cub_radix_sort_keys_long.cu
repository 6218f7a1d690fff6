// cub::DeviceRadixSort, keys of type long long, unsigned long long.
#include "cub_radix_sort_keys.cuh"

int main() {
  real_test::sort_keys_of(real_test::TypeList<long long, unsigned long long>{});
  return runtime_test::result();
}
