#include "emulator/fatbin/fatbin.h"

#include <cstdint>
#include <cstring>
#include <string_view>

#include "emulator/fatbin/decompress.h"

namespace tmaemu::fatbin {
namespace {

using Bytes = std::span<const std::byte>;

// NVIDIA documents no part of the format; what stands here was read off the output of nvcc 13.0
// and 13.5 under each of their --compress-mode options. All numbers are little-endian.
//
//   container                           entry, one after the other behind the container's header
//    0 u32 magic                         0 u16 kind              28 u32 architecture (90)
//    4 u16 version, 1                    2 u16 version           32 u32 offset of the source's name
//    6 u16 size of this header           4 u32 size of this      36 u32 length of that name
//    8 u64 size of the entries                 header            40 u64 flags
//                                        8 u64 size of the       56 u64 size when unpacked
//                                              payload, padded
//                                       16 u32 size when packed, unpadded; 0 where it is plain
constexpr std::uint32_t magic = 0xBA55ED50;
constexpr std::uint16_t container_version = 1;
constexpr std::size_t container_header_bytes = 16;
constexpr std::size_t entry_header_bytes = 64;
constexpr std::uint16_t ptx_entry = 1;
constexpr std::uint16_t machine_code_entry = 2;
constexpr std::uint64_t lz4_flag = 0x2000;
constexpr std::uint64_t zstandard_flag = 0x8000;

common::Error malformed(const std::string& what) {
  return {"this fat binary is malformed: " + what};
}

// Precondition: the number lies within the bytes.
template <class T>
T read(Bytes bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::string to_string(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The compiler ends texts and names with one zero or more.
std::string without_final_zeros(std::string text) {
  text.resize(text.find_last_not_of('\0') + 1);
  return text;
}

struct Entry {
  Bytes header;
  Bytes payload;

  std::uint16_t kind() const { return read<std::uint16_t>(header, 0); }
  std::uint32_t packed_size() const { return read<std::uint32_t>(header, 16); }
  int sm() const { return static_cast<int>(read<std::uint32_t>(header, 28)); }
  std::uint32_t name_offset() const { return read<std::uint32_t>(header, 32); }
  std::uint32_t name_length() const { return read<std::uint32_t>(header, 36); }
  std::uint64_t flags() const { return read<std::uint64_t>(header, 40); }
  std::uint64_t unpacked_size() const { return read<std::uint64_t>(header, 56); }
};

// The entry at the start of `rest`.
common::Result<Entry> read_entry(Bytes rest) {
  if (rest.size() < entry_header_bytes) return malformed("it ends inside an entry's header");
  const auto header_size = read<std::uint32_t>(rest, 4);
  const auto payload_size = read<std::uint64_t>(rest, 8);
  if (header_size < entry_header_bytes || header_size > rest.size()) {
    return malformed("an entry's header claims " + std::to_string(header_size) + " bytes");
  }
  if (payload_size > rest.size() - header_size) {
    return malformed("an entry claims " + std::to_string(payload_size) + " bytes, " +
                     std::to_string(rest.size() - header_size) + " are left");
  }
  return Entry{rest.first(header_size), rest.subspan(header_size, payload_size)};
}

common::Result<std::string> source_name(const Entry& entry) {
  const std::size_t offset = entry.name_offset();
  const std::size_t length = entry.name_length();
  if (length == 0) return std::string();
  if (offset > entry.header.size() || length > entry.header.size() - offset) {
    return malformed("the name of an entry's source lies outside its header");
  }
  return without_final_zeros(to_string(entry.header.subspan(offset, length)));
}

common::Result<std::string> unpack(const Entry& entry) {
  const bool is_lz4 = (entry.flags() & lz4_flag) != 0;
  const bool is_zstandard = (entry.flags() & zstandard_flag) != 0;
  if (!is_lz4 && !is_zstandard) {
    if (entry.packed_size() != 0) {
      return common::Error{
          "the code in this fat binary is compressed in a way that is not known here; "
          "compile with nvcc --compress-mode=none"};
    }
    return to_string(entry.payload);
  }
  if (is_lz4 && is_zstandard) return malformed("an entry claims two compressions");
  if (entry.packed_size() > entry.payload.size()) {
    return malformed("an entry's packed size exceeds its payload");
  }
  const Bytes packed = entry.payload.first(entry.packed_size());
  return is_lz4 ? unpack_lz4(packed, entry.unpacked_size())
                : unpack_zstandard(packed, entry.unpacked_size());
}

common::Result<PtxImage> read_ptx_entry(const Entry& entry) {
  PtxImage image;
  image.sm = entry.sm();
  common::Result<std::string> name = source_name(entry);
  if (!name) return name.error();
  image.source = std::move(*name);
  common::Result<std::string> text = unpack(entry);
  if (!text) return text.error();
  image.text = without_final_zeros(std::move(*text));
  return image;
}

// Calls visit(entry), which returns a Status, for each entry in turn.
template <class Visit>
common::Status for_each_entry(Bytes image, Visit visit) {
  const common::Result<std::size_t> total = length(image);
  if (!total) return total.error();
  const std::size_t header_size = read<std::uint16_t>(image, 6);
  if (*total > image.size()) {
    return malformed("it claims " + std::to_string(*total) + " bytes, there are " +
                     std::to_string(image.size()));
  }
  Bytes rest = image.first(*total).subspan(header_size);
  while (!rest.empty()) {
    const common::Result<Entry> entry = read_entry(rest);
    if (!entry) return entry.error();
    if (const common::Status visited = visit(*entry); !visited) return visited;
    rest = rest.subspan(entry->header.size() + entry->payload.size());
  }
  return {};
}

}  // namespace

common::Result<std::size_t> length(Bytes header) {
  if (header.size() < container_header_bytes) return malformed("it is shorter than its header");
  if (read<std::uint32_t>(header, 0) != magic) {
    return common::Error{"this is no fat binary: it does not start with the magic number"};
  }
  const auto version = read<std::uint16_t>(header, 4);
  if (version != container_version) {
    return common::Error{"fat binaries of version " + std::to_string(version) +
                         " are not known here, only version 1"};
  }
  const auto header_size = read<std::uint16_t>(header, 6);
  if (header_size < container_header_bytes) {
    return malformed("its header claims " + std::to_string(header_size) + " bytes");
  }
  const auto body_size = read<std::uint64_t>(header, 8);
  std::size_t total = 0;
  if (__builtin_add_overflow(body_size, std::size_t{header_size}, &total)) {
    return malformed("its header claims " + std::to_string(body_size) + " bytes of entries");
  }
  return total;
}

common::Result<std::vector<PtxImage>> read_ptx(Bytes image) {
  std::vector<PtxImage> images;
  const auto add = [&](const Entry& entry) -> common::Status {
    if (entry.kind() != ptx_entry) return {};
    common::Result<PtxImage> ptx = read_ptx_entry(entry);
    if (!ptx) return ptx.error();
    images.push_back(std::move(*ptx));
    return {};
  };
  if (const common::Status read = for_each_entry(image, add); !read) return read.error();
  return images;
}

common::Result<std::vector<MachineCode>> read_machine_code(Bytes image) {
  std::vector<MachineCode> images;
  const auto add = [&](const Entry& entry) -> common::Status {
    if (entry.kind() != machine_code_entry) return {};
    common::Result<std::string> elf = unpack(entry);
    if (!elf) return elf.error();
    images.push_back({std::move(*elf), entry.sm()});
    return {};
  };
  if (const common::Status read = for_each_entry(image, add); !read) return read.error();
  return images;
}

}  // namespace tmaemu::fatbin
