#include "runner/worker.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "runner/emulator.h"

namespace runner {
namespace {

using protocol::Reply;
using protocol::ReplyStatus;

Reply status(ReplyStatus status) {
  Reply reply;
  reply.status = status;
  return reply;
}

Reply cuda_reply(cudaError_t error) {
  if (error == cudaSuccess) return status(ReplyStatus::done);
  Reply reply = status(ReplyStatus::cuda_error);
  reply.cuda_error = error;
  return reply;
}

Reply load_failed(std::string_view reason) {
  Reply reply = status(ReplyStatus::load_failed);
  reason.copy(reply.text.data(), reply.text.size() - 1);
  return reply;
}

}  // namespace

Reply Worker::obey(const protocol::Request& request) {
  switch (request.command) {
    case protocol::Command::initialize:
      return initialize();
    case protocol::Command::load:
      return load();
    case protocol::Command::map:
      return map(request);
    case protocol::Command::unmap_all:
      return unmap_all();
    case protocol::Command::call:
      return call(request);
    case protocol::Command::rehearse:
      return rehearse(request);
  }
  return status(ReplyStatus::bad_request);
}

Reply Worker::initialize() {
  if (const cudaError_t error = cudaSetDevice(0); error != cudaSuccess) return cuda_reply(error);
  if (const cudaError_t error = cudaMalloc(&touched_, 1); error != cudaSuccess) {
    return cuda_reply(error);
  }
  return touch_device();
}

// The device's time goes to one process after the other. Whoever wants to be timed takes it first:
// the change costs 0.16 ms on an H200.
Reply Worker::touch_device() {
  if (const cudaError_t error = cudaMemset(touched_, 0, 1); error != cudaSuccess) {
    return cuda_reply(error);
  }
  return cuda_reply(cudaDeviceSynchronize());
}

Reply Worker::load() {
  // RTLD_NOW: a launcher that is declared but defined nowhere shows up here, with its name, and not
  // as a dead process in the middle of a call.
  if (const auto record = find_in_emulator<decltype(tmaemu_record)>("tmaemu_record")) {
    record(protocol::recording_descriptor);
  }
  const RecordedCall recorded;
  void* library = dlopen(submission_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return load_failed(dlerror());
  void* symbol = dlsym(library, "submission_call");
  if (symbol == nullptr) return load_failed(dlerror());
  submission_call_ = reinterpret_cast<decltype(submission_call_)>(symbol);
  return status(ReplyStatus::done);
}

Reply Worker::map(const protocol::Request& request) {
  cudaIpcMemHandle_t handle;
  static_assert(sizeof handle == sizeof request.memory_handle);
  std::memcpy(&handle, request.memory_handle.data(), sizeof handle);
  void* buffer = nullptr;
  const cudaError_t error = cudaIpcOpenMemHandle(&buffer, handle, cudaIpcMemLazyEnablePeerAccess);
  return mapped(error, buffer, request.array);
}

Reply Worker::mapped(int cuda_error, void* buffer, const protocol::Array& array) {
  static const auto describe =
      find_in_emulator<decltype(tmaemu_describe_array)>("tmaemu_describe_array");
  if (cuda_error == cudaSuccess) {
    buffers_.push_back(buffer);
    if (describe != nullptr) {
      describe(buffer, array.offset, array.bytes, static_cast<int>(array.holds_input),
               array.name.data());
    }
  }
  return cuda_reply(static_cast<cudaError_t>(cuda_error));
}

Reply Worker::unmap_all() {
  cudaError_t first_error = cudaSuccess;
  for (void* buffer : buffers_) {
    const cudaError_t error = cudaIpcCloseMemHandle(buffer);
    if (first_error == cudaSuccess) first_error = error;
  }
  buffers_.clear();
  return cuda_reply(first_error);
}

Reply Worker::call(const protocol::Request& request) {
  if (request.repeat == 0) return touch_device();
  if (submission_call_ == nullptr) return status(ReplyStatus::bad_request);
  const std::vector<SubmissionArguments> sets = resolve(request);
  if (sets.empty()) return status(ReplyStatus::bad_request);

  if (request.attribute_count > request.attributes.size()) return status(ReplyStatus::bad_request);
  const OtherDevice other_device({request.attributes.data(), request.attribute_count});
  const RecordedCall recorded;
  for (std::uint32_t i = 0; i < request.repeat; ++i) {
    switch (submission_call_(request.part.data(), &sets[i % sets.size()])) {
      case submission_called:
        break;
      case submission_missing:
        return status(ReplyStatus::missing);
      default:
        return status(ReplyStatus::unknown_part);
    }
  }
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t finished = cudaDeviceSynchronize();
  std::fflush(stdout);
  // A kernel that failed while running says more than the launch that came after it.
  return cuda_reply(finished != cudaSuccess ? finished : launched);
}

Reply Worker::rehearse(const protocol::Request& request) {
  const auto only_note = find_in_emulator<decltype(tmaemu_record_only)>("tmaemu_record_only");
  if (only_note == nullptr) return status(ReplyStatus::bad_request);
  only_note();
  return call(request);
}

std::vector<SubmissionArguments> Worker::resolve(const protocol::Request& request) const {
  const std::size_t in_set = request.arguments_in_set;
  const bool terminated =
      std::find(request.part.begin(), request.part.end(), '\0') != request.part.end();
  if (!terminated || in_set > protocol::max_arguments ||
      request.set_count > protocol::max_arguments ||
      in_set * request.set_count > protocol::max_arguments) {
    return {};
  }
  std::vector<SubmissionArguments> sets(request.set_count);
  for (std::size_t set = 0; set < sets.size(); ++set) {
    int pointers = 0;
    int integers = 0;
    for (std::size_t i = 0; i < in_set; ++i) {
      const protocol::Argument& argument = request.arguments[set * in_set + i];
      if (pointers == SubmissionArguments::capacity || integers == SubmissionArguments::capacity)
        return {};
      if (argument.buffer == protocol::no_buffer) {
        sets[set].integers[integers++] = static_cast<std::int64_t>(argument.value);
      } else if (argument.buffer < buffers_.size()) {
        sets[set].pointers[pointers++] =
            static_cast<char*>(buffers_[argument.buffer]) + argument.value;
      } else {
        return {};
      }
    }
  }
  return sets;
}

}  // namespace runner
