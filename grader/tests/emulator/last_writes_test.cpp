#include "emulator/memory/last_writes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using tmaemu::LastWrites;
using Write = LastWrites::Write;

constexpr std::size_t memory_bytes = 64;

Write write_of(std::uint32_t number) {
  return {tmaemu::ThreadId{0, static_cast<std::uint16_t>(number % 3)}, number};
}

LastWrites of_memory() {
  LastWrites writes;
  writes.make_room(memory_bytes);
  return writes;
}

TEST(LastWrites, AreThoseOfEachByteWhateverWasWrittenApart) {
  std::mt19937 random(1);
  LastWrites writes = of_memory();
  std::vector<Write> expected(memory_bytes);
  for (std::uint32_t number = 1; number < 2000; ++number) {
    const std::size_t bytes = std::size_t{1} << random() % 5;
    const std::size_t offset = random() % (memory_bytes - bytes + 1);
    writes.set(offset, bytes, write_of(number));
    std::fill_n(expected.begin() + static_cast<std::ptrdiff_t>(offset), bytes, write_of(number));
    for (std::size_t byte = 0; byte < memory_bytes; ++byte) {
      ASSERT_EQ(writes.at(byte), expected[byte]) << "byte " << byte << ", write " << number;
    }
  }
}

TEST(LastWrites, ARunEndsWhereAnotherWriteBegins) {
  LastWrites writes = of_memory();
  writes.set(0, 32, write_of(1));
  writes.set(13, 1, write_of(2));
  EXPECT_EQ(writes.end_of_run(2, 64), 13u);
  EXPECT_EQ(writes.end_of_run(13, 64), 14u);
  EXPECT_EQ(writes.end_of_run(14, 64), 32u);
  EXPECT_EQ(writes.end_of_run(14, 21), 21u);
}

TEST(LastWrites, AWordThatIsWrittenWholeAgainIsOneAgain) {
  LastWrites writes = of_memory();
  writes.set(1, 2, write_of(1));
  writes.set(0, 8, write_of(2));
  EXPECT_EQ(writes.end_of_run(0, 64), 8u);
}

}  // namespace
