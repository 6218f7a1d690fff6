// Writes down what the program asks of the device, for a process that repeats it
// (call_log_format.h).
//
// While it records, work on the device is put off: whoever wants to know what comes of it asks the
// process that repeats it. Only when the program itself reads device memory is the work done here
// as well. Memory that is about to go away settles what was put off: a program that has read before
// gets it done, as it may read again. That of all others is dropped, and should they read after
// all, the recording says that it is stale and good for nothing: the program has to be started
// again, and will be one that reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/runtime/state/call_log_format.h"
#include "emulator/runtime/state/copy.h"
#include "emulator/runtime/state/graph.h"
#include "emulator/runtime/state/managed_variables.h"

namespace tmaemu::runtime {

class CallLog {
 public:
  static CallLog& instance();

  // Records into the file from its start on, as far as its size goes. The file must keep its size.
  void start(int file);
  // From now on nothing is put off, nor done here, whatever the program reads: it is asked only
  // what it asks for.
  void only_note() { only_notes_ = true; }
  // What happens between the two belongs to one call, and is recorded.
  void begin();
  void end();
  bool is_recording() const { return inside_; }

  void loaded(const std::string& ptx, const LoadedModule* module);
  void unloading(const LoadedModule* module);
  void allocated(std::size_t size, const void* pointer);
  void freeing(const void* pointer);
  void heap_limit(std::size_t bytes);
  void host_memory();
  // What only this process could do.
  void unsupported(std::string_view name);

  // Work on the device, put off. Precondition: is_recording().
  void copy(const CopyRequest& request, Work work);
  // Returns the copy of the source's bytes, without gaps, that `work` is to read.
  void write(const CopyRequest& request, std::span<const std::byte> packed, Work work);
  void fill(const FillRequest& request, Work work);
  void launch(const Kernel& kernel, const LaunchRequest& request, bool starts_early,
              std::span<const std::byte> parameters, Work work);

  // The program is about to read device memory.
  void before_host_reads();
  // Memory that work may use is about to go away.
  void settle();

 private:
  void add(call_log::Kind kind, std::initializer_list<std::span<const std::byte>> parts);
  // Precondition: there is room.
  void put(call_log::Kind kind, std::initializer_list<std::span<const std::byte>> parts);
  void put_off(Work work) {
    if (!only_notes_) pending_.push_back(std::move(work));
  }
  void execute();

  std::span<std::byte> file_;  // mapped; empty where nobody wants a recording
  std::size_t position_ = 0;
  bool inside_ = false;
  bool only_notes_ = false;
  bool is_full_ = false;
  bool has_read_ = false;
  bool has_dropped_ = false;
  std::vector<Work> pending_;
  std::vector<const LoadedModule*> modules_;  // by number; null once unloaded
  std::vector<ManagedVariables> managed_;     // of each of them
};

}  // namespace tmaemu::runtime
