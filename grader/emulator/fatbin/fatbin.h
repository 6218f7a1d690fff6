// Reads the fat binaries that nvcc embeds in an executable: finds the images of PTX and of machine
// code, and unpacks them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "common/result.h"

namespace tmaemu::fatbin {

struct PtxImage {
  std::string text;    // the PTX, without the terminating zero
  int sm = 0;          // 90 for compute_90 and compute_90a
  std::string source;  // the file nvcc compiled, as the fat binary names it; may be empty
};

struct MachineCode {
  std::string elf;  // a cubin
  int sm = 0;       // 90 for sm_90 and sm_90a
};

// Every PTX image in the fat binary that starts at `image` (magic 0xBA55ED50).
// The span may be longer than the fat binary; the header's sizes say where it ends. Images are
// plain, LZ4 or Zstandard. An error names what is malformed; a fat binary without PTX is not an
// error but an empty list.
common::Result<std::vector<PtxImage>> read_ptx(std::span<const std::byte> image);

// Every image of machine code in it, likewise.
common::Result<std::vector<MachineCode>> read_machine_code(std::span<const std::byte> image);

// The length in bytes that the header at `image` claims, header included; an error where it is no
// fat binary. For callers that hold a pointer and no length (the CUDA runtime's registration).
common::Result<std::size_t> length(std::span<const std::byte> header);

}  // namespace tmaemu::fatbin
