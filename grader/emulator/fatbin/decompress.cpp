#include "emulator/fatbin/decompress.h"

#include <lz4.h>
#include <zstd.h>

#include <limits>

namespace tmaemu::fatbin {
namespace {

// One byte of LZ4 says at most 255 bytes of output, so a larger claim is not worth its memory.
constexpr std::uint64_t max_lz4_ratio = 255;

common::Error cannot_unpack(const std::string& method, const std::string& why) {
  return {"the PTX in this fat binary cannot be unpacked (" + method + "): " + why};
}

bool is_too_large(std::uint64_t size) {
  return size > max_unpacked_bytes;
}

common::Error too_large(const std::string& method, std::uint64_t size) {
  return cannot_unpack(method, "it claims " + std::to_string(size) + " bytes, the limit is " +
                                   std::to_string(max_unpacked_bytes));
}

}  // namespace

common::Result<std::string> unpack_lz4(std::span<const std::byte> packed, std::uint64_t size) {
  const std::string method = "LZ4";
  if (is_too_large(size)) return too_large(method, size);
  constexpr std::size_t max_input = std::numeric_limits<int>::max();
  if (packed.size() > max_input || size > packed.size() * max_lz4_ratio) {
    return cannot_unpack(method, "its sizes do not fit each other");
  }
  std::string text(size, '\0');
  const int written = LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()), text.data(),
                                          static_cast<int>(packed.size()), static_cast<int>(size));
  if (written < 0) return cannot_unpack(method, "the data is damaged");
  if (static_cast<std::uint64_t>(written) != size) {
    return cannot_unpack(method, "it has another size than its header says");
  }
  return text;
}

common::Result<std::string> unpack_zstandard(std::span<const std::byte> packed,
                                             std::uint64_t size) {
  const std::string method = "Zstandard";
  if (is_too_large(size)) return too_large(method, size);
  // The frame has its own record of the size: ask it before giving it memory.
  if (ZSTD_getFrameContentSize(packed.data(), packed.size()) != size) {
    return cannot_unpack(method, "it has another size than its header says");
  }
  std::string text(size, '\0');
  const std::size_t written =
      ZSTD_decompress(text.data(), text.size(), packed.data(), packed.size());
  if (ZSTD_isError(written) != 0) return cannot_unpack(method, ZSTD_getErrorName(written));
  if (written != size) return cannot_unpack(method, "it has another size than its header says");
  return text;
}

}  // namespace tmaemu::fatbin
