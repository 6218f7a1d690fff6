#include "judge/memory/guarded_buffer.h"

#include <algorithm>
#include <cstring>

#include "common/text.h"
#include "judge/arrays/random.h"

namespace judge {

using common::concat;
using common::counted;

namespace {

struct Damage {
  std::size_t bytes = 0;  // in whole elements: adding one to an int may change but one byte of it
  std::size_t first = 0;  // offsets into the allocation
  std::size_t last = 0;
};

// Compares [begin, end) element by element.
Damage damage_in(const std::vector<std::byte>& before, const std::vector<std::byte>& after,
                 std::size_t begin, std::size_t end, std::size_t width) {
  Damage damage;
  for (std::size_t i = begin; i < end; i += width) {
    if (std::memcmp(&before[i], &after[i], width) == 0) continue;
    if (damage.bytes == 0) damage.first = i;
    damage.last = i;
    damage.bytes += width;
  }
  return damage;
}

}  // namespace

common::Result<GuardedBuffer> GuardedBuffer::create(Device& device, const Tensor& contents,
                                                    std::size_t misalignment, bool holds_input) {
  const std::size_t data_offset = red_zone_bytes + misalignment;
  std::vector<std::byte> image(data_offset + contents.bytes.size() + red_zone_bytes);
  // Every red zone holds other bytes, so that one copied onto another shows as well.
  Random random(unforeseeable());
  random.fill(image.data(), data_offset);
  random.fill(image.data() + image.size() - red_zone_bytes, red_zone_bytes);
  std::copy(contents.bytes.begin(), contents.bytes.end(), image.begin() + data_offset);

  auto memory = device.allocate(image.size());
  if (!memory) return memory.error();
  auto handle = device.handle(*memory);
  if (!handle) return handle.error();
  if (auto put = device.write(*memory, image.data(), image.size()); !put) return put.error();
  return GuardedBuffer(std::move(memory).value(), *handle, data_offset, std::move(image),
                       Tensor{contents.type, contents.shape, {}}, holds_input);
}

common::Result<GuardedBuffer::Contents> GuardedBuffer::read_back(Device& device,
                                                                 const std::string& name) const {
  std::vector<std::byte> image(written_.size());
  if (auto got = device.read(image.data(), memory_, image.size()); !got) return got.error();

  Contents contents;
  contents.data = layout_;
  const std::size_t data_end = image.size() - red_zone_bytes;
  contents.data.bytes.assign(image.begin() + data_offset_, image.begin() + data_end);

  const std::size_t width = size_of(layout_.type);  // divides both red zones
  const Damage before = damage_in(written_, image, 0, data_offset_, width);
  const Damage after = damage_in(written_, image, data_end, image.size(), width);
  if (before.bytes > 0) {
    contents.damage =
        concat("wrote outside its output: ", counted(before.bytes, "byte"), " before ", name,
               ", the nearest ", counted(data_offset_ - before.last, "byte"), " before its start");
  } else if (after.bytes > 0) {
    contents.damage =
        concat("wrote outside its output: ", counted(after.bytes, "byte"), " after ", name,
               ", the nearest at byte ", after.first - data_end, " past its end");
  }
  return contents;
}

}  // namespace judge
