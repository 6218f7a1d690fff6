#include "tests/conformance/machine.h"

#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/conformance/run.h"

namespace conformance {

Machine this_machine() {
  constexpr std::size_t name_bytes = sizeof cudaDeviceProp::name;
  auto* name = static_cast<char*>(shared_memory(name_bytes));
  const pid_t child = fork();
  if (child == 0) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) _exit(3);
    std::snprintf(name, name_bytes, "%s", properties.name);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) {
    std::fprintf(stderr, "conformance: no CUDA device answers\n");
    std::exit(3);
  }
  Machine machine;
  machine.device = name;
  std::ifstream driver("/proc/driver/nvidia/version");
  if (!std::getline(driver, machine.driver)) machine.driver = "unknown";
  machine.toolkit = "CUDA " + std::to_string(CUDART_VERSION / 1000) + "." +
                    std::to_string(CUDART_VERSION % 1000 / 10);
  return machine;
}

}  // namespace conformance
