// What becomes of recordings that no recorder wrote.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/runtime/state/allocation.h"
#include "tests/emulator/recorded_program.h"

namespace tmaemu::runtime {
namespace {

using call_log::Kind;

// A recording of a call with this event in it, which has `rest` behind it and claims `more_bytes`.
template <class Event>
int forged(Kind kind, const Event& event, std::string_view rest = {},
           std::uint64_t more_bytes = 0) {
  const Recorded recorded = record([](void* buffer) { launch_add(buffer, 1); });
  // The call's end makes room for it.
  off_t at = 0;
  call_log::Header header;
  while (pread(recorded.file, &header, sizeof header, at) == sizeof header &&
         header.kind != Kind::end) {
    at += static_cast<off_t>(sizeof header + header.bytes);
  }
  const call_log::Header ours{kind, 0, sizeof event + rest.size() + more_bytes};
  EXPECT_EQ(pwrite(recorded.file, &ours, sizeof ours, at), static_cast<ssize_t>(sizeof ours));
  at += sizeof ours;
  EXPECT_EQ(pwrite(recorded.file, &event, sizeof event, at), static_cast<ssize_t>(sizeof event));
  at += sizeof event;
  EXPECT_EQ(pwrite(recorded.file, rest.data(), rest.size(), at), static_cast<ssize_t>(rest.size()));
  return recorded.file;
}

// Where the buffer is in every process of these tests.
std::uint64_t address_of_buffer() {
  const int answer = new_file(sizeof(std::uint64_t));
  in_another_process([&] {
    Buffer buffer;
    buffer.map();
    if (pwrite(answer, &buffer.pointer, sizeof buffer.pointer, 0) < 0) std::_Exit(1);
  });
  std::uint64_t address = 0;
  EXPECT_EQ(pread(answer, &address, sizeof address, 0), static_cast<ssize_t>(sizeof address));
  return address;
}

TEST(DamagedRecording, EndsInTheMiddle) {
  const int file = new_file(recording_bytes);
  EXPECT_NE(refusal(file).find("it ends before the call does"), std::string::npos);
}

TEST(DamagedRecording, HasAnEventOfNoKind) {
  EXPECT_NE(refusal(forged(Kind{77}, call_log::Free{})).find("kind 77"), std::string::npos);
}

TEST(DamagedRecording, ClaimsMoreBytesThanThereAre) {
  EXPECT_NE(
      refusal(forged(Kind::free, call_log::Free{}, "", ~std::uint64_t{0} - 64)).find("damaged"),
      std::string::npos);
}

TEST(DamagedRecording, CopiesOutsideDeviceMemory) {
  const std::uint64_t buffer = address_of_buffer();
  const call_log::Copy copy{{buffer, 64, 64}, {buffer + (1 << 30), 64, 64}, 64, 1, 1};
  EXPECT_NE(refusal(forged(Kind::copy, copy)).find("from no device memory"), std::string::npos);
}

TEST(DamagedRecording, CopiesRowsWhosePlacesOverflow) {
  const std::uint64_t huge = std::uint64_t{1} << 40;
  const std::uint64_t buffer = address_of_buffer();
  const call_log::Copy copy{{buffer, huge, huge}, {buffer, 64, 64}, 64, 1 << 24, 2};
  EXPECT_NE(refusal(forged(Kind::copy, copy)).find("to no device memory"), std::string::npos);
}

TEST(DamagedRecording, WritesBytesThatItDoesNotHold) {
  const call_log::Copy copy{{address_of_buffer(), 64, 64}, {}, 64, 1, 1};
  EXPECT_NE(refusal(forged(Kind::write, copy)).find("other bytes than it says"), std::string::npos);
}

TEST(DamagedRecording, FillsHostMemory) {
  static int host = 0;
  const call_log::Fill fill{{reinterpret_cast<std::uint64_t>(&host), 4, 4}, 1, 1, 1, 1, 4};
  EXPECT_NE(refusal(forged(Kind::fill, fill)).find("no device memory"), std::string::npos);
}

TEST(DamagedRecording, LaunchesFromNoModule) {
  EXPECT_NE(refusal(forged(Kind::launch, call_log::Launch{9, 0, {}, {}, {}, 0, 0, 0, 0, 0}))
                .find("from no module"),
            std::string::npos);
}

TEST(DamagedRecording, LaunchesWithOtherParameters) {
  EXPECT_NE(refusal(forged(Kind::launch, call_log::Launch{0, 3, {}, {}, {}, 0, 0, 0, 0, 0}, "add"))
                .find("other parameters"),
            std::string::npos);
}

TEST(DamagedRecording, LaunchesNoKernel) {
  EXPECT_NE(refusal(forged(Kind::launch, call_log::Launch{0, 3, {}, {}, {}, 0, 0, 0, 0, 0}, "sub"))
                .find("no kernel"),
            std::string::npos);
}

TEST(DamagedRecording, LaunchesMoreThanADeviceHas) {
  const std::string rest = "add" + std::string(12, '\0');
  const Dimensions block{2048, 1, 1};
  EXPECT_NE(
      refusal(forged(Kind::launch, call_log::Launch{0, 3, {}, block, {}, 0, 0, 0, 0, 0}, rest))
          .find("a launch that CUDA refuses"),
      std::string::npos);
}

TEST(DamagedRecording, FreesWhatNobodyAllocated) {
  EXPECT_NE(
      refusal(forged(Kind::free, call_log::Free{address_of_buffer()})).find("a free that CUDA"),
      std::string::npos);
}

// One byte is another one, each time elsewhere: the replay goes on or says why it does not.
TEST(DamagedRecording, EndsNoReplay) {
  const Recorded recorded = record([](void* buffer) {
    void* scratch = nullptr;
    allocate_device(sizeof counting, scratch);
    write(scratch, counting.data(), sizeof counting);
    fill_with(buffer, 1, ints);
    copy(linear_copy("test", buffer, scratch, 32, CopyKind::inferred), stream());
    launch_add(buffer, 1);
    free_device("test", scratch);
  });
  std::vector<char> bytes(4096);
  ASSERT_GT(pread(recorded.file, bytes.data(), bytes.size(), 0), 0);
  std::mt19937 random(1);
  for (int round = 0; round < 100; ++round) {
    std::vector<char> damaged = bytes;
    damaged[random() % 2048] = static_cast<char>(random());
    const int file = new_file(recording_bytes);
    ASSERT_EQ(pwrite(file, damaged.data(), damaged.size(), 0), 4096);
    repeat(file);  // fails where the process dies
    close(file);
  }
}

}  // namespace
}  // namespace tmaemu::runtime
