// What one process records of its work on the device, another repeats: each kind of event, and what
// becomes of recordings that no recorder wrote.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/call_log.h"
#include "emulator/runtime/state/copy.h"
#include "emulator/runtime/state/launch.h"
#include "emulator/runtime/state/managed_variables.h"
#include "emulator/runtime/state/replayer.h"

namespace tmaemu::runtime {
namespace {

using call_log::Kind;

constexpr std::size_t ints = 16;
using Ints = std::array<std::int32_t, ints>;
constexpr std::size_t recording_bytes = 1 << 20;

// add(int *data, int what): data[tid] += what.
constexpr const char* add_ptx = R"(
.version 9.0
.target sm_90a
.address_size 64
.global .align 4 .u32 unused;
.visible .entry add(.param .u64 data, .param .u32 what)
{
  .reg .b32 %r<4>;
  .reg .b64 %d<4>;
  ld.param.u64 %d1, [data];
  ld.param.u32 %r1, [what];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %d2, %r2, 4;
  add.s64 %d3, %d1, %d2;
  ld.global.u32 %r3, [%d3];
  add.s32 %r3, %r3, %r1;
  st.global.u32 [%d3], %r3;
  ret;
}
)";

int new_file(std::size_t bytes) {
  const int file = memfd_create("recording-test", MFD_CLOEXEC);
  EXPECT_EQ(ftruncate(file, static_cast<off_t>(bytes)), 0);
  return file;
}

// Runs `action` in a process of its own, so that the device is as it was before in the next one.
void in_another_process(const std::function<void()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    action();
    std::_Exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
}

// A device buffer whose bytes are a file's, as the grader's are.
struct Buffer {
  int file = new_file(4096);
  void* pointer = nullptr;

  void map() { ASSERT_EQ(open_file({file}, sizeof(Ints), pointer), Error::success); }
  Ints contents() const {
    Ints read{};
    EXPECT_EQ(pread(file, read.data(), sizeof read, 0), static_cast<ssize_t>(sizeof read));
    return read;
  }
};

Stream& stream() {
  return *Streams::instance().find(nullptr);
}

void write(void* to, const void* from, std::size_t bytes) {
  copy(linear_copy("test", to, from, bytes, CopyKind::host_to_device), stream());
}

void fill_with(void* to, std::uint32_t value, std::size_t count) {
  fill({"test", {to, count * 4, count * 4}, {count, 1, 1}, value, 4}, stream());
}

// data[i] += what for all of them.
void launch_add(void* data, std::int32_t what) {
  static auto* module = new Module(std::string(add_ptx));
  Function* function = module->function("add");
  if (function->resolve() != Error::success) std::_Exit(1);
  LaunchConfiguration configuration;
  configuration.block = {ints, 1, 1};
  configuration.stream = &stream();
  const void* arguments[] = {&data, &what};
  launch(*function, configuration,
         pack_parameters(function->kernel->info(), const_cast<void* const*>(arguments)));
}

using Program = std::function<void(void* buffer)>;

// What a program records, and what its own buffer holds when it is done.
struct Recorded {
  int file = new_file(recording_bytes);
  Ints own{};
};

Recorded record(const Program& program) {
  Recorded recorded;
  Buffer buffer;
  in_another_process([&] {
    buffer.map();
    CallLog::instance().start(recorded.file);
    CallLog::instance().begin();
    program(buffer.pointer);
    CallLog::instance().end();
  });
  recorded.own = buffer.contents();
  return recorded;
}

struct Repetition {
  Replayed::Ending ending;
  Error error;
  char text[512];
  Ints buffer;
};

Repetition repeat(int recording, const DeviceCode& device_code = {{add_ptx, {}}}) {
  const int answer = new_file(sizeof(Repetition));
  Buffer buffer;
  in_another_process([&] {
    buffer.map();
    const Replayed replayed = Replayer(device_code, recording).repeat_call();
    Repetition said{replayed.ending, replayed.error, {}, {}};
    replayed.text.copy(said.text, sizeof said.text - 1);
    if (pwrite(answer, &said, sizeof said, 0) != sizeof said) std::_Exit(1);
  });
  Repetition said{};
  EXPECT_EQ(pread(answer, &said, sizeof said, 0), static_cast<ssize_t>(sizeof said));
  said.buffer = buffer.contents();
  return said;
}

Ints repeated(const Program& program) {
  const Repetition repetition = repeat(record(program).file);
  EXPECT_EQ(repetition.ending, Replayed::Ending::done) << repetition.text;
  EXPECT_EQ(repetition.error, Error::success);
  return repetition.buffer;
}

Ints all(std::int32_t value) {
  Ints result;
  result.fill(value);
  return result;
}

constexpr Ints counting{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

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

// Why it cannot be followed, in words.
std::string refusal(int file, const DeviceCode& device_code = {{add_ptx, {}}}) {
  const Repetition repetition = repeat(file, device_code);
  EXPECT_EQ(repetition.ending, Replayed::Ending::not_followed);
  return repetition.text;
}

std::string refusal(const Program& program) {
  return refusal(record(program).file);
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
