#include "emulator/launcher/options.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace launcher {
namespace {

constexpr std::string_view async_option = "--async=";
constexpr std::string_view random_prefix = "random:";

bool is_engine(std::string_view value) {
  if (value == "late" || value == "early") return true;
  if (!value.starts_with(random_prefix)) return false;
  value.remove_prefix(random_prefix.size());
  return !value.empty() &&
         std::all_of(value.begin(), value.end(), [](unsigned char c) { return std::isdigit(c); });
}

}  // namespace

const char* const usage =
    R"(tmaemu runs a CUDA program on the CPU, as an H200 would run it.

usage: tmaemu [options] program [arguments...]

options, before the program:
  --async=late         the TMA engine acts at the last legal moment (the default)
  --async=early        ... at the first
  --async=random:SEED  ... somewhere between; the same SEED gives the same run
  --help               this text
  --version            which emulator, which device, which CUDA

environment:
  TMAEMU_ASYNC         late, early or random:SEED: what --async says, where no --async is given

exit status: the program's own; 2 for a wrong option, 126 for a program that cannot be run, 127 where
there is none.

examples:
  nvcc -cudart shared -gencode arch=compute_90a,code=[sm_90a,compute_90a] -lineinfo -std=c++20 \
      lab3.cu -o lab3
  tmaemu ./lab3
  tmaemu --async=random:7 ./lab3

A program that is right is right under every --async. Mistakes are reported on stderr with the line
of the source, if the program was built with -lineinfo.
)";

common::Result<Options> parse(const std::vector<std::string>& arguments) {
  Options options;
  auto argument = arguments.begin();
  for (; argument != arguments.end() && argument->starts_with("-"); ++argument) {
    if (*argument == "--") {
      ++argument;
      break;
    }
    if (*argument == "--help" || *argument == "-h") {
      options.help = true;
    } else if (*argument == "--version") {
      options.version = true;
    } else if (argument->starts_with(async_option)) {
      options.async = argument->substr(async_option.size());
      if (!is_engine(options.async)) {
        return common::Error{"--async is late, early or random:SEED with a number, not '" +
                             options.async + "'"};
      }
    } else {
      return common::Error{"unknown option '" + *argument +
                           "'; options of the program come after its name"};
    }
  }
  options.command.assign(argument, arguments.end());
  if (options.command.empty() && !options.help && !options.version) {
    return common::Error{"no program given; 'tmaemu --help' has examples"};
  }
  return options;
}

}  // namespace launcher
