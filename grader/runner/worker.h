// Obeys the judge's commands with the CUDA runtime. Everything here shares its address space with
// the submission, so nothing here is trusted by anybody and nothing secret ever comes here.
#pragma once

#include <string>
#include <vector>

#include "contract/protocol/protocol.h"
#include "contract/protocol/submission_entry.h"

namespace runner {

class Worker {
 public:
  explicit Worker(std::string submission) : submission_(std::move(submission)) {}
  virtual ~Worker() = default;

  protocol::Reply obey(const protocol::Request& request);

 protected:
  virtual protocol::Reply load();
  virtual protocol::Reply map(const protocol::Request& request);
  virtual protocol::Reply call(const protocol::Request& request);
  virtual protocol::Reply rehearse(const protocol::Request& request);

  const std::string& submission() const { return submission_; }
  // Ends a map: `buffer` is the next one, unless there was an error.
  protocol::Reply mapped(int cuda_error, void* buffer, const protocol::Array& array);

 private:
  protocol::Reply initialize();
  protocol::Reply touch_device();
  protocol::Reply unmap_all();

  // One SubmissionArguments a set; empty when the request is malformed.
  std::vector<SubmissionArguments> resolve(const protocol::Request& request) const;

  std::string submission_;
  decltype(&submission_call) submission_call_ = nullptr;
  std::vector<void*> buffers_;
  void* touched_ = nullptr;  // a byte on the device
};

}  // namespace runner
