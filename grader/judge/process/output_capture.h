// What a child prints, up to a limit: the rest is read and dropped, so that the child neither fills
// the judge's memory nor blocks on a full pipe.
#pragma once

#include <cstddef>
#include <string>

#include "judge/process/file_descriptor.h"

namespace judge {

class OutputCapture {
 public:
  static constexpr std::size_t limit_bytes = 256 * 1024;

  OutputCapture() = default;
  // `pipe` is the reading end, in non-blocking mode.
  explicit OutputCapture(FileDescriptor pipe) : pipe_(std::move(pipe)) {}

  // For poll(); -1 after the end of the file.
  int descriptor() const { return pipe_.get(); }
  // Takes what is there without waiting (but not without end: a child may write forever).
  void drain();
  // What came since the last take().
  std::string take();

 private:
  FileDescriptor pipe_;
  std::string text_;
};

}  // namespace judge
