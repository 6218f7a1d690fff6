#include "judge/memory/guarded_buffer.h"

#include <cstring>

#include "common/text.h"
#include "judge/arrays/random.h"

namespace judge {

using common::concat;
using common::counted;

namespace {

struct Damage {
  std::size_t bytes = 0;  // in whole elements: adding one to an int may change but one byte of it
  std::size_t first = 0;  // offsets into the red zone
  std::size_t last = 0;
};

// Compares a red zone element by element.
Damage damage_of(const std::vector<std::byte>& before, const std::vector<std::byte>& after,
                 std::size_t width) {
  Damage damage;
  for (std::size_t i = 0; i < before.size(); i += width) {
    if (std::memcmp(&before[i], &after[i], width) == 0) continue;
    if (damage.bytes == 0) damage.first = i;
    damage.last = i;
    damage.bytes += width;
  }
  return damage;
}

}  // namespace

common::Result<GuardedBuffer> GuardedBuffer::create(Device& device, const Tensor& contents,
                                                    std::size_t misalignment, bool holds_input,
                                                    std::string name) {
  const std::size_t data_offset = red_zone_bytes + misalignment;
  const std::size_t data_end = data_offset + contents.bytes.size();
  RedZones red_zones{std::vector<std::byte>(data_offset), std::vector<std::byte>(red_zone_bytes)};
  // Every red zone holds other bytes, so that one copied onto another shows as well.
  Random random(unforeseeable());
  random.fill(red_zones.before.data(), red_zones.before.size());
  random.fill(red_zones.after.data(), red_zones.after.size());

  auto memory = device.allocate(data_end + red_zone_bytes);
  if (!memory) return memory.error();
  auto handle = device.handle(*memory);
  if (!handle) return handle.error();
  // Piece by piece: of a large array, no copy is made between its red zones.
  if (auto put = device.write(*memory, 0, red_zones.before); !put) return put.error();
  if (auto put = device.write(*memory, data_offset, contents.bytes); !put) return put.error();
  if (auto put = device.write(*memory, data_end, red_zones.after); !put) return put.error();
  return GuardedBuffer(std::move(memory).value(), *handle, data_offset, contents.bytes.size(),
                       std::move(red_zones), Tensor{contents.type, contents.shape, {}}, holds_input,
                       std::move(name));
}

common::Status GuardedBuffer::write(Device& device, const Tensor& contents) {
  return device.write(memory_, data_offset_, contents.bytes);
}

common::Result<GuardedBuffer::Contents> GuardedBuffer::read_back(Device& device) const {
  Contents contents;
  contents.data = layout_;
  contents.data.bytes.resize(data_bytes_);
  RedZones found{std::vector<std::byte>(red_zones_.before.size()),
                 std::vector<std::byte>(red_zones_.after.size())};
  if (auto got = device.read(found.before, memory_, 0); !got) return got.error();
  if (auto got = device.read(contents.data.bytes, memory_, data_offset_); !got) return got.error();
  if (auto got = device.read(found.after, memory_, data_offset_ + data_bytes_); !got) {
    return got.error();
  }

  const std::size_t width = size_of(layout_.type);  // divides both red zones
  const Damage before = damage_of(red_zones_.before, found.before, width);
  const Damage after = damage_of(red_zones_.after, found.after, width);
  if (before.bytes > 0) {
    contents.damage =
        concat("wrote outside its output: ", counted(before.bytes, "byte"), " before ", name_,
               ", the nearest ", counted(data_offset_ - before.last, "byte"), " before its start");
  } else if (after.bytes > 0) {
    contents.damage = concat("wrote outside its output: ", counted(after.bytes, "byte"), " after ",
                             name_, ", the nearest at byte ", after.first, " past its end");
  }
  return contents;
}

}  // namespace judge
