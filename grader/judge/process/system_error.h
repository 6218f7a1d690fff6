// Why a call of the system failed, in words.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "common/result.h"
#include "common/text.h"

namespace judge {

// "cannot make a pipe: Too many open files", by errno.
inline common::Error system_error(const std::string& doing) {
  return {common::concat("cannot ", doing, ": ", std::strerror(errno))};
}

}  // namespace judge
