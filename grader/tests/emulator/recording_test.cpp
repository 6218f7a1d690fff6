// What one process records of its work on the device, another repeats: each kind of event.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/managed_variables.h"
#include "tests/emulator/recorded_program.h"

namespace tmaemu::runtime {
namespace {

TEST(Recording, RepeatsALaunch) {
  EXPECT_EQ(repeated([](void* buffer) { launch_add(buffer, 7); }), all(7));
}

TEST(Recording, RepeatsACopyFromTheHost) {
  EXPECT_EQ(repeated([](void* buffer) { write(buffer, counting.data(), sizeof counting); }),
            counting);
}

TEST(Recording, RepeatsWhatTheHostHadWhenItCopied) {
  EXPECT_EQ(repeated([](void* buffer) {
              Ints source = all(3);
              write(buffer, source.data(), sizeof source);
              source.fill(4);
            }),
            all(3));
}

TEST(Recording, RepeatsACopyOfRowsWithAPitch) {
  const Ints result = repeated([](void* buffer) {
    const CopyRequest request{"test",
                              {buffer, 16, 0},
                              {const_cast<std::int32_t*>(counting.data()), 8, 0},
                              {8, 2, 1},
                              CopyKind::host_to_device};
    copy(request, stream());
  });
  EXPECT_EQ(result, (Ints{0, 1, 0, 0, 2, 3}));
}

TEST(Recording, RepeatsAFill) {
  EXPECT_EQ(repeated([](void* buffer) { fill_with(buffer, 9, ints); }), all(9));
}

TEST(Recording, RepeatsACopyOnTheDevice) {
  EXPECT_EQ(repeated([](void* buffer) {
              void* scratch = nullptr;
              allocate_device(sizeof counting, scratch);
              write(scratch, counting.data(), sizeof counting);
              copy(linear_copy("test", buffer, scratch, sizeof counting, CopyKind::inferred),
                   stream());
              free_device("test", scratch);
            }),
            counting);
}

TEST(Recording, RepeatsAllocationsAtTheirAddresses) {
  EXPECT_EQ(repeated([](void* buffer) {
              void* first = nullptr;
              void* second = nullptr;
              allocate_device(5000, first);
              allocate_device(sizeof(Ints), second);
              free_device("test", first);
              allocate_device(5000, first);
              fill_with(second, 2, ints);
              launch_add(second, 3);
              copy(linear_copy("test", buffer, second, sizeof(Ints), CopyKind::inferred), stream());
            }),
            all(5));
}

TEST(Recording, RepeatsWorkInItsOrder) {
  EXPECT_EQ(repeated([](void* buffer) {
              fill_with(buffer, 1, ints);
              launch_add(buffer, 1);
              write(buffer, counting.data(), 4 * sizeof(std::int32_t));
              launch_add(buffer, 1);
            }),
            (Ints{1, 2, 3, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}));
}

TEST(Recording, IsAllThatHappensInTheProcessThatNeverReads) {
  EXPECT_EQ(record([](void* buffer) { launch_add(buffer, 7); }).own, all(0));
}

TEST(Recording, AProcessThatReadsSeesItsWorkDone) {
  const Recorded recorded = record([](void* buffer) {
    launch_add(buffer, 7);
    Ints read;
    copy(linear_copy("test", read.data(), buffer, sizeof read, CopyKind::device_to_host), stream());
    if (read == all(7)) launch_add(buffer, 1);
  });
  EXPECT_EQ(recorded.own, all(7));
  EXPECT_EQ(repeat(recorded.file).buffer, all(8));
}

TEST(Recording, IsStaleWhereAProcessReadsWhatItDidNotHaveDone) {
  const Recorded recorded = record([](void* buffer) {
    void* scratch = nullptr;
    allocate_device(64, scratch);
    launch_add(buffer, 7);
    free_device("test", scratch);  // the work may have used it
    Ints read;
    copy(linear_copy("test", read.data(), buffer, sizeof read, CopyKind::device_to_host), stream());
  });
  EXPECT_EQ(repeat(recorded.file).ending, Replayed::Ending::stale);
}

TEST(Recording, TellsHowAKernelFaulted) {
  const Repetition repetition = repeat(record([](void*) { launch_add(nullptr, 7); }).file);
  EXPECT_EQ(repetition.ending, Replayed::Ending::done);
  EXPECT_EQ(repetition.error, Error::illegal_address);
}

TEST(Recording, MeasuresAnewInEachCall) {
  const int recording = record([](void* buffer) { launch_add(buffer, 7); }).file;
  in_another_process([&] {
    Buffer buffer;
    buffer.map();
    Device& device = Device::instance();
    Replayer replayer({{add_ptx, {}}}, recording);
    replayer.repeat_call();
    const bool is_measured = device.measured() != Measured{};  // the launch is, at least
    replayer.repeat_call();                                    // there is no such call
    if (!is_measured || device.measured() != Measured{}) std::_Exit(1);
  });
}

TEST(Recording, NamesWhatCannotBeRepeated) {
  void* managed = nullptr;
  EXPECT_EQ(
      refusal([&](void*) { allocate_managed(64, managed); }),
      "the grader cannot follow cudaMallocManaged; a launcher of these labs does not need it");
}

TEST(Recording, AManagedVariableIsOfTheKernelsThatNameIt) {
  const std::string variables =
      ".visible .global .attribute(.managed) .align 4 .u32 counter;\n"
      ".global .attribute(.managed) .align 4 .b8 pair[8];\n";
  const std::string kernels =
      ".visible .entry counts(.param .u64 to)\n{\n ld.global.u32 %r1, [counter];\n}\n"
      ".visible .entry adds(.param .u64 to)\n{\n ld.global.u32 %r1, [counters];\n}\n"
      ".visible .entry swaps(\n)\n{\n mov.u64 %rd1, pair;\n}\n";
  const ManagedVariables own(variables + kernels);
  EXPECT_TRUE(own.may_be_used_by("counts"));
  EXPECT_FALSE(own.may_be_used_by("adds"));
  EXPECT_TRUE(own.may_be_used_by("swaps"));
  const ManagedVariables of_a_function(variables + kernels +
                                       ".func f()\n{\n st.global.u32 [counter], 1;\n}\n");
  EXPECT_TRUE(of_a_function.may_be_used_by("adds"));
  EXPECT_FALSE(ManagedVariables(kernels).may_be_used_by("counts"));
}

TEST(Recording, RefusesDeviceCodeFromElsewhere) {
  const Recorded recorded = record([](void* buffer) { launch_add(buffer, 1); });
  EXPECT_NE(
      refusal(recorded.file, {{"other", {}}}).find("does not lie in the submission's library"),
      std::string::npos);
}

TEST(Recording, SaysWhenThereIsMoreThanItHolds) {
  const std::vector<char> much(recording_bytes / 3);
  EXPECT_NE(refusal([&](void*) {
              void* scratch = nullptr;
              allocate_device(much.size(), scratch);
              for (int i = 0; i < 4; ++i) write(scratch, much.data(), much.size());
            }).find("more data for the device"),
            std::string::npos);
}

TEST(Recording, SaysThatMemoryLiesElsewhere) {
  const Recorded recorded = record([](void*) {
    void* scratch = nullptr;
    allocate_device(64, scratch);
  });
  call_log::Allocate event{};
  constexpr off_t at = 2 * sizeof(call_log::Header) + sizeof(call_log::Begin);
  ASSERT_EQ(pread(recorded.file, &event, sizeof event, at), static_cast<ssize_t>(sizeof event));
  event.address += 4096;
  ASSERT_EQ(pwrite(recorded.file, &event, sizeof event, at), static_cast<ssize_t>(sizeof event));
  EXPECT_NE(refusal(recorded.file).find("another address"), std::string::npos);
}

}  // namespace
}  // namespace tmaemu::runtime
