#include "judge/memory/guarded_buffer.h"

#include <gtest/gtest.h>

#include "tests/judge/shared_host_memory.h"

namespace {

using judge::GuardedBuffer;
using judge::Tensor;

class GuardedBufferTest : public testing::Test {
 protected:
  GuardedBuffer create(std::size_t misalignment = 0) {
    auto made = GuardedBuffer::create(device_, contents_, misalignment, true, "data");
    EXPECT_TRUE(made.ok());
    return std::move(made).value();
  }

  std::byte* data_of(const GuardedBuffer& buffer) {
    return map_handle(buffer.handle()) + buffer.data_offset();
  }

  GuardedBuffer::Contents read(const GuardedBuffer& buffer) { return *buffer.read_back(device_); }

  HostDevice device_;
  Tensor contents_ = judge::tensor<std::int32_t>({3}, {7, 8, 9});
};

TEST_F(GuardedBufferTest, ReadsBackWhatWasWritten) {
  EXPECT_EQ(read(create()).data.bytes, contents_.bytes);
}

TEST_F(GuardedBufferTest, IsUndamagedWhenNobodyTouchesIt) {
  EXPECT_EQ(read(create()).damage, "");
}

TEST_F(GuardedBufferTest, PutsTheDataWhereTheMisalignmentSays) {
  EXPECT_EQ(create(16).data_offset() % 256, 16U);
}

TEST_F(GuardedBufferTest, SeesOneByteChangedRightAfterTheData) {
  const GuardedBuffer buffer = create();
  data_of(buffer)[contents_.bytes.size()] ^= std::byte{1};
  EXPECT_EQ(read(buffer).damage,
            "wrote outside its output: 4 bytes after data, the nearest at byte 0 past its end");
}

TEST_F(GuardedBufferTest, SeesOneByteChangedRightBeforeTheData) {
  const GuardedBuffer buffer = create();
  data_of(buffer)[-1] ^= std::byte{1};
  EXPECT_EQ(read(buffer).damage,
            "wrote outside its output: 4 bytes before data, the nearest 4 bytes before its start");
}

TEST_F(GuardedBufferTest, SeesTheRedZoneOfAnotherBufferCopiedOverItsOwn) {
  const GuardedBuffer source = create();
  const GuardedBuffer target = create();
  const std::size_t end = contents_.bytes.size();
  std::memcpy(data_of(target) + end, data_of(source) + end, 16);
  EXPECT_NE(read(target).damage, "");
}

}  // namespace
