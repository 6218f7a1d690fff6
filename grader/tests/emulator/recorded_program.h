// What a program does to the device is recorded in one process and repeated in another.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <functional>
#include <string>

#include "emulator/runtime/state/call_log.h"
#include "emulator/runtime/state/copy.h"
#include "emulator/runtime/state/launch.h"
#include "emulator/runtime/state/replayer.h"

namespace tmaemu::runtime {

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

inline int new_file(std::size_t bytes) {
  const int file = memfd_create("recording-test", MFD_CLOEXEC);
  EXPECT_EQ(ftruncate(file, static_cast<off_t>(bytes)), 0);
  return file;
}

// Runs `action` in a process of its own, so that the device is as it was before in the next one.
inline void in_another_process(const std::function<void()>& action) {
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

inline Stream& stream() {
  return *Streams::instance().find(nullptr);
}

inline void write(void* to, const void* from, std::size_t bytes) {
  copy(linear_copy("test", to, from, bytes, CopyKind::host_to_device), stream());
}

inline void fill_with(void* to, std::uint32_t value, std::size_t count) {
  fill({"test", {to, count * 4, count * 4}, {count, 1, 1}, value, 4}, stream());
}

// data[i] += what for all of them.
inline void launch_add(void* data, std::int32_t what) {
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

inline Recorded record(const Program& program) {
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

inline Repetition repeat(int recording, const DeviceCode& device_code = {{add_ptx, {}}}) {
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

inline Ints repeated(const Program& program) {
  const Repetition repetition = repeat(record(program).file);
  EXPECT_EQ(repetition.ending, Replayed::Ending::done) << repetition.text;
  EXPECT_EQ(repetition.error, Error::success);
  return repetition.buffer;
}

inline Ints all(std::int32_t value) {
  Ints result;
  result.fill(value);
  return result;
}

constexpr Ints counting{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// Why it cannot be followed, in words.
inline std::string refusal(int file, const DeviceCode& device_code = {{add_ptx, {}}}) {
  const Repetition repetition = repeat(file, device_code);
  EXPECT_EQ(repetition.ending, Replayed::Ending::not_followed);
  return repetition.text;
}

inline std::string refusal(const Program& program) {
  return refusal(record(program).file);
}

}  // namespace tmaemu::runtime
