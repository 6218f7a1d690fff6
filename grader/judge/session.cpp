#include "judge/session.h"

namespace judge {

Session* Session::current_ = nullptr;

Session::Session(Options options, Device& device)
    : options_(std::move(options)),
      device_(device),
      runners_(device, options_.runner, options_.timeout),
      examiner_(device, runners_, options_.seed) {
  report_.lab = options_.lab;
  report_.seed = options_.seed;
  report_.device = device.facts();
  current_ = this;
}

}  // namespace judge
