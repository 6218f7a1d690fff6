// Shared memory as the two proxies see it: PTX ISA, "Proxies" and "Async proxy".
#include "emulator/memory/shared_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

namespace tmaemu {
namespace {

constexpr std::size_t size = 4096;
constexpr ThreadId ada{0, 1};
constexpr ThreadId ben{0, 2};

class TwoViews : public testing::Test {
 protected:
  void write(std::uint32_t offset, std::byte value, ThreadId by = ada, Epoch epoch = 1) {
    memory.generic()[offset] = value;
    memory.note_write(offset, 1, by, epoch);
  }
  std::byte generic(std::uint32_t offset) const { return memory.generic()[offset]; }
  std::byte async(std::uint32_t offset) const {
    std::array<std::byte, 1> read{};
    memory.read_async(offset, read);
    return read[0];
  }
  void fence_of(ThreadId thread) {
    memory.make_visible([&](ThreadId writer, Epoch) { return writer == thread; });
  }

  SharedMemory memory{size, true};
};

TEST_F(TwoViews, AGenericWriteIsNotInTheAsyncViewBeforeAFence) {
  write(100, std::byte{1});
  EXPECT_EQ(generic(100), std::byte{1});
  EXPECT_NE(async(100), std::byte{1});
}

TEST_F(TwoViews, AFenceThatCoversTheWriteMakesItVisible) {
  write(100, std::byte{1});
  fence_of(ada);
  EXPECT_EQ(async(100), std::byte{1});
}

TEST_F(TwoViews, AFenceOfAnotherThreadMakesNothingVisible) {
  write(100, std::byte{1});
  fence_of(ben);
  EXPECT_NE(async(100), std::byte{1});
}

TEST_F(TwoViews, TheEnginesWriteIsInBothViewsAtOnce) {
  const std::array<std::byte, 4> tile{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  memory.write_async(200, tile);
  EXPECT_EQ(generic(203), std::byte{4});
  EXPECT_EQ(async(203), std::byte{4});
}

TEST_F(TwoViews, TheEnginesWriteReplacesAStaleByte) {
  write(200, std::byte{1});
  memory.write_async(200, std::array{std::byte{2}});
  EXPECT_EQ(async(200), std::byte{2});
}

TEST_F(TwoViews, ACtaBeginsWithNothingStale) {
  write(100, std::byte{1});
  memory.reset();
  EXPECT_EQ(generic(100), async(100));
}

TEST(OneView, WritesAreInItAtOnce) {
  SharedMemory memory(size, false);
  memory.generic()[5] = std::byte{9};
  memory.note_write(5, 1, ada, 1);
  std::array<std::byte, 1> read{};
  memory.read_async(5, read);
  EXPECT_EQ(read[0], std::byte{9});
}

// Against the plainest implementation: a writer for each byte.
TEST(TwoViewsAtRandom, EqualAByteForByteModel) {
  constexpr std::uint32_t bytes = 300;
  std::mt19937 random(3);
  SharedMemory memory(bytes, true);
  std::vector<int> writer(bytes, -1);
  std::vector<std::byte> async(bytes, std::byte{0xFF});
  std::vector<std::byte> generic = async;
  for (int step = 0; step < 4000; ++step) {
    const std::uint32_t first = random() % bytes;
    const std::uint32_t count = 1 + random() % (bytes - first);
    const auto value = static_cast<std::byte>(step);
    const int who = static_cast<int>(random() % 3);
    switch (random() % 3) {
      case 0:
        for (std::uint32_t i = first; i < first + count; ++i) {
          memory.generic()[i] = generic[i] = value;
          writer[i] = who;
        }
        memory.note_write(first, count, {0, static_cast<std::uint16_t>(who)}, 1);
        break;
      case 1: {
        const std::vector<std::byte> tile(count, value);
        memory.write_async(first, tile);
        for (std::uint32_t i = first; i < first + count; ++i) {
          async[i] = generic[i] = value;
          writer[i] = -1;
        }
        break;
      }
      default:
        memory.make_visible([&](ThreadId by, Epoch) { return by.index == who; });
        for (std::uint32_t i = 0; i < bytes; ++i) {
          if (writer[i] != who) continue;
          async[i] = generic[i];
          writer[i] = -1;
        }
    }
    std::vector<std::byte> read(bytes);
    memory.read_async(0, read);
    ASSERT_EQ(read, async) << step;
  }
}

}  // namespace
}  // namespace tmaemu
