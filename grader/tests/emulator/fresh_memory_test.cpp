// What is known of global memory that nobody has written.
#include <gtest/gtest.h>

#include <cstring>

#include "emulator/device/device.h"

namespace tmaemu {
namespace {

class FreshMemory : public testing::Test {
 protected:
  // What is asked of an allocation of `size` bytes, of which the first `written` are zeros.
  std::size_t first_fresh(std::size_t size, std::size_t written, std::size_t begin,
                          std::size_t bytes, std::size_t piece) {
    const std::uint64_t address = memory.allocate(size).value();
    const Region& region = *memory.find(address);
    std::memset(region.host, 0, written);
    return GlobalMemory::first_fresh(region, address + begin, bytes, piece);
  }

  GlobalMemory& memory = Device::instance().memory();
};

TEST_F(FreshMemory, WordsAreFreshUntilTheyAreWritten) {
  EXPECT_EQ(first_fresh(64, 0, 0, 64, 4), 0U);
  EXPECT_EQ(first_fresh(64, 12, 0, 64, 4), 12U);
  EXPECT_EQ(first_fresh(64, 64, 0, 64, 4), 64U);
}

TEST_F(FreshMemory, BytesAreFreshWhereTheyFillTwoWords) {
  EXPECT_EQ(first_fresh(64, 0, 0, 64, 1), 0U);
  EXPECT_EQ(first_fresh(64, 5, 0, 64, 1), 8U);
  EXPECT_EQ(first_fresh(64, 5, 6, 58, 2), 2U);
}

// A byte of 256 is written and the memory is as it was: the rest of its word is nobody's.
TEST_F(FreshMemory, AByteThatIsEqualByChanceIsNotFresh) {
  EXPECT_EQ(first_fresh(5, 4, 4, 1, 1), 1U);
  EXPECT_EQ(first_fresh(64, 16, 16, 1, 1), 1U);
  EXPECT_EQ(first_fresh(64, 16, 16, 2, 2), 2U);
}

}  // namespace
}  // namespace tmaemu
