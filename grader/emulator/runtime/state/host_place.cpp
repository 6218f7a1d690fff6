#include "emulator/runtime/state/host_place.h"

#include <dlfcn.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "common/hexadecimal.h"

namespace tmaemu::runtime {
namespace {

// An instruction in a file: its address as the file counts them.
struct InFile {
  std::string file;
  std::uint64_t address = 0;
};

// Of an instruction in the executable; nothing for one in a library.
std::optional<InFile> in_program(std::uint64_t address) {
  Dl_info info{};
  link_map* map = nullptr;
  void* const pointer = reinterpret_cast<void*>(address);
  if (dladdr1(pointer, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return {};
  const bool is_executable = map != nullptr && *map->l_name == '\0';
  if (!is_executable) return {};
  return InFile{"/proc/self/exe", address - map->l_addr};
}

// What the command prints; empty where there is none.
std::string output_of(std::span<char* const> arguments) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return "";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  pid_t child = 0;
  char* no_environment[] = {nullptr};  // the program's libraries are none of the tool's
  const int error =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), no_environment);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  std::array<char, 512> piece{};
  for (ssize_t got = 0; error == 0 && (got = read(ends[0], piece.data(), piece.size())) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  if (error == 0) waitpid(child, nullptr, 0);
  return text;
}

// "int sum<4>(int const*)", as a template's is written, is "sum<4>".
std::string function_of(std::string_view declaration) {
  std::string_view name = declaration.substr(0, declaration.find('('));
  const std::size_t space = name.substr(0, name.find('<')).rfind(' ');
  if (space != std::string_view::npos) name.remove_prefix(space + 1);
  return std::string(name);
}

// The program's own file, where nvcc has compiled one that it made of it: of
// "/tmp/tmpxft_0000314c_00000000-6_copy.cudafe1.cpp" it is "copy.cu".
std::string source_of(std::string_view file) {
  constexpr std::string_view mark = "tmpxft_";
  constexpr std::string_view ending = ".cudafe1.cpp";
  const std::size_t begin = file.rfind(mark);
  if (begin == std::string_view::npos || !file.ends_with(ending)) return std::string(file);
  const std::string_view name = file.substr(begin + mark.size());
  const std::size_t behind_numbers = name.find('_', name.find('_') + 1);
  if (behind_numbers == std::string_view::npos) return std::string(file);
  const std::string_view own = name.substr(behind_numbers + 1);
  return std::string(own.substr(0, own.size() - ending.size())) + ".cu";
}

// Two lines: "main", "/home/ada/copy.cu:41 (discriminator 2)"; question marks for what is not
// known.
HostPlace parsed(std::string_view text) {
  HostPlace place;
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return place;
  if (text.front() != '?') place.function = function_of(text.substr(0, end));
  const std::string_view line = text.substr(end + 1);
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos || line.front() == '?') return place;
  const char* const number = line.data() + colon + 1;
  if (std::from_chars(number, line.data() + line.size(), place.line).ec != std::errc{})
    return place;
  place.file = source_of(line.substr(0, colon));
  return place;
}

}  // namespace

HostPlace host_place(std::span<const std::uint64_t> frames) {
  for (const std::uint64_t& frame : frames) {
    const bool is_call = &frame != &frames.front();  // then it is where the call comes back to
    const auto place = frame == 0 ? std::nullopt : in_program(frame - (is_call ? 1 : 0));
    if (!place) continue;
    std::array<char, 4096> file{};
    if (readlink(place->file.c_str(), file.data(), file.size() - 1) < 0) return {};
    std::string address = common::hexadecimal(place->address);
    std::string tool = "addr2line";
    std::string options = "-Cfe";
    const std::array<char*, 5> arguments{tool.data(), options.data(), file.data(), address.data(),
                                         nullptr};
    return parsed(output_of(arguments));
  }
  return {};
}

}  // namespace tmaemu::runtime
