// tmaemu: runs a program with the emulator's libraries in the place of CUDA's.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "emulator/launcher/explain.h"
#include "emulator/launcher/options.h"
#include "emulator/launcher/program.h"
#include "emulator/launcher/registry.h"

namespace fs = std::filesystem;

namespace {

constexpr const char* version = "tmaemu 1.0 (emulates an NVIDIA H200, CUDA 13.0)";

// As shells have it: 126 where the program cannot be run, 127 where there is none.
constexpr int exit_usage = 2;
constexpr int exit_cannot_run = 126;
constexpr int exit_not_found = 127;

int fail(int status, const std::string& message) {
  std::fprintf(stderr, "tmaemu: %s\n", message.c_str());
  return status;
}

// <build>/bin/tmaemu finds <build>/lib/emulator.
common::Result<fs::path> library_folder() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = self.parent_path().parent_path() / "lib" / "emulator";
  if (error || !fs::exists(folder / "libtmaemu.so", error)) {
    return common::Error{"the emulator's libraries are not in '" + folder.string() +
                         "'; build them with: make"};
  }
  return folder;
}

// What a variable lists, between colons; empty where it is not set.
std::string listed(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// The first that the loader asks, before others that were there.
void let_the_loader_ask(const fs::path& library) {
  const std::string others = listed("LD_AUDIT");
  setenv("LD_AUDIT", (library.string() + (others.empty() ? "" : ":" + others)).c_str(), 1);
}

// After the user's own folders.
void let_python_import_from(const fs::path& folder) {
  const std::string others = listed("PYTHONPATH");
  setenv("PYTHONPATH", ((others.empty() ? "" : others + ":") + folder.string()).c_str(), 1);
}

// Every process of the run appends to it, wherever that process has gone to: here it is emptied,
// and gets a name that leads to it from everywhere.
common::Result<std::string> emptied_file(const std::string& name) {
  std::FILE* const file = std::fopen(name.c_str(), "we");
  if (file == nullptr) {
    return common::Error{"cannot write findings to '" + name + "': " + std::strerror(errno)};
  }
  std::fclose(file);
  return fs::absolute(name).string();
}

// What no option says stays as it is.
void set_environment(const char* name, const std::string& value) {
  if (!value.empty()) setenv(name, value.c_str(), 1);
}

int execute(const fs::path& program, const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  const char* hint = errno == ENOEXEC ? "; was it built for another kind of machine?" : "";
  return fail(exit_cannot_run,
              "cannot run '" + program.string() + "': " + std::strerror(errno) + hint);
}

}  // namespace

int main(int count, char** arguments) {
  const auto options = launcher::parse({arguments + 1, arguments + count});
  if (!options) return fail(exit_usage, options.error().message);
  if (options->help) {
    std::fputs(launcher::usage, stdout);
    return 0;
  }
  if (options->version) {
    std::puts(version);
    return 0;
  }
  if (options->findings) {
    std::puts(launcher::registry_json().c_str());
    return 0;
  }
  if (options->explain) {
    const auto text =
        launcher::explanation(options->explained_code, launcher::style_of_standard_output());
    if (!text) return fail(exit_usage, text.error().message);
    std::fputs(text->c_str(), stdout);
    return 0;
  }
  const auto libraries = library_folder();
  if (!libraries) return fail(exit_cannot_run, libraries.error().message);
  const std::string& name = options->command.front();
  const auto program = launcher::find_program(name);
  if (!program) {
    std::error_code error;
    const bool there = name.find('/') != std::string::npos && fs::exists(name, error);
    return fail(there ? exit_cannot_run : exit_not_found, program.error().message);
  }
  if (const auto completeness = launcher::check_completeness(*program); !completeness) {
    return fail(exit_cannot_run, completeness.error().message);
  }
  if (!options->findings_file.empty()) {
    const auto file = emptied_file(options->findings_file);
    if (!file) return fail(exit_usage, file.error().message);
    set_environment("TMAEMU_FINDINGS_FILE", *file);
  }
  let_the_loader_ask(*libraries / "libtmaemu-loader.so");
  let_python_import_from(*libraries / "python");
  set_environment("TMAEMU_SCHEDULE", options->schedule);
  set_environment("TMAEMU_CHECK", options->check);
  set_environment("TMAEMU_ERROR_EXITCODE", options->error_exitcode);
  set_environment("TMAEMU_ASYNC", options->async);
  set_environment("TMAEMU_STATS", options->stats);
  set_environment("TMAEMU_STATS_FILE", options->stats_file);
  set_environment("TMAEMU_TRACE", options->trace);
  set_environment("TMAEMU_RECORD", options->record);
  return execute(*program, options->command);
}
