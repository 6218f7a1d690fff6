// cuGetExportTable: a door into the driver that only NVIDIA's own code uses, CUDA's runtime where
// it is linked into a program or a library without symbols (loader/static_runtime.h).
#include <cuda.h>

#include <string>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/origin.h"

namespace tmaemu::runtime {
namespace {

void explain_caller(const std::string& file) {
  const std::string who = file.empty() ? "the program" : file;
  const std::string why = who + " has CUDA's runtime linked into it, and no symbols; ";
  explain(is_nvidia_library(file)
              ? why +
                    "its kernels have no PTX either, only machine code, as NVIDIA's libraries "
                    "come: compute it in a kernel of your own, or run the program on a GPU"
              : why +
                    "leave its symbols in (no strip, no -s), by which the emulator finds the "
                    "runtime's functions, or build it with: nvcc -cudart shared");
}

}  // namespace
}  // namespace tmaemu::runtime

extern "C" CUresult cuGetExportTable(const void** table, const CUuuid*) {
  using namespace tmaemu::runtime;
  explain_caller(file_of(__builtin_return_address(0)));
  if (table != nullptr) *table = nullptr;
  return CUDA_ERROR_NOT_SUPPORTED;
}
